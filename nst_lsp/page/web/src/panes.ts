/** The panes and the splitters between them: each can be closed, and is as wide as a person wants. */

import { html } from "./elements.ts";
import type { PaneName, Store } from "./state.ts";

interface Splitter {
  readonly name: string;
  readonly label: string;
  readonly vertical: boolean;
  /** The share of the window that the pane on its one side has. */
  readonly initial: number;
  readonly share: (event: PointerEvent, area: DOMRect) => number;
  /** The arrow key that makes that pane larger. */
  readonly more: string;
  readonly less: string;
}

const SPLITTERS: readonly Splitter[] = [
  {
    name: "left",
    label: "Width of the source",
    vertical: true,
    initial: 0.27,
    share: (event, area) => (event.clientX - area.left) / area.width,
    more: "ArrowRight",
    less: "ArrowLeft",
  },
  {
    name: "right",
    label: "Width of code and details",
    vertical: true,
    initial: 0.29,
    share: (event, area) => (area.right - event.clientX) / area.width,
    more: "ArrowLeft",
    less: "ArrowRight",
  },
  {
    name: "below",
    label: "Height of the details",
    vertical: false,
    initial: 0.52,
    share: (event, area) => (area.bottom - event.clientY) / area.height,
    more: "ArrowUp",
    less: "ArrowDown",
  },
];

const LEAST = 0.1;
const MOST = 0.7;

export const PANES: readonly { readonly name: PaneName; readonly label: string }[] = [
  { name: "source", label: "Source" },
  { name: "graph", label: "Graph" },
  { name: "code", label: "Graph code" },
  { name: "details", label: "Details" },
];

export class Panes {
  private readonly area: HTMLElement;
  private readonly store: Store;
  private readonly changed: () => void;

  constructor(area: HTMLElement, store: Store, changed: () => void) {
    this.area = area;
    this.store = store;
    this.changed = changed;
    area.append(...SPLITTERS.map((splitter) => this.splitter(splitter)));
    this.apply();
  }

  isOpen(name: PaneName): boolean {
    return !this.store.state.closed.includes(name);
  }

  /** The last open pane stays. */
  toggle(name: PaneName): void {
    const { state } = this.store;
    const closed = this.isOpen(name) ? [...state.closed, name] : state.closed.filter((each) => each !== name);
    if (closed.length < PANES.length) state.closed = closed;
    this.store.save();
    this.apply();
  }

  private apply(): void {
    for (const { name } of PANES) document.getElementById(name)!.hidden = !this.isOpen(name);
    const open = PANES.map(({ name }) => name).filter((name) => this.isOpen(name));
    this.area.dataset["open"] = open.join(" ");
    for (const { name, initial } of SPLITTERS) {
      this.area.style.setProperty(`--${name}`, `${100 * (this.store.state.sizes[name] ?? initial)}%`);
    }
    this.changed();
  }

  private splitter(splitter: Splitter): HTMLElement {
    const { name, label, vertical, initial } = splitter;
    const element = html("div", {
      class: `splitter ${name}`,
      role: "separator",
      tabindex: 0,
      "aria-label": label,
      "aria-orientation": vertical ? "vertical" : "horizontal",
      "aria-valuemin": 100 * LEAST,
      "aria-valuemax": 100 * MOST,
    });
    const resize = (share: number): void => {
      const limited = Math.min(MOST, Math.max(LEAST, share));
      this.store.state.sizes[name] = limited;
      this.store.save();
      this.area.style.setProperty(`--${name}`, `${100 * limited}%`);
      element.setAttribute("aria-valuenow", String(Math.round(100 * limited)));
    };
    const share = () => this.store.state.sizes[name] ?? initial;
    element.setAttribute("aria-valuenow", String(Math.round(100 * share())));
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    element.addEventListener("pointermove", (event) => {
      if (element.hasPointerCapture(event.pointerId)) resize(splitter.share(event, this.area.getBoundingClientRect()));
    });
    element.addEventListener("keydown", (event) => {
      const step = event.key === splitter.more ? 0.02 : event.key === splitter.less ? -0.02 : 0;
      if (step === 0) return;
      resize(share() + step);
      event.preventDefault();
      event.stopPropagation();
    });
    element.addEventListener("dblclick", () => resize(initial));
    return element;
  }
}
