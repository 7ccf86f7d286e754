/**
 * The graph views of the window.
 *
 * A view follows the function that the cursor is in, unless it is pinned; a function that is asked for is shown by the
 * view that shows it already, else by the one that follows, else by a new one beside the code.
 */

import * as vscode from "vscode";

import { cursor, noGraphYet } from "../graph.ts";
import { Debounced } from "../later.ts";
import type { FunctionAt } from "../protocol.ts";
import { hasExample } from "../reach.ts";
import { NotRunning, type Server } from "../server.ts";
import { VIEW } from "./place.ts";
import { GraphView, type About } from "./view.ts";
import { CURSOR, OPEN_PAGE, type Subject } from "./wire.ts";

/** The cursor rests for so long before it is told of. */
const REST_MILLISECONDS = 80;
/** For the buttons in titles: whether the active view is pinned, and whether the active file may have graphs. */
const PINNED = "nst.viewPinned";
const HAS_EXAMPLE = "nst.hasExample";

export class GraphViews implements vscode.Disposable, vscode.WebviewPanelSerializer<unknown> {
  private readonly server: Server;
  private readonly icon: vscode.Uri;
  private readonly views = new Set<GraphView>();
  /** The function with a graph that the cursor was in last. */
  private at: Subject | undefined;
  private readonly rest = new Debounced(REST_MILLISECONDS, () => void this.tellCursor());
  private told = 0;
  private readonly listening: vscode.Disposable;

  constructor(server: Server, icon: vscode.Uri) {
    this.server = server;
    this.icon = icon;
    this.listening = vscode.Disposable.from(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === vscode.window.activeTextEditor) this.moved();
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor === undefined) return; // a graph has the focus, and the code stands where that led it
        this.moved();
        tellTitle(editor.document);
      }),
      // A function may have a graph from now on.
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (document !== vscode.window.activeTextEditor?.document) return;
        this.moved();
        tellTitle(document);
      }),
      vscode.window.registerWebviewPanelSerializer(VIEW, this),
    );
    if (vscode.window.activeTextEditor !== undefined) tellTitle(vscode.window.activeTextEditor.document);
  }

  /** `where` comes with a hover or an action, and as a file with the button in its title; else the cursor says it. */
  async open(where: FunctionAt | vscode.Uri | undefined): Promise<void> {
    const asked = where instanceof vscode.Uri ? cursorIn(where) : (where ?? cursor());
    const found = asked && (await this.server.execute<Subject | null>(OPEN_PAGE, asked));
    if (!found) return nothingToShow();
    const view =
      [...this.views].find((view) => view.shows(found)) ??
      [...this.views].find((view) => !view.about.pinned) ??
      this.make(found);
    this.at = found;
    view.show(found);
    view.panel.reveal(undefined, true);
  }

  pin(pinned: boolean): void {
    const view = this.active();
    view?.pin(pinned);
    if (view !== undefined && !pinned && this.at !== undefined) view.show(this.at);
  }

  async openInBrowser(): Promise<void> {
    const address = this.active()?.address;
    if (address !== undefined) await vscode.env.openExternal(vscode.Uri.parse(address, true));
  }

  /** A view of before the window was made anew. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const about = (state as { about?: Partial<About> } | null)?.about;
    if (typeof about?.uri !== "string" || typeof about.function !== "string") return panel.dispose();
    const study = typeof about.study === "string" ? about.study : "";
    this.add(panel, { uri: about.uri, function: about.function, study, pinned: about.pinned === true });
  }

  dispose(): void {
    vscode.Disposable.from(this.rest, this.listening).dispose();
  }

  private make(subject: Subject): GraphView {
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const { uri, function: name, study = "" } = subject;
    const about = { uri, function: name, study, pinned: false };
    return this.add(vscode.window.createWebviewPanel(VIEW, "", where), about);
  }

  private add(panel: vscode.WebviewPanel, about: About): GraphView {
    const view = new GraphView(this.server, panel, about);
    panel.iconPath = this.icon;
    this.views.add(view);
    view.onDidChange(() => this.tellButtons());
    panel.onDidChangeViewState(() => this.tellButtons());
    panel.onDidDispose(() => this.views.delete(view));
    this.tellButtons();
    return view;
  }

  /** The view that a person looks at. */
  private active(): GraphView | undefined {
    const views = [...this.views];
    return views.find(({ panel }) => panel.active) ?? views.findLast(({ panel }) => panel.visible);
  }

  private tellButtons(): void {
    void vscode.commands.executeCommand("setContext", PINNED, this.active()?.about.pinned === true);
  }

  // ---- the cursor ------------------------------------------------------------------------------------

  private moved(): void {
    if ([...this.views].some(({ panel }) => panel.visible)) this.rest.call();
  }

  /** The server lights what is at the cursor, and says which function that is in: another one is followed to. */
  private async tellCursor(): Promise<void> {
    const where = vscode.window.activeTextEditor && cursor();
    if (where === undefined) return;
    const told = ++this.told;
    try {
      const found = await this.server.execute<Subject | null>(CURSOR, where);
      const isAnother = found?.uri !== this.at?.uri || found?.function !== this.at?.function;
      if (found === null || !isAnother || told !== this.told) return;
      this.at = found;
      for (const view of this.views) if (!view.about.pinned) view.show(found);
    } catch (error) {
      if (!(error instanceof NotRunning)) throw error;
    }
  }
}

function tellTitle(document: vscode.TextDocument): void {
  void vscode.commands.executeCommand("setContext", HAS_EXAMPLE, hasExample(document.getText()));
}

function cursorIn(file: vscode.Uri): FunctionAt {
  const uri = file.toString();
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
  const { line, character } = editor?.selection.active ?? new vscode.Position(0, 0);
  return { uri, position: { line, character } };
}

async function nothingToShow(): Promise<void> {
  if (vscode.workspace.isTrusted) return noGraphYet();
  const trust = vscode.l10n.t("Manage Workspace Trust");
  const taken = await vscode.window.showWarningMessage(
    vscode.l10n.t("There is no graph: nothing is run in a workspace that is not trusted."),
    trust,
  );
  if (taken === trust) await vscode.commands.executeCommand("workbench.trust.manage");
}
