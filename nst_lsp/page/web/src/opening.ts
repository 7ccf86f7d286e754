/** Which groups are open: what a person opened and closed, and for all others what keeps the picture readable. */

import { isGroup, type Item, type Tree } from "./tree.ts";

/** Groups are opened by themselves while no more boxes than this are shown, */
export const READABLE = 120;
/** and by "open all" while no more than this. */
export const MOST_BOXES = 300;

/** What a person decided, by the group's id. */
export type Choices = ReadonlyMap<string, boolean>;

/** The open groups. Level by level, and of like groups that stand together all or none, so that like things look alike. */
export function openGroups(tree: Tree, choices: Choices, budget = READABLE): Set<string> {
  const open = new Set([tree.root.id]);
  let shown = tree.root.children.length;
  for (let level = [tree.root]; level.length > 0;) {
    const next: Item[] = [];
    for (const parent of level) {
      for (const alike of families(parent)) {
        const opened = alike.filter((group) => choices.get(group.id) === true);
        const undecided = alike.filter((group) => !choices.has(group.id) && opensItself(group));
        const more = growth(undecided);
        const chosen = shown + growth(opened) + more <= budget ? [...opened, ...undecided] : opened;
        shown += growth(chosen);
        for (const group of chosen) open.add(group.id);
        next.push(...chosen);
      }
    }
    level = next;
  }
  return open;
}

/** A layer, one operation and its parameters, is read as one; and who wants to see alike iterations asks for them. */
function opensItself(group: Item): boolean {
  return group.kind !== "more" && !(group.kind === "module" && group.sum.operations === 1);
}

/** Every group that fits, those that are folded too; `false` where some had to stay closed. */
export function openAll(tree: Tree): { choices: Map<string, boolean>; complete: boolean } {
  const choices = new Map<string, boolean>();
  let [shown, complete] = [tree.root.children.length, true];
  for (let level = [tree.root]; level.length > 0;) {
    const groups = level.flatMap((parent) => parent.children.filter(isGroup));
    level = [];
    for (const group of groups) {
      const fits = shown + growth([group]) <= MOST_BOXES;
      choices.set(group.id, fits);
      complete &&= fits;
      if (fits) [shown, level] = [shown + growth([group]), [...level, group]];
    }
  }
  return { choices, complete };
}

export function closeAll(tree: Tree): Map<string, boolean> {
  return new Map([...tree.byId.values()].filter(isGroup).map((group) => [group.id, group === tree.root]));
}

function growth(groups: readonly Item[]): number {
  return groups.reduce((sum, group) => sum + group.children.length - 1, 0);
}

/** The groups among an item's children, those of one kind together; a call or a loop is a family of its own. */
function families(parent: Item): Item[][] {
  const together = new Map<string, Item[]>();
  for (const group of parent.children.filter(isGroup)) {
    const family = group.kind === "chunk" || group.kind === "iteration" ? group.kind : group.id;
    const members = together.get(family);
    if (members === undefined) together.set(family, [group]);
    else members.push(group);
  }
  return [...together.values()];
}
