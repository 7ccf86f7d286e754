"""Runs a function of a text that is not the file's: on an example, on witnesses, beside other examples of the file.

The text is loaded in a copy of the process (`trials`), and each run is one more copy: neither the module nor what is
known of its source changes here.
"""

from __future__ import annotations

import ast
import functools
import random
import time
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from .. import libraries, perturb
from ..callables import signature_of
from ..copies import settled
from ..examples import BadExample, Example, arguments, collect, evaluate
from ..loader import load_module
from ..perturb import standing_in
from ..positions import FILES
from ..report import run_plainly
from ..trees import Path, map_leaves
from ..trials import UNKNOWN, Nudge, Outcome, Trial, in_copies
from ..worker.wire import Finding, TraceFile, Verdict, Witness
from .candidate import Given, Parameter
from .text import DEFINITIONS, Change, Text, names_in

RUN = 0.5
"""Seconds that one run of a function may take."""
_STATE = frozenset({"NST209", "NST302", "NST304", "NST305", "NST505"})
_WITNESSES_RUN = 6
"""Witnesses that are run again, at most."""
_SIZES = 3
"""Sizes other than the example's that are tried, at most."""
_OTHERS = 8
"""Other examples that are run again, at most."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What candidates for one example are tried with."""

    path: str
    text: str
    request: TraceFile
    example: Example
    findings: tuple[Finding, ...]
    """What was found, with witnesses."""
    verdict: Verdict

    @property
    def mode(self) -> str:
        return self.request.options.mode

    @property
    def has_state(self) -> bool:
        """Whether a call changes what the next one gives."""
        return any(f.code in _STATE for f in self.findings)

    @property
    def witnesses(self) -> tuple[Witness, ...]:
        """The different ones, of all findings."""
        found = {repr(f.witness): f.witness for f in self.findings if f.witness is not None}
        return tuple(found.values())[:_WITNESSES_RUN]


def in_a_copy(function: Callable[[], Any], bench: Bench, until: float) -> Outcome:
    """What a function gives in a copy of the process that is ended with it."""
    outcomes = in_copies(function, (), {}, bench.mode, [Trial()], max(0.0, until - time.monotonic()), until)
    return outcomes[0] if outcomes else UNKNOWN


# ---- the function as it was ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Before:
    """What a function gave before it was changed."""

    outcomes: tuple[Outcome, ...]
    """On the example, on the witnesses, on variations: those of `tried`."""
    others: Mapping[Key, Any]
    """What other examples of the file gave."""


def run_before(bench: Bench, others: Collection[Key], until: float, *, draws: bool) -> Before:
    """Run the function of the text as it is on the example, on witnesses and variations, and the other examples."""
    module = loaded(bench, bench.text, draws=draws)
    function, args, kwargs = evaluate(bench.example, module)
    call = Call(Watched(function, draws), args, kwargs, bench.mode)
    outcomes = run(call, tried(bench, module, function, args, kwargs), until, apart=bench.has_state or draws)
    return Before(outcomes, {} if draws else on_others(bench, module, until, others))


@dataclass(frozen=True, slots=True)
class Call:
    """What is run: a function with the example's arguments."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    mode: str

    def on(self, several: Sequence[Trial], until: float) -> list[Outcome]:
        outcomes = in_copies(self.function, self.args, self.kwargs, self.mode, several, RUN, until)
        return [*outcomes, *[UNKNOWN] * (len(several) - len(outcomes))]


def run(call: Call, several: Sequence[Trial | None], until: float, *, apart: bool) -> tuple[Outcome, ...]:
    """Several runs: in one process those that leave nothing behind, unless they are to be `apart`."""
    done = iter(() if apart else call.on([t for t in several if t is not None and t.nudge is None], until))
    outcomes = []
    for trial in several:
        if trial is None:
            outcomes.append(UNKNOWN)
        elif apart or trial.nudge is not None:
            outcomes += call.on([trial], until)
        else:
            outcomes.append(next(done))
    return tuple(outcomes)


def tried(
    bench: Bench,
    module: ModuleType,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    parameter: Parameter | None = None,
) -> list[Trial | None]:
    """The example, the witnesses (None for one that cannot be run), and variations.

    Other contents and some other sizes, none among them; a new parameter, and numbers, stay what they are.
    """
    given = dict(signature_of(function).bind(*args, **kwargs).arguments)
    witnesses = [witness_trial(witness, given, function, module, bench.path, parameter) for witness in bench.witnesses]
    given = standing_in({name: value for name, value in given.items() if parameter is None or name != parameter.name})
    sizes = [*perturb.smaller(given), *perturb.sizes(given)][:_SIZES]
    odd = (p for p in perturb.odd_ones(given) if p.kind == "values" or any(a.size == 0 for a in p.leaves.values()))
    varied = [*(p.leaves for p in (*perturb.contents(given), *sizes, *odd)), _fractions(given)]
    return [Trial(), *witnesses, *map(Trial, varied)]


def _fractions(given: Mapping[str, Any]) -> dict[Path, Any]:
    """Contents that are no whole numbers."""
    arrays = perturb.arrays_of(given)
    made = {path: perturb.filled(a.shape, a.dtype, "mixed") for path, a in arrays.items() if a.dtype.kind in "fc"}
    return {path: array * array.dtype.type(0.75) + array.dtype.type(0.3) for path, array in made.items()}


def loaded(bench: Bench, text: str, *, draws: bool) -> ModuleType:
    with _steady(draws=draws):
        return load_module(bench.path, text, root=bench.request.root, overlay=bench.request.overlay)


@dataclass(frozen=True, slots=True)
class Ran:
    """What a call did: its value, the kinds of floating-point errors that it met, its arguments as they are then."""

    value: Any
    met: frozenset[str]
    arguments: dict[str, Any]


class Watched:
    """A function of which more is to be known than its value."""

    def __init__(self, function: Callable[..., Any], draws: bool) -> None:
        self._function = function
        self._draws = draws
        self.__signature__ = signature_of(function)

    def __call__(self, *args: Any, **kwargs: Any) -> Ran:
        met: set[str] = set()
        given = self.__signature__.bind(*args, **kwargs).arguments

        def meet(kind: str, _: int) -> None:
            met.add(kind)

        with _steady(draws=self._draws), warnings.catch_warnings(), np.errstate(all="call", call=meet):
            warnings.simplefilter("ignore")
            value = settled(self._function(*args, **kwargs))
        return Ran(value, frozenset(met), {name: map_leaves(tree, _plain) for name, tree in given.items()})


def _plain(leaf: Any, _: Path) -> Any:
    """A leaf whose contents can be compared; objects are what they are."""
    plain = isinstance(leaf, (np.generic, bool, int, float, complex, str))
    return leaf if plain or libraries.is_array(leaf) else None


@contextmanager
def _steady(*, draws: bool) -> Iterator[None]:
    """Random states that are the same each time; those of new generators, too, where draws are compared."""
    fresh = np.random.default_rng
    np.random.seed(0)  # it is what the user's code may draw from
    random.seed(0)
    libraries.draw_anew()
    if draws:
        np.random.default_rng = lambda seed=None: fresh(0 if seed is None else seed)
    try:
        yield
    finally:
        np.random.default_rng = fresh


def witness_trial(
    witness: Witness,
    given: Mapping[str, Any],
    function: Callable[..., Any],
    module: ModuleType,
    path: str,
    parameter: Parameter | None,
) -> Trial | None:
    """A run on a witness's arguments and on its value for a hidden input, which may be a parameter by now.

    That value may be told by what it was (`self.table + 1`), hence by an argument of the example, which are `given`.
    """
    names = signature_of(function).parameters
    leaves, nudge = {}, None
    try:
        for name, text in witness.arguments.items():
            value = arguments(text, module, first={} if name in names else given)[0][0]
            if parameter is not None and name == parameter.of:
                leaves[(parameter.name,)] = np.array(value) if parameter.given is Given.ARRAY else value
            elif name in names:
                leaves[(name,)] = value
            else:
                nudge = Nudge(name, path, value)
    except (BadExample, IndexError):
        return None
    return Trial(leaves, nudge)


# ---- other examples of the file --------------------------------------------------------------------

Key = tuple[str, int]


def on_others(bench: Bench, module: ModuleType, until: float, wanted: Collection[Key]) -> dict[Key, Any]:
    """What other examples give, in a copy of the process; nothing where that takes long or cannot be sent."""
    others = [e for e in collect(FILES[bench.path])[0] if key_of(e) in wanted and key_of(e) != key_of(bench.example)]
    if not others:
        return {}
    found = in_a_copy(functools.partial(_results, others[:_OTHERS], module), bench, min(until, time.monotonic() + RUN))
    return found.value if isinstance(found.value, dict) else {}


def touched(text: Text, changes: Iterable[Change]) -> set[Key]:
    """The examples of functions in which something is changed, or that speak of such."""
    functions = [n for n in ast.walk(text.file.tree) if isinstance(n, DEFINITIONS)]
    within = {f.name for f in functions for a, b in [text.range(f)] if any(a <= c.start < b for c in changes)}
    names = {f.name for f in functions if f.name in within or names_in(f) & within}
    return {key_of(e) for e in collect(text.file)[0] if e.function.rpartition(".")[2] in names}


def _results(examples: Sequence[Example], module: ModuleType) -> dict[Key, Any]:
    found: dict[Key, Any] = {}
    for example in examples:
        try:
            function, args, kwargs = evaluate(example, module)
            args, kwargs = standing_in((list(args), kwargs))
        except (BadExample, MemoryError):
            continue
        result = run_plainly(Watched(function, draws=False), args, kwargs)
        found[key_of(example)] = type(result.error).__name__ if result.error is not None else result.value.value
    return found


def key_of(example: Example) -> Key:
    return example.function, example.index
