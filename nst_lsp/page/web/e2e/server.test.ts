/** The page with the real server: an editor's click, cursor and save on the one side, the page's on the other. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import type { Browser } from "playwright-core";

import { eventually, launch, Tab, variable } from "./browser.ts";
import { Editor, Opened } from "./server.ts";

const SOURCE = `import numpy as np

gain = 3.0


def normalise(h):
    return h / h.sum()


# nst: example(np.ones(3))
# nst: example(np.ones((2, 2)))
def scale(x):
    y = x * gain
    if y.sum() > 0:
        print(y)
    return normalise(y)
`;

let browser: Browser;
let folder: string;

before(async () => {
  browser = await launch();
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "nst-page-")));
});

after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true });
});

test("page and editor follow each other: click, cursor, save, example, comparison", async () => {
  await using editor = await Editor.start(folder);
  await editor.open("model.py", SOURCE);
  await using tab = await Tab.open(browser, await editor.page("model.py", "scale"));

  // Calls are groups; the guard and the lost print are there.
  await tab.frame("normalise(y)").waitFor();
  await tab.page.locator(".box.guard").waitFor();
  assert.equal(
    await tab
      .box("print(y)")
      .getAttribute("class")
      .then((names) => names?.includes("effect")),
    true,
  );

  // A click shows the place in the editor.
  await tab.box("y").click();
  await eventually(() => assert.equal(editor.shown.at(-1)?.uri, editor.uri("model.py")));
  assert.deepEqual(editor.shown.at(-1)?.selection?.start, { line: 12, character: 8 });
  assert.equal(await tab.lit("source", "selected"), "x * gain");

  // The editor's cursor is seen in the page.
  await editor.execute("nst.cursor", { uri: editor.uri("model.py"), position: { line: 6, character: 15 } });
  await tab.page.locator(".box.cursor").first().waitFor();
  assert.match(await tab.lit("source", "cursor"), /h\.sum\(\)/);
  await tab.screenshot("server-cursor");

  // What was found is listed with a page of its rule.
  await tab.page.locator("article.finding a", { hasText: "NST205" }).waitFor();

  // A save: the picture follows, and what changed is said.
  await tab.page.getByRole("combobox", { name: "Compare" }).selectOption("save");
  await editor.save(
    "model.py",
    SOURCE.replace("gain = 3.0", "gain = 4.0").replace("return normalise(y)", "return normalise(y) + 1"),
  );
  await tab.page.locator(".box.added").waitFor();
  await tab.page.locator("#news .diff", { hasText: "3.0 → 4.0" }).waitFor();
  await tab.frame("normalise(y)").waitFor();
  await tab.screenshot("server-diff");

  // Another example.
  await tab.page.getByRole("combobox", { name: "Compare" }).selectOption("");
  await tab.page.getByRole("combobox", { name: "Example" }).selectOption("1");
  await tab.box("y").locator(".tag", { hasText: "float64[2, 2]" }).waitFor();

  // The graph in other forms.
  const file = await tab.downloaded(() => tab.choose("Export", "DOT"));
  assert.match(file.content.toString(), /^digraph/);
});

test("one file has all of the page, and needs no server", async () => {
  await writeFile(path.join(folder, "alone.py"), SOURCE);
  const made = spawnSync(
    variable("PYTHON"),
    ["-m", "nst_lsp", "graph", "alone.py::scale", "--format", "html", "-o", "alone.html"],
    { cwd: folder, encoding: "utf8" },
  );
  assert.equal(made.status, 0, made.stderr);
  await using tab = await Tab.open(browser, pathToFileURL(path.join(folder, "alone.html")).href);
  await tab.frame("normalise(y)").locator(".title").click();
  await tab.box("normalise(y)").waitFor();
  await tab.box("y").click();
  assert.equal(await tab.lit("source", "selected"), "x * gain");
  const vector = await tab.downloaded(() => tab.choose("Export", "SVG"));
  assert.match(vector.content.toString(), /<text[^>]*>y<\/text>/);
  assert.equal(await tab.page.getByRole("combobox", { name: "Compare" }).count(), 0);
});

test("nst graph --open shows the page and follows the file", async () => {
  const file = path.join(folder, "followed.py");
  await writeFile(file, SOURCE);
  await using opened = await Opened.start("followed.py::scale", folder);
  await using tab = await Tab.open(browser, opened.address);
  await tab.box("y").waitFor();
  await writeFile(file, SOURCE.replace("y = x * gain", "y = np.exp(x) * gain"));
  await tab.page.locator(".box .code", { hasText: "np.exp(x)" }).waitFor();
});
