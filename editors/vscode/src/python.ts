/**
 * The interpreter that the user chose in the Python extension, where that is installed. We do not need it.
 */

import { PVSC_EXTENSION_ID, PythonExtension } from "@vscode/python-extension";
import * as vscode from "vscode";

export async function chosenInterpreter(resource?: vscode.Uri): Promise<string | undefined> {
  const python = await pythonExtension();
  if (python === undefined) return undefined;
  const environments = python.environments;
  const environment = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(resource));
  return environment?.executable.uri?.fsPath;
}

export async function onDidChooseInterpreter(listener: () => void): Promise<vscode.Disposable> {
  const python = await pythonExtension();
  return python?.environments.onDidChangeActiveEnvironmentPath(listener) ?? new vscode.Disposable(() => {});
}

async function pythonExtension(): Promise<PythonExtension | undefined> {
  const installed = vscode.extensions.getExtension(PVSC_EXTENSION_ID);
  return installed === undefined ? undefined : PythonExtension.api();
}
