/**
 * One graph view: a webview with the server's graph page, and the server's stream of events.
 *
 * The page says `ready` whenever it is made: when the view is opened, when it comes into sight again, as the workbench
 * keeps no hidden page, and after a reload of the window. A stream then begins with the newest picture. When the server
 * goes, the page stays as it is and says so, and the view asks for the next server's page, which is mostly the same.
 */

import { randomBytes } from "node:crypto";
import * as path from "node:path";
import { setTimeout } from "node:timers/promises";
import * as vscode from "vscode";

import { NotRunning, type Server } from "../server.ts";
import { listen, OPEN_PAGE, pageFor, post, type Subject } from "./wire.ts";

/** What a view finds in its state when it is made anew. */
export interface About extends Subject {
  readonly pinned: boolean;
}

/** What the page says (docs/page.md); all but these goes to the server. */
type Said =
  | { readonly type: "ready" }
  | { readonly type: "save"; readonly name: string; readonly content: Uint8Array }
  | { readonly type: "copy"; readonly text: string }
  | { readonly type: "open"; readonly address: string }
  | { readonly type: "choose"; readonly function: string }
  | { readonly type: "study"; readonly study: string }
  | { readonly type: "compare" }
  | { readonly type: "reveal" | "export" };

/** Until a server that went is looked for again. */
const PAUSE_MILLISECONDS = 1_000;

interface Stream {
  readonly page: URL;
  /** By which the server knows the page; it shows what it was begun with. */
  readonly name: string;
  readonly end: AbortController;
}

export class GraphView {
  readonly panel: vscode.WebviewPanel;
  private readonly server: Server;
  private now: About;
  private readonly nonce = randomBytes(24).toString("base64url");
  /** The server's page, while there is a server. */
  private page: URL | undefined;
  private stream: Stream | undefined;
  /** The comparison that the page asked for last, to be asked for again in another stream. */
  private comparison: Said | undefined;
  /** How often the server was asked for its page; only the latest answer counts. */
  private asked = 0;
  private posted = Promise.resolve();
  private readonly changed = new vscode.EventEmitter<void>();
  /** It shows another function, or is pinned, or is not any more. */
  readonly onDidChange = this.changed.event;

  constructor(server: Server, panel: vscode.WebviewPanel, about: About) {
    this.server = server;
    this.panel = panel;
    this.now = about;
    panel.webview.options = { enableScripts: true, localResourceRoots: [] };
    panel.webview.onDidReceiveMessage((said: Said) => this.hear(said));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) this.endStream();
    });
    const listening = server.onDidChangeText((uri) => {
      if (uri === undefined) void this.meetServer();
    });
    panel.onDidDispose(() => {
      this.asked += 1;
      this.endStream();
      vscode.Disposable.from(listening, this.changed).dispose();
    });
    this.entitle();
    void this.load();
  }

  get about(): About {
    return this.now;
  }

  /** The address of what it shows, for a browser; whoever has it may see what the view shows. */
  get address(): string | undefined {
    return this.page && addressOf(this.page, "./", this.now).href;
  }

  shows({ uri, function: name }: Subject): boolean {
    return this.now.uri === uri && this.now.function === name;
  }

  /** Shows another function, or what is wanted of it: as long as it is the same, what the page shows of it stays. */
  show(wanted: Subject): void {
    const { uri, function: name, study = "" } = wanted;
    if (this.shows(wanted) && (study === "" || study === this.now.study)) return;
    this.become({ uri, function: name, study });
    if (this.stream !== undefined) this.listen(this.stream.page);
  }

  pin(pinned: boolean): void {
    this.become({ pinned });
  }

  private become(changed: Partial<About>): void {
    this.now = { ...this.now, ...changed };
    this.entitle();
    this.tell({ type: "about", about: this.now });
    this.changed.fire();
  }

  private entitle(): void {
    const { function: name, pinned } = this.now;
    this.panel.title = pinned ? vscode.l10n.t("Graph: {0} (pinned)", name) : vscode.l10n.t("Graph: {0}", name);
  }

  // ---- the server and its page -----------------------------------------------------------------------

  /** Gets the page from the server that there is now, and shows it where it is another one. */
  private async load(): Promise<void> {
    const asked = ++this.asked;
    const { uri, function: name } = this.now;
    try {
      await open(uri);
      const opened = await this.server.execute<{ url: string }>(OPEN_PAGE, { uri, function: name });
      const page = new URL(opened.url);
      const html = await pageFor(page, this.nonce);
      if (asked !== this.asked) return;
      this.page = page;
      if (this.panel.webview.html === html) this.listen(page);
      else this.panel.webview.html = html; // which says that it is ready
    } catch (error) {
      if (asked === this.asked) this.miss(error);
    }
  }

  /** A server starts, runs or stops. */
  private async meetServer(): Promise<void> {
    this.endStream();
    this.page = undefined;
    if (this.panel.visible) await this.load();
  }

  /** There is no page, or no server any more; the next server is told of by `onDidChangeText`. */
  private miss(error: unknown): void {
    const reason =
      error instanceof NotRunning
        ? vscode.l10n.t("nst-lsp is not running; the view goes on when it is")
        : wordsOf(error);
    const { webview } = this.panel;
    if (webview.html === "" || webview.html.startsWith(NO_PAGE)) webview.html = instead(reason);
    else this.tell({ type: "status", text: reason });
  }

  /** Begins to carry what the server tells, about what is to be shown now. */
  private listen(page: URL): void {
    this.endStream();
    const stream = { page, name: randomBytes(12).toString("hex"), end: new AbortController() };
    this.stream = stream;
    void this.carry(stream);
  }

  private endStream(): void {
    this.stream?.end.abort();
    this.stream = undefined;
  }

  private async carry(stream: Stream): Promise<void> {
    const { signal } = stream.end;
    try {
      const messages = await listen(addressOf(stream.page, "events", this.now, stream.name), signal);
      this.tell({ type: "status", text: "" });
      if (this.comparison !== undefined) this.say(this.comparison);
      for await (const data of messages) this.tell({ type: "event", data });
    } catch (error) {
      if (!signal.aborted) this.fail(error);
    }
    if (signal.aborted) return;
    this.tell({ type: "status", text: vscode.l10n.t("the server has gone; it is waited for") });
    await setTimeout(PAUSE_MILLISECONDS);
    if (!signal.aborted && this.panel.visible) await this.load();
  }

  // ---- what the page says ----------------------------------------------------------------------------

  private hear(said: Said): void {
    switch (said.type) {
      case "ready":
        this.tell({ type: "about", about: this.now });
        if (this.page === undefined) void this.load();
        else this.listen(this.page);
        return;
      case "save":
        void this.save(said.name, said.content).catch((error: unknown) => this.fail(error));
        return;
      case "copy":
        void vscode.env.clipboard.writeText(said.text);
        return;
      case "open":
        if (this.page !== undefined)
          void vscode.env.openExternal(vscode.Uri.parse(new URL(said.address, this.page).href));
        return;
      case "choose": // of another function nothing was asked
        this.become({ function: said.function, ...(said.function === this.now.function ? {} : { study: "" }) });
        break;
      case "study":
        this.become({ study: said.study });
        break;
      case "compare":
        this.comparison = said;
    }
    this.say(said);
  }

  /** To the server, one message after the other; without one nothing can be asked for. */
  private say(said: Said): void {
    const { stream } = this;
    if (stream === undefined) return this.fail(new NotRunning(vscode.l10n.t("nst-lsp is not running.")));
    this.posted = this.posted
      .then(() => post(stream.page, stream.name, said))
      .catch((error: unknown) => {
        if (!stream.end.signal.aborted) this.fail(error);
      });
  }

  private async save(name: string, content: Uint8Array): Promise<void> {
    const file = vscode.Uri.parse(this.now.uri, true);
    const folder =
      file.scheme === "file" ? vscode.Uri.joinPath(file, "..") : vscode.workspace.workspaceFolders?.[0]?.uri;
    const suggested = name.replaceAll(/[^\w.-]+/g, "_");
    const chosen = await vscode.window.showSaveDialog(
      folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, suggested) },
    );
    if (chosen === undefined) return;
    await vscode.workspace.fs.writeFile(chosen, content);
    vscode.window.setStatusBarMessage(vscode.l10n.t("The graph was written to {0}", path.basename(chosen.path)), 5_000);
  }

  // ---- what the page is told -------------------------------------------------------------------------

  private fail(error: unknown): void {
    this.tell({ type: "failed", text: wordsOf(error) });
  }

  private tell(message: object): void {
    void this.panel.webview.postMessage(message);
  }
}

/** The server traces what is open; a tab that was not looked at since the window was made is not. */
async function open(uri: string): Promise<void> {
  try {
    await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  } catch {
    // It is gone, and the page says so.
  }
}

function addressOf(page: URL, part: string, { uri, function: name, study = "" }: Subject, as?: string): URL {
  const address = new URL(part, page);
  const about = { uri, function: name, ...(study === "" ? {} : { study }), ...(as === undefined ? {} : { page: as }) };
  address.search = new URLSearchParams(about).toString();
  return address;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** In the place of a page that cannot be had yet. */
const NO_PAGE = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'">`;

function instead(text: string): string {
  return `${NO_PAGE}<p>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`;
}
