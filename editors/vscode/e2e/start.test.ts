/** How the server is found and started, by which interpreter the user's code is run, and what is said where neither is. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { Code, covers, eventually, processesOf, variable } from "./code.ts";

const run = promisify(execFile);
const mocks = path.join(import.meta.dirname, "mocks");
const ENVIRONMENTS = path.join(mocks, "ms-python.vscode-python-envs-1.0.0");
const PYTHON = path.join(mocks, "ms-python.python-1.0.0");

const PLAIN = `def double(x):
    return x * 2
`;
const EXAMPLE = `import numpy as np


# nst: example(np.ones(3))
${PLAIN}`;
/** Sees nothing of ours, and traces otherwise in an environment that is called "other". */
const MODEL = `import importlib.util
import sys

import numpy as np

ours = [name for name in ("nst_lsp", "pygls", "jedi", "attrs") if importlib.util.find_spec(name)]
assert not ours, ours
size = 1 if sys.prefix.endswith("other") else 3


# nst: example(np.ones(size))
def scale(x):
    if x.shape[0] > 2:
        return x * 2
    return x
`;

let workspace: string;
const program = path.join(path.dirname(variable("PYTHON")), "nst-lsp");

before(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), "nst-workspace-"));
  await writeFile(path.join(workspace, "plain.py"), PLAIN);
  await writeFile(path.join(workspace, "example.py"), EXAMPLE);
  await writeFile(path.join(workspace, "model.py"), MODEL);
});

after(() => rm(workspace, { recursive: true }));

/** An interpreter that has NumPy and nothing else. */
async function withNumPyOnly(name: string): Promise<string> {
  const folder = path.join(workspace, name);
  await run(variable("PYTHON"), ["-m", "venv", "--without-pip", folder]);
  const python = path.join(folder, "bin", "python");
  const where = "import sysconfig; print(sysconfig.get_path('purelib'))";
  const [from, to] = await Promise.all(
    [variable("PYTHON"), python].map(async (one) => (await run(one, ["-c", where])).stdout.trim()),
  );
  for (const entry of (await readdir(from!)).filter((entry) => /^numpy\b/.test(entry))) {
    await symlink(path.join(from!, entry), path.join(to!, entry));
  }
  return python;
}

describe("an interpreter with nothing but NumPy", () => {
  let code: Code;
  let own: string;
  let other: string;

  before(async () => {
    [own, other] = await Promise.all([withNumPyOnly(".venv"), withNumPyOnly("other")]);
    code = await Code.start({ name: "numpy-only", workspace, extensions: [ENVIRONMENTS, PYTHON] });
  });
  after(async () => {
    await code?.[Symbol.asyncDispose]();
    await Promise.all([".venv", "other"].map((name) => rm(path.join(workspace, name), { recursive: true })));
  });

  test("without an example no process is started", async () => {
    await code.open("plain.py");
    assert.match(await code.status(), /not started: there is no example yet/);
    assert.deepEqual(await processesOf(workspace, "server.py"), []);
  });

  test("the server that the extension carries shows the finding", async () => {
    await code.open("model.py");
    await underlined();
    await code.lenses().filter({ hasText: "valid for x.shape[0] > 2" }).waitFor();
    const status = await code.status();
    assert.match(status, /nst-lsp \d[^]*ready/);
    assert.match(status, /Python 3\.\d+\.\d+ \(\.venv\)/);
    assert.equal((await processesOf(`${own}\0-I\0-S\0`, "server.py")).length, 1);
    assert.equal((await processesOf(own, "bootstrap.py")).length, 1);
  });

  test("a worker that is killed is replaced when it is needed", async () => {
    const [worker] = await processesOf(own, "bootstrap.py");
    process.kill(worker!, "SIGKILL");
    await code.message("the worker ended unexpectedly").waitFor();
    await code.rewrite(MODEL.replace("x * 2", "x * 3 - 1"));
    await code.lenses().filter({ hasText: "graph: 2 operations" }).waitFor();
    assert.notDeepEqual(await processesOf(own, "bootstrap.py"), [worker]);
    await code.rewrite(MODEL);
    await code.lenses().filter({ hasText: "graph: 1 operation" }).waitFor();
  });

  test("results and status follow the interpreter that is chosen in a Python extension", async () => {
    await code.configureMachine({ "standIn.python": other });
    await code.lenses().filter({ hasText: "valid for x.shape[0] <= 2" }).waitFor();
    await eventually(async () => assert.match(await code.status(), /\(other\)/));
    await code.screenshot("other");

    // The newer extension has the first word; the setting has it before both.
    await code.configureMachine({ "standIn.python": other, "standIn.environment": own });
    await code.lenses().filter({ hasText: "valid for x.shape[0] > 2" }).waitFor();
    await code.configureMachine({ "standIn.python": own, "standIn.environment": own, "nst.python": other });
    await code.lenses().filter({ hasText: "valid for x.shape[0] <= 2" }).waitFor();
  });

  async function underlined(): Promise<void> {
    await eventually(async () => {
      const [where, squiggles] = [await code.boxOf("x.shape[0] > 2"), await code.squiggles()];
      assert.ok(squiggles.length === 1 && covers(squiggles[0]!, where), JSON.stringify([where, squiggles]));
    });
  }
});

test("a wrong nst.path is named, mending it is enough, and what is no language server is named, too", async () => {
  await using code = await Code.start({
    name: "wrong-path",
    workspace,
    machineSettings: { "nst.path": "/nowhere/nst-lsp", "nst.python": variable("PYTHON") },
  });
  await code.open("example.py");
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
  await code.lenses().filter({ hasText: "graph: 1 operation" }).waitFor();

  await code.configureMachine({ "nst.path": "/bin/false" });
  await code.message("nst-lsp could not be started: /bin/false").waitFor();
  assert.equal(await code.page.locator(".notification-toast").count(), 1);
});

test("without a Python that can run the server the way out is said, by the commands, too", async () => {
  const programs = path.join(workspace, "programs");
  await mkdir(programs);
  for (const name of ["sh", "env", "uname"]) await symlink(`/bin/${name}`, path.join(programs, name));
  await using code = await Code.start({ name: "no-python", workspace, environment: { PATH: programs } });
  await code.open("example.py");
  assert.match(await code.message("Python 3.11 or newer").innerText(), /choose such an interpreter, or set nst\.path/);
  await code.run("nst: Report Versions, Interpreters and Settings");
  const answer = code.message("nst-lsp is not running");
  await code.screenshot("told");
  await answer.getByRole("button", { name: "Show Logs" }).click();
  await eventually(async () => {
    assert.ok((await code.output()).includes(path.join(workspace, ".venv", "bin", "python")), await code.output());
  });
});

test("nothing of the workspace is run in restricted mode, and all once it is trusted", async () => {
  const own = await withNumPyOnly(".venv");
  await using code = await Code.start({
    name: "trust",
    workspace,
    userSettings: { "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" },
    extensions: [PYTHON],
    environment: { PATH: `${path.dirname(own)}:${process.env["PATH"]}` },
  });
  await code.open("model.py");
  await code.lenses().locator("a", { hasText: "not run until" }).click();
  await code.message("not trusted").waitFor();
  assert.equal(await code.lenses().filter({ hasText: "graph:" }).count(), 0);
  assert.match(await code.status(), /nothing is run/);
  assert.deepEqual(await processesOf(own), []);
  await code.screenshot("restricted");

  await code.run("Workspaces: Manage Workspace Trust");
  await code.page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true }).click();
  await code.lenses().filter({ hasText: "graph: 1 operation" }).waitFor();
  assert.equal((await processesOf(own, "bootstrap.py")).length, 1);
});
