/** Texts of the traced program, listings, search and remarks. */

import assert from "node:assert/strict";
import { test } from "vitest";

import { listing } from "../src/places.ts";
import { pieces } from "../src/python.ts";
import { remarksOf } from "../src/remarks.ts";
import { found, search } from "../src/search.ts";
import { bytes, oneLine, operations, plural, shortened, visible } from "../src/text.ts";
import { treeOf } from "../src/tree.ts";
import { finding, node, picture } from "./pictures.ts";

test("what would hide or turn the text is written out", () => {
  assert.equal(visible("a\u202eb\u200bc\u0007"), "a\\u202eb\\u200bc\\x07");
  assert.equal(oneLine("a\n   b\tc"), "a ⏎ b c");
  assert.equal(visible("\tx = é 🦊"), "\tx = é 🦊");
});

test("long texts are cut by characters, never within one", () => {
  assert.equal(shortened("🦊🦊🦊🦊", 4), "🦊🦊🦊🦊");
  assert.equal(shortened("🦊🦊🦊🦊🦊", 4), "🦊🦊🦊…");
  assert.equal(Array.from(shortened("x".repeat(10_000), 30)).length, 30);
});

test("numbers for people", () => {
  assert.deepEqual([bytes(24), bytes(1536), bytes(8e9)], ["24 B", "1.5 KiB", "7.5 GiB"]);
  assert.deepEqual([operations(999), operations(1500), operations(2e9)], ["999", "1.5 k", "2 G"]);
  assert.deepEqual([plural(1, "node"), plural(20_000, "node")], ["1 node", "20,000 nodes"]);
});

test("strings, comments and definitions of Python are told apart", () => {
  const line = 'def f(x): return x * 2.5 + "# no" # yes';
  const parts = pieces(line, "").pieces.map(({ start, end, token }) => `${token} ${line.slice(start, end)}`);
  for (const part of [
    "keyword def",
    "definition f",
    "keyword return",
    "number 2.5",
    'string "# no"',
    "comment # yes",
  ]) {
    assert.ok(parts.includes(part), `${part} in ${parts.join("; ")}`);
  }
});

test("a string of three quotes goes on over lines", () => {
  const first = pieces('    """Doc', "");
  assert.equal(first.inside, '"""');
  const second = pieces('of it.""" + x', first.inside);
  assert.equal(second.inside, "");
  assert.deepEqual(second.pieces[0], { start: 0, end: 9, token: "string" });
});

test("a line is cut where a mark begins or ends, counted in characters", () => {
  const text = '    y = "🦊" + g(x)';
  const marks = [
    { span: [7, 9, 7, 19] as const, nodes: new Set(["y"]) },
    { span: [7, 15, 7, 19] as const, nodes: new Set(["g"]) },
  ];
  const cut = listing(text, 7, marks, [{ span: [7, 17, 7, 18], severity: "warning", finding: 3 }]);
  const segments = cut.segments(0);
  assert.equal(segments.map((each) => each.text).join(""), text);
  const inner = segments.filter((each) => each.marks[0] === 1).map((each) => each.text);
  assert.equal(inner.join(""), "g(x)");
  assert.deepEqual(
    segments.filter((each) => each.underline !== null).map((each) => each.text),
    ["x"],
  );
  assert.deepEqual(segments.find((each) => each.text === "x")!.marks, [1, 0]);
});

test("a mark over several lines covers each of them", () => {
  const cut = listing("a = f(\n    x,\n)", 1, [{ span: [1, 5, 3, 2], nodes: new Set(["a"]) }], []);
  const marked = [0, 1, 2].map((line) =>
    cut
      .segments(line)
      .filter((each) => each.marks.length > 0)
      .map((each) => each.text)
      .join(""),
  );
  assert.deepEqual(marked, ["f(", "    x,", ")"]);
});

test("search looks into nodes, findings and source; capitals count where they are written", () => {
  const searched = picture([node("x"), node("Scores", ["x"]), node("scores_1", ["x"])], {
    findings: [finding({ message: "scores of it" })],
  });
  assert.deepEqual(
    search(searched, "scores").map((hit) => hit.kind),
    ["node", "node", "finding"],
  );
  assert.deepEqual([...found(searched, search(searched, "Scores"))], ["Scores"]);
  assert.deepEqual(
    search(searched, "def f").map((hit) => [hit.kind, hit.line]),
    [["source", 1]],
  );
  assert.deepEqual(search(searched, "  "), []);
});

test("a guard stands behind what comes before it in the source, and asks the nodes of its condition", () => {
  const place = (line: number, column: number, end: number) => ({
    source: 0,
    span: [line, column, line, end] as const,
  });
  const nodes = [
    node("x"),
    node("total", ["x"], { place: place(2, 8, 15) }),
    node("positive", ["total"], { place: place(2, 8, 19) }),
    node("y", ["x"], { place: place(3, 9, 14) }),
  ];
  const findings = [finding({ place: place(2, 8, 19) })];
  const guards = [{ text: "x.sum() > 0", place: place(2, 8, 19) }];
  const [guard] = remarksOf(picture(nodes, { findings, guards: [...guards, ...guards] })).remarks;
  assert.deepEqual([guard!.behind, guard!.asks, guard!.findings], [-1, [2], [0]]);
  const { root } = treeOf(picture(nodes, { findings, guards }));
  assert.deepEqual(
    root.children.map((child) => child.kind),
    ["node", "guard", "node", "node", "node", "return"],
  );
});

test("an effect is drawn, and a finding within an expression belongs to its node", () => {
  const nodes = [node("x"), node("y", ["x"], { place: { source: 0, span: [2, 5, 2, 14] } })];
  const effect = finding({ code: "NST301", text: "print(x)", place: { source: 0, span: [3, 5, 3, 13] } });
  const constant = finding({ code: "NST205", text: "gain", place: { source: 0, span: [2, 9, 2, 13] } });
  const { remarks, findings } = remarksOf(picture(nodes, { findings: [effect, constant] }));
  assert.deepEqual(
    remarks.map(({ kind, text, behind }) => [kind, text, behind]),
    [["effect", "print(x)", 1]],
  );
  assert.deepEqual([...findings], [[1, [1]]]);
});
