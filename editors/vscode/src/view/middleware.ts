/** What the language client does otherwise because there are graph views. */

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

import { showBeside, showPlace } from "./place.ts";

export const middleware = {
  /** From a hover there is a way to the graph. */
  async provideHover(document, at, token, next) {
    const hover = await next(document, at, token);
    return hover && new vscode.Hover([...hover.contents, link(document.uri, at)], hover.range);
  },
  window: {
    /**
     * The server shows what was clicked in a graph: whoever walks through that beside the code goes on there. What has
     * no selection is a text of its own.
     */
    async showDocument(params, token, next) {
      if (params.external === true) return next(params, token);
      const { uri, selection: { start, end } = {} } = params;
      try {
        if (start === undefined || end === undefined) await showBeside(vscode.Uri.parse(uri, true));
        else {
          const selection = new vscode.Range(start.line, start.character, end.line, end.character);
          await showPlace(vscode.Uri.parse(uri, true), selection, false);
        }
        return { success: true };
      } catch {
        return { success: false };
      }
    },
  },
} satisfies Middleware;

function link(uri: vscode.Uri, { line, character }: vscode.Position): vscode.MarkdownString {
  const where = { uri: uri.toString(), position: { line, character } };
  const command = `command:nst.openPage?${encodeURIComponent(JSON.stringify([where]))}`;
  const text = new vscode.MarkdownString(`[$(type-hierarchy) ${vscode.l10n.t("Open Graph View")}](${command})`, true);
  text.isTrusted = { enabledCommands: ["nst.openPage"] };
  return text;
}
