/**
 * Takes docs/images/vscode.png and vscode-dark.png: a real file with faults in a real editor, and beside it the graph,
 * as a text in a light theme and as a picture in a dark one.
 *
 *   tests/editors/run picture
 */

import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";

import { Code, eventually, variable } from "./code.ts";

const root = path.resolve(import.meta.dirname, "..", "..", "..");
const folder = await mkdtemp(path.join(tmpdir(), "nst-picture-"));
const workspace = path.join(folder, "examples");
await cp(path.join(root, "examples"), workspace, { recursive: true });

const python = variable("PYTHON");
try {
  await using code = await Code.start({
    name: "picture",
    workspace,
    machineSettings: { "nst.path": path.join(path.dirname(python), "nst-lsp"), "nst.python": python },
    userSettings: {
      "breadcrumbs.enabled": false,
      "editor.fontSize": 12,
      "editor.hover.above": false,
      "editor.lineNumbersMinChars": 3,
      "editor.scrollbar.horizontal": "hidden",
      "editor.scrollbar.vertical": "hidden",
      "editor.stickyScroll.enabled": false,
      "window.commandCenter": false,
      "workbench.activityBar.location": "hidden",
      "workbench.layoutControl.enabled": false,
    },
  });
  await code.open("pipeline_faults.py");
  await code.run("View: Toggle Primary Side Bar Visibility");
  await code.lenses().locator("a", { hasText: "graph:" }).first().click();
  await eventually(() => code.boxOf("return", code.editor(1)));
  await code.page.mouse.move(0, 0);
  await code.hover("table.shape[1]");
  await taken("vscode");

  await code.page.mouse.move(0, 0);
  await code.run("View: Close Editors in Other Groups");
  await code.run("Preferences: Toggle between Light/Dark Themes");
  await code.page.locator(".monaco-workbench.vs-dark").waitFor();
  await code.run("nst: Open Graph View");
  const view = code.page.frameLocator("iframe.webview.ready").frameLocator("iframe");
  await view.locator("svg .node").first().waitFor();
  await code.page.keyboard.press("Escape");
  await taken("vscode-dark");

  async function taken(name: string): Promise<void> {
    await code.page.screenshot({ path: path.join(root, "docs", "images", `${name}.png`) });
  }
} finally {
  await rm(folder, { recursive: true });
}
