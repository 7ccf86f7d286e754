"""A function of `io` or `os` whose calls may be led elsewhere: to a scratch folder, while user code is confined.

The worker puts these in the place of the originals before anything else is loaded (`worker.diverting`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Passage:
    """Stands in for a built-in function, and like one it is not bound when it is read from a class.

    Calls go to the original until there is a `guide`, which then gets the original and the arguments.
    """

    guide: Callable[..., Any] | None = None

    def __init__(self, function: Callable[..., Any], module: str) -> None:
        self.__wrapped__ = function
        self.__module__ = module
        self.__name__ = self.__qualname__ = function.__name__
        self.__doc__ = function.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        guide = self.guide
        return self.__wrapped__(*args, **kwargs) if guide is None else guide(self.__wrapped__, *args, **kwargs)

    def __repr__(self) -> str:
        return repr(self.__wrapped__)

    def __reduce__(self) -> str:
        return self.__name__
