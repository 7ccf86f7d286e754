"""What a rule of costs is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Rule = Callable[..., Any]
"""How many operations a call takes, as a number, a size or a `Count`: `rule(result, *args, **kwargs)`.

`result` and the arguments are what the rules of `shapes` take: `Abstract` for arrays, plain values and sizes, `Unsaid`
for numbers that only a run tells.  A rule raises Unknown where contents decide; whatever else it raises says, too, that
the cost is not known.
"""
Traffic = Callable[..., tuple[Any, Any]]
"""The bytes that a call reads and writes, where these are not those of its operands and its result."""
