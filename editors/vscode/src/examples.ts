/** Examples: writing one above a function, and choosing which one is shown. */

import * as vscode from "vscode";

import { cursor, noGraphYet } from "./graph.ts";
import { COMMANDS, type Example, type FunctionAt, type Template, type Traced } from "./protocol.ts";
import type { Server } from "./server.ts";

/** How many offers are asked for their edits, which those from other files have only then. */
const MOST_OFFERS = 20;

/** Lets the user choose among what can be offered; nothing is saved, and the file is traced as it stands then. */
export async function addExample(server: Server, where: FunctionAt | undefined = cursor()): Promise<void> {
  const template = where && (await server.execute<Template | null>(COMMANDS.exampleTemplate, where));
  if (!template) {
    void vscode.window.showInformationMessage(vscode.l10n.t("Put the cursor into the function that wants an example."));
    return;
  }
  const uri = vscode.Uri.parse(template.uri, true);
  const offers = await offersAt(uri, position(template.head));
  if (offers.length === 0) return fillIn(uri, template);

  const own = { label: vscode.l10n.t("$(edit) Write my own …"), offer: undefined };
  const chosen = await vscode.window.showQuickPick(
    [...offers.map((offer) => ({ label: offer.action.title, detail: offer.text, offer })), own],
    { title: vscode.l10n.t("Add an example of {0}", template.function), matchOnDetail: true },
  );
  if (chosen === undefined) return;
  if (chosen.offer === undefined) return fillIn(uri, template);
  await vscode.workspace.applyEdit(chosen.offer.edit);
  await server.execute(COMMANDS.retrace, { uri: uri.toString() });
}

interface Offer {
  readonly action: vscode.CodeAction;
  readonly edit: vscode.WorkspaceEdit;
  /** The comment. */
  readonly text: string;
}

/** The code actions that write an example there; other extensions offer rewriting, too. */
async function offersAt(uri: vscode.Uri, head: vscode.Position): Promise<Offer[]> {
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    uri,
    new vscode.Range(head, head),
    vscode.CodeActionKind.RefactorRewrite.value,
    MOST_OFFERS,
  );
  return actions.flatMap((action) => {
    const text = action.edit?.get(uri).map(({ newText }) => newText.trim())[0];
    return action.edit && text?.startsWith("# nst: example(") ? [{ action, edit: action.edit, text }] : [];
  });
}

/** Puts an example above the function whose arguments the user goes through. */
async function fillIn(uri: vscode.Uri, { position: at, snippet }: Template): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const editor = await vscode.window.showTextDocument(uri, shown?.viewColumn ? { viewColumn: shown.viewColumn } : {});
  const undo = { undoStopBefore: true, undoStopAfter: true };
  await editor.insertSnippet(new vscode.SnippetString(snippet), position(at), { ...undo, keepWhitespace: true });
}

/** A lens says which example is next; without one the user chooses. */
export async function switchExample(server: Server, where: FunctionAt | undefined = cursor()): Promise<void> {
  if (where === undefined) return;
  if (where.example !== undefined) return server.execute(COMMANDS.switchExample, where);
  const [traced] = await server.execute<Traced[]>(COMMANDS.functions, where);
  if (traced === undefined) return noGraphYet();

  const one = { label: vscode.l10n.t("$(add) Add an example …"), example: undefined };
  const chosen = await vscode.window.showQuickPick([...traced.examples.map((given) => item(given, traced)), one], {
    title: vscode.l10n.t("Examples of {0}", traced.function),
    matchOnDetail: true,
  });
  if (chosen === undefined) return;
  if (chosen.example === undefined) return addExample(server, where);
  const about = { uri: where.uri, function: traced.function, example: chosen.example };
  await server.execute(COMMANDS.switchExample, about);
}

function item(example: Example, traced: Traced): vscode.QuickPickItem & { example: number } {
  const shown = example.index === traced.example;
  return {
    label: `$(${icon(example)}) ${example.source}`,
    description: shown ? vscode.l10n.t("shown") : "",
    detail: told(example).join(" · "),
    example: example.index,
  };
}

function icon({ status, verdict }: Example): string {
  if (status === "failed") return "error";
  return { agrees: "pass", differs: "warning", unverified: "question" }[verdict];
}

/** What became of an example, in words. */
export function told({ status, verdict, operations, validFor }: Example): string[] {
  if (status === "failed" || operations === null) return [vscode.l10n.t("not traced")];
  const size = operations === 1 ? vscode.l10n.t("1 operation") : vscode.l10n.t("{0} operations", operations);
  const words = {
    agrees: vscode.l10n.t("graph and function agree"),
    differs: vscode.l10n.t("graph and function differ"),
    unverified: vscode.l10n.t("not verified"),
  };
  const partial = status === "partial" ? [vscode.l10n.t("partial")] : [];
  return [size, ...partial, words[verdict], ...(validFor ? [vscode.l10n.t("valid for {0}", validFor)] : [])];
}

function position({ line, character }: { line: number; character: number }): vscode.Position {
  return new vscode.Position(line, character);
}
