/** The server's side of a graph page (docs/page.md of the project), over HTTP on the loopback address. */

import * as http from "node:http";
import { buffer, text } from "node:stream/consumers";

/** Commands of the server: the address of a function's page, and where the cursor is. */
export const OPEN_PAGE = "nst.openPage";
export const CURSOR = "nst.cursor";

/** What a page is about. */
export interface Subject {
  readonly uri: string;
  readonly function: string;
  /** The tracer of PyTorch's whose graph is wanted; missing or "" for our own trace. */
  readonly study?: string;
}

/** The page as one text for a webview, in which what bears the nonce may run. */
export async function pageFor(page: URL, nonce: string): Promise<string> {
  const address = new URL("webview", page);
  address.search = new URLSearchParams({ nonce }).toString();
  return text(await answer(address, {}));
}

/**
 * Begins to listen for a page, whose name is in the address: from then on the server knows it. What it is told comes as
 * JSON that was not read.
 */
export async function listen(address: URL, signal: AbortSignal): Promise<AsyncGenerator<Uint8Array>> {
  return messages(await answer(address, { signal, headers: { accept: "text/event-stream" } }));
}

async function* messages(stream: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  for await (const line of lines(stream)) {
    // A Buffer cannot be posted to a webview.
    if (line.subarray(0, DATA.length).equals(DATA)) yield new Uint8Array(line.subarray(DATA.length));
  }
}

/** Says something for a page. */
export async function post(page: URL, name: string, message: unknown): Promise<void> {
  const address = new URL("message", page);
  address.search = new URLSearchParams({ page: name }).toString();
  const headers = { "content-type": "application/json", origin: address.origin };
  await buffer(await answer(address, { method: "POST", headers }, JSON.stringify(message)));
}

const DATA = Buffer.from("data: ");
const NEWLINE = 10;

/** Rejects with what the server says where it refuses. */
async function answer(address: URL, options: http.RequestOptions, body?: string): Promise<http.IncomingMessage> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) =>
    http.request(address, options, resolve).on("error", reject).end(body),
  );
  if (response.statusCode === undefined || response.statusCode >= 300) throw new Error(await text(response));
  return response;
}

/** The lines of a stream; a picture is one of several megabytes, so no byte is looked at twice. */
async function* lines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (let chunk of stream) {
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE)) {
      yield Buffer.concat([...begun, chunk.subarray(0, end)]);
      [begun, chunk] = [[], chunk.subarray(end + 1)];
    }
    begun.push(chunk);
  }
}
