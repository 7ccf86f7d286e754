"""Runs a function once on traced arguments, records what happens, and builds the graph of it."""

from __future__ import annotations

import functools
import gc
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from types import CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from . import ledger, libraries, randomness
from .callables import body, plain, signature_of
from .callstack import CallStack
from .copies import copy_array, copy_tree, settled
from .effects import restore
from .events import Event, Instruction, Origin, Site, Sized, Source
from .flow import Flow, needed
from .graph import Graph, Guard, nodes_in
from .guards import constants, decided, guards_of
from .halting import Halt
from .hollow import ContentsNeeded, NoContentsError, hollow
from .instructions import settle
from .loader import rewritten
from .nodes import Kind, Node
from .outline import outlines
from .recorder import USER_FILES, Recorder, recording
from .sizes import names_of
from .specs import OpenSpec, Spec
from .standing import resolved
from .traced import (
    Traced,
    TracedArray,
    TracedFlat,
    TracedRange,
    TracedScalar,
    TracedShape,
    TracedText,
    lift_constant,
    raw,
)
from .trees import Leaf, children, is_container, leaves, map_leaves, spell

MODES = ("real", "fake", "symbolic")
_MOST_TOLD = 20_000
"""Nodes of a run that had to be stopped: there is not much time left for telling of them."""


@contextmanager
def collector_resting() -> Iterator[None]:
    """Keep the garbage collector from looking through the growing trace again and again (a third of its time)."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception that left the function, and where in user code it was raised."""

    error: BaseException
    site: Site | None
    only_traced: bool = False
    """Whether the function run plainly did not raise: then it is the tracer that cannot follow."""


@dataclass(slots=True)
class Capture:
    """One run, recorded."""

    function: Callable[..., Any]
    signature: inspect.Signature
    nodes: list[Node]
    events: list[Event]
    result: Any
    failure: Failure | None
    rewritten: bool
    returned: Instruction | None
    """The `return` whose value is the result."""
    sized: list[Sized]
    """Arrays whose sizes are constants in the graph because the mode makes them so, and where they were read."""
    example: dict[str, Any]
    """The given arguments as they were before the run, by parameter."""
    mode: str
    hollow: bool
    """Whether some of its values have no contents."""
    promised: frozenset[CodeType]
    """The code of functions whose authors promise that they are pure, as far as they were called."""
    _flow: Flow | None = None
    _decisions: list[tuple[Guard, Instruction]] | None = None
    _chosen: frozenset[Any] | None = None

    @property
    def chosen(self) -> frozenset[Any]:
        """The ways to the values of the example: parameters of modules, inputs too, are not among them."""
        if self._chosen is None:
            self._chosen = frozenset(path for name, v in self.example.items() for _, path in leaves(v, (name,)))
        return self._chosen

    @property
    def flow(self) -> Flow:
        """What flows where in it; looked into when someone asks."""
        if self._flow is None:
            self._flow = Flow(self.nodes, self.events, names_of(self.example))
        return self._flow

    @property
    def decisions(self) -> list[tuple[Guard, Instruction]]:
        """What was decided in it, as guards, and where."""
        if self._decisions is None:
            self._decisions = list(decided(self.events, self.flow, self.sized))
        return self._decisions


def capture(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], mode: str) -> Capture:
    """Run `fn` on traced arguments and record what happens."""
    if mode not in MODES:
        raise ValueError(f"unknown mode {mode!r}: use {', '.join(MODES)}")
    if inspect.iscoroutinefunction(fn) or inspect.isasyncgenfunction(fn):
        raise TypeError("an async function cannot be traced: give its example to the function that it awaits")
    libraries.attend(fn, *(leaf for leaf, _ in leaves([list(args), kwargs])))
    args, kwargs = resolved(fn, args, kwargs)
    fn = plain(fn)
    signature = signature_of(fn)
    bound = signature.bind(*args, **kwargs)
    example = dict(bound.arguments) if mode == "fake" else copy_tree(dict(bound.arguments))
    inner = body(fn)
    if inner is not None:
        bound.apply_defaults()
    recorder = Recorder(mode, libraries.current(), root=inner.__code__ if inner else None)
    if mode == "fake" or any(isinstance(leaf, Spec) for leaf, _ in leaves(example)):
        recorder.known = set()
    _hold_owner(recorder, fn)
    promised = recorder.library.promised(fn) if recorder.library is not None else None
    if promised is not None:
        recorder.promised.add(promised)
    inputs: dict[str, Any] = {
        name: _entering(recorder, value, name, name in example) for name, value in bound.arguments.items()
    }
    called = _with_bound_parts(recorder, fn)
    recorder.absent = frozenset(n for n, v in bound.arguments.items() if v is None)
    for name, value in inputs.items():
        bound.arguments[name] = value
    result, failure = None, None
    randomness.begin()
    with _code(inner) as known, recording(recorder), collector_resting(), _intercepting(recorder):
        recorder.root = inner.__code__ if inner else None
        recorder.floor = sys._getframe()
        part_of = functools.partial(recorder.library.part, recorder) if recorder.library is not None else None
        recorder.stack = CallStack(USER_FILES, recorder.root, recorder.floor, part_of)
        ledger.taken()  # the example's arguments are not the function's concern
        try:
            result = settled(called(*bound.args, **bound.kwargs))
        except ContentsNeeded as needed:
            failure = Failure(NoContentsError(needed), needed.site)
        except Exception as error:  # noqa: BLE001  # whatever the user's function raises is data
            failure = Failure(error, _raised_at(error))
        except (Halt, SystemExit) as error:
            failure = Failure(error, _raised_at(error))
            if failure.site is None:
                raise
            recorder.cut(_MOST_TOLD)
        finally:
            recorder.events += ledger.taken()
            recorder.floor = None
            recorder.sites.clear()  # they hold frames
            calls, recorder.stack = recorder.stack.made, CallStack(USER_FILES, None, None)  # so does the one used
    raised = failure is not None and isinstance(failure.error, Exception)
    if failure is not None and raised and recorder.known is None and _runs_plainly(fn, signature, example):
        failure = Failure(failure.error, failure.site, only_traced=True)
    result = map_leaves(result, lambda leaf, _: _iterated(recorder, leaf))
    restore(recorder)
    if recorder.library is not None:
        recorder.library.put_back(recorder)
    settle(recorder.nodes, calls)
    return Capture(
        fn,
        signature,
        recorder.nodes,
        recorder.events,
        result,
        failure,
        known,
        recorder.returned,
        recorder.sized,
        example,
        mode,
        recorder.known is not None,
        frozenset(recorder.promised),
    )


def _iterated(recorder: Recorder, leaf: Any) -> Any:
    """`array.flat` as a result: a node that is asked for it."""
    if type(leaf) is not TracedFlat or leaf.array.node is None:
        return leaf
    node = Node(Kind.CALL, getattr, (leaf.array.node, "flat"), None, None, np.flatiter, None, False, None, 0)
    recorder.nodes.append(node)
    return TracedScalar(leaf.array.value.flat, node)


def _runs_plainly(fn: Callable[..., Any], signature: inspect.Signature, example: dict[str, Any]) -> bool:
    """Whether the function returns for the plain arguments, for which its traced run raised."""
    bound = signature.bind_partial()
    bound.arguments.update(copy_tree(example))
    try:
        fn(*bound.args, **bound.kwargs)
    except Exception:  # noqa: BLE001  # the question is only whether it raises
        return False
    return True


def _code(function: FunctionType | None) -> Any:
    return rewritten(function) if function is not None else _nothing()


def _intercepting(recorder: Recorder) -> AbstractContextManager[None]:
    """See the operations of a library besides NumPy also where code is not rewritten."""
    return nullcontext() if recorder.library is None else recorder.library.tracing()


class _nothing:  # noqa: N801  # a context manager with nothing to do: there is no Python source
    def __enter__(self) -> bool:
        return False

    def __exit__(self, *_: object) -> None:
        return None


def _with_bound_parts(recorder: Recorder, fn: Callable[..., Any]) -> Callable[..., Any]:
    """What is called for `fn`: a partial's own arguments are hidden inputs of the function it makes."""
    if not isinstance(fn, functools.partial):
        return fn
    names = signature_of(fn.func).bind_partial(*fn.args, **fn.keywords).arguments
    known = {id(v): n for n, v in names.items()}
    args = [_default(recorder, v, known.get(id(v), "args")) for v in fn.args]
    return functools.partial(fn.func, *args, **{k: _default(recorder, v, k) for k, v in fn.keywords.items()})


def _hold_owner(recorder: Recorder, fn: Callable[..., Any]) -> None:
    """What the function reaches besides its arguments: its object, and mutable defaults."""
    if isinstance(fn, (FunctionType, type)):
        return
    owner = _owner(fn)
    recorder.hold(owner, "self")
    if recorder.library is not None:
        recorder.library.hold(recorder, owner, "self", ("self",))


def _entering(recorder: Recorder, value: Any, name: str, given: bool) -> Any:
    """An argument as the function gets it: arrays traced, numbers with their origin, containers anew."""
    if not given:
        return _default(recorder, value, name)
    return _wrapped(recorder, value, (name,))


def _default(recorder: Recorder, value: Any, name: str) -> Any:
    """A default that was not given is a hidden input; what it holds outlives the call."""
    source = Source(Origin.HIDDEN, name, None, None, value, path=(name,))
    if (type(value) is np.ndarray or libraries.of(value) is not None) and recorder.root is not None:
        mine, node = recorder.capture(value, None, Instruction(recorder.root, 0))
        return TracedArray(mine, node, frozenset({source}))
    if isinstance(value, (bool, int, float, complex, np.generic, str)) or libraries.is_object(value):
        return lift_constant(value, frozenset({source}))
    if value is not None and not callable(value) and not isinstance(value, (tuple, frozenset, np.ndarray)):
        recorder.hold(value, name)
    return value


def _wrapped(recorder: Recorder, value: Any, path: tuple[Any, ...]) -> Any:
    if is_container(value):
        made = map_leaves(value, lambda leaf, steps: _input(recorder, leaf, (*path, *steps)))
        _hold_argument(recorder, made, path)
        return made
    return _input(recorder, value, path)


def _hold_argument(recorder: Recorder, value: Any, path: tuple[Any, ...]) -> None:
    if not is_container(value):
        return
    if not isinstance(value, tuple):
        recorder.hold(value, spell(path), argument=True)
    for step, child in children(value):
        _hold_argument(recorder, child, (*path, step))


def _input(recorder: Recorder, value: Any, path: tuple[Any, ...]) -> Any:
    if isinstance(value, OpenSpec):
        raise ValueError(value.problem)
    if libraries.of(value) is not None:
        return _tensor(recorder, value, path)
    if recorder.library is not None and isinstance(value, recorder.library.generators):
        given = Node(Kind.INPUT, None, (path,), None, None, type(value), None, False, None, 0)
        recorder.nodes.append(given)
        return TracedScalar(libraries.copied(value), given)
    if isinstance(value, Spec) and libraries.is_object(value.dtype):
        return _abstract_tensor(recorder, value, path)
    if isinstance(value, (np.ndarray, np.generic, Spec)):
        bare = isinstance(value, Spec) or recorder.mode == "fake"
        mine: Any = value
        if bare:
            mine = hollow(value.shape, value.dtype, isinstance(value, np.generic))
        elif isinstance(value, np.ndarray):
            mine = copy_array(value, recorder.given)
        node = Node(Kind.INPUT, None, (path,), None, np.shape(mine), mine.dtype, None, False, None, 0)
        if isinstance(mine, np.ndarray) and not bare:
            node.base = recorder.sharing(mine, node)
        recorder.nodes.append(node)
        if not bare and recorder.known is not None:
            recorder.known.add(node)
        return TracedArray(mine, node) if isinstance(mine, np.ndarray) else TracedScalar(mine, node)
    source = Source(Origin.ARGUMENT, spell(path), value=value, path=path)
    if isinstance(value, (bool, int, float, complex, str)) or libraries.is_object(value):
        return lift_constant(value, frozenset({source}))
    if recorder.library is not None:
        recorder.library.hold(recorder, value, spell(path), path)
    if (value is not None and not isinstance(value, type) and not callable(value)) or (
        hasattr(value, "__dict__") and not isinstance(value, (type, FunctionType))
    ):
        recorder.hold(value, spell(path), argument=path != ("self",))
        if path == ("self",) or hasattr(value, "__dict__"):
            recorder.holders[id(value)] = type(recorder.holders[id(value)])(value, spell(path), False)
    return value


def _tensor(recorder: Recorder, value: Any, path: tuple[Any, ...]) -> Any:
    """A tensor of a library's as the function gets it."""
    assert recorder.library is not None
    if (problem := recorder.library.refusal(value)) is not None:
        raise ValueError(f"`{spell(path)}` is {problem}")
    bare = recorder.mode == "fake"
    mine = recorder.library.hollow(value) if bare else copy_array(value, recorder.given)
    node = Node(Kind.INPUT, None, (path,), None, tuple(mine.shape), mine.dtype, None, False, None, 0)
    if not bare:
        node.base = recorder.sharing(mine, node)
        if recorder.known is not None:
            recorder.known.add(node)
    recorder.nodes.append(node)
    return TracedArray(mine, node)


def _abstract_tensor(recorder: Recorder, spec: Spec, path: tuple[Any, ...]) -> Any:
    """A tensor without contents, of which the example says shape and dtype."""
    assert recorder.library is not None
    mine = recorder.library.abstract(spec.shape, spec.dtype)
    node = Node(Kind.INPUT, None, (path,), None, spec.shape, spec.dtype, None, False, None, 0)
    recorder.nodes.append(node)
    return TracedArray(mine, node)


def _raised_at(error: BaseException) -> Site | None:
    """The innermost place in user code that an exception passed, with its callers."""
    places = []
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename in USER_FILES:
            places.append(Instruction(step.tb_frame.f_code, step.tb_lasti))
        step = step.tb_next
    return Site(places[-1], tuple(reversed(places[:-1]))[:16]) if places else None


# ---- from a capture to a graph ---------------------------------------------------------------------


def build(captured: Capture) -> Graph:
    """The graph of a capture: what its result and its in-place writes need, and its guards."""
    output = _tree(captured.result)
    roots = list(nodes_in(output))
    inputs = [n for n in captured.nodes if n.kind is Kind.INPUT]
    if captured.failure is not None:
        roots = [n for n in captured.nodes if n.kind is Kind.CALL and n.shape is not None]
    keep = needed(captured.nodes, [*roots, *inputs])
    guards = guards_of(captured.decisions)
    asked = [n for g in guards if g.node is not None for n in (g.node, *g.node.operands())]
    checked = needed(captured.nodes, [*keep, *asked]) if asked else keep
    nodes = tuple(captured.nodes if len(keep) == len(captured.nodes) else (n for n in captured.nodes if n in keep))
    guards += tuple(constants(captured.events, captured.flow, set(nodes)))
    parameters = captured.signature.parameters  # a partial's own arguments are none of them
    guards = tuple(g for g in guards if g.path is None or g.path[0] in parameters)
    checks = tuple(_with_shapes(captured, guards, checked)) if asked else nodes
    name = getattr(body(captured.function) or captured.function, "__name__", "graph")
    like = tuple(o for o in outlines(captured.example) if o[0][0] in parameters)
    owner = _owner(captured.function)
    by_owner = "self" not in parameters and any(n.args[0][0] == "self" for n in inputs)
    given = {"self": owner} if by_owner else {}
    return Graph(name, captured.signature, nodes, output, guards, checks, like, given, captured.flow.sizes)


def _owner(fn: Callable[..., Any]) -> Any:
    """The object whose method, or which itself, is called."""
    return fn.__self__ if isinstance(fn, MethodType) else fn


def _with_shapes(captured: Capture, guards: tuple[Guard, ...], checked: set[Node]) -> Iterator[Node]:
    """The nodes to run for the guards, in program order; a shape that must stay is asked once its array is there."""
    shapes: dict[Node, list[Node]] = {}
    for guard in guards if captured.sized else ():
        if guard.node is not None and guard.node.function is getattr and guard.node.args[1] == "shape":
            shapes.setdefault(guard.node.args[0], []).append(guard.node)
    for node in captured.nodes:
        if node in checked:
            yield node
            yield from shapes.pop(node, ())


def _tree(value: Any) -> Any:
    """A result's structure with a `Leaf` for each node or literal."""
    if isinstance(value, (Traced, TracedText)) and type(value) in (TracedArray, TracedScalar, TracedText):
        plain = value.node if value.node is not None else raw(value)
        return Leaf(plain)
    if type(value) is TracedShape:
        return tuple(_tree(v) for v in value)
    if type(value) is TracedRange:
        return Leaf(value.raw)
    if is_container(value):
        return map_leaves(value, lambda leaf, _: _tree(leaf))
    return Leaf(value)
