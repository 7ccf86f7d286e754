/**
 * The page's side of the layout worker: only the latest picture counts.
 *
 * While the worker is busy the next request waits, and a later one takes its place. A worker that is still at an
 * outdated request after a while is ended, and another one started.
 */

import type { Layout } from "./placed.ts";

export interface LayoutRequest {
  readonly id: number;
  /** With the constraints that keep the order of the source, */
  readonly dot: string;
  /** and without. */
  readonly plain: string;
}

export type LayoutAnswer =
  { readonly id: number; readonly layout: Layout } | { readonly id: number; readonly error: string };

/** Milliseconds that an outdated layout may still take. */
const PATIENCE = 400;

interface Waiting {
  readonly request: LayoutRequest;
  readonly resolve: (layout: Layout | null) => void;
  readonly reject: (error: Error) => void;
}

export class LayoutWorker {
  private worker: Worker | null = null;
  private running: Waiting | null = null;
  private next: Waiting | null = null;
  private last = 0;
  private readonly start: () => Worker;

  constructor(start: () => Worker) {
    this.start = start;
    this.worker = this.started();
  }

  /** The layout, or `null` where a later one was asked for meanwhile. */
  layout(dot: string, plain: string): Promise<Layout | null> {
    return new Promise((resolve, reject) => {
      this.next?.resolve(null);
      this.next = { request: { id: ++this.last, dot, plain }, resolve, reject };
      const outdated = this.running;
      if (outdated === null) this.send();
      else setTimeout(() => this.running === outdated && this.next !== null && this.restart(), PATIENCE);
    });
  }

  private send(): void {
    this.running = this.next;
    this.next = null;
    if (this.running !== null) (this.worker ??= this.started()).postMessage(this.running.request);
  }

  private restart(): void {
    this.worker?.terminate();
    this.worker = null;
    this.running?.resolve(null);
    this.send();
  }

  private started(): Worker {
    const worker = this.start();
    worker.addEventListener("message", ({ data }: MessageEvent<LayoutAnswer>) => this.answered(data));
    worker.addEventListener("error", (event) => this.failed(event));
    return worker;
  }

  private answered(answer: LayoutAnswer): void {
    const { running } = this;
    if (running?.request.id !== answer.id) return;
    if ("error" in answer) running.reject(new Error(answer.error));
    else running.resolve(this.next === null ? answer.layout : null);
    this.send();
  }

  private failed(event: ErrorEvent): void {
    this.worker = null;
    this.running?.reject(new Error(event.message || "the layout worker could not be started"));
    this.send();
  }
}
