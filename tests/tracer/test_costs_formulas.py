"""Operations and bytes against closed forms, worked out here by hand, and sums of index products."""

from __future__ import annotations

import doctest
import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tracer.versions import missing
from tracer import spec, trace
from tracer.worker.wire import GraphCost

Function = Callable[..., Any]


def cost(function: Function, *args: Any, mode: str = "symbolic") -> GraphCost:
    traced = trace(function, *args, mode=mode)
    assert traced.error is None, traced.error
    return traced.graph.cost


def operations(function: Function, *shapes: tuple[int, ...]) -> int:
    """The operations of a function of arrays of ones; all of them are known."""
    found = cost(lambda *arrays: function(*arrays), *(np.ones(shape) for shape in shapes))  # has a signature
    assert found.unknown == 0
    return found.operations.number


# ---- element by element, reductions ----------------------------------------------------------------

COUNTS: list[tuple[str, Function, tuple[tuple[int, ...], ...], int]] = [
    ("broadcasting counts the result", lambda x, y: x + y, ((4, 1), (1, 5)), 20),
    ("one function value an element", lambda x: np.exp(x), ((4, 5),), 20),
    ("in place", lambda x: np.add(x, 1.0, out=x * 1.0), ((4, 5),), 40),
    ("two results are two", lambda x: np.divmod(x, 2.0), ((4, 5),), 40),
    ("outer", lambda x, y: np.multiply.outer(x, y), ((4,), (5,)), 20),
    ("at", lambda x: np.add.at(x, np.array([0, 0, 1]), 2.0), ((4, 5),), 15),
    ("clip with one bound", lambda x: x.clip(0.0), ((4, 5),), 20),
    ("clip with two", lambda x: np.clip(x, 0.0, 1.0), ((4, 5),), 40),
    ("where", lambda x: np.where(x > 0, x, 0.0), ((4, 5),), 40),
    ("a sum of n is n - 1", lambda x: x.sum(), ((4, 5),), 19),
    ("of each row", lambda x: x.sum(axis=1), ((4, 5),), 16),
    ("from an initial value n", lambda x: np.sum(x, axis=1, initial=1.0), ((4, 5),), 20),
    ("reduce", lambda x: np.maximum.reduce(x), ((4, 5),), 15),
    ("a mean", lambda x: x.mean(axis=0), ((4, 5),), 15 + 5),
    ("a variance", lambda x: x.var(axis=0), ((4, 5),), (15 + 5) + 20 + 20 + (15 + 5)),
    ("argmax", lambda x: x.argmax(axis=1), ((4, 5),), 16),
    ("accumulated", lambda x: np.cumsum(x, axis=1), ((4, 5),), 16),
    ("flat", lambda x: np.cumsum(x), ((4, 5),), 19),
    ("differences", lambda x: np.diff(x, 2, 0), ((4, 5),), (3 + 2) * 5),
    ("a weighted mean", lambda x, w: np.average(x, weights=w), ((6,), (6,)), 6 + 5 + 5 + 1),
    ("a trace", lambda x: np.trace(x), ((4, 5),), 3),
    ("views are free", lambda x: x.T.reshape(-1)[::2], ((1, 5),), 0),
    ("copies compute nothing", lambda x: np.concatenate([x, x]).copy(), ((4, 5),), 0),
    ("what is indexed, too", lambda x: x[np.array([0, 2])], ((4, 5),), 0),
]  # fmt: skip


@pytest.mark.parametrize(("function", "shapes", "expected"), [c[1:] for c in COUNTS], ids=[c[0] for c in COUNTS])
def test_counts(function: Function, shapes: tuple[tuple[int, ...], ...], expected: int) -> None:
    assert operations(function, *shapes) == expected


# ---- products --------------------------------------------------------------------------------------


def test_products_of_matrices() -> None:
    m, n, k, b = 3, 5, 7, 2
    assert operations(lambda x, y: np.matmul(x, y), (m, k), (k, n)) == 2 * m * n * k
    assert operations(lambda x, y: x @ y, (b, m, k), (b, k, n)) == 2 * b * m * n * k
    assert operations(lambda x, y: x @ y, (b, 1, m, k), (4, k, n)) == 2 * b * 4 * m * n * k
    assert operations(np.dot, (k,), (k,)) == 2 * k
    assert operations(lambda x, y: x @ y, (m, k), (k,)) == operations(lambda x, y: x @ y, (k,), (k, m)) == 2 * m * k
    assert operations(np.outer, (m,), (n,)) == m * n
    assert operations(lambda x, y: np.tensordot(x, y, 2), (b, m, k), (m, k, n)) == 2 * b * m * k * n
    assert operations(lambda x, y: np.tensordot(x, y, ([0], [1])), (k, m), (n, k)) == 2 * m * n * k
    assert operations(np.inner, (m, k), (n, k)) == 2 * m * n * k
    assert operations(np.cross, (m, 3), (m, 3)) == 9 * m
    assert operations(lambda x: np.linalg.matrix_power(x, 6), (n, n)) == 3 * 2 * n**3  # x², x³ = x² x, x⁶


def test_a_chain_is_multiplied_in_the_best_order() -> None:
    sizes = (10, 30, 5, 60)
    cheapest = min(2 * (10 * 30 * 5 + 10 * 5 * 60), 2 * (30 * 5 * 60 + 10 * 30 * 60))
    shapes = list(itertools.pairwise(sizes)) if hasattr(itertools, "pairwise") else []
    assert operations(lambda *arrays: np.linalg.multi_dot(arrays), *shapes) == cheapest


EINSUMS = [
    ("ij,jk->ik", ("ij", "jk"), 2), ("bij,bjk->bik", ("bij", "bjk"), 2), ("i,j->ij", ("i", "j"), 1),
    ("bhqd,bhkd->bhqk", ("bhqd", "bhkd"), 2), ("ij,ij,ij->", ("ij", "ij", "ij"), 3), ("ii->", ("ii",), 1),
    ("ij->j", ("ij",), 1), ("ij,jk", ("ij", "jk"), 2), ("i,ij,j->", ("i", "ij", "j"), 3),
]  # fmt: skip
SIZE = {label: size for size, label in enumerate("bhijkqd", 2)}


@pytest.mark.parametrize(("subscripts", "operands", "factor"), EINSUMS, ids=[e[0] for e in EINSUMS])
def test_einsum_goes_through_all_indices(subscripts: str, operands: tuple[str, ...], factor: int) -> None:
    arrays = [np.ones([SIZE[label] for label in labels]) for labels in operands]
    labels = sorted(set("".join(operands)))
    steps = sum(1 for _ in itertools.product(*(range(SIZE[label]) for label in labels)))  # what a naive loop does
    assert cost(lambda *a: np.einsum(subscripts, *a), *arrays).operations.number == factor * steps


def test_einsum_with_an_ellipsis_and_with_lists() -> None:
    assert (
        operations(lambda x, y: np.einsum("...ij,...jk->...ik", x, y), (2, 3, 4, 5), (3, 5, 6)) == 2 * 2 * 3 * 4 * 5 * 6
    )
    assert operations(lambda x, y: np.einsum(x, [0, 1], y, [1, 2], [0, 2]), (3, 4), (4, 5)) == 2 * 3 * 4 * 5


def test_einsum_that_is_optimised_goes_pair_by_pair() -> None:
    shapes = ((20, 3), (3, 30), (30, 4))
    naive = operations(lambda x, y, z: np.einsum("ij,jk,kl->il", x, y, z), *shapes)
    best = operations(lambda x, y, z: np.einsum("ij,jk,kl->il", x, y, z, optimize="optimal"), *shapes)
    ways = (2 * 20 * 3 * 30 + 2 * 20 * 30 * 4, 2 * 3 * 30 * 4 + 2 * 20 * 3 * 4)
    assert (naive, best) == (3 * 20 * 3 * 30 * 4, min(ways))
    named = operations(
        lambda x, y, z: np.einsum("ij,jk,kl->il", x, y, z, optimize=["einsum_path", (0, 1), (0, 1)]), *shapes
    )
    assert named == ways[0]


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("sizes", [(9, 4), (4, 9), (7, 7), (8, 1), (6, 5)])
def test_convolution_by_hand(mode: Any, sizes: tuple[int, int]) -> None:
    a, v = (np.ones(size) for size in sizes)
    products = int(np.convolve(a, v, mode).sum())  # of ones, each element of the result counts its products
    assert operations(lambda x, y: np.convolve(x, y, mode), *[(size,) for size in sizes]) == 2 * products


def test_an_attention_block() -> None:
    b, h, t, d = 2, 3, 5, 4

    def attention(q: Any, k: Any, v: Any) -> Any:
        scores = q @ k.swapaxes(-1, -2) / math.sqrt(d)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return weights / weights.sum(axis=-1, keepdims=True) @ v

    both_products = 2 * (2 * b * h * t * t * d)
    softmax = b * h * t * (t + (t - 1) + t + t + (t - 1) + t)  # scale, max, subtract, exp, sum, divide
    assert operations(attention, *[(b, h, t, d)] * 3) == both_products + softmax


def test_a_perceptron() -> None:
    n, i, h, o = 8, 4, 16, 3

    def forward(x: Any, w: Any, b: Any, u: Any, c: Any) -> Any:
        return np.maximum(x @ w + b, 0.0) @ u + c

    expected = 2 * n * i * h + n * h + n * h + 2 * n * h * o + n * o
    assert operations(forward, (n, i), (i, h), (h,), (h, o), (o,)) == expected


# ---- linear algebra, transforms, sorting -----------------------------------------------------------

N = 12
LEADING: list[tuple[str, Function, tuple[tuple[int, ...], ...], float]] = [
    ("det", np.linalg.det, ((N, N),), 2 / 3 * N**3),
    ("solve", np.linalg.solve, ((N, N), (N, 4)), 2 / 3 * N**3 + 2 * N**2 * 4),
    ("solve one", np.linalg.solve, ((N, N), (N,)), 2 / 3 * N**3 + 2 * N**2),
    ("inv", np.linalg.inv, ((5, N, N),), 5 * 8 / 3 * N**3),
    ("cholesky", np.linalg.cholesky, ((N, N),), N**3 / 3),
    ("r", lambda x: np.linalg.qr(x, mode="r"), ((20, N),), 2 * 20 * N**2 - 2 / 3 * N**3),
    ("qr", lambda x: np.linalg.qr(x), ((20, N),), 2 * (2 * 20 * N**2 - 2 / 3 * N**3)),
    ("qr of a wide matrix", lambda x: np.linalg.qr(x, "r"), ((N, 20),), 2 * 20 * N**2 - 2 / 3 * N**3),
    ("singular values", lambda x: np.linalg.svd(x, compute_uv=False), ((20, N),), 4 * 20 * N**2 - 4 / 3 * N**3),
    ("svd", lambda x: np.linalg.svd(x, full_matrices=False), ((N, 20),), 14 * 20 * N**2 + 8 * N**3),
    ("eigh", np.linalg.eigh, ((N, N),), 9 * N**3),
    ("eigvalsh", np.linalg.eigvalsh, ((N, N),), 4 / 3 * N**3),
    ("fft", np.fft.fft, ((3, 100),), 3 * 5 * 100 * math.log2(100)),
    ("fft of more", lambda x: np.fft.fft(x, 128), ((3, 100),), 3 * 5 * 128 * 7),
    ("fft along", lambda x: np.fft.ifft(x, axis=0), ((64, 3),), 3 * 5 * 64 * 6),
    ("rfft", np.fft.rfft, ((3, 64),), 3 * 2.5 * 64 * 6),
    ("irfft", lambda x: np.fft.irfft(x), ((3, 33),), 3 * 2.5 * 64 * 6),
    ("fft2", np.fft.fft2, ((3, 8, 16),), 3 * 5 * 128 * 7),
    ("fftn", np.fft.fftn, ((4, 8, 16),), 5 * 512 * 9),
    ("rfftn", np.fft.rfftn, ((4, 8, 16),), 2.5 * 512 * 9),
    ("sort", lambda x: np.sort(x, axis=0), ((32, 3),), 3 * 32 * 5),
    ("argsort of all", lambda x: np.argsort(x, axis=None), ((32, 2),), 64 * 6),
    ("searchsorted", np.searchsorted, ((64,), (10,)), 10 * 6),
    ("norm", np.linalg.norm, ((4, 5),), 2 * 20),
    ("norms of rows", lambda x: np.linalg.norm(x, axis=1), ((4, 5),), 2 * 20),
]  # fmt: skip


@pytest.mark.parametrize(("function", "shapes", "expected"), [c[1:] for c in LEADING], ids=[c[0] for c in LEADING])
def test_closed_forms(function: Function, shapes: tuple[tuple[int, ...], ...], expected: float) -> None:
    arrays = [
        np.ones(shape) + 20 * np.eye(shape[-2], shape[-1]) if len(shape) > 1 else np.ones(shape) for shape in shapes
    ]
    found = cost(lambda *a: np.asarray(_first(function(*a))), *arrays)
    assert (found.operations.number, found.unknown) == (round(expected), 0)


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, tuple) else value


# ---- bytes -----------------------------------------------------------------------------------------


def moved(function: Function, *args: Any) -> tuple[int, int]:
    found = cost(function, *args)
    assert found.unknown == 0
    return found.read.number, found.written.number


def test_bytes_of_what_is_read_and_written() -> None:
    x, y = np.ones((4, 5)), np.ones(5, np.float32)
    assert moved(lambda x, y: x + y, x, y) == (160 + 20, 160)
    assert moved(lambda x: x * x, x) == (160, 160)  # an operand is read once
    assert moved(lambda x: x.T, x) == (0, 0)
    assert moved(lambda x: np.zeros_like(x), x) == (0, 160)
    assert moved(lambda x, k: x[k], x, np.array([0, 2])) == (2 * 40 + 2 * 8, 80)  # what is picked, and the indices
    assert moved(lambda x: np.broadcast_to(x[0], (100, 5)).sum(), x) == (40, 8)  # the memory that it lies in
    assert moved(lambda x: np.linalg.svd(x, full_matrices=False)[1], x) == (160, 8 * (4 * 4 + 4 + 4 * 5))


def test_bytes_of_writes() -> None:
    def store(x: Any) -> Any:
        y = np.zeros((4, 5))
        y[1:3, 0] = x[:2, 0]
        y += x
        return y

    assert moved(store, np.ones((4, 5))) == (16 + 2 * 160, 160 + 16 + 160)


def test_an_output_that_is_an_operand_too_is_read() -> None:
    x, y = np.ones((4, 5)), np.ones((4, 5))
    assert moved(lambda x: np.exp(x, out=x), x) == (160, 160)
    assert moved(lambda x, y: np.multiply(x, y, x), x, y) == (2 * 160, 160)
    assert moved(lambda x: np.clip(a=x, a_min=0, a_max=1, out=x), x) == (160, 160)
    assert moved(lambda x, y: np.exp(y, out=x), x, y) == (160, 160)  # what is only written is not


def test_words_are_told_in_the_names_of_dimensions() -> None:
    found = cost(lambda x, w: np.tanh(x @ w), spec("b d", b=8, d=3), spec("d h", d=3, h=4))
    assert (found.operations.words, found.operations.number) == ("2*b*d*h + b*h", 2 * 8 * 3 * 4 + 8 * 4)
    assert found.written.words == "16*b*h"


def test_fake_arrays_of_any_size_cost_what_they_would() -> None:
    found = cost(lambda x: np.exp(x).sum(axis=1), spec((1_000_000, 4096)), mode="fake")
    assert found.operations.number == 2 * 1_000_000 * 4096 - 1_000_000
    assert (found.written.number, found.peak) == (8 * 1_000_000 * 4097, 8 * 1_000_000 * (2 * 4096 + 1))


# ---- what is not known -----------------------------------------------------------------------------


def test_what_contents_decide_is_not_counted() -> None:
    def masked(x: Any) -> Any:
        y = x * 2.0
        y[y > 1.0] = 0.0
        return np.add(y, 1.0, where=y > 0, out=np.zeros_like(y))

    found = cost(masked, np.ones((4, 5)))
    assert found.unknown == 2
    assert found.operations.number == 3 * 20


def test_what_the_tracer_does_not_see_into_is_not_counted() -> None:
    import scipy.linalg  # type: ignore[import-untyped]

    found = cost(lambda x: scipy.linalg.expm(x) + 1.0, np.eye(3))
    assert (found.unknown, found.operations.number) == (1, 9)


def test_results_that_contents_shape_are_those_of_the_example() -> None:
    found = cost(lambda x: np.nonzero(x)[0], np.eye(3, 4))
    assert (found.unknown, found.operations.number, found.written.number) == (0, 12, 2 * 3 * 8)
    assert found.written.words is None

    def scaled(x: Any) -> Any:
        values, vectors = np.linalg.eig(x)
        return vectors * values

    found = cost(scaled, np.eye(3))
    assert (found.unknown, found.operations.number) == (0, 25 * 3**3 + 9)
    assert cost(lambda x: np.linalg.eig(x)[0], np.eye(3)).unknown == 1  # of the vectors nothing is known


def test_of_nothing_nothing_is_less() -> None:
    found = cost(lambda x: x.sum() + 1.0, np.ones(0))
    assert found.operations.number == 1


@pytest.mark.skipif(missing("np.vecdot(x, x)") is not None, reason="a later NumPy")
def test_products_of_vectors() -> None:
    assert operations(lambda x, y: np.vecdot(x, y), (3, 5), (3, 5)) == 2 * 15


def test_the_page_about_costs_shows_what_is_told() -> None:
    page = (Path(__file__).parents[2] / "docs" / "cost.md").read_text(encoding="utf-8")
    block = page.split("```python\n")[1].split("```")[0]
    shown = doctest.DocTestParser().get_doctest(block, {"np": np}, "cost", None, 0)
    assert doctest.DocTestRunner().run(shown) == (0, 4)
