/** What is written on a box, and how large it gets: pure but for the measure of text, which is passed in. */

import type { Severity } from "./protocol.ts";
import { isGroup, isOperation, sizeOf, type Item, type Tree } from "./tree.ts";
import type { Remark } from "./remarks.ts";
import { bytes, oneLine, operations, shortened } from "./text.ts";
import type { View } from "./view.ts";

export type Shape = "input" | "constant" | "operation" | "group" | "return" | Remark["kind"];
export type Font = "title" | "code" | "note";
export type Measure = (text: string, font: Font) => number;

export interface Card {
  readonly item: Item;
  readonly shape: Shape;
  readonly title: string;
  /** Beside the title: what is done, or how much there is. */
  readonly note: string;
  /** The second line; empty where there is none. */
  readonly code: string;
  /** The third line: the cost, when it is asked for. */
  readonly cost: string;
  /** dtype and shape of what leaves the box, written on its edges. */
  readonly tag: string;
  readonly output: boolean;
  /** It belongs to a backward. */
  readonly backward: boolean;
  /** It is kept for the backward. */
  readonly saved: boolean;
  /** The gravest finding, and how many there are. */
  readonly finding: { readonly severity: Severity; readonly count: number } | null;
  readonly change: "added" | "changed" | null;
  /** Of the drawn box; the tag lies below it, `tagHeight` high. */
  readonly width: number;
  readonly height: number;
  readonly tagHeight: number;
}

export const TAG_HEIGHT = 25;
const ROW = 16;
const PADDING = { x: 12, y: 6 };
const GAP = 10;
const TITLE = 30;
const CODE = 38;

export function cardsOf(view: View, measure: Measure, showCost: boolean): Card[] {
  const leaving = tagsOf(view);
  const outputs = new Set(view.tree.picture.outputs);
  return view.boxes.map((item, index) => cardOf(view.tree, item, leaving[index]!, outputs, measure, showCost));
}

function cardOf(
  tree: Tree,
  item: Item,
  tag: string,
  outputs: ReadonlySet<string>,
  measure: Measure,
  showCost: boolean,
): Card {
  const words = wordsOf(tree, item);
  const cost = showCost ? costOf(item) : "";
  const first = measure(words.title, "title") + (words.note === "" ? 0 : GAP + measure(words.note, "note"));
  const chevron = isGroup(item) ? 18 : 0;
  const widest = Math.max(first + chevron, measure(words.code, "code"), measure(cost, "note"));
  const rows = 1 + Number(words.code !== "") + Number(cost !== "");
  const node = tree.picture.nodes[item.index];
  return {
    item,
    ...words,
    cost,
    tag,
    output: node !== undefined && outputs.has(node.name),
    backward: node?.backward === true,
    saved: node?.saved === true,
    finding: findingOf(tree, item),
    change:
      item.sum.added > 0
        ? isGroup(item) && item.sum.added < item.sum.nodes
          ? "changed"
          : "added"
        : item.sum.changed > 0
          ? "changed"
          : null,
    width: Math.ceil(
      Math.max(widest, measure(tag, "note") - 4) +
        2 * PADDING.x +
        (words.shape === "constant" ? 8 : words.shape === "guard" ? 12 : 0),
    ),
    height: rows * ROW + 2 * PADDING.y,
    tagHeight: tag === "" ? 0 : TAG_HEIGHT,
  };
}

function wordsOf(tree: Tree, item: Item): Pick<Card, "shape" | "title" | "note" | "code"> {
  const node = tree.picture.nodes[item.index];
  if (node === undefined) {
    if (item.remark !== null) return remarkWords(item.remark);
    if (!isGroup(item)) return { shape: "return", title: "return", note: "", code: "" };
    return { shape: "group", title: shortened(oneLine(item.label), TITLE), note: sizeOf(item), code: "" };
  }
  const title = shortened(oneLine(node.name), TITLE);
  if (node.operation === "input")
    return { shape: "input", title, note: node.backward ? "gradient" : "input", code: "" };
  const code = shortened(oneLine(called(expression(node.code, node.name))), CODE);
  if (!isOperation(node)) return { shape: "constant", title, note: "", code: `= ${code}` };
  const note = shortened(oneLine(item.module || operationName(node.operation)), TITLE);
  return { shape: "operation", title, note, code };
}

const SIGNS = { guard: "", effect: "", cut: "✂ ", break: "⚡ " } as const;

function remarkWords({ kind, text, says }: Remark): Pick<Card, "shape" | "title" | "note" | "code"> {
  return { shape: kind, title: SIGNS[kind] + shortened(oneLine(text), TITLE), note: "", code: shortened(says, CODE) };
}

/** The right side of `name = …`; of any other statement all of it. */
export function expression(code: string, name: string): string {
  return code.startsWith(`${name} = `) ? code.slice(name.length + 3) : code;
}

/** `numpy.linalg.norm` as `norm`; ATen's `aten.sum.dim_IntList` as `aten.sum`, without the overload. */
export function operationName(operation: string): string {
  const overload = /^(aten\.\w+)\.\w+$|^(\w+\.\w+)\.default$/.exec(operation);
  return overload?.[1] ?? overload?.[2] ?? operation.slice(operation.lastIndexOf(".") + 1);
}

/** Calls of ATen as people write them: `mm(t, relu)`. */
function called(code: string): string {
  return code.replace(/\btorch\.ops\.aten\.(\w+)\.\w+\(/g, "$1(");
}

export function costOf(item: Item): string {
  const parts = [
    !item.sum.work ? "" : `${operations(item.sum.work)} flop`,
    !item.sum.bytes ? "" : bytes(item.sum.bytes),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

const GRAVITY: readonly Severity[] = ["error", "warning", "information", "hint"];

/** Constants written to be constant are hints: they are told in the list, and are no mark in the picture. */
function findingOf(tree: Tree, item: Item): Card["finding"] {
  const severities = [...item.sum.findings].map((index) => tree.picture.findings[index]?.severity ?? "hint");
  const gravest = GRAVITY.find((severity) => severities.includes(severity));
  return gravest === undefined ? null : { severity: gravest, count: severities.length };
}

/** For each box the shapes of what leaves it: at most two different ones are named. */
function tagsOf(view: View): string[] {
  const shapes = view.boxes.map(() => new Set<string>());
  for (const edge of view.edges) {
    for (const node of edge.carries) shapes[edge.from]!.add(view.tree.picture.nodes[node]!.shape);
  }
  return shapes.map((set) => {
    const [first, second, ...others] = [...set]
      .filter((shape) => shape !== "")
      .map((shape) => shortened(oneLine(shape), 28));
    if (others.length > 0) return `${others.length + 2} shapes`;
    return [first, second].filter((shape) => shape !== undefined).join(" · ");
  });
}
