/** What the server speaks beyond LSP (docs/protocol.md of the project), as far as this extension listens. */

import type { Position } from "vscode-languageclient/node";

/** A function of a file: by name, or by a position inside it. */
export interface FunctionAt {
  readonly uri: string;
  readonly function?: string;
  readonly position?: Position;
  readonly example?: number;
}

export interface Graph {
  /** Of the virtual document that holds the graph's code. */
  readonly uri: string;
  readonly title: string;
}

export interface ServerStatus {
  readonly health: "ok" | "warning" | "error";
  /** False while something is being traced. */
  readonly quiescent: boolean;
  readonly message?: string | null;
}

/** Commands of the server that we call.  `nst.showGraph` is ours: the server leaves showing to us. */
export const COMMANDS = {
  graph: "nst.graph",
  switchExample: "nst.switchExample",
  retrace: "nst.retrace",
  doctor: "nst.doctor",
} as const;

export const STATUS = "experimental/serverStatus";
