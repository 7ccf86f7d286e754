/** The extension: a server for the window, its commands, and what makes it start anew. */

import * as path from "node:path";

import * as vscode from "vscode";

import { Comparisons } from "./compare.ts";
import { addExample, switchExample } from "./examples.ts";
import { cursor, GraphDocuments, SCHEME, showGraph } from "./graph.ts";
import { COMMANDS, type FunctionAt } from "./protocol.ts";
import { Interpreters } from "./python.ts";
import { NotRunning, Server } from "./server.ts";
import { whenExampleInReach } from "./start.ts";
import { Status } from "./status.ts";
import { studyCommands } from "./studies.ts";
import { fixFinding, nextFinding, openSample } from "./tour.ts";
import { GraphViews } from "./view/views.ts";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("nst-lsp", { log: true });
  const trace = vscode.window.createOutputChannel("nst-lsp trace", { log: true });
  const status = new Status();
  const interpreters = new Interpreters(log);
  const bundle = context.asAbsolutePath(path.join("bundled", "server.py"));
  const running = (server = new Server(bundle, { log, trace }, status, interpreters));

  const comparisons = new Comparisons(running);
  const views = new GraphViews(running, vscode.Uri.joinPath(context.extensionUri, "images", "icon.png"));
  const commands: Record<string, (where?: FunctionAt) => unknown> = {
    "nst.showGraph": (where) => showGraph(running, where),
    "nst.openPage": (where) => views.open(where),
    "nst.openInBrowser": () => views.openInBrowser(),
    "nst.pinView": () => views.pin(true),
    "nst.followView": () => views.pin(false),
    "nst.addExample": (where) => addExample(running, where),
    "nst.switchExample": (where) => switchExample(running, where),
    "nst.compare": (where) => comparisons.compare(where),
    ...studyCommands(running),
    "nst.nextFinding": () => nextFinding(),
    "nst.fixFinding": () => fixFinding(),
    "nst.openSample": () => openSample(vscode.Uri.joinPath(context.extensionUri, "samples", "first.py")),
    "nst.openWalkthrough": () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", `${context.extension.id}#nst.first`, false),
    "nst.retrace": (where = cursor()) => running.execute(COMMANDS.retrace, where && { uri: where.uri }),
    "nst.doctor": () => showReport(running, log),
    "nst.restart": () => running.restart(),
    "nst.showLogs": () => log.show(),
  };
  for (const [id, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(id, (where?: FunctionAt) => answered(run, where)));
  }

  const graphs = new GraphDocuments(running);
  context.subscriptions.push(
    log,
    trace,
    status,
    interpreters,
    running,
    graphs,
    comparisons,
    views,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, graphs),
    vscode.workspace.onDidGrantWorkspaceTrust(() => running.adapt()),
    // The server is told of its other settings by the client library.
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("nst.path") || change.affectsConfiguration("nst.python")) void running.adapt();
    }),
    interpreters.onDidChange(() => running.adapt()),
    whenExampleInReach(() => running.start()),
  );
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** Runs a command; that there is no server is said, with the way out, and is no error of the command. */
async function answered(run: (where?: FunctionAt) => unknown, where?: FunctionAt): Promise<void> {
  try {
    await run(where);
  } catch (error) {
    if (!(error instanceof NotRunning)) throw error;
    const [restart, logs] = [vscode.l10n.t("Restart"), vscode.l10n.t("Show Logs")];
    const taken = await vscode.window.showWarningMessage(vscode.l10n.t("nst-lsp is not running."), restart, logs);
    if (taken !== undefined) await vscode.commands.executeCommand(taken === restart ? "nst.restart" : "nst.showLogs");
  }
}

async function showReport(running: Server, log: vscode.LogOutputChannel): Promise<void> {
  const { text } = await running.execute<{ text: string }>(COMMANDS.doctor);
  log.info(`Report of the server:\n${text}`);
  log.show();
}
