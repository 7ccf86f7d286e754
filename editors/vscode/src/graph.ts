/**
 * A function's graph, as a read-only document beside the code.
 *
 * Its text comes from the server (`workspace/textDocumentContent`), which also says when it changed.
 */

import * as vscode from "vscode";

import { COMMANDS, type FunctionAt, type Graph } from "./protocol.ts";
import { NotRunning, type Server } from "./server.ts";
import { pythonEditor, showBeside } from "./view/place.ts";

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
  await showBeside(vscode.Uri.parse(graph.uri, true));
}

export function noGraphYet(): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t("There is no graph here yet: put “# nst: example(…)” above the function, and save."),
  );
}

/** The function at the cursor. */
export function cursor(): FunctionAt | undefined {
  const editor = pythonEditor();
  if (editor === undefined) return undefined;
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri.toString(), position: { line, character } };
}
