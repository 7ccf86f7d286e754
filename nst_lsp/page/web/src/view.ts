/** What is to be seen of a tree: the boxes and open groups, and between boxes one edge for all that flows there. */

import type { Place } from "./protocol.ts";
import { nodesBelow, RETURN, RETURN_ID, type Item, type Tree } from "./tree.ts";

export interface Edge {
  readonly id: string;
  /** Indexes into `View.boxes`. */
  readonly from: number;
  readonly to: number;
  /** The nodes whose results flow along it. */
  readonly carries: readonly number[];
}

export interface View {
  readonly tree: Tree;
  /** Nodes and closed groups, in the order of the source. */
  readonly boxes: readonly Item[];
  /** Open groups, without the root; outer ones first. */
  readonly frames: readonly Item[];
  readonly edges: readonly Edge[];
  /** The box in which each node is seen, by the node's index. */
  readonly boxOf: Int32Array;
}

export function viewOf(tree: Tree, open: ReadonlySet<string>): View {
  const boxes: Item[] = [];
  const frames: Item[] = [];
  const boxOf = new Int32Array(tree.leaves.length).fill(-1);
  const visit = (item: Item): void => {
    if (item.children.length > 0 && open.has(item.id)) {
      if (item.parent !== null) frames.push(item);
      item.children.forEach(visit);
    } else {
      for (const node of nodesBelow(item)) boxOf[node] = boxes.length;
      boxes.push(item);
    }
  };
  visit(tree.root);
  return { tree, boxes, frames, edges: edgesOf(tree, boxes, boxOf), boxOf };
}

function edgesOf(tree: Tree, boxes: readonly Item[], boxOf: Int32Array): Edge[] {
  const found = new Map<number, Set<number>>();
  const add = (node: number, to: number): void => {
    const from = boxOf[node]!;
    if (from === to) return;
    const key = from * boxes.length + to;
    const carries = found.get(key);
    if (carries === undefined) found.set(key, new Set([node]));
    else carries.add(node);
  };
  tree.picture.nodes.forEach((node, index) => {
    for (const input of node.inputs) {
      const source = tree.indexOf.get(input);
      if (source !== undefined) add(source, boxOf[index]!);
    }
  });
  const end = boxes.findIndex((box) => box.kind === RETURN);
  for (const output of tree.picture.outputs) {
    const source = tree.indexOf.get(output);
    if (source !== undefined && end >= 0) add(source, end);
  }
  boxes.forEach((box, to) => box.remark?.asks.forEach((node) => add(node, to)));
  return [...found].map(([key, carries]) => {
    const [from, to] = [Math.floor(key / boxes.length), key % boxes.length];
    return { id: `${boxes[from]!.id} → ${boxes[to]!.id}`, from, to, carries: [...carries] };
  });
}

/** The ids of the boxes in which nodes of these names are seen. */
export function boxesOf(view: View, names: Iterable<string>): Set<string> {
  const ids = new Set<string>();
  for (const name of names) {
    const index = view.tree.indexOf.get(name);
    if (index !== undefined) ids.add(view.boxes[view.boxOf[index]!]!.id);
  }
  return ids;
}

export function namesIn(tree: Tree, item: Item): string[] {
  if (item.id === RETURN_ID) return [...tree.picture.outputs];
  return nodesBelow(item).map((index) => tree.picture.nodes[index]!.name);
}

/** Where an item comes from: its own place, else the first that is known below it. */
export function placeOf(tree: Tree, item: Item): Place | null {
  if (item.place !== null) return item.place;
  if (item.id === RETURN_ID) return null;
  for (const index of nodesBelow(item)) {
    const place = tree.picture.nodes[index]!.place;
    if (place !== null) return place;
  }
  return null;
}
