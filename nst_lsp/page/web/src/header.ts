/** The bar above the panes: which function and example, what is known of it, and the tools. */

import { element, html } from "./elements.ts";
import { message } from "./prose.ts";
import type { Against, Picture, Study } from "./protocol.ts";
import { Switch, type Shown } from "./studies.ts";
import { grouped, plural, visible, shortened, oneLine } from "./text.ts";

export interface HeaderListener {
  study(shown: Shown): void;
  choose(name: string, example: number): void;
  compare(against: Against, example: number | null): void;
}

export interface Compared {
  readonly against: Against;
  readonly other: number | null;
}

export class Header {
  private readonly functions = html("select", { "aria-label": "Function", class: "function" });
  private readonly examples = html("select", { "aria-label": "Example" });
  private readonly comparison = html("select", { "aria-label": "Compare with" });
  readonly switch = new Switch((shown) => this.listener.study(shown));
  private readonly facts = element("#facts", HTMLElement);
  private readonly asking = html("span", { class: "fact stale", role: "status" });
  private readonly listener: HeaderListener;
  private picture: Picture | null = null;

  constructor(live: boolean, tools: readonly HTMLElement[], listener: HeaderListener) {
    this.listener = listener;
    element("#choices", HTMLElement).append(this.functions, this.examples, ...(live ? [this.switch.element] : []));
    element("#tools", HTMLElement).append(...(live ? [this.comparison] : []), ...tools);
    for (const select of [this.functions, this.examples]) select.disabled = !live;
    this.functions.addEventListener("change", () => {
      const chosen = this.picture?.functions.find((each) => each.name === this.functions.value);
      if (chosen !== undefined) this.listener.choose(chosen.name, chosen.example);
    });
    this.examples.addEventListener("change", () => {
      if (this.picture !== null) this.listener.choose(this.picture.function, Number(this.examples.value));
    });
    this.comparison.addEventListener("change", () => {
      const [against = "", example] = this.comparison.value.split(":");
      this.listener.compare(against as Against, example === undefined ? null : Number(example));
    });
  }

  /** What is being asked of PyTorch beside what is shown; "" when nothing is. */
  tellAsking(text: string): void {
    this.asking.textContent = text;
  }

  show(picture: Picture, compared: Compared): void {
    this.picture = picture;
    const names = picture.functions.some((each) => each.name === picture.function)
      ? picture.functions.map((each) => each.name)
      : [picture.function, ...picture.functions.map((each) => each.name)];
    fill(
      this.functions,
      names.map((name) => [name, visible(name)]),
      picture.function,
    );
    const example = (source: string) => shortened(oneLine(source), 44);
    fill(
      this.examples,
      picture.examples.map(({ index, source }) => [String(index), `${index + 1}: ${example(source)}`]),
      String(picture.example),
    );
    this.examples.hidden = picture.examples.length < 2;
    const others = picture.examples.filter(({ index }) => index !== picture.example);
    fill(
      this.comparison,
      [
        ["", "Compare with …"],
        ["save", "the last save"],
        ["commit", "the last commit"],
        ...others.map(
          ({ index, source }) =>
            [`example:${index}`, `example ${index + 1}: ${shortened(oneLine(source), 26)}`] as const,
        ),
      ],
      compared.against === "example" ? `example:${compared.other}` : compared.against,
    );
    this.comparison.hidden = picture.study !== null; // there are no others of it
    this.switch.offer(picture.studies);
    this.facts.replaceChildren(...facts(picture), this.asking);
    document.title = `${visible(picture.title)} · nst graph`;
  }
}

function facts(picture: Picture): HTMLElement[] {
  return picture.study === null ? traceFacts(picture) : studyFacts(picture, picture.study);
}

function studyFacts({ size, nodes, stale }: Picture, study: Study): HTMLElement[] {
  const sound = study.sound ? "agrees" : "unverified";
  const known = study.torch === "" ? "PyTorch" : `PyTorch ${study.torch}`;
  const said = study.error ?? study.verdict;
  const more = said.startsWith(study.title) ? said.slice(study.title.length).trim() : said;
  return [
    html("span", { class: `verdict ${sound}`, title: visible(known) }, visible(study.title)),
    html("span", { class: "fact valid", title: visible(said) }, ...message(shortened(oneLine(more), 120))),
    ...(size > nodes.length
      ? [html("span", { class: "fact" }, `${grouped(nodes.length)} of ${grouped(size)} nodes shown`)]
      : []),
    ...(stale ? [html("span", { class: "fact stale" }, "from before the last change")] : []),
  ];
}

function traceFacts(picture: Picture): HTMLElement[] {
  const { verdict, validFor, size, nodes, stale } = picture;
  const words = { agrees: "agrees", differs: "differs", unverified: "not verified" } as const;
  const counted =
    size > nodes.length
      ? `${plural(picture.operations, "operation")}, ${grouped(nodes.length)} of ${grouped(size)} nodes shown`
      : plural(picture.operations, "operation");
  return [
    html("span", { class: `verdict ${verdict.kind}`, title: visible(verdict.text) }, words[verdict.kind]),
    html("span", { class: "fact" }, counted),
    ...(validFor === ""
      ? []
      : [
          html(
            "span",
            { class: "fact valid", title: visible(validFor) },
            "valid for ",
            html("code", { dir: "ltr" }, shortened(oneLine(validFor), 80)),
          ),
        ]),
    ...(stale ? [html("span", { class: "fact stale" }, "from before the last change")] : []),
  ];
}

function fill(
  select: HTMLSelectElement,
  options: readonly (readonly [value: string, label: string])[],
  value: string,
): void {
  select.replaceChildren(...options.map(([each, label]) => html("option", { value: each }, label)));
  select.value = value;
}
