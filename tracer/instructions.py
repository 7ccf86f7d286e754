"""Which instruction a frame is at.

`frame.f_lasti` points to an instruction, or, once CPython (3.11 and later) has specialised it to call a Python method,
to the last of the cache entries behind it: one expression would have two places, depending on what ran before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dis import opname
from types import CodeType, FrameType
from typing import TYPE_CHECKING

from .events import Instruction

if TYPE_CHECKING:
    from .callstack import Call
    from .nodes import Node

_CACHE = 0
"""The operation code of a cache entry; Python 3.10 has none of them, and no instruction of this number."""


def instruction(frame: FrameType) -> Instruction:
    """The instruction that a frame is at."""
    code = frame.f_code
    return Instruction(code, _starts(code)[frame.f_lasti // 2])


def settle(nodes: Iterable[Node], calls: Iterable[Call]) -> None:
    """Put each node, and each call, at its instruction: while recording, only what the frame says is kept."""
    code: CodeType | None = None
    starts: list[int] = []
    for call in calls:
        if call.caller is not None:
            call.lasti = _starts(call.caller)[call.lasti // 2]
    for node in nodes:
        if node.code is not None:
            if node.code is not code:
                code = node.code
                starts = _starts(code)
            node.lasti = starts[node.lasti // 2]


def before_jump(at: Instruction) -> Instruction:
    """The instruction before a jump back to a loop's head, which is where its body ends; any other as it is."""
    starts = _starts(at.code)
    index = at.lasti // 2
    while index > 0 and opname[at.code.co_code[starts[index]]] in _JUMPS:
        index = starts[index] // 2 - 1
    return Instruction(at.code, starts[index])


_JUMPS = frozenset({"JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE", "EXTENDED_ARG"})


def _starts(code: CodeType) -> list[int]:
    """For each two bytes of code the offset of the instruction they belong to; by identity, since hashing reads all."""
    known = _known.get(id(code))
    if known is None or known[0] is not code:
        starts: list[int] = []
        for offset, operation in enumerate(code.co_code[::2]):
            starts.append(starts[-1] if operation == _CACHE and starts else offset * 2)
        known = _known[id(code)] = (code, starts)
    return known[1]


_known: dict[int, tuple[CodeType, list[int]]] = {}
