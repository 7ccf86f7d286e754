/** What is known beside the picture: the selected node, what changed, findings with their witnesses, guards, cost. */

import { button, html, type Child } from "./elements.ts";
import { code, message } from "./prose.ts";
import { moduleAround, moduleOf, moduleText } from "./modules.ts";
import type { Amount, Finding, Group, Picture, PictureNode, Place, Primitive, Witness } from "./protocol.ts";
import { told } from "./told.ts";
import { bytes, grouped, operations, plural, visible } from "./text.ts";

export interface DetailsListener {
  /** Something that speaks of nodes and a place was chosen. */
  choose(nodes: readonly string[], place: Place | null): void;
}

export class Details {
  private readonly pane: HTMLElement;
  private readonly listener: DetailsListener;
  private readonly node = html("div", { class: "node-details" });
  private readonly lists = html("div", { class: "lists" });
  private picture: Picture | null = null;

  constructor(pane: HTMLElement, listener: DetailsListener) {
    this.pane = pane;
    this.listener = listener;
    pane.append(
      html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Details" }, this.node, this.lists),
    );
  }

  show(picture: Picture): void {
    const open = new Map([...this.lists.querySelectorAll("details")].map((each) => [each.dataset["name"], each.open]));
    this.picture = picture;
    this.lists.replaceChildren(...this.sections(picture));
    for (const each of this.lists.querySelectorAll("details")) each.open = open.get(each.dataset["name"]) ?? each.open;
  }

  /** The one node that is selected, or none. */
  select(names: ReadonlySet<string>): void {
    const [name] = names;
    const node = names.size === 1 ? this.picture?.nodes.find((each) => each.name === name) : undefined;
    const module = names.size > 1 && this.picture !== null ? moduleAround(this.picture, names) : null;
    const several =
      names.size > 1
        ? [
            html("h2", {}, plural(names.size, "node")),
            ...(module === null ? [] : [html("p", {}, this.module(module, [...names]))]),
            html(
              "p",
              { class: "muted" },
              [...names].slice(0, 12).map(visible).join(", ") + (names.size > 12 ? ", …" : ""),
            ),
          ]
        : [];
    this.node.replaceChildren(...(node === undefined ? several : this.nodeDetails(node)));
  }

  /** Opens a finding and brings it into view. */
  finding(index: number): void {
    const element = this.lists.querySelector<HTMLElement>(`[data-finding="${index}"]`);
    if (element === null) return;
    this.pane.querySelectorAll(".finding.chosen").forEach((each) => each.classList.remove("chosen"));
    element.classList.add("chosen");
    const around = element.closest("details");
    if (around !== null) around.open = true;
    element.scrollIntoView({ block: "nearest" });
  }

  private nodeDetails(node: PictureNode): HTMLElement[] {
    const { cost, becomes } = node;
    const module = this.picture === null ? null : moduleOf(this.picture, node.group);
    const rows: [string, Child][] = [
      ["result", code(node.shape)],
      ...(node.sizes === null ? [] : [["sizes", code(node.sizes)] as [string, Child]]),
      ...(node.values === null ? [] : [["values", code(node.values)] as [string, Child]]),
      ["operation", code(node.operation)],
      ...(module === null ? [] : [["module", this.module(module, [node.name])] as [string, Child]]),
      ...(becomes.length === 0 ? [] : [["becomes", operationsOf(becomes)] as [string, Child]]),
      ...(node.inputs.length === 0 ? [] : [["inputs", this.links(node.inputs)] as [string, Child]]),
      ...(cost === null
        ? []
        : ([
            ["flop", amount(cost.operations, operations)],
            ["reads", amount(cost.read, bytes)],
            ["writes", amount(cost.written, bytes)],
            ["live", bytes(cost.live)],
          ] as [string, Child][])),
    ];
    return [
      html("h2", {}, code(node.name)),
      html("pre", { class: "line" }, visible(node.code)),
      html("dl", {}, ...rows.flatMap(([term, value]) => [html("dt", {}, term), html("dd", {}, value)])),
    ];
  }

  /** A module in words, which leads to its call. */
  private module(module: Group, nodes: readonly string[]): Child {
    return button({ class: "link" }, () => this.listener.choose(nodes, module.place), code(moduleText(module)));
  }

  private links(names: readonly string[]): Child {
    const buttons = names.flatMap((name, index) => [
      ...(index > 0 ? [", "] : []),
      button({ class: "link" }, () => this.listener.choose([name], null), code(name)),
    ]);
    return html("span", {}, ...buttons);
  }

  private sections(picture: Picture): HTMLElement[] {
    const { diff, findings, guards } = picture;
    return [
      ...(diff === null
        ? []
        : [section("Changes", diff.added.length + diff.changed.length + diff.removed.length, this.changes(picture))]),
      ...told(picture, (nodes, place) => this.listener.choose(nodes, place)).map(({ name, count, children }) =>
        section(name, count, children),
      ),
      section(
        "Findings",
        findings.length,
        findings.length === 0
          ? [nothing("nothing was found")]
          : first(findings, (each, index) => this.findingItem(each, index)),
      ),
      section("Guards", guards.length, guards.length === 0 ? [nothing("none")] : [this.guards(picture)]),
      ...(picture.cost === null ? [] : [section("Cost", null, [this.cost(picture)])]),
    ];
  }

  private changes({ diff, nodes }: Picture): Child[] {
    if (diff === null) return [];
    const byName = new Map(nodes.map((node) => [node.name, node]));
    const row = (sign: string, kind: string, target: string | null, ...texts: Child[]) =>
      html(
        "li",
        { class: `change ${kind}` },
        button(
          { class: "row" },
          () => this.listener.choose(target === null ? [] : [target], byName.get(target ?? "")?.place ?? null),
          html("span", { class: "sign" }, sign),
          html("span", { class: "what" }, ...texts),
        ),
      );
    return [
      html(
        "p",
        { class: "muted" },
        diff.summary === "" ? `Nothing changed against ${diff.against}.` : `Against ${visible(diff.against)}:`,
        ...message(` ${diff.summary}`),
      ),
      html(
        "ul",
        { class: "rows" },
        ...first(diff.reasons, (reason) =>
          html(
            "li",
            { class: "change reason" },
            button(
              { class: "row" },
              () => this.listener.choose([], reason.place),
              html("span", { class: "sign" }, "↳"),
              html("span", { class: "what" }, ...message(reason.text)),
            ),
          ),
        ),
        ...first(diff.added, (name) => row("+", "added", name, code(byName.get(name)?.code ?? name))),
        ...first(diff.changed, (each) =>
          row("±", "changed", each.name, html("del", {}, code(each.before)), html("br"), code(each.after)),
        ),
        ...first(diff.removed, (each) => row("−", "removed", each.after, html("del", {}, code(each.code)))),
      ),
    ];
  }

  private findingItem(finding: Finding, index: number): HTMLElement {
    const { code: rule, name, severity, message: text, count, place, nodes, witness, value, page } = finding;
    const head = button(
      { class: "row", "aria-label": `${severity}: ${rule} ${name}, ${visible(finding.text)}` },
      () => this.listener.choose(nodes, place),
      html(
        "span",
        { class: `sign ${severity}`, "aria-hidden": "true" },
        severity === "information" ? "i" : severity === "hint" ? "·" : "!",
      ),
      html(
        "span",
        { class: "what" },
        code(finding.text),
        value !== null && html("span", { class: "value" }, " = ", code(value)),
        count > 1 && html("span", { class: "muted" }, ` ${grouped(count)} times`),
      ),
    );
    return html(
      "article",
      { class: `finding ${severity}`, "data-finding": index },
      head,
      html("p", { class: "said" }, ...message(text)),
      html(
        "p",
        { class: "rule" },
        page !== null && /^(https?:|rules\/)/.test(page)
          ? html("a", { href: page, target: "_blank", rel: "noreferrer" }, rule)
          : rule,
        ` ${name}`,
      ),
      witness !== null && witnessTable(witness),
    );
  }

  private guards({ guards }: Picture): HTMLElement {
    return html(
      "ul",
      { class: "rows" },
      ...first(guards, ({ text, place }) =>
        html(
          "li",
          { class: "guard" },
          button(
            { class: "row" },
            () => this.listener.choose([], place),
            html("span", { class: "sign", "aria-hidden": "true" }, "◇"),
            html("span", { class: "what" }, code(text)),
          ),
        ),
      ),
    );
  }

  private cost({ cost }: Picture): HTMLElement {
    if (cost === null) return html("dl");
    const rows: [string, Child][] = [
      ["flop", amount(cost.operations, operations)],
      ["reads", amount(cost.read, bytes)],
      ["writes", amount(cost.written, bytes)],
      [
        "peak",
        html("span", {}, bytes(cost.peak), ...(cost.peak_at === "" ? [] : [" at ", this.links([cost.peak_at])])),
      ],
      ...(cost.unknown === 0 ? [] : [["unknown", plural(cost.unknown, "operation")] as [string, Child]]),
    ];
    return html("dl", {}, ...rows.flatMap(([term, value]) => [html("dt", {}, term), html("dd", {}, value)]));
  }
}

function section(name: string, count: number | null, children: readonly Child[]): HTMLElement {
  const title = html(
    "summary",
    {},
    html("h2", {}, name),
    count !== null && html("span", { class: "count" }, grouped(count)),
  );
  return html("details", { open: true, class: "section", "data-name": name }, title, ...children);
}

/** What a node becomes, one operation a line. */
function operationsOf(becomes: readonly Primitive[]): HTMLElement {
  const row = ({ code: text, shape }: Primitive) =>
    html("li", {}, code(text.replace("torch.ops.", "")), shape !== "" && html("span", { class: "muted" }, ` ${shape}`));
  return html("ol", { class: "becomes" }, ...first(becomes, row));
}

function witnessTable(witness: Witness): HTMLElement {
  const row = (kind: string, name: string, value: string) =>
    html("tr", { class: kind }, html("th", { scope: "row" }, visible(name)), html("td", {}, code(value)));
  return html(
    "table",
    { class: "witness" },
    html("caption", {}, "Witness: for these arguments the function and the graph differ"),
    html(
      "tbody",
      {},
      ...Object.entries(witness.arguments).map(([name, value]) => row("argument", name, value)),
      row("gives", "function gives", witness.function),
      row("gives", "graph gives", witness.graph),
    ),
  );
}

function amount({ number, words }: Amount, format: (count: number) => string): HTMLElement {
  return html(
    "span",
    {},
    format(number),
    words !== null && words !== String(number) && html("span", { class: "muted" }, " = ", code(words)),
  );
}

/** Longer lists nobody reads. */
const MOST_ROWS = 200;

function first<T>(values: readonly T[], row: (value: T, index: number) => HTMLElement): HTMLElement[] {
  const rows = values.slice(0, MOST_ROWS).map(row);
  return values.length <= MOST_ROWS ? rows : [...rows, nothing(`and ${grouped(values.length - MOST_ROWS)} more`)];
}

function nothing(text: string): HTMLElement {
  return html("p", { class: "muted" }, text);
}
