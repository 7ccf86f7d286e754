"""The pure operations of the programs, as tables: text with `{a}` for the operand, and the result's shape.

Shapes: `=` is the operand's, `<` the operand's without its first axis, `()` none; else its sizes, `d` and `e` being
the operand's.  Kinds: `=` is the operand's.  What must not blow up in value is kept `tame`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .scopes import Array, Shape


@dataclass(frozen=True, slots=True)
class Operation:
    text: str
    shape: str = "="
    kind: str = "f"
    view: bool = False
    """Whether the result may lie in the operand's memory."""
    tame: bool = True

    def result(self, a: Array) -> tuple[Shape, str]:
        return _shape(self.shape, a.shape), a.kind if self.kind == "=" else self.kind


def _shape(spelled: str, operand: Shape) -> Shape:
    if spelled == "=":
        return operand
    if spelled == "<":
        return operand[1:]
    if spelled == "()":
        return ()
    known = dict(zip("de", operand, strict=False))
    return tuple(_sized(size, known) for size in spelled.split())


def _sized(size: str, known: dict[str, str]) -> str:
    """One size, spelled in the operand's."""
    if size in known:
        return known[size]
    return re.sub(r"\b[de]\b", lambda m: known[m[0]] if known[m[0]].isalnum() else f"({known[m[0]]})", size)


_op = Operation

ELEMENTWISE = (
    _op("{a} * 2.0", tame=False), _op("{a} + 1", kind="=", tame=False), _op("-{a}", kind="="), _op("np.tanh({a})"),
    _op("np.abs({a})", kind="="), _op("np.where({a} > 0, {a}, 0.0)"), _op("np.maximum({a}, 0)", kind="="),
    _op("np.clip({a}, -1.0, 1.0)"), _op("{a}.clip(0, None)", kind="="), _op("1 / (1 + np.exp(-{a}))"),
    _op("np.sqrt(np.abs({a}))"), _op("np.exp(-np.abs({a}))"), _op("{a}.copy()", kind="="), _op("{a} / 3"),
    _op("np.round({a}, 2)", kind="="), _op("np.nan_to_num({a})", kind="="), _op("({a} > 0) * {a}", kind="="),
    _op("np.heaviside({a}, 0.5)"), _op("{a}.astype(np.float32)"), _op("np.hypot({a}, 1.0)"), _op("{a} % 2.0"),
    _op("np.select([{a} < 0, {a} > 1], [0.0, 1.0], {a})"), _op("np.logaddexp({a}, 0.0)"), _op("{a} // 0.5"),
    _op("divmod({a}, 2.0)[1]"), _op("np.modf({a})[0]"), _op("np.divmod({a}, 2.0)[0]"), _op("np.sign({a})", kind="="),
    _op("np.cos({a}) ** 2 + np.sin({a}) ** 2"), _op("np.isnan({a}).astype(float)"), _op("np.real(np.exp(1j * {a}))"),
    _op("np.full({a}.shape, 0.5) * {a}"), _op("np.ones_like({a}) - {a}", kind="=", tame=False), _op("abs({a})", kind="="),
    _op("np.zeros({a}.shape) + {a}"), _op("np.asarray({a})", kind="=", view=True), _op("np.float32(0.5) * {a}"),
    _op("np.subtract({a}, 0.5)", tame=False), _op("{a} - {a}.mean()", tame=False), _op("{a} / (1.0 + np.abs({a}).max())"),
    _op("({a} + {a}.sum()) / 2.0", tame=False), _op("np.multiply({a}, 0.5, dtype=np.float64)"), _op("np.negative({a})", kind="="),
    _op("np.array({a}, dtype=float)"), _op("{a} / max({a}.size, 1)"),
)  # fmt: skip

ALONG = (
    _op("np.cumsum({a}, axis=-1)", kind="=", tame=False), _op("np.sort({a}, axis=0)", kind="="),
    _op("{a}[::-1]", kind="=", view=True), _op("np.flip({a}, axis=-1)", kind="=", view=True),
    _op("np.roll({a}, 1, axis=0)", kind="="), _op("{a} - {a}.mean(axis=-1, keepdims=True)"),
    _op("np.add.accumulate({a}, axis=0)", kind="=", tame=False), _op("np.argsort({a}, axis=-1)", kind="i"),
    _op("{a} / {a}.shape[0]"), _op("{a} / len({a})"), _op("{a}[np.arange(len({a}))]", kind="="),
    _op("np.take_along_axis({a}, np.argsort({a}, axis=-1), axis=-1)", kind="="), _op("{a}[:, ...]", kind="=", view=True),
    _op("np.cumprod(np.tanh({a}), axis=0)"), _op("{a}.reshape({a}.shape)", kind="=", view=True),
    _op("{a}.reshape(-1).reshape({a}.shape)", kind="=", view=True), _op("{a}[list(range(-1, 0))][0] + {a}", tame=False),
    _op("{a} * np.sqrt({a}.shape[-1])", tame=False), _op("{a} - np.max({a}, axis=0, keepdims=True)", tame=False),
    _op("np.maximum.accumulate({a}, axis=-1)", kind="="), _op("{a}[...]", kind="=", view=True),
    _op("np.stack([{a}, {a}], axis=-1)[..., 0]", kind="="), _op("np.ascontiguousarray({a})", kind="=", view=True),
    _op("{a}.take(np.arange({a}.shape[0]), axis=0)", kind="="), _op("np.moveaxis({a}, 0, -1).sum() + {a}", tame=False),
    _op("np.broadcast_to({a}.sum(), {a}.shape) - {a}", tame=False), _op("{a} * float({a}.shape[0])", tame=False),
    _op("np.diff({a}, axis=0, prepend=0.0)", tame=False), _op("{a}.sum(axis=0)", "<", tame=False, kind="="),
    _op("np.mean({a}, axis=0)", "<"), _op("{a}.max(axis=0)", "<", kind="="), _op("np.linalg.norm({a}, axis=0)", "<"),
    _op("np.add.reduce({a})", "<", kind="=", tame=False), _op("{a}.std(axis=0)", "<"), _op("np.argmax({a}, axis=0)", "<", kind="i"),
    _op("np.median({a}, axis=0)", "<"), _op("np.logical_or.reduce({a} > 0)", "<", kind="b"), _op("{a}[0]", "<", kind="=", view=True),
    _op("{a}[-1]", "<", kind="=", view=True), _op("np.average({a}, axis=0)", "<"), _op("np.take({a}, 0, axis=0)", "<", kind="="),
    _op("np.any({a} > 0, axis=0)", "<", kind="b"), _op("{a}.sum()", "()", kind="=", tame=False), _op("np.mean({a})", "()"),
    _op("{a}.max()", "()", kind="="), _op("np.linalg.norm({a})", "()"), _op("{a}[{a} > 0].sum()", "()", kind="=", tame=False),
    _op("({a} > 0).sum()", "()", kind="i"), _op("np.vdot({a}, {a})", "()", kind="=", tame=False), _op("{a}.var()", "()"),
    _op("np.ptp({a})", "()", kind="="), _op("{a}.min() + {a}.argmax()", "()", tame=False, kind="="),
)  # fmt: skip

VECTOR = (
    _op("{a}[:, None]", "d 1", kind="=", view=True), _op("{a}[None]", "1 d", kind="=", view=True),
    _op("{a}.reshape(1, -1)", "1 d", kind="=", view=True), _op("{a}.reshape({a}.shape[0], 1)", "d 1", kind="=", view=True),
    _op("np.concatenate([{a}, {a}])", "d*2", kind="="), _op("np.stack([{a}, {a} * 2])", "2 d", kind="=", tame=False),
    _op("np.append({a}, 0.0)", "d+1"), _op("np.pad({a}, 1)", "d+2", kind="="), _op("np.tile({a}, 2)", "d*2", kind="="),
    _op("np.repeat({a}, 2)", "2*d", kind="="), _op("np.outer({a}, np.ones({a}.shape[0]))", "d d"),
    _op("np.diag({a})", "d d", kind="="), _op("{a} @ {a}", "()", kind="=", tame=False), _op("np.hstack(({a}, [1.0]))", "d+1"),
    _op("np.linspace(0.0, 1.0, len({a})) * {a}"), _op("np.arange({a}.shape[0]) + {a}", kind="=", tame=False),
    _op("np.ones(len({a})) + {a}", tame=False), _op("np.eye(len({a})) * {a}", "d d"), _op("{a}[{a}.argmax()]", "()", kind="="),
    _op("{a}[[0, -1]]", "2", kind="="), _op("{a}.take([0, -1])", "2", kind="="),
    _op("np.array([{a}[0], {a}[-1], 0.5])", "3"), _op("np.array([{a}, {a}])", "2 d", kind="="), _op("np.meshgrid({a}, {a})[1]", "d d", kind="="),
    _op("np.interp({a}, [-1.0, 0.0, 1.0], [0.0, 1.0, 0.5])"), _op("np.convolve({a}, [0.5, 0.5], mode='same')"),
    _op("np.polyval([0.5, 1.0], {a})", tame=False), _op("np.searchsorted(np.sort({a}), {a})", kind="i"),
    _op("np.r_[{a}, 1.0]", "d+1"), _op("np.add.outer({a}, {a})", "d d", kind="=", tame=False), _op("np.gradient(np.append({a}, 0.0))", "d+1", tame=False),
    _op("np.histogram({a}, bins=3, range=(-2, 2))[0]", "3", kind="i"), _op("np.flatnonzero({a} > 0).sum() + {a}", tame=False),
    _op("np.unique({a}).sum() + {a}", tame=False), _op("np.nonzero({a})[0].size * 1.0 + {a}", tame=False), _op("np.ediff1d({a}, to_end=[0])", tame=False), _op("np.fft.rfft({a}).real[:1]", "1", tame=False),
    _op("np.vander({a}, 2)", "d 2"), _op("np.cross(np.resize({a}, 3), [0.0, 0.0, 1.0])", "3"), _op("np.kron({a}, [1.0, 2.0])", "d*2", tame=False), _op("np.trim_zeros({a}).sum() + {a}", tame=False),
    _op("np.partition({a}, 0)", kind="="), _op("np.percentile({a}, [25, 75])", "2"), _op("np.quantile({a}, 0.5) + {a}", tame=False), _op("np.correlate({a}, [1.0])"), _op("np.digitize({a}, [0.0, 1.0])", kind="i"),
    _op("{a}[np.lexsort(({a},))]", kind="="), _op("np.choose(({a} > 0).astype(int), [-{a}, {a}])", kind="="), _op("np.extract({a} > 0, {a}).sum() + {a}", tame=False),
    _op("np.fromiter((v * 2 for v in [1.0, 2.0]), dtype=float)[0] * {a}", tame=False), _op("np.indices({a}.shape)[0] + {a}", kind="=", tame=False), _op("np.tri(len({a})) @ {a}", tame=False),
    _op("np.einsum('i,j->ij', {a}, np.tanh({a}))", "d d"), _op("np.array_split({a}, 2)[0]", "(d+1)//2", kind="=", view=True),
    _op("{a}[::2]", "(d+1)//2", kind="=", view=True), _op("np.linalg.norm({a} - np.ones({a}.shape))", "()"),
    _op("np.vstack([{a}, {a}])", "2 d", kind="="), _op("np.atleast_2d({a})", "1 d", kind="=", view=True), _op("np.insert({a}, 0, 1.0)", "1+d", kind="="),
    _op("np.expand_dims({a}, -1)", "d 1", kind="=", view=True), _op("np.full(len({a}), 2.0)", "d"), _op("np.triu(np.outer({a}, [1.0, 2.0]))", "d 2"),
    _op("np.column_stack([{a}, {a}])", "d 2", kind="="), _op("np.dot({a}, np.arange({a}.size)) + {a}", tame=False),
)  # fmt: skip

SLICES = (
    _op("{a}[np.array([0, 0, 1])]", "3", kind="="), _op("np.asarray([{a}[0] * 2, {a}[1]])", "2", kind="=", tame=False), _op("np.add.reduceat({a}, [0, 1])", "2", kind="=", tame=False), _op("np.compress([True, True], {a})", "2", kind="="),
    _op("{a}[1:]", "d-1", kind="=", view=True), _op("{a}[:-1]", "d-1", kind="=", view=True), _op("np.diff({a})", "d-1", kind="=", tame=False),
    _op("{a}[: len({a}) // 2]", "d//2", kind="=", view=True), _op("{a}[: {a}.shape[0] - 1]", "d-1", kind="=", view=True),
    _op("({a}[1:] + {a}[:-1]) / 2", "d-1"), _op("{a}[1:] - {a}[: {a}.size - 1]", "d-1", kind="=", tame=False),
)  # fmt: skip
"""Of vectors whose size is one of the free ones, hence at least 2."""

MATRIX = (
    _op("{a}.T", "e d", kind="=", view=True), _op("{a}[:, 0]", "d", kind="=", view=True), _op("{a}.reshape(-1)", "d*e", kind="=", view=True),
    _op("{a}.ravel()", "d*e", kind="=", view=True), _op("{a}.flatten()", "d*e", kind="="), _op("{a}.sum(axis=1)", "d", kind="=", tame=False),
    _op("{a}.mean(axis=1, keepdims=True)", "d 1"), _op("{a} @ {a}.T / 4", "d d", tame=False), _op("np.tril({a})", kind="="),
    _op("{a}.reshape({a}.shape[0] * {a}.shape[1])", "d*e", kind="=", view=True), _op("np.transpose({a})", "e d", kind="=", view=True),
    _op("np.einsum('ij->j', {a})", "e", kind="=", tame=False), _op("np.vstack([{a}, {a}[:1]])", "d+1 e", kind="="),
    _op("{a}.swapaxes(0, 1)", "e d", kind="=", view=True), _op("np.trace({a})", "()", kind="=", tame=False), _op("np.broadcast_to({a}[0], {a}.shape)", kind="=", view=True),
    _op("np.concatenate([{a}, {a}], axis=1)", "d e*2", kind="="), _op("np.linalg.norm({a}, axis=1)", "d"), _op("np.argmax({a}, axis=1)", "d", kind="i"),
    _op("{a} - {a}[0]", kind="=", tame=False), _op("{a}[:, -1] * 2.0", "d", tame=False), _op("np.squeeze({a}[:1], axis=0)", "e", kind="=", view=True),
    _op("np.linalg.solve({a} @ {a}.T + np.eye({a}.shape[0]), {a})"), _op("np.apply_along_axis(np.cumsum, 0, {a})", kind="=", tame=False),
    _op("np.linalg.qr({a} + 0.0)[0] @ np.linalg.qr({a} + 0.0)[1]"), _op("np.linalg.svd({a}, full_matrices=False)[1][:1]", "1"), _op("np.c_[{a}, {a}]", "d e*2", kind="="),
    _op("np.linalg.eigh({a} @ {a}.T).eigenvalues", "d", tame=False), _op("{a}[np.ix_([0], [0, 0])]", "1 2", kind="="), _op("np.delete({a}, 0, axis=1)[:, :0].sum() + {a}", tame=False),
    _op("np.hsplit({a}, [1])[0]", "d 1", kind="=", view=True), _op("np.dstack([{a}, {a}])", "d e 2", kind="="), _op("np.rot90({a})", "e d", kind="=", view=True),
    _op("np.einsum('ij,kj->ik', {a}, {a})", "d d", kind="=", tame=False), _op("np.block([[{a}, {a}]])", "d e*2", kind="="), _op("np.einsum('...j->...', {a})", "d", kind="=", tame=False),
    _op("np.add.outer({a}[0], {a}[:, 0])", "e d", kind="=", tame=False), _op("np.apply_over_axes(np.sum, {a}, [1])", "d 1", kind="=", tame=False), _op("{a}[::-1, ::-1]", kind="=", view=True),
    _op("np.linalg.pinv({a} + 0.0)", "e d", tame=False), _op("{a}.T.T", kind="=", view=True),
    _op("{a}[np.argsort({a}[:, 0])]", kind="="), _op("np.matmul({a}, {a}.T)", "d d", kind="=", tame=False), _op("{a}[..., None]", "d e 1", kind="=", view=True),
    _op("np.split({a}, [1], axis=0)[0][0]", "e", kind="=", view=True), _op("{a}[:1]", "1 e", kind="=", view=True),
)  # fmt: skip

BOOLEAN = (
    _op("~{a}", kind="b"), _op("np.where({a}, 1.0, -1.0)"), _op("{a}.astype(float)"), _op("np.logical_not({a})", kind="b"),
    _op("{a} & True", kind="b"), _op("{a}.sum()", "()", kind="i"), _op("{a} * 2.0"), _op("{a} ^ {a}", kind="b"), _op("{a}.any()", "()", kind="b"),
)  # fmt: skip

BINARY = (
    _op("{a} + {b}", tame=False), _op("{a} - {b}", tame=False), _op("np.maximum({a}, {b})"), _op("np.where({a} > {b}, {a}, {b})"),
    _op("np.hypot({a}, {b})"), _op("np.arctan2({a}, {b})"), _op("({a} > {b}).astype(float)"), _op("{a} / (1 + np.abs({b}))"),
    _op("np.add({a}, {b})", tame=False), _op("np.copysign({a}, {b})"), _op("np.logaddexp({a}, {b})"), _op("{a} * np.tanh({b})"),
    _op("np.subtract({a}, {b}) / 2", tame=False), _op("np.broadcast_arrays({a}, {b})[0] + 0.0"), _op("np.where(np.isclose({a}, {b}), {a}, -1.0)"),
    _op("sum([{a}, {b}])", tame=False), _op("np.fmin({a}, {b})"), _op("{a} + {b} * {b}.size", tame=False), _op("np.minimum({b}, {a})"),
    _op("({a} < {b}) | ({a} > 1)", kind="b"), _op("({a} <= {b}) & ({b} < 2)", kind="b"), _op("np.nextafter({a}, {b})"),
)  # fmt: skip
"""Of two arrays that broadcast; the result's shape is theirs."""


def unary(a: Array) -> tuple[Operation, ...]:
    """The operations that an array can take."""
    if a.kind == "b":
        return BOOLEAN if a.shape else BOOLEAN[:4]
    found: tuple[Operation, ...] = ELEMENTWISE
    if a.shape:
        found += ALONG
    if len(a.shape) == 1:
        found += VECTOR
        found += SLICES if a.shape[0] in ("n", "m") else ()
    if len(a.shape) == 2:
        found += MATRIX
    return found
