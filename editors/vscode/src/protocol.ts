/** What the server speaks beyond LSP (docs/protocol.md of the project), as far as this extension listens. */

import type { Location, Position } from "vscode-languageclient/node";

/** A function of a file: by name, or by a position inside it. */
export interface FunctionAt {
  readonly uri: string;
  readonly function?: string;
  readonly position?: Position;
  readonly example?: number;
}

/** One of PyTorch's own tracers, and what it is asked about. */
export interface Study extends FunctionAt {
  readonly study: "joint" | "forward" | "backward" | "dynamo" | "export";
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
  readonly interpreters?: readonly RunningInterpreter[];
}

/** What runs the code of a project. */
export interface RunningInterpreter {
  /** The URI of the project's folder. */
  readonly root: string;
  readonly python: string;
  /** For people: `Python 3.11.2 (.venv)`. */
  readonly name: string;
}

/** A function that was traced. */
export interface Traced {
  readonly function: string;
  /** The one that is shown. */
  readonly example: number;
  readonly examples: readonly Example[];
  readonly witnesses: readonly { readonly code: string; readonly arguments: string }[];
}

export interface Example {
  readonly index: number;
  /** The arguments as written. */
  readonly source: string;
  readonly status: "traced" | "partial" | "failed";
  readonly verdict: "agrees" | "differs" | "unverified";
  readonly operations: number | null;
  readonly validFor: string;
}

/** An example to be filled in. */
export interface Template {
  readonly function: string;
  readonly uri: string;
  /** Where the function's `def` begins. */
  readonly head: Position;
  readonly position: Position;
  readonly snippet: string;
}

/** What function and graph made of some arguments; with an error, nothing but that. */
export interface Comparison {
  readonly name: string;
  readonly arguments: string;
  readonly equal: boolean;
  readonly function: string;
  readonly graph: string;
  readonly guards_failed: readonly string[];
  /** Where the trace ended and why, where it did not come to the function's end; else empty. */
  readonly partial: string;
  /** Of these guards. */
  readonly places: readonly (Location | null)[];
  readonly error?: string;
}

/** Commands of the server that we call.  `nst.showGraph` is ours: the server leaves showing to us. */
export const COMMANDS = {
  graph: "nst.graph",
  functions: "nst.functions",
  compare: "nst.compare",
  checkArguments: "nst.checkArguments",
  exampleTemplate: "nst.exampleTemplate",
  switchExample: "nst.switchExample",
  showStudy: "nst.showStudy",
  retrace: "nst.retrace",
  doctor: "nst.doctor",
} as const;

export const STATUS = "experimental/serverStatus";
