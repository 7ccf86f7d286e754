"""`numpy.linalg`, over the last two axes and batches of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from .abstract import Abstract, Reason, Shape, Unknown
from .dims import as_abstract, axes_of, broadcast, demand_elements, matched, product, shape_of
from .elementwise import reduced
from .generalised import generalised
from .growing import diagonal
from .manipulation import matrix_transposed
from .probe import Rule, ShapeRule, dressed, probe, probed
from .registry import present
from .size import hint, smallest


def _matrix(a: Any) -> Shape:
    shape = shape_of(a)
    if len(shape) < 2:
        raise LinAlgError(f"{len(shape)}-dimensional array given. Array must be at least two-dimensional")
    return shape


def _square(a: Any, *more: Any, **named: Any) -> Shape:
    shape = _matrix(a)
    if hint(shape[-1]) != hint(shape[-2]):
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return shape


def _pinv(a: Any, *more: Any, **named: Any) -> Shape:
    shape = _matrix(a)
    if as_abstract(a).dtype.kind not in "fc":
        demand_elements(*shape)  # of no elements the dtype is the operand's
    return matrix_transposed(shape)


def _of_square(a: Any, *more: Any, **named: Any) -> Shape:
    return _square(a)[:-2]


def _values(a: Any, *more: Any, **named: Any) -> Shape:
    return _square(a)[:-1]


def _two_of_square(a: Any) -> list[Shape]:
    return [_of_square(a)] * 2


def _eigen(a: Any, *more: Any, **named: Any) -> list[Shape]:
    shape = _square(a)
    return [shape[:-1], shape]


def _complex_only(shape_rule: Any) -> Any:
    """Eigenvalues of real matrices are real or complex, which depends on contents."""

    def of(function: Any) -> Rule:
        asked = probed(shape_rule)(function)

        def rule(a: Any) -> Any:
            made = asked(a)
            if as_abstract(a).dtype.kind != "c":
                raise Unknown(Reason.CONTENTS, "whether eigenvalues are complex depends on contents")
            return made

        return rule

    return of


def _svd(a: Any, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False) -> Any:
    *batch, rows, columns = _matrix(a)
    least = smallest(rows, columns)
    if not compute_uv:
        return (*batch, least)
    left, right = (rows, columns) if full_matrices else (least, least)
    return [(*batch, rows, left), (*batch, least), (*batch, right, columns)]


def _svdvals(x: Any, /) -> Shape:
    *batch, rows, columns = _matrix(x)
    return (*batch, smallest(rows, columns))


def _qr(a: Any, mode: Any = "reduced") -> Any:
    *batch, rows, columns = _matrix(a)
    least = smallest(rows, columns)
    if mode == "r":
        return (*batch, least, columns)
    if mode == "raw":
        return [(*batch, columns, rows), (*batch, least)]
    inner = rows if mode == "complete" else least
    return [(*batch, rows, inner), (*batch, inner, columns)]


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Shape:  # noqa: A002  # NumPy's name
    shape = shape_of(x)
    return reduced(shape, axis, keepdims)


def _matrix_norm(x: Any, /, *, keepdims: Any = False, ord: Any = "fro") -> Shape:  # noqa: A002  # NumPy's name
    return reduced(shape_of(x), (-2, -1), keepdims)


def _vector_norm(x: Any, /, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> Shape:  # noqa: A002  # NumPy's name
    return reduced(shape_of(x), axis, keepdims)


def _cond(x: Any, p: Any = None) -> Shape:
    return (_square(x) if p not in (None, 2, -2) else _matrix(x))[:-2]


def _matrix_rank(function: Any) -> Rule:
    def rule(A: Any, *more: Any, **named: Any) -> Any:  # noqa: N803  # NumPy's name
        like = probe(function, (A, *more), named)
        if not isinstance(like, Abstract):
            raise Unknown(Reason.CONTENTS)
        return dressed(like, _matrix(A)[:-2])

    return rule


def _solve(function: Any) -> Rule:
    def rule(a: Any, b: Any) -> Any:
        like = probe(function, (a, b), {})
        left, right = _square(a), shape_of(b)
        wrong = "mismatch in core dimension 0"
        vector = len(like.shape) == len(right) == 1 or len(right) == 1 or _is_vector(like, left, right)
        if vector:
            size = matched(left[-1], right[-1], wrong)
            return dressed(like, (*broadcast(left[:-2], right[:-1]), size))
        size = matched(left[-1], right[-2], wrong)
        return dressed(like, (*broadcast(left[:-2], right[:-2]), size, right[-1]))

    return rule


def _is_vector(like: Abstract, left: Shape, right: Shape) -> bool:
    """Whether `b` holds vectors: NumPy 1 takes it so where it has one dimension less than `a`."""
    return like.ndim == max(len(left) - 2, len(right) - 1) + 1 != max(len(left) - 2, len(right) - 2) + 2


def _tensorsolve(a: Any, b: Any, axes: Any = None) -> Shape:
    shape, right = shape_of(a), shape_of(b)
    if axes is not None:
        last = axes_of(tuple(axes), len(shape))
        shape = (*[d for i, d in enumerate(shape) if i not in last], *[shape[i] for i in last])
    rest = shape[len(right) :]
    if hint(product(rest)) != hint(product(right)):
        raise LinAlgError("Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])")
    return rest


def _tensorinv(a: Any, ind: Any = 2) -> Shape:
    shape = shape_of(a)
    if hint(product(shape[ind:])) != hint(product(shape[:ind])):
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return shape[ind:] + shape[:ind]


def _last_diagonal(x: Any, /, *, offset: Any = 0) -> Any:
    known = as_abstract(x)
    return Abstract(diagonal(known.shape, offset, -2, -1), known.dtype)


def _last_trace(x: Any, /, *, offset: Any = 0, dtype: Any = None) -> Shape:
    return diagonal(shape_of(x), offset, -2, -1)[:-1]


def _transpose(x: Any, /) -> Any:
    known = as_abstract(x)
    return Abstract(matrix_transposed(known.shape), known.dtype)


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {}
    table: dict[str, ShapeRule] = {
        "inv matrix_power cholesky": _square, "pinv": _pinv, "det": _of_square, "slogdet": _two_of_square,
        "eigvalsh": _values, "eigh": _eigen, "svd": _svd, "svdvals": _svdvals, "qr": _qr, "norm": _norm,
        "matrix_norm": _matrix_norm, "vector_norm": _vector_norm, "cond": _cond, "tensorsolve": _tensorsolve,
        "tensorinv": _tensorinv, "trace": _last_trace,
    }  # fmt: skip
    for names, shape_rule in table.items():
        made.update({f: probed(shape_rule)(f) for f in present(np.linalg, names)})
    made.update(dict.fromkeys(present(np.linalg, "diagonal"), _last_diagonal))
    made.update(dict.fromkeys(present(np.linalg, "matrix_transpose"), _transpose))
    for names, ufunc in (("matmul", np.matmul), ("vecdot", getattr(np, "vecdot", np.matmul))):
        made.update({f: generalised(ufunc) for f in present(np.linalg, names)})
    made.update({
        np.linalg.eigvals: _complex_only(_values)(np.linalg.eigvals),
        np.linalg.eig: _complex_only(_eigen)(np.linalg.eig),
        np.linalg.matrix_rank: _matrix_rank(np.linalg.matrix_rank), np.linalg.solve: _solve(np.linalg.solve),
    })  # fmt: skip
    return made
