"""Programs that use memory, objects and decisions as people do, with their arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator

from tests.programs.program import Program, decided, definite, dominant, symbolic, unrolled
from tests.programs.records import Mixture, Sphere


def records(r: Generator, n: int) -> Any:
    """Particles: place, speed, mass."""
    made = np.zeros(n, dtype=[("x", "f8"), ("v", "f8"), ("m", "f8")])
    made["x"], made["v"], made["m"] = r.uniform(-1, 1, n), r.standard_normal(n), r.random(n)
    return made


def days(r: Generator, n: int) -> Any:
    return np.datetime64("2024-01-01") + r.integers(0, 700, n).astype("timedelta64[D]")


def mixture(r: Generator, k: int) -> Any:
    return Mixture(np.full(k, 1 / k), r.standard_normal(k), r.random(k) + 0.5)


PRACTICE: tuple[Program, ...] = (
    symbolic("buffers.ping_pong", lambda r, n: (r.random(n),)),
    symbolic("buffers.shift_register", lambda r, n: (r.random((6, n)),)),
    symbolic("buffers.overlapping", lambda r, n: (r.random(n),)),
    symbolic("buffers.ring_buffer", lambda r, n: (r.random((6, n)),), along="width"),
    unrolled("buffers.ring_buffer", lambda r, n: (r.random((n, 3)),), size=4, along="time"),
    symbolic("buffers.quadrants", lambda r, n: (r.random((2 * n, 2 * n)),)),
    symbolic("buffers.moving_statistics", lambda r, n: (r.random((2, n)),)),
    symbolic("buffers.toeplitz", lambda r, n: (r.random(n),)),
    symbolic("buffers.patches", lambda r, n: (r.integers(0, 99, (n, n + 3)),)),
    symbolic("buffers.diagonals", lambda r, n: (r.random((n, n)),)),
    symbolic("buffers.masked_writes", lambda r, n: tuple(r.random((2, n)))),
    symbolic("buffers.triangles", lambda r, n: (r.random((n, n)),)),
    symbolic("buffers.accumulate_into", lambda r, n: (r.random((n, n + 1)),)),
    symbolic("buffers.transposed_writes", lambda r, n: (r.random((n, n + 1)),)),
    symbolic("geometry.shoelace", lambda r, n: (r.random((n, 2)),)),
    symbolic("geometry.inside_polygon", lambda r, n: (r.random((n, 2)), r.random((n + 1, 2)))),
    symbolic(
        "geometry.trace_rays",
        lambda r, n: (r.random(3), r.standard_normal((n, 3)), [(r.random(3), 0.7), Sphere(r.random(3), 0.4)]),
    ),
    symbolic("geometry.quaternion_rotation", lambda r, n: (r.standard_normal((n, 4)), r.random((n, 3)))),
    symbolic("geometry.rasterise", lambda r, n: (r.random((2, 3, 3)) * n, np.zeros((n, n + 1), int)), along="canvas"),
    unrolled("geometry.rasterise", lambda r, n: (r.random((n, 3, 3)) * 5, np.zeros((5, 6), int)), along="triangles"),
    symbolic("geometry.k_nearest", lambda r, n: (r.random((n, 2)), 2)),
    symbolic("geometry.great_circle", lambda r, n: (r.uniform(-90, 90, n), r.uniform(-180, 180, n))),
    symbolic("geometry.bezier", lambda r, n: (r.random((4, 2)), r.random(n)), along="parameters"),
    unrolled("geometry.bezier", lambda r, n: (r.random((n, 2)), r.random(3)), along="control points"),
    symbolic("geometry.koch", lambda r, n: (r.random((n, 2)),)),
    symbolic("geometry.procrustes", lambda r, n: (r.random((n, 3)), r.random((n, 3)))),
    symbolic("estimation.gaussian_mixture", lambda r, n: (r.standard_normal(3 * n), mixture(r, n))),
    symbolic("estimation.principal_components", lambda r, n: (r.random((2 * n, n)),)),
    symbolic(
        "estimation.forward_backward",
        lambda r, n: (np.log(r.random(n)), np.log(r.random((n, n))), np.log(r.random((4, n)))),
        along="states",
    ),
    unrolled(
        "estimation.forward_backward",
        lambda r, n: (np.log(r.random(3)), np.log(r.random((3, 3))), np.log(r.random((n, 3)))),
        along="time",
    ),
    symbolic("estimation.bootstrap", lambda r, n: (r.random(n), r.integers(0, n, (7, n)))),
    symbolic("estimation.kernel_density", lambda r, n: (r.random(2 * n), r.random(n))),
    symbolic("estimation.isotonic", lambda r, n: (r.random(n),)),
    symbolic("estimation.k_means", lambda r, n: (r.random((3 * n, 2)), r.random((n, 2)))),
    symbolic("estimation.ridge_path", lambda r, n: (r.random((2 * n, n)), r.random(2 * n), r.random(4))),
    symbolic("estimation.lasso", lambda r, n: (r.random((n, 3)), r.random(n), 0.1), along="samples"),
    unrolled("estimation.lasso", lambda r, n: (r.random((6, n)), r.random(6), 0.1), along="features"),
    symbolic(
        "estimation.decision_tree",
        lambda r, n: (r.random((n, 4)), r.integers(0, 4, 7), r.random(7), r.integers(0, 9, 8)),
    ),
    unrolled("estimation.gibbs", lambda r, n: (r.random(n), definite(r, n), r.random((2, n))), along="variables"),
    symbolic("estimation.rank_correlation", lambda r, n: tuple(r.random((2, n)))),
    symbolic("estimation.naive_bayes", lambda r, n: (r.integers(0, 9, (2 * n, n)), r.integers(0, 3, 2 * n))),
    symbolic("estimation.adam", lambda r, n: (r.random(n), r.random((n + 1, n)), r.random(n + 1))),
    decided("converging.heron", lambda r, n: (r.random(n) * 9,)),
    decided("converging.jacobi_until", lambda r, n: (dominant(r, n) + 9 * np.eye(n), r.random(n))),
    decided("converging.mean_shift", lambda r, n: (r.random((n, 2)), r.random(2))),
    decided("converging.golden_section", lambda r, n: (r.standard_normal(n),)),
    decided("converging.collatz", lambda r, n: (r.integers(1, 30, n),)),
    decided("converging.pivoted_lu", lambda r, n: (r.random((n, n)),)),
    unrolled("converging.branchless_pivoted_lu", lambda r, n: (r.random((n, n)),)),
    decided("converging.adaptive_step", lambda r, n: (r.random(n),)),
    decided("converging.safe_log", lambda r, n: (r.random(n) + 0.1,)),
    symbolic("particles.drift", lambda r, n: (records(r, n),)),
    symbolic("particles.packed", lambda r, n: (r.random(n), r.integers(0, 9, n))),
    symbolic("particles.traffic", lambda r, n: (np.sort(r.choice(20 * n, n, replace=False)), np.zeros(n, int))),
    symbolic("particles.dual_numbers", lambda r, n: (r.random(n),)),
    symbolic("particles.business_days", lambda r, n: (days(r, n), r.random(n))),
    symbolic("particles.half_precision", lambda r, n: (r.random((n, 3), np.float32), r.random((n, 3), np.float32))),
    symbolic("particles.caesar", lambda r, n: (r.integers(32, 127, n, np.uint8), 3)),
    symbolic("particles.voting", lambda r, n: (r.permuted(np.tile(np.arange(4), (n, 1)), axis=1),)),
)  # fmt: skip
