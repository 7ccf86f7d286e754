/** What a real editor draws of hints and of code that was left out, and what it lists of files that are not open. */

import assert from "node:assert/strict";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, afterEach, before, test, type TestContext } from "node:test";

import { Code, eventually, variable } from "./code.ts";

const SOURCE = `import numpy as np
from helper import scaled


# nst: example(np.ones(3, np.float32))
def f(x):
    y = scaled(x) * np.float64(2)
    if x.shape[0] > 2:
        return y
    return np.negative(y)
`;
const HELPER = `gain = 2.0


def scaled(x):
    return x * gain
`;

let workspace: string;
let code: Code;

before(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), "nst-workspace-"));
  await writeFile(path.join(workspace, "model.py"), SOURCE);
  await writeFile(path.join(workspace, "helper.py"), HELPER);
  await symlink(path.dirname(path.dirname(variable("PYTHON"))), path.join(workspace, ".venv"));
  code = await Code.start({ name: "shown", workspace, userSettings: { "nst.inlayHints": true } });
});

after(async () => {
  await code?.[Symbol.asyncDispose]();
  await rm(workspace, { recursive: true });
});

afterEach(async (context) => {
  await code.screenshot((context as TestContext).name);
});

async function lines(): Promise<string[]> {
  const found = await code.editor().locator(".view-line").allInnerTexts();
  return found.map((line) => line.replaceAll("\u00a0", " ").trimEnd());
}

test("dtypes and shapes are drawn between the code", async () => {
  await code.open("model.py");
  await eventually(async () => {
    const drawn = await lines();
    assert.ok(drawn.includes("def f(x: float32[3]):"), drawn.join("\n"));
    assert.ok(drawn.includes("    y: float64[3] = scaled(x) * np.float64(2)float32 → float64"), drawn.join("\n"));
  });
});

test("what follows the early return fades", async () => {
  const faded = code.editor().locator(".squiggly-inline-unnecessary");
  await eventually(async () => {
    const text = (await faded.allInnerTexts()).join("").replaceAll("\u00a0", " ");
    assert.equal(text, "return np.negative(y)");
  });
});

test("a finding in a file that is not open is listed", async () => {
  await code.run("Problems: Focus on Problems View");
  const row = code.page.locator(".markers-panel .monaco-list-row");
  await row.filter({ hasText: "helper.py" }).first().waitFor();
  await row.filter({ hasText: "NST205" }).first().waitFor();
});
