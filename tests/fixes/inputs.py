"""Hidden inputs and random draws that become parameters."""

from __future__ import annotations

from tests.fixes.mending import HEAD, NotOffered, Offered

OFFERED = {
    "a number": Offered(
        "NST205",
        HEAD
        + """gain = 0.5


# nst: example(np.ones(3))
def scaled(x):
    return x * gain  # louder


total = scaled(np.ones(2)).sum()
""",
        HEAD
        + """gain = 0.5


# nst: example(np.ones(3), gain=np.array(gain))
def scaled(x, gain):
    return x * gain  # louder


total = scaled(np.ones(2), gain=gain).sum()
""",
    ),
    "an array, in a method that is called": Offered(
        "NST204",
        HEAD
        + """bias = np.array([1.0, 2.0])


class Layer:
    def forward(self, x: np.ndarray) -> np.ndarray:
        return x + bias

    def twice(self, x):
        return self.forward(self.forward(x))


# nst: example(np.ones(2))
def use(x):
    return Layer().twice(x)
""",
        HEAD
        + """bias = np.array([1.0, 2.0])


class Layer:
    def forward(self, x: np.ndarray, bias) -> np.ndarray:
        return x + bias

    def twice(self, x, bias):
        return self.forward(self.forward(x, bias=bias), bias=bias)


# nst: example(np.ones(2), bias=bias)
def use(x, bias):
    return Layer().twice(x, bias=bias)
""",
    ),
    "an item, through a helper": Offered(
        "NST205",
        HEAD
        + """settings = {"eps": 1e-3, "name": "x"}


def share(x, /, *, axis=0):
    return x / (x.sum(axis=axis) + settings["eps"])


# nst: example(
#     np.array([1.0, 3.0]),
# )
def twice(x):
    return share(share(x), axis=0)


def elsewhere(y):
    return share(
        y,
        axis=-1,
    )
""",
        HEAD
        + """settings = {"eps": 1e-3, "name": "x"}


def share(x, /, *, axis=0, eps):
    return x / (x.sum(axis=axis) + eps)


# nst: example(
#     np.array([1.0, 3.0]), eps=np.array(settings["eps"])
# )
def twice(x, eps):
    return share(share(x, eps=eps), axis=0, eps=eps)


def elsewhere(y):
    return share(
        y,
        axis=-1,
        eps=settings["eps"],
    )
""",
    ),
    "defaults, stars and one line": Offered(
        "NST205",
        HEAD
        + """gain = 0.5


# nst: example(np.ones(3), 2.0)
def f(x, k=1.0, *rest, **more): return x * gain * k + sum(rest)
""",
        HEAD
        + """gain = 0.5


# nst: example(np.ones(3), 2.0, gain=np.array(gain))
def f(x, k=1.0, *rest, gain, **more): return x * gain * k + sum(rest)
""",
    ),
    "a signature over several lines, tabs, a decorator's example": Offered(
        "NST205",
        "import numpy as np\nfrom tracer import example\n\ngröße = 0.5\n\n\n@example(np.ones(3), scale=2.0)\n"
        "def f(\n\tx: 'np.ndarray',\n\tscale: float = (1.0),\n) -> 'np.ndarray':\n\treturn x * größe * scale\n",
        "import numpy as np\nfrom tracer import example\n\ngröße = 0.5\n\n\n"
        "@example(np.ones(3), scale=2.0, größe=np.array(größe))\n"
        "def f(\n\tx: 'np.ndarray',\n\tscale: float = (1.0),\n\t*, größe,\n) -> 'np.ndarray':\n"
        "\treturn x * größe * scale\n",
    ),
    "carriage returns": Offered(
        "NST205",
        "import numpy as np\r\n\r\ngain = 0.5\r\n\r\n\r\n# nst: example(np.ones(3))\r\ndef f(x):\r\n"
        "    return x * gain\r\n",
        "import numpy as np\r\n\r\ngain = 0.5\r\n\r\n\r\n# nst: example(np.ones(3), gain=np.array(gain))\r\n"
        "def f(x, gain):\r\n    return x * gain\r\n",
    ),
    "a draw of NumPy": Offered(
        "NST206",
        HEAD
        + """# nst: example(np.array([1.0, 2.0]))
def jitter(x):
    noise = np.random.rand(2) + np.random.randn(2)
    return x + noise * np.random.normal(0.0, 2.0, size=2)


start = jitter(np.zeros(2))
""",
        HEAD
        + """# nst: example(np.array([1.0, 2.0]), rng=np.random.default_rng(0))
def jitter(x, rng):
    noise = rng.random(2) + rng.standard_normal(2)
    return x + noise * rng.normal(0.0, 2.0, size=2)


start = jitter(np.zeros(2), rng=np.random.default_rng())
""",
    ),
    "a draw of Python": Offered(
        "NST206",
        """import random

import numpy as np


# nst: example(np.array([1.0, 2.0]))
def scaled(x):
    return x * random.uniform(1.0, 2.0)
""",
        """import random

import numpy as np


# nst: example(np.array([1.0, 2.0]), rng=np.random.default_rng(0))
def scaled(x, rng):
    return x * rng.uniform(1.0, 2.0)
""",
    ),
    "a generator made in the function": Offered(
        "NST206",
        HEAD
        + """# nst: example(np.array([1.0, 2.0]))
def jitter(x):
    \"\"\"Noise.\"\"\"
    rng = np.random.default_rng()
    return x + rng.normal(size=x.shape)
""",
        HEAD
        + """# nst: example(np.array([1.0, 2.0]), rng=np.random.default_rng(0))
def jitter(x, rng):
    \"\"\"Noise.\"\"\"
    return x + rng.normal(size=x.shape)
""",
    ),
    "a generator of the module": Offered(
        "NST206",
        HEAD
        + """rng = np.random.default_rng(3)


def noise(n):
    return rng.normal(size=n)


# nst: example(np.array([1.0, 2.0]))
def jitter(x):
    return x + noise(2)


more = noise(3)
""",
        HEAD
        + """rng = np.random.default_rng(3)


def noise(n, rng):
    return rng.normal(size=n)


# nst: example(np.array([1.0, 2.0]), rng=np.random.default_rng(0))
def jitter(x, rng):
    return x + noise(2, rng=rng)


more = noise(3, rng=rng)
""",
    ),
}

_GAIN = HEAD + "gain = 0.5\n\n\n"
_F = "# nst: example(np.ones(3))\ndef f(x):\n    return x * gain\n"

NOT_OFFERED = {
    "handed on as a value": NotOffered("NST205", _GAIN + _F + "\n\nall_of_it = list(map(f, [np.ones(2)]))\n"),
    "called with a star": NotOffered("NST205", _GAIN + _F + "\n\ntotal = f(*[np.ones(2)])\n"),
    "called with two stars": NotOffered("NST205", _GAIN + _F + "\n\ntotal = f(**{'x': np.ones(2)})\n"),
    "a comment where the argument would stand": NotOffered(
        "NST205", _GAIN + _F + "\n\ntotal = f(\n    np.ones(2)  # two\n)\n"
    ),
    "decorated": NotOffered(
        "NST205",
        _GAIN + "def same(g):\n    return g\n\n\n# nst: example(np.ones(3))\n@same\ndef f(x):\n    return x * gain\n",
    ),
    "a text chooses, which no array can": NotOffered(
        "NST205",
        HEAD + "order = 'C'\n\n\n# nst: example(np.ones((3, 2)))\ndef f(x):\n    return x.ravel(order) * 2\n",
    ),
    "it would be a wider array": NotOffered(
        "NST205", _GAIN + "# nst: example(np.ones(3, np.float32))\ndef f(x):\n    return x * gain\n"
    ),
    "the name is taken": NotOffered(
        "NST205",
        HEAD + "s = {'eps': 1e-3}\n\n\n# nst: example(np.ones(3))\ndef f(x):\n    eps = x.min()\n"
        "    return x * eps + s['eps']\n",
    ),
    "shown in a session": NotOffered("NST205", _GAIN + _F + '\n\n"""\n>>> f(np.ones(2))\narray([0.5, 0.5])\n"""\n'),
    "overridden": NotOffered(
        "NST205",
        _GAIN
        + "class A:\n    def f(self, x):\n        return x * gain\n\n\nclass B(A):\n    pass\n\n\n"
        + "# nst: example(np.ones(2))\ndef use(x):\n    return B().f(x)\n",
    ),
    "a method whose name others have": NotOffered(
        "NST205",
        _GAIN
        + "class A:\n    def sum(self, x):\n        return x * gain\n\n\n"
        + "# nst: example(np.ones(2))\ndef use(x):\n    return A().sum(x)\n\n\n"
        + "def other(x):\n    return x.sum(0)\n",
    ),
    "called by a lambda whose parameter has the name": NotOffered(
        "NST205", _GAIN + _F + "\n\ntwice = lambda gain: f(np.ones(2) * gain)\n"
    ),
    "an attribute of an argument": NotOffered(
        "NST205",
        HEAD
        + "class A:\n    def __init__(self):\n        self.gain = 0.5\n\n"
        + "    # nst: example(A(), np.ones(2))\n    def f(self, x):\n        return x * self.gain\n",
    ),
    "a variable of the maker": NotOffered(
        "NST205",
        HEAD + "def make(k):\n    def g(x):\n        return x * k\n    return g\n\n\n"
        "# nst: example(np.ones(2))\nf = make(2.0)\n",
    ),
    "called where the name means something else": NotOffered(
        "NST205", _GAIN + _F + "\n\ndef other(gain):\n    return f(np.ones(gain))\n"
    ),
    "seeded by the file": NotOffered(
        "NST206",
        HEAD + "np.random.seed(1)\n\n\n# nst: example(np.ones(2))\ndef f(x):\n    return x * np.random.rand(2)\n",
    ),
    "a draw that generators do not have": NotOffered(
        "NST206", HEAD + "# nst: example(np.ones(2))\ndef f(x):\n    return x * np.random.random_integers(1, 3)\n"
    ),
    "drawn by a function that is handed on": NotOffered(
        "NST206",
        HEAD + "# nst: example(np.ones(2))\ndef f(x):\n    draw = np.random.rand\n    return x * draw(2)\n",
    ),
}
