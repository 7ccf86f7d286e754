/** A button with a menu: opened by click or arrow key, walked by arrows, closed by Escape or a choice. */

import { button, html } from "./elements.ts";

export interface Entry {
  readonly label: string;
  readonly note?: string;
  /** Of an entry that is on or off. */
  readonly checked?: () => boolean;
  readonly run: () => void;
}

export function menu(label: string, entries: () => readonly (Entry | null)[]): HTMLElement {
  const list = html("div", { class: "menu", role: "menu", "aria-label": label, popover: "auto", tabindex: -1 });
  const opener = button(
    { class: "tool", "aria-haspopup": "menu", "aria-expanded": "false" },
    () => list.togglePopover(),
    label,
    html("span", { class: "arrow", "aria-hidden": "true" }, "▾"),
  );
  opener.popoverTargetElement = list;
  opener.addEventListener("click", (event) => event.preventDefault());
  opener.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return;
    list.showPopover();
    event.preventDefault();
    event.stopPropagation();
  });
  list.addEventListener("toggle", () => {
    const open = list.matches(":popover-open");
    opener.setAttribute("aria-expanded", String(open));
    if (!open) return;
    list.replaceChildren(...entries().map((entry) => (entry === null ? html("hr") : row(entry, list, opener))));
    place(list, opener);
    list.querySelector<HTMLElement>("button")?.focus();
  });
  list.addEventListener("keydown", (event) => walk(event, list));
  return html("div", { class: "menu-holder" }, opener, list);
}

function row({ label, note, checked, run }: Entry, list: HTMLElement, opener: HTMLElement): HTMLElement {
  const on = checked?.();
  const role = on === undefined ? { role: "menuitem" } : { role: "menuitemcheckbox", "aria-checked": String(on) };
  const choose = (): void => {
    list.hidePopover();
    opener.focus();
    run();
  };
  return button(
    { ...role, tabindex: -1 },
    choose,
    html("span", { class: "check", "aria-hidden": "true" }, on ? "✓" : ""),
    label,
    note !== undefined && html("kbd", {}, note),
  );
}

function walk(event: KeyboardEvent, list: HTMLElement): void {
  const items = [...list.querySelectorAll<HTMLElement>("button")];
  const at = items.findIndex((item) => item === document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  event.stopPropagation();
  if (to === undefined) return;
  items.at(to % items.length)?.focus();
  event.preventDefault();
}

function place(list: HTMLElement, opener: HTMLElement): void {
  const { left, right, bottom } = opener.getBoundingClientRect();
  const width = list.offsetWidth;
  list.style.top = `${bottom + 4}px`;
  list.style.left = `${Math.max(4, left + width > innerWidth - 4 ? right - width : left)}px`;
}
