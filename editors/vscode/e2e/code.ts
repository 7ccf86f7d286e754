/**
 * A real Visual Studio Code: code-server with the built extension, and a Chromium page that shows it.
 *
 * Everything is read off the page as a person would see it. Waits are for conditions, with one generous
 * deadline; a failed step leaves a screenshot in artefacts/.
 */

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { on, once } from "node:events";
import { createWriteStream } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { setTimeout } from "node:timers/promises";

import { chromium, type Browser, type Locator, type Page } from "playwright-core";

const DEADLINE = 60_000;

const SETTINGS = {
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.colorTheme": "Default Light Modern",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "editor.minimap.enabled": false,
  "editor.hover.delay": 100,
  "editor.autoIndent": "none",
  "files.autoSave": "off",
  "files.exclude": { ".venv": true },
};

const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface Start {
  /** Of the files in artefacts/. */
  readonly name: string;
  /** The folder to open. */
  readonly workspace: string;
  readonly userSettings?: Record<string, unknown>;
  /** Settings of the machine that the extension runs on: for VS Code, code-server is remote. */
  readonly machineSettings?: Record<string, unknown>;
  readonly size?: { width: number; height: number };
  /** Folders of other extensions to have. */
  readonly extensions?: readonly string[];
  /** Variables of the editor's environment that are others, or not there. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** A rectangle on the page, in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export class Code implements AsyncDisposable {
  readonly page: Page;
  private readonly name: string;
  private readonly home: string;
  private readonly process: ChildProcess;
  private readonly browser: Browser;

  private constructor(page: Page, name: string, home: string, process: ChildProcess, browser: Browser) {
    this.page = page;
    this.name = name;
    this.home = home;
    this.process = process;
    this.browser = browser;
  }

  static async start({
    name,
    workspace,
    userSettings = {},
    machineSettings = {},
    size = { width: 1400, height: 800 },
    extensions = [],
    environment = {},
  }: Start): Promise<Code> {
    const home = await mkdtemp(path.join(tmpdir(), "nst-code-"));
    const files = { User: { ...SETTINGS, ...userSettings }, Machine: machineSettings };
    for (const [folder, settings] of Object.entries(files)) {
      await mkdir(path.join(home, folder));
      await writeFile(path.join(home, folder, "settings.json"), JSON.stringify(settings));
    }
    for (const folder of extensions) {
      await cp(folder, path.join(home, "extensions", path.basename(folder)), { recursive: true });
    }
    await installExtension(home);
    const process = codeServer(home, ["--auth", "none", "--bind-addr", "127.0.0.1:0"], environment);
    const address = await addressOf(process);
    const browser = await chromium.launch({ executablePath: variable("CHROMIUM"), args: CHROMIUM_FLAGS });
    const page = await browser.newPage({ viewport: size });
    page.setDefaultTimeout(DEADLINE);
    await page.goto(`${address}/?folder=${encodeURIComponent(workspace)}`);
    await page.locator(".monaco-workbench").waitFor();
    return new Code(page, name, home, process, browser);
  }

  /** Ends the editor; its last picture and our logs stay in artefacts/. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.screenshot("last");
    await this.keepLogs();
    await this.browser.close();
    this.process.kill();
    if (this.process.exitCode === null) await once(this.process, "exit");
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  // ---- what a person does --------------------------------------------------------------------------

  async open(file: string): Promise<void> {
    await this.page.locator(".explorer-folders-view").getByText(file, { exact: true }).dblclick();
    await this.tab(file).waitFor();
  }

  /**
   * Runs a command by its title in the palette.  A part of the workbench that takes the focus meanwhile closes the
   * palette, so it is opened until the command was picked; no key is pressed that the editor could take for its own.
   */
  async run(title: string): Promise<void> {
    const palette = this.page.locator(".quick-input-widget");
    const soon = { timeout: 3_000 };
    await eventually(async () => {
      await this.page.keyboard.press("F1");
      await palette.locator("input.input").fill(`>${title}`, soon);
      try {
        await palette.locator(".monaco-list-row").filter({ hasText: title }).first().click(soon);
      } catch (error) {
        await palette.locator("input.input").press("Escape", soon); // an open palette does not learn of new commands
        throw error;
      }
    });
  }

  /** Replaces the text of the editor and saves it. */
  async rewrite(text: string, editor = this.editor()): Promise<void> {
    await editor.locator(".view-lines").click();
    await this.page.keyboard.press("Control+A");
    await this.page.keyboard.insertText(text);
    await this.page.keyboard.press("Control+S");
  }

  /** Changes settings of the user. */
  async set(changed: Record<string, unknown>): Promise<void> {
    const file = path.join(this.home, "User", "settings.json");
    const settings = JSON.parse(await readFile(file, "utf8")) as object;
    await writeFile(file, JSON.stringify({ ...settings, ...changed }));
  }

  // ---- what a person sees --------------------------------------------------------------------------

  /** The editor of a group, counted from the left. */
  editor(group = 0): Locator {
    return this.page.locator(".editor-group-container").nth(group).locator(".monaco-editor").first();
  }

  tab(title: string): Locator {
    return this.page.locator(".tabs-container .tab").filter({ hasText: title });
  }

  lenses(editor = this.editor()): Locator {
    return editor.locator(".codelens-decoration");
  }

  /** The lines of an editor that are on the screen, top down. */
  async text(editor: Locator): Promise<string> {
    const lines = await editor.locator(".view-line").evaluateAll((elements) =>
      elements
        .map((element) => ({ top: element.getBoundingClientRect().top, text: element.textContent ?? "" }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text.replaceAll("\u00a0", " ")),
    );
    return lines.join("\n");
  }

  /** Where a piece of code is drawn; it must be on the screen once. */
  async boxOf(code: string, editor = this.editor()): Promise<Box> {
    const boxes = await editor.locator(".view-line").evaluateAll((lines, code) => {
      return lines.flatMap((line) => {
        const text = (line.textContent ?? "").replaceAll("\u00a0", " ");
        const start = text.indexOf(code);
        if (start < 0) return [];
        const range = document.createRange();
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        for (
          let at = 0, node = walker.nextNode();
          node !== null;
          at += node.nodeValue!.length, node = walker.nextNode()
        ) {
          const within = (offset: number) => offset - at <= node!.nodeValue!.length;
          if (start >= at && within(start)) range.setStart(node, start - at);
          if (start + code.length > at && within(start + code.length)) range.setEnd(node, start + code.length - at);
        }
        const { x, y, width, height } = range.getBoundingClientRect();
        return [{ x, y, width, height }];
      });
    }, code);
    assert.equal(boxes.length, 1, `${code} is on the screen ${boxes.length} times`);
    return boxes[0]!;
  }

  /** Where the squiggles of an editor are drawn, whatever their severity. */
  async squiggles(editor = this.editor()): Promise<Box[]> {
    return editor.locator(".cdr:is(.squiggly-error, .squiggly-warning, .squiggly-info)").evaluateAll((elements) =>
      elements.map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x, y, width, height };
      }),
    );
  }

  /** What the hover of a piece of code says; new results close a hover, so the mouse comes until it stays. */
  async hover(code: string, editor = this.editor()): Promise<string> {
    const shown = this.page.locator(".monaco-hover:visible");
    const soon = { timeout: 3_000 };
    return eventually(async () => {
      const { x, y, width, height } = await this.boxOf(code, editor);
      await this.page.mouse.move(0, 0);
      await this.page.mouse.move(x + width / 2, y + height / 2, { steps: 3 });
      await shown.locator(".hover-contents, .hover-row-contents").first().waitFor(soon);
      return (await shown.innerText(soon)).replaceAll("\u00a0", " ");
    });
  }

  /** The notification that says this. */
  message(text: string): Locator {
    return this.page.locator(".notification-toast").filter({ hasText: text }).first();
  }

  /** What the output panel shows. */
  async output(): Promise<string> {
    return (await this.page.locator(".part.panel .view-lines").innerText()).replaceAll(/[\u00a0\n]/g, " ");
  }

  /** What the status item of the language says of nst-lsp. */
  async status(): Promise<string> {
    return eventually(async () => {
      await this.page.mouse.move(0, 0);
      await this.page.locator("#status\\.languageStatus").hover();
      const hover = this.page.locator(".monaco-hover .hover-language-status");
      await hover.filter({ hasText: "nst-lsp" }).waitFor({ timeout: 2_000 });
      return (await hover.allInnerTexts()).join("\n");
    });
  }

  async configureMachine(settings: Record<string, unknown>): Promise<void> {
    await writeFile(path.join(this.home, "Machine", "settings.json"), JSON.stringify(settings));
  }

  /** What was written into a log so far, by the name of its file. */
  async log(name: string): Promise<string> {
    const files = await readdir(this.home, { recursive: true });
    const found = files.filter((file) => path.basename(file) === name);
    return (await Promise.all(found.map((file) => readFile(path.join(this.home, file), "utf8")))).join("");
  }

  machineSettings(): Promise<string> {
    return readFile(path.join(this.home, "Machine", "settings.json"), "utf8");
  }

  async screenshot(name: string): Promise<void> {
    const folder = variable("ARTEFACTS");
    await mkdir(folder, { recursive: true });
    await this.page.screenshot({ path: path.join(folder, `${this.name}-${name.replaceAll(/\W+/g, "-")}.png`) });
  }

  private async keepLogs(): Promise<void> {
    const logs = (await readdir(this.home, { recursive: true })).filter((file) =>
      /nst-lsp\.log$|code-server\.log$/.test(file),
    );
    for (const file of logs) {
      await copyFile(
        path.join(this.home, file),
        path.join(variable("ARTEFACTS"), `${this.name}-${path.basename(file)}`),
      );
    }
  }
}

/** Whether a squiggle is drawn under just this code: on its line, from its first to its last pixel. */
export function covers(squiggle: Box, code: Box): boolean {
  const close = (a: number, b: number) => Math.abs(a - b) <= 1.5;
  const onLine = squiggle.y < code.y + code.height && code.y < squiggle.y + squiggle.height;
  return onLine && close(squiggle.x, code.x) && close(squiggle.x + squiggle.width, code.x + code.width);
}

/** The ids of the processes whose command line has these texts (Linux). */
export async function processesOf(...texts: string[]): Promise<number[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")));
  return ids.filter((_, index) => texts.every((text) => lines[index]!.includes(text))).map(Number);
}

/** Waits until `look` stops throwing; what it threw last is the failure. */
export async function eventually<Result>(look: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + DEADLINE;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await setTimeout(100);
    }
  }
}

export function variable(name: string): string {
  const value = process.env[name];
  assert.ok(value, `${name} is not set; run tests/editors/run`);
  return value;
}

async function installExtension(home: string): Promise<void> {
  const vsix = path.resolve(import.meta.dirname, "..", "nst-lsp.vsix");
  const [code] = (await once(codeServer(home, ["--install-extension", vsix]), "exit")) as [number | null];
  assert.equal(code, 0, "the extension could not be installed");
}

function codeServer(home: string, args: string[], environment: Start["environment"] = {}): ChildProcess {
  const entry = path.join(variable("CODE_SERVER"), "out", "node", "entry.js");
  const own = [
    "--user-data-dir",
    home,
    "--extensions-dir",
    path.join(home, "extensions"),
    "--config",
    path.join(home, "config.yaml"),
  ];
  const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"];
  // Nothing of the shell that runs the tests may help the extension to find the server.
  const { VIRTUAL_ENV: _1, PYTHONPATH: _2, ...usual } = process.env;
  // VSCODE_CLI: this is the environment; it does not ask a login shell for another.
  const env = { ...usual, VSCODE_CLI: "1", ...environment };
  const child = spawn(process.execPath, [entry, ...own, ...quiet, ...args], { stdio: ["ignore", "pipe", "pipe"], env });
  const log = createWriteStream(path.join(home, "code-server.log"), { flags: "a" });
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  return child;
}

async function addressOf(codeServer: ChildProcess): Promise<string> {
  let said = "";
  for await (const [chunk] of on(codeServer.stdout!, "data", { close: ["end"] })) {
    said += chunk;
    const address = /HTTP server listening on (http:\S+?)\/?\s/.exec(said)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`code-server ended before it listened:\n${said}`);
}
