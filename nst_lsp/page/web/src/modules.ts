/** The modules of PyTorch's that nodes lie in: the way to each in the module tree, and what it is. */

import type { Group, Picture } from "./protocol.ts";

/** The innermost module that is this group or lies around it. */
export function moduleOf(picture: Picture, group: number | null): Group | null {
  return modulesOf(picture, group)[0] ?? null;
}

/** The innermost module that all of some nodes lie in. */
export function moduleAround(picture: Picture, names: ReadonlySet<string>): Group | null {
  const chains = picture.nodes.filter((node) => names.has(node.name)).map((node) => modulesOf(picture, node.group));
  const [first, ...others] = chains;
  return first?.find((module) => others.every((chain) => chain.includes(module))) ?? null;
}

function modulesOf(picture: Picture, group: number | null): Group[] {
  const modules: Group[] = [];
  for (let at = group; at !== null; at = picture.groups[at]!.parent)
    if (picture.groups[at]!.kind === "module") modules.push(picture.groups[at]!);
  return modules;
}

/** `self.encoder.layers[0].linear1: Linear(8, 16)`: the label alone begins where the module around it ends. */
export function moduleText({ path, label }: Group): string {
  return path === "" ? label : path + label.slice(label.indexOf(": "));
}
