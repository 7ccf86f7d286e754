"""A tree of 2,000 everyday NumPy functions for `nst check`: packages of modules, with helpers that they share.

Ten of fourteen functions are pure, as most are; the others branch on values or sizes, read globals, lose numbers or
write into their arguments.  No two functions have the same text, and the tree is the same each time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

FUNCTIONS = 2000
IN_MODULE = 5
IN_PACKAGE = 20
"""Modules, besides the one with helpers."""

HELPERS = '''"""What the modules of this package share."""

import numpy as np

EPSILON = 1e-{package}


def normalised(x):
    """Zero mean and unit spread along the last axis."""
    centre = x.mean(axis=-1, keepdims=True)
    return (x - centre) / np.sqrt(((x - centre) ** 2).mean(axis=-1, keepdims=True) + EPSILON)


def squashed(x):
    return 1.0 / (1.0 + np.exp(-x))
'''

HEAD = '''"""Module {index}: generated."""

import numpy as np

from .helpers import normalised, squashed

gain_{index} = {index}.5
'''

KINDS = (
    '''
# nst: example(np.linspace(0.0, 1.0, {size}).reshape(-1, 4), {number}.0)
def layer_{name}(x, width):
    """One layer of a small model."""
    hidden = normalised(x) * width
    return squashed(hidden @ hidden.T).sum(axis=0)
''',
    """
# nst: example(np.linspace(-2.0, 2.0, {size}))
def softplus_{name}(x):
    return np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0.0) * {number}.0
""",
    """
# nst: example(np.arange({size}.0).reshape(-1, 4))
def softmax_{name}(x):
    weights = np.exp(x - x.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) + {number}.0
""",
    """
# nst: example(np.linspace(0.0, 3.0, {size}), np.linspace(1.0, 2.0, {size}))
def distance_{name}(a, b):
    apart = a - b
    return np.sqrt((apart * apart).sum()) / {number}.0
""",
    """
# nst: example(np.linspace(0.0, 1.0, {size}).reshape(-1, 4))
def covariance_{name}(samples):
    centred = samples - samples.mean(axis=0)
    return centred.T @ centred / (samples.shape[0] - 1) + {number}.0 * np.eye(samples.shape[1])
""",
    """
# nst: example(np.sin(np.arange({size}.0)))
def differences_{name}(x):
    inner = (x[2:] - x[:-2]) / {number}.0
    return np.concatenate([inner[:1], inner, inner[-1:]])
""",
    """
# nst: example(np.cos(np.arange({size}.0)))
def smoothed_{name}(x):
    kernel = np.array([1.0, {number}.0, 1.0])
    padded = np.pad(x, 1, mode="edge")
    return kernel[0] * padded[:-2] + kernel[1] * padded[1:-1] + kernel[2] * padded[2:]
""",
    """
# nst: example(np.linspace(-1.0, 1.0, {size}).reshape(-1, 4))
def clipped_{name}(x):
    return np.clip(x, -0.5, 0.5).reshape(x.shape[0], -1).T * {number}.0
""",
    """
# nst: example(np.linspace(0.1, 1.0, {size}))
def entropy_{name}(p):
    p = p / p.sum()
    return -(p * np.log(p)).sum() * {number}.0
""",
    """
# nst: example(np.linspace(0.0, 1.0, {size}), np.linspace(1.0, 0.0, {size}))
def mixed_{name}(a, b):
    kept = np.where(a > b, a, b)
    return np.stack([kept, squashed(kept)]) - {number}.0
""",
    """
# nst: example(np.linspace(-1.0, 2.0, {size}))
def rectified_{name}(x):
    if x.mean() > 0:
        return x * {number}.0
    return -x
""",
    """
# nst: example(np.linspace(0.0, 1.0, {size}))
def scaled_{name}(x):
    return normalised(x) * gain_{index} + {number}.0
""",
    """
# nst: example(np.linspace(0.0, 1.0, {size}).reshape(-1, 4))
def summed_{name}(x):
    total = np.zeros(x.shape[1])
    for row in x:
        total += row * {number}.0
    return total / float(x.max())
""",
    """
# nst: example(np.linspace(0.0, 1.0, {size}))
def written_{name}(x):
    x[0] = {number}.0
    x -= x.min()
    return x
""",
)


def write(root: Path, functions: int = FUNCTIONS) -> int:
    """Write the tree; returns how many files it has."""
    texts = dict(files(functions))
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return len(texts)


def files(functions: int = FUNCTIONS) -> Iterator[tuple[str, str]]:
    """Each file by its path in the tree."""
    yield "pyproject.toml", "[tool.nst]\n"
    modules = -(-functions // IN_MODULE)
    for package in range(-(-modules // IN_PACKAGE)):
        yield f"package_{package}/__init__.py", ""
        yield f"package_{package}/helpers.py", HELPERS.format(package=package % 9 + 1)
    for index in range(modules):
        numbers = range(index * IN_MODULE, min((index + 1) * IN_MODULE, functions))
        yield (
            f"package_{index // IN_PACKAGE}/module_{index}.py",
            HEAD.format(index=index) + "\n".join(_function(number, index) for number in numbers),
        )


def _function(number: int, index: int) -> str:
    kind = KINDS[number % len(KINDS)]
    return kind.format(name=number, index=index, size=8 + 4 * (number % 5), number=number + 2)
