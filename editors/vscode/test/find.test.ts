import assert from "node:assert/strict";
import { test } from "vitest";

import { expand, findServer, interpreterPath, type Circumstances, type Found, type Look } from "../src/find.ts";

const HERE: Circumstances = {
  configured: "",
  interpreter: undefined,
  folders: ["/work space/a", "/b"],
  environment: { PATH: "/usr/bin:bin:.:/opt/bin" },
  home: "/home/ada",
  windows: false,
  trusted: true,
};

/** A disk that has these programs, and interpreters that have the server. */
function having(programs: string[], interpreters: string[] = []): Look {
  return {
    isProgram: async (file) => programs.includes(file),
    hasServer: async (python) => interpreters.includes(python),
  };
}

async function found(where: Partial<Circumstances>, look: Look): Promise<Found> {
  const result = await findServer({ ...HERE, ...where }, look);
  assert.ok("command" in result, JSON.stringify(result));
  return result;
}

async function looked(where: Partial<Circumstances>, look: Look): Promise<readonly string[]> {
  const result = await findServer({ ...HERE, ...where }, look);
  assert.ok("looked" in result, JSON.stringify(result));
  return result.looked;
}

test("the setting wins over everything else", async () => {
  const look = having(["/x/nst-lsp", "/b/.venv/bin/nst-lsp", "/usr/bin/nst-lsp"], ["/py"]);
  assert.equal((await found({ configured: "/x/nst-lsp", interpreter: "/py" }, look)).command, "/x/nst-lsp");
});

test("a setting that leads nowhere is said, and nothing else is started instead", async () => {
  const result = await findServer({ ...HERE, configured: "/gone/nst-lsp" }, having(["/usr/bin/nst-lsp"]));
  assert.deepEqual(result, { configured: "/gone/nst-lsp", looked: ["/gone/nst-lsp"] });
});

test("the chosen interpreter comes before .venv, and is kept from importing out of the workspace", async () => {
  const look = having(["/work space/a/.venv/bin/nst-lsp"], ["/py"]);
  const server = await found({ interpreter: "/py" }, look);
  assert.deepEqual([server.command, ...server.args], ["/py", "-P", "-m", "nst_lsp", "server"]);
});

test("an interpreter without the server is passed over", async () => {
  const look = having(["/b/venv/bin/nst-lsp"], []);
  assert.equal((await found({ interpreter: "/py" }, look)).command, "/b/venv/bin/nst-lsp");
});

test("environments of the workspace come before the PATH, in the order of the folders", async () => {
  const look = having(["/usr/bin/nst-lsp", "/b/.venv/bin/nst-lsp", "/work space/a/venv/bin/nst-lsp"]);
  assert.equal((await found({}, look)).command, "/work space/a/venv/bin/nst-lsp");
});

test("the PATH is the last resort, and its relative entries are not followed", async () => {
  assert.equal((await found({}, having(["/opt/bin/nst-lsp"]))).command, "/opt/bin/nst-lsp");
  await looked({}, having(["bin/nst-lsp", "./nst-lsp", "nst-lsp"]));
});

test("an untrusted workspace starts nothing of its own", async () => {
  const look = having(["/b/.venv/bin/nst-lsp", "/opt/bin/nst-lsp"], ["/py"]);
  const server = await found({ trusted: false, interpreter: "/py" }, look);
  assert.equal(server.command, "/opt/bin/nst-lsp");
});

test("what was looked for is told when nothing is there", async () => {
  assert.deepEqual(await looked({ interpreter: "/py", folders: ["/b"] }, having([])), [
    "/py -m nst_lsp",
    "/b/.venv/bin/nst-lsp",
    "/b/venv/bin/nst-lsp",
    "nst-lsp on the PATH",
  ]);
});

test("Windows has its own names", async () => {
  const windows = { windows: true, folders: ["C:\\a"], environment: { Path: "C:\\bin;D:\\tools" } };
  const own = await found(windows, having(["C:\\a\\.venv\\Scripts\\nst-lsp.exe"]));
  assert.equal(own.command, "C:\\a\\.venv\\Scripts\\nst-lsp.exe");
  assert.equal((await found(windows, having(["D:\\tools\\nst-lsp.exe"]))).command, "D:\\tools\\nst-lsp.exe");
});

test("paths as people write them", () => {
  assert.deepEqual(expand("~/bin/nst-lsp", HERE), ["/home/ada/bin/nst-lsp"]);
  assert.deepEqual(expand("/a~b/nst-lsp", HERE), ["/a~b/nst-lsp"]);
  assert.deepEqual(expand("${workspaceFolder}/x", HERE), ["/work space/a/x", "/b/x"]);
  assert.deepEqual(expand("tools/nst-lsp", HERE), ["/work space/a/tools/nst-lsp", "/b/tools/nst-lsp"]);
  assert.deepEqual(expand("${workspaceFolder}/x", { ...HERE, folders: ["/$&/$1"] }), ["/$&/$1/x"]);
});

test("an interpreter may be a bare name", () => {
  assert.equal(interpreterPath("python3.12", HERE), "python3.12");
  assert.equal(interpreterPath("~/py/bin/python", HERE), "/home/ada/py/bin/python");
  assert.equal(interpreterPath(".venv/bin/python", HERE), "/work space/a/.venv/bin/python");
  assert.equal(
    interpreterPath("${workspaceFolder}/bin/python", { ...HERE, folders: [] }),
    "${workspaceFolder}/bin/python",
  );
});
