/** The page: puts the parts together, and carries what is pointed at and selected from each pane to the others. */

import { Details } from "./details.ts";
import { button, element, html, type Child } from "./elements.ts";
import { png, svgText } from "./exporting.ts";
import { GraphPane } from "./graphpane.ts";
import { Header } from "./header.ts";
import { connect } from "./host.ts";
import { listen, sheet, type Key } from "./keys.ts";
import { LayoutWorker } from "./layout.ts";
import { linked } from "./linking.ts";
import { measured } from "./measure.ts";
import { menu, type Entry } from "./menu.ts";
import { PANES, Panes } from "./panes.ts";
import type { Against, ExportFormat, FromHost, Picture, PictureNode, Place, Reason } from "./protocol.ts";
import { SearchBox } from "./searchbox.ts";
import type { Hit } from "./search.ts";
import { Store, type Heat, type PaneName } from "./state.ts";
import { Instead, type Shown } from "./studies.ts";
import { message } from "./prose.ts";
import { visible } from "./text.ts";
import { TextPane } from "./textpane.ts";
import { followTheme, THEMES } from "./theme.ts";
import { isGroup, type Item } from "./tree.ts";
import { namesIn, placeOf } from "./view.ts";

const host = connect();
const store = new Store(host);
const { state } = store;
const applyTheme = followTheme(() => state.theme);

const NOTHING: ReadonlySet<string> = new Set();
let picture: Picture | null = null;
/** What the page is set to show; what it is of, as far as the host has said so, and whether PyTorch is being asked. */
let wished: { study: Shown; example: number | null; asking: boolean } = { study: "", example: null, asking: false };
let lights = { selected: NOTHING, hovered: NOTHING, cursor: NOTHING, matched: NOTHING };

// ---- the parts -----------------------------------------------------------------------------------------

const pane = (name: PaneName) => element(`#${name}`, HTMLElement);
const news = element("#news", HTMLElement);
const status = element("#status", HTMLElement);
/** Stands where the graph will be. */
const empty = html("p", { class: "empty" }, "Waiting for the graph …");

const text = (name: "source" | "code", label: string) =>
  new TextPane(pane(name), label, {
    hover: (nodes) => light({ hovered: nodes }),
    select: (nodes) => select(nodes, name),
    finding: (index) => chooseFinding(index),
  });

for (const { name, label } of PANES) {
  const close = button(
    { class: "close", "aria-label": `Close ${label.toLowerCase()}`, title: "Close" },
    () => panes.toggle(name),
    "×",
  );
  pane(name).append(html("div", { class: "pane-title" }, html("h2", {}, label), close));
}
const source = text("source", "Source");
const code = text("code", "Graph code");
const details = new Details(pane("details"), { choose });
const graph = new GraphPane(pane("graph"), new LayoutWorker(() => host.startWorker()), measured(), store, {
  hover: (nodes) => light({ hovered: nodes }),
  select: chooseItem,
  drawn: () => {
    empty.remove();
    performance.mark("nst-drawn");
    document.body.classList.add("drawn");
  },
  failed: (said) => {
    empty.textContent = visible(said);
    tell(said, "failed");
  },
});
const zoom = html(
  "div",
  { class: "zoom", role: "toolbar", "aria-label": "View of the graph" },
  button({ title: "Larger (+)", "aria-label": "Zoom in" }, () => graph.viewport.in(), "+"),
  button({ title: "Smaller (−)", "aria-label": "Zoom out" }, () => graph.viewport.out(), "−"),
  button({ title: "All of it (f)", "aria-label": "Fit" }, () => graph.fit(), "⤢"),
  button({ title: "Open all groups (e)", "aria-label": "Open all groups" }, openAll, "⊞"),
  button({ title: "Close all groups (c)", "aria-label": "Close all groups" }, () => graph.closeAll(), "⊟"),
);
pane("graph").append(zoom, empty);
const instead = new Instead({
  back: () => {
    ask("");
    graph.focus();
  },
  again: () => {
    wished = { ...wished, asking: true };
    showWished();
    host.post({ type: "study", study: wished.study, again: true });
  },
  show: (place) => showPlace(place),
});
pane("graph").append(instead.element);
const panes = new Panes(element("#panes", HTMLElement), store, () => undefined);

const searchBox = new SearchBox({
  matched: (matched) => light({ matched }),
  go: (hit) => goTo(hit),
  leave: () => graph.focus(),
});

const FORMATS: readonly { readonly format: ExportFormat; readonly label: string }[] = [
  { format: "dot", label: "DOT" },
  { format: "mermaid", label: "Mermaid" },
  { format: "json", label: "JSON" },
  { format: "model-explorer", label: "Model Explorer JSON" },
  { format: "html", label: "HTML, one file" },
];
/** What one pastes elsewhere rather than keeps in a file. */
const PASTED: readonly ExportFormat[] = ["dot", "mermaid"];
/** Of what is being exported: what shall go to the clipboard when it comes. */
const copied = new Set<ExportFormat>();

const exportMenu = menu("Export", () => [
  { label: "SVG", run: () => exportSvg() },
  { label: "PNG", run: () => void exportPng() },
  { label: "Code", run: () => (host.live ? exportAs("code") : saveText("code.py", picture?.code ?? "")) },
  ...(host.live ? FORMATS.map(({ format, label }): Entry => ({ label, run: () => exportAs(format) })) : []),
  null,
  { label: "Copy code", run: () => copy(picture?.code ?? "") },
  ...FORMATS.filter(({ format }) => host.live && PASTED.includes(format)).map(({ format, label }): Entry => ({
    label: `Copy ${label}`,
    run: () => {
      copied.add(format);
      exportAs(format);
    },
  })),
]);

const HEATS: readonly { readonly heat: Heat; readonly label: string }[] = [
  { heat: "work", label: "Heat by flop" },
  { heat: "bytes", label: "Heat by bytes read and written" },
  { heat: "live", label: "Heat by live memory" },
];

const viewMenu = menu("View", () => [
  ...PANES.map(({ name, label }, index): Entry => ({
    label,
    note: String(index + 1),
    checked: () => panes.isOpen(name),
    run: () => panes.toggle(name),
  })),
  null,
  { label: "Cost on the boxes", checked: () => state.cost, run: () => setCost({ cost: !state.cost }) },
  ...HEATS.map(({ heat, label }): Entry => ({
    label,
    checked: () => state.heat === heat,
    run: () => setCost({ heat: state.heat === heat ? "" : heat }),
  })),
  ...(host.embedded
    ? []
    : [
        null,
        ...THEMES.map(({ name, label }): Entry => ({
          label,
          checked: () => state.theme === name,
          run: () => setTheme(name),
        })),
      ]),
]);

const KEYS: readonly Key[] = [
  { keys: [], shown: "↓ ↑", does: "along edges, to what uses a result and to where it comes from" },
  { keys: [], shown: "← →", does: "to the box before and behind, in the order of the source" },
  { keys: [], shown: "Enter", does: "select, and show in the editor" },
  { keys: [], shown: "Space", does: "open or close a group; on a node, close the group around it" },
  { keys: ["e"], shown: "e", does: "open all groups", run: openAll },
  { keys: ["c"], shown: "c", does: "close all groups", run: () => graph.closeAll() },
  { keys: ["+", "="], shown: "+", does: "larger", run: () => graph.viewport.in() },
  { keys: ["-"], shown: "−", does: "smaller", run: () => graph.viewport.out() },
  { keys: ["0"], shown: "0", does: "as large as it is", run: () => graph.viewport.zoomTo(1) },
  { keys: ["f"], shown: "f", does: "all of the graph", run: () => graph.fit() },
  { keys: ["n"], shown: "n", does: "next finding", run: () => stepFinding(1) },
  { keys: ["p"], shown: "p", does: "finding before", run: () => stepFinding(-1) },
  { keys: ["/"], shown: "/", does: "search; Enter next, Shift-Enter back", run: () => searchBox.focus() },
  { keys: ["g"], shown: "g", does: "to the graph", run: () => graph.focus() },
  {
    keys: ["t"],
    shown: "t",
    does: "to the switch between the trace and PyTorch's graphs",
    run: () => header.switch.focus(),
  },
  ...PANES.map(({ name, label }, index): Key => {
    const digit = String(index + 1);
    return {
      keys: [digit],
      shown: digit,
      does: `open or close: ${label.toLowerCase()}`,
      run: () => panes.toggle(name),
    };
  }),
  { keys: ["Escape"], shown: "Esc", does: "select nothing", run: () => select(NOTHING, null) },
  { keys: ["?"], shown: "?", does: "this list", run: () => keys.showModal() },
];
const keys = sheet(KEYS);
listen(KEYS);

const header = new Header(
  host.live,
  [
    viewMenu,
    exportMenu,
    button({ class: "tool", "aria-label": "Keys", title: "Keys (?)" }, () => keys.showModal(), "?"),
  ],
  {
    choose: (name, example) => host.post({ type: "choose", function: name, example }),
    compare,
    study: ask,
  },
);
element("#tools", HTMLElement).prepend(searchBox.element);

// ---- what the host says --------------------------------------------------------------------------------

host.onMessage((said: FromHost) => {
  switch (said.type) {
    case "graph":
      performance.mark("nst-picture");
      show(said.picture);
      performance.mark("nst-shown");
      return;
    case "study":
      wished = { study: said.study, example: said.example, asking: said.asking };
      showWished();
      return;
    case "cursor":
      light({ cursor: new Set(said.nodes) });
      if (said.nodes.length > 0) follow(lights.cursor);
      return;
    case "status":
      tell(said.text, "status");
      showWished();
      return;
    case "exported":
      if (copied.delete(said.format)) copy(said.text);
      else saveText(said.name, said.text);
      return;
    case "failed":
      tell(said.text, "failed");
  }
});
host.post({ type: "ready" });
if (state.against !== "")
  host.post({ type: "compare", against: state.against, ...(state.other === null ? {} : { example: state.other }) });
addEventListener("pagehide", () => store.write());

function show(shown: Picture): void {
  const before = picture;
  const another = before?.function !== shown.function;
  picture = shown;
  if (graph.scene === null) empty.textContent = "Laying out …";
  lights = { ...lights, hovered: NOTHING, selected: another ? NOTHING : stillSelected(before, shown) };
  const { sections, code: codeSection } = linked(shown);
  source.show(sections);
  code.show([codeSection]);
  details.show(shown);
  details.select(lights.selected);
  header.show(shown, { against: state.against, other: state.other });
  searchBox.show(shown);
  light({});
  void graph.show(shown);
  showDiff();
  showWished();
}

/** What was selected and is still there; in the graph of another tracer, what comes from the same expressions. */
function stillSelected(before: Picture | null, now: Picture): ReadonlySet<string> {
  const { selected } = lights;
  if (before === null || before.study?.kind === now.study?.kind)
    return new Set(now.nodes.map(({ name }) => name).filter((name) => selected.has(name)));
  const key = ({ sources }: Picture, { place }: PictureNode) =>
    place === null ? null : JSON.stringify([sources[place.source]?.label, place.span]);
  const keys = new Set(before.nodes.filter(({ name }) => selected.has(name)).map((node) => key(before, node)));
  keys.delete(null);
  return new Set(now.nodes.filter((node) => keys.has(key(now, node))).map(({ name }) => name));
}

/** Until the graph that is wanted is there, it is said over the picture what goes on; and where it cannot be, why. */
function showWished(): void {
  const { study, example, asking } = wished;
  const shown = picture?.study ?? null;
  header.switch.set(study);
  const there = shown?.kind === study && (example === null || picture?.example === example);
  const empty = shown !== null && picture?.nodes.length === 0;
  if (study === "" || picture === null || (there && !empty)) instead.hide();
  else if (there && !asking) instead.nothing(picture);
  else instead.asking(study, picture.function, asking ? "" : (status.textContent ?? ""));
  header.tellAsking(asking && !instead.isShown ? "asking PyTorch again …" : "");
  element(".stage", HTMLElement).inert = instead.isShown;
}

/** Milliseconds for which it is told what came of a wish. */
const TOLD = { failed: 10_000, done: 2_500 } as const;

/** What goes on is told in the header while it does; what came of a wish for a while, over the panes: neither moves the picture. */
function tell(said: string, kind: "status" | "failed" | "done"): void {
  if (kind === "status") {
    status.textContent = visible(said);
    if (picture === null) empty.textContent = visible(said === "" ? "There is no graph yet." : said);
    return;
  }
  news.querySelector(".told")?.remove();
  const line = html("p", { class: `told ${kind}` }, ...message(said));
  line.append(button({ class: "close", "aria-label": "Dismiss" }, () => line.remove(), "×"));
  setTimeout(() => line.remove(), TOLD[kind]);
  news.append(line);
}

function showDiff(): void {
  news.querySelector(".diff")?.remove();
  const diff = picture?.diff ?? null;
  if (diff === null) return;
  news.querySelector(".told.failed")?.remove(); // it told that there was nothing to compare with
  const said =
    diff.summary === "" ? `nothing changed against ${diff.against}` : `against ${diff.against}: ${diff.summary}`;
  const link = ({ place }: Reason, ...children: Child[]) =>
    button({ class: "link" }, () => choose([], place), ...children);
  const summary = html("strong", {}, ...message(said));
  const [sole] = diff.reasons;
  const told =
    sole !== undefined && diff.reasons.length === 1
      ? [link(sole, summary)] // which says the sole reason, too
      : [summary, ...diff.reasons.slice(0, REASONS).map((reason) => link(reason, ...message(reason.text)))];
  news.prepend(html("p", { class: "diff" }, ...told));
}

/** Reasons in the line below the header; all of them are among the details. */
const REASONS = 3;

// ---- what a person points at ---------------------------------------------------------------------------

function light(changed: Partial<typeof lights>): void {
  lights = { ...lights, ...changed };
  graph.light(lights);
  source.light(lights);
  code.light(lights);
}

/** Selects nodes, and brings them into view in all panes but the one that they were selected in. */
function select(names: ReadonlySet<string>, from: PaneName | null): void {
  light({ selected: names });
  details.select(names);
  if (names.size === 0) return;
  if (from !== "source") source.reveal(names);
  if (from !== "code") code.reveal(names);
  if (from !== "graph") void graph.reveal(names, true);
}

/** The editor's cursor: seen, but nothing is opened or selected for it. */
function follow(names: ReadonlySet<string>): void {
  source.reveal(names);
  code.reveal(names);
  void graph.reveal(names, false);
}

function chooseItem(item: Item | null, reveal: boolean): void {
  if (item === null || graph.tree === null) return select(NOTHING, "graph");
  select(new Set(namesIn(graph.tree, item)), "graph");
  const [found] = item.sum.findings;
  if (found !== undefined && !isGroup(item)) details.finding((finding = found));
  const place = placeOf(graph.tree, item);
  if (place !== null && reveal) showPlace(place);
}

function choose(names: readonly string[], place: Place | null): void {
  select(new Set(names), "details");
  const known = place ?? picture?.nodes.find((node) => node.name === names[0])?.place ?? null;
  if (known !== null) showPlace(known);
}

/** In our source and in the editor. */
function showPlace(place: Place): void {
  source.revealLine(place.source, place.span[0]);
  host.post({ type: "reveal", place });
}

let finding = -1;

function chooseFinding(index: number): void {
  const chosen = picture?.findings[index];
  if (chosen === undefined) return;
  finding = index;
  details.finding(index);
  choose(chosen.nodes, chosen.place);
}

function stepFinding(by: number): void {
  const count = picture?.findings.length ?? 0;
  if (count > 0) chooseFinding(finding < 0 && by < 0 ? count - 1 : (finding + by + count) % count);
}

function goTo(hit: Hit): void {
  if (hit.kind === "node") select(new Set([picture!.nodes[hit.index]!.name]), null);
  else if (hit.kind === "finding") chooseFinding(hit.index);
  else source.revealLine(hit.index, hit.line);
}

// ---- tools ---------------------------------------------------------------------------------------------

function openAll(): void {
  if (!graph.openAll()) tell("There are more boxes than can be shown at once: some groups stay closed.", "failed");
}

function setCost(changed: { cost?: boolean; heat?: Heat }): void {
  Object.assign(state, changed);
  store.save();
  void graph.redraw();
}

function setTheme(name: typeof state.theme): void {
  state.theme = name;
  store.save();
  applyTheme();
}

/** Shows what another tracer makes of the function, or our own trace again. */
function ask(study: Shown): void {
  wished = { study, example: null, asking: study !== "" };
  showWished();
  clearTimeout(asked);
  asked = window.setTimeout(() => host.post({ type: "study", study }), REST_MILLISECONDS);
}

/** Whoever walks along the switch by its arrow keys does not ask for all that lies between. */
const REST_MILLISECONDS = 250;
let asked = 0;

function compare(against: Against, example: number | null): void {
  [state.against, state.other] = [against, example];
  store.save();
  host.post({ type: "compare", against, ...(example === null ? {} : { example }) });
}

function fileName(end: string): string {
  const name = [picture?.function ?? "graph", ...(picture?.study ? [picture.study.kind] : [])].join(".");
  return `${name.replace(/[^\w.-]+/g, "_").slice(0, 80)}.${end}`;
}

function exportSvg(): void {
  host.save(fileName("svg"), new Blob([svgText(graph.canvas)], { type: "image/svg+xml" }));
}

async function exportPng(): Promise<void> {
  try {
    host.save(fileName("png"), await png(graph.canvas));
  } catch (error) {
    tell(`The picture cannot be made: ${error instanceof Error ? error.message : String(error)}`, "failed");
  }
}

function exportAs(format: ExportFormat): void {
  host.post({ type: "export", format });
}

function copy(content: string): void {
  host.copy(content).then(
    () => tell("Copied to the clipboard.", "done"),
    (error: unknown) =>
      tell(`It cannot be copied: ${error instanceof Error ? error.message : String(error)}`, "failed"),
  );
}

function saveText(name: string, content: string): void {
  host.save(name, new Blob([content], { type: "text/plain;charset=utf-8" }));
}
