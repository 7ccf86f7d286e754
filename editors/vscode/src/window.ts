/** What this window has set, chosen and opened, as plain data. */

import * as os from "node:os";
import * as vscode from "vscode";

import { interpreterPath, type Circumstances } from "./find.ts";
import { chosenInterpreter } from "./python.ts";
import { explicit, withWindow, type ServerSettings } from "./settings.ts";

const SECTION = "nst";

export async function circumstances(): Promise<Circumstances> {
  return {
    configured: vscode.workspace.getConfiguration(SECTION).get("path", "").trim(),
    interpreter: await interpreter(),
    environment: process.env,
    trusted: vscode.workspace.isTrusted,
    ...machine(),
  };
}

/** The settings that the server gets, for a file or for the whole window. */
export async function serverSettings(resource?: vscode.Uri): Promise<ServerSettings> {
  const configuration = vscode.workspace.getConfiguration(SECTION, resource);
  const settings = explicit((key) => configuration.inspect(key));
  return withWindow(settings, vscode.workspace.isTrusted, await interpreter(resource));
}

/** The interpreter for the user's code: `nst.python`, else the one chosen in the Python extension. */
async function interpreter(resource?: vscode.Uri): Promise<string | undefined> {
  const written = vscode.workspace.getConfiguration(SECTION, resource).get("python", "").trim();
  return written === "" ? chosenInterpreter(resource) : interpreterPath(written, machine(resource));
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
