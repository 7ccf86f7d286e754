/**
 * What PyTorch's tracers say of a function: Dynamo is offered above it, told there, and shown beside the code; the
 * backward is a link of its hover, and a graph of the view.
 *
 * Runs where there is an environment with PyTorch (`make test-torch` makes it).
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { test } from "node:test";

import { Code, eventually } from "./code.ts";

const TORCH = path.resolve(import.meta.dirname, "../../../.venv-torch");
const SOURCE = `import torch


# nst: example(torch.ones(3))
def step(x):
    y = x * 2
    print("hello")
    return y.tanh()
`;

test("Dynamo is asked by a click, and its answer stays", { skip: !existsSync(TORCH) }, async () => {
  const workspace = await mkdtemp(path.join(tmpdir(), "nst-workspace-"));
  await writeFile(path.join(workspace, "model.py"), SOURCE);
  await symlink(TORCH, path.join(workspace, ".venv"));
  try {
    await using code = await Code.start({ name: "studies", workspace, userSettings: { "nst.timeout": 60 } });
    await code.open("model.py");
    await code.lenses().locator("a", { hasText: "ask Dynamo" }).click();
    await code.lenses().filter({ hasText: "Dynamo: 2 graphs, 1 break" }).waitFor();
    await code.tab("step.dynamo").waitFor();
    await eventually(async () =>
      assert.match(await code.text(code.editor(1)), /^# step, example 0: 2 graphs, 1 break/),
    );
    await code.screenshot("answer");
    await code.rewrite(SOURCE.replace('    print("hello")\n', ""));
    const ofTheSave = /^graph: 2 operations\s*\|\s*Dynamo: .* \(stale\)$/; // a click on what is being drawn anew is lost
    await code.lenses().filter({ hasText: ofTheSave }).waitFor();
    await code.lenses().locator("a", { hasText: "Dynamo: 2 graphs" }).click();
    await code.lenses().filter({ hasText: "Dynamo: 1 graph, 0 breaks" }).waitFor();
    await eventually(async () =>
      assert.match(await code.text(code.editor(1)), /^# step, example 0: 1 graph, 0 breaks/),
    );

    // The function's hover leads to the graphs of forward and backward, in the graph view.
    await code.hover("step");
    await code.page.locator(".monaco-hover:visible").getByRole("link", { name: "backward", exact: true }).click();
    const view = code.page.locator("iframe.webview.ready").contentFrame().frameLocator("#active-frame");
    await view.locator(".boxes .box.backward .name", { hasText: "tanh_backward" }).waitFor();
    assert.ok(await view.getByRole("radio", { name: "Backward" }).isChecked());
    await code.screenshot("backward");
    await view.getByRole("radio", { name: "Trace" }).check();
    await view.locator(".boxes .code", { hasText: "x * 2" }).waitFor();
  } finally {
    await rm(workspace, { recursive: true });
  }
});
