/** The one running server: started, stopped and started anew, one step at a time. */

import * as vscode from "vscode";
import {
  DidChangeConfigurationNotification,
  ExecuteCommandRequest,
  State,
  TextDocumentContentRefreshRequest,
  TextDocumentContentRequest,
} from "vscode-languageclient/node";

import { newClient, type Client } from "./client.ts";
import { findServer, type Found, type Missing } from "./find.ts";
import { disk } from "./look.ts";
import { STATUS, type ServerStatus } from "./protocol.ts";
import type { Status } from "./status.ts";
import { circumstances, serverSettings } from "./window.ts";

const STOP_WITHIN_MILLISECONDS = 10_000;

export class NotRunning extends Error {}

export class Server implements vscode.Disposable {
  private readonly log: vscode.LogOutputChannel;
  private readonly status: Status;
  private client: Client | undefined;
  private started: Found | undefined;
  private turn = Promise.resolve();
  private queued: Promise<void> | undefined;
  private readonly changed = new vscode.EventEmitter<vscode.Uri | undefined>();
  /** A virtual document has a new text; without a URI: all of them, as another server is there. */
  readonly onDidChangeText = this.changed.event;

  constructor(log: vscode.LogOutputChannel, status: Status) {
    this.log = log;
    this.status = status;
  }

  /** Stops what runs and starts what is found now.  Calls that come while one is waiting share it. */
  restart(): Promise<void> {
    this.queued ??= this.next(async () => {
      this.queued = undefined;
      await this.stopNow();
      await this.startNow();
    });
    return this.queued;
  }

  stop(): Promise<void> {
    return this.next(() => this.stopNow());
  }

  /** The window's settings, trust or interpreter changed: tells the server, or starts the right one. */
  async adapt(): Promise<void> {
    const found = await findServer(await circumstances(), disk);
    if (!this.client?.isRunning() || !sameProgram(found, this.started)) return this.restart();
    const settings = { nst: await serverSettings() };
    await this.client.sendNotification(DidChangeConfigurationNotification.type, { settings });
  }

  /** Runs a command of the server. */
  async execute<Result>(command: string, ...args: unknown[]): Promise<Result> {
    if (!this.client?.isRunning()) throw new NotRunning();
    return (await this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args })) as Result;
  }

  /** The text of one of the server's virtual documents, once the server is up. */
  async text(uri: vscode.Uri): Promise<string> {
    await this.turn;
    if (!this.client?.isRunning()) throw new NotRunning();
    return (await this.client.sendRequest(TextDocumentContentRequest.type, { uri: uri.toString() })).text;
  }

  dispose(): void {
    this.changed.dispose();
  }

  private next(step: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(step, step);
    return this.turn;
  }

  private async startNow(): Promise<void> {
    this.status.starting();
    const found = await findServer(await circumstances(), disk);
    if ("looked" in found) return this.notFound(found);

    this.log.info(`Starting ${commandLine(found)} (${found.because})`);
    const client = newClient(found, await serverSettings(), this.log);
    client.onNotification(STATUS, (status: ServerStatus) => this.status.says(status));
    client.onRequest(TextDocumentContentRefreshRequest.type, ({ uri }) =>
      this.changed.fire(vscode.Uri.parse(uri, true)),
    );
    client.onDidChangeState(({ newState }) => this.show(newState, client));
    [this.client, this.started] = [client, found];
    try {
      await client.start();
    } catch (error) {
      this.status.stopped(vscode.l10n.t("could not be started"));
      this.log.error(`The server could not be started: ${error}`);
      void this.complain(vscode.l10n.t("nst-lsp could not be started: {0}", commandLine(found)));
    }
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    [this.client, this.started] = [undefined, undefined];
    try {
      await client?.dispose(STOP_WITHIN_MILLISECONDS);
    } catch (error) {
      this.log.warn(`The server did not stop as it should: ${error}`);
    }
  }

  private show(state: State, client: Client): void {
    if (client !== this.client) return;
    if (state === State.Starting) this.status.starting();
    if (state === State.Running) this.status.running(client.initializeResult?.serverInfo?.version);
    if (state === State.Stopped) this.status.stopped(vscode.l10n.t("stopped"));
    this.changed.fire(undefined);
  }

  private notFound({ configured, looked }: Missing): void {
    const reason =
      configured === undefined
        ? vscode.l10n.t(
            "The language server nst-lsp was not found. Install it into the project's environment (pip install nst-lsp), or set nst.path to it; then restart.",
          )
        : vscode.l10n.t("The setting nst.path says {0}, and there is no such program. Mend or empty it.", configured);
    this.status.stopped(vscode.l10n.t("not found"));
    this.log.error(`${reason} Looked for:\n${looked.map((place) => `  ${place}`).join("\n")}`);
    void this.complain(reason);
  }

  private async complain(message: string): Promise<void> {
    const taken = await vscode.window.showErrorMessage(message, ...offers());
    if (taken !== undefined) await vscode.commands.executeCommand(taken.command, ...(taken.arguments ?? []));
  }
}

/** Buttons of a message about a server that is not there, with what they do. */
function offers(): (vscode.MessageItem & vscode.Command)[] {
  // Paths are of the machine that the extension runs on, and have a tab of their own where that is a remote one.
  const settings =
    vscode.env.remoteName === undefined ? "workbench.action.openSettings" : "workbench.action.openRemoteSettings";
  return [
    { title: vscode.l10n.t("Set nst.path"), command: settings, arguments: [{ query: "@id:nst.path" }] },
    { title: vscode.l10n.t("Restart"), command: "nst.restart", arguments: [] },
    { title: vscode.l10n.t("Show Logs"), command: "nst.showLogs", arguments: [] },
  ];
}

function commandLine({ command, args }: Found): string {
  return [command, ...args].join(" ");
}

function sameProgram(found: Found | Missing, started: Found | undefined): boolean {
  return "command" in found && started !== undefined && commandLine(found) === commandLine(started);
}
