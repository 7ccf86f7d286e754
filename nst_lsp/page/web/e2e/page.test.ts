/** The page alone, told by a host of our own: what it shows, what it asks for, and that nothing gets past its policy. */

import assert from "node:assert/strict";
import { after, afterEach, before, test, type TestContext } from "node:test";

import type { Browser } from "playwright-core";

import type { Picture, ToHost } from "../src/protocol.ts";
import { READABLE } from "../src/opening.ts";
import { finding, flat, layered, node, picture } from "../test/pictures.ts";
import { eventually, launch, Tab } from "./browser.ts";
import { Host } from "./host.ts";

let browser: Browser;
let host: Host;
let tab: Tab;

before(async () => {
  browser = await launch();
});

after(async () => {
  await browser?.close();
});

afterEach(async (context) => {
  if (tab === undefined) return;
  await tab.screenshot((context as TestContext).name);
  await tab[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

async function open(shown: Picture, options: Parameters<typeof Tab.open>[2] = {}): Promise<void> {
  host = await Host.start();
  host.greet({ type: "graph", picture: shown });
  tab = await Tab.open(browser, host.address, options);
}

async function heard<T extends ToHost["type"]>(type: T): Promise<Extract<ToHost, { type: T }>> {
  const find = () =>
    host.heard.findLast((message) => message.type === type) as Extract<ToHost, { type: T }> | undefined;
  await eventually(() => assert.ok(find(), `no ${type} among ${JSON.stringify(host.heard)}`));
  return find()!;
}

const at = (line: number, column: number, end: number) => ({ source: 0, span: [line, column, line, end] as const });

const SOURCE = `def scale(x):
    total = x.sum()
    if total > 0:
        print(total)
    y = x * gain
    return y - total
`;

const CODE = `def scale(x):
    total = x.sum()
    y = x * 3.0
    z = y - total
    return z
`;

/** A small function with a guard, a lost effect, a hidden input and a witness. */
const SMALL = picture(
  [
    node("x", [], { shape: "float64[3]" }),
    node("total", ["x"], {
      operation: "numpy.ndarray.sum",
      code: "total = x.sum()",
      shape: "float64[]",
      place: at(2, 13, 20),
      line: 1,
    }),
    node("y", ["x"], { operation: "operator.mul", code: "y = x * 3.0", place: at(5, 9, 17), line: 2 }),
    node("z", ["y", "total"], { operation: "operator.sub", code: "z = y - total", place: at(6, 12, 21), line: 3 }),
  ],
  {
    function: "scale",
    title: "scale",
    functions: [
      { name: "scale", example: 0 },
      { name: "Layer.forward", example: 1 },
    ],
    examples: [
      { index: 0, source: "np.ones(3)" },
      { index: 1, source: "np.zeros(3)" },
    ],
    validFor: "total > 0",
    verdict: { kind: "differs", text: "a witness was found" },
    code: CODE,
    sources: [{ path: "model.py", label: "model.py: scale", first: 1, text: SOURCE }],
    guards: [{ text: "total > 0", place: at(3, 5, 18) }],
    findings: [
      finding({
        text: "total > 0",
        place: at(3, 8, 17),
        witness: { arguments: { x: "np.array([-1.])" }, function: "array([1.])", graph: "array([-2.])" },
      }),
      finding({
        code: "NST301",
        name: "output-while-tracing",
        severity: "information",
        message: "print ran while tracing",
        text: "print(total)",
        value: null,
        place: at(4, 9, 21),
      }),
      finding({
        code: "NST205",
        name: "captured-value",
        severity: "warning",
        message: "the hidden input `gain` is baked in",
        text: "gain",
        value: "3.0",
        place: at(5, 13, 17),
      }),
    ],
  },
);

// ---- what is shown -----------------------------------------------------------------------------------

test("a graph is drawn with what is known of it", async () => {
  await open(SMALL);
  await heard("ready");
  assert.deepEqual(await tab.titles(), ["x", "total", "total > 0", "print(total)", "y", "z", "return"]);
  assert.equal(await tab.box("total").locator(".tag").textContent(), "float64[]");
  assert.match(await tab.page.locator("#facts").innerText(), /differs[^]*3 operations[^]*valid for total > 0/);
  assert.equal(await tab.page.title(), "scale · nst graph");
  assert.equal(await tab.page.locator(".edges > g").count(), 5);
});

test("before there is a graph, the page says what goes on", async () => {
  host = await Host.start();
  host.greet({ type: "status", text: "tracing model.py …" });
  tab = await Tab.open(browser, host.address, {}, false);
  await tab.page.locator("#graph .empty", { hasText: "tracing model.py …" }).waitFor();
  host.say({ type: "graph", picture: SMALL });
  await tab.drawn();
  assert.equal(await tab.page.locator("#graph .empty").count(), 0);
});

test("kinds of boxes differ in shape, not only in colour", async () => {
  await open(
    picture([...SMALL.nodes, node("c", [], { operation: "constant", code: "c = 2" })], {
      guards: SMALL.guards,
      findings: SMALL.findings,
    }),
  );
  const outline = (title: string) =>
    tab
      .box(title)
      .locator(".card")
      .first()
      .evaluate(
        (card) =>
          `${card.tagName} ${card.getAttribute("rx")} ${card.getAttribute("d")?.replace(/[\d. ]/g, "")} ${getComputedStyle(card).strokeDasharray}`,
      );
  const outlines = await Promise.all(["x", "total", "c", "total > 0", "print(total)"].map(outline));
  assert.equal(new Set(outlines).size, outlines.length, outlines.join("; "));
  assert.equal(await tab.box("z").locator(".ring").count(), 1);
});

test("findings are marked on their boxes and listed with their witness", async () => {
  await open(SMALL);
  for (const title of ["total > 0", "print(total)", "y"])
    assert.equal(await tab.box(title).locator(".badge.finding").count(), 1, title);
  const rows = await tab.page.locator(".witness tr").allInnerTexts();
  assert.deepEqual(
    rows.map((row) => row.replace(/\s+/g, " ")),
    ["x np.array([-1.])", "function gives array([1.])", "graph gives array([-2.])"],
  );
  assert.match(await tab.page.locator("#details").innerText(), /Guards\s*1[^]*total > 0/);
});

// ---- linked panes ------------------------------------------------------------------------------------

test("a click on a node shows its place in the editor, and its code in all panes", async () => {
  await open(SMALL);
  await tab.box("y").click();
  assert.deepEqual((await heard("reveal")).place, at(5, 9, 17));
  assert.equal(await tab.lit("source", "selected"), "x * gain");
  assert.equal(await tab.lit("code", "selected"), "y = x * 3.0");
  assert.match(await tab.page.locator(".node-details").innerText(), /y = x \* 3\.0[^]*float64\[3\][^]*operator\.mul/);
  await tab.page.keyboard.press("Escape");
  assert.equal(await tab.page.locator(".box.selected").count(), 0);
});

test("what is pointed at in one pane lights up in the others", async () => {
  await open(SMALL);
  await tab.page.locator("#source [data-segment]", { hasText: "sum" }).first().hover();
  await eventually(async () =>
    assert.deepEqual(await tab.page.locator(".box.hovered .name").allTextContents(), ["total"]),
  );
  assert.equal(await tab.lit("code", "hovered"), "total = x.sum()");
  await tab.box("z").hover();
  await eventually(async () => assert.equal(await tab.lit("source", "hovered"), "y - total"));
});

test("the editor's cursor lights up its nodes, and takes neither selection nor focus", async () => {
  await open(SMALL);
  await tab.box("y").click();
  await tab.page.getByRole("combobox", { name: "Search" }).focus();
  host.say({ type: "cursor", nodes: ["total"] });
  await tab.page.locator(".box.cursor").waitFor();
  assert.deepEqual(await tab.page.locator(".box.cursor .name").allTextContents(), ["total"]);
  assert.equal(await tab.lit("source", "cursor"), "x.sum()");
  assert.deepEqual(await tab.page.locator(".box.selected .name").allTextContents(), ["y"]);
  assert.equal(await tab.page.evaluate(() => document.activeElement?.tagName), "INPUT");
});

test("the cursor's node is brought into view", async () => {
  await open(layered(8));
  await tab.page.locator(".canvas").hover();
  await tab.page.mouse.wheel(0, 30_000);
  host.say({ type: "cursor", nodes: ["tokens"] });
  await eventually(async () => {
    const [canvas, box] = [(await tab.page.locator(".canvas").boundingBox())!, await tab.corner(tab.box("tokens"))];
    assert.ok(box.y > canvas.y && box.y < canvas.y + canvas.height, `at ${box.y}`);
  });
});

test("a finding leads to its place, and a click on its underline to the finding", async () => {
  await open(SMALL);
  await tab.page.getByRole("button", { name: "warning: NST205" }).click();
  assert.deepEqual((await heard("reveal")).place, at(5, 13, 17));
  await tab.page.locator("#source .underlined.information").first().click();
  await tab.page.locator("article.finding.information.chosen").waitFor();
});

// ---- groups ------------------------------------------------------------------------------------------

test("calls open and close by click, and what was clicked stays where it is", async () => {
  await open(layered(3));
  const title = tab.frame("attention(h, weight)").locator(".title");
  const where = await tab.corner(tab.frame("attention(h, weight)"));
  await title.click();
  await tab.box("attention(h, weight)").waitFor();
  assert.deepEqual(
    (await tab.titles()).filter((name) => name === "scores_0"),
    [],
  );
  const closed = await tab.corner(tab.box("attention(h, weight)"));
  assert.ok(Math.abs(closed.x - where.x) < 12 && Math.abs(closed.y - where.y) < 12, JSON.stringify([where, closed]));
  await tab.box("attention(h, weight)").click();
  await tab.frame("attention(h, weight)").waitFor();
  assert.ok((await tab.titles()).includes("scores_0"));
});

test("a small picture stays in view as a whole when a group closes", async () => {
  const groups = [
    { kind: "call" as const, label: "a_function_with_a_long_name(x, and, more)", parent: null, place: null, path: "" },
  ];
  const nodes = [
    node("x"),
    node("y", ["x"]),
    node("inner", ["y"], { group: 0, code: "inner = np.a_very_long_call(y, axis=-1, keepdims=True)" }),
    node("other", ["x"], { group: 0 }),
    node("z", ["inner", "y"]),
  ];
  await open(picture(nodes, { groups }));
  await tab.frame("a_function_with_a_long_name(x, and, more)").locator(".title").click();
  await tab.page.locator(".box.call").waitFor();
  const canvas = (await tab.page.locator(".canvas").boundingBox())!;
  for (const title of ["x", "y", "z", "return"]) {
    const box = (await tab.box(title).boundingBox())!;
    assert.ok(box.x >= canvas.x - 8 && box.x + box.width <= canvas.x + canvas.width + 8, `${title} at ${box.x}`);
  }
});

test("alike iterations are folded, and can be opened", async () => {
  await open(layered(60));
  await tab.page.keyboard.press("f");
  await tab.box("59 more alike").click();
  await tab.frame("59 more alike").waitFor();
  await tab.page.locator(".boxes .name", { hasText: /^iteration 2$/ }).waitFor();
});

test("all groups are opened and closed at once; what is too much stays closed and is said", async () => {
  await open(layered(3));
  await tab.page.keyboard.press("c");
  await eventually(async () =>
    assert.deepEqual(await tab.titles(), ["tokens", "weight", "3 alike iterations", "logits", "return"]),
  );
  await tab.page.keyboard.press("e");
  await tab.box("scores_2").waitFor();
  host.say({ type: "graph", picture: flat(5_000) });
  await tab.page.locator(".box.chunk").first().waitFor();
  await tab.page.getByRole("button", { name: "Open all groups" }).click();
  await tab.page.getByText("some groups stay closed").waitFor();
});

test("the last of many quick choices is what is shown", async () => {
  await open(layered(40));
  for (let round = 0; round < 8; round++) await tab.page.keyboard.press(round % 2 === 0 ? "e" : "c");
  await eventually(async () =>
    assert.deepEqual(await tab.titles(), ["tokens", "weight", "40 alike iterations", "logits", "return"]),
  );
});

test("after a save the picture stays: what is selected and closed, and where it is", async () => {
  await open(layered(3));
  await tab.frame("mlp(h)").locator(".title").click();
  await tab.box("mlp(h)").waitFor();
  await tab.box("scores_0").click();
  const where = await tab.corner(tab.box("scores_0"));
  const before = layered(3);
  host.say({
    type: "graph",
    picture: { ...before, nodes: [...before.nodes, node("probability", ["logits"])], outputs: ["probability"] },
  });
  await tab.box("probability").waitFor();
  assert.deepEqual(await tab.page.locator(".box.selected .name").allTextContents(), ["scores_0"]);
  assert.equal(await tab.box("mlp(h)").count(), 1);
  const now = await tab.corner(tab.box("scores_0"));
  assert.ok(Math.abs(now.x - where.x) < 2 && Math.abs(now.y - where.y) < 2, JSON.stringify([where, now]));
});

test("a reload finds groups, panes and theme as they were", async () => {
  await open(layered(3));
  await tab.frame("mlp(h)").locator(".title").click();
  await tab.box("mlp(h)").waitFor();
  await tab.choose("View", "Source");
  await tab.choose("View", "Dark");
  await tab.page.reload();
  await tab.drawn();
  await tab.box("mlp(h)").waitFor();
  assert.ok(await tab.page.locator("#source").isHidden());
  assert.equal(await tab.page.locator("html").getAttribute("data-theme"), "dark");
});

// ---- finding things ----------------------------------------------------------------------------------

test("search finds nodes in closed groups and opens the way to them", async () => {
  await open(layered(60));
  await tab.page.keyboard.press("/");
  await tab.page.keyboard.type("scores_4");
  await eventually(async () => assert.match(await tab.page.locator(".hit-count").innerText(), /^\d+$/));
  await tab.page.keyboard.press("Enter");
  await tab.page.keyboard.press("Enter");
  assert.match(await tab.page.locator(".hit-count").innerText(), /^2 of /);
  await tab.page.keyboard.press("Shift+Enter");
  await tab.page.locator(".box.selected .name", { hasText: /^scores_4$/ }).waitFor();
  await tab.page.keyboard.press("Escape");
  assert.equal(await tab.page.locator(".box.matched").count(), 0);
});

test("the whole page can be used with the keyboard alone", async () => {
  await open(SMALL);
  const { keyboard } = tab.page;
  const focused = () =>
    tab.page.evaluate(() =>
      document.activeElement?.matches(".box")
        ? document.activeElement.querySelector(".name")?.textContent
        : document.activeElement?.getAttribute("aria-label"),
    );
  for (let presses = 0; (await focused()) !== "x"; presses++) {
    assert.ok(presses < 40, "the tab key does not lead to the graph");
    await keyboard.press("Tab");
  }
  await keyboard.press("ArrowDown");
  const first = await focused();
  assert.ok(first === "total" || first === "y");
  await keyboard.press("ArrowDown");
  assert.equal(await focused(), "z");
  await keyboard.press("Enter");
  assert.deepEqual((await heard("reveal")).place, at(6, 12, 21));
  await keyboard.press("Home");
  assert.equal(await focused(), "x");
  await keyboard.press("ArrowRight");
  assert.equal(await focused(), "total");
  await keyboard.press("ArrowUp");
  assert.equal(await focused(), "x");
  await keyboard.press("?");
  await tab.page.getByRole("dialog", { name: "Keys" }).waitFor();
  await keyboard.press("Escape");
  await keyboard.press("n");
  await tab.page.locator("article.finding.chosen").waitFor();
});

test("the keyboard opens and closes groups, and the focus stays on them", async () => {
  await open(layered(3));
  await tab.box("scores_0").focus();
  await tab.page.keyboard.press("Space");
  await tab.box("attention(h, weight)").waitFor();
  const expanded = () => tab.page.evaluate(() => document.activeElement?.getAttribute("aria-expanded"));
  await eventually(async () => assert.equal(await expanded(), "false"));
  await tab.page.keyboard.press("Space");
  await eventually(async () => assert.equal(await expanded(), "true"));
  await tab.page.keyboard.press("ArrowRight");
  assert.match(
    (await tab.page.evaluate(() => document.activeElement?.getAttribute("aria-label"))) ?? "",
    /^q_0, matmul/,
  );
});

test("lines of the source are walked and chosen with the keyboard", async () => {
  await open(SMALL);
  await tab.page.getByRole("listbox", { name: "Source" }).focus();
  for (let line = 0; line < 5; line++) await tab.page.keyboard.press("ArrowDown");
  await eventually(async () => assert.deepEqual(await tab.page.locator(".box.hovered .name").allTextContents(), ["y"]));
  await tab.page.keyboard.press("Enter");
  assert.deepEqual(await tab.page.locator(".box.selected .name").allTextContents(), ["y"]);
});

test("wheel, drag and keys move and zoom; everything fits", async () => {
  await open(layered(3));
  const zoom = () =>
    tab.page.locator(".canvas").evaluate((canvas) => Number(getComputedStyle(canvas).getPropertyValue("--zoom")));
  const before = await zoom();
  await tab.page.keyboard.press("+");
  assert.ok((await zoom()) > before);
  await tab.page.keyboard.press("0");
  assert.equal(await zoom(), 1);
  const start = await tab.corner(tab.box("tokens"));
  const canvas = (await tab.page.locator(".canvas").boundingBox())!;
  await tab.page.mouse.move(canvas.x + 20, canvas.y + 60);
  await tab.page.mouse.down();
  await tab.page.mouse.move(canvas.x + 60, canvas.y + 90, { steps: 4 });
  await tab.page.mouse.up();
  const dragged = await tab.corner(tab.box("tokens"));
  assert.ok(dragged.x > start.x + 30 && dragged.y > start.y + 20);
  await tab.page.mouse.wheel(0, 100);
  await eventually(async () => assert.ok((await tab.corner(tab.box("tokens"))).y < dragged.y - 90));
  await tab.page.keyboard.press("f");
  const picture = (await tab.page.locator(".world").boundingBox())!;
  assert.ok(picture.x >= canvas.x - 1 && picture.height <= canvas.height + 1);
});

// ---- what is asked of the host -----------------------------------------------------------------------

test("functions, examples and comparisons are chosen", async () => {
  await open(SMALL);
  await tab.page.getByRole("combobox", { name: "Function" }).selectOption("Layer.forward");
  assert.deepEqual(await heard("choose"), { type: "choose", function: "Layer.forward", example: 1 });
  assert.match(tab.page.url(), /function=Layer\.forward/);
  await tab.page.getByRole("combobox", { name: "Example" }).selectOption("1");
  await eventually(() => assert.deepEqual(host.heard.at(-1), { type: "choose", function: "scale", example: 1 }));
  await tab.page.getByRole("combobox", { name: "Compare" }).selectOption("save");
  assert.deepEqual(await heard("compare"), { type: "compare", against: "save" });
  await tab.page.getByRole("combobox", { name: "Compare" }).selectOption("example:1");
  await eventually(() => assert.deepEqual(host.heard.at(-1), { type: "compare", against: "example", example: 1 }));
});

test("a comparison marks what was added and changed, lists what was removed, and its reasons jump", async () => {
  const diff = {
    against: "the last save",
    summary: "1 operation added, 1 constant changed: `gain` 2.0 → 3.0",
    reasons: [{ text: "`gain` is 3.0 now", place: at(5, 13, 17) }],
    added: ["z"],
    changed: [{ name: "y", before: "y = x * 2.0", after: "y = x * 3.0" }],
    removed: [{ name: "w", code: "w = x + total", after: "total" }],
  };
  await open({ ...SMALL, diff });
  await tab.page.locator("#news .diff", { hasText: "1 operation added, 1 constant changed" }).waitFor();
  assert.equal(await tab.box("z").locator(".badge.change").textContent(), "+");
  assert.equal(await tab.box("y").locator(".badge.change").textContent(), "±");
  assert.match(await tab.page.locator("#details").innerText(), /Changes\s*3[^]*w = x \+ total/);
  await tab.page.locator("#news .link").click();
  assert.deepEqual((await heard("reveal")).place, at(5, 13, 17));
  host.say({ type: "graph", picture: SMALL });
  await tab.page.locator("#news .diff").waitFor({ state: "detached" });
});

test("the picture is exported as SVG that needs no style sheet, and as PNG", async () => {
  await open(SMALL);
  const vector = await tab.downloaded(() => tab.choose("Export", "SVG"));
  assert.equal(vector.name, "scale.svg");
  const text = vector.content.toString();
  assert.match(text, /<text[^>]*font-family=[^>]*>total<\/text>/);
  assert.doesNotMatch(text, / class=| style=|<script|foreignObject/);
  const raster = await tab.downloaded(() => tab.choose("Export", "PNG"));
  assert.equal(raster.content.subarray(1, 4).toString(), "PNG");
  assert.ok(raster.content.readUInt32BE(16) > 300, "the picture is wide");
});

test("other forms come from the host", async () => {
  await open(SMALL);
  const file = await tab.downloaded(async () => {
    await tab.choose("Export", "Mermaid");
    assert.deepEqual(await heard("export"), { type: "export", format: "mermaid" });
    host.say({ type: "exported", format: "mermaid", name: "scale-1.mmd", text: "flowchart TD\n" });
  });
  assert.deepEqual([file.name, file.content.toString()], ["scale-1.mmd", "flowchart TD\n"]);
});

test("status and failures are said, and a server that has gone", async () => {
  await open(SMALL);
  tab.allow(/ERR_|Failed to load/);
  host.say({ type: "status", text: "tracing scale" });
  await tab.page.locator("#status", { hasText: "tracing scale" }).waitFor();
  host.say({ type: "status", text: "" });
  await eventually(async () => assert.equal(await tab.page.locator("#status").textContent(), ""));
  host.say({ type: "failed", text: "there is no commit yet" });
  await tab.page.locator("#news .failed", { hasText: "there is no commit yet" }).waitFor();
  await host[Symbol.asyncDispose]();
  await tab.page.locator("#status", { hasText: "the server has gone" }).waitFor();
  assert.ok((await tab.titles()).includes("total"), "the picture stays");
});

// ---- looks -------------------------------------------------------------------------------------------

test("heat and cost are shown where they are asked for", async () => {
  await open(layered(3));
  assert.equal(await tab.box("q_0").locator(".cost").count(), 0);
  await tab.choose("View", "Heat by flop");
  await tab.box("q_0").locator(".cost", { hasText: "32 flop" }).waitFor();
  const share = async (title: string) => {
    const style = await tab.box(title).evaluate((box) => getComputedStyle(box).getPropertyValue("--share"));
    return Number.parseFloat(style);
  };
  assert.deepEqual([await share("q_0"), await share("mean_0"), await share("tokens")], [100, 50, 0]);
  await tab.choose("View", "Heat by flop");
  await tab.box("q_0").locator(".cost").waitFor({ state: "detached" });
});

test("panes close, come back, and are resized with the keyboard", async () => {
  await open(SMALL);
  await tab.page.getByRole("button", { name: "Close source" }).click();
  assert.ok(await tab.page.locator("#source").isHidden());
  await tab.page.keyboard.press("1");
  assert.ok(await tab.page.locator("#source").isVisible());
  const width = async () => (await tab.page.locator("#source").boundingBox())!.width;
  const before = await width();
  await tab.page.getByRole("separator", { name: "Width of the source" }).focus();
  await tab.page.keyboard.press("ArrowRight");
  assert.ok((await width()) > before);
});

for (const [name, options] of Object.entries({
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  contrast: { colorScheme: "dark", contrast: "more" },
  forced: { forcedColors: "active" },
} as const)) {
  test(`text can be read in ${name} colours`, async () => {
    await open(SMALL, options);
    await tab.box("y").click();
    const least = name === "contrast" ? 7 : 4.4;
    const poor = await tab.page.evaluate((least) => {
      const channels = (color: string) =>
        (color.match(/[\d.]+/g) ?? []).map(Number).map((value) => (color.startsWith("color(") ? value * 255 : value));
      const light = (color: number[]) => {
        const [r = 0, g = 0, b = 0] = color.map((value) =>
          value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const contrast = (one: string, other: string) => {
        const [a, b] = [light(channels(one)), light(channels(other))].sort((x, y) => y - x) as [number, number];
        return (a + 0.05) / (b + 0.05);
      };
      const found: string[] = [];
      for (const box of document.querySelectorAll(".boxes > g")) {
        const card = getComputedStyle(box.querySelector(".card")!).fill;
        for (const text of box.querySelectorAll<SVGElement>(".body > text")) {
          const ratio = contrast(getComputedStyle(text).fill, card);
          if (ratio < least) found.push(`${text.textContent} ${ratio.toFixed(2)}`);
        }
      }
      const ground = getComputedStyle(document.querySelector("#source")!).backgroundColor;
      for (const text of document.querySelectorAll("#source .text span:not(.selected)")) {
        const ratio = contrast(getComputedStyle(text).color, ground);
        if (text.textContent!.trim() !== "" && ratio < least) found.push(`${text.textContent} ${ratio.toFixed(2)}`);
      }
      return found;
    }, least);
    assert.deepEqual(poor, []);
  });
}

test("whoever wants no motion sees none, and others do", async () => {
  const moves = () => tab.page.evaluate(() => document.getAnimations().length);
  await open(layered(3));
  await tab.page.keyboard.press("c");
  await tab.box("3 alike iterations").waitFor();
  assert.equal(await moves(), 0);
  await tab.page.emulateMedia({ reducedMotion: "no-preference" });
  await tab.page.evaluate(() => {
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...given) {
      document.body.dataset["moved"] = "yes";
      return animate.apply(this, given);
    };
  });
  await tab.page.keyboard.press("e");
  await tab.page.locator("body[data-moved]").waitFor();
});

test("everything that can be used has a name for those who hear it", async () => {
  await open({
    ...SMALL,
    diff: { against: "the last save", summary: "", reasons: [], added: [], changed: [], removed: [] },
  });
  const nameless = await tab.page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        "button, select, input, [role=button], [role=separator], [tabindex='0']",
      ),
    ]
      .filter((each) => (each.getAttribute("aria-label") ?? each.textContent ?? "").trim() === "")
      .map((each) => each.outerHTML.slice(0, 80)),
  );
  assert.deepEqual(nameless, []);
  const label = await tab.box("y").getAttribute("aria-label");
  assert.equal(label, "y, mul: x * 3.0, float64[3], 1 finding, warning");
  await tab.page.getByRole("button", { name: "guard: total > 0" }).waitFor();
  for (const name of ["Source", "Graph", "Graph code", "Details"])
    await tab.page.getByRole("region", { name, exact: true }).waitFor();
});

// ---- hostile programs, large graphs ------------------------------------------------------------------

test("whatever a program is called, it is text", async () => {
  const evil = '<img src=x onerror="alert(1)">';
  const long = "y".repeat(10_000);
  const turned = "a\u202egnirts\u2066b";
  const lines = "one\ntwo\r\nthree";
  const groups = [{ kind: "call" as const, label: `${evil}</script>${lines}`, parent: null, place: null, path: "" }];
  const nodes = [
    node(evil, [], { shape: evil }),
    node(long, [evil], { group: 0, code: `${long} = ${evil}` }),
    node(turned, [long], { values: evil, sizes: evil }),
    node(lines, [turned], { operation: 'x"]; evil [label="' }),
    node('"; digraph {', [lines, "__proto__"]),
    node("__proto__", [lines]),
  ];
  const texts = { function: evil, title: evil, validFor: evil, code: `${evil}\n</script>\n`, outputs: [lines] };
  const found = finding({
    text: evil,
    message: `\`${evil}\` ${evil}`,
    value: evil,
    page: "javascript:alert(1)",
    nodes: [turned],
    witness: { arguments: { [evil]: evil, ["__proto__"]: "1" }, function: evil, graph: turned },
  });
  const diff = {
    against: evil,
    summary: evil,
    reasons: [{ text: evil, place: null }],
    added: [long],
    changed: [{ name: turned, before: evil, after: evil }],
    removed: [{ name: evil, code: evil, after: null }],
  };
  const sources = [
    { path: evil, label: evil, first: 1, text: `${evil}\n${turned}\n${"x".repeat(10_000)}\n` },
    { path: evil, label: lines, first: 1, text: "" },
  ];
  await open(
    picture(nodes, {
      ...texts,
      groups,
      findings: [found],
      guards: [{ text: evil, place: null }],
      sources,
      diff,
      examples: [
        { index: 0, source: evil },
        { index: 1, source: evil },
      ],
    }),
  );
  assert.equal(await tab.page.locator("img, script:not([src]), iframe, a[href^=javascript]").count(), 0);
  assert.ok((await tab.titles()).some((title) => title.startsWith("<img src=x")));
  assert.ok((await tab.titles()).includes("a\\u202egnirts\\u2066b"));
  assert.ok((await tab.titles()).includes("one ⏎ two ⏎ three"));
  await tab.box("one ⏎ two ⏎ three").click();
  await tab.page.keyboard.press("/");
  await tab.page.keyboard.type("<img");
  await tab.page.keyboard.press("Enter");
  await tab.page.keyboard.press("Escape");
  const exported = await tab.downloaded(() => tab.choose("Export", "SVG"));
  assert.doesNotMatch(exported.content.toString(), /<img|<script/);
  assert.ok(!/[\\/<>]/.test(exported.name), exported.name);
});

for (const [name, shown] of Object.entries({ "without groups": flat(20_000), "of alike iterations": layered(1_660) })) {
  test(`20,000 nodes ${name} open collapsed, and step by step`, async () => {
    await open(shown);
    const { length } = await tab.titles();
    assert.ok(length > 1 && length <= READABLE, `${length} boxes`);
    await tab.page.keyboard.press("/");
    await tab.page.keyboard.type(name === "without groups" ? "y_12345" : "scores_1234");
    await tab.page.keyboard.press("Enter");
    await tab.page
      .locator(".box.selected .name", { hasText: name === "without groups" ? /^y_12345$/ : /^scores_1234$/ })
      .waitFor();
    assert.ok((await tab.page.locator("#source .row, #code .row").count()) < 200, "listings show what is seen");
  });
}

test("a long source is drawn where it is looked at", async () => {
  const text = Array.from({ length: 50_000 }, (_, line) => `x_${line} = ${line}`).join("\n");
  await open({ ...SMALL, sources: [{ path: "long.py", label: "long.py", first: 1, text }], findings: [], guards: [] });
  await tab.page.getByRole("listbox", { name: "Source" }).focus();
  await tab.page.keyboard.press("End");
  await tab.page.locator("#source .row", { hasText: "x_49999 = 49999" }).waitFor();
  assert.ok((await tab.page.locator("#source .row").count()) < 200);
});
