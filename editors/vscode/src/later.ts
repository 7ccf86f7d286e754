/** Work that waits: until a storm of events is over, or for an answer that may never come. */

/** Runs `work` once nobody has called for a while. */
export class Debounced {
  private readonly milliseconds: number;
  private readonly work: () => void;
  private timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, work: () => void) {
    this.milliseconds = milliseconds;
    this.work = work;
  }

  call(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.work, this.milliseconds);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}

/** The answer; without one in time `undefined`, and `late` is called if it comes after all. */
export async function inTime<Answer>(
  answer: Promise<Answer>,
  milliseconds: number,
  late: () => void,
): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let gaveUp = false;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      gaveUp = true;
      resolve(undefined);
    }, milliseconds);
  });
  void answer.then(
    () => gaveUp && late(),
    () => {},
  );
  try {
    return await Promise.race([answer, patience]);
  } finally {
    clearTimeout(timer);
  }
}
