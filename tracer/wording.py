"""What findings say: values, origins and places in words."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

import numpy as np

from . import libraries
from .bindings import Bindings, bindings_of
from .events import Origin, Site, Source
from .positions import locate
from .report import summary
from .rules import Severity
from .shown import shown
from .spelling import dtype_text
from .traced import raw
from .worker.wire import Related

_WHAT = {
    Origin.CONTENTS: ("the contents of",) * 2, Origin.SIZE: ("a size of", "sizes of"),
    Origin.ARGUMENT: ("the argument", "the arguments"), Origin.HIDDEN: ("the hidden input", "the hidden inputs"),
    Origin.TYPE: ("the type of", "the types of"), Origin.RANDOM: ("the random draw", "the random draws"),
    Origin.CACHE: ("the cache", "the caches"),
}  # fmt: skip
"""What is said before the name of one source of an origin, and before those of several."""
_MOST_SOURCES = 3


def in_words(sources: Iterable[Source]) -> str:
    """The origins of a value in words, those of a kind together: "the contents of `x` and `y`, and a size of `z`"."""
    named: dict[tuple[Origin, str], None] = {}
    for source in sources:
        is_named = source.origin is not Origin.ENVIRONMENT and (source.origin is not Origin.TYPE or source.path)
        named[source.origin if is_named else Origin.ENVIRONMENT, source.label] = None
    told = [*named][:_MOST_SOURCES]
    words: list[str] = []
    for kind in dict.fromkeys(origin for origin, _ in told):
        labels = [label for origin, label in told if origin is kind]
        if kind is Origin.ENVIRONMENT:
            words += labels
        else:
            words.append(f"{_WHAT[kind][len(labels) > 1]} {_listed([f'`{label}`' for label in labels])}")
    return ", and ".join(words) if any(" and " in word for word in words) else _listed(words)


def _listed(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def value_text(value: Any) -> str:
    """A value in at most 60 characters."""
    plain = raw(value)
    if libraries.is_array(plain):
        text = summary(plain)
    else:
        text = shown(plain.item() if isinstance(plain, np.generic) and plain.dtype.kind in "biufc" else plain)
    return short(text)


def array_text(array: np.ndarray[Any, Any]) -> str:
    return f"{dtype_text(array.dtype)}{list(array.shape)}, {_bytes(array.nbytes)}"


def _bytes(count: int) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:g} {unit}" if unit == "bytes" else f"{count:.3g} {unit}"
        count = count / 1000  # type: ignore[assignment]
    raise AssertionError


def where_from(sources: Iterable[Source]) -> tuple[Related, ...]:
    return about(list(sources))[0]


def about(sources: list[Source]) -> tuple[tuple[Related, ...], bool]:
    """Where hidden inputs among the sources were read and defined, and whether one is bound anew anywhere."""
    related: list[Related] = []
    rebound = False
    for source in sources:
        at = locate(source.site.at) if source.site else None
        if at is None:
            continue
        if source.origin is Origin.HIDDEN:
            found = bindings_of(at, source)
            rebound |= bool(found.rebound)
            related += binding_places(source, found)
    return tuple(dict.fromkeys(related)), rebound


def hidden_severity(source: Source, found: Bindings) -> Severity:
    if found.rebound:
        return Severity.WARNING
    return Severity.HINT if source.quiet or found.final else Severity.INFORMATION


def rebound_words(found: Bindings) -> str:
    return (
        f"; it is changed elsewhere (line {found.rebound[0].span.line})"
        if found.rebound
        else "; nothing in this module changes it"
    )


def binding_places(source: Source, found: Bindings) -> tuple[Related, ...]:
    places = [Related(f"`{source.label}` is defined here", found.defined)] if found.defined else []
    return tuple(places + [Related(f"`{source.label}` is changed here", p) for p in found.rebound[:3]])


def callers(site: Site) -> tuple[Related, ...]:
    """The calls in user code that led to a place, innermost first; several at one place are told once."""
    located = [found for caller in site.callers if (found := locate(caller)) is not None]
    related = (Related(f"called from here: {short(found.text)}", found.place) for found in located)
    return tuple(one for one, _ in groupby(related))


def short(text: str, limit: int = 60) -> str:
    one = " ".join(text.split())
    return one if len(one) <= limit else one[: limit - 1] + "…"
