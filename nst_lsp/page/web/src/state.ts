/** What a person set up, kept over reloads: read with care, since an older page may have written it. */

import type { Against } from "./protocol.ts";
import type { Host } from "./host.ts";
import type { Look } from "./viewport.ts";

export type Heat = "" | "work" | "bytes" | "live";
export type ThemeName = "system" | "light" | "dark" | "contrast-light" | "contrast-dark";
export type PaneName = "source" | "graph" | "code" | "details";

export interface State {
  theme: ThemeName;
  heat: Heat;
  cost: boolean;
  against: Against;
  /** The example that is compared with. */
  other: number | null;
  closed: PaneName[];
  /** Shares of the window, by the splitter. */
  sizes: Record<string, number>;
  /** By function: which groups were opened (`true`) and closed, and what was looked at. */
  functions: Record<string, { choices: Record<string, boolean>; look: Look | null }>;
}

export const INITIAL: State = {
  theme: "system",
  heat: "",
  cost: false,
  against: "",
  other: null,
  closed: [],
  sizes: {},
  functions: {},
};

/** Beside an editor, which shows source and code itself, there is little room. */
const EMBEDDED: State = { ...INITIAL, closed: ["source", "code"] };

/** Functions whose choices are kept. */
const MOST_FUNCTIONS = 30;

export class Store {
  readonly state: State;
  private readonly host: Host;
  private waiting = 0;

  constructor(host: Host) {
    this.host = host;
    this.state = restored(host.getState(), host.embedded ? EMBEDDED : INITIAL);
  }

  /** Changes of one moment are written together. */
  save(): void {
    clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => this.write(), 150);
  }

  write(): void {
    const names = Object.keys(this.state.functions);
    for (const name of names.slice(0, Math.max(0, names.length - MOST_FUNCTIONS))) delete this.state.functions[name];
    this.host.setState(this.state);
  }

  of(name: string): State["functions"][string] {
    return (this.state.functions[name] ??= { choices: {}, look: null });
  }
}

/** What was kept, where it still has the form that is expected. */
function restored(kept: unknown, initial: State): State {
  const state = structuredClone(initial);
  if (typeof kept !== "object" || kept === null) return state;
  for (const [name, value] of Object.entries(kept)) {
    const like = (INITIAL as unknown as Record<string, unknown>)[name];
    const fits = Array.isArray(like) ? Array.isArray(value) : like === null || typeof value === typeof like;
    if (name in INITIAL && fits) Object.assign(state, { [name]: value });
  }
  return state;
}
