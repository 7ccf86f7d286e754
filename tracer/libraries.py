"""What a library of arrays other than NumPy tells the tracer: the seam that `frontends` fill.

The core asks a `Library` only of values and functions that are not NumPy's; where no frontend is loaded, nothing is
asked.  A frontend is loaded by `attend` when the user's own program uses its library, and by nothing else.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import Enum
from importlib.machinery import ModuleSpec
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from .callstack import Part
    from .events import Instruction, Source
    from .graph import Graph
    from .nodes import Node
    from .recorder import Recorder
    from .trees import Path
    from .worker.wire import Primitive

HOOKS = "__nst__"
"""The name by which rewritten modules reach the hooks: who has it is the user's."""


class Lowering(Protocol):
    """Evaluates the nodes of a graph in their order, and says which operations of the library's own each becomes."""

    def call(self, value: Any, name: str) -> None:
        """Call a tensor of the graph's so: an input, or a captured one."""

    def run(self, evaluated: Callable[[], Any]) -> tuple[Any, tuple[Primitive, ...]]:
        """Evaluate a node: its value, and what it became.  What it raises is raised unchanged."""

    def argument(self, value: Any) -> str:
        """A value, with the tensors in it by their names, as Python."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A tensor's place in one of the dictionaries in which a module keeps them."""

    space: dict[str, Any]
    name: str


class Library(Protocol):
    """One library of arrays, as the tracer sees it.  A *tensor* here is an array of the library."""

    name: str
    """The name of its module."""
    classes: tuple[type, ...]
    """The classes of its tensors."""
    objects: tuple[type, ...]
    """Its dtypes, devices and the like: what a traced scalar may stand for."""
    generators: tuple[type, ...]
    """The classes of its random generators: each draw changes the state of one."""
    owners: tuple[type, ...]
    """The classes whose method descriptors are methods of its tensors."""
    type_attributes: frozenset[str]
    """Attributes of a tensor that tell of its type."""
    size_functions: frozenset[Any]
    """Functions that tell a size of a tensor."""
    type_functions: frozenset[Any]
    """Functions that tell of a tensor's type."""
    clone: Callable[..., Any]
    """The method that copies a tensor, as a function of it."""
    truth: Any
    """The dtype of truth values."""
    unset: frozenset[Any]
    """Functions whose results have memory that nobody set."""
    sample: str
    """A small program with an example, whose trace fills the caches that every trace needs."""

    # ---- while a trace is on ---------------------------------------------------------------------

    def tracing(self) -> AbstractContextManager[None]:
        """Catch the library's operations in code that is not rewritten, as long as the block runs."""

    def run(
        self, function: Callable[..., Any], values: list[Any], named: dict[str, Any]
    ) -> tuple[Any, tuple[Any, ...], bool]:
        """The result of one operation on plain values, the tensors it wrote in place, and whether it drew at random."""

    def run_hollow(self, function: Callable[..., Any], values: list[Any], named: dict[str, Any]) -> Any:
        """`run` where tensors have no contents.  Raises `shapes.Unknown` where contents are needed."""

    def callee(self, function: Any, recorder: Recorder) -> Any:
        """What stands in for one of the library's functions in a call; None where it is none of its own."""

    def attribute(self, value: Any, name: str, frame: FrameType | None) -> Any:
        """An attribute of a traced tensor that is not as NumPy's are; NotImplemented for all others."""

    def within(self, function: Callable[..., Any], written: Any, into: bool) -> Callable[..., Any]:
        """The function that a node calls for one that ran just now, within the library's settings of that moment.

        `written` are the arrays that it wrote, or None; `into` tells that they were given for its result (`out=`).
        """

    def making(self, value: Any, printer: Any) -> str | None:
        """The text of a function that the library's frontend made; None for all others."""

    def owns(self, frame: FrameType | None) -> bool:
        """Whether the innermost Python code of a frame is the library's own."""

    def part(self, recorder: Recorder, frame: FrameType, code: CodeType) -> Part | None:
        """The module, or what else of the user's model, that is called in a frame of this code."""

    def known(self, recorder: Recorder, tensor: Any, at: Instruction) -> tuple[Any, Node] | None:
        """The copy that a trace works on, and the node, of a tensor that came with a module: it is no hidden input."""

    def hold(self, recorder: Recorder, value: Any, label: str, path: Path | None, source: Source | None = None) -> None:
        """Remember what comes with an argument or the function's object; what is hidden has a `source`, and no path."""

    def put_back(self, recorder: Recorder) -> None:
        """Give modules the parameters and buffers that they had before the trace."""

    def entries(self, value: Any) -> Iterator[Entry]:
        """Where a module, and those in it, keep their tensors; nothing for all else."""

    def spaces(self, owner: Any) -> Iterator[dict[str, Any]]:
        """Where an object keeps attributes besides its `__dict__`: parameters, buffers, modules."""

    # ---- functions -------------------------------------------------------------------------------

    def plain(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function behind what the library's compilers made of it."""

    def promised(self, function: Any) -> CodeType | None:
        """The code of a function that is marked as pure for one of the library's tracers; None of all others."""

    def method(self, function: Any) -> Callable[..., Any] | None:
        """The user's method that runs when an object of the library's classes is called; None for all else."""

    def has_parts_by_size(self, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
        """Whether a function's result, a sequence, has as many parts as an axis is long."""

    def axis_of_parts(self, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> int | None:
        """The axis along which a function takes its first operand apart; None where that is not known."""

    def is_size_written(self, operand: Any, axis: Any) -> bool:
        """Whether an axis of an operand, a node, is as long as the program says in plain numbers."""

    def has_shape_by_contents(self, function: Any, args: tuple[Any, ...]) -> bool:
        """Whether the shape of a function's result depends on the contents of its operands, nodes among them."""

    def fields(self, value: Any) -> tuple[str, ...] | None:
        """The attributes that an object consists of, if its class is registered as a container; None of all else."""

    def is_method(self, function: Any) -> bool: ...

    def is_in_place(self, function: Any) -> bool:
        """Whether a function, by its name, writes its first argument."""

    def is_elementwise(self, function: Any) -> bool: ...

    def is_structure(self, kind: type) -> bool:
        """Whether a class is one of its tuples with named items: the result of a function that gives several."""

    def told(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """What `shapes.infer` tells of NumPy's operations, of one of the library's; NotImplemented of all others."""

    def costs(self, function: Any) -> tuple[Any, Any]:
        """The rule of `costs` for one of the library's functions, and that for its bytes; None where there is none."""

    def address(self, function: Any) -> tuple[str, str] | None:
        """The module and the dotted name in it that lead to a function; None where it is not the library's."""

    def written(self, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """The argument that a function writes in place, or those: by its name, else the first."""

    def lowered(
        self, graph: Graph, args: tuple[Any, ...], kwargs: dict[str, Any], tracing_mode: str, pre_dispatch: bool
    ) -> Any:
        """A graph as the library's own tracer has it."""

    def lowering(self, reserved: Collection[str]) -> Lowering:
        """What tells the operations of the library's own that nodes become; none is called by a `reserved` name."""

    # ---- tensors ---------------------------------------------------------------------------------

    def width(self, dtype: Any) -> tuple[str, int] | None:
        """A dtype's kind, by NumPy's letter, and its bytes; None of its other objects."""

    def promoted(self, one: Any, other: Any) -> Any:
        """The dtype that holds two dtypes."""

    def dtype(self, given: Any) -> Any:
        """Its dtype of a name; of None the usual one.  Raises ValueError where there is none."""

    def zero(self, dtype: Any) -> Any:
        """A tensor of no dimensions."""

    def prepare_abstract(self) -> None:
        """Import what tensors without contents need."""

    def abstract(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """A tensor without contents, of a shape and dtype."""

    def hollow(self, tensor: Any) -> Any:
        """A tensor without contents, of the same shape, dtype and device."""

    def refusal(self, tensor: Any) -> str | None:
        """Why a tensor cannot be traced, as what it is; None where it can."""

    def memory(self, tensor: Any) -> Any:
        """What two tensors share if a write into one can change the other."""

    def shares(self, a: Any, b: Any) -> bool:
        """Whether two arrays, one of them a tensor, lie in the same memory."""

    def copy(self, tensor: Any, owners: dict[Any, Any]) -> Any:
        """A copy, in memory of its own; copies with the same `owners` share memory as the originals do."""

    def settled(self, tensor: Any) -> Any:
        """A result without what links it to the run that made it."""

    def same(self, a: Any, b: Any) -> bool:
        """Whether two tensors are equal bit for bit, in dtype, shape and device."""

    def array(self, tensor: Any) -> np.ndarray[Any, Any]:
        """The contents as a NumPy array, for reading."""

    def like(self, tensor: Any, array: np.ndarray[Any, Any], dtype: Any = None) -> Any:
        """A tensor with other contents, of `dtype` (default: the tensor's own)."""

    # ---- text ------------------------------------------------------------------------------------

    def literal(self, value: Any) -> str | None:
        """One of its objects as Python behind the module's name (`float32`); None where there is no such text."""

    def text(self, tensor: Any) -> str:
        """A tensor as Python that makes it, short where its contents follow a rule."""

    def exact(self, tensor: Any) -> tuple[str, tuple[str, ...]]:
        """A tensor as Python that makes it bit for bit: a template over module names, and these names."""

    # ---- state -----------------------------------------------------------------------------------

    def random_state(self) -> Any: ...

    def set_random_state(self, state: Any) -> None: ...

    def draw_anew(self) -> None:
        """Give the random state that is the same in each process."""

    def copy_generator(self, generator: Any) -> Any:
        """A generator that draws what this one will draw."""

    def set_threads(self, count: int) -> int:
        """Let operations run in so many threads; how many it were before."""


LIBRARIES: list[Library] = []
_KNOWN: dict[type, Library | None] = {}
_FRONTENDS = ("torch",)


def of(value: Any) -> Library | None:
    """The library whose tensor a plain value is, if it is one."""
    if not LIBRARIES:
        return None
    kind = type(value)
    if kind not in _KNOWN:
        _KNOWN[kind] = next((lib for lib in LIBRARIES if issubclass(kind, lib.classes)), None)
    return _KNOWN[kind]


def is_array(value: Any) -> bool:
    """Whether a plain value is an array of NumPy's or of a library's."""
    return isinstance(value, np.ndarray) or of(value) is not None


def is_object(value: Any) -> bool:
    """Whether a plain value is one of a few that a program chooses from: of an enumeration, or a library's dtypes."""
    return isinstance(value, Enum) or any(isinstance(value, library.objects) for library in LIBRARIES)


def fields(value: Any) -> tuple[str, ...] | None:
    """The attributes that an object consists of, if a library takes objects of its class for containers."""
    for library in LIBRARIES:
        if (found := library.fields(value)) is not None:
            return found
    return None


def copied(value: Any) -> Any:
    """A copy of a random generator of a library's; all else as it is."""
    for library in LIBRARIES:
        if isinstance(value, library.generators):
            return library.copy_generator(value)
    return value


def entries(value: Any) -> Iterator[Entry]:
    """Where a module of a library's, and those in it, keep their tensors."""
    for library in LIBRARIES:
        yield from library.entries(value)


def spaces(owner: Any) -> Iterator[dict[str, Any]]:
    """Where an object of a library's class keeps attributes besides its `__dict__`."""
    for library in LIBRARIES:
        yield from library.spaces(owner)


def current() -> Library | None:
    """The library that traces of this process attend to; there is one frontend so far."""
    return LIBRARIES[-1] if LIBRARIES else None


def attend(*values: Any) -> None:
    """Load the frontends of the libraries that the user's modules, or values like an example's arguments, use."""
    for name in _FRONTENDS:
        loaded = any(library.name == name for library in LIBRARIES)
        if name in sys.modules and not loaded and (any(_is_of(v, name) for v in values) or _is_used(name)):
            LIBRARIES.append(_frontend(name))
            _KNOWN.clear()


def is_among(library: Library, names: Mapping[str, Any]) -> bool:
    """Whether a module with these names uses a library."""
    return any(_is_of(value, library.name) for value in list(names.values()))


def samples() -> Iterator[Library]:
    """The libraries that this process has imported, attended to one after another for as long as the caller needs."""
    for name in _FRONTENDS:
        if name in sys.modules:
            library = _frontend(name)
            before, LIBRARIES[:] = LIBRARIES[:], [library]
            try:
                yield library
            finally:
                LIBRARIES[:] = before
                _KNOWN.clear()


def prepare_abstract() -> None:
    """Import what tensors without contents need: what is forked from this process then has it."""
    for library in LIBRARIES:
        library.prepare_abstract()


def draw_anew() -> None:
    """Let random draws begin the same in each process, so that what is made twice is the same."""
    for library in LIBRARIES:
        library.draw_anew()


def draw_anew_on_import() -> None:
    """Let the draws of each library begin the same, of one that is yet to be imported as soon as it is."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Seeding)]
    for name in _FRONTENDS:
        if name in sys.modules:
            _frontend(name).draw_anew()
    sys.meta_path.insert(0, _Seeding())


class _Seeding(importlib.abc.MetaPathFinder):
    """Has the draws of a library begin anew once its module has run: some are seeded by chance while it does."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target) if fullname in _FRONTENDS else None
        if spec is None or spec.loader is None:
            return None
        run = spec.loader.exec_module

        def run_and_draw_anew(module: ModuleType) -> None:
            run(module)
            _frontend(fullname).draw_anew()

        spec.loader.exec_module = run_and_draw_anew  # type: ignore[method-assign]
        return spec


def _frontend(name: str) -> Library:
    found: Library = importlib.import_module(f".frontends.{name}", __package__).LIBRARY
    return found


def rest() -> None:
    """Let operations run in one thread: after a fork there are no others, and whoever waited for them would hang."""
    for library in LIBRARIES:
        library.set_threads(1)


def _is_used(name: str) -> bool:
    """Whether one of the user's modules has the library, or something of it, in its globals."""
    return any(_is_of(value, name) for module in _users_modules() for value in list(vars(module).values()))


def _users_modules() -> Iterator[ModuleType]:
    for module in list(sys.modules.values()):
        if HOOKS in getattr(module, "__dict__", ()):
            yield module


def _is_of(value: Any, name: str) -> bool:
    """Whether a value is a module, class or function of a library, or an object of one of its classes."""
    if isinstance(value, (ModuleType, FunctionType)):
        return _top(getattr(value, "__module__" if isinstance(value, FunctionType) else "__name__", "")) == name
    return any(_top(kind.__module__) == name for kind in (value if isinstance(value, type) else type(value)).__mro__)


def _top(module: Any) -> str:
    return module.partition(".")[0] if isinstance(module, str) else ""


__all__ = ["HOOKS", "LIBRARIES", "Library", "attend", "current", "is_array", "is_object", "of"]
