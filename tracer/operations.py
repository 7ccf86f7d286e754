"""The one interception: every operation is run, recorded and wrapped here, and nowhere else."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import numpy as np

from . import hollow, libraries
from .events import Drawn, Iteration, Lost, Origin, Origins, Sized, Source, Written
from .hollow import ContentsNeeded
from .instructions import instruction
from .nodes import Kind, Node
from .recorder import CURRENT, USER_FILES, Holder, Recorder, site, user_frame
from .shapes import Unknown
from .steps import size_of
from .traced import (
    NO_ORIGINS,
    OBJECTS,
    TracedArray,
    TracedRange,
    TracedScalar,
    TracedShape,
    TracedText,
    Untracked,
    holds_traced,
    is_array,
    origins_of,
    raw,
)
from .trees import is_structure, remake
from .views import base_of, base_of_part
from .writers import RESHAPING, WRITERS

current = CURRENT.get
ndarray, generic = np.ndarray, np.generic  # looked up a few times in every operation
_CALL = Kind.CALL
_LITERAL = frozenset({int, float, complex, bool, str, bytes, type(None), type(...), type, np.dtype})
_PARTS_BY_SIZE = frozenset({np.polynomial.polyutils.as_series, getattr(np, "unstack", None)})
"""Functions whose result has as many parts as an axis is long."""
_SPLITS = frozenset({np.split, np.array_split, np.hsplit, np.vsplit, np.dsplit})


def apply(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    frame: FrameType | None,
    written: Any = None,
) -> Any:
    """Run one operation on the values, record it, and hand back its traced result.

    `written` is the traced array that the operation changes in place, where it is not to be found in
    the table of writers.  What `function` raises is raised unchanged.
    """
    recorder = current()
    if recorder is None:
        return function(*[raw(a) for a in args], **{k: raw(v) for k, v in (kwargs or {}).items()})
    entered: list[tuple[tuple[int | str, ...], Any]] | None = None
    values: list[Any] = []
    operands: list[Any] = []
    for arg in args:
        kind = type(arg)
        if kind is TracedArray and not arg.origins:
            values.append(arg.value)
            operands.append(arg.node)
        elif kind in _LITERAL:
            values.append(arg)
            operands.append(arg)
        elif kind is TracedScalar and arg.node is not None:
            values.append(arg.value)
            operands.append(arg.node)
        else:
            entered = [] if entered is None else entered
            value, operand = _lower(arg, recorder, frame, entered, (len(values),))
            values.append(value)
            operands.append(operand)
    named_values: dict[str, Any] = {}
    named: dict[str, Any] | None = None
    if kwargs:
        entered, named = [] if entered is None else entered, {}
        for name, arg in kwargs.items():
            if type(arg) in _LITERAL:
                named_values[name] = named[name] = arg
            else:
                named_values[name], named[name] = _lower(arg, recorder, frame, entered, (name,))
        if written is None and "out" in kwargs:
            written = kwargs["out"][0] if type(kwargs["out"]) is tuple and len(kwargs["out"]) == 1 else kwargs["out"]
    if written is None and function in WRITERS:
        written = WRITERS[function](args, kwargs or {})
    real, library, drew = True, recorder.library, False
    if recorder.known is not None:
        try:
            result, real = hollow.run(recorder, function, (values, named_values), (operands, named or {}), raw(written))
        except Unknown as unknown:
            origins = NO_ORIGINS.union(*(origins_of(a) for a in args))
            raise ContentsNeeded(hollow.why(function, unknown), site(frame), origins) from None
        if written is None and library is not None and args and library.is_in_place(function):
            written = args[0]  # no version of a tensor without contents tells of it
    elif library is not None:
        result, changed, drew = library.run(function, values, named_values)
        if changed and written is None:
            written = _traced(changed, (values, named_values), (operands, named or {}), (args, kwargs or {}))
    elif named_values:
        result = function(*values, **named_values)
    else:
        result = function(*values)
    stack = recorder.stack
    at, code, call = frame, stack.code, stack.call
    if frame is not stack.frame:
        code = frame.f_code if frame is not None else None  # asked once: where user code is confined, it is audited
        if code is None or code.co_filename not in USER_FILES:
            at = user_frame(frame)
            code = at.f_code if at is not None else None
        if library is not None and at is not frame:  # in code of the library's, maybe within a part of the model
            call = stack.calling(frame, None)
        elif at is not stack.frame:
            call = stack.calling(at, code)
    lasti = at.f_lasti if at is not None else 0
    base = None
    kind = type(result)
    if kind is ndarray:
        shape, dtype = result.shape, result.dtype
        if written is None:
            if not real:
                base = base_of(function, tuple(operands), named or {}, result)
            elif result.base is not None:
                base = _base(result.base, args)
            elif result is values[0] if values else False:
                base = operands[0].owner  # `np.asarray` of an array is that array
    elif isinstance(result, generic):
        shape, dtype = (), result.dtype
        if kind is np.void and function is operator.getitem:
            base = operands[0].owner  # a record can be written, and is then written in its array
    elif isinstance(result, ndarray):
        shape, dtype = result.shape, result.dtype
        base = _base(result.base, args) if real and result.base is not None else None
    elif library is not None and libraries.of(result) is library:
        shape, dtype = tuple(result.shape), result.dtype
    else:
        shape, dtype = None, getattr(result, "dtype", kind)
    if library is not None and base is None and written is None and shape is not None:
        base = _shared(library, result, (values, named_values), (operands, named or {}))
    if library is not None:
        function = library.within(function, raw(written), named_values.get("out") is not None)
    node = Node(_CALL, function, tuple(operands), named, shape, dtype, base, written is not None, code, lasti, call)
    recorder.nodes.append(node)
    generator = _generator(named) if library is not None and named is not None else None
    if drew or generator is not None:
        recorder.emit(Drawn(site(frame), node, getattr(function, "__name__", "this call"), generator))
    if real and recorder.known is not None:
        recorder.known.add(node)
    if entered:
        for where, value in entered:
            plain = raw(value) if isinstance(value, str) else value.value
            recorder.enter(at if at is not None else sys._getframe(), node, where, value.origins, plain)
    if written is not None:
        return _wrote(result, node, written, recorder, at, args, library is not None and library.owns(frame))
    return TracedArray(result, node) if kind is ndarray else lift(result, node, recorder, at, args)


def _generator(named: dict[str, Any]) -> Origin | None:
    """Where the generator came from that an operation is given, unless the function made it itself."""
    generator = named.get("generator")
    if type(generator) is Node:
        return Origin.ARGUMENT if generator.kind is Kind.INPUT else None
    return None if generator is None else Origin.HIDDEN


def _base(base: Any, args: tuple[Any, ...]) -> Node | None:
    """The node whose memory a result lies in, where one of the arguments lies there, too."""
    if type(base) is not ndarray:
        while not isinstance(base, ndarray) and base is not None:
            base = getattr(base, "base", None)  # `as_strided` puts an object of its own between
    for arg in args:
        if type(arg) is TracedArray:
            value = arg.value
            own = getattr(value, "base", None)
            if base is value or (own is not None and base is own):
                return arg.node.owner if arg.node is not None else None
        elif type(arg) in (tuple, list):
            found = _base(base, tuple(arg))
            if found is not None:
                return found
    return None


def _traced(changed: tuple[Any, ...], values: Any, operands: Any, args: Any) -> Any:
    """The traced tensors that an operation was seen to change: one of them, or several as a tuple."""
    found: list[Any] = []
    for value, operand, arg in _leaves(values, operands, args):
        if type(operand) is Node and any(value is each for each in changed):
            found.append(arg if is_array(arg) else TracedArray(value, operand))
    return found[0] if len(found) == 1 else tuple(found) or None


def _shared(library: libraries.Library, result: Any, values: Any, operands: Any) -> Node | None:
    """The node in whose memory a result lies, where a tensor is concerned."""
    tensor = libraries.of(result) is library
    for value, operand, _ in _leaves(values, operands, operands):
        concerned = type(operand) is Node and operand.shape is not None and (tensor or libraries.of(value) is library)
        if concerned and (value is result or (libraries.is_array(value) and library.shares(value, result))):
            return operand.owner  # type: ignore[no-any-return]  # a node's owner is a node
    return None


def _leaves(values: Any, operands: Any, args: Any) -> Iterator[tuple[Any, Any, Any]]:
    """What stands at the same places of three arguments that are built alike."""
    if type(values) in (tuple, list) and type(operands) is not Node:
        for value, operand, arg in zip(values, operands, args, strict=False):
            yield from _leaves(value, operand, arg)
    elif type(values) is dict and type(operands) is not Node:
        for key, value in values.items():
            yield from _leaves(value, operands[key], args[key])
    else:
        yield values, operands, args


def _wrote(
    result: Any,
    node: Node,
    written: Any,
    recorder: Recorder,
    at: FrameType | None,
    args: tuple[Any, ...],
    by_library: bool = False,
) -> Any:
    """Note an in-place write, and hand back the array that was written where that is the result."""
    if result is None and type(written) is TracedArray and node.function not in RESHAPING:
        if written.node is not None and written.node.owner.kind is not _CALL:
            recorder.emit(Written(site(at), node, written.node))
        return None
    targets = [t for t in (written if type(written) is tuple else (written,)) if is_array(t) and t.node is not None]
    for target in targets:
        if libraries.of(target.value) is not None and target.node.shape != tuple(target.value.shape):
            target.node.shape = tuple(target.value.shape)
            recorder.reshaped.add(target.node)
        if node.function in RESHAPING:
            if hollow.is_hollow(recorder, target.node):
                target.value = hollow.reshaped(target.value, raw(args[1:]))
            target.node.shape = target.value.shape
            recorder.reshaped.add(target.node)
        if target.node.owner.kind is not _CALL:  # the function's own arrays are its own concern
            recorder.emit(Written(site(at), node, target.node, by_library))
    if result is None:
        return None
    for target in targets:
        if result is target.value:
            return target
    if type(result) is tuple:
        return tuple(
            lift(part, _element(node, i, part, recorder, args), recorder, at) if target is None else target
            for i, part, target in ((i, part, _holding(part, targets)) for i, part in enumerate(result))
        )
    return lift(result, node, recorder, at)


def _holding(part: Any, targets: list[Any]) -> Any:
    """The written array that a part of a result is, or None."""
    return next((t for t in targets if t.value is part), None)


def lift(result: Any, node: Node, recorder: Recorder, at: FrameType | None, args: tuple[Any, ...] = ()) -> Any:
    """The traced counterpart of an operation's result; `args` are the operation's own."""
    if isinstance(result, ndarray):
        return TracedArray(result, node)
    if recorder.library is not None and libraries.of(result) is not None:
        return TracedArray(result, node)
    if isinstance(result, str):
        return TracedText.of(str(result), frozenset({node}), node)
    if isinstance(result, OBJECTS) or libraries.is_object(result):
        return TracedScalar(result, node)
    if result is None or result is NotImplemented:
        return result
    if isinstance(result, (tuple, list)):
        if _makes_lists(node):
            recorder.emit(Lost(site(at), node, NO_ORIGINS, result, "tolist"))
        elif _has_parts_by_size(node, recorder.library):
            count = Node(_CALL, len, (node,), None, None, int, None, False, node.code, node.lasti, node.call)
            recorder.nodes.append(count)
            recorder.emit(Iteration(site(at), count, _parts_follow(node, count, recorder), len(result)))
        parts = [lift(part, _element(node, i, part, recorder, args), recorder, at) for i, part in enumerate(result)]
        if node.function is np.histogramdd and type(node.args[0]) is Node:
            recorder.sized.append(Sized(node.args[0], args[0].value.shape, site(at)))  # edges for each column
        kept = type(result) is list or is_structure(type(result))
        made: Any = (
            type(result)(*parts) if hasattr(result, "_fields") else type(result)(parts) if kept else tuple(parts)
        )
        if _makes_lists(node):
            recorder.listed[id(made)] = (made, args[0])
        return made
    recorder.emit(Lost(site(at), node, NO_ORIGINS, result, getattr(node.function, "__name__", "")))
    return result


def _makes_lists(node: Node) -> bool:
    return getattr(node.function, "__name__", "") == "tolist"


def _has_parts_by_size(node: Node, library: libraries.Library | None) -> bool:
    """Whether a result has as many parts as an axis is long, or as a traced number says."""
    if library is not None and library.has_parts_by_size(node.function, node.args, node.kwargs or {}):
        return True
    if node.function in _SPLITS:
        return len(node.args) > 1 and type(node.args[1]) is Node
    return node.function in _PARTS_BY_SIZE and type(node.args[0]) is Node


def _parts_follow(node: Node, count: Node, recorder: Recorder) -> Origins:
    """What the number of parts came from: the size of the axis that is taken apart, and the size of a part."""
    axis = recorder.library.axis_of_parts(node.function, node.args, node.kwargs or {}) if recorder.library else None
    whole = node.args[0] if node.args else None
    if axis is None or type(whole) is not Node:
        return frozenset({count})
    size = Node(_CALL, size_of, (whole, axis), None, None, int, None, False, node.code, node.lasti, node.call)
    recorder.nodes.append(size)
    return frozenset({size, *(o for o in node.operands() if o.shape is None)})


def _element(node: Node, index: int, part: Any, recorder: Recorder, args: tuple[Any, ...]) -> Node:
    """The node of one part of a result that is a sequence."""
    tensor = recorder.library is not None and libraries.of(part) is not None
    shape = tuple(part.shape) if tensor or isinstance(part, (np.ndarray, np.generic)) else None
    dtype = getattr(part, "dtype", type(part))
    real = recorder.known is None or node in recorder.known or dtype is type(part)
    base = None if real else base_of_part(node, index, part)
    if real and isinstance(part, np.ndarray) and part.base is not None:
        base = _base(part.base, args)
    elif tensor and recorder.library is not None:
        plain = tuple(raw(arg) for arg in args)
        base = _shared(recorder.library, part, (plain,), (node.args,))
    made = Node(
        Kind.CALL, operator.getitem, (node, index), None, shape, dtype, base, False, node.code, node.lasti, node.call
    )
    recorder.nodes.append(made)
    if real and recorder.known is not None:
        recorder.known.add(made)
    return made


def _arrays_read(recorder: Recorder, holder: Holder, container: Any) -> Any:
    """A hidden list or dictionary that an operation is given, with its arrays as read where it was read."""
    at, steps = holder.at, container if type(container) is dict else range(len(container))
    assert at is not None
    read = []
    for step in steps:
        value = container[step]
        if libraries.is_array(value) and (
            recorder.library is None or not recorder.library.known(recorder, value, at.at)
        ):
            label = f"{holder.label}[{step!r}]"
            source = Source(Origin.HIDDEN, label, at, container, value, quiet=holder.quiet)
            value = TracedArray(*recorder.capture(value, source, at.at))
        read.append(value)
    return remake(container, read)


def _lower(
    arg: Any, recorder: Recorder, frame: FrameType | None, entered: list[Any], where: tuple[int | str, ...]
) -> tuple[Any, Any]:
    """What an argument is for NumPy, and what it is in a node."""
    kind = type(arg)
    if kind is TracedArray:
        if arg.origins:
            entered.append((where, arg))
        return arg.value, arg.node
    if kind is TracedScalar:
        if arg.node is not None:
            return arg.value, arg.node
        if arg.origins:
            entered.append((where, arg))
        return arg.value, arg.value
    if kind in _LITERAL:
        return arg, arg
    if kind is slice:
        if type(arg.start) in _LITERAL and type(arg.stop) in _LITERAL and type(arg.step) in _LITERAL:
            return arg, arg
        bounds = enumerate((arg.start, arg.stop, arg.step))
        pairs = [_lower(part, recorder, frame, entered, (*where, i)) for i, part in bounds]
        return slice(*(p[0] for p in pairs)), slice(*(p[1] for p in pairs))
    if kind is list or kind is dict:
        holder = recorder.holder(arg)
        if holder is not None and not holder.argument and holder.at is not None:
            if any(map(libraries.is_array, arg.values() if kind is dict else arg)):
                arg = _arrays_read(recorder, holder, arg)
            else:
                source = Source(Origin.HIDDEN, holder.label, holder.at, arg, arg, quiet=holder.quiet)
                entered.append((where, Untracked(arg, frozenset({source}))))
    if kind is tuple or kind is list or kind is TracedShape or hasattr(arg, "_fields") or isinstance(arg, tuple):
        pairs = [_lower(part, recorder, frame, entered, (*where, i)) for i, part in enumerate(arg)]
        if kind is list:
            return [p[0] for p in pairs], [p[1] for p in pairs]
        return tuple(p[0] for p in pairs), tuple(p[1] for p in pairs)
    if isinstance(arg, dict) and (kind is dict or holds_traced(arg)):
        lowered = {k: _lower(v, recorder, frame, entered, (*where, k)) for k, v in arg.items()}
        return remake(arg, [v[0] for v in lowered.values()]), {k: v[1] for k, v in lowered.items()}
    if kind is TracedText:
        entered.append((where, arg))
        return raw(arg), raw(arg)
    if kind is TracedRange:
        return arg.raw, arg.raw
    if (isinstance(arg, np.ndarray) and kind is np.ndarray) or libraries.of(arg) is not None:
        at = user_frame(frame) or sys._getframe()
        library = recorder.library
        known = library.known(recorder, arg, instruction(at)) if library is not None else None
        if known is not None:
            return known
        mine, node = recorder.capture(arg, None, instruction(at))
        entered.append((where, Untracked(arg, frozenset({node}))))
        return mine, node
    return arg, arg
