/** The real server: `nst-lsp` with a client of our own that notes what it is asked to show, and `nst graph --open`. */

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import * as path from "node:path";
import { pathToFileURL } from "node:url";

import { eventually, variable } from "./browser.ts";

/** What `window/showDocument` asks for. */
export interface Shown {
  readonly uri: string;
  readonly external?: boolean;
  readonly selection?: { readonly start: { readonly line: number; readonly character: number } };
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A language client: enough of one to open and save files, and to be shown places. */
export class Editor implements AsyncDisposable {
  readonly shown: Shown[] = [];
  private readonly folder: string;
  private readonly process: ChildProcess;
  private readonly answers = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  private received = Buffer.alloc(0);
  private last = 0;
  private version = 1;

  private constructor(folder: string) {
    this.folder = folder;
    this.process = spawn(variable("PYTHON"), ["-m", "nst_lsp", "server", "--stdio"], {
      cwd: folder,
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.process.stdout!.on("data", (chunk: Buffer) => this.read(chunk));
  }

  static async start(folder: string): Promise<Editor> {
    const editor = new Editor(folder);
    const uri = pathToFileURL(folder).href;
    const capabilities = { window: { showDocument: { support: true }, workDoneProgress: false } };
    await editor.request("initialize", {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: "workspace" }],
      capabilities,
      initializationOptions: { trusted: true },
    });
    editor.notify("initialized", {});
    return editor;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.request("shutdown", null);
    this.notify("exit", null);
    if (this.process.exitCode === null) await once(this.process, "exit");
  }

  async open(name: string, text: string): Promise<void> {
    await writeFile(path.join(this.folder, name), text);
    this.notify("textDocument/didOpen", {
      textDocument: { uri: this.uri(name), languageId: "python", version: this.version, text },
    });
  }

  async save(name: string, text: string): Promise<void> {
    await writeFile(path.join(this.folder, name), text);
    const textDocument = { uri: this.uri(name), version: ++this.version };
    this.notify("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
    this.notify("textDocument/didSave", { textDocument: { uri: textDocument.uri } });
  }

  async execute(command: string, argument: unknown): Promise<unknown> {
    return this.request("workspace/executeCommand", { command, arguments: [argument] });
  }

  /** The address of the page of a function, once there is a graph to show. */
  async page(name: string, qualified: string): Promise<string> {
    let address = "";
    await eventually(async () => {
      const given = { uri: this.uri(name), function: qualified };
      const answer = (await this.execute("nst.openPage", given)) as { url: string } | null;
      assert.ok(answer !== null, `${name} has no graph of ${qualified} yet`);
      address = answer.url;
    });
    return address;
  }

  uri(name: string): string {
    return pathToFileURL(path.join(this.folder, name)).href;
  }

  private request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.last;
    const answer = new Promise((resolve, reject) => this.answers.set(id, { resolve, reject }));
    this.send({ id, method, params });
    return answer;
  }

  private notify(method: string, params: unknown): void {
    this.send({ method, params });
  }

  private send(message: Message): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.process.stdin!.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  }

  private read(chunk: Buffer): void {
    this.received = Buffer.concat([this.received, chunk]);
    for (;;) {
      const end = this.received.indexOf("\r\n\r\n");
      const length = Number(
        /Content-Length: (\d+)/i.exec(this.received.subarray(0, Math.max(end, 0)).toString())?.[1] ?? -1,
      );
      if (end < 0 || this.received.length < end + 4 + length) return;
      const body = this.received.subarray(end + 4, end + 4 + length);
      this.received = this.received.subarray(end + 4 + length);
      this.take(JSON.parse(body.toString()) as Message);
    }
  }

  private take({ id, method, params, result, error }: Message): void {
    if (method === undefined) {
      const answer = this.answers.get(Number(id));
      if (error === undefined) answer?.resolve(result);
      else answer?.reject(new Error(JSON.stringify(error)));
      return;
    }
    if (method === "window/showDocument") this.shown.push(params as Shown);
    if (id === undefined) return;
    const items = (params as { items?: unknown[] } | null)?.items ?? [];
    const answers: Record<string, unknown> = {
      "window/showDocument": { success: true },
      "workspace/configuration": items.map(() => null),
    };
    this.send({ id, result: answers[method] ?? null });
  }
}

/** `nst graph TARGET --open`, until it is disposed of. */
export class Opened implements AsyncDisposable {
  readonly address: string;
  private readonly process: ChildProcess;

  private constructor(address: string, process: ChildProcess) {
    this.address = address;
    this.process = process;
  }

  static async start(target: string, folder: string): Promise<Opened> {
    const environment = { ...process.env, BROWSER: "true" }; // a program that does nothing: we open it ourselves
    const child = spawn(variable("PYTHON"), ["-m", "nst_lsp", "graph", target, "--open"], {
      cwd: folder,
      env: environment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    for await (const chunk of child.stdout!) {
      said += String(chunk);
      const address = /^(http:\S+)$/m.exec(said)?.[1];
      if (address !== undefined) return new Opened(address, child);
    }
    assert.fail(`nst graph ended: ${said}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.kill("SIGINT");
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, "exit");
  }
}
