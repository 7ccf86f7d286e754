/** What part of the picture is seen, and how large: panned by dragging and the wheel, zoomed at the pointer. */

import type { Rectangle } from "./placed.ts";

export interface Look {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

const SMALLEST = 0.04;
const LARGEST = 4;
const MARGIN = 24;
/** Below the picture there are tools. */
const BELOW = 58;
const STEP = 1.25;
/** Smaller than this, what is written on boxes cannot be read at once. */
const READABLE = 0.65;

export class Viewport {
  look: Look = { x: MARGIN, y: MARGIN, zoom: 1 };
  private readonly canvas: SVGSVGElement;
  private readonly world: SVGGElement;
  private readonly changed: () => void;

  constructor(canvas: SVGSVGElement, world: SVGGElement, changed: () => void) {
    this.canvas = canvas;
    this.world = world;
    this.changed = changed;
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.drag(event));
  }

  set(look: Look): void {
    this.look = { ...look, zoom: Math.min(LARGEST, Math.max(SMALLEST, look.zoom)) };
    const { x, y, zoom } = this.look;
    this.world.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${zoom.toFixed(4)})`);
    this.canvas.style.setProperty("--zoom", zoom.toFixed(3));
    this.changed();
  }

  /** Moves the picture by pixels of the screen. */
  pan(dx: number, dy: number): void {
    this.set({ ...this.look, x: this.look.x + dx, y: this.look.y + dy });
  }

  in(): void {
    this.zoomTo(this.look.zoom * STEP);
  }

  out(): void {
    this.zoomTo(this.look.zoom / STEP);
  }

  /** The point of the screen stays where it is; without one, the middle. */
  zoomTo(zoom: number, at = this.middle()): void {
    const limited = Math.min(LARGEST, Math.max(SMALLEST, zoom));
    const { x, y, zoom: before } = this.look;
    const scale = limited / before;
    this.set({ x: at.x - (at.x - x) * scale, y: at.y - (at.y - y) * scale, zoom: limited });
  }

  /** All of the picture, at its own size at most. */
  fit(width: number, height: number): void {
    const [across, down] = this.room();
    const zoom = Math.min(1, across / width, down / height);
    const x = MARGIN + (across - width * zoom) / 2;
    this.set({ x, y: MARGIN + (down - height * zoom) / 2, zoom });
  }

  /** The whole width as far as that can be read, from the top: how a picture is first seen. */
  begin(width: number, height: number, top: number): void {
    const [across, down] = this.room();
    if (Math.min(across / width, down / height) >= READABLE) return this.fit(width, height);
    const zoom = Math.min(1, Math.max(READABLE, across / width));
    const wide = width * zoom > across;
    const x = wide ? Math.min(MARGIN, MARGIN + across / 2 - top * zoom) : MARGIN + (across - width * zoom) / 2;
    this.set({ x, y: MARGIN, zoom });
  }

  /** Whether all of a picture's width, and of its height, is seen. */
  holds(width: number, height: number): { across: boolean; down: boolean } {
    const { x, y, zoom } = this.look;
    const { clientWidth, clientHeight } = this.canvas;
    return {
      across: x >= 0 && x + width * zoom <= clientWidth,
      down: y >= 0 && y + height * zoom <= clientHeight,
    };
  }

  /** Pans just so far that a rectangle of the picture is seen. */
  show({ x, y, width, height }: Rectangle): void {
    const { clientWidth, clientHeight } = this.canvas;
    const { zoom } = this.look;
    const [left, top] = [this.look.x + x * zoom, this.look.y + y * zoom];
    const [dx, dy] = [shift(left, width * zoom, clientWidth), shift(top, height * zoom, clientHeight)];
    if (dx !== 0 || dy !== 0) this.pan(dx, dy);
  }

  sees({ x, y, width, height }: Rectangle): boolean {
    const { zoom } = this.look;
    const [left, top] = [this.look.x + x * zoom, this.look.y + y * zoom];
    return (
      left + width * zoom > 0 &&
      top + height * zoom > 0 &&
      left < this.canvas.clientWidth &&
      top < this.canvas.clientHeight
    );
  }

  /** Pixels that a picture may take, across and down. */
  private room(): [number, number] {
    const { clientWidth, clientHeight } = this.canvas;
    return [Math.max(1, clientWidth - 2 * MARGIN), Math.max(1, clientHeight - MARGIN - BELOW)];
  }

  private middle(): { x: number; y: number } {
    return { x: this.canvas.clientWidth / 2, y: this.canvas.clientHeight / 2 };
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 18 : 1;
    if (event.ctrlKey || event.metaKey) {
      const { left, top } = this.canvas.getBoundingClientRect();
      const at = { x: event.clientX - left, y: event.clientY - top };
      this.zoomTo(this.look.zoom * Math.exp(-event.deltaY * unit * 0.005), at);
    } else if (event.shiftKey && event.deltaX === 0) this.pan(-event.deltaY * unit, 0);
    else this.pan(-event.deltaX * unit, -event.deltaY * unit);
  }

  /** Dragging begins only after some pixels: until then it may be a click. */
  private drag(down: PointerEvent): void {
    if (down.button > 1) return;
    let [x, y] = [down.clientX, down.clientY];
    let dragging = false;
    const stop = new AbortController();
    const move = (event: PointerEvent): void => {
      if (!dragging && Math.hypot(event.clientX - x, event.clientY - y) < 4) return;
      if (!dragging) this.canvas.setPointerCapture(down.pointerId);
      dragging = true;
      this.canvas.classList.add("dragging");
      this.pan(event.clientX - x, event.clientY - y);
      [x, y] = [event.clientX, event.clientY];
    };
    const end = (): void => {
      stop.abort();
      this.canvas.classList.remove("dragging");
      // The click that follows a drag is none.
      if (dragging)
        this.canvas.addEventListener("click", (event) => event.stopPropagation(), { capture: true, once: true });
      setTimeout(() => (dragging = false));
    };
    const { signal } = stop;
    this.canvas.addEventListener("pointermove", move, { signal });
    this.canvas.addEventListener("pointerup", end, { signal });
    this.canvas.addEventListener("pointercancel", end, { signal });
  }
}

/** How far a stretch is to be moved so that it is seen, or its beginning where it is too long. */
function shift(start: number, length: number, room: number): number {
  if (start >= MARGIN && start + length <= room - MARGIN) return 0;
  return length > room - 2 * MARGIN ? MARGIN - start : start < MARGIN ? MARGIN - start : room - MARGIN - start - length;
}
