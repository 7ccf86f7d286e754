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
  /** It belongs to the backward: its place is that of what it differentiates. */
  readonly backward: boolean;
  /** The forward keeps its value for the backward. */
  readonly saved: boolean;
  /** The operations of the library's own that it becomes: of PyTorch's, those of ATen. */
  readonly becomes: readonly Primitive[];
}

export interface Primitive {
  /** Of its result, among all of them; "" where there is none. */
  readonly name: string;
  /** `aten.addmm.default`. */
  readonly operation: string;
  readonly code: string;
  readonly inputs: readonly string[];
  readonly shape: string;
}

export type GroupKind = "call" | "module" | "loop" | "iteration" | "part";

export interface Group {
  readonly kind: GroupKind;
  readonly label: string;
  readonly parent: number | null;
  readonly place: Place | null;
  /** Of a module, how the user reaches it; else "". */
  readonly path: string;
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

/** PyTorch's own tracers, and what they are asked for. */
export type StudyKind = "joint" | "forward" | "backward" | "dynamo" | "export";

/** What such a tracer remarks. */
export interface StudyRemark {
  readonly kind: "guard" | "break" | "baked" | "kernel" | "cut" | "stop";
  readonly message: string;
  /** In the user's words; "" where it is about none. */
  readonly condition: string;
  readonly text: string;
  readonly hints: readonly string[];
  readonly count: number;
  readonly place: Place | null;
}

export interface Gradient {
  readonly input: string;
  readonly shape: string;
  readonly reached: boolean;
  /** The node that it is, where the graph has it. */
  readonly node: string | null;
  /** Where it ends. */
  readonly cuts: readonly StudyRemark[];
}

export interface Study {
  readonly kind: StudyKind;
  /** `backward graph`. */
  readonly title: string;
  readonly error: string | null;
  readonly torch: string;
  readonly verdict: string;
  readonly sound: boolean;
  readonly notes: readonly string[];
  readonly remarks: readonly StudyRemark[];
  readonly gradients: readonly Gradient[];
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
  /** What of PyTorch's can be asked about the function. */
  readonly studies: readonly StudyKind[];
  /** What the tracer said whose graph this is; `null` where it is our own trace. */
  readonly study: Study | null;
}

export type Against = "" | "save" | "commit" | "example";
export type ExportFormat = "code" | "dot" | "mermaid" | "json" | "model-explorer" | "html";

export type FromHost =
  | { readonly type: "graph"; readonly picture: Picture }
  | { readonly type: "cursor"; readonly nodes: readonly string[] }
  | { readonly type: "status"; readonly text: string }
  | { readonly type: "exported"; readonly format: ExportFormat; readonly name: string; readonly text: string }
  | { readonly type: "failed"; readonly text: string }
  /** What the page is set to show, of which example, and whether the tracer is being asked. */
  | {
      readonly type: "study";
      readonly study: StudyKind | "";
      readonly example: number | null;
      readonly asking: boolean;
    };

export type ToHost =
  | { readonly type: "ready" }
  | { readonly type: "reveal"; readonly place: Place }
  | { readonly type: "choose"; readonly function: string; readonly example: number }
  | { readonly type: "compare"; readonly against: Against; readonly example?: number }
  | { readonly type: "export"; readonly format: ExportFormat }
  | { readonly type: "study"; readonly study: StudyKind | ""; readonly again?: boolean };
