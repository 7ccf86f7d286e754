"""The typed messages between the server and its workers: the one module that both sides share.

Standard library only, so that neither side pulls the other in.  Every message is a frozen dataclass;
on the wire it is one frame: four bytes of length (big endian), then UTF-8 JSON `{"type": …, …}`.
Positions are 1-based; columns count characters (code points), the end is exclusive.  Both sides
compare `VERSION` in `Hello` before anything else is said.
"""

from __future__ import annotations

import json
import struct
import sys
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from typing import Any, BinaryIO

from ..rules import Severity

VERSION = 5


# ---- what is said about a program ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Span:
    """A range of source text: lines and columns from 1, columns in characters, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Place:
    """A span of a file, by the file's absolute path."""

    path: str
    span: Span


@dataclass(frozen=True, slots=True)
class Related:
    message: str
    place: Place


@dataclass(frozen=True, slots=True)
class Witness:
    """Arguments for which function and graph differ; every text can be pasted into a Python prompt."""

    arguments: dict[str, str]
    function: str
    graph: str


@dataclass(frozen=True, slots=True)
class Edit:
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    title: str
    verified: bool
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One expression or statement at which graph and function part ways, or could (docs/rules)."""

    code: str
    severity: Severity
    message: str
    function: str
    example: int
    place: Place
    text: str
    value: str | None = None
    count: int = 1
    witness: Witness | None = None
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    dead: tuple[Span, ...] = ()
    """Spans in the same file that the specialised condition left out (an untaken branch)."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition under which the graph holds, in the user's own words."""

    text: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class Primitive:
    """One operation of the array library's own that a node becomes: of PyTorch's, an operator of ATen."""

    name: str
    """Of its result, among all operations of the graph; empty where it has none."""
    operation: str
    """`aten.addmm.default`."""
    code: str
    """`addmm = torch.ops.aten.addmm.default(bias, view, t)`."""
    inputs: tuple[str, ...]
    """The operations, inputs and captured arrays of the graph that it reads, by name."""
    shape: str
    """`float32[4, 3]`; of several results in parentheses, of what is no array its type."""


@dataclass(frozen=True, slots=True)
class NodeInfo:
    """One node of the graph, as an editor shows it."""

    name: str
    operation: str
    """`input`, `constant`, or the dotted name of the NumPy function (`numpy.add`)."""
    code: str
    """The node's line of graph code, without comment (`y = x * 2`)."""
    inputs: tuple[str, ...]
    shape: str
    """dtype and shape for people: `float64[3, 4]`, `float64[b, 4]` where dimensions have names; `int`, `float`."""
    values: str | None
    """A few of the values on the example, or None where they are not known."""
    place: Place | None
    line: int | None = None
    """The line of the graph's code that says what the node does, from 0; alike iterations of a loop share one."""
    sizes: str | None = None
    """An array's shape as expressions in the inputs' sizes (`(x.shape[0] - 1, 4)`), where it follows them."""
    group: int | None = None
    """The innermost group that the node lies in, by its index in `GraphInfo.groups`."""
    cost: Cost | None = None
    """What running the node costs, where its rule is known."""
    becomes: tuple[Primitive, ...] = ()
    """The operations of the library's own that it became on the example (PyTorch's: those of ATen), in their order."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number that shapes tell, and the same as an expression in the inputs' sizes where it follows them."""

    number: int
    words: str | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What one node costs, from shapes and dtypes alone (`tracer/costs` has the formulas)."""

    read: Amount
    """Bytes of the operands."""
    written: Amount
    """Bytes of the result; none for a view."""
    operations: Amount
    """Scalar operations counted: additions, multiplications, comparisons, function values."""
    live: int
    """Bytes of all arrays that are alive while the node runs, its result among them."""


@dataclass(frozen=True, slots=True)
class GraphCost:
    """What a run of the whole graph costs: sums over its nodes, and the peak of live memory."""

    read: Amount
    written: Amount
    operations: Amount
    peak: int
    """Bytes."""
    peak_at: str = ""
    """The name of the node at which the peak is reached."""
    unknown: int = 0
    """Operations whose cost is not known; they are not in the sums."""


class GroupKind(str, Enum):
    CALL = "call"
    """The nodes of one call of a function of the user's."""
    LOOP = "loop"
    """Alike iterations; its children are `ITERATION` groups."""
    ITERATION = "iteration"
    MODULE = "module"
    """The nodes of one call of a module of PyTorch's, with the parameters that it alone reads."""


@dataclass(frozen=True, slots=True)
class GroupInfo:
    """Nodes that belong together; groups are nested, a parent stands before its children."""

    kind: GroupKind
    label: str
    """`normalise(h)`, `60 alike iterations`, `iteration 1`."""
    parent: int | None
    place: Place | None
    """The call, or the loop's iterable or condition, in the user's code."""
    path: str = ""
    """Of a module, how the user reaches it: `self.encoder.layers[0].linear1`."""


@dataclass(frozen=True, slots=True)
class GraphInfo:
    code: str
    """The whole graph as executable Python, with its loops folded."""
    nodes: tuple[NodeInfo, ...]
    outputs: tuple[str, ...]
    rendered: dict[str, str] = field(default_factory=dict)
    """Further renderings that were asked for in `Options.formats` (`dot`, `mermaid`, `table`, `unfolded`, …)."""
    size: int = 0
    """How many nodes the graph has; of a very large one, not all are in `nodes`."""
    operations: int = 0
    """How many of them are operations."""
    groups: tuple[GroupInfo, ...] = ()
    cost: GraphCost | None = None


# ---- what PyTorch's own tracers say of a function ---------------------------------------------------


class Study(str, Enum):
    """Which of PyTorch's own tracers is asked, and for what (docs/torch-compilers.md)."""

    JOINT = "joint"
    """AOTDispatcher: forward and backward as one graph."""
    FORWARD = "forward"
    BACKWARD = "backward"
    DYNAMO = "dynamo"
    """Where `torch.compile` would break the graph, and what it would guard on."""
    EXPORT = "export"
    """What `torch.export` would report (`draft_export`)."""


class RemarkKind(str, Enum):
    GUARD = "guard"
    """A condition under which what was captured holds."""
    BREAK = "break"
    """The tracer stops here, has Python run the code, and begins another graph after it."""
    BAKED = "baked"
    """A condition on contents was decided by the example, and is asserted in the graph."""
    KERNEL = "kernel"
    """An operator's rule for tensors without contents is missing, or disagrees with the operator."""
    CUT = "cut"
    """The gradient ends here."""
    STOP = "stop"
    """The tracer does not get past here: there is no graph."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What a tracer of PyTorch's says of one place."""

    kind: RemarkKind
    message: str
    condition: str = ""
    """Of a guard and of what was baked in, in the user's own words: `x.shape[0] > 2`."""
    place: Place | None = None
    text: str = ""
    """The source at the place."""
    hints: tuple[str, ...] = ()
    """What the tracer itself advises."""
    count: int = 1


@dataclass(frozen=True, slots=True)
class StudyNode:
    """One node of a graph of a tracer of PyTorch's."""

    name: str
    operation: str
    """`input`, `constant`, or the operator (`aten.tanh_backward.default`)."""
    line: int | None
    """The line of the graph's code that makes it, from 0."""
    shape: str
    """`float32[4, 3]`; empty where it is not a tensor."""
    inputs: tuple[str, ...] = ()
    """The nodes that it reads."""
    backward: bool = False
    saved: bool = False
    """Whether the forward keeps its value for the backward."""
    place: Place | None = None
    """The user's expression that it belongs to: of a node of the backward graph, the one whose gradient it computes."""
    text: str = ""


@dataclass(frozen=True, slots=True)
class StudyGraph:
    title: str
    code: str
    nodes: tuple[StudyNode, ...]
    operations: int
    outputs: tuple[str, ...] = ()
    """The nodes that it returns."""


@dataclass(frozen=True, slots=True)
class Gradient:
    """Whether one input of a backward graph gets a gradient, and if not, where it ends."""

    input: str
    """As the user would write it: `x`, `batch["image"]`, `self.a.weight`."""
    shape: str
    reached: bool
    cuts: tuple[Remark, ...] = ()
    node: str | None = None
    """The node of the graph that is the gradient, where the graph has it."""


class Status(str, Enum):
    TRACED = "traced"
    PARTIAL = "partial"
    FAILED = "failed"


class Verdict(str, Enum):
    AGREES = "agrees"
    DIFFERS = "differs"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True)
class ExampleReport:
    """What one run of one function on one example gave."""

    index: int
    source: str
    """The arguments as written: `Layer(), np.ones(3)`."""
    origin: str
    """`comment`, `decorator`, `doctest` or `annotation`."""
    place: Place
    status: Status
    findings: tuple[Finding, ...] = ()
    graph: GraphInfo | None = None
    guards: tuple[Guard, ...] = ()
    valid_for: str = ""
    verdict: Verdict = Verdict.UNVERIFIED
    retraces: int = 0
    tried: str = ""
    """What the verdict rests on, in words: `9 re-traces agree (values, sizes, dtype, aliasing)`."""
    cut_short: bool = False
    """Whether the time for searching ran out before everything was tried."""
    milliseconds: float = 0.0
    output: str = ""
    """What the user's code wrote to stdout and stderr, capped."""


@dataclass(frozen=True, slots=True)
class FunctionReport:
    name: str
    """The qualified name (`Layer.forward`)."""
    place: Place
    """The name in its `def`, or the assignment's target."""
    examples: tuple[ExampleReport, ...] = ()


# ---- requests (server to worker) -------------------------------------------------------------------

EFFECTS = ("write", "network", "subprocess", "signal")
"""What user code does to the outside while it is traced, and may be allowed to (`Options.allow`)."""


def known_effect(text: str) -> bool:
    """Whether a text is a kind of effect (`write`), or a kind and its target (`write:out`, `network:localhost`)."""
    kind, colon, target = text.partition(":")
    return kind in EFFECTS and (not colon or (bool(target.strip()) and kind != "signal"))


@dataclass(frozen=True, slots=True)
class Options:
    mode: str = "symbolic"
    verify: bool = True
    timeout: float = 10.0
    """Seconds per example."""
    memory_limit: int | None = None
    """Bytes of address space a run may add, or None."""
    process_limit: int = 64
    """Processes that the code of a run may fork."""
    allow: tuple[str, ...] = ()
    """Effects that the user permits (`known_effect`)."""
    extra_paths: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    """Further renderings of each graph."""
    ranks: dict[str, int] = field(default_factory=dict)
    """Numbers of dimensions of annotated arrays: by `function.parameter`, by `parameter`, for all others by `*`."""


@dataclass(frozen=True, slots=True)
class TraceFile:
    """Load one file (from `text`, under its real path) and trace its examples."""

    id: int
    path: str
    text: str | None = None
    root: str | None = None
    options: Options = Options()
    functions: tuple[str, ...] | None = None
    """Qualified names to trace; None for all."""
    overlay: dict[str, str] = field(default_factory=dict)
    """Texts of other open files, by absolute path; they win over the disk."""
    known: dict[str, str] | None = None
    """Fingerprints of results that are at hand, by `example_key`: examples that still have theirs are not run again.
    None where nobody wants to know any."""
    skip: int = 0
    """Examples not to run, from the first on: they were run before the one that stopped the process."""
    basis: bool = False
    """Whether it is to be told what the results rest on."""
    at_once: int = 0
    """How many examples are traced at a time; 0 for as many as there are cores."""


@dataclass(frozen=True, slots=True)
class CompareCall:
    """Run function and graph on `arguments` (Python text; the file's names are allowed)."""

    id: int
    path: str
    function: str
    arguments: str
    text: str | None = None
    root: str | None = None
    options: Options = Options()
    overlay: dict[str, str] = field(default_factory=dict)
    """Texts of other open files, by absolute path; they win over the disk."""


@dataclass(frozen=True, slots=True)
class StudyCall:
    """Ask one of PyTorch's own tracers about an example."""

    id: int
    path: str
    function: str
    study: Study
    example: int = 0
    text: str | None = None
    root: str | None = None
    options: Options = Options()
    overlay: dict[str, str] = field(default_factory=dict)
    """As of `TraceFile`."""


_STUDY_TIMES = 6
"""How many times as long as an example a study may take: tracers of PyTorch's need seconds to be imported alone."""

Request = TraceFile | CompareCall | StudyCall


def time_limit(request: Request) -> float:
    """The seconds that a run for a request may take: of a file, each example."""
    times = _STUDY_TIMES if isinstance(request, StudyCall) else 1
    return times * request.options.timeout


IMPORTS = 60.0
"""Seconds for which modules that are being imported do not count as the time of a run: PyTorch's are read from a slow
disk, or by a busy machine, for longer than any example should take."""
_FURTHER = 30.0
"""Seconds for stopping a run, asking it for what it has, tracing it again up to there, on a busy machine."""


def longest_silence(request: Request) -> float:
    """The seconds after which a worker that has said nothing while it had the request must be stuck.

    A run may take its limit, and as long again to hand over what it has; before it, modules may be imported ahead.
    """
    return 2 * time_limit(request) + IMPORTS + _FURTHER


def file_of(call: CompareCall | StudyCall) -> TraceFile:
    """What asks for the file of a call, and in it the function alone."""
    wanted = (call.function,)
    return TraceFile(call.id, call.path, call.text, call.root, call.options, wanted, overlay=call.overlay)


@dataclass(frozen=True, slots=True)
class Cancel:
    id: int


def example_key(function: str, index: int) -> str:
    """How an example is called in `TraceFile.known`."""
    return f"{function}#{index}"


# ---- answers (worker to server) --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hello:
    version: int
    python: str
    executable: str
    numpy: str | None
    pid: int


@dataclass(frozen=True, slots=True)
class Offer:
    """An example that the user could write for a function whose annotations do not tell all of one."""

    function: str
    place: Place
    """The function's name in its `def`."""
    unranked: tuple[str, ...]
    """The parameters with arrays of which no number of dimensions is known."""
    rank: int | None
    """The number of dimensions that this offer gives them; None where there are none such."""
    arguments: str
    """What stands in the parentheses of the example."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What results rest on besides the text of their file, as questions that can be asked again."""

    files: tuple[str, ...] = ()
    """Absolute paths of the files that were read, be it as modules or as data."""
    looked_up: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The names of modules that were looked for, found or not, by the folders in which they might have been; `*` for
    all modules there."""
    looked_at: tuple[str, ...] = ()
    """Paths whose status or entries were asked for."""
    packages: tuple[str, ...] = ()
    """Files and folders of installed modules that were loaded."""
    variables: tuple[str, ...] = ()
    """Variables of the environment that were read; `*` for all."""
    unknown: tuple[str, ...] = ()
    """What cannot be asked again, in words: results with such a basis are good for once."""


@dataclass(frozen=True, slots=True)
class Importing:
    """A run is importing modules that are not the user's.  It is told every now and then, as a sign of life."""

    id: int
    module: str


@dataclass(frozen=True, slots=True)
class ModuleLoaded:
    """The file was imported (or not: then `findings` says why) and these are its functions."""

    id: int
    findings: tuple[Finding, ...] = ()
    functions: tuple[FunctionReport, ...] = ()
    """Without their examples' results: `examples` is empty."""
    dependencies: tuple[str, ...] = ()
    """Absolute paths of the workspace's own modules that the import brought in."""
    output: str = ""
    offers: tuple[Offer, ...] = ()
    basis: Basis | None = None
    """What loading it rested on, where that was asked for."""


@dataclass(frozen=True, slots=True)
class ExampleStarted:
    id: int
    function: str
    example: int
    place: Place
    source: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class ExampleDone:
    """A result.  It may come twice for one example: after the trace, and again once verified."""

    id: int
    function: str
    report: ExampleReport


@dataclass(frozen=True, slots=True)
class ExampleSettled:
    """Nothing more comes of an example."""

    id: int
    function: str
    example: int
    fingerprint: str
    """What its result rests on (`tracer.fingerprints`); empty where that is not known, or the result may be another
    the next time."""
    kept: bool = False
    """It was not run: the result at hand has the same fingerprint."""
    dependencies: tuple[str, ...] = ()
    """Workspace files that were imported only while it ran, by absolute path."""
    basis: Basis | None = None
    """What the file and this example rested on, where that was asked for."""


@dataclass(frozen=True, slots=True)
class FileDone:
    """The last message about a request, also of one that was cancelled; `error` says why the run could not be done."""

    id: int
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    id: int
    equal: bool
    function: str
    graph: str
    guards_failed: tuple[str, ...] = ()
    error: str | None = None
    """Set where no comparison was possible (unknown function, bad arguments)."""
    known: tuple[str, ...] = ()
    """The functions of the file that have examples, where the one that is asked for has none."""
    partial: str = ""
    """Where the trace ended, and why, where it did not come to the function's end: they are never equal then."""
    raised: str = ""
    """The class of the exception that both raised."""


@dataclass(frozen=True, slots=True)
class Studied:
    """What one of PyTorch's own tracers said.  `error` is set where it said nothing."""

    id: int
    study: Study
    error: str | None = None
    refused: bool = False
    """Whether it was not asked: there is no PyTorch, no such example, or nothing in it that PyTorch's tracers take."""
    torch: str = ""
    """Its version."""
    verdict: str = ""
    """One line: what came of it."""
    sound: bool = False
    """Whether the tracer has nothing to object: no breaks, nothing baked in, no stop."""
    graphs: tuple[StudyGraph, ...] = ()
    remarks: tuple[Remark, ...] = ()
    gradients: tuple[Gradient, ...] = ()
    findings: tuple[Finding, ...] = ()
    """What only the backward shows, or what keeps the file from being loaded."""
    notes: tuple[str, ...] = ()
    """What was assumed for it, in words."""
    milliseconds: float = 0.0


Message = (
    Request | Cancel
    | Hello | Importing | ModuleLoaded | ExampleStarted | ExampleDone | ExampleSettled | FileDone | Compared | Studied
)  # fmt: skip

_TYPES: dict[str, type] = {cls.__name__: cls for cls in typing.get_args(Message)}


# ---- encoding --------------------------------------------------------------------------------------


class WireError(Exception):
    """A frame that is not one of our messages, or is cut short."""


def encode(message: Message) -> bytes:
    """One frame: length and JSON."""
    body = json.dumps({"type": type(message).__name__, **plain(message)}, ensure_ascii=False).encode(
        "utf-8", "backslashreplace"
    )
    return struct.pack(">I", len(body)) + body


def decode(body: bytes) -> Message:
    """The message in a frame's body (without its length)."""
    try:
        data = json.loads(body)
        return typing.cast(Message, structure(_TYPES[data.pop("type")], data))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WireError(f"not a message of wire version {VERSION}: {error!r}") from error


def read(stream: BinaryIO) -> Message | None:
    """The next message of a blocking stream, or None at its end."""
    head = stream.read(4)
    if not head:
        return None
    if len(head) < 4:
        raise WireError("the stream ended inside a frame")
    (length,) = struct.unpack(">I", head)
    body = stream.read(length)
    if len(body) < length:
        raise WireError("the stream ended inside a frame")
    return decode(body)


def write(stream: BinaryIO, message: Message) -> None:
    stream.write(encode(message))
    stream.flush()


def plain(value: Any) -> Any:
    """Dataclasses, tuples and enums as what JSON knows."""
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if is_dataclass(kind):
        return {name: plain(getattr(value, name)) for name in _names(kind)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


_AS_THEY_ARE = frozenset({str, int, float, bool, type(None)})


@cache
def _names(cls: type) -> tuple[str, ...]:
    return tuple(f.name for f in fields(cls))


@cache
def _hints(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls, vars(sys.modules[__name__]))


def structure(kind: Any, data: Any) -> Any:
    """`data`, as JSON gives it, as a value of the annotated type `kind`."""
    return _reader(kind)(data)


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """What reads values of an annotated type: made once for each, as a graph has thousands of nodes."""
    if is_dataclass(kind):
        readers = {name: _reader(hint) for name, hint in _hints(typing.cast(type, kind)).items()}
        make = typing.cast(Callable[..., Any], kind)
        return lambda data: make(**{name: readers[name](item) for name, item in data.items()})
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        some = _reader(next(a for a in args if a is not type(None)))
        return lambda data: None if data is None else some(data)
    if origin is tuple:
        item_of = _reader(args[0])
        return lambda data: tuple([item_of(item) for item in data])
    if origin is dict:
        value_of = _reader(args[1])
        return lambda data: {key: value_of(item) for key, item in data.items()}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    return partial(_checked, kind)


def _checked(kind: type, data: Any) -> Any:
    if kind is float and isinstance(data, int):
        return float(data)
    if not isinstance(data, kind):
        raise TypeError(f"expected {kind.__name__}, got {data!r}")
    return data
