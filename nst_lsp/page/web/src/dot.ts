/**
 * A view in DOT, for Graphviz to place.
 *
 * Boxes are told by number and size only: what is written on them is no business of Graphviz'. Nodes keep the order of
 * the source, down and to the right: an invisible edge of no length and no weight leads from each box to the next, so
 * that none stands above one that comes before it. That also keeps the picture as it was where a save changed nothing.
 * Inputs are not held so; they stand above what uses them first. `nslimit` ends the search for the straightest edges,
 * which takes twenty times as long as all else where many edges are long.
 */

import type { Card } from "./card.ts";
import type { Item } from "./tree.ts";
import type { View } from "./view.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

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

/** What asks no node is kept near the one that it stands behind. */
function beside(view: View): string[] {
  return view.boxes.flatMap(({ remark }, index) => {
    const before = remark === null || remark.asks.length > 0 ? -1 : (view.boxOf[remark.behind] ?? -1);
    return before < 0 ? [] : [`n${before} -> n${index} [style=invis minlen=0 weight=3];`];
  });
}

function order(view: View, cards: readonly Card[]): string[] {
  const joined = new Set(view.edges.map((edge) => `${edge.from} ${edge.to}`));
  const held = view.boxes.map((_, index) => index).filter((index) => cards[index]!.shape !== "input");
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
