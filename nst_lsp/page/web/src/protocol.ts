/** What page and host say to each other (docs/page.md). Lines and columns count from 1, in characters, end exclusive. */

export type Span = readonly [line: number, column: number, endLine: number, endColumn: number];

export interface Place {
  /** Index into `Picture.sources`. */
  readonly source: number;
  readonly span: Span;
}

export interface Amount {
  readonly number: number;
  /** The same as an expression in the inputs' sizes, where it follows them. */
  readonly words: string | null;
}

export interface Cost {
  readonly read: Amount;
  readonly written: Amount;
  readonly operations: Amount;
  readonly live: number;
}

export interface GraphCost {
  readonly read: Amount;
  readonly written: Amount;
  readonly operations: Amount;
  readonly peak: number;
  readonly peak_at: string;
  readonly unknown: number;
}

export interface PictureNode {
  readonly name: string;
  /** `input`, `constant`, or the dotted name of the function. */
  readonly operation: string;
  readonly code: string;
  readonly inputs: readonly string[];
  readonly shape: string;
  readonly sizes: string | null;
  readonly values: string | null;
  readonly group: number | null;
  /** The line of the graph's code, from 0. */
  readonly line: number | null;
  readonly place: Place | null;
  readonly cost: Cost | null;
  readonly findings: readonly number[];
}

export type GroupKind = "call" | "loop" | "iteration";

export interface Group {
  readonly kind: GroupKind;
  readonly label: string;
  readonly parent: number | null;
  readonly place: Place | null;
}

export type Severity = "error" | "warning" | "information" | "hint";

export interface Witness {
  readonly arguments: Readonly<Record<string, string>>;
  readonly function: string;
  readonly graph: string;
}

export interface Finding {
  readonly code: string;
  readonly name: string;
  readonly severity: Severity;
  readonly message: string;
  readonly text: string;
  readonly value: string | null;
  readonly count: number;
  readonly place: Place | null;
  readonly nodes: readonly string[];
  readonly witness: Witness | null;
  readonly page: string | null;
}

export interface Guard {
  readonly text: string;
  readonly place: Place | null;
}

export interface Source {
  readonly path: string;
  readonly label: string;
  /** Number of the text's first line. */
  readonly first: number;
  readonly text: string;
}

export interface Reason {
  readonly text: string;
  readonly place: Place | null;
}

export interface ChangedNode {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export interface RemovedNode {
  readonly name: string;
  readonly code: string;
  /** The node that it stood behind. */
  readonly after: string | null;
}

export interface Diff {
  readonly against: string;
  readonly summary: string;
  readonly reasons: readonly Reason[];
  readonly added: readonly string[];
  readonly changed: readonly ChangedNode[];
  readonly removed: readonly RemovedNode[];
}

export interface Picture {
  readonly schema: 1;
  readonly uri: string;
  readonly path: string;
  readonly function: string;
  readonly example: number;
  readonly examples: readonly { readonly index: number; readonly source: string }[];
  readonly functions: readonly { readonly name: string; readonly example: number }[];
  readonly title: string;
  readonly stale: boolean;
  readonly code: string;
  readonly operations: number;
  readonly validFor: string;
  readonly verdict: { readonly kind: "agrees" | "differs" | "unverified"; readonly text: string };
  readonly sources: readonly Source[];
  readonly nodes: readonly PictureNode[];
  readonly groups: readonly Group[];
  readonly outputs: readonly string[];
  /** How many nodes the graph has; of a very large one, not all are in `nodes`. */
  readonly size: number;
  readonly guards: readonly Guard[];
  readonly findings: readonly Finding[];
  readonly cost: GraphCost | null;
  readonly diff: Diff | null;
}

export type Against = "" | "save" | "commit" | "example";
export type ExportFormat = "code" | "dot" | "mermaid" | "json" | "model-explorer" | "html";

export type FromHost =
  | { readonly type: "graph"; readonly picture: Picture }
  | { readonly type: "cursor"; readonly nodes: readonly string[] }
  | { readonly type: "status"; readonly text: string }
  | { readonly type: "exported"; readonly format: ExportFormat; readonly name: string; readonly text: string }
  | { readonly type: "failed"; readonly text: string };

export type ToHost =
  | { readonly type: "ready" }
  | { readonly type: "reveal"; readonly place: Place }
  | { readonly type: "choose"; readonly function: string; readonly example: number }
  | { readonly type: "compare"; readonly against: Against; readonly example?: number }
  | { readonly type: "export"; readonly format: ExportFormat };
