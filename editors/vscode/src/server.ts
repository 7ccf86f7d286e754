/**
 * The one running server: started when it is first wanted, stopped and started anew, one step at a time.
 *
 * Whatever may call for another server (a command, a setting, an interpreter, trust) asks for the same step; while one
 * is under way the next waits, and all that ask meanwhile share it. The step looks at what there is now, and leaves
 * what runs alone if it is still the right server with the right settings.
 */

import * as vscode from "vscode";

import type { Channels, Client } from "./client.ts";
import { findServer, type Found, type Missing } from "./find.ts";
import { disk } from "./look.ts";
import type { Interpreters } from "./python.ts";
import type { Status } from "./status.ts";
import { circumstances, serverSettings, surroundings } from "./window.ts";

const STOP_WITHIN_MILLISECONDS = 10_000;

export class NotRunning extends Error {}

export class Server implements vscode.Disposable {
  private readonly bundle: string;
  private readonly channels: Channels;
  private readonly status: Status;
  private readonly interpreters: Interpreters;
  private client: Client | undefined;
  private started: Found | undefined;
  /** The surroundings that the server was last told of. */
  private told = "";
  private wanted = false;
  private turn = Promise.resolve();
  private queued: Promise<void> | undefined;
  private anew = false;
  private readonly changed = new vscode.EventEmitter<vscode.Uri | undefined>();
  /** A virtual document has a new text; without a URI: all of them, as another server is there. */
  readonly onDidChangeText = this.changed.event;

  /** `bundle` is the script that starts the server which the extension carries. */
  constructor(bundle: string, channels: Channels, status: Status, interpreters: Interpreters) {
    this.bundle = bundle;
    this.channels = channels;
    this.status = status;
    this.interpreters = interpreters;
  }

  /** Starts the server unless that was done; returns when it runs, or cannot. */
  async start(): Promise<void> {
    if (!this.wanted) return this.restart();
    await this.turn;
  }

  /** Stops what runs, and starts what is found now. */
  restart(): Promise<void> {
    this.wanted = true;
    this.anew = true;
    return this.settle();
  }

  /** Settings, trust or an interpreter may have changed: sees to it that the right server runs, and knows them. */
  async adapt(): Promise<void> {
    if (this.wanted) await this.settle();
  }

  stop(): Promise<void> {
    this.wanted = false;
    return this.next(() => this.stopNow());
  }

  /** Runs a command of the server. */
  async execute<Result>(command: string, ...args: unknown[]): Promise<Result> {
    return (await (await this.running()).execute(command, args)) as Result;
  }

  /** The text of one of the server's virtual documents. */
  async text(uri: vscode.Uri): Promise<string> {
    return (await this.running()).text(uri);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async running(): Promise<Client> {
    await this.start();
    if (!this.client?.isRunning()) throw new NotRunning();
    return this.client;
  }

  private settle(): Promise<void> {
    this.queued ??= this.next(async () => {
      const { anew } = this;
      [this.queued, this.anew] = [undefined, false];
      const found = await findServer(await circumstances(this.bundle, this.interpreters), disk);
      if (anew || !this.client?.isRunning() || !isSame(found, this.started)) {
        await this.stopNow();
        await this.startNow(found);
      } else {
        await this.tell(this.client);
      }
    });
    return this.queued;
  }

  private next(step: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(step, step);
    return this.turn;
  }

  private async startNow(found: Found | Missing): Promise<void> {
    this.status.starting();
    if ("looked" in found) return this.notFound(found);

    this.channels.log.info(`Starting ${commandLine(found)} (${found.because})`);
    const { newClient } = await import("./client.ts");
    const told = await surroundings(this.interpreters);
    const client: Client = newClient(found, await serverSettings(this.interpreters), this.channels, {
      starting: () => this.show(client, () => this.status.starting()),
      running: (version) => this.show(client, () => this.status.running(version)),
      stopped: () => this.show(client, () => this.status.stopped(vscode.l10n.t("stopped"))),
      status: (status) => this.status.says(status),
      textChanged: (uri) => this.changed.fire(uri),
      settings: (resource) => serverSettings(this.interpreters, resource),
    });
    [this.client, this.started, this.told] = [client, found, told];
    try {
      await client.start();
    } catch (error) {
      this.status.stopped(vscode.l10n.t("could not be started"));
      this.channels.log.error(`The server could not be started: ${error}`);
      void this.complain(vscode.l10n.t("nst-lsp could not be started: {0}", commandLine(found)));
    }
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    [this.client, this.started] = [undefined, undefined];
    try {
      await client?.dispose(STOP_WITHIN_MILLISECONDS);
    } catch (error) {
      this.channels.log.warn(`The server did not stop as it should: ${error}`);
    }
  }

  private async tell(client: Client): Promise<void> {
    const now = await surroundings(this.interpreters);
    if (now === this.told) return;
    this.told = now;
    await client.configure(await serverSettings(this.interpreters));
  }

  private show(client: Client, state: () => void): void {
    if (client !== this.client) return;
    state();
    this.changed.fire(undefined);
  }

  private notFound({ configured, looked }: Missing): void {
    const reason =
      configured === undefined
        ? vscode.l10n.t(
            "nst-lsp needs Python 3.11 or newer to run its server, and found none; your own code may keep an older one. Install it, choose such an interpreter, or set nst.path to an installed nst-lsp; then restart.",
          )
        : vscode.l10n.t("The setting nst.path says {0}, and there is no such program. Mend or empty it.", configured);
    this.status.stopped(vscode.l10n.t("not found"));
    this.channels.log.error(`${reason} Looked for:\n${looked.map((place) => `  ${place}`).join("\n")}`);
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

/** Whether what runs can stay; that another Python would now run the extension's own server is no reason to stop it. */
function isSame(found: Found | Missing, started: Found | undefined): boolean {
  if (!("command" in found) || started === undefined) return false;
  return commandLine(found) === commandLine(started) || (found.carried === true && started.carried === true);
}
