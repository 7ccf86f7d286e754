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

/** The column that has the document, else one that shows code. */
function columnFor(uri: vscode.Uri): vscode.ViewColumn {
  const groups = vscode.window.tabGroups.all;
  const has = (tab: vscode.Tab) =>
    tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString();
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
