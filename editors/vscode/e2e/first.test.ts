/** A newcomer's first minute: the walkthrough, and a copy of the project's examples. */

import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, afterEach, before, test, type TestContext } from "node:test";

import { Code, covers, eventually, variable } from "./code.ts";

const EXAMPLES = path.resolve(import.meta.dirname, "..", "..", "..", "examples");

let folder: string;
let workspace: string;
let code: Code;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nst-first-"));
  workspace = path.join(folder, "examples");
  await cp(EXAMPLES, workspace, { recursive: true });
  await symlink(path.dirname(path.dirname(variable("PYTHON"))), path.join(workspace, ".venv"));
  code = await Code.start({ name: "first", workspace, size: { width: 1400, height: 900 } });
});

after(async () => {
  await code?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

afterEach(async (context) => {
  await code.screenshot((context as TestContext).name);
});

/** Puts the cursor there. */
async function clickOn(text: string, group = 0): Promise<void> {
  const { x, y, width, height } = await code.boxOf(text, code.editor(group));
  await code.page.mouse.click(x + width / 2, y + height / 2);
}

function lens(text: string, group = 0) {
  return code.lenses(code.editor(group)).filter({ hasText: text });
}

test("the walkthrough opens, and its first step opens a file that is traced", async () => {
  await code.run("nst: Get Started");
  const walkthrough = code.page.locator(".gettingStartedContainer");
  const step = walkthrough.locator('.getting-started-step[data-step-id$="#open"]');
  await step.waitFor();
  await code.page.frameLocator("iframe.webview.ready").frameLocator("iframe").locator("svg").waitFor();
  await code.screenshot("walkthrough");
  await walkthrough.getByText("Open it", { exact: true }).click();
  await lens("graph:", 1).first().waitFor();
  await eventually(async () => assert.equal(await step.getAttribute("aria-checked"), "true"));
  await clickOn("import numpy as np", 1);
  await code.run("View: Close Editors in Other Groups");
});

test("a command leads to the finding, and says for which arguments function and graph differ", async () => {
  await clickOn("import numpy as np");
  await code.run("nst: Go to the Next Finding");
  const hover = code.page.locator(".monaco-hover:visible").filter({ hasText: /NST102[^]*np\.array\(/ });
  await hover.first().waitFor();
});

test("a function without an example gets one from its call, and a lens with it", async () => {
  await clickOn("return share * x");
  await code.run("nst: Add an Example to the Function at the Cursor");
  const offers = code.page.locator(".quick-input-list .monaco-list-row");
  await offers.filter({ hasText: "Write my own" }).waitFor();
  await code.screenshot("add-example");
  await offers.filter({ hasText: "# nst: example(np.array([1.0, 2.0]), np.array([3.0, 5.0]))" }).click();
  await eventually(async () => {
    assert.match(await code.text(code.editor()), /# nst: example\(np\.array\(\[1\.0, 2\.0\]\), .*\ndef blend/);
    assert.equal(await lens("graph:").count(), 3);
  });
});

test("where nothing is offered the arguments are filled in, and examples are switched by what became of them", async () => {
  await code.run("nst: Add an Example to the Function at the Cursor");
  await eventually(async () =>
    assert.match(await code.text(code.editor()), /# nst: example\(np\.ones\(3\), np\.ones\(3\)\)/),
  );
  await code.page.keyboard.insertText("np.zeros(4)");
  await code.page.keyboard.press("Tab");
  await code.page.keyboard.insertText("np.ones(4)");
  await code.page.keyboard.press("Escape");
  await code.run("nst: Trace This File Again");
  await lens("example 1 of 2").waitFor();

  await clickOn("return share * x");
  await code.run("nst: Switch the Example of the Function at the Cursor");
  const examples = code.page.locator(".quick-input-list .monaco-list-row");
  await examples.filter({ hasText: "np.zeros(4), np.ones(4)" }).waitFor();
  await code.screenshot("switch-example");
  assert.match(await examples.filter({ hasText: "np.array([1.0, 2.0])" }).innerText(), /shown[^]*operations · /);
  await examples.filter({ hasText: "np.zeros(4), np.ones(4)" }).click();
  await lens("example 2 of 2").waitFor();
});

test("function and graph are compared on a witness, and the condition leads to where it stands", async () => {
  await clickOn("def damped");
  await code.run("nst: Compare the Function at the Cursor with Its Graph");
  const choices = code.page.locator(".quick-input-list .monaco-list-row");
  await choices.filter({ hasText: "witness of NST102" }).click();
  const answer = code.editor(1);
  await eventually(async () => {
    const told = await code.text(answer);
    assert.match(told, /^damped\(.*function and graph differ\n/);
    assert.match(
      told,
      /# the function gives\narray\([^]*# the graph gives\narray\([^]*do not hold\nx\.shape\[0\] > 2 {2}# .*:\d+/,
    );
  });
  await code.screenshot("compared");

  await code.page.mouse.move(0, 0);
  const { x, y, width, height } = await code.boxOf("x.shape[0] > 2  # ", answer);
  await code.page.keyboard.down("Control");
  await code.page.mouse.click(x + width + 10, y + height / 2);
  await code.page.keyboard.up("Control");
  const place = code.page.locator("#status\\.editor\\.selection");
  await eventually(async () => assert.match(await place.innerText(), /Ln 17, Col 21/));
  assert.equal(await code.page.locator(".editor-group-container").count(), 2);
});

test("arguments are checked while they are written", async () => {
  await clickOn("def damped");
  await code.run("nst: Compare the Function at the Cursor with Its Graph");
  const box = code.page.locator(".quick-input-widget");
  await box.locator(".monaco-list-row").filter({ hasText: "np.array([1.0, 2.0, 4.0])" }).first().click();
  const input = box.locator("input.input");
  await eventually(async () => assert.equal(await input.inputValue(), "np.array([1.0, 2.0, 4.0])"));
  await input.fill("np.array([8.0");
  await box.getByText("not valid Python").waitFor();
  await input.fill("np.array([8.0, 6.0, 4.0]), 2");
  await box.getByText("takes 1 argument").waitFor();
  await code.screenshot("checked");
  await input.fill("np.array([8.0, 6.0, 4.0])");
  await eventually(async () => assert.equal(await box.getByText("takes 1 argument").count(), 0));
  await input.press("Enter");
  await eventually(async () =>
    assert.match(await code.text(code.editor(1)), /give the same\n[^]*array\(\[4\., 3\., 2\.\]\)/),
  );
  await code.run("View: Close Editors in Other Groups");
});

test("in the project's examples just the right code is underlined", async () => {
  await code.open("faults.py");
  await eventually(async () => {
    const squiggles = await code.squiggles();
    for (const fault of ["x.mean() > 0", "x.shape[0] > 2", "kinds[0]"]) {
      const where = await code.boxOf(fault);
      assert.ok(
        squiggles.some((one) => covers(one, where)),
        `${fault} is not underlined`,
      );
    }
  });
  await lens("graph: 1 operation · valid for x.shape[0] > 2").waitFor();
  const hover = await code.hover("x.mean() > 0");
  assert.match(hover, /NST101/);
  assert.match(hover, /np\.array\(/);
  await code.page.mouse.move(0, 0);
});

test("the light bulb's verified fix makes the finding vanish", async () => {
  await clickOn("x.shape[0] > 2");
  const bulb = code.page.locator('.lightBulbWidget:visible, [class*="codicon-gutter-lightbulb"]:visible');
  await bulb.first().click();
  const menu = code.page.locator(".action-widget");
  await menu.getByText("Choose with").waitFor();
  await code.screenshot("light-bulb");
  await menu.getByText("Choose with").click();
  await eventually(async () => assert.match(await code.text(code.editor()), /np\.where\(x\.shape\[0\] > 2/));
  await code.page.keyboard.press("Control+S");
  await eventually(async () => {
    const [where, squiggles] = [await code.boxOf("x.shape[0] > 2"), await code.squiggles()];
    assert.ok(squiggles.length > 0 && !squiggles.some((one) => covers(one, where)), "the finding is still there");
  });
});

test("shapes stand between the code once they are asked for", async () => {
  await mkdir(path.join(workspace, ".vscode"));
  await writeFile(path.join(workspace, ".vscode", "settings.json"), '{ "nst.inlayHints": ["shapes", "parameters"] }');
  await eventually(async () => assert.match(await code.text(code.editor()), /def captured_global\(x: float64\[3\]\)/));
  await code.run("Preferences: Toggle between Light/Dark Themes");
  await code.page.locator(".monaco-workbench.vs-dark").waitFor();
});
