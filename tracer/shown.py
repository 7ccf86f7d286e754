"""What a value says of itself in a report: the same in each run, and never an exception."""

from __future__ import annotations

import re
from typing import Any

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""Where in memory an object lies, which is another place in each run."""


def shown(value: Any) -> str:
    """The value's `repr` without addresses; a user's `__repr__` may raise, and then that is said."""
    try:
        return _ADDRESS.sub("", repr(value))
    except Exception as error:  # noqa: BLE001  # see above
        return f"<{type(value).__name__}, whose repr raised {type(error).__name__}>"
