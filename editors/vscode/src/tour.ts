/** What the walkthrough needs of commands that others may like, too: a file to begin with, and the way to a finding. */

import * as vscode from "vscode";

import { pythonEditor } from "./view/place.ts";

/**
 * Opens a small file with examples as a new one; beside what is no editor, such as the walkthrough.  The cursor is in its
 * last function, which has no example yet: that is what the next step of the walkthrough is about.
 */
export async function openSample(sample: vscode.Uri): Promise<void> {
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(sample));
  const document = await vscode.workspace.openTextDocument({ language: "python", content });
  const viewColumn = vscode.window.activeTextEditor ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
  const last = document.positionAt(content.lastIndexOf("\ndef ") + 1);
  await vscode.window.showTextDocument(document, { viewColumn, selection: new vscode.Range(last, last) });
}

/** Puts the cursor on the finding after it, and shows what is said of it. */
export async function nextFinding(): Promise<void> {
  const editor = pythonEditor();
  const findings = editor ? findingsOf(editor.document) : [];
  const at = editor?.selection.active;
  const next = findings.find(({ range }) => at?.isBefore(range.start)) ?? findings[0];
  if (editor === undefined || next === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t("There is no finding in this file."));
    return;
  }
  const shown = await show(editor);
  shown.selection = new vscode.Selection(next.range.start, next.range.start);
  shown.revealRange(next.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  await vscode.commands.executeCommand("editor.action.showHover");
}

/** Offers what mends the finding at the cursor; where there is none, the next one that something can be done about. */
export async function fixFinding(): Promise<void> {
  const editor = pythonEditor();
  if (editor === undefined) return;
  const shown = await show(editor);
  const findings = findingsOf(shown.document);
  const here = findings.find(({ range }) => range.contains(shown.selection.active));
  for (const { range } of here ? [here] : findings) {
    const kind = vscode.CodeActionKind.QuickFix.value;
    const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      shown.document.uri,
      range,
      kind,
    );
    if (here === undefined && !fixes.some(({ isPreferred }) => isPreferred)) continue;
    shown.selection = new vscode.Selection(range.start, range.start);
    shown.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    return vscode.commands.executeCommand("editor.action.quickFix");
  }
  void vscode.window.showInformationMessage(vscode.l10n.t("No finding in this file has a fix that was verified."));
}

function findingsOf(document: vscode.TextDocument): vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ source, code, tags }) => source === "nst" && code !== undefined && !tags?.length)
    .sort((one, other) => one.range.start.compareTo(other.range.start));
}

/** Gives an editor the focus, where it is. */
function show({ document, viewColumn }: vscode.TextEditor): Thenable<vscode.TextEditor> {
  return vscode.window.showTextDocument(document, viewColumn === undefined ? {} : { viewColumn });
}
