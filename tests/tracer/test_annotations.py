"""Examples made of annotations.  The oracle for jaxtyping's is jaxtyping: the arrays are what their annotations say."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import jaxtyping
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tracer.versions import NUMPY
from tracer.annotated import from_annotations
from tracer.dimensions import choose, parse
from tracer.examples import collect, evaluate
from tracer.loader import load_module
from tracer.positions import FILES
from tracer.specs import Spec
from tracer.trees import map_leaves

IMPORTS = """\
import dataclasses, enum, typing
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, NewType, Optional, Protocol, TypedDict, TypeVar, Union
import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike, NDArray
from jaxtyping import *
from tracer import nonstrict_trace, spec
"""
NUMBERS = itertools.count()


class Made:
    """What annotations of a module's text make."""

    def __init__(self, text: str, ranks: dict[str, int] | None = None) -> None:
        path = Path(f"/nowhere/annotated_{next(NUMBERS)}.py")
        self.module = load_module(path, text)
        file = FILES[str(path)]
        examples, self.misplaced = collect(file)
        made, self.offers = from_annotations(file, self.module, {e.function for e in examples}, ranks or {})
        self.examples = {example.function: example for example in made}

    @property
    def sources(self) -> dict[str, str]:
        return {name: example.source for name, example in self.examples.items()}

    def arguments(self, name: str) -> tuple[Any, ...]:
        """The arguments of an example, with an array for each spec."""
        _, args, kwargs = evaluate(self.examples[name], self.module)
        assert not kwargs
        concrete = map_leaves(list(args), lambda leaf, _: array(leaf) if isinstance(leaf, Spec) else leaf)
        return tuple(concrete)


def array(leaf: Spec) -> Any:
    return np.zeros(leaf.shape, leaf.dtype)


def source(parameters: str, before: str = "", ranks: dict[str, int] | None = None) -> str | None:
    """The example of a function with such parameters."""
    return Made(f"{IMPORTS}\n{before}\ndef f({parameters}):\n    return x + 1\n", ranks).sources.get("f")


# ---- jaxtyping -------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    ["a", "b", "c", "#a", "#b", "2", "3", "4", "7", "rows=5", "_", "_d", "a+1", "2*b", "a*b", "min(a,b)"]
)  # fmt: skip
ANYWHERE = st.sampled_from(["...", "*batch", "*#batch", "_"])
DIMENSIONS = st.builds(
    lambda words, more, at: [*words[:at], *more, *words[at:]],
    st.lists(WORDS, max_size=4), st.lists(ANYWHERE, max_size=1), st.integers(0, 4),
)  # fmt: skip
KINDS = [
    "Float", "Float16", "Float32", "Float64", "Int", "Int8", "Int64", "UInt", "UInt8", "Bool", "Complex", "Complex64",
    "Num", "Inexact", "Real", "Integer", "Shaped",
]  # fmt: skip


def assert_instances(annotations: list[Any], values: tuple[Any, ...]) -> None:
    with jaxtyping.jaxtyped("context"):
        for annotation, value in zip(annotations, values, strict=True):
            assert isinstance(value, annotation), (annotation, value.shape, value.dtype)


@given(st.lists(st.tuples(st.sampled_from(KINDS), DIMENSIONS), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_arrays_are_instances_of_what_jaxtyping_says(given_: list[tuple[str, list[str]]]):
    texts = ["a b c", *(" ".join(words) for _, words in given_)]
    kinds = ["Float", *(kind for kind, _ in given_)]
    annotations = [f'{kind}[np.ndarray, "{text}"]' for kind, text in zip(kinds, texts, strict=True)]
    parameters = ", ".join(f"x{number}: {annotation}" for number, annotation in enumerate(annotations))
    made = Made(f"{IMPORTS}\ndef f({parameters}): return x0 + 1\n")
    space: dict[str, Any] = vars(made.module)
    assert_instances([eval(annotation, space) for annotation in annotations], made.arguments("f"))


@given(st.lists(DIMENSIONS, min_size=1, max_size=3))
@settings(max_examples=100, deadline=None)
def test_sizes_that_are_chosen_are_distinct_and_do_not_broadcast(texts: list[list[str]]):
    plain = [[word for word in words if word.isidentifier()] for words in texts]
    fixed = {int(word) for words in texts for word in words if word.isdigit()}
    shapes = [parse(" ".join(words)) for words in [*plain, *[[str(size)] for size in fixed]]]
    named = [tuple(d for d in shape if d.name or d.size) for shape in shapes]
    sizes = choose(named, {})
    assert sizes is not None
    by_name = {
        d.name: size
        for shape, given_ in zip(named, sizes, strict=True)
        for d, size in zip(shape, given_, strict=True)
        if d.name
    }
    assert len({*by_name.values()} | fixed) == len(by_name) + len(fixed)
    assert all(size > 2 for size in by_name.values())


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        ('Float[np.ndarray, "b 4"]', 'spec("b 4", b=3)'),
        ('Float32[np.ndarray, ""]', 'spec((), "float32")'),
        ('Int[np.ndarray, "..."]', 'spec((3, 5), "int64")'),
        ('Bool[np.ndarray, "... 3"]', 'spec((5, 3), "bool")'),
        ('Float[np.ndarray, "*batch n n+1"]', 'spec("batch n 6", batch=3, n=5)'),
        ('Float[np.ndarray, "rows=3 cols"]', 'spec("3 cols", cols=5)'),
        ('Float[np.ndarray, "in shape b"]', 'spec("3 5 b", b=7)'),
        ('Float[Float[np.ndarray, "h w"], "b"]', 'spec("b h w", b=3, h=5, w=7)'),
        ('Float[np.ndarray, "a"] | None', 'spec("a", a=3)'),
        ("Optional[\"Float[np.ndarray, 'a']\"]", 'spec("a", a=3)'),
        ('Float[Any, "a"]', 'spec("a", a=3)'),
        pytest.param(
            'Float[ArrayLike, "a"]',
            'spec("a", a=3)',
            marks=pytest.mark.skipif(NUMPY >= (2, 5), reason="jaxtyping takes no ArrayLike of NumPy 2.5"),
        ),
        ('Float[np.ndarray, "a-2"]', "spec(3)"),
    ],
)
def test_jaxtyping_as_a_line_of_ones_own(annotation: str, text: str):
    assert source(f"x: {annotation}") == text


@pytest.mark.parametrize(
    "annotation", ['Key[np.ndarray, "2"]', 'BFloat16[np.ndarray, "a"]', 'Float[float, ""]', 'Float[np.matrix, "a b"]']
)
def test_what_numpy_has_no_array_for_makes_none(annotation: str):
    assert source(f"x: {annotation}") is None


def test_other_libraries_arrays_make_none():
    """As with `torch.Tensor`: a class of arrays that NumPy's is none of."""
    assert source('x: Float[Tensor, "a"]', "class Tensor:\n    shape: tuple\n    dtype: str\n") is None


def test_expressions_see_the_defaults_of_parameters():
    assert source('x: Float[np.ndarray, "{n} {n}+1"], n: int = 4') == "spec((4, 5))"
    assert source('x: Float[np.ndarray, "{n} 3"], n: int') is None


# ---- spec and NumPy's own --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        ("Annotated[np.ndarray, spec((3, 4))]", "spec((3, 4))"),
        ('Annotated[np.ndarray, spec((3, 4), "float32")]', 'spec((3, 4), "float32")'),
        ('Annotated[NDArray[np.float32], spec("b 4")]', 'spec("b 4", "float32", b=3)'),
        ('Annotated[NDArray[Any], spec("b 4", "int8")]', 'spec("b 4", "int8", b=3)'),
        ('Annotated[np.ndarray, "a note", spec("b t 64", b=2, t=7)]', 'spec("b t 64", b=2, t=7)'),
        ('Annotated[np.ndarray, spec("b t", t=4)]', 'spec("b t", b=3, t=4)'),
        ("np.ndarray[tuple[int, int], np.dtype[np.int16]]", 'spec((3, 5), "int16")'),
        ("np.ndarray[tuple[Literal[4], int], np.dtype[np.float64]]", "spec((4, 3))"),
        ("np.ndarray[tuple[Batch, N], np.dtype[Any]]", 'spec("Batch N", Batch=3, N=5)'),
        ("np.ndarray[tuple[()], np.dtype[np.float64]]", "spec(())"),
        ("Bound", 'spec("a", a=3)'),
        ("Either", 'spec("b", b=3)'),
        ("New", 'spec("a", a=3)'),
        ("'Alias'", 'spec("a", a=3)'),
    ],
)
def test_a_shape_that_is_told(annotation: str, text: str):
    before = """
Alias = Float[np.ndarray, "a"]
New = NewType("New", Alias)
Bound = TypeVar("Bound", bound=Alias)
Either = TypeVar("Either", str, Float[np.ndarray, "b"])
Batch, N = NewType("Batch", int), TypeVar("N", bound=int)
"""
    assert source(f"x: {annotation}", before) == text


@pytest.mark.parametrize(
    ("scalar", "dtype"),
    [
        ("np.float32", "float32"), ("np.floating", "float64"), ("np.floating[Any]", "float64"), ("np.integer", "int64"),
        ("np.unsignedinteger", "uint64"), ("np.complexfloating", "complex128"), ("np.number", "float64"),
        ("np.generic", "float64"), ("Any", "float64"), ("np.bool_", "bool"), ("np.uint8", "uint8"), ("T", "float64"),
        ("np.int8 | np.float32", "float32"), ("float", "float64"), ("np.longdouble", "longdouble"),
    ],
)  # fmt: skip
def test_the_dtype_is_the_usual_one_of_those_allowed(scalar: str, dtype: str):
    parameter = f"x: np.ndarray[Any, np.dtype[{scalar}]]"
    bound = "T = TypeVar('T', bound=np.floating)"
    made = Made(f"{IMPORTS}\n{bound}\ndef f({parameter}): return x + 1\n", {"x": 1})
    assert made.arguments("f")[0].dtype == np.dtype(dtype)


@pytest.mark.parametrize("scalar", ["np.str_", "np.object_", "np.datetime64", "np.void"])
def test_dtypes_without_numbers_make_none(scalar: str):
    assert source(f"x: NDArray[{scalar}]", ranks={"*": 1}) is None


@pytest.mark.parametrize(
    "annotation", ["np.ndarray", "NDArray[np.float64]", "ArrayLike", "ArrayLike | None", "npt.NDArray"]
)
def test_a_rank_is_told_by_the_settings(annotation: str):
    assert source(f"x: {annotation}") is None
    assert source(f"x: {annotation}", ranks={"*": 2}) == "spec((3, 5))"
    assert source(f"x: {annotation}", ranks={"*": 2, "x": 1}) == "spec(3)"
    assert source(f"x: {annotation}", ranks={"*": 2, "x": 1, "f.x": 3}) == "spec((3, 5, 7))"
    assert source(f"x: {annotation}", ranks={"g.x": 3, "y": 1}) is None


def test_axes_that_nothing_names_may_have_to_fit_together():
    """All distinct first; then so that `x + y`, `x @ y` and an inverse can be."""
    made = Made(f"{IMPORTS}\ndef f(x: np.ndarray, y: np.ndarray): return x @ y\n", {"*": 2})
    example = made.examples["f"]
    assert [example.source, *example.others[1::2]] == [
        "spec((3, 5)), spec((7, 11))",
        "spec((3, 5)), spec((3, 5))",
        "spec((3, 5)), spec((5, 7))",
        "spec((3, 3)), spec((3, 3))",
    ]


# ---- containers ------------------------------------------------------------------------------------

CLASSES = """
@dataclasses.dataclass
class Layer:
    w: Float[np.ndarray, "m n"]
    b: "Float32[np.ndarray, 'n']"
    name: str = "layer"
    total: float = dataclasses.field(default=0.0, init=False)

class Pair(NamedTuple):
    first: Float[np.ndarray, "n"]
    second: Float[np.ndarray, "n"]

class Weights(TypedDict):
    w: Float[np.ndarray, "n"]
    b: Float[np.ndarray, "m"]

@dataclasses.dataclass
class Sized:
    w: Float[np.ndarray, "n"]
    count: int

@dataclasses.dataclass
class Endless:
    w: Float[np.ndarray, "n"]
    inner: "Endless"
"""


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        ('tuple[Float[np.ndarray, "a"], Int[np.ndarray, "b"]]', '(spec("a", a=3), spec("b", "int64", b=5))'),
        ('tuple[Float[np.ndarray, "a"], ...]', '(spec("a", a=3), spec("a", a=3))'),
        ('tuple[Float[np.ndarray, "a"]]', '(spec("a", a=3),)'),
        ('list[Float[np.ndarray, "_"]]', "[spec(3), spec(3)]"),
        ('Sequence[Float[np.ndarray, "a"]]', '[spec("a", a=3), spec("a", a=3)]'),
        ('dict[str, Float[np.ndarray, "a"]]', '{"a": spec("a", a=3), "b": spec("a", a=3)}'),
        ('Mapping[int, Float[np.ndarray, "a"]]', '{0: spec("a", a=3), 1: spec("a", a=3)}'),
        ("Layer", 'Layer(w=spec("m n", m=3, n=5), b=spec("n", "float32", n=5))'),
        ("Pair", 'Pair(first=spec("n", n=3), second=spec("n", n=3))'),
        ("Weights", '{"w": spec("n", n=3), "b": spec("m", m=5)}'),
        ("list[Pair | None]", "[{0}, {0}]".format('Pair(first=spec("n", n=3), second=spec("n", n=3))')),
        ("Sized", None),
        ("Endless", None),
        ("tuple[Float[np.ndarray, 'a'], int]", None),
    ],
)
def test_containers_of_arrays(annotation: str, text: str | None):
    assert source(f"x: {annotation}", CLASSES) == text


def test_sizes_are_shared_between_an_object_and_other_arguments():
    made = Made(f'{IMPORTS}{CLASSES}\ndef f(layer: Layer, x: Float[np.ndarray, "b m"]): return x @ layer.w\n')
    layer, x = made.arguments("f")
    assert (x @ layer.w + layer.b).shape == (7, 5)


# ---- which functions -------------------------------------------------------------------------------

ARRAY = 'x: Float[np.ndarray, "a"]'


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        (f"{ARRAY}, y: {ARRAY[3:]}", 'spec("a", a=3), spec("a", a=3)'),
        (f"{ARRAY}, k=3, *, flag: bool = True, **more: int", 'spec("a", a=3)'),
        (f"{ARRAY}, *, y: {ARRAY[3:]}", 'spec("a", a=3), y=spec("a", a=3)'),
        (f"{ARRAY}, *ys: {ARRAY[3:]}", 'spec("a", a=3), spec("a", a=3), spec("a", a=3)'),
        (f"{ARRAY}, *shape: int", 'spec("a", a=3)'),
        (f"{ARRAY}, k=1, *ys: {ARRAY[3:]}", 'spec("a", a=3)'),
        (f"{ARRAY}, mask: Bool[np.ndarray, 'a'] | None = None", 'spec("a", a=3)'),
        (f"{ARRAY}, k: int", None),
        (f"{ARRAY}, y", None),
        (f"{ARRAY}, y: Missing", None),
        ("x: int, y: str, z: list[int]", None),
        ("x, y", None),
        (f"{ARRAY} = None", None),
    ],
)
def test_every_parameter_has_an_annotation_or_a_default(parameters: str, text: str | None):
    quoted = parameters.replace("Missing", "'Missing'")
    assert source(quoted) == text


def test_postponed_annotations_are_evaluated_one_by_one():
    text = f"from __future__ import annotations\n{IMPORTS}\ndef f({ARRAY}, k: NotThere = 1): return x + k\n"
    assert Made(text).sources == {"f": 'spec("a", a=3)'}


def test_names_that_only_type_checkers_import_are_those_they_usually_are():
    text = "from __future__ import annotations\nfrom typing import TYPE_CHECKING\n"
    text += "if TYPE_CHECKING:\n    from numpy.typing import NDArray\n    from typing import Any\n"
    text += "def f(x: NDArray[Any]): return x + 1\n"
    assert Made(text, {"x": 1}).sources == {"f": "spec(3)"}


def test_names_of_data_classes_may_mean_other_sizes_in_each_object():
    made = Made(f"{IMPORTS}{CLASSES}\ndef f(first: Layer, second: Layer): return first.w @ second.w\n")
    layer = 'Layer(w=spec("m n", m={}, n={}), b=spec("n", "float32", n={}))'
    texts = [made.examples["f"].source, *made.examples["f"].others[1::2]]
    assert texts == [", ".join([layer.format(*sizes)] * 2) for sizes in ((3, 5, 5), (3, 3, 3))]


def test_examples_of_ones_own_win():
    text = f"""{IMPORTS}
from tracer import example

# nst: example(np.ones(3))
def commented({ARRAY}): return x + 1

@example(np.ones(3))
def decorated({ARRAY}): return x + 1

def tested({ARRAY}):
    ">>> tested(np.ones(3))"
    return x + 1

def annotated({ARRAY}): return x + 1
"""
    made = Made(text)
    assert list(made.sources) == ["annotated"]
    assert made.examples["annotated"].origin == "annotation"
    place = made.examples["annotated"].place.span
    assert text.split("\n")[place.line - 1][place.column - 1 : place.end_column - 1] == "annotated"


def test_methods_have_one_where_their_object_can_be_made():
    made = Made(f"""{IMPORTS}{CLASSES}
class Plain:
    def method(self, {ARRAY}): return x + 1
    @staticmethod
    def static({ARRAY}): return x + 1
    @classmethod
    def of_class(cls, {ARRAY}): return x + 1
    @property
    def prop(self) -> {ARRAY[3:]}: return 1

class Needing:
    def __init__(self, n, {ARRAY}): self.n = n
    def method(self, {ARRAY}): return x + 1
    @staticmethod
    def static({ARRAY}): return x + 1

class Wrapping:
    def __init__(self, {ARRAY}): self.x = x
    def method(self, {ARRAY}): return x + 1

class Record(Layer):
    def __call__(self, x: Float[np.ndarray, "b m"]): return x @ self.w
    class Inner:
        def method(self, {ARRAY}): return x + 1
""")
    layer = 'w=spec("m n", m=3, n=5), b=spec("n", "float32", n=5)'
    assert made.sources == {
        "Plain.method": 'Plain(), spec("a", a=3)',
        "Plain.static": 'spec("a", a=3)',
        "Plain.of_class": 'spec("a", a=3)',
        "Needing.static": 'spec("a", a=3)',
        "Record.__call__": f'Record({layer}), spec("b m", b=7, m=3)',
        "Record.Inner.method": 'Record.Inner(), spec("a", a=3)',
    }


def test_what_computes_nothing_or_is_vouched_for_has_none():
    made = Made(f"""{IMPORTS}
import abc
class Model(Protocol):
    def method(self, {ARRAY}): ...
class Base(abc.ABC):
    @abc.abstractmethod
    def method(self, {ARRAY}): return x + 1
    def other(self, {ARRAY}): return x + 1
@typing.overload
def f({ARRAY}): ...
@typing.overload
def f(x: int): "An integer."
def f(x): return x + 1
def missing({ARRAY}): raise NotImplementedError
async def later({ARRAY}): return x + 1
@nonstrict_trace
def vouched_for({ARRAY}): return x + 1
""")
    assert made.sources == {}


def test_decorated_functions_are_read_through_their_wrappers():
    made = Made(f"""{IMPORTS}
import functools
def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper
@logged
def f({ARRAY}): return x + 1
@jaxtyped(typechecker=None)
def g({ARRAY}): return x + 1
""")
    assert made.sources == dict.fromkeys("fg", 'spec("a", a=3)')


def test_a_module_may_have_names_like_ours():
    made = Made(f"{IMPORTS}\ndef f({ARRAY}): return x + 1\nnp = spec = 3\n")
    assert made.arguments("f")[0].shape == (3,)


def test_annotations_that_raise_say_nothing():
    made = Made(f"""{IMPORTS}
class Meta(type):
    def __getattribute__(cls, name): raise RuntimeError(name)
class Hostile(metaclass=Meta): ...
def f({ARRAY}, y: Hostile): return x + 1
def g({ARRAY}, y: "1 / 0"): return x + 1
def h({ARRAY}, y: "(" = 2): return x + 1
class Raising:
    def __init_subclass__(cls): raise RuntimeError
    @property
    def __wrapped__(self): raise RuntimeError
    def __call__(self, {ARRAY}): return x + 1
def wrapped({ARRAY}): return x + 1
wrapped = Raising()
""")
    told = made.sources
    told.pop("Raising.__call__", None)  # Python 3.13 finds the signature of such a class; older ones raise
    assert told == {"h": 'spec("a", a=3)'}


# ---- what the user could write ---------------------------------------------------------------------


def offered(parameters: str, before: str = "") -> list[tuple[tuple[str, ...], int | None, str]]:
    made = Made(f"{IMPORTS}\n{before}\ndef f({parameters}): return x + 1\n")
    return [(offer.unranked, offer.rank, offer.arguments) for offer in made.offers]


def test_an_open_rank_is_a_question():
    assert offered("x: NDArray[np.float32], y: ArrayLike") == [
        (("x", "y"), 1, 'spec(3, "float32"), spec(3)'),
        (("x", "y"), 2, 'spec((3, 5), "float32"), spec((3, 5))'),
        (("x", "y"), 3, 'spec((3, 5, 7), "float32"), spec((3, 5, 7))'),
    ]


def test_a_plain_value_is_filled_in():
    parameters = f"{ARRAY}, k: int, p: float, m: Literal['a', 'b'], c: Color, f, *, flag: bool"
    colours = "class Color(enum.Enum):\n    RED = 1\n"
    assert offered(parameters, colours) == [((), None, "spec(\"a\", a=3), 2, 0.5, 'a', Color.RED, f, flag=True")]


@pytest.mark.parametrize("parameters", ["x: int", "x", "x: str, y: list[int]", ARRAY, f"{ARRAY} = None"])
def test_without_an_open_array_nothing_is_offered(parameters: str):
    assert offered(parameters) == []
