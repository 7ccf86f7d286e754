/** Finds a text in a picture: in its nodes, its findings and its sources. Case counts where the text has capitals. */

import { moduleOf, moduleText } from "./modules.ts";
import type { Picture } from "./protocol.ts";

export type HitKind = "node" | "finding" | "source";

export interface Hit {
  readonly kind: HitKind;
  /** Of the node, the finding, or the source. */
  readonly index: number;
  /** The number of the line; 0 for nodes and findings. */
  readonly line: number;
  readonly text: string;
}

/** More than these nobody walks through. */
export const MOST_HITS = 1000;

export function search(picture: Picture, wanted: string): Hit[] {
  const text = wanted.trim();
  if (text === "") return [];
  const exact = text !== text.toLowerCase();
  const has = (...texts: (string | null)[]) =>
    texts.some((each) => each !== null && (exact ? each : each.toLowerCase()).includes(text));
  const hits: Hit[] = [];
  picture.nodes.forEach(({ name, operation, code, shape, sizes, group }, index) => {
    const module = moduleOf(picture, group);
    if (has(name, operation, code, shape, sizes, module && moduleText(module)))
      hits.push({ kind: "node", index, line: 0, text: code });
  });
  picture.findings.forEach(({ code, name, message, text: where }, index) => {
    if (has(code, name, message, where)) hits.push({ kind: "finding", index, line: 0, text: `${code} ${where}` });
  });
  picture.sources.forEach((source, index) => {
    source.text.split("\n").forEach((line, at) => {
      if (has(line)) hits.push({ kind: "source", index, line: source.first + at, text: line.trim() });
    });
  });
  return hits.slice(0, MOST_HITS);
}

/** The names of the nodes that were found. */
export function found(picture: Picture, hits: readonly Hit[]): Set<string> {
  return new Set(hits.filter((hit) => hit.kind === "node").map((hit) => picture.nodes[hit.index]!.name));
}
