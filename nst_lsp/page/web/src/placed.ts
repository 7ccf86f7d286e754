/** A layout: where boxes and frames stand and how edges run, in pixels; and the way back from Graphviz' JSON. */

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** By the box's index: the middle of its top edge. */
  readonly boxes: readonly Rectangle[];
  readonly frames: readonly Rectangle[];
  /** By the edge's index: data of an SVG path, from the tail to the head. */
  readonly edges: readonly string[];
}

interface Json {
  readonly bb: string;
  readonly objects?: readonly {
    readonly name: string;
    readonly pos?: string;
    readonly width?: string;
    readonly height?: string;
    readonly bb?: string;
  }[];
  readonly edges?: readonly { readonly id?: string; readonly pos?: string }[];
}

const POINTS = 72;

/** Reads what Graphviz writes as `json0` of the text that dot.ts wrote. Its y axis points upwards. */
export function placed(text: string): Layout {
  const json = JSON.parse(text) as Json;
  const [, , width = 0, height = 0] = numbers(json.bb);
  const boxes: Rectangle[] = [];
  const frames: Rectangle[] = [];
  for (const each of json.objects ?? []) {
    const index = Number(/\d+$/.exec(each.name)?.[0] ?? -1);
    if (each.pos !== undefined) {
      const [x = 0, y = 0] = numbers(each.pos);
      const [w, h] = [Number(each.width) * POINTS, Number(each.height) * POINTS];
      boxes[index] = { x: x - w / 2, y: height - y - h / 2, width: w, height: h };
    } else if (each.bb !== undefined && each.name.startsWith("cluster")) {
      const [left = 0, bottom = 0, right = 0, top = 0] = numbers(each.bb);
      frames[index] = { x: left, y: height - top, width: right - left, height: top - bottom };
    }
  }
  const edges: string[] = [];
  for (const each of json.edges ?? []) {
    if (each.id !== undefined && each.pos !== undefined) edges[Number(each.id)] = path(each.pos, height);
  }
  return { width, height, boxes, frames, edges };
}

/** Of a spline `x,y x,y …`: one point to start at, then three for each cubic curve. */
function path(spline: string, height: number): string {
  const points = spline.split(" ").map((pair) => {
    const [x = 0, y = 0] = numbers(pair);
    return `${round(x)} ${round(height - y)}`;
  });
  return `M${points[0]}C${points.slice(1).join(" ")}`;
}

function numbers(text: string): number[] {
  return text.split(",").map(Number);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
