/** What this window has set, chosen and opened, as plain data. */

import * as os from "node:os";
import * as vscode from "vscode";

import { interpreterPath, type Circumstances } from "./find.ts";
import type { Interpreters } from "./python.ts";
import { explicit, withWindow, type ServerSettings } from "./settings.ts";

const SECTION = "nst";

export async function circumstances(bundle: string, chosen: Interpreters): Promise<Circumstances> {
  const interpreters = await Promise.all(scopes().map((scope) => interpreter(chosen, scope)));
  return {
    configured: vscode.workspace.getConfiguration(SECTION).get("path", "").trim(),
    interpreters: [...new Set(interpreters.filter((python) => python !== undefined))],
    bundle,
    environment: process.env,
    trusted: vscode.workspace.isTrusted,
    ...machine(),
  };
}

/** The settings that the server gets, for a file or for the whole window. */
export async function serverSettings(chosen: Interpreters, resource?: vscode.Uri): Promise<ServerSettings> {
  const configuration = vscode.workspace.getConfiguration(SECTION, resource);
  const settings = explicit((key) => configuration.inspect(key));
  return withWindow(settings, vscode.workspace.isTrusted, await interpreter(chosen, resource));
}

/** What may change without a setting that does: trust, and the interpreter of each folder; as text, to be compared. */
export async function surroundings(chosen: Interpreters): Promise<string> {
  const interpreters = await Promise.all(scopes().map((scope) => interpreter(chosen, scope)));
  return JSON.stringify([vscode.workspace.isTrusted, interpreters]);
}

/** The interpreter for the user's code: `nst.python`, else the one chosen in a Python extension. */
async function interpreter(chosen: Interpreters, resource?: vscode.Uri): Promise<string | undefined> {
  const written = vscode.workspace.getConfiguration(SECTION, resource).get("python", "").trim();
  if (written !== "") return interpreterPath(written, machine(resource));
  return vscode.workspace.isTrusted ? chosen.of(resource) : undefined;
}

function scopes(): (vscode.Uri | undefined)[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length === 0 ? [undefined] : folders.map((folder) => folder.uri);
}

function machine(resource?: vscode.Uri): Pick<Circumstances, "folders" | "home" | "windows"> {
  const own = resource && vscode.workspace.getWorkspaceFolder(resource);
  const folders = own === undefined ? (vscode.workspace.workspaceFolders ?? []) : [own];
  return {
    folders: folders.filter((folder) => folder.uri.scheme === "file").map((folder) => folder.uri.fsPath),
    home: os.homedir(),
    windows: process.platform === "win32",
  };
}
