/** Lays out DOT with Graphviz, away from the page's thread: one request at a time, in their order. */

import { Graphviz } from "@hpcc-js/wasm-graphviz";

import type { LayoutAnswer, LayoutRequest } from "./layout.ts";
import { placed } from "./placed.ts";

let graphviz = Graphviz.load();

addEventListener("message", async ({ data }: MessageEvent<LayoutRequest>) => {
  postMessage(await answer(data));
});

/** Graphviz may fail on the first text, and can do without what the second leaves out. */
async function answer({ id, dot, plain }: LayoutRequest): Promise<LayoutAnswer> {
  try {
    return { id, layout: placed(await laidOut(dot)) };
  } catch {
    graphviz = Graphviz.load(); // what failed may be in no state to go on
  }
  try {
    return { id, layout: placed(await laidOut(plain)) };
  } catch (error) {
    graphviz = Graphviz.load();
    return { id, error: String(error) };
  }
}

async function laidOut(dot: string): Promise<string> {
  // Graphviz knows json0, positions without drawing; the types of the package do not.
  return (await graphviz).layout(dot, "json0" as "json", "dot");
}
