/** Looks at the disk, and asks interpreters, for `findServer`. */

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";

import type { Look } from "./find.ts";

const run = promisify(execFile);

/**
 * A folder that is no workspace. Which Python a shim on the PATH runs is told by files where it is started
 * (`.python-version`, `.tool-versions`): in a workspace, that would be for the workspace to say.
 */
export const ELSEWHERE = path.dirname(process.execPath);

const HAS_SERVER = "import importlib.util as u, sys; sys.exit(u.find_spec('nst_lsp') is None)";
const IS_RECENT = "import sys; sys.exit(sys.version_info < (3, 11))";

export const disk: Look = {
  async isProgram(file) {
    try {
      await access(file, constants.X_OK);
      return (await stat(file)).isFile();
    } catch {
      return false;
    }
  },

  // Fails, as it should, on Python 3.10 and older, which know no -P.
  hasServer: (python) => succeeds(python, ["-P", "-c", HAS_SERVER]),

  isRecent: (python) => succeeds(python, ["-I", "-S", "-c", IS_RECENT]),

  async real(file) {
    try {
      return await realpath(file);
    } catch {
      return file;
    }
  },
};

async function succeeds(python: string, args: string[]): Promise<boolean> {
  try {
    await run(python, args, { cwd: ELSEWHERE, timeout: 10_000, killSignal: "SIGKILL", windowsHide: true });
    return true;
  } catch {
    return false;
  }
}
