/**
 * How long it takes from a save to its squiggle, warm, and how long the extension takes to be activated.
 *
 *   tests/editors/run measure
 *
 * The client's own trace tells when a save was sent and when the diagnostics for it came; the page tells when
 * the key was pressed and when the squiggle was drawn, which is that and the editor's own delays.
 */

import assert from "node:assert/strict";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";

import { Code, eventually, variable } from "./code.ts";

const ROUNDS = 20;
const CLEAN = `import numpy as np


# nst: example(np.ones(3))
def scale(x):
    return x * 2
`;

const FAULTY = CLEAN.replace("x * 2", "x * 2 if x.sum() > 0 else x");

const folder = await mkdtemp(path.join(tmpdir(), "nst-measure-"));
await writeFile(path.join(folder, "model.py"), CLEAN);
await symlink(path.dirname(path.dirname(variable("PYTHON"))), path.join(folder, ".venv"));
try {
  await using code = await Code.start({ name: "measure", workspace: folder });
  await code.open("model.py");
  await code.lenses().filter({ hasText: "graph:" }).waitFor();
  await traceMessages(code);
  const drawn: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    await write(code, FAULTY); // what is not saved is not traced
    const milliseconds = await savedUntilDrawn(code);
    if (round > 0) drawn.push(milliseconds); // the first one is not warm
    await code.rewrite(CLEAN);
    await eventually(async () => assert.deepEqual(await code.squiggles(), []));
  }
  report("save sent → diagnostics received", answered(await code.log("nst-lsp trace.log")).slice(-2 * ROUNDS));
  report("key pressed → squiggle drawn", drawn);
  console.log(`activation: ${await activation(code)} ms`);
} finally {
  await rm(folder, { recursive: true });
}

/** Has the client write each message, with its time, into its log. */
async function traceMessages(code: Code): Promise<void> {
  const rows = code.page.locator(".quick-input-list .monaco-list-row");
  await code.run("Developer: Set Log Level");
  await rows.filter({ hasText: "nst-lsp trace" }).click();
  await rows.filter({ hasText: /^Trace/ }).click();
}

/** Replaces the text of the editor. */
async function write(code: Code, text: string): Promise<void> {
  await code.editor().locator(".view-lines").click();
  await code.page.keyboard.press("Control+A");
  await code.page.keyboard.insertText(text);
}

/** Saves; the milliseconds from the key to the squiggle, by the page's own clock. */
async function savedUntilDrawn(code: Code): Promise<number> {
  // The promise is handed out in an object, so that the key is pressed once the page listens.
  const waiting = await code.page.evaluateHandle(() => ({
    drawn: new Promise<number>((resolve, reject) => {
      setTimeout(() => reject(new Error("no squiggle was drawn")), 60_000);
      let pressed = 0;
      const listen = ({ key, ctrlKey }: KeyboardEvent) => {
        if (key.toLowerCase() === "s" && ctrlKey) pressed = performance.now();
      };
      const look = () => {
        if (
          pressed === 0 ||
          document.querySelector(".cdr:is(.squiggly-error, .squiggly-warning, .squiggly-info)") === null
        )
          return;
        observer.disconnect();
        window.removeEventListener("keydown", listen, true);
        requestAnimationFrame(() => resolve(performance.now() - pressed));
      };
      const observer = new MutationObserver(look);
      observer.observe(document.body, { subtree: true, childList: true, attributes: true });
      window.addEventListener("keydown", listen, true);
    }),
  }));
  await code.page.keyboard.press("Control+S");
  return waiting.evaluate(({ drawn }) => drawn);
}

/** For each save in a trace, the milliseconds until the diagnostics that the client asked for once it was told of news. */
function answered(log: string): number[] {
  const found: number[] = [];
  let saved: number | undefined;
  let told = false;
  for (const line of log.split("\n")) {
    const time = Date.parse(line.slice(0, 23).replace(" ", "T"));
    if (line.includes("Sending notification 'textDocument/didSave")) [saved, told] = [time, false];
    if (line.includes("Received request 'workspace/diagnostic/refresh")) told = true;
    if (saved === undefined || !told || !line.includes("Received response 'textDocument/diagnostic")) continue;
    found.push(time - saved);
    saved = undefined;
  }
  return found;
}

/** What the editor itself says of the time that our activation took. */
async function activation(code: Code): Promise<string> {
  await code.run("Developer: Show Running Extensions");
  const row = code.page.locator(".runtime-extensions-editor .monaco-list-row").filter({ hasText: "nst-lsp" });
  return eventually(async () => /Activation: (\d+)\s*ms/.exec(await row.innerText())![1]!);
}

function report(what: string, milliseconds: number[]): void {
  assert.ok(milliseconds.length >= ROUNDS, `${what}: only ${milliseconds.length} were seen`);
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(0);
  console.log(`${what}: median ${at(0.5)} ms, p95 ${at(0.95)} ms (${sorted.length} saves)`);
}
