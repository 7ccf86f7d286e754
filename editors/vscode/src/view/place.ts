/** Where code is shown, never in the place of a graph; and where a graph is shown as text, beside the code. */

import * as vscode from "vscode";

export const VIEW = "nst.graphView";

/** Shows a place among the code. */
export async function showPlace(
  uri: vscode.Uri,
  selection: vscode.Range | undefined,
  takeFocus: boolean,
): Promise<void> {
  await vscode.window.showTextDocument(uri, {
    viewColumn: columnFor(uri),
    preserveFocus: !takeFocus,
    ...(selection === undefined ? {} : { selection }),
  });
}

/** Shows a text of the server's, which is Python, beside the code. */
export async function showBeside(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.languages.setTextDocumentLanguage(document, "python");
  await vscode.window.showTextDocument(document, {
    viewColumn: columnOf(document.uri) ?? besideCode(),
    preserveFocus: true,
    preview: false,
  });
}

/** The editor of Python code that is meant: the active one, or while something else is active, one that is seen. */
export function pythonEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const isCode = ({ document }: vscode.TextEditor) =>
    document.languageId === "python" && ["file", "untitled", "vscode-notebook-cell"].includes(document.uri.scheme);
  if (activeTextEditor !== undefined) return isCode(activeTextEditor) ? activeTextEditor : undefined;
  return visibleTextEditors.find(isCode);
}

/** Where no editor is active, the walkthrough say, "beside" would be beside that: over the code. */
function besideCode(): vscode.ViewColumn {
  const code = vscode.window.activeTextEditor === undefined ? pythonEditor()?.viewColumn : undefined;
  return code === undefined ? vscode.ViewColumn.Beside : code + 1;
}

/** The column that has a document as one of its tabs. */
export function columnOf(uri: vscode.Uri): vscode.ViewColumn | undefined {
  return vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(shows(uri)))?.viewColumn;
}

function shows(uri: vscode.Uri): (tab: vscode.Tab) => boolean {
  return ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
}

/** The column that has the document, else one that shows code. */
function columnFor(uri: vscode.Uri): vscode.ViewColumn {
  const groups = vscode.window.tabGroups.all;
  const has = shows(uri);
  const group =
    groups.find(({ activeTab }) => activeTab !== undefined && has(activeTab)) ??
    groups.find(({ tabs }) => tabs.some(has)) ??
    groups.find(({ activeTab }) => activeTab?.input instanceof vscode.TabInputText) ??
    groups.find((each) => !showsGraph(each));
  return group?.viewColumn ?? vscode.ViewColumn.Beside;
}

function showsGraph({ activeTab }: vscode.TabGroup): boolean {
  // The workbench puts a prefix of its own before the type.
  return activeTab?.input instanceof vscode.TabInputWebview && activeTab.input.viewType.endsWith(VIEW);
}
