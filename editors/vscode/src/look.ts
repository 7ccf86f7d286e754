/** Looks at the disk, and asks interpreters, for `findServer`. */

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { promisify } from "node:util";

import type { Look } from "./find.ts";

const run = promisify(execFile);

const PROBE = "import importlib.util as u, sys; sys.exit(u.find_spec('nst_lsp') is None)";

export const disk: Look = {
  async isProgram(file) {
    try {
      await access(file, constants.X_OK);
      return (await stat(file)).isFile();
    } catch {
      return false;
    }
  },

  async hasServer(python) {
    try {
      // Fails, as it should, on Python 3.10 and older, which know no -P.
      await run(python, ["-P", "-c", PROBE], { timeout: 10_000, windowsHide: true });
      return true;
    } catch {
      return false;
    }
  },
};
