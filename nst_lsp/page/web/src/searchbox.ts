/** The search field: Enter goes to the next hit, Shift-Enter to the one before, Escape leaves. */

import { button, html } from "./elements.ts";
import { found, MOST_HITS, search, type Hit } from "./search.ts";
import type { Picture } from "./protocol.ts";
import { grouped, oneLine, shortened } from "./text.ts";

export interface SearchListener {
  /** The nodes that were found, all at once. */
  matched(names: ReadonlySet<string>): void;
  go(hit: Hit): void;
  leave(): void;
}

const SHOWN = 8;

export class SearchBox {
  readonly element: HTMLElement;
  private readonly field = html("input", {
    type: "search",
    placeholder: "Search",
    "aria-label": "Search nodes, findings and source",
    "aria-keyshortcuts": "/",
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": "hits",
    autocomplete: "off",
    spellcheck: "false",
  });
  private readonly count = html("span", { class: "hit-count", role: "status" });
  private readonly list = html("div", {
    id: "hits",
    class: "menu hits",
    role: "listbox",
    "aria-label": "Found",
    popover: "manual",
  });
  private readonly listener: SearchListener;
  private picture: Picture | null = null;
  private hits: Hit[] = [];
  private at = -1;

  constructor(listener: SearchListener) {
    this.listener = listener;
    this.element = html("div", { class: "search", role: "search" }, this.field, this.count, this.list);
    this.field.addEventListener("input", () => this.look());
    this.field.addEventListener("focus", () => this.tell());
    this.field.addEventListener("blur", () => this.list.hidePopover());
    this.field.addEventListener("keydown", (event) => this.pressed(event));
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
  }

  show(picture: Picture): void {
    this.picture = picture;
    this.look();
  }

  focus(): void {
    this.field.focus();
    this.field.select();
  }

  clear(): void {
    this.field.value = "";
    this.look();
  }

  private look(): void {
    this.hits = this.picture === null ? [] : search(this.picture, this.field.value);
    this.at = -1;
    this.tell();
    this.listener.matched(this.picture === null ? new Set() : found(this.picture, this.hits));
  }

  private step(by: number): void {
    const { length } = this.hits;
    if (length === 0) return;
    this.at = this.at < 0 ? (by > 0 ? 0 : length - 1) : (this.at + by + length) % length;
    this.tell();
    this.listener.go(this.hits[this.at]!);
  }

  private tell(): void {
    const { length } = this.hits;
    const total = length === MOST_HITS ? `${grouped(length)}+` : grouped(length);
    this.count.textContent =
      this.field.value.trim() === "" ? "" : this.at < 0 ? total : `${grouped(this.at + 1)} of ${total}`;
    const from = Math.max(0, Math.min(this.at - 3, length - SHOWN));
    this.list.replaceChildren(...this.hits.slice(from, from + SHOWN).map((hit, index) => this.row(hit, from + index)));
    const open = length > 0 && document.activeElement === this.field;
    this.field.setAttribute("aria-expanded", String(open));
    if (this.at < 0) this.field.removeAttribute("aria-activedescendant");
    else this.field.setAttribute("aria-activedescendant", `hit-${this.at}`);
    if (open === this.list.matches(":popover-open")) return;
    this.list.togglePopover(open);
    const { left, bottom, width } = this.field.getBoundingClientRect();
    this.list.style.top = `${bottom + 4}px`;
    this.list.style.left = `${left}px`;
    this.list.style.minWidth = `${width}px`;
  }

  private row(hit: Hit, index: number): HTMLElement {
    const where = hit.kind === "source" ? `line ${hit.line}` : hit.kind;
    const choose = (): void => {
      this.at = index;
      this.step(0);
    };
    return button(
      { role: "option", id: `hit-${index}`, tabindex: -1, "aria-selected": String(index === this.at) },
      choose,
      html("code", { dir: "ltr" }, shortened(oneLine(hit.text), 60)),
      html("span", { class: "muted" }, where),
    );
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key === "Enter" || event.key === "ArrowDown" || event.key === "ArrowUp") {
      this.step(event.key === "ArrowUp" || event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      this.clear();
      this.listener.leave();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
