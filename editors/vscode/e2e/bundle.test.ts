/** The built .vsix: what is in it, and that its server runs in each Python here that it is for. No editor is needed. */

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { variable } from "./code.ts";

const run = promisify(execFile);
const vsix = path.resolve(import.meta.dirname, "..", "nst-lsp.vsix");

let folder: string;
let files: string[];

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nst-bundle-"));
  const { stdout } = await run(variable("PYTHON"), ["-m", "zipfile", "--list", vsix], { maxBuffer: 1 << 26 });
  files = stdout.split("\n").map((line) => line.replace(/\s+\d{4}-\d\d-\d\d .*$/, ""));
  await run(variable("PYTHON"), ["-m", "zipfile", "--extract", vsix, folder]);
});

after(() => rm(folder, { recursive: true }));

test("it is for every machine: nothing in it was compiled, and NumPy is not there", () => {
  assert.ok(files.includes("extension/bundled/libs/nst_lsp/page/dist/index.html"));
  assert.deepEqual(
    files.filter((file) => /\.(pyc|so|pyd|dll|dylib|exe|node|a)$|__pycache__|\/numpy\//.test(file)),
    [],
  );
});

test("each package in it comes with its licence", () => {
  const packages = files.map((file) => /^extension\/bundled\/libs\/([^/]+\.dist-info)\//.exec(file)?.[1]);
  const unlicensed = [...new Set(packages)].filter(
    (name) => name !== undefined && !files.some((file) => file.includes(`/${name}/`) && /licen|copying/i.test(file)),
  );
  assert.ok(packages.length > 15);
  assert.deepEqual(unlicensed, []);
});

/** Runs in the Python that the server would run in, with what it would see: all that it may ever import. */
const IMPORT_ALL = `
import importlib, pkgutil, sys
libraries = sys.argv[1]
sys.path.insert(0, libraries)
import nst_lsp
others = "cli", "checking", "testing", "adopting", "console", "frames", "__main__", "history"
for module in pkgutil.walk_packages(nst_lsp.__path__, "nst_lsp."):
    if module.name.split(".")[1] not in others:
        importlib.import_module(module.name)
print(*{name.partition(".")[0] for name, module in sys.modules.items()
        if not (getattr(module, "__file__", None) or libraries).startswith((libraries, sys.base_prefix))})
`;

test("the server is all there for each Python from 3.11 on, and takes nothing from elsewhere", async () => {
  const programs = ["python3", ...Array.from({ length: 9 }, (_, index) => `python3.${index + 11}`)];
  const versions = new Set<number>();
  for (const python of [variable("PYTHON"), ...programs]) {
    const args = ["-I", "-S", "-c", IMPORT_ALL, path.join(folder, "extension", "bundled", "libs")];
    const version = await run(python, ["-V"]).catch(() => undefined); // what is not there, or is a shim of nothing
    const minor = Number(version?.stdout.split(".")[1] ?? 0);
    if (minor < 11 || versions.has(minor)) continue;
    versions.add(minor);
    assert.equal((await run(python, args)).stdout.trim(), "", `${python} took these from elsewhere`);
  }
  assert.ok(versions.size >= 1);
});

test("what it runs in, and what is installed there, is nothing to it", async () => {
  const server = path.join(folder, "extension", "bundled", "server.py");
  const child = spawn(variable("PYTHON"), ["-I", "-S", server], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, PYTHONPATH: "/nowhere", PYTHONHOME: "/nowhere" },
  });
  const parts = [
    { id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } },
    { method: "initialized", params: {} },
    { id: 2, method: "shutdown" },
    { method: "exit" },
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
  for (const part of parts) child.stdin.write(`Content-Length: ${part.length}\r\n\r\n${part}`);
  let said = "";
  for await (const chunk of child.stdout) said += chunk;
  assert.match(said, /"serverInfo":\s*\{"name":\s*"nst-lsp"/);
});
