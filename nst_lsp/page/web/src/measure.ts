/** How wide text is, in the fonts of the boxes. */

import type { Font, Measure } from "./card.ts";

/** Sizes and weights as in the style sheet; the families are read from it. */
const FONTS: Readonly<Record<Font, { style: string; family: string }>> = {
  title: { style: "600 12.5px", family: "--code-font" },
  code: { style: "400 11.5px", family: "--code-font" },
  note: { style: "400 11px", family: "--font" },
};

export function measured(): Measure {
  const context = document.createElement("canvas").getContext("2d");
  const styles = getComputedStyle(document.documentElement);
  const known = new Map<string, number>();
  return (text, font) => {
    const key = `${font} ${text}`;
    const width = known.get(key) ?? measure(text, font);
    known.set(key, width);
    return width;
  };

  function measure(text: string, font: Font): number {
    if (text === "") return 0;
    if (context === null) return text.length * 7.6;
    context.font = `${FONTS[font].style} ${styles.getPropertyValue(FONTS[font].family)}`;
    return context.measureText(text).width;
  }
}
