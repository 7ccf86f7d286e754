/**
 * The graph as a tree of groups: what can be opened and collapsed.
 *
 * Calls and loops come from the picture. Alike iterations after the first are kept in one group ("59 more alike"), and
 * where a group would still show too many children at once, consecutive ones are put together in chunks, so that a graph
 * of any size can be opened step by step. A frame around a single box would say nothing that the box does not: a module
 * of one operation is that operation, with the module's name, and an iteration of one call is that call. An item's id
 * says the way to it and survives a save that changes other things.
 */

import { grouped, oneLine, plural, shortened } from "./text.ts";
import type { Group, GroupKind, Picture, PictureNode, Place } from "./protocol.ts";
import { remarksOf, type Remark, type Remarks } from "./remarks.ts";

export type ItemKind = "root" | GroupKind | "more" | "chunk" | "node" | "return" | Remark["kind"];

export interface Item {
  readonly id: string;
  readonly kind: ItemKind;
  readonly label: string;
  readonly parent: Item | null;
  readonly children: Item[];
  /** Of a node its index in the picture; of anything else -1. */
  readonly index: number;
  readonly place: Place | null;
  /** Of a node that is all there is of a module: what that is called. */
  readonly module: string;
  /** Of a guard or an effect. */
  readonly remark: Remark | null;
  /** What is summed over the nodes below. */
  readonly sum: Sum;
}

export interface Sum {
  readonly nodes: number;
  readonly operations: number;
  /** Bytes read and written, and scalar operations; `null` where no cost is known. */
  readonly bytes: number | null;
  readonly work: number | null;
  /** The largest live memory. */
  readonly live: number | null;
  readonly findings: ReadonlySet<number>;
  readonly added: number;
  readonly changed: number;
}

export interface Tree {
  readonly picture: Picture;
  readonly root: Item;
  /** The item of each node, by its index. */
  readonly leaves: readonly Item[];
  readonly byId: ReadonlyMap<string, Item>;
  readonly indexOf: ReadonlyMap<string, number>;
}

/** A group that shows more children than this is cut into chunks of `CHUNK`. */
export const MOST_CHILDREN = 150;
export const CHUNK = 25;

export const RETURN = "return";

export function treeOf(picture: Picture): Tree {
  const root = draft("/", "root", picture.title, null, -1, null);
  const groups: Draft[] = [];
  const seen = new Map<string, number>();
  const made = (parent: Draft, { kind, label, place }: Group): Draft => {
    const id = `${parent.id}/${kind}:${label}`;
    const same = seen.get(id) ?? 0; // groups of one label in one parent are told apart by their number
    seen.set(id, same + 1);
    const group = draft(`${id}#${same}`, kind, label, parent, -1, place);
    parent.children.push(group);
    return group;
  };
  const groupOf = (index: number | null): Draft => {
    const group = index === null ? undefined : picture.groups[index];
    if (index === null || group === undefined) return root;
    return (groups[index] ??= made(groupOf(group.parent), group));
  };
  const leaves = picture.nodes.map((node, index) => {
    const parent = groupOf(node.group);
    const leaf = draft(node.name, "node", node.name, parent, index, node.place);
    parent.children.push(leaf);
    return leaf;
  });
  const indexOf = new Map(picture.nodes.map((node, index) => [node.name, index]));
  if (picture.outputs.some((name) => indexOf.has(name)))
    root.children.push(draft(RETURN_ID, RETURN, "return", root, -1, null));
  const remarks = remarksOf(picture);
  remark(root, leaves, remarks.remarks);
  merge(root);
  fold(root);
  chunk(root, picture);
  sumUp(root, picture, remarks);
  const byId = new Map<string, Item>();
  const number = (item: Item): void => {
    byId.set(item.id, item);
    item.children.forEach(number);
  };
  number(root);
  return { picture, root, leaves, byId, indexOf };
}

/** No node can be called so. */
export const RETURN_ID = "/return";

export function isGroup(item: Item): boolean {
  return item.index < 0 && item.kind !== RETURN && item.remark === null;
}

/** The groups around an item, the outermost first, without the root. */
export function around(item: Item): Item[] {
  const groups: Item[] = [];
  for (let group = item.parent; group !== null && group.parent !== null; group = group.parent) groups.unshift(group);
  return groups;
}

/** The nodes below an item (or itself), in the picture's order. */
export function nodesBelow(item: Item): number[] {
  return item.index >= 0 ? [item.index] : item.children.flatMap(nodesBelow);
}

/** An item that is still being put together. */
interface Draft extends Item {
  label: string;
  place: Place | null;
  parent: Draft | null;
  children: Draft[];
  module: string;
  sum: Sum;
}

const NO_FINDINGS: ReadonlySet<number> = new Set();
const NOTHING: Sum = {
  nodes: 0,
  operations: 0,
  bytes: null,
  work: null,
  live: null,
  findings: NO_FINDINGS,
  added: 0,
  changed: 0,
};

function draft(
  id: string,
  kind: ItemKind,
  label: string,
  parent: Draft | null,
  index: number,
  place: Place | null,
  remark: Remark | null = null,
): Draft {
  return { id, kind, label, parent, children: [], index, place, module: "", remark, sum: NOTHING };
}

/** Guards and effects stand behind the nodes that they come after in the source. */
function remark(root: Draft, leaves: readonly Draft[], remarks: readonly Remark[]): void {
  const firstNode = root.children.findIndex((child) => child.place !== null);
  for (const each of [...remarks].reverse()) {
    const before = leaves[each.behind] ?? root.children[firstNode < 0 ? root.children.length - 1 : firstNode - 1];
    const siblings = before?.parent?.children ?? root.children;
    const id = `/${each.kind}:${each.text}:${each.place.source}:${each.place.span.join()}`;
    const made = draft(id, each.kind, each.text, before?.parent ?? root, -1, each.place, each);
    siblings.splice(before === undefined ? 0 : siblings.indexOf(before) + 1, 0, made);
  }
}

/** Groups that are but a frame around one other thing become one with it. */
function merge(item: Draft): void {
  item.children.forEach(merge);
  const [only, ...others] = item.children;
  if (item.kind === "iteration" && only !== undefined && others.length === 0 && isGroup(only)) {
    item.label += ` · ${only.label}`;
    item.place = only.place;
    adopt(item, only.children);
  }
  adopt(
    item,
    item.children.map((group) => {
      const [node, ...more] = group.children;
      if (group.kind !== "module" || node === undefined || more.length > 0 || node.kind !== "node") return group;
      node.module = group.label;
      return node;
    }),
  );
}

/** Of a loop's iterations the first stays; the others go into one group. */
function fold(item: Draft): void {
  item.children.forEach(fold);
  if (item.kind !== "loop") return;
  const [first, ...others] = item.children.filter((each) => each.kind === "iteration");
  if (others.length === 0) return;
  const more = draft(`${item.id}/more`, "more", `${grouped(others.length)} more alike`, item, -1, item.place);
  item.children = item.children.flatMap((each) =>
    each === others[0] ? [more] : each.kind === "iteration" && each !== first ? [] : [each],
  );
  adopt(more, others);
}

function adopt(parent: Draft, children: Draft[]): void {
  parent.children = children;
  for (const each of children) each.parent = parent;
}

function chunk(item: Draft, picture: Picture): void {
  item.children.forEach((each) => chunk(each, picture));
  const last = item.children.at(-1)?.kind === RETURN ? item.children.pop() : undefined;
  for (let level = 0; item.children.length > MOST_CHILDREN; level++) {
    const children = item.children;
    item.children = [];
    for (let at = 0; at < children.length; at += CHUNK) {
      const part = children.slice(at, at + CHUNK);
      const made = draft(
        `${item.id}/chunk:${level}.${at / CHUNK}`,
        "chunk",
        range(part, picture),
        item,
        -1,
        part[0]!.place,
      );
      adopt(made, part);
      item.children.push(made);
    }
  }
  if (last !== undefined) item.children.push(last);
}

/** What a chunk is called: the first and the last thing in it. */
function range(part: readonly Item[], picture: Picture): string {
  const [first, last] = [end(part[0]!, false), end(part.at(-1)!, true)];
  if (part.every((item) => item.kind === "iteration"))
    return `${first.label} … ${last.label.replace(/^iteration /, "")}`;
  const name = (item: Item) => shortened(oneLine(picture.nodes[item.index]?.name ?? item.label), 18);
  return `${name(first)} … ${name(last)}`;
}

function end(item: Item, last: boolean): Item {
  const inner = item.kind === "chunk" ? item.children.at(last ? -1 : 0) : undefined;
  return inner === undefined ? item : end(inner, last);
}

/** `12 operations`, or what else there is to count. */
export function sizeOf(item: Item): string {
  const { nodes, operations } = item.sum;
  return operations > 0 ? plural(operations, "operation") : plural(nodes, "node");
}

function sumUp(root: Draft, picture: Picture, remarks: Remarks): void {
  const added = new Set(picture.diff?.added);
  const changed = new Set(picture.diff?.changed.map((each) => each.name));
  const visit = (item: Draft): void => {
    item.children.forEach(visit);
    const node = picture.nodes[item.index];
    const others = remarks.findings.get(item.index) ?? [];
    if (node !== undefined) item.sum = counted(node, [...node.findings, ...others], added, changed);
    else if (item.remark !== null) item.sum = { ...NOTHING, findings: new Set(item.remark.findings) };
    else if (item.children.length > 0) item.sum = together(item.children.map((child) => child.sum));
  };
  visit(root);
}

function counted(
  node: PictureNode,
  findings: readonly number[],
  added: ReadonlySet<string>,
  changed: ReadonlySet<string>,
): Sum {
  const { cost, name } = node;
  return {
    nodes: 1,
    operations: isOperation(node) ? 1 : 0,
    bytes: cost && cost.read.number + cost.written.number,
    work: cost && cost.operations.number,
    live: cost && cost.live,
    findings: findings.length === 0 ? NO_FINDINGS : new Set(findings),
    added: Number(added.has(name)),
    changed: Number(changed.has(name)),
  };
}

function together(sums: readonly Sum[]): Sum {
  const add = (of: (sum: Sum) => number) => sums.reduce((total, sum) => total + of(sum), 0);
  const known = (of: (sum: Sum) => number | null) => sums.map(of).filter((value) => value !== null);
  const total = (values: readonly number[]) => (values.length === 0 ? null : values.reduce((a, b) => a + b));
  const most = (values: readonly number[]) => (values.length === 0 ? null : values.reduce((a, b) => Math.max(a, b)));
  return {
    nodes: add((sum) => sum.nodes),
    operations: add((sum) => sum.operations),
    bytes: total(known((sum) => sum.bytes)),
    work: total(known((sum) => sum.work)),
    live: most(known((sum) => sum.live)),
    findings: new Set(sums.flatMap((sum) => (sum.findings.size === 0 ? [] : [...sum.findings]))),
    added: add((sum) => sum.added),
    changed: add((sum) => sum.changed),
  };
}

export function isOperation(node: PictureNode): boolean {
  return node.operation !== "input" && node.operation !== "constant";
}
