/** The listings of a picture: its sources and its code, with the nodes that each stretch stands for. */

import { listing, type Mark, type Underline } from "./places.ts";
import type { Picture, Span } from "./protocol.ts";
import type { Section } from "./textpane.ts";

export function linked(picture: Picture): { sections: Section[]; code: Section } {
  const marks = picture.sources.map(() => new Map<string, { span: Span; nodes: Set<string> }>());
  for (const { name, place } of picture.nodes) {
    const here = place === null ? undefined : marks[place.source];
    if (place === null || here === undefined) continue;
    const key = place.span.join();
    const mark = here.get(key);
    if (mark === undefined) here.set(key, { span: place.span, nodes: new Set([name]) });
    else mark.nodes.add(name);
  }
  const underlines: Underline[][] = picture.sources.map(() => []);
  picture.findings.forEach(({ place, severity }, finding) => {
    if (place !== null) underlines[place.source]?.push({ span: place.span, severity, finding });
  });
  const sections = picture.sources.map(({ label, first, text }, index) => ({
    heading: picture.sources.length > 1 ? label : "",
    listing: listing(text, first, [...marks[index]!.values()], underlines[index]!),
  }));
  return { sections, code: { heading: "", listing: listing(picture.code, 1, codeMarks(picture), []) } };
}

/** Of the code each line stands for its nodes; where loops are folded, for those of all iterations. */
function codeMarks(picture: Picture): Mark[] {
  const lines = new Map<number, Set<string>>();
  for (const { name, line } of picture.nodes) {
    if (line === null) continue;
    const nodes = lines.get(line);
    if (nodes === undefined) lines.set(line, new Set([name]));
    else nodes.add(name);
  }
  const texts = picture.code.split("\n");
  return [...lines].map(([line, nodes]) => {
    const text = texts[line] ?? "";
    const start = text.length - text.trimStart().length;
    const end = Array.from(text.trimEnd()).length;
    return { span: [line + 1, start + 1, line + 1, end + 1], nodes };
  });
}
