/**
 * What is drawn though it is no node: guards, and effects that happened only while tracing. Each stands where it stands
 * in the source. A finding about an expression that is no node itself (`p` in `x * p`) goes to the node around it.
 */

import type { Finding, Picture, Place, Span } from "./protocol.ts";

export interface Remark {
  readonly kind: "guard" | "effect";
  readonly text: string;
  readonly place: Place;
  /** Indexes of the findings about it. */
  readonly findings: readonly number[];
  /** Index of the node that it stands behind; -1 where it comes before all. */
  readonly behind: number;
  /** Indexes of the nodes that a guard asks. */
  readonly asks: readonly number[];
}

export interface Remarks {
  readonly remarks: readonly Remark[];
  /** Findings of nodes beside those that the picture names, by the node's index. */
  readonly findings: ReadonlyMap<number, readonly number[]>;
}

/** More of them would hide the graph; they are listed all the same. */
const MOST = 40;

export function remarksOf(picture: Picture): Remarks {
  const remarks = new Map<string, Remark>();
  const told = new Set<number>();
  for (const { text, place } of picture.guards) {
    const key = place === null ? "" : `${text} ${place.source} ${place.span.join()}`;
    if (place === null || remarks.has(key)) continue;
    const findings = indexes(
      picture.findings,
      (each) => isBranch(each) && each.place !== null && holds(place, each.place),
    );
    findings.forEach((index) => told.add(index));
    const asks = asked(picture, place);
    remarks.set(key, { kind: "guard", text, place, findings, behind: behind(picture, place), asks });
  }
  const others = new Map<number, number[]>();
  picture.findings.forEach((finding, index) => {
    const { place, text, nodes } = finding;
    if (place === null || told.has(index) || nodes.length > 0) return;
    if (isEffect(finding)) {
      const effect: Remark = {
        kind: "effect",
        text,
        place,
        findings: [index],
        behind: behind(picture, place),
        asks: [],
      };
      remarks.set(`effect ${index}`, effect);
    } else {
      const around = smallestAround(picture, place);
      if (around >= 0) others.set(around, [...(others.get(around) ?? []), index]);
    }
  });
  const inOrder = [...remarks.values()].sort(
    (a, b) => a.place.source - b.place.source || compare(a.place.span, b.place.span),
  );
  return { remarks: inOrder.length > MOST ? [] : inOrder, findings: others };
}

/** NST101 to NST107: conditions and numbers of iterations. */
function isBranch(finding: Finding): boolean {
  return finding.code.startsWith("NST1");
}

/** NST301 to NST305: what happened while tracing and does not when the graph runs. */
export function isEffect(finding: Finding): boolean {
  return finding.code.startsWith("NST3");
}

function indexes<T>(values: readonly T[], holds: (value: T) => boolean): number[] {
  return values.flatMap((value, index) => (holds(value) ? [index] : []));
}

/** Of the nodes of the same source that begin before a place, the one nearest to it; of iterations the first. */
function behind(picture: Picture, place: Place): number {
  let best = -1;
  picture.nodes.forEach((node, index) => {
    if (node.place?.source !== place.source || compare(node.place.span, place.span) >= 0) return;
    if (best < 0 || compare(picture.nodes[best]!.place!.span, node.place.span) < 0) best = index;
  });
  return best;
}

/** The nodes within a place that no other node there uses. */
function asked(picture: Picture, place: Place): number[] {
  const inside = indexes(picture.nodes, (node) => node.place !== null && holds(place, node.place));
  const used = new Set(inside.flatMap((index) => picture.nodes[index]!.inputs));
  return inside.filter((index) => !used.has(picture.nodes[index]!.name));
}

function smallestAround(picture: Picture, place: Place): number {
  let best = -1;
  picture.nodes.forEach((node, index) => {
    if (node.place === null || !holds(node.place, place)) return;
    if (best < 0 || (holds(picture.nodes[best]!.place!, node.place) && !holds(node.place, picture.nodes[best]!.place!)))
      best = index;
  });
  return best;
}

function holds(outer: Place, inner: Place): boolean {
  if (outer.source !== inner.source) return false;
  const [, , outerLine, outerColumn] = outer.span;
  const [, , innerLine, innerColumn] = inner.span;
  return (
    compare(outer.span, inner.span) <= 0 &&
    (innerLine < outerLine || (innerLine === outerLine && innerColumn <= outerColumn))
  );
}

/** By where they begin. */
function compare([line, column]: Span, [otherLine, otherColumn]: Span): number {
  return line - otherLine || column - otherColumn;
}
