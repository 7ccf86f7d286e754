/** What PyTorch's own tracers say beside our trace: the switch between their graphs, and what stands in the place of one. */

import { button, html, type Child } from "./elements.ts";
import { message } from "./prose.ts";
import type { Picture, Place, StudyKind } from "./protocol.ts";
import { oneLine, shortened, visible } from "./text.ts";

/** Our own trace is the empty one. */
export type Shown = StudyKind | "";

interface Choice {
  readonly label: string;
  /** What is asked for. */
  readonly noun: string;
  readonly about: string;
}

const CHOICES: Readonly<Record<Shown, Choice>> = {
  "": { label: "Trace", noun: "trace", about: "Our own trace of the function" },
  joint: {
    label: "Joint",
    noun: "joint graph",
    about: "AOTDispatcher: forward and backward as one graph, and what is saved between them",
  },
  forward: { label: "Forward", noun: "forward graph", about: "AOTDispatcher: the forward, as torch.compile splits it" },
  backward: {
    label: "Backward",
    noun: "backward graph",
    about: "AOTDispatcher: the backward, as torch.compile splits it",
  },
  dynamo: {
    label: "Dynamo",
    noun: "graphs of Dynamo",
    about: "What torch.compile captures, where it breaks the graph and what it guards on",
  },
  export: { label: "Export", noun: "exported graph", about: "What torch.export makes of it, and what it reports" },
};

/** The graphs that can be shown of a function, as radio buttons that look like one switch. */
export class Switch {
  readonly element = html("fieldset", { class: "switch", role: "radiogroup", "aria-label": "Graph by", hidden: true });
  private readonly choose: (shown: Shown) => void;
  private offered = "";

  constructor(choose: (shown: Shown) => void) {
    this.choose = choose;
    this.element.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement) this.choose(target.value as Shown);
    });
  }

  /** What can be chosen; nothing to choose from is not shown. */
  offer(studies: readonly StudyKind[]): void {
    this.element.hidden = studies.length === 0;
    if (this.offered === studies.join()) return; // the focus stays
    this.offered = studies.join();
    this.element.replaceChildren(...["" as const, ...studies].map((shown) => option(shown)));
  }

  set(shown: Shown): void {
    for (const each of this.element.querySelectorAll("input")) each.checked = each.value === shown;
  }

  focus(): void {
    this.element.querySelector<HTMLElement>("input:checked")?.focus();
  }
}

function option(shown: Shown): HTMLElement {
  const { label, about } = CHOICES[shown];
  return html("label", { title: about }, html("input", { type: "radio", name: "study", value: shown }), label);
}

export interface InsteadListener {
  /** The trace is wanted after all. */
  back(): void;
  again(): void;
  show(place: Place): void;
}

/** Stands over the picture while a tracer is being asked, and where it has made no graph. */
export class Instead {
  readonly element = html("div", { class: "instead", hidden: true });
  private readonly listener: InsteadListener;
  private readonly said = html("div", { role: "status" });
  private readonly seconds = html("p", { class: "muted", "aria-hidden": "true" });
  private readonly tools = html("p", { class: "tools" });
  private told = "";
  private since = 0;
  private timer = 0;

  constructor(listener: InsteadListener) {
    this.listener = listener;
    this.element.append(html("div", { class: "panel" }, this.said, this.seconds, this.tools));
  }

  get isShown(): boolean {
    return !this.element.hidden;
  }

  hide(): void {
    this.tell("");
  }

  /** `waiting` says what it waits for, where the tracer is not being asked yet. */
  asking(shown: StudyKind, name: string, waiting: string): void {
    const what = `the ${CHOICES[shown].noun} of ${shortened(oneLine(name), 60)}`;
    const words =
      waiting === "" ? `Asking PyTorch for ${what} …` : `${visible(waiting)}; then PyTorch is asked for ${what}.`;
    const began = this.tell(
      `asking ${words}`,
      [html("span", { class: "spinner", "aria-hidden": "true" }), html("p", {}, words)],
      [button({ class: "tool" }, () => this.listener.back(), "Back to the trace")],
    );
    if (!began) return;
    this.since = performance.now();
    this.timer = window.setInterval(() => this.count(), 1000);
    this.count();
  }

  /** Why there is no graph to be seen. */
  nothing({ study, function: name }: Picture): void {
    if (study === null) return;
    const reasons = study.remarks.filter(({ kind }) => kind === "stop");
    const why = study.error ?? study.verdict;
    this.tell(
      `nothing ${JSON.stringify([name, study])}`,
      [
        html("h2", {}, `${visible(name)}: no ${CHOICES[study.kind].noun}`),
        html("p", {}, ...message(why)),
        ...reasons.map(({ message: said, text, place }) =>
          html(
            "p",
            {},
            ...(place === null
              ? []
              : [
                  button({ class: "link" }, () => this.listener.show(place), `line ${place.span[0]}: ${visible(text)}`),
                  " ",
                ]),
            ...message(said),
          ),
        ),
      ],
      [
        button({ class: "tool" }, () => this.listener.again(), "Ask again"),
        button({ class: "tool" }, () => this.listener.back(), "Back to the trace"),
      ],
    );
  }

  /** Returns whether it is news. */
  private tell(key: string, said: readonly Child[] = [], tools: readonly HTMLElement[] = []): boolean {
    if (key === this.told) return false;
    this.told = key;
    this.element.classList.toggle("alone", key.startsWith("nothing"));
    clearInterval(this.timer);
    this.seconds.textContent = "";
    this.element.hidden = key === "";
    this.said.replaceChildren(...said.filter((each) => each !== null && each !== false));
    this.tools.replaceChildren(...tools);
    return true;
  }

  private count(): void {
    const seconds = Math.round((performance.now() - this.since) / 1000);
    this.seconds.textContent = seconds < 2 ? "This takes seconds." : `${seconds} s`;
  }
}
