"""What code is known to ask nothing that a run cannot be seen to ask."""

from __future__ import annotations

import pytest

from nst_lsp.checking.cache.pure import is_pure

EXAMPLE = "import numpy as np\n\n\ndef f(x):\n    return helper(x) * 2\n"


def pure(text: str, example: str = "np.ones(3)", **others: str) -> bool:
    return is_pure({"own.py": text, **others}, ["f"], [example])


PURE = [
    EXAMPLE,
    "from math import tau as t\n" + EXAMPLE,
    "import time\n" + EXAMPLE,
    "import time\n\ndef unused():\n    return time.time()\n\n" + EXAMPLE,
    EXAMPLE + "\nif __name__ == '__main__':\n    import time\n    print(time.time())\n",
    "rng = np.random.default_rng(0)\n" + EXAMPLE,
    "rng = np.random.RandomState(seed=3)\n" + EXAMPLE,
    "DATA = open('data').read()\n" + EXAMPLE,
    "import os\nDATA = os.environ['DATA']\n" + EXAMPLE,
    "def other(id, input):\n    return id + input\n" + EXAMPLE.replace("helper", "other"),
]


@pytest.mark.parametrize("text", PURE)
def test_pure(text: str):
    assert pure(text)


IMPURE = [
    "import time\nSTART = time.time()\n" + EXAMPLE,
    "import time as t\nSTART = t.time()\n" + EXAMPLE,
    "from time import *\nSTART = monotonic_ns()\n" + EXAMPLE,
    "from datetime import date\n\nclass A:\n    day = date.today()\n\n" + EXAMPLE,
    "import time\n\ndef helper(x):\n    return x * time.time()\n\n" + EXAMPLE,
    "import time\n\ndef deeper(x):\n    return x * time.time()\n\ndef helper(x):\n    return deeper(x)\n\n" + EXAMPLE,
    "import time\n\ndef helper(x, clock=time.time):\n    return x * clock()\n\n" + EXAMPLE,
    "import time\n\nclass helper:\n    def __call__(self, x):\n        return time.time()\n\n" + EXAMPLE,
    "import time\n\ndef unused():\n    return time.time()\n\ndef helper(x):\n    return globals()['unu' + 'sed']()\n"
    + EXAMPLE,
    "if __name__ != '__main__':\n    import time\n    START = time.time()\n" + EXAMPLE,
    "def helper(x):\n    import time\n    return x * time.time()\n" + EXAMPLE,
    "helper = np.random.default_rng().normal\n" + EXAMPLE,
    "helper = np.random.default_rng(None).normal\n" + EXAMPLE,
    "import random\nrandom.seed()\n" + EXAMPLE,
    "import os\nPID = os.getpid()\n" + EXAMPLE,
    "import os\nUSED = os.times()\n" + EXAMPLE,
    "ORDER = sorted([object(), object()], key=id)\n" + EXAMPLE,
    "NOW = np.datetime64('now')\n" + EXAMPLE,
    "import h5py\nDATA = h5py.File('data')\n" + EXAMPLE,
    "from urllib import request\nDATA = request.urlopen('http://localhost')\n" + EXAMPLE,
    "def helper(x):\n    return x * np.load('table.npy') if x.sum() > 9 else x\n" + EXAMPLE,
    "import os\n\ndef helper(x):\n    return x if 'A' in os.environ else -x\n" + EXAMPLE,
    "def f(x:\n",
]


@pytest.mark.parametrize("text", IMPURE)
def test_impure(text: str):
    assert not pure(text)


def test_an_example_may_ask():
    assert not pure("import time\n" + EXAMPLE, "np.full(3, time.time())")
    assert not pure(EXAMPLE, "np.random.default_rng().normal(size=3)")
    assert pure(EXAMPLE, "np.random.default_rng(0).normal(size=3)")


def test_a_helper_of_another_file_may_ask():
    clock = "import time\n\ndef helper(x):\n    return x * time.time()\n"
    assert not pure("from other import helper\n" + EXAMPLE, other=clock)
    assert not pure("from other import time as t\nSTART = t.time()\n" + EXAMPLE, other="import time\n")
    assert pure(EXAMPLE.replace("helper", "abs"), other=clock)
