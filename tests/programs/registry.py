"""The programs: for each its arguments as a function of a size and a seed, and at which sizes its graph holds.

A program's sizes are *symbolic* where no condition and no loop depends on them: a graph traced at one size is right
at all.  A program is *unrolled* where a loop runs over a size: its graph holds at the size of the example only.  Some
functions stand here twice, loops over one axis and the others symbolic: the axis that `n` names is what varies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

Arguments = Callable[[Generator, int], tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Program:
    """One function of a module of `kernels`, with the arguments that it takes at size `n`."""

    module: str
    function: str
    arguments: Arguments
    size: int
    """The size of the example that is traced."""
    least: int
    """The smallest size that the function can take."""
    right: tuple[int, ...]
    """Other sizes, at which the graph must be right."""
    refused: tuple[int, ...]
    """Other sizes, which the graph must refuse."""
    along: str = ""
    """What `n` is the size of, where the function stands here more than once."""

    @property
    def name(self) -> str:
        return f"{self.module}.{self.function}" + (f"-{self.along}" if self.along else "")

    @property
    def symbolic(self) -> bool:
        return not self.refused

    def at(self, size: int, seed: int = 0) -> tuple[Any, ...]:
        return self.arguments(np.random.default_rng([seed, size]), size)


def symbolic(path: str, arguments: Arguments, *, size: int = 5, least: int = 3, along: str = "") -> Program:
    """A program whose graph is right at any size."""
    module, function = path.split(".")
    return Program(module, function, arguments, size, least, (least, size + 1, 12), (), along)


def unrolled(path: str, arguments: Arguments, *, size: int = 5, least: int = 2, along: str = "") -> Program:
    """A program whose graph holds at the size of its example."""
    module, function = path.split(".")
    return Program(module, function, arguments, size, least, (), (least, size - 1, size + 1, 9), along)


# ---- arguments -------------------------------------------------------------------------------------


def single(r: Generator, *shape: int) -> Any:
    """Numbers around zero in single precision."""
    return r.standard_normal(shape, dtype=np.float32)


def phasors(r: Generator, *shape: int) -> Any:
    return r.standard_normal(shape) + 1j * r.standard_normal(shape)


def definite(r: Generator, n: int) -> Any:
    """A symmetric positive definite matrix."""
    a = r.random((n, n))
    return a @ a.T + n * np.eye(n)


def dominant(r: Generator, n: int) -> Any:
    """A matrix with a dominant diagonal: it needs no pivoting."""
    return r.random((n, n)) + n * np.eye(n)


def sparse(r: Generator, n: int) -> tuple[Any, ...]:
    """Compressed sparse rows with three entries in each, and a vector."""
    columns = np.concatenate([np.sort(r.choice(n, 3, replace=False)) for _ in range(n)])
    return np.arange(0, 3 * n + 1, 3), columns, r.random(3 * n), r.random(n)


def grids(r: Generator, n: int, count: int) -> tuple[Any, ...]:
    return tuple(r.random((n, n + 2)) for _ in range(count))


# ---- the table -------------------------------------------------------------------------------------

PROGRAMS: tuple[Program, ...] = (
    symbolic("stencils.jacobi_1d", lambda r, n: (r.random(n), r.random(n), 3)),
    symbolic("stencils.jacobi_2d", lambda r, n: grids(r, n, 2)),
    symbolic("stencils.heat_3d", lambda r, n: (r.random((n, n + 1, n + 2)),)),
    unrolled("stencils.seidel_2d", lambda r, n: (r.random((n, n)),), least=3),
    symbolic("stencils.red_black", lambda r, n: grids(r, n, 2)),
    symbolic("stencils.fdtd_2d", lambda r, n: (*grids(r, n, 3), r.random(4)), along="grid"),
    unrolled("stencils.fdtd_2d", lambda r, n: (*grids(r, 4, 3), r.random(n)), along="time"),
    symbolic(
        "stencils.horizontal_diffusion", lambda r, n: (r.random((n + 4, n + 5, 3)), r.random((n, n + 1, 3))), least=1
    ),
    symbolic("stencils.vertical_advection", lambda r, n: columns_of_air(r, n, 4), along="columns"),
    unrolled("stencils.vertical_advection", lambda r, n: columns_of_air(r, 3, n), along="levels"),
    symbolic("stencils.wave", lambda r, n: (*grids(r, n, 2), 0.3)),
    symbolic("stencils.gray_scott", lambda r, n: grids(r, n, 2)),
    symbolic("stencils.game_of_life", lambda r, n: (r.integers(0, 2, (n, n + 3)),)),
    symbolic("flows.cavity_flow", lambda r, n: grids(r, n, 3)),
    symbolic("flows.channel_flow", lambda r, n: (*grids(r, n, 1), 3)),
    symbolic("flows.upwind_advection", lambda r, n: (r.random((2, n)), r.standard_normal(n))),
    symbolic("flows.burgers_limited", lambda r, n: (r.standard_normal(n),)),
    symbolic(
        "linear_algebra.gemm",
        lambda r, n: (1.5, 1.2, r.random((n, n + 1)), r.random((n, n + 2)), r.random((n + 2, n + 1))),
    ),
    symbolic(
        "linear_algebra.two_mm",
        lambda r, n: (r.random((n, 4)), r.random((4, n + 1)), r.random((n + 1, n + 2)), r.random((n, n + 2))),
    ),
    symbolic(
        "linear_algebra.three_mm",
        lambda r, n: (r.random((n, n + 1)), r.random((n + 1, 4)), r.random((4, n)), r.random((n, n + 2))),
    ),
    unrolled("linear_algebra.syrk", lambda r, n: (1.5, r.random((n, n)), r.random((n, n + 1)))),
    unrolled("linear_algebra.trmm", lambda r, n: (r.random((n, n)), r.random((n, n + 1)))),
    symbolic("linear_algebra.symm", lambda r, n: (r.random((n, n + 1)), r.random((n, n)), r.random((n, n + 1)))),
    symbolic("linear_algebra.doitgen", lambda r, n: (r.random((n, n + 1, n + 2)), r.random((n + 2, n + 2)))),
    symbolic("linear_algebra.atax", lambda r, n: (r.random((n, n + 1)), r.random(n + 1))),
    symbolic("linear_algebra.bicg", lambda r, n: (r.random((n, n + 1)), r.random(n + 1), r.random(n))),
    symbolic("linear_algebra.mvt", lambda r, n: (*r.random((4, n)), r.random((n, n)))),
    symbolic("linear_algebra.gesummv", lambda r, n: (1.5, 1.2, *r.random((2, n, n + 1)), r.random(n + 1))),
    symbolic("linear_algebra.gemver", lambda r, n: (r.random((n, n)), *r.random((7, n)))),
    symbolic("linear_algebra.covariance", lambda r, n: (r.random((n, n + 2)),)),
    unrolled("linear_algebra.correlation", lambda r, n: (r.random((7, n)),)),
    symbolic("linear_algebra.correlation", lambda r, n: (r.random((n, 4)),), along="samples"),
    symbolic("linear_algebra.khatri_rao", lambda r, n: (r.random((n, 4)), r.random((n + 1, 4)))),
    unrolled("factorizations.lu", lambda r, n: (dominant(r, n),)),
    unrolled("factorizations.cholesky", lambda r, n: (definite(r, n),)),
    unrolled("factorizations.gram_schmidt", lambda r, n: (r.random((n + 2, n)),)),
    unrolled("factorizations.householder", lambda r, n: (r.random((n + 2, n)),)),
    unrolled("factorizations.givens", lambda r, n: (r.random((n + 1, n)),)),
    unrolled("factorizations.forward_substitution", lambda r, n: (dominant(r, n), r.random(n))),
    unrolled("factorizations.jacobi_rotation", lambda r, n: (definite(r, n),)),
    unrolled("factorizations.thomas", lambda r, n: (r.random(n), r.random(n) + 3, r.random(n), r.random(n))),
    symbolic("solvers.conjugate_gradient", lambda r, n: (definite(r, n), r.random(n), 3)),
    symbolic("solvers.bicgstab", lambda r, n: (dominant(r, n), r.random(n))),
    symbolic("solvers.jacobi_iteration", lambda r, n: (dominant(r, n), r.random(n))),
    unrolled("solvers.gauss_seidel", lambda r, n: (dominant(r, n), r.random(n), r.random(n))),
    symbolic("solvers.power_iteration", lambda r, n: (definite(r, n), r.random(n))),
    symbolic("solvers.subspace_iteration", lambda r, n: (definite(r, n), r.random((n, 2)))),
    symbolic("solvers.newton_schulz", lambda r, n: (dominant(r, n),)),
    symbolic("solvers.bisection", lambda r, n: (r.standard_normal((n, 2)) * 20,)),
    symbolic("solvers.newton_with_freeze", lambda r, n: (r.random(n) + 1, r.random(n) * 5)),
    symbolic("solvers.two_grid", lambda r, n: (r.random(2 * n + 1), r.random(2 * n + 1))),
    symbolic("solvers.gradient_descent", lambda r, n: (r.random((n, n + 1)), r.random(n), 0.1)),
    symbolic("solvers.sinkhorn", lambda r, n: (r.random((n, n + 1)), r.random(n), r.random(n + 1))),
    symbolic("dynamics.runge_kutta_4", lambda r, n: (r.random((2, n)), 0.05)),
    symbolic("dynamics.lotka_volterra", lambda r, n: (r.random(2) * 10, 6), along="contents"),
    symbolic("dynamics.n_body", lambda r, n: (r.random(n), r.random((n, 3)), r.random((n, 3)))),
    symbolic("dynamics.lorenz", lambda r, n: tuple(r.random((3, n)))),
    symbolic("dynamics.kuramoto", lambda r, n: (r.random(n), r.random(n), 0.5)),
    symbolic("dynamics.spring_chain", lambda r, n: (r.random(n), r.random(n))),
    symbolic("dynamics.epidemic", lambda r, n: (*r.random((3, n)), r.random((n, n)))),
    symbolic("dynamics.elastic_collisions", lambda r, n: (r.random((n, 2)), r.standard_normal((n, 2)))),
    symbolic("dynamics.ising_sweep", lambda r, n: (r.choice([-1, 1], (n, n + 1)), r.random((2, n, n + 1)))),
    unrolled("recurrences.durbin", lambda r, n: (r.random(n) / n,)),
    unrolled("recurrences.levinson", lambda r, n: (r.random(n) / n, r.random(n))),
    unrolled("recurrences.cumulative_product", lambda r, n: (r.random(n),)),
    symbolic("recurrences.exponential_smoothing", lambda r, n: (r.random((5, n)), 0.3), along="series"),
    unrolled("recurrences.exponential_smoothing", lambda r, n: (r.random((n, 4)), 0.3), along="time"),
    symbolic("recurrences.holt", lambda r, n: (r.random((5, n)),), along="series"),
    unrolled("recurrences.holt", lambda r, n: (r.random((n, 4)),), along="time"),
    symbolic("recurrences.horner", lambda r, n: (r.random(4), r.random((n, 2))), along="points"),
    unrolled("recurrences.horner", lambda r, n: (r.random(n), r.random(3)), along="coefficients"),
    symbolic("recurrences.clenshaw", lambda r, n: (r.random(4), r.random((n, 2))), along="points"),
    unrolled("recurrences.clenshaw", lambda r, n: (r.random(n), r.random(3)), along="coefficients"),
    symbolic("recurrences.legendre", lambda r, n: (r.random((n, n + 1)), 5)),
    Program("recurrences", "prefix_sum", lambda r, n: (r.random(n),), 6, 2, (5, 7, 8), (3, 4, 9, 12)),
    unrolled("recurrences.deriche", lambda r, n: (r.random((4, n)),), least=4, size=6, along="columns"),
    symbolic("recurrences.deriche", lambda r, n: (r.random((n, 5)),), along="rows"),
    unrolled("recurrences.kalman", lambda r, n: (r.random((n, 3)), 0.1), along="time"),
    symbolic("recurrences.kalman", lambda r, n: (r.random((4, n)), 0.1), along="tracks"),
    unrolled("tables.edit_distance", lambda r, n: (r.integers(0, 3, n), r.integers(0, 3, 4))),
    symbolic(
        "tables.edit_distance_by_rows", lambda r, n: (r.integers(0, 3, 5), r.integers(0, 3, n)), along="second word"
    ),
    unrolled(
        "tables.edit_distance_by_rows", lambda r, n: (r.integers(0, 3, n), r.integers(0, 3, 4)), along="first word"
    ),
    unrolled("tables.floyd_warshall", lambda r, n: (r.random((n, n)),)),
    unrolled("tables.bellman_ford", lambda r, n: (r.random((n, n)), 1)),
    symbolic("tables.min_plus_power", lambda r, n: (r.random((n, n)),)),
    unrolled("tables.nussinov", lambda r, n: (r.integers(0, 4, n),)),
    symbolic("tables.knapsack", lambda r, n: (r.integers(1, 5, 4), r.random(4), 10), along="contents"),
    unrolled("tables.knapsack", lambda r, n: (r.integers(1, 5, n), r.random(n), 10), along="items"),
    symbolic("tables.viterbi", lambda r, n: hidden_markov(r, n, 4), along="states"),
    unrolled("tables.viterbi", lambda r, n: hidden_markov(r, 3, n), along="time"),
    symbolic("tables.seam", lambda r, n: (r.random((4, n)),), along="columns"),
    unrolled("tables.seam", lambda r, n: (r.random((n, 4)),), along="rows"),
    unrolled("tables.smith_waterman_score", lambda r, n: (r.standard_normal((n, n + 1)), 0.5)),
    symbolic("indexing.mandelbrot", lambda r, n: (phasors(r, n, n + 1),)),
    symbolic("indexing.mandelbrot_shrinking", lambda r, n: (phasors(r, n, n + 1),)),
    symbolic("indexing.histogram", lambda r, n: (r.random(3 * n), np.linspace(0, 1, n))),
    symbolic("indexing.weighted_histogram", lambda r, n: (r.integers(0, 4, n), r.random(n))),
    symbolic("indexing.scatter_gather", lambda r, n: (r.random((n, 3)), r.permutation(n), r.permutation(n))),
    unrolled("indexing.spmv_rows", sparse, least=3),
    symbolic("indexing.spmv_segments", sparse),
    symbolic("indexing.spmv_coordinates", lambda r, n: (*r.integers(0, n, (2, 2 * n)), r.random(2 * n), r.random(n))),
    symbolic("indexing.azimuthal_mean", lambda r, n: (r.random((n, n + 1)), r.random((n, n + 1)))),
    symbolic("indexing.azimuthal_bins", lambda r, n: (r.random((n, n + 1)), r.random((n, n + 1)), 4)),
    symbolic("indexing.radix_sort", lambda r, n: (r.integers(0, 2**16, 4 * n),)),
    symbolic("indexing.counting_ranks", lambda r, n: (r.integers(0, 16, 3 * n),)),
    symbolic("indexing.nearest", lambda r, n: (r.random((3 * n, 2)), r.random((n, 2)))),
    symbolic("indexing.bilinear", lambda r, n: (r.random((n, n + 1)), r.random(2 * n) * n, r.random(2 * n) * n)),
    symbolic("indexing.union_find_labels", lambda r, n: (r.random((n, n + 2)) < 0.6,)),
    symbolic("indexing.page_rank", lambda r, n: (*r.integers(0, n, (2, 3 * n)), r.random(n))),
    symbolic("transforms.dft", lambda r, n: (phasors(r, n),)),
    Program("transforms", "fft", lambda r, n: (phasors(r, 2**n),), 3, 0, (), (0, 1, 2, 4)),
    symbolic("transforms.fft_butterflies", lambda r, n: (r.random((n, 8)),)),
    symbolic("transforms.stockham", lambda r, n: (phasors(r, 27), 3, 3), along="contents"),
    symbolic(
        "transforms.contour_integral",
        lambda r, n: (phasors(r, 3, n, n), np.exp(1j * np.arange(4.0)), r.random((n, 2))),
        along="matrices",
    ),
    unrolled(
        "transforms.contour_integral",
        lambda r, n: (phasors(r, 3, 4, 4), np.exp(1j * np.arange(float(n))), r.random((4, 2))),
        along="points",
    ),
    symbolic("transforms.quantum_fourier", lambda r, n: (phasors(r, n, 8),)),
    symbolic("transforms.goertzel", lambda r, n: (r.random(5), r.random(n)), along="frequencies"),
    unrolled("transforms.goertzel", lambda r, n: (r.random(n), r.random(3)), along="samples"),
    symbolic("transforms.cosine_transform", lambda r, n: (r.random((n + 1, n)),)),
    symbolic("transforms.haar", lambda r, n: (r.random((2, 4 * n)),)),
    symbolic("transforms.low_pass", lambda r, n: (r.random(3 * n),)),
    symbolic("transforms.julia", lambda r, n: (phasors(r, n, 3), phasors(r, n, 1) * 0.3)),
    symbolic(
        "transforms.self_energy",
        lambda r, n: (phasors(r, 2, 5, n, n), phasors(r, 2, 3), phasors(r, n, n)),
    ),
    symbolic("networks.relu", lambda r, n: (single(r, n, 3),)),
    symbolic("networks.softmax", lambda r, n: (single(r, 2, n, n + 1),)),
    symbolic(
        "networks.mlp",
        lambda r, n: (
            *(single(r, n, 6), single(r, 6, 2 * n), single(r, 2 * n)),
            *(single(r, 2 * n, n + 1), single(r, n + 1), single(r, n + 1, 4), single(r, 4)),
        ),
    ),
    unrolled(
        "networks.conv2d_windows",
        lambda r, n: (single(r, 2, n + 2, n + 2, 2), single(r, 3, 3, 2, 3), single(r, 3)),
        size=3,
    ),
    symbolic(
        "networks.conv2d_shifts",
        lambda r, n: (single(r, 2, n + 2, n + 1, 2), single(r, 3, 3, 2, 3), single(r, 3)),
        along="image",
    ),
    unrolled(
        "networks.conv2d_shifts",
        lambda r, n: (single(r, 2, 9, 9, 2), single(r, n, n, 2, 3), single(r, 3)),
        size=3,
        along="kernel",
    ),
    symbolic(
        "networks.lenet",
        lambda r, n: (
            *(single(r, 2, 2 * n + 6, 2 * n + 5, 1), single(r, 3, 3, 1, 4), single(r, 3, 3, 4, 5)),
            *(single(r, 5, n + 1), single(r, n + 1)),
        ),
    ),
    symbolic("networks.batch_norm", lambda r, n: (single(r, n, 3, 2),)),
    symbolic(
        "networks.residual_block",
        lambda r, n: (single(r, 3, n, n, 4), single(r, 4, n), single(r, n, n), single(r, n, 4)),
    ),
    symbolic("networks.layer_norm", lambda r, n: (single(r, 2, n, n + 1), single(r, n + 1), single(r, n + 1))),
    symbolic("networks.attention", lambda r, n: (single(r, 2, n, 4), single(r, 2, n + 1, 4), single(r, 2, n + 1, 3))),
    symbolic(
        "networks.multi_head", lambda r, n: (single(r, 2, n, 6), single(r, 6, 18), single(r, 6, 6), 2), along="length"
    ),
    symbolic(
        "networks.lstm",
        lambda r, n: (single(r, 3, n, 2), single(r, 2, 4 * n), single(r, n, 4 * n), single(r, 4 * n)),
        along="width",
    ),
    unrolled(
        "networks.lstm",
        lambda r, n: (single(r, n, 2, 3), single(r, 3, 8), single(r, 2, 8), single(r, 8)),
        size=3,
        along="time",
    ),
    symbolic(
        "networks.embedding_bag", lambda r, n: (single(r, n, 3), r.integers(0, n, 2 * n), np.arange(0, 2 * n, 2))
    ),
    symbolic("networks.cross_entropy", lambda r, n: (single(r, n, 4), r.integers(0, 4, n))),
    symbolic("integers.crc32", lambda r, n: (r.integers(0, 256, (3, n), np.uint32),), along="messages"),
    unrolled("integers.crc32", lambda r, n: (r.integers(0, 256, (n, 2), np.uint32),), size=3, along="bytes"),
    unrolled(
        "integers.crc16_table", lambda r, n: (r.integers(0, 256, n, np.uint16), r.integers(0, 2**16, 256, np.uint16))
    ),
    symbolic("integers.fnv1a", lambda r, n: (r.integers(0, 256, (n, 8), np.uint64),)),
    symbolic("integers.xorshift", lambda r, n: (r.integers(1, 2**32, n, np.uint32),)),
    symbolic("integers.population_count", lambda r, n: (r.integers(0, 2**32, (n, 2), np.uint32),)),
    symbolic("integers.adler32", lambda r, n: (r.integers(0, 256, 4 * n, np.uint8),)),
    symbolic("integers.gray_code", lambda r, n: (r.integers(0, 2**16, n, np.uint16),)),
    symbolic(
        "integers.fixed_point_product", lambda r, n: tuple(r.integers(-(2**15), 2**15, (2, n), np.int16)),
    ),
    unrolled("integers.go_fast", lambda r, n: (r.random((n, n)),)),
    symbolic("integers.sieve", lambda r, n: (np.ones(30 * n, dtype=bool),)),
    symbolic("integers.quantise", lambda r, n: (r.standard_normal((n, n + 1)), 127.0)),
)  # fmt: skip


def columns_of_air(r: Generator, columns: int, levels: int) -> tuple[Any, ...]:
    """Velocity (between the columns), position and forcing."""
    return r.random((columns + 1, columns + 2, levels)), *r.random((2, columns, columns + 2, levels))


def hidden_markov(r: Generator, states: int, length: int) -> tuple[Any, ...]:
    """Logarithms of start, transition and emission probabilities, and what was observed."""
    start, *rest = np.log(r.random((1, states))[0]), np.log(r.random((states, states))), np.log(r.random((states, 5)))
    return start, *rest, r.integers(0, 5, length)
