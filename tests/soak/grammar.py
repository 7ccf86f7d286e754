"""Everyday NumPy modules by chance: settings, helpers, decorators, classes and functions with examples and faults.

A module is a tuple of parts, each one statement of the module with its comments; the order of the parts is the order
of the file.  Modules may import those with a smaller number.  Whatever is drawn here loads and mostly runs; what is
broken is broken later, on purpose (`edits.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

HELPERS = ("shift", "blend")
"""Functions that every module has, for others to import."""
HEAD = "import functools\nimport os\n\nimport numpy as np"


@dataclass(frozen=True, slots=True)
class Part:
    kind: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Module:
    number: int
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return "\n\n\n".join(part.text for part in self.parts) + "\n"

    def of(self, *kinds: str) -> list[int]:
        """Indexes of the parts of these kinds."""
        return [index for index, part in enumerate(self.parts) if part.kind in kinds]

    def put(self, index: int, part: Part) -> Module:
        return replace(self, parts=(*self.parts[:index], part, *self.parts[index + 1 :]))

    def insert(self, index: int, part: Part) -> Module:
        return replace(self, parts=(*self.parts[:index], part, *self.parts[index:]))

    def without(self, index: int) -> Module:
        return replace(self, parts=(*self.parts[:index], *self.parts[index + 1 :]))


def file_name(number: int) -> str:
    return f"mod_{number:02}.py"


def module(number: int, random: Random) -> Module:
    """A module; one in three has helpers only."""
    parts = [Part("head", "", f'"""Module {number}."""\n\n{HEAD}')]
    if number:
        parts += [imported(number, random) for _ in range(random.randint(1, 2))]
    parts += settings(random)
    parts += [helper(name, random) for name in HELPERS]
    parts.append(decorator(random))
    parts += random.sample([cached(random), layer(random), chosen(random), factory(random)], 3)
    if number % 3:
        parts += [function(f"f_{index}", random) for index in range(random.randint(1, 3))]
        if random.random() < 0.4:
            parts.append(bound(random))
    if random.random() < 0.5:
        parts.append(rebinding(random))
    return Module(number, tuple(parts))


def c(random: Random) -> str:
    """A number as it is written."""
    return f"{random.randint(1, 40) / 8}"


# ---- parts ------------------------------------------------------------------------------------------


def imported(number: int, random: Random) -> Part:
    """An import of an earlier module, near ones more often; the name `other` is bound by each of them."""
    other = max(0, number - random.randint(1, 5))
    name = f"mod_{other:02}"
    text = random.choice(
        [
            f"import {name} as other",
            f"import {name} as other\nfrom {name} import shift as shifted",
            f"import {name}\n\nother = {name}",
            f"import {name} as other\nfrom {name} import blend as shifted, gain as their_gain",
        ]
    )
    return Part("import", "other", text)


def settings(random: Random) -> list[Part]:
    return [
        Part("number", "gain", f"gain = {c(random)}"),
        Part("number", "bias", f"bias = np.array([{c(random)}, {c(random)}, {c(random)}])"),
        Part("number", "table", f'table = {{"eps": {c(random)}, "rate": {c(random)}}}'),
        Part("number", "log", "log = []"),
    ]


def helper(name: str, random: Random) -> Part:
    body = "\n".join("    " + line for line in steps(random, random.randint(1, 2), PLAIN))
    return Part("helper", name, f"def {name}(x, k={c(random)}):\n    y = x\n{body}\n    return y")


def decorator(random: Random) -> Part:
    text = (
        "def twice(function):\n    @functools.wraps(function)\n    def inner(*args, **named):\n"
        f"        return function(*args, **named) * {c(random)}\n\n    return inner"
    )
    return Part("decorator", "twice", text)


def cached(random: Random) -> Part:
    text = f"@functools.lru_cache(maxsize=None)\ndef power(n):\n    return float(n) ** {c(random)} + gain"
    return Part("cached", "power", text)


def layer(random: Random) -> Part:
    """A class with an attribute of the class, one of its objects, and a method with an example."""
    base = random.choice(["", "", "(Base)"])
    before = f"class Base:\n    offset = {c(random)}\n\n    def finish(self, y):\n        return y + self.offset"
    first = before + "\n\n\n" if base else ""
    body = "\n".join("        " + line for line in steps(random, 2, PLAIN))
    last = "self.finish(y)" if base else "y + self.scale"
    text = (
        f"{first}class Layer{base}:\n    scale = {c(random)}\n\n    def __init__(self, width={c(random)}):\n"
        f"        self.width = width\n\n    # nst: example(Layer(), np.linspace(0.0, {c(random)}, 4))\n"
        f"    def forward(self, x):\n        y = x * self.scale * self.width\n{body}\n        return {last}\n\n"
        "    def __call__(self, x):\n        return self.forward(x)"
    )
    return Part("class", "Layer", text)


def chosen(random: Random) -> Part:
    """A function that is one of two, by a setting, and a table of functions."""
    text = (
        f"if gain > {c(random)}:\n\n    def pick(x):\n        return x * {c(random)}\n\nelse:\n\n    def pick(x):\n"
        f'        return x + bias.sum()\n\n\nways = {{"pick": pick, "other": lambda x: x - {c(random)}}}'
    )
    return Part("helper", "pick", text)


def factory(random: Random) -> Part:
    text = (
        f"def make(c, start={c(random)}):\n    w = np.array([c, start])\n\n    def made(x):\n"
        f"        return x * c + w.sum() * {c(random)}\n\n    return made"
    )
    return Part("factory", "make", text)


def bound(random: Random) -> Part:
    return Part("bound", "g", f"# nst: example({argument(random)})\ng = make({c(random)})")


def function(name: str, random: Random) -> Part:
    examples = "\n".join(example(random) for _ in range(random.choice([1, 1, 2])))
    decorated = "@twice\n" if random.random() < 0.2 else ""
    body = "\n".join("    " + line for line in steps(random, random.randint(1, 4), PLAIN + FAULTS))
    default = random.choice([c(random), c(random), "gain", 'table["rate"]'])
    text = f"{examples}\n{decorated}def {name}(x, k={default}):\n    y = x\n{body}\n    return y"
    return Part("function", name, text)


def rebinding(random: Random) -> Part:
    """What changes a name of the module, or of another, or may change it some day."""
    text = random.choice(
        [
            f"def configure(value):\n    global gain\n    gain = value * {c(random)}",
            f"gain = gain + {c(random)}",
            f'table["eps"] = {c(random)}',
            f"bias[1] = {c(random)}",
            f"def reset():\n    bias[:] = {c(random)}\n    log.clear()",
            f"offset = shift(np.ones(2)).sum()\ngain = float(offset) * {c(random)}",
            f"def shift(x, k={c(random)}):\n    return x + k",
            f"log.append({c(random)})",
            f"Layer.scale = {c(random)}",
            f"other.gain = {c(random)}",
            f"other.shift = lambda x, k={c(random)}: x * k",
            f"class Layer:\n    scale = {c(random)}\n\n    def forward(self, x):\n        return x * self.scale",
        ]
    )
    return Part("rebinding", "", text)


# ---- statements and arguments -----------------------------------------------------------------------


def argument(random: Random) -> str:
    return random.choice(
        [
            f"np.linspace({c(random)}, 9.0, {random.randint(3, 5)})",
            f"np.arange({random.randint(3, 6)}.0) * {c(random)}",
            f"np.array([{c(random)}, {c(random)}, -{c(random)}])",
            "bias",
            "bias * gain",
            f"np.linspace(-1.0, {c(random)}, 6).reshape(2, 3)",
        ]
    )


def example(random: Random) -> str:
    more = random.choice(["", "", f", {c(random)}", f", k={c(random)}"])
    return f"# nst: example({argument(random)}{more})"


def steps(random: Random, count: int, among: tuple[str, ...]) -> list[str]:
    """Statements that turn `y` into an array of the same shape, or at least into something that goes on."""
    lines: list[str] = []
    for _ in range(count):
        lines += step(random, among).split("\n")
    return lines


def step(random: Random, among: tuple[str, ...]) -> str:
    text = random.choice(among)
    while "%" in text:
        text = text.replace("%", c(random), 1)
    return text


OWN = (
    "y = y * %",
    "y = np.sqrt(np.abs(y)) + %",
    "y = y - y.mean(axis=0)",
    "y = np.where(y > %, y, 0.1 * y)",
    "y = np.tanh(y * %)",
    "y = y * gain",
    "y = y + bias.sum()",
    'y = y * table["eps"]',
)
"""What needs nothing but the module's settings."""
PLAIN = (*OWN, "y = y + k")
FAULTS = (
    "y = shift(y)",
    "y = shift(y, %)",
    "y = blend(shift(y))",
    "y = other.shift(y)",
    "y = other.blend(y, k=%)",
    "y = shifted(y)",
    "y = y * other.gain",
    "y = y + other.bias[0]",
    'y = y * other.table["rate"]',
    "y = other.Layer().forward(y)",
    "y = Layer(%).forward(y)",
    "y = Layer()(y) * Layer.scale",
    "y = pick(y)",
    'y = ways["pick"](y) + ways["other"](y)',
    "y = make(%)(y)",
    "y = y * power(3)",
    "y = twice(shift)(y)",
    'y = y * globals()["gain"]',
    'y = getattr(other, "shift")(y)',
    "y = functools.reduce(lambda a, b: a + b, [y, y * %])",
    "if y.sum() > %:\n    y = y + 1.0",
    "if x.shape[0] > 3:\n    y = y * %",
    "if k > %:\n    y = -y\nelse:\n    y = y * 2.0",
    "if gain > %:\n    y = y + %",
    "y = y + float(y.max())",
    "y = y * y.max().item() + %",
    "log.append(len(x))",
    "log.append(y)",
    "y = y + len(log)",
    'print("sum", y.sum())',
    "np.random.seed(3)\ny = y + np.random.rand() * %",
    "y = y * np.random.default_rng(5).random()",
    "x[0] = %",
    "y = y + 0.0\ny[0] = %",
    "for row in range(x.shape[0]):\n    y = y + row * %",
    "y = y + y[y > %].sum()",
    "y = max(y.sum(), %) * y",
    "assert k > 0.0",
    "y = y.reshape(3, 7)",
    "if k > 4.0:\n    raise ValueError(k)",
    "scale = %\ny = [scale * v for v in (y,)][0]",
    "y = y / len(x)",
    "table['rate'] = %",
)
