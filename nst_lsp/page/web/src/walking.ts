/** Where an arrow key leads: down and up along edges, left and right in the order of the source. */

import type { Scene } from "./drawing.ts";
import type { Item } from "./tree.ts";

export type Direction = "down" | "up" | "before" | "behind" | "first" | "last";

export function neighbour({ view, layout }: Scene, id: string, direction: Direction): string {
  const order = reading(view.tree.root, new Set(view.boxes.map((box) => box.id)));
  const at = order.indexOf(id);
  switch (direction) {
    case "first":
      return order[0] ?? id;
    case "last":
      return order.at(-1) ?? id;
    case "before":
      return order[at - 1] ?? id;
    case "behind":
      return order[at + 1] ?? id;
    case "down":
    case "up": {
      const box = view.boxes.findIndex((item) => item.id === id);
      if (box < 0) return order[at + (direction === "down" ? 1 : -1)] ?? id; // the title of a frame
      const next = view.edges
        .filter((edge) => (direction === "down" ? edge.from : edge.to) === box)
        .map((edge) => (direction === "down" ? edge.to : edge.from));
      const middle = (index: number) => (layout.boxes[index]?.x ?? 0) + (layout.boxes[index]?.width ?? 0) / 2;
      const top = (index: number) => Math.abs((layout.boxes[index]?.y ?? 0) - (layout.boxes[box]?.y ?? 0));
      const distance = (index: number) => Math.abs(middle(index) - middle(box)) + top(index) / 4;
      const nearest = next.sort((a, b) => distance(a) - distance(b) || a - b)[0];
      return nearest === undefined ? id : view.boxes[nearest]!.id;
    }
  }
}

/** Boxes and the titles of open groups, as one reads them. */
function reading(item: Item, boxes: ReadonlySet<string>): string[] {
  if (boxes.has(item.id)) return [item.id];
  return [...(item.parent === null ? [] : [item.id]), ...item.children.flatMap((child) => reading(child, boxes))];
}
