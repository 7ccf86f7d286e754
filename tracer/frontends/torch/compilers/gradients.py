"""What autograd does with the same call, run plainly: where gradients end, and where those of a graph are others.

Every finding here rests on a run: a gradient that the function has and the graph has not, or has otherwise.  Where a
run draws random numbers, nothing is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import fx
from torch.utils import _pytree as pytree

from ....narrow import definition
from ....positions import Located
from ....rules import Severity
from ....spelling import dtype_text
from ....worker.wire import Finding, Gradient, Related, Remark, RemarkKind, Witness
from ..tensors import memory
from . import graphs, places
from .call import Call, Inputs
from .marks import Marks

_NUMBERS = frozenset({"item", "tolist", "numpy", "__float__", "__int__", "__index__", "__complex__", "__array__"})
"""Methods that make Python's or NumPy's values of a tensor."""
_WRITTEN_OVER = "modified by an inplace operation"


def reached(call: Call, inputs: Inputs, with_gradient: Mapping[int, str]) -> tuple[Gradient, ...]:
    """Of each input that requires grad, whether it gets a gradient.

    `with_gradient` has the positions of those that do, each with the node that is its gradient.
    """
    wanted = [number for number, tensor in enumerate(inputs.tensors) if tensor.requires_grad]
    lost = [number for number in wanted if number not in with_gradient]
    cuts = _run(call).cuts if lost else {}
    return tuple(
        Gradient(
            inputs.names[number],
            graphs.shape(inputs.tensors[number]),
            number not in lost,
            _told(cuts, number, lost),
            with_gradient.get(number),
        )
        for number in wanted
    )


def findings(call: Call, joint: fx.GraphModule, outputs: int, marks: Marks) -> tuple[Finding, ...]:
    """What only the backward shows of a call whose joint graph is at hand."""
    seen = _run(call)
    if seen.error is not None:
        return _written_over(call, seen)
    found = list(_captured(call, joint, seen, marks))
    if not found and not seen.drew:
        found += _otherwise(call, joint, outputs, seen)
    return tuple(found)


def without_backward(call: Call, graph: fx.GraphModule, marks: Marks) -> tuple[Finding, ...]:
    """What shows where the graph has no backward at all: the function may have one, of what is captured."""
    return tuple(_captured(call, graph, _run(call), marks))


def of_stopped(call: Call, error: BaseException) -> tuple[Finding, ...]:
    """The finding that says why AOTDispatcher, and autograd, do not get through the backward."""
    return _written_over(call, _run(call)) if _WRITTEN_OVER in str(error) else ()


# ---- a run ------------------------------------------------------------------------------------------


@dataclass
class _Seen:
    """What a run of forward and backward showed."""

    inputs: Inputs
    results: list[torch.Tensor] = field(default_factory=list)
    """The results that require grad."""
    tangents: list[torch.Tensor] = field(default_factory=list)
    gradients: list[torch.Tensor | None] = field(default_factory=list)
    """Of each input that requires grad, in their order."""
    error: RuntimeError | None = None
    """What the backward raised."""
    at_fault: tuple[Located | None, Located | None] = (None, None)
    """The operation whose backward raised, and the write in place after it."""
    cuts: dict[int, list[Remark]] = field(default_factory=dict)
    """By the position of the input whose gradient ends there."""
    drew: bool = False
    """Whether the forward drew random numbers, within an operator as well (the dropout of an LSTM)."""


def _run(call: Call) -> _Seen:
    """Run the function and its backward as autograd does, on copies of the arguments."""
    inputs = Inputs(call.afresh())
    seen, watch = _Seen(inputs), _Watch(inputs)
    torch.manual_seed(0)
    state = torch.get_rng_state()
    given = inputs.given()
    watch.begin(given)
    try:
        with watch.marking():
            result = inputs.run(*given)
    except Exception:  # noqa: BLE001  # what the function raises, the ordinary trace tells
        result = None
    seen.cuts = watch.cuts
    seen.drew = not torch.equal(state, torch.get_rng_state())
    tensors = [leaf for leaf in pytree.tree_leaves(result) if isinstance(leaf, torch.Tensor)]
    seen.results = [tensor for tensor in tensors if tensor.requires_grad]
    generator = torch.Generator().manual_seed(1)
    seen.tangents = [_tangent(tensor, generator) for tensor in seen.results]
    wanted = [tensor for tensor in inputs.tensors if tensor.requires_grad]
    if not seen.results or not wanted:
        return seen
    try:
        seen.gradients = list(
            torch.autograd.grad(seen.results, wanted, seen.tangents, allow_unused=True, retain_graph=True)
        )
    except RuntimeError as error:
        seen.error = error
        seen.at_fault = watch.at_fault(seen.results)
    return seen


def _tangent(tensor: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    drawn = torch.rand(tensor.shape, generator=generator) + 0.5
    return drawn.to(dtype=tensor.dtype, device=tensor.device)


class _Watch(Marks):
    """Follows which inputs each tensor comes from, also where autograd does not, and what is written in place."""

    def __init__(self, inputs: Inputs) -> None:
        super().__init__()
        self.cuts: dict[int, list[Remark]] = {}
        self._from: dict[int, set[int]] = {}
        self._kept: list[torch.Tensor] = []
        self._writes: list[tuple[Any, int | None]] = []
        """The memory that was written, and the mark of the call that did, in their order."""
        self._memory: dict[int, set[Any]] = {}
        """By mark, the memory of what a call read and made."""

    def begin(self, leaves: list[torch.Tensor]) -> None:
        for number, tensor in enumerate(leaves):
            self._keep(tensor, {number})

    def _keep(self, tensor: torch.Tensor, origins: set[int]) -> None:
        self._from.setdefault(id(tensor), set()).update(origins)
        self._kept.append(tensor)  # so that no other gets its identity

    def call(self, number: int | None, function: Callable[..., Any], args: tuple[Any, ...], kwargs: Any) -> Any:
        given = [one for one in pytree.tree_leaves((args, kwargs)) if isinstance(one, torch.Tensor)]
        versions = [one._version for one in given]
        result = function(*args, **kwargs)
        made = [one for one in pytree.tree_leaves(result) if isinstance(one, torch.Tensor)]
        for tensor, version in zip(given, versions, strict=True):
            if tensor._version != version:
                self._writes.append((memory(tensor), number))
        if number is not None:
            self._memory.setdefault(number, set()).update(map(memory, [*given, *made]))
        origins: set[int] = set().union(*(self._from.get(id(one), set()) for one in given))
        for tensor in made:
            self._keep(tensor, origins)
        losing = [one for one in given if one.requires_grad and id(one) in self._from]
        name = getattr(function, "__name__", "")
        if losing and not any(one.requires_grad for one in made) and (made or name in _NUMBERS):
            self._cut(set().union(*(self._from[id(one)] for one in losing)), number, made)
        return result

    def _cut(self, origins: set[int], number: int | None, made: list[torch.Tensor]) -> None:
        place, text = places.told(self.at(number))
        remark = Remark(RemarkKind.CUT, f"the gradient ends here: {_why(made)}", place=place, text=text)
        for origin in origins:
            known = self.cuts.setdefault(origin, [])
            if remark not in known:
                known.append(remark)

    def at_fault(self, results: list[torch.Tensor]) -> tuple[Located | None, Located | None]:
        """The operation that saved a tensor which was then written in place, and the write."""
        for function in _functions(results):
            for name in dir(function):
                if not name.startswith("_saved_"):
                    continue
                try:
                    getattr(function, name)
                except RuntimeError:
                    made = self.number_in("".join(function.metadata.get("traceback_", [])))
                    used = self._memory.get(made, set()) if made is not None else set()
                    wrote = next((by for written, by in reversed(self._writes) if written in used), None)
                    return self.at(made), self.at(wrote)
        return None, None


def _functions(results: list[torch.Tensor]) -> Iterator[Any]:
    """The gradient functions behind results, each once."""
    waiting = [tensor.grad_fn for tensor in results if tensor.grad_fn is not None]
    known = set()
    while waiting:
        function = waiting.pop()
        if function in known:
            continue
        known.add(function)
        yield function
        waiting += [following for following, _ in function.next_functions if following is not None]


def _why(made: list[torch.Tensor]) -> str:
    if not made:
        return "a number of Python's has none"
    if not torch.is_grad_enabled():
        return "this is computed without grad"
    kinds = {dtype_text(one.dtype) for one in made}
    if not any(one.is_floating_point() or one.is_complex() for one in made):
        return f"{', '.join(sorted(kinds))} has none"
    return "the result is detached"


def _told(cuts: dict[int, list[Remark]], number: int, lost: list[int]) -> tuple[Remark, ...]:
    return tuple(cuts.get(number, ())) if number in lost else ()


# ---- findings ---------------------------------------------------------------------------------------


def _written_over(call: Call, seen: _Seen) -> tuple[Finding, ...]:
    """NST501: the backward of the function raises, since a tensor that it needs was written in place."""
    operation, write = seen.at_fault
    if seen.error is None or operation is None:
        return ()
    message = f"the backward of `{operation.text}` raises: a tensor that it needs is written in place afterwards"
    related = (Related("it is written in place here", write.place),) if write is not None else ()
    error = graphs.first_line(seen.error)
    return (_finding("NST501", Severity.ERROR, message, call, operation, value=error, related=related),)


def _captured(call: Call, joint: fx.GraphModule, seen: _Seen, marks: Marks) -> Iterator[Finding]:
    """NST204: a captured tensor that requires grad has a gradient in the function, and none in the graph."""
    told: set[int] = set()
    for node in joint.graph.nodes:
        value = getattr(joint, node.target, None) if node.op == "get_attr" else None
        if not isinstance(value, torch.Tensor) or not value.requires_grad or id(value) in told or not seen.results:
            continue
        told.add(id(value))
        (gradient,) = torch.autograd.grad(seen.results, [value], seen.tangents, allow_unused=True, retain_graph=True)
        user = next(iter(node.users), node)
        at = marks.at(marks.number_in(node.meta.get("stack_trace") or user.meta.get("stack_trace")))
        if gradient is None or at is None:
            continue
        name = _name(call.function, value)
        at = places.narrowed(at, name) if name else at
        message = (
            f"`{name or at.text}` ({graphs.shape(value)}) requires grad and is captured: "
            "it gets a gradient from the function, and none from the graph"
        )
        witness = Witness(_arguments(call), f"gradient {_short(gradient)}", "no gradient")
        yield _finding("NST204", Severity.WARNING, message, call, at, witness=witness)


def _otherwise(call: Call, joint: fx.GraphModule, outputs: int, seen: _Seen) -> Iterator[Finding]:
    """NST601: on the example itself, the graph gives another gradient than the function, which gives it each time."""
    again = _run(call).gradients
    if len(again) != len(seen.gradients) or not all(map(_identical, seen.gradients, again)):
        return  # it depends on state, the clock or chance, which the ordinary trace tells
    fresh = Inputs(call.afresh())
    tangents = sum(node.op == "placeholder" for node in joint.graph.nodes) - len(fresh.tensors)
    if tangents != len(seen.tangents) or outputs < len(seen.results):
        return  # inputs are written, or results alias each other: the graph's tangents are others
    with torch.no_grad():
        try:
            made = joint(*[tensor.detach() for tensor in fresh.tensors], *seen.tangents)
        except Exception:  # noqa: BLE001  # a graph that does not run outside of AOTDispatcher says nothing
            return
    theirs = list(made)[outputs:]
    wanted = [number for number, tensor in enumerate(fresh.tensors) if tensor.requires_grad]
    for number, ours in zip(wanted, seen.gradients, strict=True):
        graph = theirs[number] if number < len(theirs) else None
        if ours is None or graph is None or _alike(ours, graph):
            continue
        name = fresh.names[number]
        place = definition(call.function)
        if place is None:
            return
        witness = Witness(_arguments(call), f"gradient {_short(ours)}", f"gradient {_short(graph)}")
        message = f"the graph gives `{name}` another gradient than the function does"
        yield Finding(
            "NST601", Severity.WARNING, message, call.name, 0, place, call.name.rpartition(".")[2], witness=witness
        )


def _identical(one: torch.Tensor | None, other: torch.Tensor | None) -> bool:
    if one is None or other is None:
        return one is other
    return torch.allclose(one, other, rtol=0.0, atol=0.0, equal_nan=True)


def _alike(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two gradients are the same, but for the order in which their terms are added up."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    exact = torch.finfo(one.dtype).eps ** 0.5 if one.is_floating_point() else 0.0
    scale = one.abs().max().item() if one.numel() else 0.0
    return torch.allclose(one, other, rtol=exact, atol=exact * scale, equal_nan=True)


def _finding(
    code: str,
    severity: Severity,
    message: str,
    call: Call,
    at: Located,
    *,
    value: str | None = None,
    witness: Witness | None = None,
    related: tuple[Related, ...] = (),
) -> Finding:
    return Finding(code, severity, message, call.name, 0, at.place, at.text, value, witness=witness, related=related)


def _name(function: Callable[..., Any], value: torch.Tensor) -> str:
    """What the function calls a tensor that it reaches without being given it."""
    inner = getattr(function, "__func__", function)
    code = getattr(inner, "__code__", None)
    if code is None:
        return ""
    cells = zip(code.co_freevars, inner.__closure__ or (), strict=True)
    spaces = {name: cell.cell_contents for name, cell in cells}
    spaces |= {name: inner.__globals__.get(name) for name in code.co_names}
    for name, one in spaces.items():
        if one is value:
            return name
        held = one.named_parameters() if isinstance(one, torch.nn.Module) else ()
        found = next((f"{name}.{inner}" for inner, parameter in held if parameter is value), "")
        if found:
            return found
    return ""


def _arguments(call: Call) -> dict[str, str]:
    return {name: _short(value) for name, value in call.parameters.items()}


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 120 else text[:117] + "..."
