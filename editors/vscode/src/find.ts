/**
 * Where the language server is. Pure but for `Look`, which the tests replace by a table of files.
 *
 * Order: the setting `nst.path`; the interpreter the user chose; `.venv` and `venv` of the workspace
 * folders; the PATH. A setting that leads nowhere is an error, not a reason to look further: the user
 * said where. In an untrusted workspace nothing that the workspace could have brought along is started.
 */

import * as path from "node:path";

export interface Circumstances {
  /** `nst.path` as written; empty where it is not set. */
  readonly configured: string;
  /** The interpreter chosen in the Python extension, or `nst.python`. */
  readonly interpreter: string | undefined;
  /** Paths of the workspace folders. */
  readonly folders: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly windows: boolean;
  readonly trusted: boolean;
}

export interface Look {
  isProgram(file: string): Promise<boolean>;
  /** Whether `python -P -m nst_lsp` would find the server (Python 3.11 or newer that has it installed). */
  hasServer(python: string): Promise<boolean>;
}

/** A program to start, and in words why this one. */
export interface Found {
  readonly command: string;
  readonly args: readonly string[];
  readonly because: string;
}

export interface Missing {
  /** `nst.path`, if it is that which leads nowhere. */
  readonly configured?: string;
  readonly looked: readonly string[];
}

export async function findServer(where: Circumstances, look: Look): Promise<Found | Missing> {
  if (where.configured !== "") return configuredServer(where, look);
  const looked: string[] = [];

  if (where.trusted && where.interpreter !== undefined) {
    looked.push(`${where.interpreter} -m nst_lsp`);
    if (await look.hasServer(where.interpreter)) {
      // -P keeps the workspace's own modules from standing in for the server's.
      return {
        command: where.interpreter,
        args: ["-P", "-m", "nst_lsp", "server"],
        because: "the chosen interpreter has it",
      };
    }
  }
  for (const folder of where.trusted ? where.folders : []) {
    for (const environment of [".venv", "venv"]) {
      const file = programOf(join(where, folder, environment), where);
      looked.push(file);
      if (await look.isProgram(file))
        return { command: file, args: [], because: `the workspace's ${environment} has it` };
    }
  }
  for (const folder of searchPath(where)) {
    const file = join(where, folder, programName(where));
    if (await look.isProgram(file)) return { command: file, args: [], because: "it is on the PATH" };
  }
  looked.push(`${programName(where)} on the PATH`);
  return { looked };
}

async function configuredServer(where: Circumstances, look: Look): Promise<Found | Missing> {
  for (const file of expand(where.configured, where)) {
    if (await look.isProgram(file)) return { command: file, args: [], because: "the setting nst.path says so" };
  }
  return { configured: where.configured, looked: expand(where.configured, where) };
}

/** A path as the user may write it, as absolute paths: one for each workspace folder if it speaks of them. */
export function expand(written: string, where: Pick<Circumstances, "folders" | "home" | "windows">): string[] {
  const file = written.replace(/^~(?=$|[\\/])/, () => where.home);
  if (file.includes("${workspaceFolder}")) {
    return where.folders.map((folder) => file.replaceAll("${workspaceFolder}", () => folder));
  }
  return flavour(where).isAbsolute(file) ? [file] : where.folders.map((folder) => join(where, folder, file));
}

/** `nst.python` as the server should get it: a bare name such as `python3` is for the PATH to resolve. */
export function interpreterPath(written: string, where: Pick<Circumstances, "folders" | "home" | "windows">): string {
  return /[\\/]/.test(written) ? (expand(written, where)[0] ?? written) : written;
}

function programOf(environment: string, where: Circumstances): string {
  return join(where, environment, where.windows ? "Scripts" : "bin", programName(where));
}

function programName(where: Circumstances): string {
  return where.windows ? "nst-lsp.exe" : "nst-lsp";
}

/** Relative entries are left out: they would mean the workspace. */
function searchPath(where: Circumstances): string[] {
  const value = where.environment["PATH"] ?? where.environment["Path"] ?? "";
  return value.split(flavour(where).delimiter).filter((folder) => flavour(where).isAbsolute(folder));
}

function join(where: Pick<Circumstances, "windows">, ...parts: string[]): string {
  return flavour(where).join(...parts);
}

function flavour(where: Pick<Circumstances, "windows">): path.PlatformPath {
  return where.windows ? path.win32 : path.posix;
}
