/** Colours: those of the system, or of the editor, unless a person chose others. */

import type { ThemeName } from "./state.ts";

export const THEMES: readonly { readonly name: ThemeName; readonly label: string }[] = [
  { name: "system", label: "Theme of the system" },
  { name: "light", label: "Light" },
  { name: "dark", label: "Dark" },
  { name: "contrast-light", label: "High contrast, light" },
  { name: "contrast-dark", label: "High contrast, dark" },
];

const QUERIES = {
  dark: matchMedia("(prefers-color-scheme: dark)"),
  contrast: matchMedia("(prefers-contrast: more)"),
};

/** Sets `data-theme` and `data-contrast`, which the style sheet goes by, now and whenever the system's wish changes. */
export function followTheme(chosen: () => ThemeName): () => void {
  const apply = (): void => {
    const name = chosen();
    const editor = document.body.dataset["vscodeThemeKind"];
    const dark =
      name === "system"
        ? editor === undefined
          ? QUERIES.dark.matches
          : /dark|high-contrast$/.test(editor)
        : name.endsWith("dark");
    const contrast =
      name === "system"
        ? editor === undefined
          ? QUERIES.contrast.matches
          : editor.includes("high-contrast")
        : name.startsWith("contrast");
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
    document.documentElement.dataset["contrast"] = contrast ? "more" : "";
  };
  for (const query of Object.values(QUERIES)) query.addEventListener("change", apply);
  new MutationObserver(apply).observe(document.body, { attributes: true, attributeFilter: ["data-vscode-theme-kind"] });
  apply();
  return apply;
}
