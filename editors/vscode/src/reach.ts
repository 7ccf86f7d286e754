/**
 * Whether an example is in reach of a Python file: whether the server could have a graph to show for it.
 *
 * Until one is, no process is started. The rule is the server's own, which runs a file only by it
 * (nst_lsp/analysis/outline.py, nst_lsp/borrowed.py), and where it is simplified here it finds more, never less:
 *
 * - the text has a comment `# nst: example`, a decorator `example`, a line of a doctest, or an annotation that tells
 *   shapes: a few regular expressions over the text of the editor, also where it is not saved;
 * - it has arrays as annotations, and settings tell their ranks (`nst.ranks`, `[tool.nst]` of a pyproject.toml);
 * - it annotates parameters, and a file that it imports from tells shapes: the modules that its lines import are looked
 *   for in the folders above it, and theirs where they only hand names on. Installed packages are not looked into.
 *
 * So a window costs, for each Python file that is opened, its text's scan, and for one with annotations some looks at
 * the disk. A file that gets its first example while it is open, or by a change of what it imports, is found when it
 * changes or is saved.
 */

import * as path from "node:path";

/** The text of a file; `undefined` where there is none. */
export type Read = (file: string) => Promise<string | undefined>;

const EXAMPLE = /#\s*nst:\s*example\b|^[ \t\f]*@.*\bexample\b|^[ \t\f]*(?:["']{1,3}[ \t]*)?>>>/m;
const SHAPE = /\bspec\s*\(|\bjaxtyping\b|\bndarray\[\s*(?:[^\s[.]+\.)?[tT]uple\[/;
const ARRAY = /[:[|=]\s*["']?(?:[^\s[.]+\.)*(?:ndarray|NDArray|ArrayLike)\b/;
const ANNOTATED = /\bdef\s+[^\s(]+\s*\([^)]*?:/;
const IMPORT = /^[ \t\f]*(?:from\s+(\.*)([^\s]*)\s+import\b|import\s+([^\s,;]+))/gm;
/** How many modules may hand a name on. */
const DEEPEST = 3;

export function hasExample(text: string): boolean {
  return EXAMPLE.test(text) || SHAPE.test(text);
}

/** Of a file that has none itself; `ranked` where the editor's settings tell the ranks of arrays. */
export async function borrowsExample(text: string, file: string, ranked: boolean, read: Read): Promise<boolean> {
  const ranks = ARRAY.test(text) ? ranked || (await projectTellsRanks(file, read)) : ranked;
  if (ranks && ARRAY.test(text)) return true;
  return ANNOTATED.test(text) && (await importsShapes(text, file, ranks, read, DEEPEST));
}

async function projectTellsRanks(file: string, read: Read): Promise<boolean> {
  for (const folder of foldersAbove(file)) {
    if (/\branks\b/.test((await read(path.join(folder, "pyproject.toml"))) ?? "")) return true;
  }
  return false;
}

async function importsShapes(text: string, file: string, ranked: boolean, read: Read, depth: number): Promise<boolean> {
  for (const one of new Set(imported(text, file))) {
    const source = one === file ? undefined : await read(one);
    if (source === undefined) continue;
    if (SHAPE.test(source) || (ranked && ARRAY.test(source))) return true;
    const handsOn = path.basename(one) === "__init__.py" || source.includes("import *");
    if (handsOn && depth > 0 && (await importsShapes(source, one, ranked, read, depth - 1))) return true;
  }
  return false;
}

/** Where the modules that a text imports may lie: beside the file for a relative import, else in any folder above. */
function* imported(text: string, file: string): Generator<string> {
  const above = foldersAbove(file);
  for (const [, dots = "", from, plain = ""] of text.matchAll(IMPORT)) {
    const steps = (from || plain).split(".").filter((step) => step !== "");
    const around =
      dots === ""
        ? above.flatMap((folder) => [folder, path.join(folder, "src")])
        : above.slice(dots.length - 1, dots.length);
    for (const folder of around) {
      if (steps.length > 0) yield `${path.join(folder, ...steps)}.py`;
      yield path.join(folder, ...steps, "__init__.py");
    }
  }
}

function foldersAbove(file: string): string[] {
  const folder = path.dirname(file);
  return folder === file ? [] : [folder, ...foldersAbove(folder)];
}
