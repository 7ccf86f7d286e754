/**
 * The interpreter that the user chose for a folder: in the Python Environments extension, else in the Python
 * extension. Neither need be there, and either may come, wake up or change its mind at any time.
 *
 * The first of them tells of changes that are none, and of many at once; whoever listens here hears once of each
 * storm, and has to compare.
 */

import { PVSC_EXTENSION_ID, type PythonExtension } from "@vscode/python-extension";
import { EXTENSION_ID as ENVIRONMENTS_ID, type PythonEnvironmentApi } from "@vscode/python-environments";
import * as vscode from "vscode";

import { Debounced, inTime } from "./later.ts";

const STORM_MILLISECONDS = 2_000;
/** For an extension that looks for interpreters before it answers. */
const PATIENCE_MILLISECONDS = 8_000;

export class Interpreters implements vscode.Disposable {
  private readonly log: vscode.LogOutputChannel;
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly storm = new Debounced(STORM_MILLISECONDS, () => this.changed.fire());
  private readonly watching: vscode.Disposable;
  /** The APIs that are listened to; an extension that is switched off and on again has another. */
  private readonly heard = new WeakSet<object>();
  private readonly listening: vscode.Disposable[] = [];
  readonly onDidChange = this.changed.event;

  constructor(log: vscode.LogOutputChannel) {
    this.log = log;
    this.watching = vscode.extensions.onDidChange(() => this.storm.call());
  }

  /** The interpreter chosen for a file or folder, or for the window. */
  async of(resource?: vscode.Uri): Promise<string | undefined> {
    const ids = [ENVIRONMENTS_ID, PVSC_EXTENSION_ID] as const;
    const answers = await Promise.all(ids.map((id) => this.asked(id, resource)));
    return answers.find((answer) => answer !== undefined);
  }

  dispose(): void {
    vscode.Disposable.from(this.watching, this.storm, this.changed, ...this.listening).dispose();
  }

  private async asked(id: keyof typeof ASK, resource: vscode.Uri | undefined): Promise<string | undefined> {
    const extension = vscode.extensions.getExtension<object | undefined>(id);
    if (extension === undefined) return undefined;
    try {
      return await inTime(this.answer(id, extension, resource), PATIENCE_MILLISECONDS, () => this.storm.call());
    } catch (error) {
      this.log.warn(`${id} did not say which interpreter is chosen: ${error}`);
      return undefined;
    }
  }

  private async answer(
    id: keyof typeof ASK,
    extension: vscode.Extension<object | undefined>,
    resource: vscode.Uri | undefined,
  ): Promise<string | undefined> {
    const api = await extension.activate();
    if (api === undefined) return undefined; // it is there, and its own settings switch it off
    const { listen, ask } = ASK[id];
    if (!this.heard.has(api)) {
      this.heard.add(api);
      this.listening.push(listen(api, () => this.storm.call()));
    }
    return ask(api, resource);
  }
}

interface Asking {
  listen(api: object, changed: () => void): vscode.Disposable;
  ask(api: object, resource: vscode.Uri | undefined): Promise<string | undefined>;
}

const ASK = {
  [ENVIRONMENTS_ID]: {
    listen: (api, changed) => (api as PythonEnvironmentApi).onDidChangeEnvironment(changed),
    async ask(api, resource) {
      const environment = await (api as PythonEnvironmentApi).getEnvironment(resource);
      const run = environment?.execInfo.run;
      // One that is started by another program, with arguments, is no interpreter that we could start.
      return run === undefined || (run.args ?? []).length > 0 ? undefined : run.executable;
    },
  },
  [PVSC_EXTENSION_ID]: {
    listen: (api, changed) => (api as PythonExtension).environments.onDidChangeActiveEnvironmentPath(changed),
    async ask(api, resource) {
      const { ready, environments } = api as PythonExtension;
      await ready;
      const chosen = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(resource));
      return chosen?.executable.uri?.fsPath;
    },
  },
} satisfies Record<string, Asking>;
