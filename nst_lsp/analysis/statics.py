"""Making an argument static: the comment above its function that accepts specialisation on it."""

from __future__ import annotations

from tracer.worker.wire import Edit, Finding, Span

from .above import above
from .outline import Definition, definitions
from .silence import STATIC, about_arguments, static_names
from .text import Text

_OF_ARGUMENTS = frozenset({"NST103", "NST202"})


def making_static(text: Text, finding: Finding) -> tuple[tuple[str, ...], Edit] | None:
    """The arguments that a finding is about, and the edit that accepts it; None for any other finding."""
    if finding.code not in _OF_ARGUMENTS:
        return None
    definition = next((one for one in definitions(text.source) or () if one.name == finding.function), None)
    names = about_arguments(finding, text.source)
    if definition is None or not names:
        return None
    return tuple(sorted(names)), _edit(text, definition, names)


def _edit(text: Text, definition: Definition, names: set[str]) -> Edit:
    """The names are added to the comment that is there, else a new one stands right above the function."""
    number = definition.first_line - 1
    while number >= 1 and text.line(number).lstrip().startswith("#"):
        row = text.line(number)
        if match := STATIC.search(row):
            known = static_names(row)
            more = [name for name in sorted(names) if name not in known]
            span = Span(number, match.start(1) + 1, number, match.end(1) + 1)
            return Edit(span, ", ".join([*known, *more]))
        number -= 1
    return above(text, definition, f"# nst: static({', '.join(sorted(names))})")
