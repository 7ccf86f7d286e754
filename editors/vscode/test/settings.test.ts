import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "vitest";

import { explicit, SERVER_SETTINGS, withWindow, type Inspected } from "../src/settings.ts";

function inspecting(settings: Record<string, Inspected & { defaultValue?: unknown }>) {
  return explicit((key) => settings[key]);
}

test("defaults are not sent, so that pyproject.toml can speak", () => {
  assert.deepEqual(inspecting({ mode: { defaultValue: "symbolic" }, timeout: { defaultValue: 10 } }), {});
});

test("the more special setting wins, and false and 0 are values", () => {
  const settings = inspecting({
    mode: { globalValue: "real", workspaceValue: "fake", workspaceFolderValue: "symbolic" },
    timeout: { globalValue: 3, workspaceValue: 0 },
    codeLens: { globalValue: false },
  });
  assert.deepEqual(settings, { mode: "symbolic", timeout: 0, codeLens: false });
});

test("an emptied text box is no setting", () => {
  assert.deepEqual(inspecting({ python: { globalValue: "" } }), {});
});

test("the window says whether it is trusted, and which interpreter was chosen", () => {
  assert.deepEqual(withWindow({ mode: "real", python: "here" }, false, "/ws/here"), {
    mode: "real",
    python: "/ws/here",
    trusted: false,
  });
  assert.deepEqual(withWindow({}, true, "/chosen"), {
    python: "/chosen",
    pythonFrom: "the Python extension",
    trusted: true,
  });
  assert.deepEqual(withWindow({}, true, undefined), { trusted: true });
});

test("every setting for the server is declared in package.json, and no other", async () => {
  const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  const groups: { properties: object }[] = manifest.contributes.configuration;
  const declared = groups.flatMap(({ properties }) => Object.keys(properties)).map((key) => key.replace("nst.", ""));
  const own = ["path", "trace.server"];
  assert.deepEqual(declared.filter((key) => !own.includes(key)).sort(), [...SERVER_SETTINGS].sort());
});
