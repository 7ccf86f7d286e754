/**
 * A view in DOT, for Graphviz to place.
 *
 * Boxes are told by number and size only: what is written on them is no business of Graphviz'. Nodes keep the order of
 * the source, down and to the right: an invisible edge of no length and no weight leads from each box to the next, so
 * that none stands above one that comes before it. That also keeps the picture as it was where a save changed nothing.
 * Inputs are not held so, they stand above what uses them first; guards and effects hang below what they stand behind.
 * `nslimit` ends the search for the straightest edges, which takes twenty times as long as all else where many are long.
 */

import type { Card, Shape } from "./card.ts";
import type { Item } from "./tree.ts";
import type { View } from "./view.ts";

/** The room for a frame's title. */
export const FRAME_TITLE = 24;

export function dotOf(view: View, cards: readonly Card[], titles: readonly number[], ordered: boolean): string {
  const rows = [
    "digraph {",
    "graph [rankdir=TB newrank=true nslimit=3 nodesep=0.28 ranksep=0.3 margin=0 outputorder=nodesfirst];",
    'node [shape=box fixedsize=true margin=0 label=""];',
    "edge [arrowhead=none];",
  ];
  const boxes = new Map(view.boxes.map((item, index) => [item, index]));
  const frames = new Map(view.frames.map((item, index) => [item, index]));
  const visit = (item: Item): void => {
    const box = boxes.get(item);
    if (box !== undefined) {
      rows.push(nodeRow(box, cards[box]!));
      return;
    }
    const frame = frames.get(item);
    if (frame === undefined) item.children.forEach(visit);
    else {
      rows.push(`subgraph cluster_${frame} {`, `graph [margin=14 labeljust=l label=<${room(titles[frame]!)}>];`);
      item.children.forEach(visit);
      rows.push("}");
    }
  };
  visit(view.tree.root);
  for (const [index, edge] of view.edges.entries()) {
    const port = cards[edge.from]!.tagHeight > 0 ? " tailport=s" : "";
    rows.push(`n${edge.from} -> n${edge.to} [id=${index}${port}];`);
  }
  rows.push(...beside(view));
  if (ordered) rows.push(...order(view, cards));
  rows.push("}");
  return rows.join("\n");
}

/** Guards and effects hang below the node that they stand behind, each below the one before it. */
function beside(view: View): string[] {
  const last = new Map<number, number>();
  return view.boxes.flatMap(({ remark }, index) => {
    const node = remark === null ? -1 : (view.boxOf[remark.behind] ?? -1);
    if (node < 0) return [];
    const above = last.get(node) ?? node;
    last.set(node, index);
    return [`n${above} -> n${index} [style=invis weight=3];`];
  });
}

/** What is not held in the order: it has its place by what it belongs to. */
const FREE: ReadonlySet<Shape> = new Set(["input", "guard", "effect", "cut", "break"]);

function order(view: View, cards: readonly Card[]): string[] {
  const joined = new Set(view.edges.map((edge) => `${edge.from} ${edge.to}`));
  const held = view.boxes.map((_, index) => index).filter((index) => !FREE.has(cards[index]!.shape));
  return held
    .slice(1)
    .map((to, at) => [held[at]!, to] as const)
    .filter(([from, to]) => !joined.has(`${from} ${to}`))
    .map(([from, to]) => `n${from} -> n${to} [style=invis minlen=0 weight=0];`);
}

function nodeRow(index: number, card: Card): string {
  return `n${index} [width=${inches(card.width)} height=${inches(card.height + card.tagHeight)}];`;
}

function room(width: number): string {
  const size = `fixedsize="true" width="${Math.ceil(width)}" height="${FRAME_TITLE}"`;
  return `<table border="0" cellborder="0" cellspacing="0" cellpadding="0"><tr><td ${size}></td></tr></table>`;
}

function inches(pixels: number): string {
  return (pixels / 72).toFixed(4);
}
