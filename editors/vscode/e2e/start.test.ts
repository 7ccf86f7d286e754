/** How the server is found and started, and what is said where it is not. */

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";

import { Code, eventually, variable } from "./code.ts";

const SOURCE = `import numpy as np


# nst: example(np.ones(3))
def double(x):
    return x * 2
`;

const python = variable("PYTHON");
const program = path.join(path.dirname(python), "nst-lsp");
let workspace: string;

before(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), "nst-workspace-"));
  await writeFile(path.join(workspace, "model.py"), SOURCE);
});

after(() => rm(workspace, { recursive: true }));

test("a wrong nst.path is named, and mending the setting is enough", async () => {
  await using code = await Code.start({
    name: "wrong-path",
    workspace,
    machineSettings: { "nst.path": "/nowhere/nst-lsp" },
  });
  await code.open("model.py");
  const message = code.message("nst.path");
  assert.match(
    await message.innerText(),
    /The setting nst\.path says \/nowhere\/nst-lsp, and there is no such program/,
  );
  await code.screenshot("told");

  await message.getByRole("button", { name: "Set nst.path" }).click();
  const setting = code.page
    .locator(".settings-editor .setting-item-contents")
    .filter({ hasText: "Path of the nst-lsp program" });
  await setting.locator("input").fill(program);
  await eventually(async () => assert.ok((await code.machineSettings()).includes(program)));
  await code.page.keyboard.press("Escape");
  await code.lenses().filter({ hasText: "graph: 1 op" }).waitFor();
});

test("a program that is no language server is named, once", async () => {
  await using code = await Code.start({
    name: "no-language-server",
    workspace,
    machineSettings: { "nst.path": "/bin/false" },
  });
  await code.open("model.py");
  await code.message("nst-lsp could not be started: /bin/false").waitFor();
  assert.equal(await code.page.locator(".notification-toast").count(), 1);
});

test("without a server the commands say so, and where it was looked for is in the logs", async () => {
  await using code = await Code.start({ name: "no-server", workspace });
  await code.open("model.py");
  assert.match(await code.message("was not found").innerText(), /pip install nst-lsp/);
  await code.run("nst: Show Graph of the Function at the Cursor");
  const answer = code.message("nst-lsp is not running");
  await code.screenshot("told");
  await answer.getByRole("button", { name: "Show Logs" }).click();
  await eventually(async () => {
    assert.ok((await code.output()).includes(path.join(workspace, ".venv", "bin", "nst-lsp")), await code.output());
  });
});

test("the interpreter for the user's code brings its own server", async () => {
  await using code = await Code.start({ name: "interpreter", workspace, machineSettings: { "nst.python": python } });
  await code.open("model.py");
  await code.lenses().filter({ hasText: "graph: 1 op" }).waitFor();
  await code.run("nst: Show Logs");
  await eventually(async () => assert.ok((await code.output()).includes(`Starting ${python} -P -m nst_lsp`)));
});

test("nothing is run in restricted mode, and everything once the workspace is trusted", async () => {
  await using code = await Code.start({
    name: "trust",
    workspace,
    userSettings: { "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" },
    machineSettings: { "nst.path": program },
  });
  await code.open("model.py");
  await code.lenses().locator("a", { hasText: "trace" }).click();
  await code.message("not trusted").waitFor();
  assert.equal(await code.lenses().filter({ hasText: "graph:" }).count(), 0);
  await code.screenshot("restricted");

  await code.run("Workspaces: Manage Workspace Trust");
  await code.page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true }).click();
  await code.lenses().filter({ hasText: "graph: 1 op" }).waitFor();
});
