"""The pure forms of a program: operations, buffers that are written, containers, loops that are fixed, sizes.

Each writes one or a few statements into a scope, if there is an array that it can take.
"""

from __future__ import annotations

from collections.abc import Callable

from .operations import BINARY, unary
from .scopes import Array, Scope, broadcast
from .styles import style

Form = Callable[[Scope], None]


def any_array(a: Array) -> bool:
    return True


def floats(a: Array) -> bool:
    return a.kind == "f"


def with_axes(a: Array) -> bool:
    return a.kind == "f" and bool(a.shape)


def telling(a: Array) -> bool:
    return a.kind == "f" and a.telling


# ---- operations ------------------------------------------------------------------------------------


def operate(scope: Scope) -> None:
    """One operation on one array."""
    a = scope.array(any_array)
    if a is None:
        return
    operation = scope.pick(unary(a))
    shape, kind = operation.result(a)
    fresh = bool(shape) and (a.fresh or not operation.view)
    fresh = fresh and "broadcast_to" not in operation.text
    told = a.telling and not any(fixed in operation.text for fixed in ("dtype=", "astype("))
    text, tame = operation.text.format(a=a.name), operation.tame and a.tame
    scope.let(text, shape, kind, fresh=fresh, tame=tame, telling=told)


def combine(scope: Scope) -> None:
    """Two arrays that broadcast."""
    a = scope.array(lambda a: a.kind != "b")
    if a is None:
        return
    b = scope.array(lambda b: b.kind != "b" and broadcast(a.shape, b.shape) is not None)
    assert b is not None
    shape = broadcast(a.shape, b.shape)
    assert shape is not None
    operation = scope.pick(BINARY)
    kind = "i" if operation.kind == "f" and a.kind == b.kind == "i" else operation.kind
    tame = operation.tame and a.tame and b.tame
    scope.let(
        operation.text.format(a=a.name, b=b.name),
        shape,
        kind,
        fresh=bool(shape),
        tame=tame,
        telling=a.telling or b.telling,
    )


def multiply(scope: Scope) -> None:
    """Products, of small values only."""
    a = scope.array(lambda a: telling(a) and a.tame)
    b = a and scope.array(lambda b: floats(b) and b.tame and broadcast(a.shape, b.shape) is not None)
    if a is None or b is None:
        return
    shape = broadcast(a.shape, b.shape)
    assert shape is not None
    text = scope.pick(("{a} * {b}", "np.multiply({a}, {b})", "(y := {a} * {b}) + y", "{a}**2 * {b}"))
    name = scope.name("y") if ":=" in text else ""
    scope.let(
        text.replace("y", name).format(a=a.name, b=b.name) if name else text.format(a=a.name, b=b.name),
        shape,
        tame=False,
    )


def contract(scope: Scope) -> None:
    """Matrix products, where sizes meet."""
    a = scope.array(lambda a: with_axes(a) and a.tame and a.telling)
    b = a and scope.array(lambda b: with_axes(b) and b.tame and len(b.shape) <= 2 and a.shape[-1] == b.shape[0])
    if a is None or b is None:
        return
    text = scope.pick(("{a} @ {b}", "np.dot({a}, {b})", "{a}.dot({b})", "np.tensordot({a}, {b}, axes=1)"))
    scope.let(text.format(a=a.name, b=b.name), a.shape[:-1] + b.shape[1:], tame=False)


# ---- memory ----------------------------------------------------------------------------------------

_WRITES = (
    "{out}.flat[0] = 1.0", "np.fill_diagonal({out}.reshape({out}.shape[0], -1), 2.0)", "{out}.reshape(-1)[::2] = 1.5", "{out}.T[...] *= 2", "{out}[[0, 1]] = {out}[[1, 0]]",
    "{out}[0], {out}[1] = {out}[1].copy(), {out}[0].copy()", "np.place({out}, {out} > 0, [1.0])", "np.put({out}, [0], 2.0)", "{out}[np.argmax({out}) % 2] = 0.0", "{out}[{out} < 0] *= -1",
    "np.subtract.at({out}, [0], 1.0)", "{out} **= 2\n{out}[...] = np.tanh({out})", "{out}[len({out}) - 1] = 3.0", "{out}[: len({out}) // 2] = 0.5", "{view} = {out}[::-1]\n{view}[0] = 9.0\n{out} += {view}",
    "{view} = {out}.view()\n{view}[0] = 6.0", "{view} = np.asarray({out})\n{view} -= 1.0", "{view} = {out}[..., None]\n{view} += 1.0", "{view} = {out}.ravel()\n{view}[-1] = 2.0", "{view} = {out}.swapaxes(0, -1)\n{view} *= 2.0",
    "{out} //= 0.5", "{out} %= 2.0", "np.divide({out}, 2.0, {out})", "np.cumsum({out}, axis=0, out={out})", "{out}.partition(0, axis=0)", "{view} = {out} > 0\n{view} |= {out} < -1\n{out}[{view}] = 0.25",
    "{view} = {out}.real\n{view} += 1", "np.take({out}, [0], axis=0, out={out}[1:2])", "{out}.clip(0, 1, out={out})", "{out}[tuple([0])] = 0.1", "np.nan_to_num({out}, copy=False)",
    "{out} += 1.0", "{out} *= 0.5", "{out}[0] = 2.0", "{out}[-1] += 1", "{out}[{out} > 1] = 1.0", "{out}.fill(0.5)",
    "np.add({out}, 1, out={out})", "{out}[1:] = {out}[:-1]", "{out}.sort(axis=0)", "np.tanh({out}, out={out})",
    "{out} -= {out}.mean()", "{out}[...] = 0.0", "{out}[::2] *= -1", "np.copyto({out}, 0.25)",
    "{view} = {out}[1:]\n{view} *= 3", "{view} = {out}[0:1]\n{view}[...] = 4.0", "{view} = {out}.T\n{view} += 1",
    "{view} = {out}.reshape(-1)\n{view}[0] = 5.0", "np.add.at({out}, [0, 0], 1.0)", "np.clip({out}, 0, 1, out={out})",
    "for {view} in (0, 1):\n    {out}[{view}] = {out}[{view} - 1] / 2", "{out}[:1] = {out}[-1:]",
    "np.multiply({out}, 2, out={out}, where={out} > 0)", "{out}.put([0], [3.0])", "np.putmask({out}, {out} > 1, 1.0)",
)  # fmt: skip


def buffer(scope: Scope) -> None:
    """Memory of the function's own, made in one of NumPy's ways."""
    a = scope.array(with_axes)
    if a is None:
        return
    text = scope.pick((
        "np.zeros_like({a})", "np.zeros({a}.shape)", "{a}.copy()", "np.ones({a}.shape)", "np.full_like({a}, 2.0)",
        "np.array({a})", "{a} + 0.0", "np.zeros(shape={a}.shape, dtype=float)",
    ))  # fmt: skip
    scope.let(text.format(a=a.name), a.shape, fresh=True, telling=False)


def write(scope: Scope) -> None:
    """A write in place, into memory of the function's own."""
    out = scope.array(lambda a: with_axes(a) and a.fresh and a.shape[0] in ("n", "m"), live=False)
    if out is None:
        return
    text = scope.pick(_WRITES)
    scope.overwritten(out)
    scope.unread[out.name] = out
    scope.line(text.format(out=out.name, view=scope.name("view")) if "{view}" in text else text.format(out=out.name))


def write_other(scope: Scope) -> None:
    """One array written into the memory of another."""
    a = scope.array(floats)
    out = a and scope.array(
        lambda b: floats(b) and b.fresh and b.name != a.name and broadcast(a.shape, b.shape) == b.shape, live=False
    )
    if a is None or out is None:
        return
    scope.overwritten(out)
    scope.unread[out.name] = out
    text = scope.pick((
        "{out} += {a}", "{out}[...] = {a}", "{out}[:] = {a}", "np.subtract({out}, {a}, out={out})", "np.copyto({out}, {a})",
        "np.maximum({out}, {a}, {out})", "{out}[:] += {a}",
    ))  # fmt: skip
    scope.line(text.format(out=out.name, a=a.name))


# ---- containers ------------------------------------------------------------------------------------


RECORD = "@dataclass\nclass Record:\n    left: np.ndarray\n    right: np.ndarray\n"
POINT = "class Point(NamedTuple):\n    x: np.ndarray\n    y: np.ndarray\n"


def contain(scope: Scope) -> None:
    """An array on its way through a container."""
    a, b = scope.array(telling), scope.array(telling)
    if a is None or b is None:
        return
    text = scope.pick((
        "pair = ({a}, {b})\n{new}, {other} = pair", "named = {{'a': {a}, 'b': {b}}}\n{new}, {other} = named['a'], named['b']",
        "parts = []\nparts.append({a})\nparts.append({b})\n{other} = parts.pop()\n{new} = parts[-1]",
        "{new}, {other} = [part / 2 for part in ({a}, {b})]", "{new}, *{other} = {a}, {b}\n{other} = {other}[0]",
        "keyed = {{key: part for key, part in zip('ab', ({a}, {b}))}}\n{new}, {other} = keyed.values()",
        "state = dict(a={a})\nstate.update(b={b})\n{new} = state.pop('a')\n{other} = state.get('b', None)",
        "record = Record({a}, right={b})\n{new}, {other} = record.left, record.right",
        "record = Record({a}, {b})\nrecord.left = record.left + 1\n{new}, {other} = record.left, record.right",
        "point = Point({a}, {b})\n{new}, {other} = point", "point = Point({a}, {b})._replace(x={a} * 2)\n{new}, {other} = point.x, point.y",
        "{other}, {new} = [part for part, _ in sorted([({a}, 2), ({b}, 1)], key=lambda entry: entry[1])]",
        "{new}, {other} = (lambda first, *others: (others[0], first))({b}, {a})", "{new}, {other} = map(np.negative, ({a}, {b}))",
    ))  # fmt: skip
    new, other = scope.result_name(), scope.result_name()
    if "Record(" in text:
        scope.module.imports.add("dataclass")
        scope.module.declare("Record", RECORD)
    if "Point(" in text:
        scope.module.imports.add("NamedTuple")
        scope.module.declare("Point", POINT)
    for name in ("pair", "named", "parts", "keyed", "state", "record", "point"):
        scope.names.add(name)
    scope.line(text.format(a=a.name, b=b.name, new=new, other=other))
    scope.add(Array(new, a.shape, tame=False))
    scope.add(Array(other, b.shape, tame=False))


def repeat(scope: Scope) -> None:
    """A loop or comprehension of literal length."""
    a = scope.array(lambda a: telling(a) and a.tame)
    if a is None:
        return
    text = scope.pick((
        "sum({a} * k for k in range(3))", "np.stack([{a} * k for k in (1, 2, 3)])[0]", "{new} = {a}\nfor k in range(2):\n    {new} = {new} + k * {a}",
        "{new} = {a}\nfor weight in (0.5, 0.25):\n    {new} = {new} * weight", "{new} = {a}\nfor k, weight in enumerate([1.0, 2.0]):\n    {new} = {new} / weight + k",
        "steps_done = 0\n{new} = {a}\nwhile steps_done < 3:\n    {new} = np.sin({new})\n    steps_done += 1", "functools.reduce(np.add, [{a}, {a}, {a}])",
        "[{a} * k for k in range(4) if k % 2][0]", "{{k: {a} + k for k in (1, 2)}}[2]", "{new} = {a}\nfor k in range(5):\n    if k == 2:\n        break\n    {new} = {new} + k",
        "{a} * (2.0 if True else 3.0)", "fast = True\n{new} = {a} * 2 if fast else {a}", "{a} if isinstance({a}, np.ndarray) else {a} * 1.0",
        "next(part for part in ({a}, None) if part is not None)", "{a} * sum(k for k in range(3) if k > 0)", "{a} * len('abc')",
        "{new} = {a}\nfor name, factor in {{'a': 0.5, 'b': 2}}.items():\n    {new} = {new} * factor", "{a} * [0.5, 1.5][1]", "{a} * max(1, 2)",
        "functools.partial(np.multiply, 0.5)({a})", "{a} * int('3')", "{a} + math.sqrt(2.0)", "{a} * (1 if any([False, True]) else 2)",
        "{new} = None\nif {new} is None:\n    {new} = {a} * 2", "{new} = {a} - np.sum({a}, **{{'keepdims': True}})",
        "try:\n    {new} = {a} / 2\nfinally:\n    factor = 2", "with np.errstate(all=\"ignore\"):\n    {new} = {a} / 3", "{a} * float(f\"{{1.5:.1f}}\")",
        "try:\n    raise ValueError(\"no\")\nexcept ValueError:\n    {new} = {a} - 1",         "match \"b\":\n    case \"a\":\n        {new} = {a}\n    case _:\n        {new} = -{a}",
    ))  # fmt: skip
    for module in ("functools", "math"):
        if module in text:
            scope.module.imports.add(module)
    scope.names |= {"k", "weight", "steps_done", "fast", "name", "factor", "options"}
    if "{new}" not in text:
        scope.let(text.format(a=a.name), a.shape, tame=False)
        return
    new = scope.result_name()
    scope.line(text.format(a=a.name, new=new))
    scope.add(Array(new, a.shape, tame=False))


def size(scope: Scope) -> None:
    """Arithmetic on sizes."""
    a = scope.array(lambda a: with_axes(a) and a.telling)
    if a is None:
        return
    texts = (
        "rows = {a}.shape[0]\n{new} = {a} / rows", "rows = len({a})\n{new} = {a} * (rows * 2 - 1)", "{new} = {a} / np.prod({a}.shape)",
        "*_, last_axis = {a}.shape\n{new} = {a} / last_axis", "{new} = {a} * (len({a}) // 2)", "{new} = {a} / math.sqrt({a}.shape[-1])",
        "{new} = {a} + np.zeros({a}.shape[-1])", "{new} = {a} + np.arange({a}.shape[-1])", "{new} = {a} * min({a}.shape[0], 10)",
        "{new} = {a} + np.ones(({a}.shape[0],) + {a}.shape[1:])", "{new} = {a} / float(len({a}) + 1)", "{new} = {a} * np.linspace(0.0, 1.0, num={a}.shape[-1])",
        "{new} = {a} * ({a}.shape[0] ** 2)", "{new} = {a} * -len({a})", "{new} = {a} / ({a}.size / len({a}))", "{new} = {a} + np.float64({a}.shape[0])",
        "{new} = {a} * round(len({a}) / 3)", "{new} = {a}.sum(axis=-1, keepdims=True) / {a}.shape[-1] + {a}", "{new} = {a} * divmod(len({a}), 2)[0]",
        "{new} = {a} + np.array([len({a})])", "{new} = {a} * np.full({a}.shape[-1], len({a}))", "shape = {a}.shape\n{new} = {a} + np.zeros(shape)",
        "{new} = {a} + np.ones(tuple({a}.shape))", "{new} = {a} + np.zeros([*{a}.shape])",
    )  # fmt: skip
    text = scope.pick(texts)
    if "math" in text:
        scope.module.imports.add("math")
    scope.names |= {"rows", "last_axis", "shape"}
    new = scope.result_name()
    scope.line(text.format(a=a.name, new=new))
    scope.add(Array(new, a.shape, tame=False))


FORMS: tuple[Form, ...] = (
    operate,
    combine,
    multiply,
    contract,
    buffer,
    write,
    write_other,
    contain,
    repeat,
    size,
    style,
)


def write_form(scope: Scope) -> None:
    """One of the forms; what it looked at stays unread where it found nothing to write."""
    unread, before = dict(scope.unread), len(scope.lines)
    scope.pick(FORMS)(scope)
    if len(scope.lines) == before:
        scope.unread = unread
