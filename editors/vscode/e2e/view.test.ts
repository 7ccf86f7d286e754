/** The graph view: beside the code in a real editor, following it, and leading back into it. */

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, afterEach, before, beforeEach, test, type TestContext } from "node:test";

import type { FrameLocator, Locator } from "playwright-core";

import { Code, eventually, processesOf, variable } from "./code.ts";

const SOURCE = `import numpy as np

gain = 3.0


def normalise(h):
    return h / h.sum()


# nst: example(np.ones(3))
# nst: example(np.ones((2, 2)))
def scale(x):
    y = x * gain
    if y.sum() > 0:
        y = y + 1
    return normalise(y)


# nst: example(np.ones(3))
def shift(x):
    z = x - 1
    return z
`;

/** One loop of so many iterations of two operations. */
const LARGE = `import numpy as np


# nst: example(np.ones(3))
def long(x):
    for _ in range(9999):
        x = x * 1.5
        x = x - 0.5
    return x


# nst: example(np.ones(3))
def short(x):
    return x + 1
`;

let workspace: string;
let code: Code;

before(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), "nst-workspace-"));
  await writeFile(path.join(workspace, "model.py"), SOURCE);
  await writeFile(path.join(workspace, "large.py"), LARGE);
  await symlink(path.dirname(path.dirname(variable("PYTHON"))), path.join(workspace, ".venv"));
  code = await Code.start({ name: "view", workspace, size: { width: 1600, height: 900 } });
  await code.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  code.page.on("console", (message) => {
    if (/Content Security Policy/.test(message.text()) && message.location().url.includes("fake.html"))
      forbidden.push(message.text());
  });
});

after(async () => {
  await code?.[Symbol.asyncDispose]();
  await rm(workspace, { recursive: true });
  assert.deepEqual(forbidden, []);
});

/** What the page's policy forbade it. */
const forbidden: string[] = [];
let failed = "";

beforeEach(() => assert.equal(failed, "", "a step before failed; those that follow go on from it"));

afterEach(async (context) => {
  const { name, passed } = context as TestContext & { passed: boolean };
  if (failed === "" && !passed) failed = name;
  if (failed === "" || failed === name) await code.screenshot(name);
});

/** What is in the webview that is shown; `nth` where several are. */
function view(nth = 0): FrameLocator {
  return code.page.locator("iframe.webview.ready").nth(nth).contentFrame().frameLocator("#active-frame");
}

/** A node or a closed group. */
function box(title: string, nth = 0): Locator {
  return view(nth)
    .locator(".boxes > g")
    .filter({ has: view(nth).locator(".name", { hasText: exactly(title) }) });
}

/** An open group. */
function frame(title: string): Locator {
  return view()
    .locator(".frames > g")
    .filter({ has: view().locator(".name", { hasText: exactly(title) }) });
}

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\d?$`);
}

async function choose(menu: string, entry: string): Promise<void> {
  await view().getByRole("button", { name: menu, exact: true }).click();
  await view()
    .locator(".menu:popover-open button")
    .filter({ hasText: new RegExp(`^✓?${entry}\\d?$`) })
    .click();
}

async function putCursor(text: string): Promise<void> {
  const { x, y, width, height } = await eventually(() => code.boxOf(text));
  await code.page.mouse.click(x + width / 2, y + height / 2);
}

/** Waits until just this code is selected in the editor. */
async function selected(text: string): Promise<void> {
  await eventually(async () => {
    const [where, selection] = [await code.boxOf(text), await code.editor().locator(".selected-text").boundingBox()];
    assert.ok(selection !== null, "nothing is selected");
    const close = (a: number, b: number) => Math.abs(a - b) <= 2;
    const seen = `${text} is at ${JSON.stringify(where)}, the selection at ${JSON.stringify(selection)}`;
    assert.ok(close(where.x, selection.x) && close(where.y, selection.y) && close(where.width, selection.width), seen);
  });
}

async function activeTab(): Promise<string> {
  const title = await code.page.locator(".editor-group-container.active .tab.active").innerText();
  return title.replaceAll("\n", "");
}

test("the button in the editor's title opens the graph beside the code, which keeps the focus", async () => {
  await code.open("model.py");
  await putCursor("def scale");
  await code.page.getByRole("button", { name: "Open Graph View" }).click();
  await code.tab("Graph: scale").waitFor();
  await box("gain").or(box("y")).first().waitFor();
  await frame("normalise(y)").waitFor();
  assert.match(await activeTab(), /model\.py/);
  await code.screenshot("light");
});

test("a click on a node selects its source, among the code, and the keys stay in the graph", async () => {
  await view().getByRole("button", { name: "Fit" }).click();
  await box("truediv").click();
  await selected("h / h.sum()");
  assert.match(await activeTab(), /Graph: scale/);
  await code.page.keyboard.press("ArrowLeft");
  await code.page.keyboard.press("Enter");
  await selected("h.sum()");
  await box("truediv").waitFor();
});

test("the nodes of the expression at the cursor are lit", async () => {
  await putCursor("x * gain");
  await view().locator(".boxes > g.cursor .name", { hasText: "y" }).first().waitFor();
  await putCursor("h.sum()");
  await view().locator(".boxes > g.cursor .name", { hasText: "sum" }).first().waitFor();
  assert.match(await activeTab(), /model\.py/);
});

test("the view follows the cursor into another function, unless it is pinned", async () => {
  await putCursor("x - 1");
  await code.tab("Graph: shift").waitFor();
  await box("z").waitFor();

  await code.tab("Graph: shift").click();
  await code.page.getByRole("button", { name: "Keep Showing This Function" }).click();
  await code.tab("Graph: shift (pinned)").waitFor();
  await putCursor("x * gain");
  await code.page.getByRole("button", { name: "Open Graph View" }).click();
  await code.tab("Graph: scale").waitFor();
  await code.tab("Graph: shift (pinned)").waitFor();
});

test("a view that is not pinned any more shows what the cursor is in", async () => {
  await code.tab("Graph: scale").hover();
  await code.tab("Graph: scale").getByRole("button", { name: "Close" }).click();
  await code.tab("Graph: shift (pinned)").waitFor();
  await code.tab("Graph: shift (pinned)").click();
  await code.page.getByRole("button", { name: "Follow the Cursor" }).click();
  await code.tab("Graph: scale").waitFor();
  await frame("normalise(y)").waitFor();
});

test("calls open and close, and what is searched for is found in them", async () => {
  await frame("normalise(y)").locator(".title").click();
  await box("normalise(y)").waitFor();
  await view().locator(".search input").fill("truediv");
  await code.page.keyboard.press("Enter");
  await frame("normalise(y)").waitFor();
  await view().locator(".boxes > g.selected .name", { hasText: "truediv" }).waitFor();
});

test("findings are listed with their witnesses, and lead to their places", async () => {
  const finding = view().locator("article.finding", { hasText: "NST101" });
  await finding.locator("table.witness", { hasText: "graph gives" }).waitFor();
  await finding.locator("button.row").click();
  await selected("y.sum() > 0");
});

test("a save is followed, and compared with the save before and with another example", async () => {
  await view().getByRole("combobox", { name: "Compare" }).selectOption("save");
  await code.rewrite(SOURCE.replace("gain = 3.0", "gain = 4.0").replace("z = x - 1", "z = x - 2"));
  await code.lenses().filter({ hasText: "x * 4.0" }).waitFor();
  await putCursor("x * gain"); // writing led elsewhere
  await view().locator(".boxes > g.changed").first().waitFor();
  await view().locator("#news .diff", { hasText: "3.0 → 4.0" }).waitFor();
  await code.screenshot("compared");

  await view().getByRole("combobox", { name: "Compare" }).selectOption("example:1");
  await view().locator("#news .diff", { hasText: "example 2" }).waitFor();
  await view().getByRole("combobox", { name: "Compare" }).selectOption("");
  await view().getByRole("combobox", { name: "Example" }).selectOption("1");
  await code.lenses().filter({ hasText: "example 2 of 2" }).waitFor();
  await view().getByRole("combobox", { name: "Example" }).selectOption("0");
  await code.lenses().filter({ hasText: "example 1 of 2" }).waitFor();
});

test("a graph is saved where one says, and copied", async () => {
  for (const [entry, name, content] of [
    ["DOT", "scale-1.dot", /^digraph/],
    ["SVG", "scale.svg", /^<\?xml[^]*<text/],
  ] as const) {
    await choose("Export", entry);
    const ok = code.page.locator(".quick-input-widget").getByRole("button", { name: "OK" });
    await ok.waitFor();
    await eventually(async () => {
      await ok.click({ timeout: 1_000 }).catch(() => undefined);
      assert.match(await readFile(path.join(workspace, name), "utf8"), content);
    });
    await ok.waitFor({ state: "hidden" });
  }
  await choose("Export", "Copy Mermaid");
  await eventually(async () =>
    assert.match(await code.page.evaluate(() => navigator.clipboard.readText()), /^(graph|flowchart) /),
  );
});

test("the colours are the editor's, and change with them", async () => {
  const painted = (element: Locator) => element.evaluate((each) => getComputedStyle(each).backgroundColor);
  const seen = new Set<string>();
  for (const [theme, kind, contrast] of [
    ["Dark Modern", "dark", ""],
    ["Dark High Contrast", "dark", "more"],
    ["Light High Contrast", "light", "more"],
    ["Light Modern", "light", ""],
  ] as const) {
    await code.run("Preferences: Color Theme");
    const row = code.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: new RegExp(`^${theme}`) });
    await code.page.locator(".quick-input-widget input.input").fill(theme);
    await row.first().click();
    await view().locator(`html[data-theme="${kind}"][data-contrast="${contrast}"]`).waitFor();
    await eventually(async () => assert.equal(await painted(view().locator("body")), await painted(code.editor())));
    seen.add(await painted(view().locator("body")));
    await code.screenshot(theme);
  }
  assert.equal(seen.size, 3, [...seen].join());
});

test("after a reload of the window the view is as it was", async () => {
  await frame("normalise(y)").locator(".title").click();
  await box("normalise(y)").waitFor();
  await choose("View", "Details");
  await view().locator("#details").waitFor({ state: "hidden" });
  const loaded = code.page.waitForEvent("load");
  await code.run("Developer: Reload Window");
  await loaded;
  await code.tab("Graph: scale").waitFor();
  await box("normalise(y)").waitFor();
  assert.equal(await view().locator("#details").isVisible(), false);
});

test("the view waits for a server that has gone, and goes on with the next", async () => {
  await code.lenses().first().waitFor();
  const program = path.join(workspace, ".venv", "bin", "nst-lsp");
  const [server] = await processesOf(program);
  process.kill(server!, "SIGKILL");
  await eventually(async () => {
    const [next] = await processesOf(program);
    assert.ok(next !== undefined && next !== server);
  });
  await code.rewrite(SOURCE.replace("gain = 3.0", "gain = 5.0"));
  await code.lenses().filter({ hasText: "x * 5.0" }).waitFor();
  await putCursor("x * gain");
  await view().locator(".boxes .code", { hasText: "x * 5.0" }).waitFor();
  await eventually(async () => assert.equal(await view().locator("#status").innerText(), ""));
});

test("a graph of 20,000 nodes opens closed", async (context) => {
  await putCursor("x * gain");
  await code.open("large.py");
  await code.lenses().filter({ hasText: "graph: 19998 operations" }).waitFor();
  await putCursor("def short");
  await code.tab("Graph: short").waitFor();
  await box("add").waitFor();
  const began = Date.now();
  await putCursor("def long");
  await frame("9,999 alike iterations").waitFor();
  context.diagnostic(`${Date.now() - began} ms from the click in the code to the picture of the graph`);
  assert.ok((await view().locator(".boxes > g").count()) < 10);
});
