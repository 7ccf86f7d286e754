/** Among the details, what a tracer of PyTorch's says beside its graph: gradients, what is saved, remarks, notes. */

import { button, html, type Child } from "./elements.ts";
import { code, message } from "./prose.ts";
import type { Gradient, Picture, PictureNode, Place, StudyRemark } from "./protocol.ts";
import { grouped, visible } from "./text.ts";

export interface Told {
  readonly name: string;
  readonly count: number | null;
  readonly children: readonly Child[];
}

type Choose = (nodes: readonly string[], place: Place | null) => void;

/** The sections of a picture; none of our own trace. */
export function told(picture: Picture, choose: Choose): Told[] {
  const { study, nodes } = picture;
  if (study === null) return [];
  const saved = nodes.filter((node) => node.saved);
  const remarks = study.remarks.filter(({ kind }) => kind !== "guard");
  const notes = [study.verdict, ...study.notes].filter((note) => note !== "");
  return [
    {
      name: `By PyTorch ${study.torch}`.trim(),
      count: null,
      children: notes.map((note) => html("p", {}, ...message(note))),
    },
    ...rows("Remarks", remarks, (remark) => remarkRow(remark, choose)),
    ...rows("Gradients", study.gradients, (gradient) => gradientRow(gradient, choose)),
    ...rows("Saved for the backward", saved, (node) => savedRow(node, choose)),
  ];
}

/** Longer lists nobody reads. */
const MOST_ROWS = 200;

function rows<T>(name: string, values: readonly T[], row: (value: T) => HTMLElement): Told[] {
  if (values.length === 0) return [];
  const shown = values.slice(0, MOST_ROWS).map(row);
  const more = values.length - shown.length;
  const children = [
    html("ul", { class: "rows" }, ...shown),
    ...(more > 0 ? [html("p", { class: "muted" }, `and ${grouped(more)} more`)] : []),
  ];
  return [{ name, count: values.length, children }];
}

function remarkRow(remark: StudyRemark, choose: Choose): HTMLElement {
  const { message: said, condition, text, hints, count, place } = remark;
  return html(
    "li",
    { class: "remark" },
    button(
      { class: "row" },
      () => choose([], place),
      html("span", { class: "sign", "aria-hidden": "true" }, remark.kind === "break" ? "⚡" : "◇"),
      html(
        "span",
        { class: "what" },
        code(condition === "" ? text : condition),
        count > 1 && html("span", { class: "muted" }, ` ${grouped(count)} times`),
      ),
    ),
    html("p", { class: "said" }, ...message(said)),
    ...hints.map((hint) => html("p", { class: "said muted" }, ...message(hint))),
  );
}

function gradientRow({ input, shape, reached, node, cuts }: Gradient, choose: Choose): HTMLElement {
  return html(
    "li",
    { class: "gradient" },
    button(
      { class: "row" },
      () => choose(node === null ? [] : [node], node === null ? (cuts[0]?.place ?? null) : null),
      html("span", { class: "sign", "aria-hidden": "true" }, reached ? "∂" : "✂"),
      html(
        "span",
        { class: "what" },
        code(input),
        " ",
        html("span", { class: "muted" }, reached ? shape : "gets none"),
      ),
    ),
    ...(reached || cuts.length > 0 ? [] : [html("p", { class: "said" }, "it does not reach the results")]),
    ...cuts.map((cut) =>
      html(
        "p",
        { class: "said" },
        ...(cut.place === null
          ? []
          : [button({ class: "link" }, () => choose([], cut.place), `line ${cut.place.span[0]}`), ", "]),
        code(cut.text),
        ": ",
        ...message(cut.message),
      ),
    ),
  );
}

function savedRow({ name, shape, place }: PictureNode, choose: Choose): HTMLElement {
  return html(
    "li",
    { class: "saved" },
    button(
      { class: "row" },
      () => choose([name], place),
      html("span", { class: "sign", "aria-hidden": "true" }, "⇣"),
      html("span", { class: "what" }, code(name), " ", html("span", { class: "muted" }, visible(shape))),
    ),
  );
}
