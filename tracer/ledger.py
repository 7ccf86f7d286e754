"""What user code did to the outside, or tried to: written down by whoever confines it, read by whoever reports.

It is kept for the whole process, not for a trace: importing a module has effects, too, and so has code in which the
trace is suspended.
"""

from __future__ import annotations

from .events import Effect

_EFFECTS: list[Effect] = []
_MOST = 10_000
"""Effects that are kept; a loop that goes on trying says nothing new."""


def note(effect: Effect) -> None:
    if len(_EFFECTS) < _MOST:
        _EFFECTS.append(effect)


def taken() -> list[Effect]:
    """What was noted since the last time, in order."""
    effects = list(_EFFECTS)
    _EFFECTS.clear()
    return effects
