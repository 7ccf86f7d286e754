"""Sizes through shape rules: a graph traced at one shape gives the function's own bits at all others, or refuses."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from tests.tracer.oracle import Function, Table, executed, outcome, same, table
from tracer import GuardError, Trace, trace

RESULTS = [
    "np.where(x > 0, x, x.T)", "np.squeeze(x).sum(axis=0)", "x.reshape(-1, 2).sum(axis=0)",
    'np.einsum("ij,kj->ik", x, x)', "np.concatenate([x, np.ones((1, x.shape[1]))])", "x[:3].sum() + x[-2:].sum()",
    "x[x.shape[0] // 2:, ::2]", "np.pad(x, ((x.shape[0] % 2, 0), (0, 1)))", "np.tile(x, (2, x.shape[0]))",
    "np.resize(x, (x.shape[1], 3))", "np.linspace(0, 1, x.size).reshape(x.shape) * x",
    "np.broadcast_to(x[0], x.shape) - x", "np.tri(*x.shape) * x",
    "np.stack([x] * 2, axis=-1).reshape(*x.shape[:-1], -1)",
    "np.lib.stride_tricks.sliding_window_view(x, 2, axis=0).mean(-1)", "np.diff(x, n=2, axis=0)",
    "np.repeat(x, np.arange(x.shape[0]), axis=0)", "np.cumsum(x, axis=1)[:, -1] / x.shape[1]",
    "x[np.arange(x.shape[0])[::-1], np.zeros(x.shape[0], int)]", "np.fft.rfft(x, axis=1).real",
    "np.kron(x, np.eye(2))", "np.trace(x) + x[..., None].sum(axis=(0, 2))", "np.array([x.shape[0], x.mean()])",
    "float(x.shape[0]) * x", "np.roll(x, x.shape[0] // 2, axis=0)", "x.mean(axis=0, keepdims=True) * np.ones_like(x)",
    "np.array_split(x, 2)[1]", "np.max(x, axis=0) if x.shape[0] else np.zeros(x.shape[1])", "[r * 2 for r in x[:2]]",
    "sum(x)", "max(x.sum(axis=0).shape[0], 2) * x", "np.vstack((x, x[:1], x)).T",
    "x @ np.ones(x.shape[1]) if x.ndim == 2 else x", "np.percentile(x, [10, 50], axis=0)",
    "np.unique(x).shape[0] * 1.0", "x[np.triu_indices(min(x.shape))]", "np.outer(x[0], x[:, 0]).ravel()[: x.size]",
    "np.indices(x.shape).sum(axis=0) * x", "np.meshgrid(x[0], x[:, 0])[0]", "x.T.copy().ravel() * np.arange(x.size)",
    "np.append(x, x[:1], axis=0)", "np.delete(x, 0, axis=0)", "np.insert(x, x.shape[0], 0.0, axis=0)",
    "np.split(x, [1], axis=0)[1]", "np.take(x, [0, -1], axis=0)", "np.argsort(x, axis=0)[-1]",
    "np.convolve(x[0], x[:, 0])", 'np.correlate(x.ravel(), x[0], "same")',
    "np.interp(np.linspace(0, 1, x.shape[0]), np.linspace(0, 1, x.shape[1]), x[0])", "np.gradient(x, axis=0)",
    "np.polyfit(np.arange(x.shape[1]), x[0], 1)", "np.cov(x)", "np.vander(x[0], x.shape[0])",
    "np.block([[x, x], [x, x]])", "np.rot90(x, x.shape[0])", "x[slice(None, x.shape[0] - 1)]",
    "np.full(x.shape[::-1], 2.0) @ x", "np.zeros(x.shape[0] + x.shape[1])[x.shape[0]:] + x",
    "np.zeros_like(x, shape=(x.shape[1],)) + x", "np.ogrid[0:1:x.shape[0] * 1j] * x[:, 0] if x.shape[0] else x",
    "np.r_[x[0], 0.0, x[:, 0]]", "np.digitize(x, np.linspace(-2, 2, x.shape[0]))", "np.lexsort(x)",
    "np.partition(x, x.shape[1] // 2, axis=1)[:, x.shape[1] // 2]", "np.searchsorted(np.sort(x[0]), x)",
    "np.hanning(x.shape[0])[:, None] * x", "np.tensordot(x, x, axes=([0], [0]))", "np.zeros((x.shape[0], 4)) + x",
    "np.linalg.svd(x, full_matrices=False)[1]", "x[: x.shape[0] // 2 * 2].reshape(2, -1)",
]  # fmt: skip
"""Of a matrix `x`: broadcasting, reductions, `reshape` with -1, slices, joining, padding, windows, indices."""

EXAMPLES = ((4, 4), (3, 4), (6, 4))
SHAPES = (
    (4, 4), (3, 4), (1, 4), (4, 1), (2, 4), (5, 4), (6, 4), (7, 3), (2, 2), (1, 1), (8, 2), (0, 4), (4, 0), (3, 8),
    (12, 4),
)  # fmt: skip
ASKS_CONTENTS = frozenset({"np.unique(x).shape[0] * 1.0"})


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Table:
    functions = (f"def shaped_{i}(x):\n    return {e}\n" for i, e in enumerate(RESULTS))
    return table(tmp_path_factory.mktemp("shapes"), "import numpy as np\n\n" + "\n".join(functions))


@pytest.mark.parametrize("mode", ["real", "symbolic", "fake"])
@pytest.mark.parametrize("i", [pytest.param(i, id=e) for i, e in enumerate(RESULTS)])
def test_right_or_refused_at_every_shape(mode: str, i: int, made: Table) -> None:
    if mode == "fake" and RESULTS[i] in ASKS_CONTENTS:
        return
    plain = made.plain[f"shaped_{i}"]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        traces = [trace(getattr(made.traced, f"shaped_{i}"), matrix(s), mode=mode) for s in EXAMPLES if takes(plain, s)]
        assert traces
        for found in traces:
            assert found.error is None, found.error
            _holds(found, plain)


def _holds(found: Trace, plain: Function) -> None:
    printed = executed(found)
    for shape in SHAPES:
        try:
            got = outcome(found.graph, [matrix(shape)])
        except GuardError:
            continue
        except (ValueError, IndexError, TypeError, np.linalg.LinAlgError):
            assert not takes(plain, shape), f"the graph cannot run at {shape}"
            continue
        wanted = outcome(plain, [matrix(shape)])
        same(got, wanted, f"at {shape}")
        same(outcome(printed, [matrix(shape)]), wanted, f"printed, at {shape}")


def matrix(shape: tuple[int, ...]) -> Any:
    return np.random.default_rng(shape).standard_normal(shape)


def takes(function: Function, shape: tuple[int, ...]) -> bool:
    """Whether the function itself runs on a matrix of this shape."""
    try:
        function(matrix(shape))
    except (ValueError, IndexError, TypeError, np.linalg.LinAlgError):
        return False
    return True
