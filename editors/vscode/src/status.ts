/**
 * Two items behind `{}` in the status bar: what the server does, or why there is none, with a way to its logs; and the
 * interpreter that runs the code of the file on the screen, with a way to start all anew.
 *
 * The server tells both by `experimental/serverStatus`, in the shape that rust-analyzer gave that message.
 */

import * as vscode from "vscode";

import type { RunningInterpreter, ServerStatus } from "./protocol.ts";

/** Files, buffers that were not saved yet, and cells of notebooks. */
export const SELECTOR = ["file", "untitled", "vscode-notebook-cell"].map((scheme) => ({ language: "python", scheme }));

const SEVERITY: Record<ServerStatus["health"], vscode.LanguageStatusSeverity> = {
  ok: vscode.LanguageStatusSeverity.Information,
  warning: vscode.LanguageStatusSeverity.Warning,
  error: vscode.LanguageStatusSeverity.Error,
};

export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("nst.status", SELECTOR);
  private readonly watching = vscode.window.onDidChangeActiveTextEditor(() => this.showInterpreter());
  /** Only while an interpreter runs the code of the file on the screen. */
  private interpreter: vscode.LanguageStatusItem | undefined;
  private interpreters: readonly RunningInterpreter[] = [];

  constructor() {
    this.item.name = "nst-lsp";
    this.item.command = { command: "nst.showLogs", title: vscode.l10n.t("Show Logs") };
    this.show("nst-lsp", vscode.l10n.t("not started: there is no example yet"), "ok", false);
  }

  starting(): void {
    this.show("nst-lsp", vscode.l10n.t("starting"), "ok", true);
  }

  running(version: string | undefined): void {
    this.show(version === undefined ? "nst-lsp" : `nst-lsp ${version}`, ready(), "ok", false);
  }

  stopped(reason: string): void {
    this.interpreters = [];
    this.show("nst-lsp", reason, "error", false);
  }

  says({ health, quiescent, message, interpreters = [] }: ServerStatus): void {
    this.interpreters = interpreters;
    this.show(this.item.text, message ?? (quiescent ? ready() : vscode.l10n.t("tracing")), health, !quiescent);
  }

  dispose(): void {
    vscode.Disposable.from(this.item, this.watching, ...(this.interpreter ? [this.interpreter] : [])).dispose();
  }

  private show(text: string, detail: string, health: ServerStatus["health"], busy: boolean): void {
    this.item.text = text;
    this.item.detail = detail;
    this.item.severity = SEVERITY[health];
    this.item.busy = busy;
    this.showInterpreter();
  }

  private showInterpreter(): void {
    const running = interpreterOf(vscode.window.activeTextEditor?.document.uri, this.interpreters);
    if (running === undefined) {
      this.interpreter?.dispose();
      this.interpreter = undefined;
      return;
    }
    this.interpreter ??= vscode.languages.createLanguageStatusItem("nst.interpreter", SELECTOR);
    this.interpreter.name = vscode.l10n.t("nst-lsp: interpreter");
    this.interpreter.command = { command: "nst.restart", title: vscode.l10n.t("Restart Server") };
    this.interpreter.text = running.name;
    this.interpreter.detail = vscode.l10n.t("runs your functions");
  }
}

function ready(): string {
  return vscode.workspace.isTrusted ? vscode.l10n.t("ready") : vscode.l10n.t("restricted: nothing is run");
}

/** The interpreter of the project that a file lies in; where none is around it, of the first. */
function interpreterOf(
  file: vscode.Uri | undefined,
  interpreters: readonly RunningInterpreter[],
): RunningInterpreter | undefined {
  const around = interpreters
    .map((one) => ({ one, root: `${vscode.Uri.parse(one.root, true).path.replace(/\/$/, "")}/` }))
    .filter(({ root }) => file?.path.startsWith(root))
    .sort((a, b) => b.root.length - a.root.length);
  return around[0]?.one ?? interpreters[0];
}
