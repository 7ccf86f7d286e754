import assert from "node:assert/strict";
import { afterEach, beforeEach, test, vi } from "vitest";

import { Debounced, inTime } from "../src/later.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a storm of calls is one, once it is over", () => {
  const work = vi.fn();
  const storm = new Debounced(2_000, work);
  for (let call = 0; call < 5; call++) {
    storm.call();
    vi.advanceTimersByTime(1_999);
  }
  assert.equal(work.mock.calls.length, 0);
  vi.advanceTimersByTime(1);
  assert.equal(work.mock.calls.length, 1);
  storm.call();
  storm.dispose();
  vi.runAllTimers();
  assert.equal(work.mock.calls.length, 1);
});

test("who waits for an answer gives up, and hears when it comes after all", async () => {
  const late = vi.fn();
  assert.equal(await inTime(Promise.resolve(1), 1_000, late), 1);
  let resolve = (_: number) => {};
  const promise = new Promise<number>((settle) => (resolve = settle));
  const answer = inTime(promise, 1_000, late);
  await vi.advanceTimersByTimeAsync(1_000);
  assert.equal(await answer, undefined);
  assert.equal(late.mock.calls.length, 0);
  resolve(2);
  await promise;
  assert.equal(late.mock.calls.length, 1);
});

test("an answer that fails is the failure of who waits", async () => {
  await assert.rejects(inTime(Promise.reject(new Error("no")), 1_000, vi.fn()), /no/);
});
