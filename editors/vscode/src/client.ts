/**
 * One language client for the window, whatever its number of folders.
 *
 * vscode-languageclient would register the server's commands and virtual documents itself, and anew at every
 * start. Both are left out: extension.ts registers them once, so that commands have a clear answer and graphs
 * keep their tab also while no server runs, and a second window or restart finds no id taken.
 */

import * as readline from "node:readline";
import type { Readable } from "node:stream";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  RevealOutputChannelOn,
  TextDocumentContentRequest,
  TransportKind,
  type ClientCapabilities,
  type ConfigurationParams,
  type DynamicFeature,
  type ErrorHandler,
  type LanguageClientOptions,
  type StaticFeature,
} from "vscode-languageclient/node";

import type { Found } from "./find.ts";
import type { ServerSettings } from "./settings.ts";
import { SELECTOR } from "./status.ts";
import { serverSettings } from "./window.ts";

const OURS: readonly string[] = [ExecuteCommandRequest.method, TextDocumentContentRequest.method];

export class Client extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    const method = "registrationType" in feature ? feature.registrationType.method : "";
    if (!OURS.includes(method)) super.registerFeature(feature);
  }

  /** A server that worked is started again when it crashes; one that never did is not. */
  override createDefaultErrorHandler(maxRestartCount?: number): ErrorHandler {
    const usual = super.createDefaultErrorHandler(maxRestartCount);
    return {
      error: (...happened) =>
        this.everRan ? usual.error(...happened) : { action: ErrorAction.Continue, handled: true },
      closed: () => (this.everRan ? usual.closed() : { action: CloseAction.DoNotRestart, handled: true }),
    };
  }

  /** Of a server that cannot be started server.ts tells, with the way out; here it is only logged. */
  override error(message: string, data?: unknown, showNotification?: boolean | "force"): void {
    super.error(message, data, this.everRan ? showNotification : false);
  }

  private get everRan(): boolean {
    return this.initializeResult !== undefined;
  }
}

export function newClient(server: Found, settings: ServerSettings, log: vscode.LogOutputChannel): Client {
  const { command } = server;
  const client: Client = new Client(
    "nst",
    "nst-lsp",
    { command, args: [...server.args], transport: TransportKind.stdio },
    {
      documentSelector: SELECTOR,
      diagnosticCollectionName: "nst",
      outputChannel: log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: settings,
      initializationFailedHandler: () => false,
      markdown: { isTrusted: { enabledCommands: ["nst.showGraph", "nst.switchExample"] }, supportThemeIcons: true },
      middleware: { workspace: { configuration: ({ items }) => configuration(items, client) } },
      // What a Python process writes to stderr is its log, seldom an error.
      stdioOptions: { stdout: ignore, stderr: (stream) => eachLine(stream, (line) => log.info(line)) },
    } satisfies LanguageClientOptions,
  );
  client.registerFeature(abilities);
  return client;
}

function configuration(items: ConfigurationParams["items"], client: Client): Promise<ServerSettings[]> {
  return Promise.all(
    items.map(({ scopeUri }) => serverSettings(scopeUri ? client.protocol2CodeConverter.asUri(scopeUri) : undefined)),
  );
}

const abilities: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities) {
    capabilities.workspace = { ...capabilities.workspace, executeCommand: {}, textDocumentContent: {} };
    capabilities.experimental = {
      serverStatusNotification: true,
      workspaceTrust: true,
      commands: { commands: ["nst.showGraph"] },
    };
  },
  initialize() {},
  getState: () => ({ kind: "static" }),
  clear() {},
};

function eachLine(stream: Readable, take: (line: string) => void): void {
  readline.createInterface({ input: stream, crlfDelay: Infinity }).on("line", take);
}

/** The protocol itself travels on stdout. */
function ignore(): void {}
