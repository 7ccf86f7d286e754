/**
 * The graph: from a picture and the groups that are open to what is drawn, and what a person does with it.
 *
 * Layouts come from the worker; the one asked for last wins. Whatever changes, what a person looks at stays where it is
 * on the screen: the group that was opened, else what is selected, else what is in the middle.
 */

import { cardsOf, type Measure } from "./card.ts";
import { dotOf } from "./dot.ts";
import { Drawing, frameTitle, type Scene } from "./drawing.ts";
import { html, set, svg } from "./elements.ts";
import type { LayoutWorker } from "./layout.ts";
import { closeAll, openAll, openGroups } from "./opening.ts";
import type { Layout, Rectangle } from "./placed.ts";
import type { Picture } from "./protocol.ts";
import type { Heat, State, Store } from "./state.ts";
import type { Lights } from "./textpane.ts";
import { around, isGroup, treeOf, type Item, type Tree } from "./tree.ts";
import { boxesOf, namesIn, viewOf } from "./view.ts";
import { Viewport } from "./viewport.ts";
import { neighbour, type Direction } from "./walking.ts";

export interface GraphListener {
  hover(nodes: ReadonlySet<string>): void;
  /** `item` was chosen: its nodes are selected, its place is shown in the editor where that is asked for. */
  select(item: Item | null, reveal: boolean): void;
  /** A picture is drawn. */
  drawn(): void;
  failed(text: string): void;
}

const NOTHING: Lights = { selected: new Set(), hovered: new Set(), cursor: new Set(), matched: new Set() };

export class GraphPane {
  tree: Tree | null = null;
  scene: Scene | null = null;
  readonly viewport: Viewport;
  readonly canvas = svg("svg", { class: "canvas", role: "group", "aria-label": "Graph: arrow keys walk along edges" });
  private readonly world = svg("g", { class: "world" });
  private readonly drawing: Drawing;
  private readonly layouts: LayoutWorker;
  private readonly measure: Measure;
  private readonly listener: GraphListener;
  private readonly store: Store;
  private lights: Lights = NOTHING;
  private open = new Set<string>();
  private current = "";
  private subject = "";
  private readonly reduced = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(pane: HTMLElement, layouts: LayoutWorker, measure: Measure, store: Store, listener: GraphListener) {
    this.layouts = layouts;
    this.measure = measure;
    this.listener = listener;
    this.store = store;
    this.canvas.append(this.world);
    pane.append(html("div", { class: "stage" }, this.canvas));
    this.drawing = new Drawing(this.world);
    this.viewport = new Viewport(this.canvas, this.world, () => this.looked());
    this.canvas.addEventListener("click", (event) => this.clicked(event));
    this.canvas.addEventListener("pointerover", (event) => this.hovered(event));
    this.canvas.addEventListener("pointerleave", () => listener.hover(new Set()));
    this.canvas.addEventListener("keydown", (event) => this.pressed(event));
    this.canvas.addEventListener("focusin", (event) => this.focused(event));
  }

  // ---- what is shown ---------------------------------------------------------------------------------

  async show(picture: Picture): Promise<void> {
    const subject = [picture.uri, picture.function, ...(picture.study === null ? [] : [picture.study.kind])].join(" ");
    const another = subject !== this.subject;
    this.subject = subject;
    this.tree = treeOf(picture);
    await this.redraw(another);
  }

  async redraw(another = false, anchor = ""): Promise<void> {
    const { tree } = this;
    if (tree === null) return;
    const { state } = this.store;
    this.open = openGroups(tree, new Map(Object.entries(this.kept().choices)));
    const view = viewOf(tree, this.open);
    const cards = cardsOf(view, this.measure, state.cost || state.heat !== "");
    const titles = view.frames.map((item) => this.measure(frameTitle(item), "title") + 40);
    try {
      const layout = await this.layouts.layout(dotOf(view, cards, titles, true), dotOf(view, cards, titles, false));
      if (layout !== null && tree === this.tree) this.draw({ view, cards, layout }, another, anchor);
    } catch (error) {
      this.listener.failed(`The graph cannot be laid out: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private draw(scene: Scene, another: boolean, anchor: string): void {
    const before = this.scene;
    const held = before === null || another ? null : this.held(scene, anchor);
    this.scene = scene;
    this.drawing.draw(scene, before === null || another || this.reduced.matches);
    if (held !== null) {
      const now = this.rectangle(held.id)!;
      const { zoom } = this.viewport.look;
      const was = this.viewport.holds(before!.layout.width, before!.layout.height);
      this.viewport.set({ x: held.x - now.x * zoom, y: held.y - now.y * zoom, zoom });
      this.keep(was, scene.layout);
    } else this.begin(scene);
    this.heat(this.store.state.heat);
    this.light(this.lights);
    this.setCurrent(this.current);
    this.listener.drawn();
  }

  /** What was seen as a whole still is, where there is room for it. */
  private keep(was: { across: boolean; down: boolean }, { width, height }: Layout): void {
    const { x, y, zoom } = this.viewport.look;
    const { clientWidth, clientHeight } = this.canvas;
    const [wide, high] = [width * zoom, height * zoom];
    const dx = was.across && wide <= clientWidth ? Math.max(0, -x) + Math.min(0, clientWidth - x - wide) : 0;
    const dy = was.down && high <= clientHeight ? Math.max(0, -y) + Math.min(0, clientHeight - y - high) : 0;
    if (dx !== 0 || dy !== 0) this.viewport.pan(dx, dy);
  }

  private begin({ layout, view }: Scene): void {
    const { look } = this.kept();
    const first = layout.boxes.find((_, index) => view.boxes[index]!.index >= 0) ?? layout.boxes[0];
    if (look !== null) this.viewport.set(look);
    else this.viewport.begin(layout.width, layout.height, first === undefined ? 0 : first.x + first.width / 2);
    if (look !== null && !layout.boxes.some((box) => this.viewport.sees(box))) {
      this.viewport.begin(layout.width, layout.height, 0);
    }
  }

  /** What stays where it is: an item that is there before and after, and the place of its corner on the screen. */
  private held(next: Scene, anchor: string): { id: string; x: number; y: number } | null {
    const { x, y, zoom } = this.viewport.look;
    const stays = new Set([...next.view.boxes, ...next.view.frames].map((item) => item.id));
    const at = (id: string) => {
      const rectangle = this.rectangle(id);
      return rectangle === null || !stays.has(id)
        ? null
        : { id, x: x + rectangle.x * zoom, y: y + rectangle.y * zoom, rectangle };
    };
    const wished = [anchor, ...boxesOf(this.scene!.view, this.lights.selected)]
      .map(at)
      .find((found) => found !== null && this.viewport.sees(found.rectangle));
    if (wished) return wished;
    const middle = { x: this.canvas.clientWidth / 2, y: this.canvas.clientHeight / 3 };
    const distance = (point: { x: number; y: number }) => Math.hypot(point.x - middle.x, point.y - middle.y);
    const there = this.scene!.view.boxes.map((item) => at(item.id)).filter((found) => found !== null);
    return there.reduce<ReturnType<typeof at>>(
      (best, each) => (best === null || distance(each) < distance(best) ? each : best),
      null,
    );
  }

  private rectangle(id: string): Rectangle | null {
    if (this.scene === null) return null;
    const { view, layout } = this.scene;
    const box = view.boxes.findIndex((item) => item.id === id);
    if (box >= 0) return layout.boxes[box] ?? null;
    return layout.frames[view.frames.findIndex((item) => item.id === id)] ?? null;
  }

  light(lights: Lights): void {
    this.lights = lights;
    if (this.scene === null) return;
    const { view } = this.scene;
    const lit = {
      selected: boxesOf(view, lights.selected),
      hovered: boxesOf(view, lights.hovered),
      cursor: boxesOf(view, lights.cursor),
      matched: boxesOf(view, lights.matched),
    };
    for (const [id, { element }] of this.drawing.boxes) {
      for (const [name, ids] of Object.entries(lit)) element.classList.toggle(name, ids.has(id));
      set(element, { "aria-current": lit.selected.has(id) ? "true" : null });
    }
    const shown = lit.hovered.size > 0 ? lit.hovered : lit.selected;
    this.drawing.lightEdges(view, (box) => shown.has(box.id));
  }

  /** Paints nodes by their share of the dearest node's cost, and closed groups by their share of the whole. */
  heat(heat: Heat): void {
    this.canvas.classList.toggle("heated", heat !== "");
    if (this.scene === null || this.tree === null || heat === "") return;
    const nodes = this.tree.leaves.map((leaf) => leaf.sum[heat] ?? 0);
    const dearest = nodes.reduce((most, cost) => Math.max(most, cost), 1);
    const whole = Math.max(1, this.tree.root.sum[heat] ?? 1);
    for (const { item, width } of this.scene.cards) {
      const share = (item.sum[heat] ?? 0) / (isGroup(item) ? whole : dearest);
      const element = this.drawing.boxes.get(item.id)?.element;
      element?.style.setProperty("--share", `${(share * 100).toFixed(1)}%`);
      element?.querySelector(".heat")?.setAttribute("width", (share * width).toFixed(1));
    }
  }

  /** Brings nodes into view: the groups around the first are opened if need be. */
  async reveal(names: ReadonlySet<string>, opening: boolean): Promise<void> {
    const { tree, scene } = this;
    if (tree === null || scene === null) return;
    const index = tree.picture.nodes.findIndex((node) => names.has(node.name));
    if (index < 0) return;
    const closed = around(tree.leaves[index]!).filter((group) => !this.open.has(group.id));
    if (opening && closed.length > 0) {
      for (const group of closed) this.kept().choices[group.id] = true;
      this.store.save();
      await this.redraw();
    }
    const box = this.scene!.view.boxes[this.scene!.view.boxOf[index] ?? -1];
    const rectangle = box === undefined ? null : this.rectangle(box.id);
    if (box === undefined || rectangle === null) return;
    this.viewport.show(rectangle);
    this.setCurrent(box.id);
  }

  // ---- groups ----------------------------------------------------------------------------------------

  toggle(item: Item | null): void {
    if (item === null || !isGroup(item) || item.parent === null) return;
    this.kept().choices[item.id] = !this.open.has(item.id);
    this.store.save();
    void this.redraw(false, item.id).then(() => this.focus(item.id));
  }

  /** Returns whether all could be opened. */
  openAll(): boolean {
    if (this.tree === null) return true;
    const { choices, complete } = openAll(this.tree);
    this.choose(choices);
    return complete;
  }

  closeAll(): void {
    if (this.tree !== null) this.choose(closeAll(this.tree));
  }

  private choose(choices: ReadonlyMap<string, boolean>): void {
    this.kept().choices = Object.fromEntries(choices);
    this.store.save();
    void this.redraw();
  }

  private kept(): State["functions"][string] {
    return this.store.of(this.subject);
  }

  private looked(): void {
    if (this.scene === null) return;
    this.kept().look = this.viewport.look;
    this.store.save();
  }

  fit(): void {
    if (this.scene !== null) this.viewport.fit(this.scene.layout.width, this.scene.layout.height);
  }

  // ---- pointer and keyboard --------------------------------------------------------------------------

  private itemOf(target: EventTarget | null): Item | null {
    const element = target instanceof Element ? target.closest("[data-id]") : null;
    if (
      element === null ||
      (element.classList.contains("frame") && (target as Element).closest(".title") === null && target !== element)
    )
      return null;
    return this.tree?.byId.get(element.getAttribute("data-id") ?? "") ?? null;
  }

  private clicked(event: MouseEvent): void {
    const item = this.itemOf(event.target);
    if (item === null) return this.listener.select(null, false);
    this.setCurrent(item.id);
    const chevron = (event.target as Element).closest(".title, .chevron") !== null;
    if (isGroup(item) && (chevron || !this.open.has(item.id))) return this.toggle(item);
    this.listener.select(item, true);
  }

  private hovered(event: PointerEvent): void {
    const item = this.itemOf(event.target);
    this.listener.hover(new Set(item === null || this.tree === null ? [] : namesIn(this.tree, item)));
  }

  private focused(event: FocusEvent): void {
    const item = this.itemOf(event.target);
    if (item === null) return;
    this.setCurrent(item.id);
    const rectangle = this.rectangle(item.id);
    if (rectangle !== null && (event.target as Element).matches(":focus-visible")) {
      this.viewport.show({ ...rectangle, height: Math.min(rectangle.height, 60) });
      if (this.tree !== null) this.listener.hover(new Set(namesIn(this.tree, item)));
    }
  }

  private pressed(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || this.scene === null) return;
    const item = this.itemOf(event.target);
    const directions: Record<string, Direction> = {
      ArrowDown: "down",
      ArrowUp: "up",
      ArrowLeft: "before",
      ArrowRight: "behind",
      Home: "first",
      End: "last",
    };
    const direction = directions[event.key];
    if (direction !== undefined) this.focus(neighbour(this.scene, this.current, direction));
    else if (item !== null && event.key === "Enter") this.listener.select(item, true);
    else if (item !== null && event.key === " ") this.toggle(isGroup(item) ? item : item.parent);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The one box that the tab key leads to. */
  private setCurrent(id: string): void {
    const elements = [...this.drawing.frames, ...this.drawing.boxes].map(
      ([key, { element }]) => [key, element] as const,
    );
    const there = elements.some(([key]) => key === id);
    this.current = there ? id : (this.scene?.view.boxes[0]?.id ?? "");
    for (const [key, element] of elements) element.setAttribute("tabindex", key === this.current ? "0" : "-1");
  }

  focus(id = this.current): void {
    const drawn = this.drawing.boxes.get(id) ?? this.drawing.frames.get(id);
    drawn?.element.focus({ preventScroll: true });
  }
}
