/** What the language client does otherwise because there are graph views. */

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

import { showPlace } from "./place.ts";

export const middleware = {
  /** From a hover there is a way to the graph. */
  async provideHover(document, at, token, next) {
    const hover = await next(document, at, token);
    return hover && new vscode.Hover([...hover.contents, link(document.uri, at)], hover.range);
  },
  window: {
    /** The server shows what was clicked in a graph: whoever walks through that beside the code goes on there. */
    async showDocument(params, token, next) {
      if (params.external === true) return next(params, token);
      const { start, end } = params.selection ?? {};
      const selection =
        start && end ? new vscode.Range(start.line, start.character, end.line, end.character) : undefined;
      try {
        await showPlace(vscode.Uri.parse(params.uri, true), selection, false);
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
