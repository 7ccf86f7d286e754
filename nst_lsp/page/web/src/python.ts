/** Python's words, told apart for the eye: enough for colours, one line at a time. */

export type Token =
  "keyword" | "name" | "builtin" | "number" | "string" | "comment" | "decorator" | "definition" | "other";

export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly token: Token;
}

/** What a line begins inside of: nothing, or a string of three quotes. */
export type Inside = "" | '"""' | "'''";

const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if import in is " +
    "lambda nonlocal not or pass raise return try while with yield match case"
  ).split(" "),
);
const BUILTINS = new Set(
  (
    "abs all any bool dict enumerate filter float int isinstance len list map max min print range reversed round set sorted str sum " +
    "super tuple type zip self cls"
  ).split(" "),
);

const WORDS =
  /(#.*$)|([rbfuRBFU]{0,2}(?:"""|'''))|([rbfuRBFU]{0,2}(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?))|((?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?j?|0[xob][\da-fA-F_]+)|(@[\p{L}_][\p{L}\p{N}_.]*)|([\p{L}_][\p{L}\p{N}_]*)/gu;

/** The pieces of a line that are coloured, and what the next line begins inside of. */
export function pieces(line: string, inside: Inside): { pieces: Piece[]; inside: Inside } {
  const found: Piece[] = [];
  let at = 0;
  if (inside !== "") {
    const end = line.indexOf(inside);
    at = end < 0 ? line.length : end + 3;
    found.push({ start: 0, end: at, token: "string" });
    if (end < 0) return { pieces: found, inside };
  }
  WORDS.lastIndex = at;
  let before = "";
  for (let match = WORDS.exec(line); match !== null; match = WORDS.exec(line)) {
    const [text, comment, opening, string, number, decorator, word] = match;
    if (opening !== undefined) {
      const quotes = opening.slice(-3) as Inside;
      const end = line.indexOf(quotes, WORDS.lastIndex);
      found.push({ start: match.index, end: end < 0 ? line.length : end + 3, token: "string" });
      if (end < 0) return { pieces: found, inside: quotes };
      WORDS.lastIndex = end + 3;
      continue;
    }
    const token: Token =
      comment !== undefined ? "comment"
      : string !== undefined ? "string"
      : number !== undefined ? "number"
      : decorator !== undefined ? (line.slice(0, match.index).trim() === "" ? "decorator" : "other")
      : kindOf(word ?? "", before); // prettier-ignore
    found.push({ start: match.index, end: match.index + text.length, token });
    before = text;
  }
  return { pieces: found.filter((piece) => piece.token !== "other"), inside: "" };
}

function kindOf(word: string, before: string): Token {
  if (before === "def" || before === "class") return "definition";
  if (KEYWORDS.has(word)) return "keyword";
  return BUILTINS.has(word) ? "builtin" : "name";
}
