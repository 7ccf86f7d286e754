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
    Origin.CONTENTS: "the contents of {}", Origin.SIZE: "a size of {}", Origin.ARGUMENT: "the argument {}",
    Origin.HIDDEN: "the hidden input {}", Origin.TYPE: "the type of {}", Origin.RANDOM: "the random draw {}",
    Origin.ENVIRONMENT: "{}", Origin.CACHE: "the cache {}",
}  # fmt: skip


def in_words(sources: Iterable[Source]) -> str:
    """The origins of a value in words."""
    words: list[str] = []
    for source in sources:
        named = source.origin is not Origin.ENVIRONMENT and (source.origin is not Origin.TYPE or source.path)
        word = _WHAT[source.origin].format(f"`{source.label}`") if named else source.label
        if word not in words:
            words.append(word)
    return " and ".join(words[:3])


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
