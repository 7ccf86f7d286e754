"""What is called when a function, method or object of the user's is called: its signature, and the code that runs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from . import libraries
from .loader import is_library


def plain(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The function that is traced for `fn`: what a compiler of its library made of a function is the function."""
    library = libraries.current()
    return fn if library is None else library.plain(fn)


def signature_of(fn: Callable[..., Any]) -> inspect.Signature:
    """The signature of a callable.  Raises what `inspect.signature` raises."""
    library = libraries.current()
    method = library.method(fn) if library is not None else None
    return inspect.signature(fn if method is None else method)


def body(fn: Callable[..., Any]) -> FunctionType | None:
    """The Python function that runs when `fn` is called."""
    library = libraries.current()
    seen: Any = fn
    for _ in range(16):
        method = library.method(seen) if library is not None else None
        if method is not None:
            seen = method
        if isinstance(seen, FunctionType):
            inner = getattr(seen, "__wrapped__", None)
            if not isinstance(inner, FunctionType) or not is_library(seen.__code__.co_filename):
                return seen
            seen = inner  # a decorator's wrapper, of a library: what it wraps is the user's
        if isinstance(seen, MethodType):
            seen = seen.__func__
        elif isinstance(seen, functools.partial):
            seen = seen.func
        elif isinstance(seen, type):
            return None
        elif hasattr(seen, "__wrapped__"):
            seen = seen.__wrapped__
        else:
            seen = getattr(type(seen), "__call__", None)  # noqa: B004  # wanted is the function, not whether there is one
    return None
