"""Python's own functions for numbers."""

from __future__ import annotations

from tests.fixes.mending import HEAD, NotOffered, Offered

_X = "# nst: example(np.array([3.0, -1.0, 2.0]))\n"
_S = "# nst: example(spec((3,)))\n"

OFFERED = {
    "max of a list": Offered(
        "NST201",
        HEAD + _X + "def f(x):\n    return x / max(x.tolist())\n",
        HEAD + _X + "def f(x):\n    return x / np.max(x)\n",
    ),
    "min of what a generator makes": Offered(
        "NST106",
        HEAD + _X + "def f(x):\n    return x - min(2 * abs(v) + 1 for v in x)\n",
        HEAD + _X + "def f(x):\n    return x - np.min(2 * abs(x) + 1)\n",
    ),
    "max of floats": Offered(
        "NST106",
        HEAD + _X + "def f(x):\n    return x * max(map(float, x))\n",
        HEAD + _X + "def f(x):\n    return x * np.max(x)\n",
    ),
    "max by reduce": Offered(
        "NST101",
        "import functools\n\nimport numpy as np\n\n\n" + _X + "def f(x):\n    return x * functools.reduce(max, x)\n",
        "import functools\n\nimport numpy as np\n\n\n" + _X + "def f(x):\n    return x * np.max(x)\n",
    ),
    "max of starred elements": Offered(
        "NST106",
        HEAD + _X + "def f(x):\n    return x * max(*x)\n",
        HEAD + _X + "def f(x):\n    return x * np.max(x)\n",
    ),
    "max of two without contents": Offered(
        "NST404",
        HEAD + _S + "def f(x):\n    return x * max(x[0], 0.5)\n",
        HEAD + _S + "def f(x):\n    return x * np.maximum(x[0], 0.5)\n",
    ),
    "min of three without contents": Offered(
        "NST404",
        HEAD + _S + "def f(x):\n    return x * min(x[0], x[1], x[2])\n",
        HEAD + _S + "def f(x):\n    return x * np.minimum(np.minimum(x[0], x[1]), x[2])\n",
    ),
    "float without contents": Offered(
        "NST201",
        HEAD + _S + "def f(x):\n    return x * float(x[0] + 1)\n",
        HEAD + _S + "def f(x):\n    return x * (x[0] + 1)\n",
    ),
    "item without contents": Offered(
        "NST201",
        HEAD + _S + "def f(x):\n    return x * x.sum().item()\n",
        HEAD + _S + "def f(x):\n    return x * x.sum()\n",
    ),
    "a list that goes back into an array": Offered(
        "NST201",
        HEAD + _X + "def f(größe):\n    return np.array(größe.tolist()) * 2  # schön\n",
        HEAD + _X + "def f(größe):\n    return np.array(größe) * 2  # schön\n",
    ),
    "len that is handed on": Offered(
        "NST203",
        HEAD + "# nst: example([np.ones(3), np.ones(2)])\ndef f(xs):\n    return xs[0] / sum(map(len, xs))\n",
        HEAD + "# nst: example([np.ones(3), np.ones(2)])\ndef f(xs):\n"
        "    return xs[0] / sum(each.shape[0] for each in xs)\n",
    ),
    "emptiness": Offered(
        "NST101",
        HEAD + "# nst: example(np.array([2.0]))\ndef f(x):\n    if not x:\n        return x\n    return x * 2\n",
        HEAD + "# nst: example(np.array([2.0]))\ndef f(x):\n    if not x.size:\n        return x\n    return x * 2\n",
    ),
    "emptiness of a list": Offered(
        "NST106",
        HEAD + _X + "def f(x):\n    y = x * 2\n    return y if list(y) else y + 1\n",
        HEAD + _X + "def f(x):\n    y = x * 2\n    return y if y.size else y + 1\n",
    ),
}

NOT_OFFERED = {
    "max by a key": NotOffered("NST101", HEAD + _X + "def f(x):\n    return x * max(x, key=abs)\n"),
    "an index into a list": NotOffered(
        "NST201", HEAD + "# nst: example(np.array([1, 2]))\ndef f(k):\n    return k * [1.0, 2.0, 3.0][int(k[0])]\n"
    ),
    "a Python float is narrower": NotOffered(
        "NST201",
        HEAD + "# nst: example(spec((3,), 'float32'), spec((3,)))\ndef f(x, y):\n    return x * float(y[0])\n",
    ),
    "an integer cuts": NotOffered("NST201", HEAD + _S + "def f(x):\n    return x * int(x[0] / 3)\n"),
    "an integer cuts what the example has not": NotOffered(
        "NST201", HEAD + _S + "def f(x):\n    return x * int(x[0])\n"
    ),
    "a list of Python's own": NotOffered(
        "NST201",
        "import json\n\nimport numpy as np\n\n\n"
        + _X
        + "def f(x):\n    return np.array(json.loads(json.dumps(x.tolist())))\n",
    ),
    "truth of the element": NotOffered(
        "NST101",
        HEAD + "# nst: example(np.array([2.0]))\ndef f(x):\n    if x:\n        return np.log(x)\n    return x + 5\n",
    ),
    "max of a result that is returned as Python's": NotOffered(
        "NST201", HEAD + _X + "def f(x):\n    return max(x.tolist())\n"
    ),
    "a size in a list": NotOffered("NST203", HEAD + _X + "def f(x):\n    return x * [1.0, 2.0, 3.0, 4.0][len(x)]\n"),
    "a comment would be lost": NotOffered(
        "NST201", HEAD + _X + "def f(x):\n    return x / np.array(\n        x.tolist(  # plain\n        )\n    )\n"
    ),
}
