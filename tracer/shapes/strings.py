"""`numpy.strings` and `numpy.char`: arrays of strings, whose lengths depend on contents more often than not."""

from __future__ import annotations

from typing import Any

import numpy as np

from .abstract import Reason, Shape, Unknown
from .dims import broadcast, shape_of
from .probe import Rule, probed
from .registry import modules, present

SAME_LENGTH = "capitalize lower swapcase title upper strip lstrip rstrip"
"""Functions of strings whose result has the length of the operand, whatever the contents are."""
NO_STRINGS = (
    "count endswith find index rfind rindex startswith isalnum isalpha isdecimal isdigit islower isnumeric isspace "
    "istitle isupper str_len"
)
"""Functions of strings that give numbers or truth values."""
BY_CONTENTS = (
    "center expandtabs ljust rjust zfill replace mod multiply translate encode decode partition rpartition slice"
)
"""Functions of strings whose result is as long as the longest string that comes out."""
JOINED = "add equal greater greater_equal less less_equal not_equal"


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {}
    for module in modules("numpy.char", "numpy.strings"):
        made.update({f: probed(_first)(f) for f in present(module, SAME_LENGTH)})
        made.update({f: probed(_together)(f) for f in present(module, f"{NO_STRINGS} {JOINED}")})
        made.update(dict.fromkeys(present(module, f"{BY_CONTENTS} join split rsplit splitlines"), _by_contents))
    return {function: rule for function, rule in made.items() if not isinstance(function, np.ufunc)}


def _by_contents(*args: Any, **kwargs: Any) -> Any:
    raise Unknown(Reason.CONTENTS, "the length of strings depends on contents")


def _first(a: Any, *more: Any, **named: Any) -> Shape:
    return shape_of(a)


def _together(*operands: Any, **named: Any) -> Shape:
    return broadcast(*[shape_of(a) for a in operands])
