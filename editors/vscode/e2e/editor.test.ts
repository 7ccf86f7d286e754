/** From opening a file to its squiggle, lens, hover and graph, in a real editor with the real server. */

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, afterEach, before, test, type TestContext } from "node:test";

import { Code, covers, eventually, processesOf, variable } from "./code.ts";

const SOURCE = `import numpy as np


# nst: example(np.ones(3))
def scale(x):
    if x.shape[0] > 2:
        return x * 2
    return x
`;

const EDITED = `import numpy as np


# nst: example(np.ones(3))
def scale(x):
    note = "🦊 é"; y = x / 2 if x.sum() > 0 else x
    return y - 1
`;

const TWO_EXAMPLES = `import numpy as np


# nst: example(np.ones(3), power=2)
# nst: example(np.ones(3), power=3)
def raised(x, *, power):
    y = x
    for _ in range(power - 1):
        y = y * x
    return y
`;

let workspace: string;
let code: Code;

before(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), "nst-workspace-"));
  await writeFile(path.join(workspace, "model.py"), SOURCE);
  // The server is found as most people have it: in the workspace's own environment.
  await symlink(path.dirname(path.dirname(variable("PYTHON"))), path.join(workspace, ".venv"));
  code = await Code.start({ name: "editor", workspace });
});

after(async () => {
  await code?.[Symbol.asyncDispose]();
  await eventually(async () => assert.deepEqual(await processesOf(workspace), [], "the server outlives the editor"));
  await rm(workspace, { recursive: true });
});

afterEach(async (context) => {
  await code.screenshot((context as TestContext).name);
});

/** Waits until just this code is underlined, and nothing else. */
async function onlyUnderlined(text: string): Promise<void> {
  await eventually(async () => {
    const [where, squiggles] = [await code.boxOf(text), await code.squiggles()];
    const seen = `${text} is at ${JSON.stringify(where)}, squiggles are at ${JSON.stringify(squiggles)}`;
    assert.ok(squiggles.length === 1 && covers(squiggles[0]!, where), seen);
  });
}

test("the condition that was decided while tracing is underlined, and nothing else", async () => {
  await code.open("model.py");
  await onlyUnderlined("x.shape[0] > 2");
});

test("the problem is listed with its rule", async () => {
  await code.run("Problems: Focus on Problems View");
  const row = code.page.locator(".markers-panel .monaco-list-row").filter({ hasText: "NST102" });
  await row.waitFor();
  assert.match(await row.innerText(), /\[Ln 6, Col 8\]/);
  await code.run("View: Toggle Panel Visibility");
});

test("the lens tells the size of the graph and what it is valid for", async () => {
  const lens = code.lenses().filter({ hasText: "graph:" });
  await lens.waitFor();
  assert.match(await lens.innerText(), /graph: 1 operation\b.*valid for x\.shape\[0\] > 2/);
});

test("the function's hover shows its graph", async () => {
  const hover = await code.hover("scale");
  assert.match(hover, /def scale\(x\):/);
  assert.match(hover, /= x \* /);
});

test("the condition's hover explains the finding", async () => {
  const hover = await code.hover("x.shape[0] > 2");
  assert.match(hover, /NST102/);
  assert.equal(hover.match(/True for the example/g)?.length, 1, hover); // the editor's own word of it
  assert.match(hover, /the graph gives/);
});

test("the lens opens the graph beside the code, as Python that cannot be changed", async () => {
  await code.page.mouse.move(0, 0);
  await code.lenses().locator("a", { hasText: "graph:" }).click();
  await code.tab("scale").waitFor();
  const graph = code.editor(1);
  await eventually(async () => assert.match(await code.text(graph), /def scale\(x\):[^]*= x \* /));

  await graph.locator(".view-line").first().click();
  await code.page.keyboard.type("typed");
  assert.doesNotMatch(await code.text(graph), /typed/);
  const language = code.page.locator(".statusbar-item#status\\.editor\\.mode");
  assert.equal((await language.innerText()).trim(), "Python");
});

test("the status item says that the server is ready", async () => {
  await code.editor().locator(".view-line").first().click();
  const status = code.page.locator("#status\\.languageStatus");
  await eventually(async () => {
    await code.page.mouse.move(0, 0);
    await status.hover();
    const hover = code.page.locator(".monaco-hover .hover-language-status").filter({ hasText: "nst-lsp" });
    await hover.waitFor({ timeout: 2_000 });
    assert.match(await hover.innerText(), /nst-lsp \d+\.\d+/);
  });
});

test("after an edit and a save, squiggle, lens and graph follow", async () => {
  await code.rewrite(EDITED);
  await onlyUnderlined("x.sum() > 0");
  await eventually(async () => {
    assert.equal(await readFile(path.join(workspace, "model.py"), "utf8"), EDITED);
    assert.match(await code.text(code.editor(1)), /= x \/ /);
    assert.match(await code.lenses().first().innerText(), /graph: 2 operations\b.*valid for x\.sum\(\) > 0/);
  });
});

test("a restarted server shows the same again", async () => {
  await code.run("nst: Restart Server");
  await eventually(async () => assert.deepEqual(await code.squiggles(), []));
  await onlyUnderlined("x.sum() > 0");
  await eventually(async () => assert.match(await code.text(code.editor(1)), /= x \/ /));
});

test("a server that crashed is started again", async () => {
  const before = await processesOf(path.join(workspace, ".venv", "bin", "nst-lsp"));
  assert.equal(before.length, 1);
  process.kill(before[0]!, "SIGKILL");
  await eventually(async () => {
    const now = await processesOf(path.join(workspace, ".venv", "bin", "nst-lsp"));
    assert.ok(now.length === 1 && now[0] !== before[0], `${before} was killed, there is ${now}`);
  });
  await onlyUnderlined("x.sum() > 0");
  await eventually(async () => assert.match(await code.text(code.editor(1)), /= x \/ /));
});

test("the logs name the server that was started, and why", async () => {
  await code.run("nst: Show Logs");
  await eventually(async () => assert.match(await code.output(), /Starting \S*\.venv\/bin\/nst-lsp \(/));
});

test("the report names versions and interpreters", async () => {
  await code.run("nst: Report Versions, Interpreters and Settings");
  await eventually(async () => assert.match(await code.output(), /\.venv\/bin\/python\b.*NumPy:? \d/));
  await code.run("View: Toggle Panel Visibility");
});

test("the lens of a function with two examples switches between them", async () => {
  await code.rewrite(TWO_EXAMPLES);
  await code.lenses().filter({ hasText: "graph: 1 operation" }).waitFor();
  await code.lenses().locator("a", { hasText: "example 1 of 2" }).click();
  await code.lenses().filter({ hasText: "example 2 of 2" }).waitFor();
  await code.lenses().filter({ hasText: "graph: 2 operations" }).waitFor();
});

test("the palette shows the graph of the function at the cursor", async () => {
  const { x, y } = await code.boxOf("return y");
  await code.page.mouse.click(x, y + 5);
  await code.run("nst: Show Graph of the Function at the Cursor");
  await code.tab("raised").waitFor();
  await eventually(async () => assert.match(await code.text(code.editor(1)), /def raised\(x.*\):[^]*\* x[^]*\* x/));
});

test("the palette asks PyTorch's tracers, and what stands in the way is said", async () => {
  await code.run("nst: Ask Dynamo About the Function at the Cursor");
  await code.message("whose tracers this is about").waitFor();
});
