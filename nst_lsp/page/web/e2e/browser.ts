/**
 * A real Chromium and the page in it, read as a person would. Waits are for conditions, with one generous deadline.
 * Whatever the page's policy forbids, and every error of its scripts, fails the test that it happened in.
 */

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import * as path from "node:path";
import { setTimeout } from "node:timers/promises";

import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Download,
  type Locator,
  type Page,
} from "playwright-core";

export const DEADLINE = 60_000;

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: variable("CHROMIUM"), args: FLAGS });
}

export class Tab implements AsyncDisposable {
  readonly page: Page;
  /** What went wrong in the page. */
  readonly troubles: string[] = [];
  private allowed = /$^/;

  private constructor(page: Page) {
    this.page = page;
    page.on("pageerror", (error) => this.troubles.push(String(error)));
    page.on("dialog", (dialog) => {
      this.troubles.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("console", (message) => {
      if (message.type() === "error" || message.text().startsWith("policy:")) this.troubles.push(message.text());
    });
  }

  static async open(
    browser: Browser,
    address: string,
    options: BrowserContextOptions = {},
    graph = true,
  ): Promise<Tab> {
    const still: BrowserContextOptions = {
      viewport: { width: 1400, height: 850 },
      reducedMotion: "reduce",
      ...options,
    };
    const context = await browser.newContext(still);
    context.setDefaultTimeout(DEADLINE);
    const page = await context.newPage();
    await page.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) => {
        console.log(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
      });
    });
    const tab = new Tab(page);
    await page.goto(address);
    if (graph) await tab.drawn();
    return tab;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close();
    assert.deepEqual(
      this.troubles.filter((trouble) => !this.allowed.test(trouble)),
      [],
    );
  }

  /** Errors that a test provokes. */
  allow(troubles: RegExp): void {
    this.allowed = troubles;
  }

  // ---- what a person sees --------------------------------------------------------------------------

  async drawn(): Promise<void> {
    await this.page.locator("body.drawn").waitFor();
  }

  /** A node, a closed group, a guard or an effect. */
  box(title: string): Locator {
    return this.page.locator(".boxes > g").filter({ has: this.page.locator(".name", { hasText: exactly(title) }) });
  }

  /** An open group. */
  frame(title: string): Locator {
    return this.page.locator(".frames > g").filter({ has: this.page.locator(".name", { hasText: exactly(title) }) });
  }

  async titles(): Promise<string[]> {
    return this.page.locator(".boxes .name").allTextContents();
  }

  /** The stretches of a listing that are lit in one way. */
  async lit(pane: "source" | "code", how: string): Promise<string> {
    return (await this.page.locator(`#${pane} [data-segment].${how}`).allTextContents()).join("");
  }

  /** Where something is drawn, as the scripts placed it. */
  async corner(locator: Locator): Promise<{ x: number; y: number }> {
    const { x, y } = (await locator.boundingBox())!;
    return { x, y };
  }

  // ---- what a person does --------------------------------------------------------------------------

  async choose(menu: string, entry: string): Promise<void> {
    await this.page.getByRole("button", { name: menu, exact: true }).click();
    await this.page
      .locator(".menu:popover-open button")
      .filter({ hasText: exactly(entry) })
      .click();
  }

  async downloaded(act: () => Promise<void>): Promise<{ name: string; content: Buffer }> {
    const [download] = await Promise.all([this.page.waitForEvent("download") as Promise<Download>, act()]);
    return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
  }

  async screenshot(name: string): Promise<void> {
    const folder = variable("ARTEFACTS");
    await mkdir(folder, { recursive: true });
    await this.page.screenshot({ path: path.join(folder, `${name.replace(/[^\w.-]+/g, "-")}.png`) });
  }
}

function exactly(text: string): RegExp {
  return new RegExp(`^[✓\\s]*${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\d?$`);
}

/** Tries until it holds. */
export async function eventually(check: () => Promise<void> | void): Promise<void> {
  const end = Date.now() + DEADLINE;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await setTimeout(50);
    }
  }
}

export function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set; tests/page/run sets it`);
  return value;
}
