/** The switch between our trace and the graphs of PyTorch's own tracers, told by a host of our own. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Browser } from "playwright-core";

import type { Picture, StudyRemark, ToHost } from "../src/protocol.ts";
import { finding, node, picture } from "../test/pictures.ts";
import { eventually, launch, Tab } from "./browser.ts";
import { Host } from "./host.ts";

let browser: Browser;

before(async () => {
  browser = await launch();
});

after(async () => {
  await browser?.close();
});

const at = (line: number, column: number, end: number) => ({ source: 0, span: [line, column, line, end] as const });

const SOURCE = `def step(x, w, y):
    h = (x @ w).sin()
    return h.sum() + y.detach().sum()
`;

const studies = ["joint", "forward", "backward", "dynamo", "export"] as const;
const function_ = {
  function: "step",
  title: "step",
  sources: [{ path: "model.py", label: "step", first: 1, text: SOURCE }],
  studies,
};

const TRACE = picture(
  [node("x"), node("w"), node("h", ["x", "w"], { operation: "torch.Tensor.sin", place: at(2, 9, 22) })],
  function_,
);

const CUT: StudyRemark = {
  kind: "cut",
  message: "the gradient ends here: the result is detached",
  condition: "",
  text: "y.detach()",
  hints: [],
  count: 1,
  place: at(3, 22, 32),
};

const BACKWARD: Picture = picture(
  [
    node("mv", [], { saved: true, place: at(2, 10, 15) }),
    node("grad_output", [], { backward: true }),
    node("cos", ["mv"], {
      operation: "aten.cos.default",
      code: "cos = torch.ops.aten.cos.default(mv)",
      backward: true,
      line: 1,
      place: at(2, 9, 22),
    }),
    node("mul", ["grad_output", "cos"], {
      operation: "aten.mul.Tensor",
      code: "mul = torch.ops.aten.mul.Tensor(grad_output, cos)",
      backward: true,
      line: 2,
      place: at(2, 9, 22),
    }),
  ],
  {
    ...function_,
    code: "def backward(self, mv, grad_output):\n    cos = torch.ops.aten.cos.default(mv)\n    mul = torch.ops.aten.mul.Tensor(grad_output, cos)\n    return (None, mul)",
    findings: [
      finding({
        code: "NST204",
        text: "w",
        place: at(2, 14, 15),
        value: null,
        message: "only the backward",
        nodes: ["mul"],
      }),
    ],
    study: {
      kind: "backward",
      title: "backward graph",
      error: null,
      torch: "2.13.0",
      verdict: "backward graph of 2 operations; 1 of 2 inputs that require grad get a gradient",
      sound: true,
      notes: ["nothing in the example requires grad: all that can is taken to"],
      remarks: [],
      gradients: [
        { input: "x", shape: "float32[4, 3]", reached: true, node: "mul", cuts: [] },
        { input: "y", shape: "float32[4, 3]", reached: false, node: null, cuts: [CUT] },
      ],
    },
  },
);

const REFUSED: Picture = picture([], {
  ...function_,
  code: "",
  study: {
    ...BACKWARD.study!,
    kind: "dynamo",
    title: "graphs of Dynamo",
    error: "the example took longer than 60 s",
    torch: "",
    verdict: "",
    gradients: [],
    notes: [],
  },
});

test("PyTorch is asked when its graph is chosen; till then the trace stays, and one can go back", async () => {
  await using host = await Host.start();
  host.greet({ type: "graph", picture: TRACE });
  await using tab = await Tab.open(browser, host.address);
  const { page } = tab;
  const asked = () =>
    host.heard.filter((message): message is Extract<ToHost, { type: "study" }> => message.type === "study");
  const option = (name: string) => page.getByRole("radiogroup", { name: "Graph by" }).getByRole("radio", { name });
  const instead = page.locator(".instead");

  await tab.box("h").click();
  await option("Backward").check();
  await instead.getByText("Asking PyTorch for the backward graph of step").waitFor();
  await eventually(() => assert.deepEqual(asked(), [{ type: "study", study: "backward" }]));
  host.say({ type: "study", study: "backward", example: 0, asking: true });
  await tab.screenshot("study-asking");
  await instead.getByRole("button", { name: "Back to the trace" }).click();
  await instead.waitFor({ state: "hidden" });
  await eventually(() => assert.deepEqual(asked().at(-1), { type: "study", study: "" }));
  assert.ok(await option("Trace").isChecked());
  await tab.box("h").waitFor();
  host.say({ type: "study", study: "", example: null, asking: false });

  // Along the switch by keys: only what is rested on is asked for.
  await page.keyboard.press("t");
  for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowRight");
  await eventually(() => assert.deepEqual(asked().slice(2), [{ type: "study", study: "backward" }]));

  // The answer is drawn as any graph; what was selected is so still, by the expression that it comes from.
  host.say({ type: "study", study: "backward", example: 0, asking: true });
  host.say({ type: "study", study: "backward", example: 0, asking: false });
  host.say({ type: "graph", picture: BACKWARD });
  await tab.box("mul").waitFor();
  await instead.waitFor({ state: "hidden" });
  assert.deepEqual(await page.locator(".box.selected .name").allTextContents(), ["cos", "mul"]);
  assert.equal(await tab.lit("source", "selected"), "(x @ w).sin()");
  assert.match(await tab.box("mul").textContent().then(String), /aten\.mul.*mul\(grad_output, cos\)/);
  assert.equal(await tab.box("mv").getAttribute("aria-label"), "mv, input, float64[3], saved for the backward");
  assert.equal(await page.locator(".edge.kept").count(), 1);
  assert.match(String(await tab.box("✂ y.detach()").textContent()), /the gradient of y ends here/);
  assert.match(await page.locator("#facts").innerText(), /backward graph\s+of 2 operations; 1 of 2 inputs/);
  await tab.screenshot("study-backward");

  // Its gradients lead into the graph, and where they end into the source.
  const details = page.locator("#details");
  await details.getByRole("button", { name: "x float32[4, 3]" }).click();
  assert.deepEqual(await page.locator(".box.selected .name").allTextContents(), ["mul"]);
  await details.getByRole("button", { name: "line 3", exact: true }).click();
  await eventually(() => assert.deepEqual(host.heard.at(-1), { type: "reveal", place: CUT.place }));
  await details.getByText("only the backward").waitFor();

  // After a save it is stale until it was asked anew.
  host.say({ type: "graph", picture: { ...BACKWARD, stale: true } });
  host.say({ type: "study", study: "backward", example: 0, asking: true });
  await page
    .locator("#facts", { hasText: "from before the last change" })
    .getByText("asking PyTorch again …")
    .waitFor();
  await tab.box("mul").waitFor();
  assert.ok(await instead.isHidden());

  const vector = await tab.downloaded(() => tab.choose("Export", "SVG"));
  assert.equal(vector.name, "step.backward.svg");
});

test("why there is no graph of PyTorch's stands where the graph would", async () => {
  await using host = await Host.start();
  host.greet({ type: "study", study: "dynamo", example: 0, asking: false }, { type: "graph", picture: REFUSED });
  await using tab = await Tab.open(browser, host.address, {}, false);
  const instead = tab.page.locator(".instead");
  await instead.getByRole("heading", { name: "step: no graphs of Dynamo" }).waitFor();
  await instead.getByText("the example took longer than 60 s").waitFor();
  await tab.screenshot("study-refused");
  await instead.getByRole("button", { name: "Ask again" }).click();
  await eventually(() => assert.deepEqual(host.heard.at(-1), { type: "study", study: "dynamo", again: true }));
  await instead.getByText("Asking PyTorch for the graphs of Dynamo of step").waitFor();
  await instead.getByRole("button", { name: "Back to the trace" }).click();
  host.say({ type: "graph", picture: TRACE });
  await tab.box("h").waitFor();
  assert.ok(await instead.isHidden());
});

test("of a function that does not use PyTorch there is nothing to choose", async () => {
  await using host = await Host.start();
  host.greet({ type: "graph", picture: { ...TRACE, studies: [] } });
  await using tab = await Tab.open(browser, host.address);
  assert.equal(await tab.page.getByRole("radiogroup").count(), 0);
});
