/** A comparison as the text of a document, Python to look at, with links to the conditions that do not hold. */

import type { Comparison } from "./protocol.ts";

export interface Words {
  readonly equal: string;
  readonly differs: string;
  readonly function: string;
  readonly graph: string;
  readonly guards: string;
}

/** Where in the text a link stands, and where it leads; all from 0. */
export interface Link {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly target: { readonly uri: string; readonly line: number; readonly character: number };
}

/** `named` gives the name of a file by its URI. */
export function text(
  compared: Comparison,
  words: Words,
  named: (uri: string) => string,
): { text: string; links: Link[] } {
  const lines = [
    `${compared.name}(${compared.arguments})  # ${compared.equal ? words.equal : words.differs}`,
    ...["", `# ${words.function}`, ...compared.function.split("\n")],
    ...["", `# ${words.graph}`, ...(compared.partial || compared.graph).split("\n")],
  ];
  const links: Link[] = [];
  if (compared.guards_failed.length > 0) lines.push("", `# ${words.guards}`);
  compared.guards_failed.forEach((guard, index) => {
    const place = compared.places[index];
    if (!place) return lines.push(guard);
    const { line, character } = place.range.start;
    const where = `${named(place.uri)}:${line + 1}`;
    const before = `${guard}  # `;
    const target = { uri: place.uri, line, character };
    links.push({ line: lines.length, start: before.length, end: before.length + where.length, target });
    return lines.push(before + where);
  });
  return { text: `${lines.join("\n")}\n`, links };
}
