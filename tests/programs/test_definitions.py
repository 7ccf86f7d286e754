"""The programs compute what their names say: held against NumPy's and SciPy's own functions, or brute force."""

from __future__ import annotations

import functools
import itertools
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.fft  # type: ignore[import-untyped]
import scipy.linalg  # type: ignore[import-untyped]
import scipy.ndimage  # type: ignore[import-untyped]
import scipy.sparse  # type: ignore[import-untyped]

from tests.programs.kernels import (
    factorizations,
    indexing,
    integers,
    linear_algebra,
    networks,
    recurrences,
    solvers,
    tables,
    transforms,
)
from tests.programs.program import definite, dominant, hidden_markov, phasors, single, sparse

R = np.random.default_rng(17)
A, B, V, W = R.random((5, 5)), R.random((5, 5)), R.random(5), R.random(5)
SPD, DOMINANT, TALL = definite(R, 5), dominant(R, 5), R.random((7, 5))
WORDS = [(R.integers(0, 3, 7), R.integers(0, 3, 5)) for _ in range(5)]
TOEPLITZ = scipy.linalg.toeplitz([1, *V[:-1] / 5])
IMAGE, KERNEL, BIAS = single(R, 2, 6, 7, 2), single(R, 3, 3, 2, 3), single(R, 3)
PATHS = R.random((6, 6)) * (1 - np.eye(6))
SPARSE = sparse(R, 6)
KEYS = R.integers(0, 2**16, 40)
BYTES = R.integers(0, 256, (8, 3), np.uint32)


def written(function: Any, *args: Any, which: int = 0) -> Any:
    """What a function leaves in one of its arguments."""
    mine = [np.array(a) for a in args]
    function(*mine)
    return mine[which]


def levenshtein(a: Any, b: Any) -> int:
    @functools.cache
    def distance(i: int, j: int) -> int:
        if min(i, j) == 0:
            return i + j
        same = int(a[i - 1] != b[j - 1])
        return min(distance(i - 1, j) + 1, distance(i, j - 1) + 1, distance(i - 1, j - 1) + same)

    return distance(len(a), len(b))


def best_path(start: Any, transition: Any, emission: Any, observed: Any) -> tuple[Any, Any]:
    def score(path: tuple[int, ...]) -> Any:
        steps = sum(transition[p, q] for p, q in itertools.pairwise(path))
        return start[path[0]] + steps + sum(emission[s, o] for s, o in zip(path, observed, strict=True))

    best = max(itertools.product(range(len(start)), repeat=len(observed)), key=score)
    return best, score(best)


def most_pairs(bases: Any) -> int:
    @functools.cache
    def best(i: int, j: int) -> int:
        if j <= i:
            return 0
        pair = best(i + 1, j - 1) + int(bases[i] + bases[j] == 3) if j > i + 1 else 0
        return max([best(i + 1, j), best(i, j - 1), pair, *(best(i, k) + best(k + 1, j) for k in range(i + 1, j))])

    return best(0, len(bases) - 1)


def fnv1a(word: bytes) -> int:
    return functools.reduce(lambda value, byte: (value ^ byte) * 0x100000001B3 % 2**64, word, 0xCBF29CE484222325)


DEFINITIONS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "lu": lambda: (
        (np.tril(factors := written(factorizations.lu, DOMINANT), -1) + np.eye(5)) @ np.triu(factors),
        DOMINANT,
    ),
    "cholesky": lambda: (factorizations.cholesky(SPD), np.linalg.cholesky(SPD)),
    "gram_schmidt": lambda: (np.matmul(*factorizations.gram_schmidt(TALL.copy())), TALL),
    "householder": lambda: (abs(factorizations.householder(TALL)[:5]), abs(np.linalg.qr(TALL)[1])),
    "givens": lambda: (abs(factorizations.givens(TALL.copy())[:5]), abs(np.linalg.qr(TALL)[1])),
    "forward_substitution": lambda: (
        factorizations.forward_substitution(DOMINANT, V),
        scipy.linalg.solve_triangular(DOMINANT, V, lower=True),
    ),
    "thomas": lambda: (
        factorizations.thomas(V, W + 3, W, A[0]),
        np.linalg.solve(np.diag(W + 3) + np.diag(V[1:], -1) + np.diag(W[:-1], 1), A[0]),
    ),
    "durbin": lambda: (recurrences.durbin(V / 5), np.linalg.solve(TOEPLITZ, -V / 5)),
    "levinson": lambda: (recurrences.levinson(V / 5, W), np.linalg.solve(TOEPLITZ, W)),
    "horner": lambda: (recurrences.horner(V, A), np.polyval(V, A)),
    "clenshaw": lambda: (recurrences.clenshaw(V, A), np.polynomial.chebyshev.chebval(A, V)),
    "legendre": lambda: (recurrences.legendre(A, 4)[4], np.polynomial.legendre.legval(A, [0, 0, 0, 0, 1])),
    "prefix_sum": lambda: (recurrences.prefix_sum(V), np.cumsum(V)),
    "conjugate_gradient": lambda: (solvers.conjugate_gradient(SPD, V, 5), np.linalg.solve(SPD, V)),
    "newton_schulz": lambda: (solvers.newton_schulz(DOMINANT), np.linalg.inv(DOMINANT)),
    "sinkhorn": lambda: (solvers.sinkhorn(A, V / V.sum(), W / W.sum()).sum(axis=0), W / W.sum()),
    "edit_distance": lambda: ([tables.edit_distance(*w) for w in WORDS], [levenshtein(*w) for w in WORDS]),
    "edit_distance_by_rows": lambda: (
        [tables.edit_distance_by_rows(*w) for w in WORDS],
        [levenshtein(*w) for w in WORDS],
    ),
    "bellman_ford": lambda: (tables.bellman_ford(PATHS, 1), written(tables.floyd_warshall, PATHS)[1]),
    "min_plus_power": lambda: (tables.min_plus_power(PATHS), written(tables.floyd_warshall, PATHS)),
    "nussinov": lambda: (tables.nussinov(np.arange(9) * 7 % 4)[0, -1], most_pairs(np.arange(9) * 7 % 4)),
    "viterbi": lambda: (
        np.append(*tables.viterbi(*(model := hidden_markov(np.random.default_rng(3), 3, 4)))),
        np.append(*best_path(*model)),
    ),
    "spmv_rows": lambda: (
        indexing.spmv_rows(*SPARSE),
        scipy.sparse.csr_matrix((SPARSE[2], SPARSE[1], SPARSE[0])) @ SPARSE[3],
    ),
    "spmv_segments": lambda: (indexing.spmv_segments(*SPARSE), indexing.spmv_rows(*SPARSE)),
    "radix_sort": lambda: (indexing.radix_sort(KEYS), np.sort(KEYS)),
    "counting_ranks": lambda: (indexing.counting_ranks(KEYS & 15)[1], np.sort(KEYS & 15)),
    "histogram": lambda: (indexing.histogram(V, np.linspace(0, 1, 6)), np.histogram(V, np.linspace(0, 1, 6))[0]),
    "bilinear": lambda: (
        indexing.bilinear(A, 4 * V, 4 * W),
        scipy.ndimage.map_coordinates(A, [4 * V, 4 * W], order=1),
    ),
    "covariance": lambda: (linear_algebra.covariance(TALL.copy()), np.cov(TALL.T)),
    "correlation": lambda: (linear_algebra.correlation(TALL), np.corrcoef(TALL.T)),
    "trmm": lambda: (written(linear_algebra.trmm, A, B, which=1), (np.tril(A, -1) + np.eye(5)).T @ B),
    "symm": lambda: (written(linear_algebra.symm, A, SPD, B), SPD @ B + A),
    "dft": lambda: (transforms.dft(V), np.fft.fft(V)),
    "fft": lambda: (transforms.fft(KEYS[:8]), np.fft.fft(KEYS[:8])),
    "fft_butterflies": lambda: (transforms.fft_butterflies(BYTES.T), np.fft.fft(BYTES.T)),
    "stockham": lambda: (transforms.stockham(KEYS[:27], 3, 3), np.fft.fft(KEYS[:27])),
    "quantum_fourier": lambda: (
        transforms.quantum_fourier(states := phasors(np.random.default_rng(4), 3, 8)),
        np.fft.ifft(states, norm="ortho"),
    ),
    "goertzel": lambda: (
        transforms.goertzel(V, 2 * np.pi * np.arange(3) / 5),
        abs(np.fft.fft(V)[:3]) ** 2,
    ),
    "cosine_transform": lambda: (transforms.cosine_transform(A), scipy.fft.dct(A, norm="ortho")),
    "conv2d": lambda: (
        networks.conv2d_windows(IMAGE, KERNEL, BIAS),
        networks.conv2d_shifts(IMAGE, KERNEL, BIAS),
    ),
    "crc32": lambda: (integers.crc32(BYTES), [zlib.crc32(bytes(row.tolist())) for row in BYTES.T]),
    "adler32": lambda: (integers.adler32(KEYS.astype(np.uint8)), zlib.adler32(KEYS.astype(np.uint8).tobytes())),
    "fnv1a": lambda: (integers.fnv1a(BYTES.T.astype(np.uint64))[0], fnv1a(bytes(BYTES[:, 0].tolist()))),
    "population_count": lambda: (
        integers.population_count(KEYS.astype(np.uint32)),
        [int(key).bit_count() for key in KEYS],
    ),
    "gray_code": lambda: (integers.gray_code(KEYS)[1], KEYS),
}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_it_computes_what_it_says(name: str) -> None:
    found, wanted = DEFINITIONS[name]()
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
