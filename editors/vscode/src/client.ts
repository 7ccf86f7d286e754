/**
 * One language client for the window, whatever its number of folders.
 *
 * vscode-languageclient would register the server's commands and virtual documents itself, and anew at every
 * start. Both are left out: extension.ts registers them once, so that commands have a clear answer and graphs
 * keep their tab also while no server runs, and a second window or restart finds no id taken.
 *
 * server.ts loads this module, and the library with it, when the first server is started.
 */

import * as readline from "node:readline";
import type { Readable } from "node:stream";
import * as vscode from "vscode";
import {
  CloseAction,
  DidChangeConfigurationNotification,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  TextDocumentContentRefreshRequest,
  TextDocumentContentRequest,
  TransportKind,
  type ClientCapabilities,
  type DynamicFeature,
  type ErrorHandler,
  type LanguageClientOptions,
  type StaticFeature,
} from "vscode-languageclient/node";

import type { Found } from "./find.ts";
import { ELSEWHERE } from "./look.ts";
import { STATUS, type ServerStatus } from "./protocol.ts";
import type { ServerSettings } from "./settings.ts";
import { SELECTOR } from "./status.ts";
import { middleware } from "./view/middleware.ts";

const OURS: readonly string[] = [ExecuteCommandRequest.method, TextDocumentContentRequest.method];

/** Where its server writes to, and its messages are written. */
export interface Channels {
  readonly log: vscode.LogOutputChannel;
  readonly trace: vscode.LogOutputChannel;
}

/** What is told of the server. */
export interface Hears {
  starting(): void;
  running(version: string | undefined): void;
  stopped(): void;
  status(status: ServerStatus): void;
  textChanged(uri: vscode.Uri): void;
  /** The server asks for the settings of a file, or of the window. */
  settings(resource: vscode.Uri | undefined): Promise<ServerSettings>;
}

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

  async execute(command: string, args: unknown[]): Promise<unknown> {
    return this.sendRequest(ExecuteCommandRequest.type, { command, arguments: args });
  }

  async text(uri: vscode.Uri): Promise<string> {
    return (await this.sendRequest(TextDocumentContentRequest.type, { uri: uri.toString() })).text;
  }

  /** Tells the server that settings are others; it then asks for those of each file. */
  configure(settings: ServerSettings): Promise<void> {
    return this.sendNotification(DidChangeConfigurationNotification.type, { settings: { nst: settings } });
  }

  private get everRan(): boolean {
    return this.initializeResult !== undefined;
  }
}

export function newClient(server: Found, settings: ServerSettings, channels: Channels, hears: Hears): Client {
  const { command } = server;
  const options = server.elsewhere ? { cwd: ELSEWHERE } : {};
  const client: Client = new Client(
    "nst",
    "nst-lsp",
    { command, args: [...server.args], options, transport: TransportKind.stdio },
    {
      documentSelector: SELECTOR,
      diagnosticCollectionName: "nst",
      outputChannel: channels.log,
      traceOutputChannel: channels.trace,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: settings,
      initializationFailedHandler: () => false,
      markdown: { isTrusted: { enabledCommands: ["nst.openPage"] }, supportThemeIcons: true },
      middleware: {
        ...middleware,
        workspace: {
          configuration: ({ items }) =>
            Promise.all(
              items.map(({ scopeUri }) =>
                hears.settings(scopeUri === undefined ? undefined : client.protocol2CodeConverter.asUri(scopeUri)),
              ),
            ),
        },
      },
      // What a Python process writes to stderr is its log, seldom an error.
      stdioOptions: { stdout: ignore, stderr: (stream) => eachLine(stream, (line) => channels.log.info(line)) },
    } satisfies LanguageClientOptions,
  );
  client.registerFeature(abilities);
  client.onNotification(STATUS, (status: ServerStatus) => hears.status(status));
  client.onRequest(TextDocumentContentRefreshRequest.type, ({ uri }) => hears.textChanged(vscode.Uri.parse(uri, true)));
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Starting) hears.starting();
    if (newState === State.Running) hears.running(client.initializeResult?.serverInfo?.version);
    if (newState === State.Stopped) hears.stopped();
  });
  return client;
}

const abilities: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities) {
    capabilities.workspace = { ...capabilities.workspace, executeCommand: {}, textDocumentContent: {} };
    capabilities.experimental = {
      serverStatusNotification: true,
      workspaceTrust: true,
      diagnosticsInHovers: true,
      commands: { commands: ["nst.showGraph", "nst.openPage"] },
      commandLinks: true,
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
