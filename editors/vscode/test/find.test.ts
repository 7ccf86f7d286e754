import assert from "node:assert/strict";
import { test } from "vitest";

import { expand, findServer, interpreterPath, type Circumstances, type Found, type Look } from "../src/find.ts";

const HERE: Circumstances = {
  configured: "",
  interpreters: [],
  folders: ["/work space/a", "/b"],
  bundle: "/extension/server.py",
  environment: { PATH: "/usr/bin:bin:.:/opt/bin" },
  home: "/home/ada",
  windows: false,
  trusted: true,
};

interface Disk {
  readonly programs?: string[];
  /** Interpreters that have the server. */
  readonly equipped?: string[];
  /** Interpreters that can run it. */
  readonly recent?: string[];
  readonly links?: Record<string, string>;
}

function having({ programs = [], equipped = [], recent = [], links = {} }: Disk): Look {
  return {
    isProgram: async (file) => [...programs, ...recent].includes(file),
    hasServer: async (python) => equipped.includes(python),
    isRecent: async (python) => recent.includes(python),
    real: async (file) => links[file] ?? file,
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

const CARRIED = ["-I", "-S", "/extension/server.py"];

test("the setting wins over everything else", async () => {
  const look = having({ programs: ["/x/nst-lsp", "/b/.venv/bin/nst-lsp"], equipped: ["/py"], recent: ["/py"] });
  assert.equal((await found({ configured: "/x/nst-lsp", interpreters: ["/py"] }, look)).command, "/x/nst-lsp");
});

test("a setting that leads nowhere is said, and nothing else is started instead", async () => {
  const look = having({ programs: ["/usr/bin/nst-lsp"], recent: ["/usr/bin/python"] });
  const result = await findServer({ ...HERE, configured: "/gone/nst-lsp" }, look);
  assert.deepEqual(result, { configured: "/gone/nst-lsp", looked: ["/gone/nst-lsp"] });
});

test("the first chosen interpreter that has the server is taken, and kept from importing out of the workspace", async () => {
  const look = having({ programs: ["/work space/a/.venv/bin/nst-lsp"], equipped: ["/py"], recent: ["/plain", "/py"] });
  const server = await found({ interpreters: ["/plain", "/py"] }, look);
  assert.deepEqual([server.command, ...server.args], ["/py", "-P", "-m", "nst_lsp", "server"]);
});

test("environments of the workspace that have the server come next, in the order of the folders", async () => {
  const programs = ["/usr/bin/nst-lsp", "/b/.venv/bin/nst-lsp", "/work space/a/venv/bin/nst-lsp"];
  const look = having({ programs, recent: ["/py", "/usr/bin/python3"] });
  assert.equal((await found({ interpreters: ["/py"] }, look)).command, "/work space/a/venv/bin/nst-lsp");
});

test("the extension's own server is run by the first Python that can, the user's before those of the PATH", async () => {
  const order = [
    "/py",
    "/work space/a/.venv/bin/python",
    "/b/venv/bin/python",
    "/opt/bin/python3",
    "/usr/bin/python3.14",
  ];
  for (let index = 0; index < order.length; index++) {
    const look = having({ programs: ["/opt/bin/nst-lsp", "/usr/bin/python3"], recent: order.slice(index) });
    const server = await found({ interpreters: ["/old", "/py"] }, look);
    assert.deepEqual([server.command, ...server.args], [order[index], ...CARRIED]);
  }
});

test("without such a Python an installed server on the PATH is the last resort; relative entries are not followed", async () => {
  assert.equal((await found({}, having({ programs: ["/opt/bin/nst-lsp"] }))).command, "/opt/bin/nst-lsp");
  await looked({}, having({ programs: ["bin/nst-lsp", "./nst-lsp", "nst-lsp"], recent: ["bin/python3"] }));
});

test("an untrusted workspace starts nothing of its own", async () => {
  const own = ["/work space/a/.venv/bin/python", "/b/venv/bin/python"];
  const restricted = {
    trusted: false,
    interpreters: ["/b/py"],
    environment: { PATH: "/b/.venv/bin:/linked/bin:/tools:/opt/bin:/b.d/bin" },
  };
  const look = having({
    programs: ["/b/.venv/bin/nst-lsp"],
    equipped: ["/b/py"],
    recent: [...own, "/b/py", "/b/.venv/bin/python", "/linked/bin/python", "/tools/python", "/opt/bin/python3"],
    links: { "/linked/bin": "/b/bin", "/tools/python": "/real/b/x", "/b": "/real/b" },
  });
  const server = await found(restricted, look);
  assert.deepEqual([server.command, ...server.args], ["/opt/bin/python3", ...CARRIED]);
  assert.equal((await found(restricted, having({ recent: ["/b.d/bin/python"] }))).command, "/b.d/bin/python");
});

test("what was looked for is told when nothing is there", async () => {
  assert.deepEqual(await looked({ interpreters: ["/py"], folders: ["/b"] }, having({})), [
    "/py -m nst_lsp",
    "/b/.venv/bin/nst-lsp",
    "/b/venv/bin/nst-lsp",
    "/py, if it is Python 3.11 or newer",
    "/b/.venv/bin/python, if it is Python 3.11 or newer",
    "/b/venv/bin/python, if it is Python 3.11 or newer",
    "Python 3.11 or newer on the PATH",
    "nst-lsp on the PATH",
  ]);
});

test("Windows has its own names", async () => {
  const windows = { windows: true, folders: ["C:\\a"], environment: { Path: "C:\\bin;D:\\tools" } };
  const cases: [Disk, string][] = [
    [{ programs: ["C:\\a\\.venv\\Scripts\\nst-lsp.exe"] }, "C:\\a\\.venv\\Scripts\\nst-lsp.exe"],
    [{ programs: ["D:\\tools\\nst-lsp.exe"] }, "D:\\tools\\nst-lsp.exe"],
    [{ recent: ["D:\\tools\\python.exe"] }, "D:\\tools\\python.exe"],
  ];
  for (const [disk, command] of cases) assert.equal((await found(windows, having(disk))).command, command);
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
