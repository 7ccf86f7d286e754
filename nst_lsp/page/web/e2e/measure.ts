/**
 * How long it takes from the navigation until a graph is drawn, in a browser that runs already: medians of several loads.
 *
 *   tests/page/run measure
 */

import { flat, layered } from "../test/pictures.ts";
import { launch, Tab } from "./browser.ts";
import { Host } from "./host.ts";

const ROUNDS = 7;
const GRAPHS = {
  "300 nodes": flat(300),
  "20,000 nodes without groups": flat(20_000),
  "20,000 nodes of 1,660 alike iterations": layered(1_660),
};

const browser = await launch();
await using host = await Host.start();
try {
  for (const [name, picture] of Object.entries(GRAPHS)) {
    host.greet({ type: "graph", picture });
    const rounds: Record<string, number>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await using tab = await Tab.open(browser, host.address);
      rounds.push(
        await tab.page.evaluate(() => {
          const first = (name: string) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN;
          return { received: first("nst-picture"), shown: first("nst-shown"), drawn: first("nst-drawn") };
        }),
      );
    }
    const median = (key: string) => rounds.map((round) => round[key]!).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
    const [received, shown, drawn] = ["received", "shown", "drawn"].map((key) => median(key).toFixed(0));
    console.log(`${name}: received after ${received} ms, listed after ${shown} ms, drawn after ${drawn} ms`);
  }
} finally {
  await browser.close();
}
