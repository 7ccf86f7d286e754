/**
 * Who the page talks to: a server (in a browser), an editor (in a webview of Visual Studio Code), or nobody (in a
 * single file that holds its picture). The rest of the page sees none of the difference.
 */

import type { FromHost, Picture, ToHost } from "./protocol.ts";

export interface Host {
  /** Whether messages are answered. */
  readonly live: boolean;
  post(message: ToHost): void;
  onMessage(listener: (message: FromHost) => void): void;
  /** What the page wants to find again when it is loaded anew. */
  getState(): unknown;
  setState(state: unknown): void;
  /** The layout worker. */
  startWorker(): Worker;
  /** Hands a file to the person. */
  save(name: string, content: Blob): void;
  /** Puts a text on the clipboard. Rejects where the person forbade it. */
  copy(text: string): Promise<void>;
  /** Whether an editor shows the page among its own panes, in its own colours. */
  readonly embedded: boolean;
}

/** What an editor does itself of what the page asks for (docs/page.md). */
type ToEditor =
  | ToHost
  | { readonly type: "save"; readonly name: string; readonly content: Uint8Array }
  | { readonly type: "copy"; readonly text: string }
  | { readonly type: "open"; readonly address: string };

type FromEditor =
  | FromHost
  | { readonly type: "event"; readonly data: Uint8Array<ArrayBuffer> }
  | { readonly type: "about"; readonly about: unknown };

interface CodeApi {
  postMessage(message: ToEditor): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi(): CodeApi;
}

export function connect(): Host {
  if (document.getElementById("picture") !== null) return fileHost();
  return typeof acquireVsCodeApi === "function" ? codeHost(acquireVsCodeApi()) : browserHost();
}

function browserHost(): Host {
  // Two tabs never share a name, and a page that is loaded again is a new one.
  const page = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  const about = new URLSearchParams(location.search);
  const listeners: ((message: FromHost) => void)[] = [];
  const tell = (message: FromHost) => listeners.forEach((listener) => listener(message));
  const key = `nst-page ${about.get("uri")}`;
  return {
    live: true,
    post(message) {
      if (message.type === "choose" && message.function !== about.get("function")) {
        about.set("function", message.function);
        about.delete("study"); // of another function nothing was asked
      }
      if (message.type === "study") about.set("study", message.study);
      history.replaceState(null, "", `?${about}`);
      send(page, message).catch(() => tell({ type: "failed", text: "The server does not answer." }));
    },
    onMessage(listener) {
      listeners.push(listener);
      if (listeners.length === 1) listen(`events?${new URLSearchParams([["page", page], ...about])}`, tell);
    },
    getState: () => JSON.parse(sessionStorage.getItem(key) ?? "null") as unknown,
    setState: (state) => sessionStorage.setItem(key, JSON.stringify(state)),
    startWorker: () => new Worker("worker.js", { name: "layout" }),
    ...ofBrowser,
  };
}

/** The server knows a page once it listens. */
let listening: () => void;
/** Each message is posted once the one before it was taken, so that they arrive in their order. */
let posted: Promise<unknown> = new Promise<void>((resolve) => (listening = resolve));

function send(page: string, message: ToHost): Promise<void> {
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(message) };
  const sent = posted
    .catch(() => undefined)
    .then(() => fetch(`message?page=${page}`, request))
    .then((response) => {
      if (!response.ok) throw new Error(`${response.status}`);
    });
  posted = sent;
  return sent;
}

/** A connection that breaks is made again by the browser; until then the picture stays, and the page says so. */
function listen(address: string, tell: (message: FromHost) => void): void {
  const events = new EventSource(address);
  let gone = false;
  events.addEventListener("message", (event: MessageEvent<string>) => tell(JSON.parse(event.data) as FromHost));
  events.addEventListener("open", () => {
    listening();
    if (gone) tell({ type: "status", text: "" });
    gone = false;
  });
  events.addEventListener("error", () => {
    gone = true;
    tell({ type: "status", text: "the server has gone" });
  });
}

function codeHost(api: CodeApi): Host {
  // An editor that makes the page anew finds both in its state: what the page keeps, and what the editor knows it by.
  const kept = { page: null as unknown, about: null as unknown, ...(api.getState() as object | null) };
  const keep = (changed: Partial<typeof kept>) => api.setState(Object.assign(kept, changed));
  const utf8 = new TextDecoder();
  // Addresses in a picture begin at the server's page: only the editor knows where that is.
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (link === null) return;
    event.preventDefault();
    event.stopPropagation();
    api.postMessage({ type: "open", address: link.getAttribute("href")! });
  });
  return {
    live: true,
    post: (message) => api.postMessage(message),
    onMessage: (listener) =>
      addEventListener("message", ({ data, origin }: MessageEvent<FromEditor>) => {
        if (origin !== window.origin) return; // the editor speaks through a frame around the page, which has its origin
        if (data.type === "about") keep({ about: data.about });
        else listener(data.type === "event" ? (JSON.parse(utf8.decode(data.data)) as FromHost) : data);
      }),
    getState: () => kept.page,
    setState: (page) => keep({ page }),
    startWorker: embeddedWorker,
    save: (name, content) =>
      void content
        .arrayBuffer()
        .then((bytes) => api.postMessage({ type: "save", name, content: new Uint8Array(bytes) })),
    copy: async (text) => api.postMessage({ type: "copy", text }),
    embedded: true,
  };
}

/** What every browser does with files and texts. */
const ofBrowser = {
  save(name: string, content: Blob): void {
    const address = URL.createObjectURL(content);
    const link = document.createElement("a");
    [link.href, link.download] = [address, name];
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  },
  copy: (text: string): Promise<void> => navigator.clipboard.writeText(text),
  embedded: false,
};

function fileHost(): Host {
  const picture = JSON.parse(document.getElementById("picture")?.textContent ?? "null") as Picture;
  let state: unknown = null;
  return {
    live: false,
    post: () => undefined,
    onMessage: (listener) => queueMicrotask(() => listener({ type: "graph", picture })),
    getState: () => state,
    setState: (changed) => (state = changed),
    startWorker: embeddedWorker,
    ...ofBrowser,
  };
}

/** A worker whose text stands in the page: there is no address that it could be loaded from. */
function embeddedWorker(): Worker {
  const text = document.getElementById("worker")?.textContent ?? "";
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const worker = new Worker(address, { name: "layout" });
  URL.revokeObjectURL(address);
  return worker;
}
