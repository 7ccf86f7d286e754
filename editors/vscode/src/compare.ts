/**
 * Comparing function and graph on arguments that the user writes.
 *
 * The answer is a read-only document beside the code: both values, and the conditions that do not hold, each with a
 * link to where it stands.
 */

import * as path from "node:path";

import * as vscode from "vscode";

import { text, type Link } from "./comparison.ts";
import { cursor, noGraphYet } from "./graph.ts";
import { COMMANDS, type Comparison, type FunctionAt, type Traced } from "./protocol.ts";
import type { Server } from "./server.ts";
import { columnOf, showPlace } from "./view/place.ts";

const SCHEME = "nst-comparison";
/** The command of a link: a link to a file would open it in the place of the comparison. */
const FOLLOW = "nst.followLink";

export class Comparisons implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider, vscode.Disposable {
  private readonly server: Server;
  /** The latest answer by the URI of its document: one for each function. */
  private readonly known = new Map<string, { text: string; links: Link[] }>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  /** Before the registration, which looks whether it is there. */
  readonly onDidChange = this.changed.event;
  private readonly registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.languages.registerDocumentLinkProvider({ scheme: SCHEME }, this),
    vscode.commands.registerCommand(FOLLOW, ({ uri, line, character }: Link["target"]) => {
      const place = new vscode.Position(line, character);
      return showPlace(vscode.Uri.parse(uri, true), new vscode.Range(place, place), true);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.known.delete(uri.toString())),
  );

  constructor(server: Server) {
    this.server = server;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.known.get(uri.toString())?.text ?? "";
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const links = this.known.get(document.uri.toString())?.links ?? [];
    return links.map(({ line, start, end, target }) => {
      const follow = vscode.Uri.from({ scheme: "command", path: FOLLOW, query: JSON.stringify([target]) });
      return new vscode.DocumentLink(new vscode.Range(line, start, line, end), follow);
    });
  }

  /** Asks for arguments, unless they are given, and shows what function and graph make of them. */
  async compare(where: (FunctionAt & { arguments?: string }) | undefined = cursor()): Promise<void> {
    if (where === undefined) return;
    const [traced] = await this.server.execute<Traced[]>(COMMANDS.functions, where);
    const about = { uri: where.uri, ...(traced ? { function: traced.function } : where) };
    const given = where.arguments ?? (traced && (await this.asked(about, traced)));
    if (traced === undefined && where.arguments === undefined) return noGraphYet();
    if (given === undefined) return;

    const progress = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t("comparing …") };
    const compared = await vscode.window.withProgress(progress, () =>
      this.server.execute<Comparison | null>(COMMANDS.compare, { ...about, arguments: given }),
    );
    if (compared === null) return noGraphYet();
    if (compared.error !== undefined) {
      const again = vscode.l10n.t("Other Arguments");
      const message = vscode.l10n.t("Nothing was compared: {0}", compared.error);
      if ((await vscode.window.showErrorMessage(message, again)) === again) await this.compare(about);
      return;
    }
    await this.show(where.uri, compared);
  }

  dispose(): void {
    vscode.Disposable.from(this.registered, this.changed).dispose();
  }

  /** Arguments to begin with are those of an example, or those that a finding tells of. */
  private async asked(about: FunctionAt, traced: Traced): Promise<string | undefined> {
    const first = traced.examples.find(({ index }) => index === traced.example) ?? traced.examples[0];
    const title = vscode.l10n.t("Compare {0} with its graph", traced.function);
    let value = first?.source ?? "";
    if (traced.examples.length + traced.witnesses.length > 1) {
      const chosen = await vscode.window.showQuickPick(choices(traced), {
        title,
        placeHolder: vscode.l10n.t("Arguments to begin with"),
      });
      if (chosen === undefined || chosen.ready) return chosen?.arguments;
      value = chosen.arguments;
    }
    return vscode.window.showInputBox({
      title,
      prompt: vscode.l10n.t("Arguments, as they stand in a call. The names of the file may be used."),
      value,
      valueSelection: [value.length, value.length],
      ignoreFocusOut: true,
      validateInput: async (written) => {
        const asking = { ...about, arguments: written };
        return (await this.server.execute<{ problem: string | null }>(COMMANDS.checkArguments, asking)).problem;
      },
    });
  }

  private async show(source: string, compared: Comparison): Promise<void> {
    const file = vscode.Uri.parse(source, true);
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: `${file.path}/${vscode.l10n.t("{0} compared", compared.name)}.py`,
      query: file.scheme,
    });
    this.known.set(
      uri.toString(),
      text(compared, WORDS(), (place) => path.basename(vscode.Uri.parse(place).path)),
    );
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, {
      viewColumn: columnOf(uri) ?? vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
  }
}

interface Choice extends vscode.QuickPickItem {
  readonly arguments: string;
  /** Whether they are compared as they are. */
  readonly ready: boolean;
}

function choices({ examples, witnesses }: Traced): Choice[] {
  const heading = (label: string): Choice => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
    arguments: "",
    ready: false,
  });
  const tried = witnesses.map(({ code, arguments: given }) => ({
    label: `$(beaker) ${given}`,
    description: vscode.l10n.t("witness of {0}", code),
    arguments: given,
    ready: true,
  }));
  const written = examples.map(({ source }) => ({ label: `$(edit) ${source}`, arguments: source, ready: false }));
  return [
    ...(tried.length > 0 ? [heading(vscode.l10n.t("function and graph are known to differ")), ...tried] : []),
    heading(vscode.l10n.t("change an example's arguments")),
    ...written,
  ];
}

const WORDS = () => ({
  equal: vscode.l10n.t("function and graph give the same"),
  differs: vscode.l10n.t("function and graph differ"),
  function: vscode.l10n.t("the function gives"),
  graph: vscode.l10n.t("the graph gives"),
  guards: vscode.l10n.t("these conditions of the graph do not hold"),
});
