"""Marks that torch carries from the user's calls to the nodes of a graph, of its backward above all.

While a `Marks` is entered, each torch call out of user code sets what torch takes for the stack of the operations in
it.  Nodes that are recorded meanwhile have it in `meta["stack_trace"]`; with anomaly mode on, gradient functions keep
it, and so the nodes have it that are recorded while they run.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any
from unittest.mock import patch

import torch
from torch import fx
from torch.autograd import Function
from torch.fx import traceback as meta
from torch.overrides import TorchFunctionMode

from ....events import Instruction
from ....positions import FILES, Located, locate
from . import places

_MARK = re.compile(r"<nst (\d+)>")
_FAILED = "_nst_mark"


class Marks(TorchFunctionMode):
    """The places of the user's torch calls, by the number that is in a mark."""

    def __init__(self) -> None:
        super().__init__()
        self._places: list[Instruction] = []
        self._numbers: dict[tuple[int, int], int] = {}

    def __torch_function__(
        self, function: Callable[..., Any], types: Iterable[type], args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        number = self._here()
        with self._marked(number):
            return self.call(number, function, args, kwargs)

    @contextmanager
    def marking(self) -> Iterator[None]:
        """Mark what user code does in the block, its own `autograd.Function`s among it, and let autograd keep it."""
        apply = inspect.getattr_static(Function, "apply")  # a class method of Python's, or of C's since 2.14

        def marked(kind: Any, *args: Any, **kwargs: Any) -> Any:
            with self._marked(self._here()):
                return apply.__get__(None, kind)(*args, **kwargs)

        with (
            torch.compiler.set_stance("force_eager"),
            meta.preserve_node_meta(),
            torch.autograd.set_detect_anomaly(True, check_nan=False),
            patch.object(Function, "apply", classmethod(marked)),
            self,
        ):
            yield

    @contextmanager
    def _marked(self, number: int | None) -> Iterator[None]:
        before = meta.current_meta.get("stack_trace")
        if number is not None:
            meta.current_meta["stack_trace"] = f"<nst {number}>"
        try:
            yield
        except Exception as error:
            if not hasattr(error, _FAILED):
                setattr(error, _FAILED, number)
            raise
        finally:
            if before is None:
                meta.current_meta.pop("stack_trace", None)
            else:
                meta.current_meta["stack_trace"] = before

    def call(self, number: int | None, function: Callable[..., Any], args: tuple[Any, ...], kwargs: Any) -> Any:
        """Make a call; `number` is the mark of the user's expression that makes it."""
        return function(*args, **kwargs)

    def _here(self) -> int | None:
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename not in FILES:
            frame = frame.f_back
        return None if frame is None else self._number(frame.f_code, frame.f_lasti)

    def _number(self, code: CodeType, lasti: int) -> int:
        number = self._numbers.get((id(code), lasti))
        if number is None:
            number = self._numbers[id(code), lasti] = len(self._places)
            self._places.append(Instruction(code, lasti))  # which keeps the code, and so its identity
        return number

    def at(self, number: int | None) -> Located | None:
        at = locate(self._places[number]) if number is not None else None
        if at is not None and at.node is not None and isinstance(getattr(at.node, "ctx", None), ast.Store):
            return at.at(at.file.statement(at.node))
        return at

    def number_in(self, stack: str | None) -> int | None:
        """The mark in what torch keeps as a stack; the innermost, where a node belongs to several."""
        found = _MARK.findall(stack or "")
        return int(found[-1]) if found else None

    def of_nodes(self, module: fx.GraphModule) -> dict[str, Located | None]:
        """The places of a graph's nodes, by their names."""
        return {node.name: self.at(self.number_in(node.meta.get("stack_trace"))) for node in module.graph.nodes}

    def failed(self, error: BaseException) -> Located | None:
        """The user's call that raised, where one is known."""
        return self.at(getattr(error, _FAILED, None))

    def is_ours(self, error: BaseException) -> bool:
        """Whether an error is a fault of this tracer's: no call that it passes on raised it."""
        return not hasattr(error, _FAILED) and places.is_ours(error)
