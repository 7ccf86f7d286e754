"""What users write on their functions: `@nonstrict_trace` and `@example(…)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_F = TypeVar("_F", bound=Callable[..., Any])


def nonstrict_trace(function: _F) -> _F:
    """Mark a helper whose author vouches for it: in a graph it is one collapsed node.

    Nothing inside it is reported but errors.  Returns the function itself.
    """
    function.__nst_nonstrict__ = True  # type: ignore[attr-defined]
    return function


def example(*args: Any, **kwargs: Any) -> Callable[[_F], _F]:
    """Give a function example arguments to be traced with; at run time it only remembers them.

    >>> @example(np.ones(3), y=3.14)
    ... def scale(x, y): return x * y
    """

    def remember(function: _F) -> _F:
        known = getattr(function, "__nst_examples__", [])
        function.__nst_examples__ = [(args, kwargs), *known]  # type: ignore[attr-defined]
        return function

    return remember
