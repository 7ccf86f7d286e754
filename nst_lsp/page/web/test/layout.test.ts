/** What Graphviz makes of our DOT: everything is placed, in the order of the source, and again where it was. */

import assert from "node:assert/strict";
import { test } from "vitest";

import { Graphviz } from "@hpcc-js/wasm-graphviz";

import { cardsOf, type Measure } from "../src/card.ts";
import { dotOf } from "../src/dot.ts";
import { openGroups } from "../src/opening.ts";
import { placed, type Layout } from "../src/placed.ts";
import type { Picture } from "../src/protocol.ts";
import { treeOf } from "../src/tree.ts";
import { viewOf, type View } from "../src/view.ts";
import { neighbour } from "../src/walking.ts";
import { flat, layered, node, picture } from "./pictures.ts";

const graphviz = await Graphviz.load();
const measure: Measure = (text) => 7 * text.length;

function laidOut(shown: Picture, choices: ReadonlyMap<string, boolean> = new Map()): { view: View; layout: Layout } {
  const tree = treeOf(shown);
  const view = viewOf(tree, openGroups(tree, choices));
  const dot = dotOf(
    view,
    cardsOf(view, measure, true),
    view.frames.map(() => 140),
    true,
  );
  return { view, layout: placed(graphviz.layout(dot, "json0" as "json", "dot")) };
}

const PICTURES: Record<string, Picture> = {
  flat: flat(100),
  layered: layered(4),
  chunks: flat(5_000),
  hidden: layered(400),
};

for (const [name, shown] of Object.entries(PICTURES)) {
  test(`everything is placed, and no box above one before it: ${name}`, () => {
    const { view, layout } = laidOut(shown);
    assert.equal(layout.boxes.filter(Boolean).length, view.boxes.length);
    assert.equal(layout.frames.filter(Boolean).length, view.frames.length);
    assert.equal(layout.edges.filter(Boolean).length, view.edges.length);
    const middles = view.boxes.map((box, index) => ({
      box,
      y: layout.boxes[index]!.y + layout.boxes[index]!.height / 2,
    }));
    const held = middles.filter(({ box }) => shown.nodes[box.index]?.operation !== "input");
    for (const [index, { box, y }] of held.slice(1).entries()) {
      assert.ok(y >= held[index]!.y - 1, `${box.label} stands above ${held[index]!.box.label}`);
    }
  });
}

test("boxes do not overlap, and lie in the frames of their groups", () => {
  const { view, layout } = laidOut(layered(3));
  layout.boxes.forEach((one, index) => {
    for (const other of layout.boxes.slice(index + 1)) {
      const apart =
        one.x + one.width <= other.x + 0.1 ||
        other.x + other.width <= one.x + 0.1 ||
        one.y + one.height <= other.y + 0.1 ||
        other.y + other.height <= one.y + 0.1;
      assert.ok(apart);
    }
  });
  view.boxes.forEach((box, index) => {
    const frame = layout.frames[view.frames.findIndex((each) => each === box.parent)];
    const inside = layout.boxes[index]!;
    if (frame === undefined) return;
    assert.ok(frame.x <= inside.x && frame.y <= inside.y && inside.x + inside.width <= frame.x + frame.width);
  });
});

test("the same graph is laid out the same, and a node at its end moves none before it up or down", () => {
  assert.deepEqual(laidOut(layered(3)).layout, laidOut(layered(3)).layout);
  const chain = (count: number) =>
    picture([node("x"), ...Array.from({ length: count }, (_, i) => node(`y_${i}`, [i === 0 ? "x" : `y_${i - 1}`]))]);
  const [before, after] = [laidOut(chain(8)).layout, laidOut(chain(9)).layout];
  for (let index = 0; index < 9; index++) assert.ok(Math.abs(before.boxes[index]!.y - after.boxes[index]!.y) < 0.5);
});

test("arrow keys walk along edges and through the order of the source", () => {
  const { view, layout } = laidOut(picture([node("x"), node("a", ["x"]), node("b", ["x"]), node("c", ["a", "b"])]));
  const scene = { view, layout, cards: [] };
  assert.equal(neighbour(scene, "a", "down"), "c");
  assert.equal(neighbour(scene, "b", "up"), "x");
  assert.equal(neighbour(scene, "a", "behind"), "b");
  assert.equal(neighbour(scene, "b", "before"), "a");
  assert.equal(neighbour(scene, "c", "first"), "x");
  assert.equal(neighbour(scene, "x", "last"), "/return");
  assert.equal(neighbour(scene, "/return", "down"), "/return");
});
