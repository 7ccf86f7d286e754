/**
 * Which program is the language server, and which Python runs it. Pure but for `Look`, which the tests
 * replace by a table of files.
 *
 * Order: the setting `nst.path`; an interpreter chosen for the workspace that has nst-lsp itself; the program in
 * `.venv` or `venv` of a workspace folder; the server that the extension carries, run by the first Python from 3.11
 * on among these interpreters and those of the PATH; `nst-lsp` on the PATH, whose own Python may be elsewhere. A
 * setting that leads nowhere is an error, not a reason to look further: the user said where. In an untrusted
 * workspace nothing that the workspace could have brought along is started.
 */

import * as path from "node:path";

export interface Circumstances {
  /** `nst.path` as written; empty where it is not set. */
  readonly configured: string;
  /** The interpreters chosen for the user's code (settings, Python extensions), those of the first folder first. */
  readonly interpreters: readonly string[];
  /** Paths of the workspace folders. */
  readonly folders: readonly string[];
  /** The script that starts the server which the extension carries. */
  readonly bundle: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly windows: boolean;
  readonly trusted: boolean;
}

export interface Look {
  isProgram(file: string): Promise<boolean>;
  /** Whether `python -P -m nst_lsp` would find the server (Python 3.11 or newer that has it installed). */
  hasServer(python: string): Promise<boolean>;
  /** Whether it is a Python that can run the server: 3.11 or newer. */
  isRecent(python: string): Promise<boolean>;
  /** The path without links; of what does not exist, as it is. */
  real(file: string): Promise<string>;
}

/** A program to start, and in words why this one. */
export interface Found {
  readonly command: string;
  readonly args: readonly string[];
  readonly because: string;
  /** It is the one that the extension carries: the same, whichever Python runs it. */
  readonly carried?: boolean;
  /** It is not to be started in the workspace (look.ts says why). */
  readonly elsewhere?: boolean;
}

export interface Missing {
  /** `nst.path`, if it is that which leads nowhere. */
  readonly configured?: string;
  readonly looked: readonly string[];
}

export async function findServer(where: Circumstances, look: Look): Promise<Found | Missing> {
  if (where.configured !== "") return configuredServer(where, look);
  const looked: string[] = [];
  for (const search of where.trusted ? [installed, ofWorkspace, carried, onPath] : [carried, onPath]) {
    const found = await search(where, look, looked);
    if (found !== undefined) return found;
  }
  return { looked };
}

async function configuredServer(where: Circumstances, look: Look): Promise<Found | Missing> {
  for (const file of expand(where.configured, where)) {
    if (await look.isProgram(file)) return { command: file, args: [], because: "the setting nst.path says so" };
  }
  return { configured: where.configured, looked: expand(where.configured, where) };
}

type Search = (where: Circumstances, look: Look, looked: string[]) => Promise<Found | undefined>;

const installed: Search = async (where, look, looked) => {
  for (const python of where.interpreters) {
    looked.push(`${python} -m nst_lsp`);
    // -P keeps the workspace's own modules from standing in for the server's.
    const args = ["-P", "-m", "nst_lsp", "server"];
    if (await look.hasServer(python))
      return { command: python, args, because: "the chosen interpreter has it", elsewhere: true };
  }
  return undefined;
};

const ofWorkspace: Search = async (where, look, looked) => {
  for (const [environment, folder] of environments(where)) {
    const file = join(where, folder, programName(where));
    looked.push(file);
    if (await look.isProgram(file))
      return { command: file, args: [], because: `the workspace's ${environment} has it` };
  }
  return undefined;
};

/**
 * The server that the extension carries. -I and -S keep everything from it that the user has installed or put on
 * PYTHONPATH; bundle/server.py says more.
 */
const carried: Search = async (where, look, looked) => {
  const found = (python: string, because: string): Found => ({
    command: python,
    args: ["-I", "-S", where.bundle],
    because: `the extension's own, and ${because}`,
    carried: true,
    elsewhere: true,
  });
  const own = where.trusted
    ? [...where.interpreters, ...[...environments(where)].map(([, folder]) => join(where, folder, pythons(where)[0]!))]
    : [];
  for (const python of own) {
    looked.push(`${python}, if it is Python 3.11 or newer`);
    if (await look.isRecent(python)) return found(python, "the workspace's interpreter can run it");
  }
  looked.push("Python 3.11 or newer on the PATH");
  for await (const python of programs(where, look, pythons(where))) {
    if (await look.isRecent(python)) return found(python, "this is the first Python on the PATH that can run it");
  }
  return undefined;
};

const onPath: Search = async (where, look, looked) => {
  looked.push(`${programName(where)} on the PATH`);
  for await (const command of programs(where, look, [programName(where)])) {
    return { command, args: [], because: "it is on the PATH", elsewhere: true };
  }
  return undefined;
};

/** The environments that workspace folders usually have: their names, and the folders of their programs. */
function* environments(where: Circumstances): Generator<[string, string]> {
  for (const folder of where.folders) {
    for (const name of [".venv", "venv"]) yield [name, join(where, folder, name, where.windows ? "Scripts" : "bin")];
  }
}

/** The programs with these names on the PATH, by name and then by folder; none of an untrusted workspace. */
async function* programs(where: Circumstances, look: Look, names: readonly string[]): AsyncGenerator<string> {
  for (const name of names) {
    for (const folder of searchPath(where)) {
      const file = join(where, folder, name);
      if ((await look.isProgram(file)) && (where.trusted || !(await isOfWorkspace(file, where, look)))) yield file;
    }
  }
}

/** Whether a program, or what it is a link to, lies in the workspace. */
async function isOfWorkspace(file: string, where: Circumstances, look: Look): Promise<boolean> {
  const folder = await look.real(flavour(where).dirname(file));
  const places = [file, folder, await look.real(file)];
  for (const written of where.folders) {
    for (const root of [written, await look.real(written)]) {
      if (places.some((place) => isWithin(place, root, where))) return true;
    }
  }
  return false;
}

function isWithin(file: string, folder: string, where: Circumstances): boolean {
  const way = flavour(where).relative(folder, file);
  return way === "" || !(way === ".." || way.startsWith(`..${flavour(where).sep}`) || flavour(where).isAbsolute(way));
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

function programName(where: Circumstances): string {
  return where.windows ? "nst-lsp.exe" : "nst-lsp";
}

const NEWEST_MINOR = 20;

/** What Pythons are called, the usual name first. */
function pythons(where: Circumstances): string[] {
  if (where.windows) return ["python.exe", "python3.exe"];
  const versions = Array.from({ length: NEWEST_MINOR - 10 }, (_, index) => `python3.${NEWEST_MINOR - index}`);
  return ["python", "python3", ...versions];
}

/** Relative entries are left out: they would mean the workspace. */
function searchPath(where: Circumstances): string[] {
  const value = where.environment["PATH"] ?? where.environment["Path"] ?? "";
  const folders = value.split(flavour(where).delimiter).filter((folder) => flavour(where).isAbsolute(folder));
  return [...new Set(folders)];
}

function join(where: Pick<Circumstances, "windows">, ...parts: string[]): string {
  return flavour(where).join(...parts);
}

function flavour(where: Pick<Circumstances, "windows">): path.PlatformPath {
  return where.windows ? path.win32 : path.posix;
}
