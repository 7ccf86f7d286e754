/**
 * The settings as the server is told them: only what the user has set.
 *
 * VS Code hands out its defaults like settings; sent as they are they would overrule `[tool.nst]` of
 * the project's pyproject.toml. Settings of the extension itself are left out, too.
 */

/** What VS Code's `inspect` says of one setting; the more special wins. */
export interface Inspected {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

export const SERVER_SETTINGS = [
  "mode",
  "processLimit",
  "trigger",
  "python",
  "timeout",
  "memoryLimit",
  "select",
  "ignore",
  "severity",
  "exclude",
  "ranks",
  "extraPaths",
  "allow",
  "inlayHints",
  "codeLens",
  "verify",
] as const;

export type ServerSettings = Record<string, unknown>;

export function explicit(inspect: (key: string) => Inspected | undefined): ServerSettings {
  const settings: ServerSettings = {};
  for (const key of SERVER_SETTINGS) {
    const found = inspect(key);
    const value = found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
    if (value !== undefined && value !== "") settings[key] = value;
  }
  return settings;
}

/** Who chose an interpreter that no setting names, in the server's messages. */
const CHOOSER = "the Python extension";

/** What only the window knows: whether the workspace is trusted, and the interpreter chosen for it. */
export function withWindow(
  settings: ServerSettings,
  trusted: boolean,
  interpreter: string | undefined,
): ServerSettings {
  const chosen = interpreter !== undefined && settings["python"] === undefined;
  return {
    ...settings,
    ...(interpreter === undefined ? {} : { python: interpreter }),
    ...(chosen ? { pythonFrom: CHOOSER } : {}),
    trusted,
  };
}
