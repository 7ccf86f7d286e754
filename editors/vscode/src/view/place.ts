/** Where code is shown: never in the place of a graph. */

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
