/** The keys of the page, and the sheet that lists them. */

import { button, html } from "./elements.ts";

export interface Key {
  readonly keys: readonly string[];
  readonly shown: string;
  readonly does: string;
  /** Missing where the graph itself listens. */
  readonly run?: () => void;
}

/** Keys that mean something to whoever has the focus are theirs. */
export function listen(keys: readonly Key[]): void {
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (
      (target instanceof HTMLInputElement && target.type !== "radio") ||
      target instanceof HTMLSelectElement ||
      document.querySelector("dialog[open]") !== null
    )
      return;
    const key = keys.find((each) => each.run !== undefined && each.keys.includes(event.key));
    if (key?.run === undefined) return;
    event.preventDefault();
    key.run();
  });
}

export function sheet(keys: readonly Key[]): HTMLDialogElement {
  const rows = keys.map(({ shown, does }) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, ...shown.split(" ").map((each) => html("kbd", {}, each))),
      html("td", {}, does),
    ),
  );
  const dialog = html(
    "dialog",
    { class: "keys", "aria-label": "Keys", autofocus: "" }, // else the button at its end has the focus, and it opens there
    html("h2", {}, "Keys"),
    html("table", {}, html("tbody", {}, ...rows)),
  );
  dialog.append(button({ class: "tool" }, () => dialog.close(), "Close"));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  return dialog;
}
