/** Pictures as the host draws them, made up: any size, any groups, any names. */

import type { Cost, Finding, Group, Picture, PictureNode } from "../src/protocol.ts";

export const EMPTY: Picture = {
  schema: 1,
  uri: "file:///model.py",
  path: "model.py",
  function: "f",
  example: 0,
  examples: [{ index: 0, source: "np.ones(3)" }],
  functions: [{ name: "f", example: 0 }],
  title: "f",
  stale: false,
  code: "def f(x):\n    return x\n",
  operations: 0,
  validFor: "",
  verdict: { kind: "agrees", text: "9 re-traces agree" },
  sources: [{ path: "model.py", label: "model.py: f", first: 1, text: "def f(x):\n    return x\n" }],
  nodes: [],
  groups: [],
  outputs: [],
  size: 0,
  guards: [],
  findings: [],
  cost: null,
  diff: null,
  studies: [],
  study: null,
};

export function node(name: string, inputs: readonly string[] = [], more: Partial<PictureNode> = {}): PictureNode {
  return {
    name,
    operation: inputs.length === 0 ? "input" : "numpy.add",
    code: `${name} = ${inputs.join(" + ") || name}`,
    inputs,
    shape: "float64[3]",
    sizes: null,
    values: null,
    group: null,
    line: null,
    place: null,
    cost: null,
    findings: [],
    backward: false,
    saved: false,
    becomes: [],
    ...more,
  };
}

export function finding(more: Partial<Finding> = {}): Finding {
  return {
    code: "NST101",
    name: "branch-on-value",
    severity: "warning",
    message: "was True for the example, decided by the contents of `x`",
    text: "x.sum() > 0",
    value: "True",
    count: 1,
    place: { source: 0, span: [2, 5, 2, 11] },
    nodes: [],
    witness: null,
    page: null,
    ...more,
  };
}

export function picture(nodes: readonly PictureNode[], more: Partial<Picture> = {}): Picture {
  const used = new Set(nodes.flatMap((each) => each.inputs));
  const outputs = nodes.filter((each) => !used.has(each.name) && each.operation !== "input").map((each) => each.name);
  const operations = nodes.filter((each) => each.operation !== "input" && each.operation !== "constant").length;
  return { ...EMPTY, nodes, outputs, operations, size: nodes.length, ...more };
}

/** A graph without any groups: each node uses the one before it, and one of long before. */
export function flat(count: number): Picture {
  const nodes = [node("x")];
  while (nodes.length < count) {
    const index = nodes.length;
    nodes.push(node(`y_${index}`, [...new Set([nodes.at(-1)!.name, nodes[Math.floor(index / 2)]!.name])]));
  }
  return picture(nodes);
}

const cost = (words: number): Cost => ({
  read: { number: 16 * words, words: `16*${words}` },
  written: { number: 8 * words, words: null },
  operations: { number: words, words: null },
  live: 64 * words,
});

/** Layers of calls in a loop of alike iterations: `layers` × 12 nodes and some. */
export function layered(layers: number): Picture {
  const groups: Group[] = [{ kind: "loop", label: `${layers} alike iterations`, parent: null, place: null, path: "" }];
  const nodes = [node("tokens", [], { shape: "float32[16, 64]" }), node("weight", [], { shape: "float32[64, 64]" })];
  let h = "tokens";
  const add = (name: string, operation: string, inputs: string[], group: number, shape = "float32[16, 64]"): string => {
    const code = `${name} = ${operation}(${inputs.join(", ")})`;
    nodes.push(
      node(name, inputs, { operation: `numpy.${operation}`, code, group, shape, cost: cost(16 * inputs.length) }),
    );
    return name;
  };
  for (let layer = 0; layer < layers; layer++) {
    const iteration =
      groups.push({ kind: "iteration", label: `iteration ${layer + 1}`, parent: 0, place: null, path: "" }) - 1;
    const call = (label: string) => groups.push({ kind: "call", label, parent: iteration, place: null, path: "" }) - 1;
    const [norm, attention, mlp] = [call("normalise(h)"), call("attention(h, weight)"), call("mlp(h)")];
    const mean = add(`mean_${layer}`, "mean", [h], norm, "float32[16, 1]");
    const centred = add(`centred_${layer}`, "subtract", [h, mean], norm);
    const scaled = add(`scaled_${layer}`, "divide", [centred, mean], norm);
    const q = add(`q_${layer}`, "matmul", [scaled, "weight"], attention);
    const k = add(`k_${layer}`, "matmul", [scaled, "weight"], attention);
    const scores = add(`scores_${layer}`, "matmul", [q, k], attention, "float32[16, 16]");
    const weights = add(`weights_${layer}`, "softmax", [scores], attention, "float32[16, 16]");
    const mixed = add(`mixed_${layer}`, "matmul", [weights, scaled], attention);
    const up = add(`up_${layer}`, "matmul", [mixed, "weight"], mlp);
    const active = add(`active_${layer}`, "maximum", [up], mlp);
    const down = add(`down_${layer}`, "matmul", [active, "weight"], mlp);
    h = add(`h_${layer}`, "add", [down, h], iteration);
  }
  add("logits", "matmul", [h, "weight"], -1);
  const whole = nodes.map((each) => (each.group === -1 ? { ...each, group: null } : each));
  return picture(whole, { groups, title: "transformer", function: "transformer" });
}
