/** Which nodes and findings a stretch of a text speaks of: the lines of a listing, cut where something begins or ends. */

import { pieces, type Inside, type Token } from "./python.ts";
import type { Severity, Span } from "./protocol.ts";

/** A stretch of text that stands for nodes. */
export interface Mark {
  readonly span: Span;
  readonly nodes: ReadonlySet<string>;
}

/** A stretch that a finding is about. */
export interface Underline {
  readonly span: Span;
  readonly severity: Severity;
  readonly finding: number;
}

export interface Segment {
  readonly text: string;
  readonly token: Token;
  /** Indexes of the marks around it, the smallest first. */
  readonly marks: readonly number[];
  readonly underline: Underline | null;
}

export interface Listing {
  readonly lines: readonly string[];
  /** Number of the first line. */
  readonly first: number;
  readonly marks: readonly Mark[];
  segments(line: number): readonly Segment[];
}

/** Lines are cut when they are asked for: of a long text few are seen. */
export function listing(
  text: string,
  first: number,
  marks: readonly Mark[],
  underlines: readonly Underline[],
): Listing {
  const lines = text.split("\n");
  const inside = insides(lines);
  const marksOn = byLine(marks, first, lines.length);
  const underlinesOn = byLine(underlines, first, lines.length);
  const cut = new Map<number, readonly Segment[]>();
  return {
    lines,
    first,
    marks,
    segments(line) {
      const known = cut.get(line);
      if (known !== undefined) return known;
      const segments = segmentsOf(
        lines[line] ?? "",
        line + first,
        inside[line] ?? "",
        marksOn[line] ?? [],
        underlinesOn[line] ?? [],
      );
      cut.set(line, segments);
      return segments;
    },
  };
}

function insides(lines: readonly string[]): Inside[] {
  let inside: Inside = "";
  return lines.map((line) => {
    const before = inside;
    inside = pieces(line, inside).inside;
    return before;
  });
}

interface Numbered<T> {
  readonly index: number;
  readonly value: T;
}

function byLine<T extends { readonly span: Span }>(
  values: readonly T[],
  first: number,
  count: number,
): Numbered<T>[][] {
  const lines: Numbered<T>[][] = [];
  values.forEach((value, index) => {
    const [start, , end] = value.span;
    for (let line = Math.max(start - first, 0); line <= Math.min(end - first, count - 1); line++) {
      (lines[line] ??= []).push({ index, value });
    }
  });
  return lines;
}

/** Where a span begins and ends on one line, in characters from 0. */
function onLine([line, column, endLine, endColumn]: Span, number: number): [start: number, end: number] {
  return [line < number ? 0 : column - 1, endLine > number ? Infinity : endColumn - 1];
}

function segmentsOf(
  text: string,
  number: number,
  inside: Inside,
  marks: readonly Numbered<Mark>[],
  underlines: readonly Numbered<Underline>[],
): Segment[] {
  const units = unitsOf(text);
  const at = (character: number) => units(Math.min(character, text.length));
  const marked = marks.map(({ index, value }) => ({
    index,
    size: extent(value.span),
    range: onLine(value.span, number).map(at),
  }));
  marked.sort((a, b) => a.size - b.size);
  const underlined = underlines.map(({ value }) => ({ value, range: onLine(value.span, number).map(at) }));
  const coloured = pieces(text, inside).pieces;
  const cuts = new Set([0, text.length, ...coloured.flatMap(({ start, end }) => [start, end])]);
  for (const { range } of [...marked, ...underlined]) range.forEach((cut) => cuts.add(cut));
  const ordered = [...cuts].sort((a, b) => a - b);
  return ordered.slice(1).map((end, index) => {
    const start = ordered[index]!;
    const covers = (range: readonly number[]) => range[0]! <= start && end <= range[1]!;
    return {
      text: text.slice(start, end),
      token: coloured.find((piece) => piece.start <= start && end <= piece.end)?.token ?? "other",
      marks: marked.filter(({ range }) => covers(range)).map(({ index }) => index),
      underline: underlined.find(({ range }) => covers(range))?.value ?? null,
    };
  });
}

function extent([line, column, endLine, endColumn]: Span): number {
  return (endLine - line) * 100_000 + endColumn - column;
}

/** From characters, which we count, to the UTF-16 units of JavaScript's strings. */
function unitsOf(text: string): (character: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (character) => Math.min(character, text.length);
  const starts: number[] = [];
  for (let unit = 0; unit < text.length; unit += text.codePointAt(unit)! > 0xffff ? 2 : 1) starts.push(unit);
  return (character) => starts[character] ?? text.length;
}
