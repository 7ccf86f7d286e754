"""Python's own ways round an array, of the program's making: helpers of every kind, and expressions that use them.

Nothing is lost in any of them.  In the texts `{a}` is an array of floats and `{new}` the outcome, of its shape; a
text without `{new}` is the expression of the outcome.
"""

from __future__ import annotations

from .scopes import Array, Scope

BLOCKS = {
    "repeated": """def repeated(v, times):
    return v if times == 0 else repeated(np.tanh(v), times - 1)
""",
    "weighted_by": """def weighted_by(v, scale=0.5, *, shift=1.0):
    return v * scale + shift
""",
    "added": """def added(*parts, **options):
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total * options.get("scale", 1.0)
""",
    "holding": """@contextlib.contextmanager
def holding(v):
    yield v * 2.0
""",
    "Wave": """class Wave:
    def __init__(self, values, rate=2.0):
        self.values = values
        self.rate = rate

    @property
    def energy(self):
        return self.values * self.rate

    def __add__(self, other):
        return Wave(self.values + other, self.rate)

    def __getitem__(self, key):
        return {"values": self.values, "half": self.values / 2}[key]

    def __iter__(self):
        yield self.values
        yield self.rate

    def __enter__(self):
        return self

    def __exit__(self, *details):
        return False
""",
    "Loud": """class Loud(Wave):
    def __init__(self, values):
        super().__init__(values, rate=3.0)

    @property
    def energy(self):
        return super().energy - 1.0
""",
    "kept": """def kept(function):
    def wrapper(v, *rest):
        return function(v, *rest) + 1.0

    return wrapper
""",
    "SCALE": "",
    "TABLE": "",
}
CONSTANTS = {"SCALE": "0.5", "TABLE": "np.array([2.0])"}
NEEDS = {"Loud": ("Wave",)}
IMPORTS = ("contextlib", "itertools", "operator", "copy", "functools", "math")

TEXTS = (
    "repeated({a}, 3)", "weighted_by({a})", "weighted_by({a}, shift=2.0)", "weighted_by({a}, 2.0)", "added({a}, {a}, {a})",
    "added({a}, scale=0.5)", "added(*[{a}, {a}], **{{'scale': 2.0}})", "with holding({a}) as {new}:\n    {new} = {new} + 1",
    "Wave({a}).energy", "(Wave({a}, 0.5) + 1.0).energy", "Wave({a})['half']", "{new}, rate = Wave({a})\n{new} = {new} * rate",
    "with Wave({a}) as wave:\n    {new} = wave.energy", "Loud({a}).energy", "(Loud({a}) + 0.5)['values']", "wave = Wave({a})\nwave.rate = 0.25\n{new} = wave.energy",
    "wave = Wave({a})\nwave.values = wave.values + 1\n{new} = wave.values", "kept(np.tanh)({a})", "kept(lambda v: v * 2)({a})", "kept(np.add)({a}, 2.0)",
    "{a} * SCALE", "{a} + TABLE[0]", "np.clip({a}, -SCALE, SCALE)", "list(itertools.accumulate([{a}, {a}]))[-1]", "operator.add({a}, 1.0)",
    "operator.itemgetter(1)((0, {a}))", "copy.copy({a})", "copy.deepcopy({a})", "copy.deepcopy([{a}, 1])[0]", "getattr(np, 'tanh')({a})", "{a}.__add__(1.0)",
    "match ({a}, 2):\n    case (first, int(k)):\n        {new} = first * k", "match {{'kind': 'b', 'v': {a}}}:\n    case {{'kind': 'b', 'v': found}}:\n        {new} = found + 1",
    "{new} = {a}\ndef bump():\n    nonlocal {new}\n    {new} = {new} + 1\nbump()", "{new} = {a}\nfor k in range(2):\n    {new} = {new} + k\nelse:\n    {new} = {new} * 2",
    "list(reversed([{a}, {a} * 2]))[1]", "({{'v': {a}}} | {{'w': 1}})['v']", "sum(map(np.negative, [{a}, {a}]))", "[v for v, keep in [({a}, True), ({a} * 2, False)] if keep][0]",
    "{a} if any(v is None for v in [1, None]) else {a} * 2", "(lambda v, k=2.0: v * k)({a})", "(lambda *vs: vs[-1])(1, {a})", "[*map(np.sin, [{a}])][0]",
    "next(filter(lambda v: v is not None, [None, {a}]))", "max([1.0, 2.0]) * {a}", "{a} * {{'k': 0.5}}['k']", "{a} * len([1, 2, 3])", "{a} * (2 if 'x' in 'xyz' else 3)",
    "{a} * (SCALE if SCALE else 1.0)", "functools.reduce(lambda u, v: u + v, [{a}, {a}])", "zipped = list(zip([1, 2], [{a}, {a}]))\n{new} = zipped[0][1] * zipped[1][0]",
    "try:\n    {new} = [{a}][1]\nexcept IndexError:\n    {new} = {a} / 2", "stack = [{a}]\nstack.insert(0, {a} * 2)\nstack.reverse()\n{new} = stack[0]", "chosen = {{}}\nchosen.setdefault('v', {a})\n{new} = chosen['v']", "{a} + np.float64(0.5)", "{a} * math.pi", "{a} + (0.1 + 0.2)", "{a} * bool(1)", "{a} + 1j.real", "{a} * abs(-2)",
    "{new} = {a}\nif ({new} := {new} * 2) is None:\n    {new} = {a}", "values = iter(({a}, {a} * 2))\nnext(values)\n{new} = next(values)", "first, (second, *_) = {a}, ({a} * 2, 1)\n{new} = first + second",
    "{a} * eval('2.0')", "nested = {{'x': [{{'y': ({a},)}}]}}\n{new} = nested['x'][0]['y'][0]", "memo = {{}}\nfor k in (1, 1):\n    if k not in memo:\n        memo[k] = {a} * k\n{new} = memo[1]",
)  # fmt: skip


def style(scope: Scope) -> None:
    """One of Python's ways round an array."""
    a = scope.array(lambda a: a.kind == "f" and a.tame and a.telling)
    if a is None:
        return
    text = scope.pick(TEXTS)
    for name in BLOCKS:
        if name in text:
            _provide(scope, name)
    scope.module.imports |= {module for module in IMPORTS if f"{module}." in text}
    scope.names |= {
        "rate",
        "wave",
        "bump",
        "first",
        "second",
        "k",
        "found",
        "zipped",
        "stack",
        "chosen",
        "values",
        "nested",
        "memo",
        "v",
        "w",
    }
    if "{new}" not in text:
        scope.let(text.format(a=a.name), a.shape, tame=False)
        return
    new = scope.result_name()
    scope.line(text.format(a=a.name, new=new))
    scope.add(Array(new, a.shape, tame=False))


def _provide(scope: Scope, name: str) -> None:
    """A helper, with what it needs before it."""
    module = scope.module
    if name in CONSTANTS:
        module.define(name, CONSTANTS[name])
        return
    module.declare(name, BLOCKS[name])
    module.imports |= {each for each in IMPORTS if f"{each}." in BLOCKS[name]}
    for needed in NEEDS.get(name, ()):
        module.blocks[:] = [block for block in module.blocks if block != BLOCKS[needed]]
        module.names.discard(needed)
        module.declare(needed, BLOCKS[needed])
