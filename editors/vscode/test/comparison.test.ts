import assert from "node:assert/strict";

import { test } from "vitest";

import { text } from "../src/comparison.ts";

const WORDS = { equal: "the same", differs: "differ", function: "function", graph: "graph", guards: "do not hold" };
const BOTH = {
  name: "f",
  arguments: "np.ones(2)",
  function: "array([[1.],\n       [1.]])",
  graph: "array([2.])",
  partial: "",
};

test("both values are told, and links stand under the places of the conditions", () => {
  const start = { line: 5, character: 7 };
  const place = { uri: "file:///a/model.py", range: { start, end: start } };
  const compared = { ...BOTH, equal: false, guards_failed: ["len(x) > 2", "x.ndim == 1"], places: [null, place] };
  const shown = text(compared, WORDS, (uri) => uri.split("/").at(-1)!);
  assert.equal(
    shown.text,
    `f(np.ones(2))  # differ

# function
array([[1.],
       [1.]])

# graph
array([2.])

# do not hold
len(x) > 2
x.ndim == 1  # model.py:6
`,
  );
  const [link] = shown.links;
  assert.deepEqual(shown.links, [{ line: 11, start: 15, end: 25, target: { uri: place.uri, ...start } }]);
  assert.equal(shown.text.split("\n")[link!.line]!.slice(link!.start, link!.end), "model.py:6");
});

test("where all conditions hold nothing is said of them", () => {
  const shown = text({ ...BOTH, equal: true, guards_failed: [], places: [] }, WORDS, () => "");
  assert.match(shown.text, /^f\(np\.ones\(2\)\) {2}# the same\n/);
  assert.doesNotMatch(shown.text, /do not hold/);
});
