/**
 * Takes pictures of graphs of all sizes and looks into artefacts/page/, and docs/images/page.png: real files, the real
 * server, a real browser.
 *
 *   tests/page/run pictures
 */

import { cp, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";

import type { BrowserContextOptions } from "playwright-core";

import { flat, layered } from "../test/pictures.ts";
import { eventually, launch, Tab } from "./browser.ts";
import { Host } from "./host.ts";
import { Editor } from "./server.ts";

const ROOT = path.resolve(import.meta.dirname, "..", "..", "..", "..");
const LOOK: BrowserContextOptions = { viewport: { width: 1440, height: 860 }, reducedMotion: "reduce" };

const MODEL = `import numpy as np

GAIN = 1.5
history = []


def normalise(h):
    centred = h - h.mean(axis=-1, keepdims=True)
    return centred / centred.std(axis=-1, keepdims=True)


def attention(h, weight):
    scores = (h @ weight) @ h.T / h.shape[-1] ** 0.5
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (weights / weights.sum(axis=-1, keepdims=True)) @ h


def mlp(h, weight):
    return np.maximum(h @ weight, 0.0) @ weight.T


# nst: example(np.random.default_rng(0).normal(size=(4, 8)), np.eye(8))
def transformer(tokens, weight):
    h = tokens
    for _ in range(24):
        h = h + attention(normalise(h), weight)
        h = h + mlp(normalise(h), weight)
    return normalise(h)


# nst: example(np.array([1.0, 4.0, 2.0]))
def standard(x):
    spread = x.std()
    if spread < 1e-6:
        return x - x.mean()
    history.append(spread)
    return GAIN * (x - x.mean()) / spread
`;

const browser = await launch();
const folder = await realpath(await mkdtemp(path.join(tmpdir(), "nst-page-")));
try {
  await using editor = await Editor.start(folder);
  await editor.open("model.py", MODEL);

  await picture("5-nodes", await editor.page("model.py", "standard"));
  await picture("dark", await editor.page("model.py", "standard"), { colorScheme: "dark" });
  await picture("high-contrast", await editor.page("model.py", "standard"), { contrast: "more" });
  await picture("high-contrast-dark", await editor.page("model.py", "standard"), {
    contrast: "more",
    colorScheme: "dark",
  });
  await picture("forced-colours", await editor.page("model.py", "standard"), { forcedColors: "active" });
  await picture("600-nodes", await editor.page("model.py", "transformer"));
  await picture("600-nodes-fit", await editor.page("model.py", "transformer"), {}, async (tab) =>
    tab.page.keyboard.press("f"),
  );
  await picture("heat", await editor.page("model.py", "transformer"), {}, async (tab) =>
    tab.choose("View", "Heat by flop"),
  );
  await picture("narrow", await editor.page("model.py", "standard"), { viewport: { width: 520, height: 900 } });
  await picture("diff", await editor.page("model.py", "standard"), {}, async (tab) => {
    await tab.page.getByRole("combobox", { name: "Compare" }).selectOption("save");
    await editor.save("model.py", MODEL.replace("GAIN = 1.5", "GAIN = 2.5").replace("/ spread", "/ np.sqrt(spread)"));
    await tab.page.locator("#news .diff").waitFor();
    await eventually(async () => {
      if ((await tab.page.locator("#status").textContent()) !== "") throw new Error("still tracing");
    });
  });
  await editor.save("model.py", MODEL);

  await using host = await Host.start();
  for (const [name, shown] of Object.entries({
    "300-nodes-flat": flat(300),
    "20000-nodes-flat": flat(20_000),
    "20000-nodes": layered(1_660),
  })) {
    host.greet({ type: "graph", picture: shown });
    await picture(name, host.address);
  }

  await cp(path.join(ROOT, "examples", "pipeline_faults.py"), path.join(folder, "pipeline_faults.py"));
  await editor.open("pipeline_faults.py", await readFile(path.join(folder, "pipeline_faults.py"), "utf8"));
  await using tab = await Tab.open(browser, await editor.page("pipeline_faults.py", "scores"), {
    ...LOOK,
    viewport: { width: 1360, height: 800 },
  });
  await eventually(async () => {
    if ((await tab.page.locator("#status").textContent()) !== "") throw new Error("still tracing");
  });
  await tab.box("truediv").hover();
  await tab.page.locator(".box.hovered").waitFor();
  await writeFile(path.join(ROOT, "docs", "images", "page.png"), await tab.page.screenshot());
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}

async function picture(
  name: string,
  address: string,
  options: BrowserContextOptions = {},
  act: (tab: Tab) => Promise<void> = async () => undefined,
): Promise<void> {
  await using tab = await Tab.open(browser, address, { ...LOOK, ...options });
  await act(tab);
  await tab.page.mouse.move(0, 0);
  await tab.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await tab.screenshot(name);
  console.log(`artefacts/page/${name}.png`);
}
