/** What can be opened and collapsed, what is shown of it, and what is summed. */

import assert from "node:assert/strict";
import { test } from "vitest";

import { moduleAround, moduleOf, moduleText } from "../src/modules.ts";
import { closeAll, MOST_BOXES, openAll, openGroups, READABLE } from "../src/opening.ts";
import { isGroup, MOST_CHILDREN, nodesBelow, treeOf, type Item } from "../src/tree.ts";
import { boxesOf, namesIn, viewOf } from "../src/view.ts";
import { finding, flat, layered, node, picture } from "./pictures.ts";

const NO_CHOICES: ReadonlyMap<string, boolean> = new Map();

function labels(items: readonly Item[]): string[] {
  return items.map((item) => item.label);
}

function group(items: readonly Item[], label: string): Item {
  const found = items.find((item) => item.label === label);
  assert.ok(found, `no ${label} among ${labels(items).join(", ")}`);
  return found;
}

test("the first of alike iterations is shown, the others are one group", () => {
  const { root } = treeOf(layered(60));
  const loop = group(root.children, "60 alike iterations");
  assert.deepEqual(labels(loop.children), ["iteration 1", "59 more alike"]);
  const more = loop.children[1]!;
  assert.deepEqual(labels(more.children.slice(0, 2)), ["iteration 2", "iteration 3"]);
  assert.equal(more.sum.operations, 59 * 12);
});

test("calls of one name in one group are told apart", () => {
  const groups = [0, 1].map(() => ({ kind: "call" as const, label: "double(x)", parent: null, place: null, path: "" }));
  const nodes = [node("x"), node("a", ["x"], { group: 0 }), node("b", ["a"], { group: 1 })];
  const { root, byId } = treeOf(picture(nodes, { groups }));
  const [first, second] = root.children.filter(isGroup);
  assert.notEqual(first!.id, second!.id);
  assert.deepEqual(nodesBelow(byId.get(second!.id)!), [2]);
});

test("a group keeps its id when something else is added before it", () => {
  const groups = [{ kind: "call" as const, label: "double(x)", parent: null, place: null, path: "" }];
  const before = treeOf(picture([node("x"), node("a", ["x"], { group: 0 })], { groups }));
  const after = treeOf(picture([node("x"), node("new", ["x"]), node("a", ["new"], { group: 0 })], { groups }));
  assert.equal(before.root.children.find(isGroup)!.id, after.root.children.find(isGroup)!.id);
});

test("no group shows more children than can be read, however many nodes there are", () => {
  const { root, leaves } = treeOf(flat(20_000));
  const widest = (item: Item): number => Math.max(item.children.length, ...item.children.map(widest));
  assert.ok(widest(root) <= MOST_CHILDREN + 1);
  assert.deepEqual(nodesBelow(root), [...leaves.keys()]);
});

test("a large graph opens collapsed, a small one open", () => {
  for (const each of [flat(20_000), layered(1_660)]) {
    const tree = treeOf(each);
    const { boxes } = viewOf(tree, openGroups(tree, NO_CHOICES));
    assert.ok(boxes.length > 1 && boxes.length <= READABLE, `${boxes.length} boxes`);
  }
  const small = treeOf(flat(60));
  assert.equal(viewOf(small, openGroups(small, NO_CHOICES)).boxes.length, 61); // and what is returned
});

test("what a person opened or closed wins over what would be readable", () => {
  const tree = treeOf(layered(3));
  const loop = group(tree.root.children, "3 alike iterations");
  const closed = viewOf(tree, openGroups(tree, new Map([[loop.id, false]])));
  assert.ok(closed.boxes.includes(loop));
  const more = group(loop.children, "2 more alike");
  const open = viewOf(tree, openGroups(tree, new Map([[more.id, true]])));
  assert.ok(labels([...open.boxes, ...open.frames]).includes("iteration 3"));
});

test("open all stops where a picture could not be drawn any more, and says so", () => {
  const small = openAll(treeOf(layered(3)));
  assert.ok(small.complete);
  const tree = treeOf(flat(20_000));
  const large = openAll(tree);
  assert.ok(!large.complete);
  const { boxes } = viewOf(tree, openGroups(tree, large.choices));
  assert.ok(boxes.length <= MOST_BOXES, `${boxes.length} boxes`);
});

test("close all leaves the outermost groups", () => {
  const tree = treeOf(layered(3));
  const { boxes, frames } = viewOf(tree, openGroups(tree, closeAll(tree)));
  assert.deepEqual(labels(boxes), ["tokens", "weight", "3 alike iterations", "logits", "return"]);
  assert.deepEqual(frames, []);
});

test("edges of what is hidden end at the group, once, and carry what flows", () => {
  const tree = treeOf(layered(3));
  const { boxes, edges } = viewOf(tree, openGroups(tree, closeAll(tree)));
  const names = edges.map((edge) => `${boxes[edge.from]!.label} → ${boxes[edge.to]!.label}`);
  assert.deepEqual(names.sort(), [
    "3 alike iterations → logits",
    "logits → return",
    "tokens → 3 alike iterations",
    "weight → 3 alike iterations",
    "weight → logits",
  ]);
  const out = edges.find((edge) => boxes[edge.to]!.label === "logits" && boxes[edge.from]!.label !== "weight")!;
  assert.deepEqual(
    out.carries.map((index) => tree.picture.nodes[index]!.name),
    ["h_2"],
  );
});

test("a node in a closed group is seen in the group's box", () => {
  const tree = treeOf(layered(3));
  const view = viewOf(tree, openGroups(tree, closeAll(tree)));
  const loop = group(tree.root.children, "3 alike iterations");
  assert.deepEqual([...boxesOf(view, ["q_2", "logits", "unknown"])], [loop.id, "logits"]);
  assert.ok(namesIn(tree, loop).includes("q_2"));
});

test("groups sum the costs and findings below them, and the peak is the largest", () => {
  const groups = [{ kind: "call" as const, label: "f(x)", parent: null, place: null, path: "" }];
  const amount = (number: number) => ({ number, words: null });
  const cost = (operations: number, live: number) => ({
    read: amount(8),
    written: amount(4),
    operations: amount(operations),
    live,
  });
  const nodes = [
    node("x"),
    node("a", ["x"], { group: 0, cost: cost(10, 50), findings: [0] }),
    node("b", ["a"], { group: 0, cost: cost(5, 70), findings: [0, 1] }),
    node("c", ["b"], { group: 0 }),
  ];
  const { sum } = treeOf(picture(nodes, { groups, findings: [finding(), finding()] })).root.children.find(isGroup)!;
  assert.deepEqual([sum.work, sum.bytes, sum.live, sum.nodes], [15, 24, 70, 3]);
  assert.deepEqual([...sum.findings], [0, 1]);
});

test("a node may be called like the root or a group", () => {
  const tree = treeOf(picture([node("root"), node("/", ["root"]), node("constructor", ["/"])]));
  assert.equal(viewOf(tree, openGroups(tree, NO_CHOICES)).edges.length, 3);
});

test("where the outputs were cut off, nothing is said to be returned", () => {
  const { root } = treeOf(picture([node("x"), node("y", ["x"])], { outputs: ["far"], size: 30_000 }));
  assert.deepEqual(labels(root.children), ["x", "y"]);
});

test("a module of one operation is that operation with the module's name, an iteration of one call that call", () => {
  const module = (label: string, path: string, parent: number | null) =>
    ({ kind: "module", label, path, parent, place: null }) as const;
  const groups = [
    module("self.head: Sequential", "self.head", null),
    { kind: "loop", label: "2 alike iterations", parent: 0, place: null, path: "" } as const,
    { kind: "iteration", label: "iteration 1", parent: 1, place: null, path: "" } as const,
    module("[0]: Linear(3, 3)", "self.head[0]", 2),
    { kind: "iteration", label: "iteration 2", parent: 1, place: null, path: "" } as const,
    module("[1]: Linear(3, 3)", "self.head[1]", 4),
    module("[2]: ReLU", "self.head[2]", 0),
  ];
  const nodes = [
    node("x"),
    node("w", [], { group: 3 }),
    node("a", ["x", "w"], { group: 3 }),
    node("v", [], { group: 5 }),
    node("b", ["a", "v"], { group: 5 }),
    node("c", ["b"], { group: 6 }),
  ];
  const drawn = picture(nodes, { groups });
  const tree = treeOf(drawn);
  const head = group(tree.root.children, "self.head: Sequential");
  const loop = group(head.children, "2 alike iterations");
  assert.deepEqual(labels(loop.children), ["iteration 1 · [0]: Linear(3, 3)", "1 more alike"]);
  assert.deepEqual(labels(loop.children[0]!.children), ["w", "a"]);
  assert.deepEqual(labels(head.children.slice(1)), ["c"]);
  assert.equal(tree.leaves[5]!.module, "[2]: ReLU");
  const open = openGroups(tree, NO_CHOICES);
  assert.ok(open.has(loop.id));
  assert.ok(!tree.root.children.filter(isGroup).some((each) => each.sum.operations === 1 && open.has(each.id)));
  assert.equal(moduleText(moduleOf(drawn, nodes[4]!.group)!), "self.head[1]: Linear(3, 3)");
  assert.equal(moduleAround(drawn, new Set(["a", "c"]))?.path, "self.head");
  assert.equal(moduleAround(drawn, new Set(["x", "c"])), null);
});
