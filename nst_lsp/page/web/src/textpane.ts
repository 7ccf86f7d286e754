/**
 * Listings that are read beside the graph: source files, or the graph's code. Only the rows that are seen exist, so a text
 * may have any length. A stretch that stands for nodes lights up with them, in whichever pane they are pointed at.
 */

import { html } from "./elements.ts";
import type { Listing, Segment } from "./places.ts";
import { oneLine, visible } from "./text.ts";

/** Pixels; the style sheet has the same. */
export const ROW_HEIGHT = 19;
const AROUND = 12;

export interface Section {
  /** Empty where there is only one. */
  readonly heading: string;
  readonly listing: Listing;
}

export interface Lights {
  readonly selected: ReadonlySet<string>;
  readonly hovered: ReadonlySet<string>;
  readonly cursor: ReadonlySet<string>;
  readonly matched: ReadonlySet<string>;
}

export interface Listener {
  hover(nodes: ReadonlySet<string>): void;
  select(nodes: ReadonlySet<string>, section: number, mark: number | null): void;
  finding(index: number): void;
}

interface Row {
  readonly section: number;
  /** -1 for the heading. */
  readonly line: number;
}

const NOTHING: ReadonlySet<string> = new Set();

export class TextPane {
  private sections: readonly Section[] = [];
  private rows: Row[] = [];
  private lights: Lights = { selected: NOTHING, hovered: NOTHING, cursor: NOTHING, matched: NOTHING };
  private active = -1;
  private drawn = { from: 0, to: 0 };
  private readonly element: HTMLElement;
  private readonly space = html("div", { class: "space" });
  private readonly shown = html("div", { class: "rows", role: "presentation" });
  private readonly listener: Listener;

  constructor(pane: HTMLElement, label: string, listener: Listener) {
    this.element = html("div", { class: "listing", tabindex: 0, role: "listbox", "aria-label": label }, this.space);
    this.space.append(this.shown);
    this.listener = listener;
    pane.append(this.element);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.element.addEventListener("pointermove", (event) => listener.hover(this.at(event)?.nodes ?? NOTHING));
    this.element.addEventListener("pointerleave", () => listener.hover(NOTHING));
    this.element.addEventListener("click", (event) => this.clicked(event));
    this.element.addEventListener("keydown", (event) => this.pressed(event));
  }

  show(sections: readonly Section[]): void {
    this.sections = sections;
    this.rows = sections.flatMap(({ heading, listing }, section) => [
      ...(heading === "" ? [] : [{ section, line: -1 }]),
      ...listing.lines.map((_, line) => ({ section, line })),
    ]);
    this.active = Math.min(this.active, this.rows.length - 1);
    this.space.style.height = `${this.rows.length * ROW_HEIGHT}px`;
    const digits = Math.max(...sections.map(({ listing }) => String(listing.first + listing.lines.length).length));
    this.element.style.setProperty("--digits", String(digits));
    this.draw(true);
  }

  light(lights: Lights): void {
    this.lights = lights;
    this.paint();
  }

  /** Brings the first stretch of these nodes into view; `false` where there is none. */
  reveal(nodes: ReadonlySet<string>): boolean {
    for (const [section, { listing }] of this.sections.entries()) {
      const mark = listing.marks.find((each) => meets(each.nodes, nodes));
      if (mark !== undefined) {
        this.revealLine(section, mark.span[0]);
        return true;
      }
    }
    return false;
  }

  /** Brings a line into view, by its number. */
  revealLine(section: number, number: number): void {
    const listing = this.sections[section]?.listing;
    if (listing === undefined) return;
    const index = this.rows.findIndex((row) => row.section === section && row.line === number - listing.first);
    if (index < 0) return;
    this.active = index;
    const [top, height] = [index * ROW_HEIGHT, this.element.clientHeight];
    const { scrollTop } = this.element;
    if (top < scrollTop + ROW_HEIGHT || top > scrollTop + height - 2 * ROW_HEIGHT) {
      this.element.scrollTop = Math.max(0, top - height / 3);
    }
    this.draw(true);
  }

  // ---- rows ------------------------------------------------------------------------------------------

  private draw(anew = false): void {
    const from = Math.max(0, Math.floor(this.element.scrollTop / ROW_HEIGHT) - AROUND);
    const to = Math.min(
      this.rows.length,
      Math.ceil((this.element.scrollTop + this.element.clientHeight) / ROW_HEIGHT) + AROUND,
    );
    if (!anew && from === this.drawn.from && to === this.drawn.to) return;
    this.drawn = { from, to };
    this.shown.style.transform = `translateY(${from * ROW_HEIGHT}px)`;
    this.shown.replaceChildren(...this.rows.slice(from, to).map((row, index) => this.row(row, from + index)));
    this.paint();
  }

  private row({ section, line }: Row, index: number): HTMLElement {
    const { heading, listing } = this.sections[section]!;
    const id = `${this.element.parentElement?.id ?? ""}-${index}`;
    if (line < 0) return html("div", { class: "row heading", id, role: "presentation" }, oneLine(heading));
    const segments = listing.segments(line).map((segment, at) => this.segment(segment, at));
    return html(
      "div",
      {
        class: "row",
        id,
        role: "option",
        "data-row": index,
        "aria-setsize": this.rows.length,
        "aria-posinset": index + 1,
      },
      html("span", { class: "number", "aria-hidden": "true" }, String(listing.first + line)),
      html("span", { class: "text" }, ...segments),
    );
  }

  private segment({ text, token, marks, underline }: Segment, at: number): HTMLElement {
    const classes = [`token-${token}`, marks.length > 0 && "marked", underline && `underlined ${underline.severity}`];
    return html("span", { class: classes.filter(Boolean).join(" "), "data-segment": at }, visible(text));
  }

  /** Lights up what is pointed at; the rows stay, since the pointer may be on one. */
  private paint(): void {
    const lights = Object.entries(this.lights) as [string, ReadonlySet<string>][];
    for (const element of this.shown.querySelectorAll<HTMLElement>("[data-segment]")) {
      const found = this.segmentOf(element);
      const nodes =
        found === null
          ? []
          : found.segment.marks.map((mark) => this.sections[found.section]!.listing.marks[mark]!.nodes);
      for (const [name, lit] of lights)
        element.classList.toggle(
          name,
          nodes.some((set) => meets(set, lit)),
        );
    }
    for (const element of this.shown.querySelectorAll<HTMLElement>("[data-row]")) {
      element.setAttribute("aria-selected", String(element.querySelector(".selected") !== null));
      element.classList.toggle("active", Number(element.dataset["row"]) === this.active);
    }
    const active = this.shown.querySelector(".active");
    if (active === null) this.element.removeAttribute("aria-activedescendant");
    else this.element.setAttribute("aria-activedescendant", active.id);
  }

  // ---- pointer and keyboard --------------------------------------------------------------------------

  private segmentOf(target: EventTarget | null): { segment: Segment; section: number } | null {
    const element = target instanceof Element ? target.closest<HTMLElement>("[data-segment]") : null;
    const row = this.rows[Number(element?.closest<HTMLElement>("[data-row]")?.dataset["row"] ?? -1)];
    if (element === null || row === undefined) return null;
    const segment = this.sections[row.section]!.listing.segments(row.line)[Number(element.dataset["segment"])];
    return segment === undefined ? null : { segment, section: row.section };
  }

  private at(event: Event): { nodes: ReadonlySet<string>; section: number; mark: number; segment: Segment } | null {
    const found = this.segmentOf(event.target);
    const mark = found?.segment.marks[0];
    if (found === null || mark === undefined) return null;
    return { ...found, mark, nodes: this.sections[found.section]!.listing.marks[mark]!.nodes };
  }

  private clicked(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-row]") : null;
    if (row !== null) this.active = Number(row.dataset["row"]);
    const [found, here] = [this.at(event), this.segmentOf(event.target)];
    if (here?.segment.underline) this.listener.finding(here.segment.underline.finding);
    else this.listener.select(found?.nodes ?? NOTHING, found?.section ?? 0, found?.mark ?? null);
    this.paint();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW_HEIGHT) - 1);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.rows.length,
      End: this.rows.length,
    };
    const step = steps[event.key];
    if (step !== undefined) this.go(Math.sign(step), Math.abs(step));
    else if (event.key === "Enter") this.choose();
    else return;
    event.preventDefault();
  }

  /** The active line moves, past headings; its nodes light up. */
  private go(direction: number, count: number): void {
    const last = this.rows.length - 1;
    let index = Math.min(last, Math.max(0, this.active + direction * count));
    while (this.rows[index]?.line === -1 && index + direction >= 0 && index + direction <= last) index += direction;
    const row = this.rows[index];
    if (row === undefined || row.line < 0) return;
    this.revealLine(row.section, row.line + this.sections[row.section]!.listing.first);
    this.listener.hover(this.nodesOf(row));
  }

  private choose(): void {
    const row = this.rows[this.active];
    if (row !== undefined) this.listener.select(this.nodesOf(row), row.section, this.marksOf(row)[0] ?? null);
  }

  private marksOf(row: Row): number[] {
    return [...new Set(this.sections[row.section]!.listing.segments(row.line).flatMap(({ marks }) => marks))];
  }

  private nodesOf(row: Row): ReadonlySet<string> {
    const { marks } = this.sections[row.section]!.listing;
    return new Set(this.marksOf(row).flatMap((mark) => [...marks[mark]!.nodes]));
  }
}

function meets(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  for (const each of small) if (large.has(each)) return true;
  return false;
}
