/** Sentences with code in them, as elements. */

import { html, type Child } from "./elements.ts";
import { visible } from "./text.ts";

export function code(text: string): HTMLElement {
  return html("code", { dir: "ltr" }, visible(text));
}

/** A message of the tracer: what stands between backticks is code. */
export function message(text: string): Child[] {
  return text.split(/`([^`]*)`/).map((part, index) => (index % 2 === 1 ? code(part) : visible(part)));
}
