/** Text of the traced program, fit to be shown: what has no shape of its own is written out, so nothing can hide or turn around. */

/** Control characters, those that turn the direction of text, and those that take no room. */
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function written(character: string): string {
  const number = character.codePointAt(0) ?? 0;
  return number > 0xff ? `\\u${number.toString(16).padStart(4, "0")}` : `\\x${number.toString(16).padStart(2, "0")}`;
}

/** A line of a listing: tabs stay. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, written);
}

/** A label: on one line. */
export function oneLine(text: string): string {
  return visible(text.replace(/\s*\n\s*/g, " ⏎ ").replaceAll("\t", " "));
}

/** At most `length` characters, the last an ellipsis where some were left out. */
export function shortened(text: string, length: number): string {
  const head = text.slice(0, 2 * length + 2); // no character needs more than two units
  const characters = Array.from(head);
  return characters.length <= length && head.length === text.length
    ? text
    : `${characters.slice(0, length - 1).join("")}…`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** `20000` as `20,000`. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

const BINARY = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
const DECIMAL = ["", "k", "M", "G", "T", "P"];

export function bytes(count: number): string {
  return scaled(count, 1024, BINARY);
}

export function operations(count: number): string {
  return scaled(count, 1000, DECIMAL).trim();
}

function scaled(count: number, step: number, units: readonly string[]): string {
  let [value, unit] = [count, 0];
  while (value >= step && unit < units.length - 1) [value, unit] = [value / step, unit + 1];
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits).replace(/\.0$/, "")} ${units[unit]}`;
}
