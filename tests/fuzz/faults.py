"""The faults that are planted, as tables: what of each kind looks like, marked where it must be reported.

In the texts `{a}` is an array of floats and `{given}` one that is an argument of its own; `{new}` is the variable of
the outcome, which has their shape.  The other names are what the fault needs: an argument, a global, an import.
"""

from __future__ import annotations

from dataclasses import dataclass

from .scopes import Array, Root, Scope

ARGUMENTS = {
    "power": "2.0",
    "flag": "True",
    "steps": "3",
    "style": '"soft"',
    "low": "-0.5",
    "history": "[]",
    "notes": "{{}}",
}
"""Arguments that are no arrays, with the example's."""

GLOBALS = {
    "gain": "1.5",
    "verbose": "True",
    "method": '"fast"',
    "bias": "np.array([0.5])",
    "offset": "np.array(0.25)",
    "settings": '{"eps": 0.001, "warm": True, "table": np.array([2.0])}',
    "config": "Config()",
    "rng": "np.random.default_rng(7)",
    "log": "[]",
    "seen": "{}",
    "count": "0",
    "last": "None",
    "tally": "0",
}

CONFIG = """class Config:
    rate = 0.5

    def __init__(self):
        self.scale = 3.0
        self.training = True
        self.weights = np.array([1.5])
        self.calls = 0
        self.last = None
"""

TABLE = """@functools.lru_cache(maxsize=None)
def table(count):
    return np.arange(count) * 0.5
"""

IMPORTS = ("random", "time", "os", "logging")


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to write a fault: an expression of the shape of `{a}`, or statements."""

    text: str
    statements: bool = False
    axes: bool = False
    """Whether `{a}` must have an axis to go along, whose size comes from an argument."""


EXPRESSIONS = {
    "NST101": (
        "{a} * 2 if ⟦ {a}.sum() > 0⟧ else {a} - 1",
        "{a} if ⟦ ({a} > -1e30).all()⟧ else -{a}",
        "{a} - 1 if ⟦ np.any({a} < 0)⟧ else {a} / 2",
        "{a} if not ⟦ {a}.max() < -1e30⟧ else -{a}",
        "{a} if ⟦ np.isfinite({a}).all()⟧ and ⟦ {a}.min() < 0⟧ else {a} * 3",
        "np.where({a} > 0, {a}, 1.0) if ⟦ np.abs({a}).sum() >= 1⟧ else {a}",
        "{a} * 2 if ⟦ 0.75 in np.ravel({a})⟧ else {a}",
        "{a} - 1 if ⟦ float({a}.sum()) > 0⟧ else {a}",
        "{a} - 1 if ⟦ bool(({a} > 0).any())⟧ else {a}",
        "({a}, -{a})[0 if ⟦ {a}.sum() > 1⟧ else 1]",
        "⟦ max({a}, -{a}, key=lambda each: each.sum())⟧",
    ),
    "NST103": (
        "{a} * 2 if ⟦ {flag}⟧ else {a}",
        "{a} if not ⟦ {flag}⟧ else -{a}",
        'np.tanh({a}) if ⟦ {style} == "soft"⟧ else {a}',
        "{a} / 2 if ⟦ {power} > 1⟧ else {a}",
        "{a} if ⟦ {steps} >= 3⟧ and ⟦ {flag}⟧ else {a} - 1",
    ),
    "NST104": (
        "{a} * 2 if ⟦ {verbose}⟧ else {a}",
        '{a} + 1 if ⟦ {method} == "fast"⟧ else {a}',
        '{a} if ⟦ {settings}["warm"]⟧ else -{a}',
        "{a} if not ⟦ {config}.training⟧ else {a} / 2",
        "{a} if ⟦ {gain} > 1⟧ else -{a}",
    ),
    "NST105": (
        "{a} * 2 if ⟦ {a}.dtype == np.float64⟧ else {a}",
        "{a} - 1 if ⟦ {a}.ndim > 1⟧ else {a}",
        "{a} if ⟦ np.issubdtype({a}.dtype, np.floating)⟧ else {a} / 2",
        '{a} if ⟦ {a}.dtype.kind == "f"⟧ else {a} / 2',
    ),
    "NST201": (
        "{a} + sum(⟦ {a}.ravel().tolist()⟧)",
        "{a} * [1.0, 2.0][⟦ int({a}.sum() > 0)⟧]",
    ),
    "NST209": (
        "{a} + ⟦ {table}(3)⟧[0]",
        "{a} + ⟦ {table}({a}.ndim + 1)⟧.sum()",
    ),
    "NST202": (
        "{a} * ⟦ {power}⟧",
        "np.abs({a}) ** ⟦ {power}⟧",
        "np.clip({a}, ⟦ {low}⟧, 0.5)",
        "np.roll({a}, ⟦ {steps}⟧)",
        "{a} - ⟦ {power} / 2⟧",
        "np.where({a} > ⟦ {low}⟧, {a}, 0.0)",
        "{a} + np.full((), ⟦ {power}⟧)",
        "⟦ {power}⟧ - {a}",
        "{a} * [0.5, 1.5, 2.5, 3.5][⟦ {steps}⟧]",
    ),
    "NST204": (
        "{a} + ⟦ {bias}⟧[0]",
        "{a} * ⟦ {offset}⟧",
        '{a} - ⟦ {settings}["table"]⟧.sum()',
        "{a} / ⟦ {config}.weights⟧[0]",
        "np.maximum({a}, ⟦ {offset}⟧)",
        "⟦ {bias}⟧.mean() - {a}",
    ),
    "NST205": (
        "{a} * ⟦ {gain}⟧",
        '{a} + ⟦ {settings}["eps"]⟧',
        "{a} / ⟦ {config}.scale⟧",
        "{a} * ⟦ {config}.rate⟧",
        "{a} * ⟦ {Config}.rate⟧",
        "np.clip({a}, -1, ⟦ {gain}⟧)",
        "{a} - 2 * ⟦ {gain}⟧",
        '{a} + ⟦ {settings}.get("eps")⟧',
    ),
    "NST206": (
        "{a} + ⟦ np.random.rand()⟧",
        "{a} * ⟦ {random}.random()⟧",
        "{a} - ⟦ {rng}.normal()⟧",
        "{a} + ⟦ np.random.normal(size={a}.shape)⟧",
        "{a} * ⟦ {rng}.uniform(0.5, 1.5)⟧",
        "np.where(⟦ {rng}.random()⟧ > {a}, {a}, 0.0)",
        "{a} + ⟦ np.random.default_rng().normal()⟧",
    ),
    "NST207": (
        "{a} + ⟦ {time}.time()⟧",
        "{a} * ⟦ {os}.getpid()⟧",
        "{a} - ⟦ {time}.perf_counter()⟧",
        "{a} + len(⟦ {os}.getcwd()⟧)",
        '{a} + float(⟦ {os}.environ.get("NO_SUCH", "0.5")⟧)',
    ),
}  # fmt: skip
"""Faults within one expression."""

STATEMENTS = {
    "NST101": (
        "if ⟦ {a}.sum() > 0⟧:\n    {new} = {a} * 2\nelse:\n    {new} = {a} - 1",
        "{new} = {a}\nwhile ⟦ np.abs({new}).max() > 1.0⟧:\n    {new} = np.tanh({new}) / 2",
        "{new} = {a}\nif ⟦ {a}.mean() < -1e30⟧ or ⟦ {a}.size * {a}.sum() < 1e30⟧:\n    {new} = -{a}",
        "positive = {a}.sum() > 0\nif ⟦ positive⟧:\n    {new} = {a}\nelse:\n    {new} = -{a}",
        "lower, upper = ⟦ sorted([{a}.sum(), {a}.max()])⟧\n{new} = {a} + lower - upper",
    ),
    "NST103": (
        "if ⟦ {flag}⟧:\n    {new} = {a} * 2\nelse:\n    {new} = {a}",
        "{new} = {a}\ndone = 0\nwhile ⟦ done < {steps}⟧:\n    {new} = np.sin({new})\n    done += 1",
    ),
    "NST104": (
        "{new} = {a}\nif ⟦ {config}.training⟧:\n    {new} = np.cos({a})",
        "{new} = {a} + 0.0\nif ⟦ len({log}) == 0⟧:\n    {new} = -{a}",
    ),
    "NST107": (
        "assert ⟦ np.isfinite({a}).all()⟧\n{new} = {a} * 2",
        'assert ⟦ {a}.size > 0⟧, "empty"\n{new} = {a} / {a}.size',
        "assert ⟦ (~({a} < -1e30)).all()⟧\n{new} = {a} + 1",
        "assert ⟦ {flag}⟧\n{new} = {a} - 1",
    ),
    "NST301": (
        '⟦ print("step")⟧\n{new} = {a} * 2',
        "{new} = {a} + 1\n⟦ print({new})⟧",
        '{new} = {a} + 1\n⟦ print(f"now {{{new}.sum():.2f}}")⟧',
        '⟦ {logging}.debug("step %s", {a}.shape)⟧\n{new} = {a} / 2',
    ),
    "NST302": (
        "{new} = {a} * 2\n⟦ {history}.append({new})⟧",
        '{new} = {a} - 1\n⟦ {notes}["last"] = 1.0⟧',
        "{new} = {a} - 1\n⟦ {history}.extend([1, 2])⟧",
        "{new} = {a} - 1\n⟦ {notes}.update(done=True)⟧",
    ),
    "NST303": (
        "⟦ {given}[0] = 7.0⟧\n{new} = {given} * 2",
        "⟦ {given} *= 2⟧\n{new} = {given} + 1",
        "⟦ {given}.sort()⟧\n{new} = {given} - 1",
        "⟦ np.add({given}, 1, out={given})⟧\n{new} = {given} / 2",
        "tail = {given}[1:]\n⟦ tail += 3.0⟧\n{new} = {given} * 1.0",
        "⟦ {given}[{given} > 0] = 0⟧\n{new} = -{given}",
        "⟦ np.copyto({given}, 0.5)⟧\n{new} = {given} + 1",
        "⟦ {given}.fill(3.0)⟧\n{new} = {given} + 1",
        "⟦ {given}[1:] -= {given}[:-1]⟧\n{new} = {given} + 1",
        "⟦ np.add.at({given}, [0, 0], 1.0)⟧\n{new} = {given} + 1",
        "flat = {given}.reshape(-1)\n⟦ flat[0] = 1.0⟧\n{new} = {given} + 1",
    ),
    "NST304": (
        '{new} = {a} * 2\n⟦ {log}.append("step")⟧',
        "{new} = {a} * 2\n⟦ {config}.calls += 1⟧",
        '{new} = {a} * 2\n⟦ {seen}["times"] = 2⟧',
        "{new} = {a} * 2\n⟦ {config}.training = False⟧",
        "global {count}\n{new} = {a} * 2\n⟦ {count} += 1⟧",
        "nonlocal {tally}\n{new} = {a} * 2\n⟦ {tally} += 1⟧",
        '{new} = {a} * 2\n⟦ setattr({config}, "calls", 5)⟧',
    ),
    "NST305": (
        "{new} = {a} * 2\n⟦ {log}.append({new})⟧",
        "{new} = {a} * 2\n⟦ {config}.last = {new}⟧",
        '{new} = {a} * 2\n⟦ {seen}["last"] = {new}.sum()⟧',
        "global {last}\n{new} = {a} * 2\n⟦ {last} = {new}⟧",
        "{new} = {a} * 2\n⟦ {seen}.update(last={new})⟧",
        "{new} = {a} * 2\n⟦ {log}.append(({new}, 1))⟧",
    ),
}  # fmt: skip
"""Faults in statements."""

ALONG_AXES = {
    "NST203": (
        "{new} = {a} + sum([0.5] * ⟦ {a}.size⟧)",
    ),
    "NST102": (
        "{new} = {a} * 2 if ⟦ {a}.size > 2⟧ else {a}",
        "{new} = {a} / 2 if ⟦ np.size({a}) == 3⟧ else {a}",
        "if ⟦ {a}.shape[0] > 2⟧:\n    {new} = {a} * 2\nelse:\n    {new} = {a}",
        "{new} = {a} if ⟦ len({a}) < 100⟧ else -{a}",
        "length = len({a})\nif ⟦ length % 2⟧:\n    {new} = {a} + 1\nelse:\n    {new} = {a}",
        "if ⟦ {a}.shape != (7, 7)⟧:\n    {new} = {a} / 2\nelse:\n    {new} = {a}",
        "{new} = {a}\nwhile ⟦ {new}.shape[0] > 100⟧:\n    {new} = {new}[1:]",
    ),
    "NST105": (
        "if ⟦ {a}.ndim == 7⟧:\n    {new} = {a} * 2\nelse:\n    {new} = {a}",
        "again = {a}\n{new} = {a} * 2 if ⟦ again is {a}⟧ else {a}",
    ),
    "NST106": (
        "{new} = {a} + np.stack([row * 2 for row in ⟦ {a}⟧])",
        "{new} = {a}\nfor row in ⟦ {a}⟧:\n    {new} = {new} + row",
        "{new} = np.zeros_like({a})\nfor i in ⟦ range(len({a}))⟧:\n    {new}[i] = {a}[i] * 2",
        "{new} = {a} * 1.0\nfor i, row in ⟦ enumerate({a})⟧:\n    {new}[i] = row - i",
        "{new} = {a}\nfor _ in ⟦ range({steps})⟧:\n    {new} = np.tanh({new})",
        "{new} = {a} + sum(row.sum() for row in ⟦ {a}⟧)",
        "first, *_ = ⟦ {a}⟧\n{new} = {a} - first",
        "{new} = {a}\nfor row, other in ⟦ zip({a}, {a})⟧:\n    {new} = {new} - row * 0.5 + other",
        "{new} = {a} + np.maximum.reduce([v for v in ⟦ {a}⟧])",
    ),
    "NST201": (
        "{new} = {a} + np.array(⟦ {a}.tolist()⟧)",
        "first, *_ = ⟦ {a}.ravel().tolist()⟧\n{new} = {a} - first",
    ),
    "NST401": (
        "pointer = ⟦ {a}.ctypes⟧\n{new} = {a} * 2",
        "buffer = ⟦ {a}.data⟧\n{new} = {a} * 2",
        "view = ⟦ memoryview({a})⟧\n{new} = {a} * 2",
        "interface = ⟦ {a}.__array_interface__⟧\n{new} = {a} * 2",
    ),
}  # fmt: skip
"""Statements whose array has an axis to go along, whose size comes from an argument."""


def _faults() -> dict[str, tuple[Fault, ...]]:
    made: dict[str, tuple[Fault, ...]] = {}
    for table, statements, axes in ((EXPRESSIONS, False, False), (STATEMENTS, True, False), (ALONG_AXES, True, True)):
        for code, texts in table.items():
            marked = (text.replace("⟦ ", f"⟦{code} ") for text in texts)
            made[code] = made.get(code, ()) + tuple(Fault(text, statements, axes) for text in marked)
    return dict(sorted(made.items()))


FAULTS = _faults()


class Needs(dict[str, str]):
    """The names in a fault's text, provided as they are asked for."""

    def __init__(self, scope: Scope, known: dict[str, str]) -> None:
        super().__init__(known)
        self._scope = scope

    def __missing__(self, name: str) -> str:
        module = self._scope.module
        if name in ARGUMENTS:
            return self._scope.ask(name, ARGUMENTS[name])
        if name == "table":
            module.imports.add("functools")
            module.declare(name, TABLE)
            return name
        if name in IMPORTS:
            module.imports.add(name)
            return name
        if name in ("config", "Config"):
            module.declare("Config", CONFIG)
        if name == "Config":
            return name
        if name == "config":
            around = self._scope.around
            if around is not None and around.kind is Root.METHOD and self._scope.maybe():
                return "self"
        if name in ("count", "last"):  # these are stored to as globals
            return module.define(name, GLOBALS[name])
        return self._scope.hidden(name, GLOBALS[name], cell=name == "tally")


def fill(text: str, scope: Scope, **known: str) -> str:
    """A fault's text with its names."""
    return text.format_map(Needs(scope, known))


def plant(fault: Fault, scope: Scope, a: Array) -> Array:
    """Write a fault's statements; the result is new."""
    new = scope.result_name()
    filled = fill(fault.text, scope, a=a.name, given=a.name, new=new)
    if filled.startswith(("global ", "nonlocal ")):
        declared, _, filled = filled.partition("\n")
        scope.declare(declared)
    scope.line(filled)
    return scope.add(Array(new, a.shape, tame=False))
