"""Branches that become `np.where`."""

from __future__ import annotations

from tests.fixes.mending import HEAD, NotOffered, Offered

_X = "# nst: example(np.array([3.0, -1.0, 2.0]))\n"

OFFERED = {
    "two returns": Offered(
        "NST101",
        HEAD
        + _X
        + """def f(x):
    if x.sum() > 0:
        return x * 2
    else:
        return x - 1
""",
        HEAD
        + _X
        + """def f(x):
    return np.where(x.sum() > 0, x * 2, x - 1)
""",
    ),
    "an early return, with comments": Offered(
        "NST101",
        HEAD
        + _X
        + """def f(x):
    y = x + 1
    if y.sum() > 0:  # mostly positive
        # double it
        return y * 2
    return y  # as it is
""",
        HEAD
        + _X
        + """def f(x):
    y = x + 1
    # mostly positive
    # double it
    return np.where(y.sum() > 0, y * 2, y)  # as it is
""",
    ),
    "assignments of a chain": Offered(
        "NST101",
        HEAD
        + _X
        + """def f(x):
    m = x.mean()
    if m > 2:
        y = x - 1
        z = x
    elif m > 1:
        y = x
        z = x * 3
    else:
        y = -x
        z = x + (
            x
        )
    return y + z
""",
        HEAD
        + _X
        + """def f(x):
    m = x.mean()
    y = np.where(m > 2, x - 1, np.where(m > 1, x, -x))
    z = np.where(m > 2, x, np.where(m > 1, x * 3, x + (
            x
        )))
    return y + z
""",
    ),
    "one side only": Offered(
        "NST101",
        HEAD + _X + "def f(x):\n    if not x.sum() < 0 and x[0] > 1:\n        x = np.maximum(x, 0)\n    return x * 2\n",
        HEAD
        + _X
        + "def f(x):\n    x = np.where(np.logical_and(np.logical_not(x.sum() < 0), x[0] > 1), np.maximum(x, 0), x)\n"
        "    return x * 2\n",
    ),
    "an expression in brackets, a chain of comparisons": Offered(
        "NST101",
        HEAD + _X + "def f(x):\n    return 2 * (x if 0 < x[0] < 5 else -x) + 1\n",
        HEAD + _X + "def f(x):\n    return 2 * np.where(np.logical_and(0 < x[0], x[0] < 5), x, -x) + 1\n",
    ),
    "elements": Offered(
        "NST101",
        HEAD + _X + "def f(x):\n    if bool(x[0] > 1):\n        return x.max()\n    return x.min()\n",
        HEAD + _X + "def f(x):\n    return np.where(x[0] > 1, x.max(), x.min())[()]\n",
    ),
    "by a size": Offered(
        "NST102",
        HEAD + _X + "def f(x):\n    return x * 2 if x.shape[0] > 2 else x\n",
        HEAD + _X + "def f(x):\n    return np.where(x.shape[0] > 2, x * 2, x)\n",
    ),
    "without contents": Offered(
        "NST405",
        HEAD + "# nst: example(spec((3,)))\ndef f(x):\n    if any(x > 0):\n        return x * 2\n    return x\n",
        HEAD + "# nst: example(spec((3,)))\ndef f(x):\n    return np.where(np.any(x > 0), x * 2, x)\n",
    ),
    "where numbers are missing": Offered(
        "NST101",
        HEAD + _X + "def f(x):\n    if np.isfinite(x).all():\n        return x * 2\n    return np.zeros_like(x)\n",
        HEAD + _X + "def f(x):\n    return np.where(np.isfinite(x).all(), x * 2, np.zeros_like(x))\n",
    ),
    "with several arguments for a star": Offered(
        "NST101",
        HEAD + "# nst: example(np.ones(2), np.ones(2))\ndef f(*xs):\n    return xs[0] if xs[1][0] > 0 else -xs[0]\n",
        HEAD
        + "# nst: example(np.ones(2), np.ones(2))\ndef f(*xs):\n    return np.where(xs[1][0] > 0, xs[0], -xs[0])\n",
    ),
    "tabs, in a helper on one line": Offered(
        "NST101",
        "import numpy as np\ndef clip(v):\n\tif v[0] > 1: return v - 1\n\tif v[1] > 1: return v\n\treturn -v\n"
        + _X
        + "def f(x):\n\treturn clip(x) * 2\n",
        "import numpy as np\ndef clip(v):\n\treturn np.where(v[0] > 1, v - 1, np.where(v[1] > 1, v, -v))\n"
        + _X
        + "def f(x):\n\treturn clip(x) * 2\n",
    ),
}

NOT_OFFERED = {
    "an effect on one side": NotOffered(
        "NST101",
        HEAD
        + "log = []\n\n\n"
        + _X
        + "def f(x):\n    if x[0] > 1:\n        return x * log.pop() if log else x\n    return -x\n",
    ),
    "a call that may do anything": NotOffered(
        "NST101",
        HEAD + "def g(x):\n    print(x)\n    return x\n\n\n" + _X + "def f(x):\n    return g(x) if x[0] > 1 else -x\n",
    ),
    "more than a result": NotOffered(
        "NST101",
        HEAD
        + _X
        + "def f(x):\n    if x[0] > 1:\n        y = x * 2\n        y = y + 1\n        return y\n    return x\n",
    ),
    "a guard against division by zero": NotOffered(
        "NST101", HEAD + _X + "def f(x):\n    s = x.sum() - 4.0\n    return x / s if s != 0 else x\n"
    ),
    "other shapes": NotOffered(
        "NST101", HEAD + _X + "def f(x):\n    if x[0] > 1:\n        return x[1:]\n    return x\n"
    ),
    "another dtype": NotOffered(
        "NST101", HEAD + _X + "def f(x):\n    if x[0] > 1:\n        return x\n    return x.astype(np.float32)\n"
    ),
    "an argument is written through what is chosen": NotOffered(
        "NST101", HEAD + _X + "def f(x):\n    y = x if x[0] > 1 else -x\n    y[1] = 5.0\n    return y * 2\n"
    ),
    "a pair": NotOffered("NST101", HEAD + _X + "def f(x):\n    return (x, x) if x[0] > 1 else (x, -x)\n"),
    "an array that is kept, not copied": NotOffered(
        "NST101", HEAD + _X + "def f(x):\n    y = x * 1\n    if x[0] > 1:\n        y[0] = 7.0\n    return y\n"
    ),
    "raises on the other side": NotOffered(
        "NST101", HEAD + _X + "def f(x):\n    if x[0] > 5:\n        raise ValueError('large')\n    return x\n"
    ),
    "set on one way only": NotOffered(
        "NST101",
        HEAD + _X + "def f(x):\n    for _ in range(2):\n        if x[0] > 1:\n            y = x * 2\n"
        "    return y if x[0] > 1 else x\n",
    ),
    "a loop": NotOffered("NST101", HEAD + _X + "def f(x):\n    while x[0] > 1:\n        x = x / 2\n    return x\n"),
    "no name for NumPy": NotOffered(
        "NST101",
        "from numpy import array\n\n\n# nst: example(array([1.0, 2.0]))\ndef f(x):\n    return x if x[0] > 0 else -x\n",
    ),
    "nobody has seen the other side": NotOffered(
        "NST102", HEAD + _X + "def f(x):\n    if not x.size:\n        return x\n    return x - x.mean()\n"
    ),
    "a comment inside an expression": NotOffered(
        "NST101",
        HEAD
        + _X
        + "def f(x):\n    return (\n        x  # as it is\n        if x[0] > 1\n        else -x  # turned\n    )\n",
    ),
}
