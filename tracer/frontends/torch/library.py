"""PyTorch as the core sees it: one object with the answers of this package's modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from types import FrameType
from typing import TYPE_CHECKING, Any

import torch

from ...nodes import Node
from ...recorder import Recorder
from . import (
    aten,
    attributes,
    calls,
    containers,
    contexts,
    interception,
    modules,
    naming,
    parts,
    rules,
    tensors,
    wrappers,
)
from .elementwise import is_elementwise
from .interception import resting
from .written_sizes import is_size_written

if TYPE_CHECKING:
    from ...graph import Graph
    from .hollow import Hollows

_TELLS_TYPE = frozenset(getattr(torch.Tensor, name) for name in attributes.TYPE_METHODS if hasattr(torch.Tensor, name))
_TELLS_SIZE = frozenset(getattr(torch.Tensor, name) for name in attributes.SIZE_METHODS) | {torch.numel}
_UNSET = frozenset({torch.empty, torch.empty_like, torch.empty_strided, torch.Tensor.new_empty, torch.Tensor})
_TWO_WRITTEN = frozenset({torch.nn.functional.batch_norm, torch.batch_norm, torch.nn.functional.instance_norm})
"""Functions that write their second and third argument, the running statistics."""

_SAMPLE = """
import torch
import torch.nn.functional as F

# nst: example(torch.arange(6.0).reshape(2, 3), 2.0)
def warm(x, scale):
    if x.shape[0] > 2:
        x = x * scale
    centre = x.mean(dim=1, keepdim=True)
    spread = torch.sqrt(((x - centre) ** 2).sum(1, keepdim=True) + 1e-5)
    weights = F.softmax((x / spread).relu() - x.max(), dim=-1)
    mixed = torch.where(weights > 0.5, weights, 0.1 * weights.tanh()).T.reshape(-1)
    return torch.cat([mixed, torch.zeros(2)]).clamp(0.0, 1.0).std() + float(mixed[0])
"""
_FIRST_SEED = 67280421310721
"""What PyTorch seeds a new generator with (`c10::detail::default_rng_seed_val`); its own, it seeds by chance."""
_UNBINDING = frozenset({torch.unbind, torch.Tensor.unbind})
_BY_CONTENTS = frozenset({
    torch.nonzero, torch.argwhere, torch.masked_select, torch.unique, torch.unique_consecutive, torch.bincount,
    torch.Tensor.nonzero, torch.Tensor.argwhere, torch.Tensor.masked_select, torch.Tensor.unique,
    torch.Tensor.unique_consecutive, torch.Tensor.bincount,
})  # fmt: skip
_REPEATING = frozenset({torch.repeat_interleave, torch.Tensor.repeat_interleave})
_SPLITTING = frozenset({torch.split, torch.Tensor.split})


class Torch:
    """PyTorch, for `libraries.Library`."""

    name = "torch"
    classes = (torch.Tensor,)
    objects = naming.OBJECTS
    generators = (torch.Generator,)
    owners = calls.OWNERS
    type_attributes = attributes.TYPES
    size_functions = _TELLS_SIZE
    type_functions = _TELLS_TYPE | {torch.is_floating_point, torch.is_complex}
    clone = staticmethod(torch.Tensor.clone)
    truth = torch.bool
    unset = _UNSET
    sample = _SAMPLE

    def __init__(self) -> None:
        self._known_hollows: Hollows | None = None

    # ---- while a trace is on ---------------------------------------------------------------------

    def tracing(self) -> AbstractContextManager[None]:
        return interception.intercepting()

    def run(
        self, function: Callable[..., Any], values: list[Any], named: dict[str, Any]
    ) -> tuple[Any, tuple[Any, ...], bool]:
        """Run one operation; what it wrote is seen by the versions of the tensors that it was given."""
        with torch._C.DisableTorchFunction():
            given = list(tensors.tensors_in((values, named)))
            before = [_version(tensor) for tensor in given]
            state = torch.get_rng_state() if calls.may_draw(function) else None
            result = function(*values, **named)
            if isinstance(result, torch.Tensor) and result.is_nested:
                raise NotImplementedError("nested tensors have no shape, and are not followed")
            changed = (t for t, version in zip(given, before, strict=True) if _version(t) != version)
            drew = state is not None and not torch.equal(state, torch.get_rng_state())
            return result, tuple(changed), drew

    def run_hollow(self, function: Callable[..., Any], values: list[Any], named: dict[str, Any]) -> Any:
        with torch._C.DisableTorchFunction():
            return self._hollows().run(function, values, named)

    def _hollows(self) -> Hollows:
        if self._known_hollows is None:
            from .hollow import Hollows  # slow to import, and needed where an example has no contents

            self._known_hollows = Hollows()
        return self._known_hollows

    def callee(self, function: Any, recorder: Recorder) -> Any:
        return calls.callee(function, recorder)

    def attribute(self, value: Any, name: str, frame: FrameType | None) -> Any:
        return attributes.attribute(value, name, frame)

    within = staticmethod(contexts.within)

    def making(self, value: Any, printer: Any) -> str | None:
        if not isinstance(value, contexts.Within):
            return None
        text = printer.name_of(value.function)
        if value.gradless:
            text = f"{printer.module('torch')}.no_grad()({text})"
        for device, dtype in value.settings:
            text = f"{printer.module('torch')}.autocast({device!r}, dtype={printer.literal(dtype)})({text})"
        return str(text)

    def owns(self, frame: FrameType | None) -> bool:
        return interception.is_own(frame)

    entries = staticmethod(modules.entries)
    fields = staticmethod(containers.fields)
    spaces = staticmethod(modules.spaces)
    put_back = staticmethod(modules.put_back)
    known = staticmethod(resting(modules.known))
    hold = staticmethod(modules.hold)
    part = staticmethod(resting(parts.part))

    # ---- functions -------------------------------------------------------------------------------

    plain = staticmethod(wrappers.plain)
    method = staticmethod(modules.method)
    promised = staticmethod(modules.promised)
    is_method = staticmethod(naming.is_method)

    def is_structure(self, kind: type) -> bool:
        return kind.__module__ == "torch.return_types"

    is_elementwise = staticmethod(is_elementwise)
    told = staticmethod(rules.told)
    costs = staticmethod(rules.costs_of)
    is_in_place = staticmethod(naming.is_in_place)
    address = staticmethod(naming.address)

    def has_parts_by_size(self, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
        if function in _UNBINDING:
            axis = args[1] if len(args) > 1 else kwargs.get("dim", 0)
            return not is_size_written(args[0], axis)
        size = args[1] if len(args) > 1 else kwargs.get("split_size_or_sections", kwargs.get("split_size"))
        if function not in _SPLITTING or isinstance(size, (tuple, list)):
            return False
        axis = args[2] if len(args) > 2 else kwargs.get("dim", 0)
        return isinstance(size, Node) or not is_size_written(args[0], axis)

    def axis_of_parts(self, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> int | None:
        place = 1 if function in _UNBINDING else 2 if function in _SPLITTING else None
        if place is None:
            return None
        axis = args[place] if len(args) > place else kwargs.get("dim", 0)
        rank = len(args[0].shape) if type(args[0]) is Node and args[0].shape is not None else 0
        return axis % rank if type(axis) is int and -rank <= axis < rank else None

    is_size_written = staticmethod(is_size_written)

    def has_shape_by_contents(self, function: Any, args: tuple[Any, ...]) -> bool:
        if function in _REPEATING:
            return len(args) > 1 and isinstance(args[1], Node) and bool(args[1].shape)
        return function in _BY_CONTENTS or (function is torch.where and len(args) == 1)

    def written(self, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        if function in _TWO_WRITTEN:
            return args[1:3] or (kwargs.get("running_mean"), kwargs.get("running_var"))
        return args[0] if args else None

    def lowered(
        self, graph: Graph, args: tuple[Any, ...], kwargs: dict[str, Any], tracing_mode: str, pre_dispatch: bool
    ) -> Any:
        from .fx import lowered  # slow to import, and needed where someone asks

        return lowered(graph, args, kwargs, tracing_mode, pre_dispatch)

    lowering = staticmethod(aten.Lowering)

    # ---- tensors ---------------------------------------------------------------------------------

    dtype = staticmethod(naming.dtype)
    width = staticmethod(naming.width)
    promoted = staticmethod(resting(torch.promote_types))

    @resting
    def zero(self, dtype: Any) -> Any:
        return torch.zeros((), dtype=dtype)

    def prepare_abstract(self) -> None:
        self._hollows()

    @resting
    def abstract(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return self._hollows().make(shape, dtype)

    @resting
    def hollow(self, tensor: Any) -> Any:
        return self._hollows().hollow(tensor)

    refusal = staticmethod(tensors.refusal)
    memory = staticmethod(resting(tensors.memory))
    shares = staticmethod(resting(tensors.shares))
    copy = staticmethod(resting(tensors.copy))
    settled = staticmethod(resting(tensors.settled))
    same = staticmethod(resting(tensors.same))
    array = staticmethod(resting(tensors.array))
    like = staticmethod(resting(tensors.like))
    text = staticmethod(resting(tensors.text))
    exact = staticmethod(resting(tensors.exact))
    literal = staticmethod(naming.literal)

    # ---- state -----------------------------------------------------------------------------------

    @resting
    def random_state(self) -> Any:
        return torch.get_rng_state()

    @resting
    def set_random_state(self, state: Any) -> None:
        torch.set_rng_state(state)

    @resting
    def draw_anew(self) -> None:
        torch.manual_seed(_FIRST_SEED)

    def copy_generator(self, generator: Any) -> Any:
        made = torch.Generator(generator.device)
        made.set_state(generator.get_state())
        return made

    def set_threads(self, count: int) -> int:
        before = torch.get_num_threads()
        if before != count:
            torch.set_num_threads(count)
        return before


def _version(tensor: torch.Tensor) -> int:
    return 0 if tensor.is_inference() else tensor._version


LIBRARY = Torch()
