/**
 * What is drawn though it is no node: guards, effects that happened only while tracing, and what a tracer of PyTorch's
 * remarks: where a gradient ends, and where Dynamo breaks the graph. Each stands where it stands in the source. A finding about an expression that is no node itself (`p` in `x * p`) goes to the node around it.
 */

import type { Finding, Picture, Place, Span, StudyRemark } from "./protocol.ts";

export interface Remark {
  readonly kind: "guard" | "effect" | "cut" | "break";
  readonly text: string;
  /** What it means, in a few words. */
  readonly says: string;
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
    const says = "guard: holds for the example";
    remarks.set(key, { kind: "guard", text, says, place, findings, behind: behind(picture, place), asks });
  }
  for (const [key, said] of saidBy(picture)) remarks.set(key, said);
  const others = new Map<number, number[]>();
  picture.findings.forEach((finding, index) => {
    const { place, text, nodes } = finding;
    if (place === null || told.has(index) || nodes.length > 0) return;
    if (isEffect(finding)) {
      const effect: Remark = {
        kind: "effect",
        text,
        says: "only while tracing",
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

/** Where gradients end, and what broke a graph or was decided by the example, as a tracer of PyTorch's tells it. */
function saidBy(picture: Picture): Map<string, Remark> {
  const said = new Map<string, Remark>();
  const add = (kind: Remark["kind"], { text, place }: StudyRemark, says: string): void => {
    if (place === null) return;
    const none = { findings: [], asks: [] };
    said.set(`${says} ${place.source} ${place.span.join()}`, {
      ...none,
      kind,
      text,
      says,
      place,
      behind: behind(picture, place),
    });
  };
  for (const remark of picture.study?.remarks ?? []) {
    if (remark.kind === "break") add("break", remark, "the graph breaks here");
    if (remark.kind === "baked") add("guard", remark, "decided by the example");
  }
  const ended = new Map<string, { cut: StudyRemark; inputs: string[] }>();
  for (const { input, cuts } of picture.study?.gradients ?? []) {
    for (const cut of cuts) {
      const key = JSON.stringify(cut.place);
      if (ended.has(key)) ended.get(key)!.inputs.push(input);
      else ended.set(key, { cut, inputs: [input] });
    }
  }
  for (const { cut, inputs } of ended.values()) add("cut", cut, `the gradient of ${listed(inputs)} ends here`);
  return said;
}

function listed(names: readonly string[]): string {
  const [first = "", ...others] = names;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
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
