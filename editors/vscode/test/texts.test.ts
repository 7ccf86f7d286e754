/** Texts for people are where translators find them: package.nls.json for the manifest, l10n/ for the sources. */

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";

import { getL10nJson } from "@vscode/l10n-dev";
import { test } from "vitest";

/** Keys of the manifest whose values are shown. */
const SHOWN =
  /^(title|description|markdownDescription|displayName|altText|enumDescriptions|enumItemLabels|patternErrorMessage)$/;

function read(file: string): Promise<string> {
  return readFile(new URL(`../${file}`, import.meta.url), "utf8");
}

/** The texts of a manifest that are shown, wherever they stand. */
function shown(value: unknown, key = ""): string[] {
  if (typeof value === "string") return SHOWN.test(key) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => shown(item, key));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([inner, item]) => shown(item, inner));
}

test("every text of the manifest is in package.nls.json, and no other", async () => {
  const manifest = JSON.parse(await read("package.json"));
  const texts = shown(manifest);
  assert.deepEqual(
    texts.filter((text) => !/^%[\w.]+%$/.test(text)),
    [],
  );
  const keys = texts.map((text) => text.slice(1, -1));
  assert.deepEqual(Object.keys(JSON.parse(await read("package.nls.json"))).sort(), [...new Set(keys)].sort());
});

test("the bundle has the texts of the sources (npm run texts)", async () => {
  const files = (await readdir(new URL("../src", import.meta.url), { recursive: true })).filter((file) =>
    file.endsWith(".ts"),
  );
  const sources = files.map(async (file) => ({ contents: await read(`src/${file}`), extension: ".ts" }));
  assert.deepEqual(JSON.parse(await read("l10n/bundle.l10n.json")), await getL10nJson(await Promise.all(sources)));
});
