/** The drawn picture as a file of its own: SVG with every style written into it, and PNG made of that. */

import { svg } from "./elements.ts";

/** What the style sheet decides of a shape or a text. */
const STYLES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity",
  "opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "paint-order", "display",
]; // prettier-ignore

const MARGIN = 20;
/** Pixels of a side that browsers draw. */
const LARGEST = 16_000;

export function svgText(canvas: SVGSVGElement): string {
  const world = canvas.querySelector<SVGGElement>(".world")!;
  const { x, y, width, height } = world.getBBox();
  const [w, h] = [Math.ceil(width + 2 * MARGIN), Math.ceil(height + 2 * MARGIN)];
  const ground = getComputedStyle(canvas).backgroundColor;
  const copy = withStyles(world) ?? svg("g");
  copy.setAttribute("transform", `translate(${MARGIN - x} ${MARGIN - y})`);
  const root = svg(
    "svg",
    { width: w, height: h, viewBox: `0 0 ${w} ${h}` },
    svg("rect", { width: w, height: h, fill: ground }),
    copy,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`;
}

export async function png(canvas: SVGSVGElement): Promise<Blob> {
  const text = svgText(canvas);
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = Math.min(2, LARGEST / Math.max(image.width, image.height));
    const target = document.createElement("canvas");
    [target.width, target.height] = [Math.round(image.width * scale), Math.round(image.height * scale)];
    const context = target.getContext("2d");
    if (context === null) throw new Error("this browser draws no pictures");
    context.scale(scale, scale);
    context.drawImage(image, 0, 0);
    return await new Promise((resolve, reject) => {
      target.toBlob(
        (blob) => (blob === null ? reject(new Error("the picture is too large")) : resolve(blob)),
        "image/png",
      );
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A copy that needs no style sheet; what is not shown is left out. */
function withStyles(element: SVGElement): SVGElement | null {
  const computed = getComputedStyle(element);
  if (computed.display === "none") return null;
  const copy = element.cloneNode(false) as SVGElement;
  for (const name of ["class", "style", "tabindex", "role", "data-id", "aria-expanded", "aria-current"])
    copy.removeAttribute(name);
  for (const style of STYLES) {
    const value = computed.getPropertyValue(style);
    if (value !== "" && (element.children.length === 0 || style === "opacity")) copy.setAttribute(style, value);
  }
  for (const child of element.childNodes) {
    if (child instanceof SVGElement) copy.append(withStyles(child) ?? "");
    else if (child instanceof Text) copy.append(child.cloneNode());
  }
  return copy;
}
