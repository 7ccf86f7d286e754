/** Tells when the first example is in reach (reach.ts): of the Python files that are open, opened, changed and saved. */

import { readFile } from "node:fs/promises";
import * as vscode from "vscode";

import { Debounced } from "./later.ts";
import { borrowsExample, hasExample } from "./reach.ts";
import { SELECTOR } from "./status.ts";

const TYPING_MILLISECONDS = 300;

/** Calls `found` once, and looks no further then. */
export function whenExampleInReach(found: () => void): vscode.Disposable {
  const typed = new Set<vscode.TextDocument>();
  const pause = new Debounced(TYPING_MILLISECONDS, () => {
    typed.forEach((document) => hasExample(textOf(document)) && tell());
    typed.clear();
  });
  const look = async (document: vscode.TextDocument) => {
    if (isOurs(document) && (await isInReach(document))) tell();
  };
  const all = vscode.Disposable.from(
    pause,
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidSaveTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (!isOurs(document)) return;
      typed.add(document);
      pause.call();
    }),
  );
  let told = false;
  const tell = () => {
    if (told) return;
    told = true;
    all.dispose();
    found();
  };
  vscode.workspace.textDocuments.forEach(look);
  return all;
}

async function isInReach(document: vscode.TextDocument): Promise<boolean> {
  const text = textOf(document);
  const ranks = vscode.workspace.getConfiguration("nst", document.uri).get<object>("ranks", {});
  const ranked = Object.keys(ranks).length > 0;
  return hasExample(text) || borrowsExample(text, document.uri.fsPath, ranked, read);
}

/** A notebook is one module of its cells. */
function textOf(document: vscode.TextDocument): string {
  const isHere = (cell: vscode.NotebookCell) => cell.document === document;
  const notebook = vscode.workspace.notebookDocuments.find((one) => one.getCells().some(isHere));
  const cells = notebook?.getCells().map((cell) => cell.document) ?? [document];
  return cells
    .filter(isOurs)
    .map((cell) => cell.getText())
    .join("\n");
}

function isOurs(document: vscode.TextDocument): boolean {
  return vscode.languages.match(SELECTOR, document) > 0;
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch {
    return undefined;
  }
}
