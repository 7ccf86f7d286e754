/**
 * A function's graph, as a read-only document beside the code.
 *
 * Its text comes from the server (`workspace/textDocumentContent`), which also says when it changed.
 */

import * as vscode from "vscode";

import { COMMANDS, type FunctionAt, type Graph } from "./protocol.ts";
import { NotRunning, type Server } from "./server.ts";
import { columnOf } from "./view/place.ts";

export const SCHEME = "nst-graph";

export class GraphDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly server: Server;
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly listening: vscode.Disposable;
  readonly onDidChange = this.changed.event;

  constructor(server: Server) {
    this.server = server;
    this.listening = server.onDidChangeText((uri) =>
      (uri === undefined ? openGraphs() : [uri]).forEach((one) => this.changed.fire(one)),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    try {
      return await this.server.text(uri);
    } catch (error) {
      if (error instanceof NotRunning) return `# ${vscode.l10n.t("nst-lsp is not running.")}\n`;
      throw error;
    }
  }

  dispose(): void {
    vscode.Disposable.from(this.listening, this.changed).dispose();
  }
}

function openGraphs(): vscode.Uri[] {
  return vscode.workspace.textDocuments.map((document) => document.uri).filter((uri) => uri.scheme === SCHEME);
}

/** `where` comes with the lens; from the palette it is missing, and the cursor says it. */
export async function showGraph(server: Server, where: FunctionAt | undefined = cursor()): Promise<void> {
  if (where === undefined) return;
  const graph = await server.execute<Graph | null>(COMMANDS.graph, where);
  if (graph === null) return noGraphYet();
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(graph.uri, true));
  await vscode.languages.setTextDocumentLanguage(document, "python");
  await vscode.window.showTextDocument(document, {
    viewColumn: columnOf(document.uri) ?? besideCode(),
    preserveFocus: true,
    preview: false,
  });
}

export function noGraphYet(): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t("There is no graph here yet: put “# nst: example(…)” above the function, and save."),
  );
}

/** The editor of Python code that is meant: the active one, or while something else is active, one that is seen. */
export function pythonEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const isCode = ({ document }: vscode.TextEditor) =>
    document.languageId === "python" && ["file", "untitled", "vscode-notebook-cell"].includes(document.uri.scheme);
  if (activeTextEditor !== undefined) return isCode(activeTextEditor) ? activeTextEditor : undefined;
  return visibleTextEditors.find(isCode);
}

/** The function at the cursor. */
export function cursor(): FunctionAt | undefined {
  const editor = pythonEditor();
  if (editor === undefined) return undefined;
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri.toString(), position: { line, character } };
}

/** Where no editor is active, the walkthrough say, "beside" would be beside that: over the code. */
function besideCode(): vscode.ViewColumn {
  const code = vscode.window.activeTextEditor === undefined ? pythonEditor()?.viewColumn : undefined;
  return code === undefined ? vscode.ViewColumn.Beside : code + 1;
}
