import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, test } from "vitest";

import { disk, ELSEWHERE } from "../src/look.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nst-look-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function script(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  await chmod(file, 0o755);
  return file;
}

test("a program is a file that can be run", async () => {
  await mkdir(path.join(folder, "directory"));
  await writeFile(path.join(folder, "text"), "");
  assert.equal(await disk.isProgram(await script("program", "#!/bin/sh\n")), true);
  assert.equal(await disk.isProgram(path.join(folder, "directory")), false);
  assert.equal(await disk.isProgram(path.join(folder, "text")), false);
  assert.equal(await disk.isProgram(path.join(folder, "absent")), false);
});

test("an interpreter has the server if it can import it", async () => {
  const library = path.join(folder, "library");
  await mkdir(path.join(library, "nst_lsp"), { recursive: true });
  await writeFile(path.join(library, "nst_lsp", "__init__.py"), "");
  const plain = await script("plain", '#!/bin/sh\nunset PYTHONPATH\nexec python3 -S "$@"\n');
  const equipped = await script("equipped", `#!/bin/sh\nPYTHONPATH='${library}' exec python3 "$@"\n`);
  assert.equal(await disk.hasServer(equipped), true);
  assert.equal(await disk.hasServer(plain), false);
  assert.equal(await disk.hasServer(path.join(folder, "absent")), false);
  // What can run the server that the extension carries need not have it.
  assert.equal(await disk.isRecent(plain), true);
  const old = await script(
    "old",
    '#!/bin/sh\nexec python3 "$1" "$2" "$3" "import sys; sys.version_info = (3, 10, 13); $4"\n',
  );
  assert.equal(await disk.isRecent(old), false);
  // A shim that runs what the folder says where it is started is not asked where that may be a workspace.
  const shim = await script("shim", '#!/bin/sh\ntest "$PWD" = "$ELSEWHERE" && exec python3 "$@"\n');
  process.env["ELSEWHERE"] = ELSEWHERE;
  assert.equal(await disk.isRecent(shim), true);
  assert.equal(await disk.isRecent(path.join(folder, "absent")), false);
});
