/**
 * A host for the page alone: serves dist/ under the headers of the real server, and says and hears what a test wants.
 * What does not depend on Python is tested with it; `server.test.ts` has the real server.
 */

import { execFileSync } from "node:child_process";
import { createServer, type Server, type ServerResponse } from "node:http";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import * as path from "node:path";

import type { FromHost, ToHost } from "../src/protocol.ts";
import { variable } from "./browser.ts";

const DIST = path.resolve(import.meta.dirname, "..", "..", "dist");
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};
/** Those of the real server, policy and all. */
const HEADERS = JSON.parse(
  execFileSync(
    variable("PYTHON"),
    ["-c", "import json; from nst_lsp.page.site import HEADERS; print(json.dumps(HEADERS))"],
    { encoding: "utf8" },
  ),
) as Readonly<Record<string, string>>;

export class Host implements AsyncDisposable {
  readonly heard: ToHost[] = [];
  private readonly streams = new Set<ServerResponse>();
  private readonly server: Server;
  private greeting: readonly FromHost[] = [];

  private constructor() {
    this.server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://host");
      if (pathname === "/events") this.connect(response);
      else if (pathname === "/message") {
        let body = "";
        request.on("data", (chunk: Buffer) => (body += chunk.toString()));
        request.on("end", () => {
          this.heard.push(JSON.parse(body) as ToHost);
          response.writeHead(204, HEADERS).end();
        });
      } else void this.file(pathname === "/" ? "/index.html" : pathname, response);
    });
  }

  static async start(): Promise<Host> {
    const host = new Host();
    await new Promise<void>((resolve) => host.server.listen(0, "127.0.0.1", resolve));
    return host;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/?uri=test`;
  }

  /** What each page is told when it connects. */
  greet(...messages: readonly FromHost[]): void {
    this.greeting = messages;
  }

  /** Tells all pages. */
  say(message: FromHost): void {
    for (const stream of this.streams) stream.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stream of this.streams) stream.end();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private connect(response: ServerResponse): void {
    response.writeHead(200, { ...HEADERS, "Content-Type": "text/event-stream" });
    this.streams.add(response);
    response.on("close", () => this.streams.delete(response));
    for (const message of this.greeting) response.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  private async file(pathname: string, response: ServerResponse): Promise<void> {
    const type = TYPES[path.extname(pathname)];
    const content =
      type === undefined ? null : await readFile(path.join(DIST, path.basename(pathname))).catch(() => null);
    if (content === null || type === undefined) response.writeHead(404, HEADERS).end();
    else response.writeHead(200, { ...HEADERS, "Content-Type": type }).end(content);
  }
}
