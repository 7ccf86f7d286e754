"""Operations of linear algebra: the leading terms of closed forms, for each matrix of a stack.

Factorisations and solutions are those of LAPACK Working Note 41 (Appendix C) and of Golub & Van Loan, Matrix
Computations (4th edition): LU 2n³/3 (3.2), Cholesky n³/3 (4.2), Householder QR 2mn² - 2n³/3 (5.2).  What iterates has
no closed form: eigenvalues and singular values are the usual estimates of Golub & Van Loan for the QR algorithms (7.5,
8.3, and figure 8.6.1), though LAPACK divides and conquers for some.  NumPy's own compositions of these are in its
`linalg/_linalg.py` and `umath_linalg.cpp`.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..shapes import Abstract, Dim, Reason, Unknown, largest, smallest
from ..shapes.dims import axes_of, product, shape_of
from ..shapes.registry import present
from .counts import ratio
from .operands import elements, operand, stack
from .rule import Rule

# ---- factorisations --------------------------------------------------------------------------------


def _lu(n: Dim) -> Any:
    return ratio(2, 3) * n**3


def _qr_of(long: Dim, short: Dim) -> Any:
    """Householder's reflections, and likewise the first columns of Q from them."""
    return 2 * long * short**2 - ratio(2, 3) * short**3


def _singular_values(long: Dim, short: Dim) -> Any:
    return 4 * long * short**2 - ratio(4, 3) * short**3


def _singular_vectors(long: Dim, short: Dim) -> Any:
    """With as many vectors as values on either side."""
    return 14 * long * short**2 + 8 * short**3


def _sides(a: Any) -> tuple[Dim, Dim, Dim]:
    """How many matrices a stack has, and their longer and shorter side."""
    count, m, n = stack(a)
    return count, largest(m, n), smallest(m, n)


def _determinant(result: Any, /, a: Any) -> Any:
    """An LU factorisation."""
    count, n, _ = stack(a)
    return count * _lu(n)


def _cholesky(result: Any, /, a: Any, **named: Any) -> Any:
    count, n, _ = stack(a)
    return count * ratio(1, 3) * n**3


def _solve(result: Any, /, a: Any, b: Any) -> Any:
    """An LU factorisation, and 2n² for each right-hand side (xGETRS)."""
    _, n, _ = stack(a)
    matrices = product(shape_of(a)[:-2])
    if len(shape_of(b)) > 1:
        matrices = product(shape_of(result)[:-2])
    return matrices * _lu(n) + 2 * n * elements(result)


def _inverse(result: Any, /, a: Any) -> Any:
    """NumPy solves for the unit matrix (xGESV): 2n³/3 + 2n³."""
    count, n, _ = stack(a)
    return count * (_lu(n) + 2 * n**3)


def _qr(result: Any, /, a: Any, mode: Any = "reduced") -> Any:
    """xGEQRF, and xORGQR where Q is asked for: as many columns as the shorter side, or all m of them."""
    count, m, n = stack(a)
    long, short = largest(m, n), smallest(m, n)
    factors = _qr_of(long, short)
    if mode in ("r", "raw"):
        return count * factors
    if mode == "complete":
        return count * (factors + 4 * m**2 * short - 4 * m * short**2 + ratio(4, 3) * short**3)
    return count * (factors + _qr_of(m, short))


# ---- what iterates: estimates ----------------------------------------------------------------------


def _svd(result: Any, /, a: Any, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False) -> Any:
    """An estimate: 14mn² + 8n³ with vectors, 4m²n + 8mn² + 9n³ with all of them, 4mn² - 4n³/3 without."""
    count, long, short = _sides(a)
    if hermitian:
        return count * (9 if compute_uv else ratio(4, 3)) * short**3
    if not compute_uv:
        return count * _singular_values(long, short)
    if full_matrices:
        return count * (4 * long**2 * short + 8 * long * short**2 + 9 * short**3)
    return count * _singular_vectors(long, short)


def _values_only(result: Any, /, a: Any) -> Any:
    count, long, short = _sides(a)
    return count * _singular_values(long, short)


def _cubes(factor: Any) -> Rule:
    """An estimate: so many times n³."""

    def rule(result: Any, /, a: Any, UPLO: Any = "L") -> Any:  # noqa: N803  # NumPy's own name
        count, n, _ = stack(a)
        return count * factor * n**3

    return rule


def _pseudo_inverse(result: Any, /, a: Any, rcond: Any = None, hermitian: Any = False, **named: Any) -> Any:
    """An estimate: singular values with vectors, these scaled, and a product of both."""
    count, long, short = _sides(a)
    decomposed = 9 * short**3 if hermitian else _singular_vectors(long, short)
    return count * (decomposed + short * long + 2 * long * short**2)


def _rank(result: Any, /, A: Any, *more: Any, **named: Any) -> Any:  # noqa: N803  # NumPy's own name
    """An estimate: the singular values, and a comparison of each."""
    if len(shape_of(A)) < 2:
        return operand(A)
    count, long, short = _sides(A)
    return count * ((ratio(4, 3) * short**3 if named.get("hermitian") else _singular_values(long, short)) + short)


def _condition(result: Any, /, x: Any, p: Any = None) -> Any:
    """The largest singular value over the smallest; in other norms that of the matrix, and of its inverse."""
    if p in (None, 2, -2):
        return _values_only(result, x)
    return _inverse(result, x) + 2 * _norms(x, (-2, -1), p, stack(x)[0])


def _least_squares(result: Any, /, a: Any, b: Any, *more: Any, **named: Any) -> Any:
    """An estimate: the singular value decomposition that xGELSD stands for, 4mn² + 8n³ (figure 5.5.1 has it)."""
    _, m, n = stack(a)
    return 4 * largest(m, n) * smallest(m, n) ** 2 + 8 * smallest(m, n) ** 3


# ---- powers, tensors, norms ------------------------------------------------------------------------


def _power(result: Any, /, a: Any, n: Any) -> Any:
    """By squaring, as NumPy does it: a product of matrices for each binary digit, and one more for each that is set."""
    times = operator.index(n)
    count, size, _ = stack(a)
    products = max(abs(times).bit_length() - 1, 0) + max(abs(times).bit_count() - 1, 0)
    return count * products * 2 * size**3 + (_inverse(result, a) if times < 0 else 0)


def _tensor_inverse(result: Any, /, a: Any, ind: Any = 2) -> Any:
    n = product(shape_of(a)[operator.index(ind) :])
    return _lu(n) + 2 * n**3


def _tensor_solve(result: Any, /, a: Any, b: Any, axes: Any = None) -> Any:
    n = operand(b)
    return _lu(n) + 2 * n**2


def _norm(result: Any, /, x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:  # noqa: A002
    """Of vectors `sqrt((x * x).sum())`, `abs(x).sum()`, `abs(x).max()`; of matrices some by singular values."""
    return _norms(x, axis, ord, elements(result))


def _norms(x: Any, axis: Any, ord_: Any, results: Dim) -> Any:
    shape = shape_of(x)
    axes = tuple(range(len(shape))) if axis is None else axes_of(axis, len(shape))
    n = operand(x)
    if ord_ is None or ord_ == "fro" or (ord_ == 2 and len(axes) == 1):
        return 2 * n
    if len(axes) == 2 and ord_ in (2, -2, "nuc"):
        long, short = (pick(shape[axes[0]], shape[axes[1]]) for pick in (largest, smallest))
        return results * (_singular_values(long, short) + short)
    if ord_ in (1, -1, np.inf, -np.inf, 0):
        return 2 * n - results  # `abs` of each, and n - 1 of whatever it is
    if len(axes) != 1 or isinstance(ord_, str):
        raise Unknown(Reason.RULE, "a norm that there is not")
    return 3 * n  # `abs`, a power, n - 1 additions, and a power


def _vector_norm(result: Any, /, x: Any, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> Any:  # noqa: A002
    flat = Abstract((operand(x),), np.dtype(float)) if axis is None or isinstance(axis, tuple) else x
    return _norms(flat, 0 if flat is not x else axis, ord, elements(result))


def _matrix_norm(result: Any, /, x: Any, *, keepdims: Any = False, ord: Any = "fro") -> Any:  # noqa: A002
    return _norms(x, (-2, -1), ord, elements(result))


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {
        np.linalg.det: _determinant, np.linalg.slogdet: _determinant, np.linalg.cholesky: _cholesky,
        np.linalg.solve: _solve, np.linalg.inv: _inverse, np.linalg.qr: _qr, np.linalg.svd: _svd,
        np.linalg.eigh: _cubes(9), np.linalg.eigvalsh: _cubes(ratio(4, 3)), np.linalg.eig: _cubes(25),
        np.linalg.eigvals: _cubes(10), np.linalg.pinv: _pseudo_inverse, np.linalg.matrix_rank: _rank,
        np.linalg.cond: _condition, np.linalg.lstsq: _least_squares, np.linalg.matrix_power: _power,
        np.linalg.tensorinv: _tensor_inverse, np.linalg.tensorsolve: _tensor_solve, np.linalg.norm: _norm,
    }  # fmt: skip
    made.update(dict.fromkeys(present(np.linalg, "svdvals"), _values_only))
    made.update(dict.fromkeys(present(np.linalg, "vector_norm"), _vector_norm))
    made.update(dict.fromkeys(present(np.linalg, "matrix_norm"), _matrix_norm))
    return made
