/**
 * Draws cards, frames and edges as SVG. What was drawn before and is still there keeps its element, and moves; so the
 * focus stays, and the eye can follow.
 */

import { svg, set } from "./elements.ts";
import type { Card } from "./card.ts";
import type { Layout, Rectangle } from "./placed.ts";
import { nodesBelow, sizeOf, type Item } from "./tree.ts";
import { oneLine, shortened } from "./text.ts";
import type { Edge, View } from "./view.ts";

export interface Scene {
  readonly view: View;
  readonly cards: readonly Card[];
  readonly layout: Layout;
}

export interface Drawn {
  readonly element: SVGGElement;
  at: { x: number; y: number };
  /** What its content was made of. */
  content: string;
}

const MOVE: KeyframeAnimationOptions = { duration: 220, easing: "cubic-bezier(.2,.7,.2,1)" };

export class Drawing {
  readonly boxes = new Map<string, Drawn>();
  readonly frames = new Map<string, Drawn>();
  private readonly edges = new Map<string, SVGGElement>();
  private readonly layers = {
    frames: svg("g", { class: "frames" }),
    edges: svg("g", { class: "edges", "aria-hidden": "true" }),
    boxes: svg("g", { class: "boxes" }),
  };

  constructor(world: SVGGElement) {
    world.append(this.layers.edges, this.layers.frames, this.layers.boxes); // the titles of frames are over the edges
  }

  /** `still`: nothing moves, since nothing was seen before, or whoever looks on wants none of it. */
  draw({ view, cards, layout }: Scene, still: boolean): void {
    const now = new Set([...view.boxes, ...view.frames].map((item) => item.id));
    for (const drawn of [this.boxes, this.frames]) {
      for (const [id, { element }] of drawn) {
        if (now.has(id)) continue;
        element.remove();
        drawn.delete(id);
      }
    }
    // A group that was opened or closed is drawn anew, in the other layer.
    view.boxes.forEach((item) => this.drop(this.frames, item.id));
    view.frames.forEach((item) => this.drop(this.boxes, item.id));
    view.frames.forEach((item, index) => {
      const rectangle = layout.frames[index];
      if (rectangle !== undefined)
        this.place(this.frames, this.layers.frames, item.id, rectangle, frameContent(item, rectangle), still);
    });
    view.boxes.forEach((item, index) => {
      const rectangle = layout.boxes[index];
      const card = cards[index]!;
      if (rectangle !== undefined)
        this.place(this.boxes, this.layers.boxes, item.id, rectangle, cardContent(card), still);
    });
    this.drawEdges(view, layout, still);
    inOrder(this.layers.frames, view.frames, this.frames);
    inOrder(this.layers.boxes, view.boxes, this.boxes);
  }

  /** Marks edges of which one end is lit. */
  lightEdges(view: View, lit: (box: Item) => boolean): void {
    for (const edge of view.edges) {
      const from = lit(view.boxes[edge.from]!);
      const to = lit(view.boxes[edge.to]!);
      const element = this.edges.get(edge.id);
      element?.classList.toggle("in", to && !from);
      element?.classList.toggle("out", from);
    }
  }

  private drop(drawn: Map<string, Drawn>, id: string): void {
    drawn.get(id)?.element.remove();
    drawn.delete(id);
  }

  private place(
    drawn: Map<string, Drawn>,
    layer: SVGGElement,
    id: string,
    at: Rectangle,
    content: { readonly text: string; readonly make: () => SVGElement[]; readonly attributes: Record<string, string> },
    still: boolean,
  ): void {
    const before = drawn.get(id);
    const element = before?.element ?? svg("g");
    if (before?.content !== content.text) {
      element.replaceChildren(...content.make());
      set(element, content.attributes);
    }
    set(element, { transform: `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`, "data-id": id });
    if (before === undefined) {
      layer.append(element);
      if (!still) element.animate({ opacity: [0, 1] }, MOVE);
    } else {
      const [dx, dy] = [before.at.x - at.x, before.at.y - at.y];
      if (!still && (dx !== 0 || dy !== 0)) element.animate({ translate: [`${dx}px ${dy}px`, "0px 0px"] }, MOVE);
    }
    drawn.set(id, { element, at: { x: at.x, y: at.y }, content: content.text });
  }

  private drawEdges(view: View, layout: Layout, still: boolean): void {
    const now = new Set(view.edges.map((edge) => edge.id));
    for (const [id, element] of this.edges) {
      if (now.has(id)) continue;
      element.remove();
      this.edges.delete(id);
    }
    view.edges.forEach((edge, index) => {
      const path = layout.edges[index];
      if (path === undefined) return;
      const before = this.edges.get(edge.id);
      const kept = isKept(view, edge);
      const element =
        before ?? svg("g", { class: "edge" }, svg("path", { class: "line" }), svg("path", { class: "head" }));
      element.classList.toggle("kept", kept);
      const [line, head] = element.children;
      if (before !== undefined && line?.getAttribute("d") === path) return;
      set(line!, { d: path });
      set(head!, { d: headOf(path) });
      if (before === undefined) this.layers.edges.append(element);
      if (!still) element.animate({ opacity: [0, 1] }, { ...MOVE, duration: 320 });
      this.edges.set(edge.id, element);
    });
  }
}

/** Whether an edge carries what the forward keeps to the backward. */
function isKept({ tree, boxes }: View, { carries, to }: Edge): boolean {
  const { nodes } = tree.picture;
  const saved = carries.some((index) => nodes[index]!.saved);
  return saved && nodesBelow(boxes[to]!).some((index) => nodes[index]!.backward && !nodes[index]!.saved);
}

/** Elements stand in the order of the source, for those who hear them; only new ones are moved, since a moved one loses the focus. */
function inOrder(layer: SVGGElement, items: readonly Item[], drawn: ReadonlyMap<string, Drawn>): void {
  let next = layer.firstElementChild;
  for (const item of items) {
    const element = drawn.get(item.id)?.element;
    if (element === undefined) continue;
    if (element === next) next = next.nextElementSibling;
    else layer.insertBefore(element, next);
  }
}

/** A small triangle at the end of a path, along its last direction. */
function headOf(path: string): string {
  const numbers = (path.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
  const [x, y] = [numbers.at(-2) ?? 0, numbers.at(-1) ?? 0];
  let [dx, dy] = [0, 1];
  for (let at = numbers.length - 4; at >= 0; at -= 2) {
    [dx, dy] = [x - numbers[at]!, y - numbers[at + 1]!];
    if (Math.hypot(dx, dy) > 0.5) break;
  }
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const point = (along: number, across: number) =>
    `${(x - ux * along - uy * across).toFixed(1)} ${(y - uy * along + ux * across).toFixed(1)}`;
  return `M${point(0, 0)}L${point(7, 3.4)}L${point(7, -3.4)}Z`;
}

type Content = {
  readonly text: string;
  readonly make: () => SVGElement[];
  readonly attributes: Record<string, string>;
};

// ---- frames --------------------------------------------------------------------------------------------

export function frameTitle(item: Item): string {
  return shortened(oneLine(item.label), 48);
}

function frameContent(item: Item, { width, height }: Rectangle): Content {
  const title = frameTitle(item);
  const make = () => [
    svg("rect", { class: "ground", width, height, rx: 10 }),
    svg("g", { class: "title" },
      svg("rect", { class: "hit", x: 4, y: 4, width: Math.max(0, width - 8), height: 24, rx: 6 }),
      svg("path", { class: "chevron", d: "M12 13.5 l4.5 5 l4.5 -5" }),
      svg("text", { class: "name", x: 28, y: 20 }, title),
    ),
  ]; // prettier-ignore
  const kind = item.kind === "chunk" ? "part" : item.kind;
  return {
    text: `${title} ${width} ${height}`,
    make,
    attributes: { class: `frame ${item.kind}`, ...button(`${kind} ${title}, ${sizeOf(item)}, open`, "true") },
  };
}

// ---- cards ---------------------------------------------------------------------------------------------

function cardContent(card: Card): Content {
  const { item, ...written } = card;
  return {
    text: JSON.stringify(written),
    make: () => [svg("g", { class: "body" }, ...outline(card), ...writing(card), ...badges(card)), ...tag(card)],
    attributes: {
      class: [
        "box",
        card.shape,
        item.kind,
        card.output && "output",
        card.backward && "backward",
        card.saved && "saved",
        card.change,
      ]
        .filter(Boolean)
        .join(" "),
      ...button(spoken(card), card.shape === "group" ? "false" : ""),
    },
  };
}

function button(label: string, expanded: string): Record<string, string> {
  const state = expanded === "" ? {} : { "aria-expanded": expanded };
  return { role: "button", tabindex: "-1", "aria-label": label, ...state };
}

function outline({ shape, width, height, output, backward, item }: Card): SVGElement[] {
  const round = shape === "input" || shape === "return" ? height / 2 : backward ? 0 : 7;
  const plate = (attributes: Record<string, number | string>) =>
    shape === "guard"
      ? svg("path", { class: "card", d: pointed(width, height, 10) })
      : shape === "constant"
        ? svg("path", { class: "card", d: cut(width, height, 7) })
        : svg("rect", { class: "card", width, height, rx: round, ...attributes });
  const back = (offset: number) => svg("rect", { class: "back", x: offset, y: offset, width, height, rx: round });
  return [
    ...(shape === "group" ? [back(item.kind === "more" ? 6 : 4), ...(item.kind === "more" ? [back(3)] : [])] : []),
    ...(output
      ? [svg("rect", { class: "ring", x: -3.5, y: -3.5, width: width + 7, height: height + 7, rx: round + 3 })]
      : []),
    plate({}),
    svg("rect", { class: "heat", x: 0, y: height - 3, width, height: 3, rx: 1.5 }),
  ];
}

/** A plate with its corners cut off. */
function cut(width: number, height: number, corner: number): string {
  return `M${corner} 0H${width - corner}L${width} ${corner}V${height - corner}L${width - corner} ${height}H${corner}L0 ${height - corner}V${corner}Z`;
}

/** A plate that is pointed on both sides. */
function pointed(width: number, height: number, tip: number): string {
  const middle = height / 2;
  return `M${tip} 0H${width - tip}L${width} ${middle}L${width - tip} ${height}H${tip}L0 ${middle}Z`;
}

function writing({ shape, title, note, code, cost, width }: Card): SVGElement[] {
  const left = shape === "group" ? 28 : shape === "constant" ? 15 : shape === "guard" ? 18 : 12;
  const baselines = [18, 34, 50];
  const rows: SVGElement[] = [];
  const first =
    shape === "return"
      ? svg("text", { class: "name", x: width / 2, y: 18, "text-anchor": "middle" }, title)
      : svg("text", { class: "name", x: left, y: 18 }, title);
  rows.push(first);
  if (note !== "")
    rows.push(
      svg("text", { class: "note", x: width - (shape === "guard" ? 18 : 12), y: 18, "text-anchor": "end" }, note),
    );
  if (shape === "group") rows.push(svg("path", { class: "chevron", d: "M13 9.5 l5 4.5 l-5 4.5" }));
  let row = 1;
  if (code !== "") rows.push(svg("text", { class: "code", x: left, y: baselines[row++]! }, code));
  if (cost !== "") rows.push(svg("text", { class: "note cost", x: left, y: baselines[row]! }, cost));
  return rows;
}

const SIGNS = { error: "!", warning: "!", information: "i", hint: "·" } as const;

function badges({ finding, change, saved, width }: Card): SVGElement[] {
  const made: SVGElement[] = [];
  if (finding !== null) {
    const text = finding.count > 1 ? `${SIGNS[finding.severity]} ${finding.count}` : SIGNS[finding.severity];
    made.push(badge(`finding ${finding.severity}`, width - 3, text));
  }
  if (change !== null) made.push(badge(`change ${change}`, 3, change === "added" ? "+" : "±"));
  if (saved) made.push(badge("kept", 20, "saved", -4));
  return made;
}

function badge(kind: string, x: number, text: string, y = 0): SVGElement {
  const width = text.length > 1 ? 12 + 5 * text.length : 15;
  return svg("g", { class: `badge ${kind}`, transform: `translate(${x} ${y})` },
    svg("rect", { x: -width / 2, y: -7.5, width, height: 15, rx: 7.5 }),
    svg("text", { x: 0, y: 3.8, "text-anchor": "middle" }, text),
  ); // prettier-ignore
}

/** dtype and shape on the trunk of the edges that leave. */
function tag({ tag: text, tagHeight, width, height }: Card): SVGElement[] {
  if (text === "") return [];
  const [x, bottom] = [width / 2, height + tagHeight];
  return [
    svg("path", { class: "trunk", d: `M${x} ${height}V${bottom}` }),
    svg("text", { class: "tag", x, y: height + 16.5, "text-anchor": "middle" }, text),
  ];
}

/** What a card says to somebody who hears it. */
function spoken(card: Card): string {
  const { item, shape, title, note, code, tag: shapes, output, finding, change, cost } = card;
  const parts = [
    shape === "operation"
      ? `${title}, ${note}: ${code}`
      : item.remark !== null
        ? `${shape}: ${title}, ${code}`
        : shape === "constant"
          ? `constant ${title} ${code}`
          : note === ""
            ? title
            : `${title}, ${note}`,
    shape === "group" ? `${item.kind === "chunk" ? "part" : item.kind}, closed` : "",
    shapes,
    output ? "output" : "",
    card.backward ? "backward" : "",
    card.saved ? "saved for the backward" : "",
    finding === null ? "" : `${finding.count} ${finding.count === 1 ? "finding" : "findings"}, ${finding.severity}`,
    change ?? "",
    cost,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
