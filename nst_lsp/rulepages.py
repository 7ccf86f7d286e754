"""The pages of the rules: `docs/rules/NSTxxx.md` in a checkout, `nst_lsp/rules/NSTxxx.md` in an installed wheel."""

from __future__ import annotations

from pathlib import Path

_FOLDERS = (Path(__file__).parent / "rules", Path(__file__).parent.parent / "docs" / "rules")


def rule_page(code: str) -> str | None:
    """The page of a rule as Markdown, or None where it has none."""
    for folder in _FOLDERS:
        page = folder / f"{code}.md"
        if page.is_file():
            return page.read_text(encoding="utf-8")
    return None
