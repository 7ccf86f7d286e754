"""Defaults, variables of loops, and arguments that are written."""

from __future__ import annotations

from tests.fixes.mending import HEAD, NotOffered, Offered

_X = "# nst: example(np.array([1.0, 3.0]))\n"

OFFERED = {
    "a list": Offered(
        "NST304",
        HEAD
        + _X
        + '''def f(x, log: "list" = []):
    """Doubles."""
    log.append("f")
    return x * 2
''',
        HEAD
        + _X
        + '''def f(x, log: "list | None" = None):
    """Doubles."""
    if log is None:
        log = []
    log.append("f")
    return x * 2
''',
    ),
    "a dict, by keyword, on one line": Offered(
        "NST304",
        HEAD + _X + "def f(x, *, cache: dict = {'n': 0}): cache['n'] += 1; return x * 2\n",
        HEAD + _X + "def f(x, *, cache: dict | None = None):\n    if cache is None:\n        cache = {'n': 0}\n"
        "    cache['n'] += 1; return x * 2\n",
    ),
    "a leak, tabs and carriage returns": Offered(
        "NST305",
        "import numpy as np\r\n\r\n\r\n# nst: example(np.array([1.0, 3.0]))\r\n"
        "def f(x, seen=list()):\r\n\tseen.append(x)\r\n\treturn x * 2\r\n",
        "import numpy as np\r\n\r\n\r\n# nst: example(np.array([1.0, 3.0]))\r\ndef f(x, seen=None):\r\n"
        "\tif seen is None:\r\n\t\tseen = list()\r\n\tseen.append(x)\r\n\treturn x * 2\r\n",
    ),
    "the last function of a loop": Offered(
        "NST205",
        HEAD
        + "powers = []\nfor k in range(1, 4):\n    powers.append(lambda x: x**k)\n\n\n"
        + _X
        + "def cube(x):\n    return powers[-1](x) + 1\n",
        HEAD
        + "powers = []\nfor k in range(1, 4):\n    powers.append(lambda x, k=k: x**k)\n\n\n"
        + _X
        + "def cube(x):\n    return powers[-1](x) + 1\n",
    ),
    "a def in a comprehension's place, with stars": Offered(
        "NST205",
        HEAD + "steps = []\nfor k in (1.0, 2.0):\n    def step(x, *rest, **more):\n        return x * k\n"
        "    steps.append(step)\n\n\n" + _X + "def f(x):\n    return steps[1](x) + 1\n",
        HEAD + "steps = []\nfor k in (1.0, 2.0):\n    def step(x, *rest, k=k, **more):\n"
        "        return x * k\n    steps.append(step)\n\n\n" + _X + "def f(x):\n    return steps[1](x) + 1\n",
    ),
    "by an operator": Offered(
        "NST303",
        HEAD + _X + "def f(x):\n    x *= 2 + x  # grows\n    return x\n",
        HEAD + _X + "def f(x):\n    x = x * (2 + x)  # grows\n    return x\n",
    ),
    "by index, after a docstring": Offered(
        "NST303",
        HEAD
        + _X
        + 'def f(x):\n    """Pins.\n\n    And more.\n    """\n    # the first\n    x[0] = 7.0\n    return x * 2\n',
        HEAD + _X + 'def f(x):\n    """Pins.\n\n    And more.\n    """\n    # the first\n    x = x.copy()\n'
        "    x[0] = 7.0\n    return x * 2\n",
    ),
    "through a view, in a method": Offered(
        "NST303",
        HEAD + "class A:\n    # nst: example(A(), np.ones(3))\n    def f(self, x):\n        tail = x[1:]\n"
        "        tail *= 10\n        return x\n",
        HEAD + "class A:\n    # nst: example(A(), np.ones(3))\n    def f(self, x):\n        x = x.copy()\n"
        "        tail = x[1:]\n        tail *= 10\n        return x\n",
    ),
    "in place of a nested function's argument": Offered(
        "NST303",
        HEAD + _X + "def f(x):\n    def sorted_(v):\n        v.sort()\n        return v\n\n    return sorted_(x) * 2\n",
        HEAD + _X + "def f(x):\n    def sorted_(v):\n        v = v.copy()\n        v.sort()\n        return v\n\n"
        "    return sorted_(x) * 2\n",
    ),
    "by out, on one line": Offered(
        "NST303",
        HEAD + _X + "def f(x): np.add(x, 1, out=x); return x\n",
        HEAD + _X + "def f(x):\n    x = x.copy()\n    np.add(x, 1, out=x); return x\n",
    ),
}

NOT_OFFERED = {
    "a default of the module's own": NotOffered(
        "NST304", HEAD + "seen = []\n\n\n" + _X + "def f(x, log=seen):\n    log.append(1)\n    return x\n"
    ),
    "a counter that is only kept": NotOffered(
        "NST304", HEAD + "log = []\n\n\n" + _X + "def f(x):\n    log.append(1)\n    return x\n"
    ),
    "the first function of a loop": NotOffered(
        "NST205",
        HEAD
        + "powers = []\nfor k in range(1, 4):\n    powers.append(lambda x: x**k)\n\n\n"
        + _X
        + "def f(x):\n    return powers[0](x) + 1\n",
    ),
    "the loop's function is the one that is traced": NotOffered(
        "NST205", HEAD + "fs = []\nfor k in range(3):\n    fs.append(lambda x: x * k)\n\n" + _X + "f = fs[2]\n"
    ),
    "a function that is there to write": NotOffered("NST303", HEAD + _X + "def f(x):\n    x[:] = 1.0\n"),
    "its caller reads what it wrote": NotOffered(
        "NST303",
        HEAD + "def fill(v):\n    v[:] = 1.0\n    return v\n\n\n" + _X + "def f(x):\n    fill(x)\n    return x * 2\n",
    ),
    "may not be given": NotOffered(
        "NST303", HEAD + _X + "def f(x=None):\n    if x is not None:\n        x[0] = 1.0\n    return x\n"
    ),
    "an array in a dict": NotOffered(
        "NST303", HEAD + '# nst: example({"w": np.ones(2)})\ndef f(p):\n    p["w"] *= 2\n    return p["w"]\n'
    ),
    "read again through another name": NotOffered(
        "NST303",
        HEAD
        + "class A:\n    def __init__(self, x):\n        self.x = x\n\n\n"
        + _X
        + "def f(x):\n    a = A(x)\n    a.x[0] = 5.0\n    return x\n",
    ),
}
