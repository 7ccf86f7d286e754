/**
 * The item behind `{}` in the status bar: what the server does, or why there is none.
 *
 * The server tells it by `experimental/serverStatus`, in the shape that rust-analyzer gave that message.
 */

import * as vscode from "vscode";

import type { ServerStatus } from "./protocol.ts";

/** Files, buffers that were not saved yet, and cells of notebooks. */
export const SELECTOR = ["file", "untitled", "vscode-notebook-cell"].map((scheme) => ({ language: "python", scheme }));

const SEVERITY: Record<ServerStatus["health"], vscode.LanguageStatusSeverity> = {
  ok: vscode.LanguageStatusSeverity.Information,
  warning: vscode.LanguageStatusSeverity.Warning,
  error: vscode.LanguageStatusSeverity.Error,
};

export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("nst.status", SELECTOR);

  constructor() {
    this.item.name = "nst-lsp";
    this.item.command = { command: "nst.showLogs", title: vscode.l10n.t("Show Logs") };
    this.starting();
  }

  starting(): void {
    this.show("nst-lsp", vscode.l10n.t("starting"), "ok", true);
  }

  running(version: string | undefined): void {
    this.show(version === undefined ? "nst-lsp" : `nst-lsp ${version}`, vscode.l10n.t("ready"), "ok", false);
  }

  stopped(reason: string): void {
    this.show("nst-lsp", reason, "error", false);
  }

  says({ health, quiescent, message }: ServerStatus): void {
    this.show(
      this.item.text,
      message ?? (quiescent ? vscode.l10n.t("ready") : vscode.l10n.t("tracing")),
      health,
      !quiescent,
    );
  }

  dispose(): void {
    this.item.dispose();
  }

  private show(text: string, detail: string, health: ServerStatus["health"], busy: boolean): void {
    this.item.text = text;
    this.item.detail = detail;
    this.item.severity = SEVERITY[health];
    this.item.busy = busy;
  }
}
