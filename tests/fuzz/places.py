"""Where a body of statements can stand: in a block, a helper, a method, a closure, a generator.

A *body* writes statements into a scope and gives the array they make; a *place* puts it somewhere and gives what
comes out there.  Bodies may hold planted faults; the places are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .forms import telling
from .scopes import Array, Scope

Body = Callable[[Scope], Array]


def in_line(scope: Scope, body: Body) -> Array:
    return body(scope)


_HEADS = (
    "for _ in range(2):",
    "for _ in (1, 2):",
    "if True:",
    'with np.errstate(all="ignore"):',
    "try:",
    "while True:",
)


def in_block(scope: Scope, body: Body) -> Array:
    """A statement with a body that runs at least once."""
    head = scope.pick(_HEADS)
    with scope.block(head):
        made = body(scope)
        if head == "while True:":
            scope.line("break")
    if head == "try:":
        with scope.block("finally:"):
            scope.line("pass")
    return made


def in_helper(scope: Scope, body: Body) -> Array:
    """A function of the module, called in one of Python's ways."""
    function = _Function.written(scope, body)
    name = scope.module.name(scope.pick(("helper", "rescaled", "adjusted")))
    head = f"def {name}({', '.join(function.parameters)}):"
    scope.module.blocks.append("\n".join([*_decorator(scope), head, *function.lines, ""]))
    return function.called(scope, name)


def in_method(scope: Scope, body: Body) -> Array:
    """A method of an object made on the spot, or of the class."""
    function = _Function.written(scope, body)
    owner = scope.module.name(scope.pick(("Step", "Layer")))
    method = scope.pick(("apply", "__call__", "forward"))
    kind = "instance" if method == "__call__" else scope.pick(("instance", "static", "class"))
    first = {"instance": ["self"], "static": [], "class": ["cls"]}[kind]
    lines = [f"class {owner}:"] + ([f"    @{kind}method"] if kind != "instance" else [])
    lines.append(f"    def {method}({', '.join(first + function.parameters)}):")
    scope.module.blocks.append("\n".join([*lines, *("    " + line for line in function.lines), ""]))
    name = owner if kind != "instance" else f"{owner}()"
    return function.called(scope, name if method == "__call__" else f"{name}.{method}")


def in_closure(scope: Scope, body: Body) -> Array:
    """A function within the function, which reads the names around it."""
    function = _Function.written(scope, body, closure=True)
    name = scope.name(scope.pick(("inner_step", "centred")))
    scope.line(f"def {name}({', '.join(function.parameters)}):")
    for line in function.lines:
        scope.line(line)
    return function.called(scope, name)


def in_generator(scope: Scope, body: Body) -> Array:
    """A generator function, whose parts are summed, stacked or picked."""
    function = _Function.written(scope, body)
    name = scope.module.name("pieces")
    head = f"def {name}({', '.join(function.parameters)}):"
    result = function.lines[-1].removeprefix("    return ")
    lines = [*function.lines[:-1], f"    yield {result}", f"    yield ({result}) * 0.5"]
    scope.module.blocks.append("\n".join([head, *lines, ""]))
    call = f"{name}({', '.join(function.passed)})"
    text = scope.pick(_CONSUMED)
    return scope.let(text.format(call=call), function.made.shape, tame=False)


_CONSUMED = (
    "sum({call})", "np.stack(list({call}))[0]", "next({call})", "[piece for piece in {call}][1]", "np.add(*{call})",
)  # fmt: skip


def in_property(scope: Scope, body: Body) -> Array:
    """A property of an object that holds the arrays."""
    function = _Function.written(scope, body)
    owner, held = scope.module.name("Holder"), function.parameters
    lines = [f"class {owner}:", f"    def __init__(self, {', '.join(held)}):"]
    lines += [f"        self.{name} = {name}" for name in held] + ["", "    @property", "    def outcome(self):"]
    lines += [f"        {name} = self.{name}" for name in held] + ["    " + line for line in function.lines]
    scope.module.blocks.append("\n".join([*lines, ""]))
    return scope.let(f"{owner}({', '.join(function.passed)}).outcome", function.made.shape, tame=False)


def in_wrapper(scope: Scope, body: Body) -> Array:
    """The wrapper of a decorator, before it calls the function that it decorates."""
    function = _Function.written(scope, body)
    decorator, inside = scope.module.name("preparing"), ["    " + line for line in function.lines]
    result = inside[-1].strip().removeprefix("return ")
    lines = [
        f"def {decorator}(function):",
        "    @functools.wraps(function)",
        f"    def wrapper({', '.join(function.parameters)}):",
    ]
    lines += [*inside[:-1], f"        return function({result})", "", "    return wrapper", ""]
    name = scope.module.name("doubled")
    scope.module.imports.add("functools")
    scope.module.blocks += ["\n".join(lines), f"@{decorator}\ndef {name}(v):\n    return v * 2.0\n"]
    return scope.let(f"{name}({', '.join(function.passed)})", function.made.shape, tame=False)


def in_context(scope: Scope, body: Body) -> Array:
    """A context manager that hands out what it made."""
    function = _Function.written(scope, body)
    name = scope.module.name("lending")
    lines = ["@contextlib.contextmanager", f"def {name}({', '.join(function.parameters)}):", *function.lines[:-1]]
    lines.append(function.lines[-1].replace("return", "yield", 1))
    scope.module.imports.add("contextlib")
    scope.module.blocks.append("\n".join([*lines, ""]))
    lent = scope.name("lent")
    with scope.block(f"with {name}({', '.join(function.passed)}) as {lent}:"):
        return scope.let(f"{lent} * 2.0", function.made.shape, tame=False)


PLACES = (in_line, in_helper, in_block, in_closure, in_method, in_generator, in_property, in_wrapper, in_context)


@dataclass(frozen=True, slots=True)
class _Function:
    """A function with its body written: its parameters, what is passed for them, and its lines."""

    parameters: list[str]
    passed: list[str]
    arrays: int
    """How many of them are arrays; these come first."""
    lines: list[str]
    made: Array

    @classmethod
    def written(cls, scope: Scope, body: Body, *, closure: bool = False) -> _Function:
        first = scope.array(telling)
        assert first is not None
        given = [first] if scope.maybe() else [first, scope.array(telling) or first]
        inner = Scope(scope.module, scope, closure)
        own = [inner.add(Array(inner.name(n), a.shape, a.kind, tame=a.tame)) for n, a in zip("vw", given, strict=False)]
        if closure:
            inner.arrays[:0] = [replace(a, fresh=False) for a in scope.arrays]
        made = body(inner)
        others = [a.name for a in inner.unread.values() if a.name != made.name]
        inner.line(f"return {made.name}{''.join(f' + {other}.sum()' for other in others)}")
        more = inner.arguments
        parameters = [a.name for a in own] + [x.parameter for x in more]
        return cls(parameters, [a.name for a in given] + [x.text for x in more], len(own), inner.lines, made)

    def called(self, scope: Scope, name: str) -> Array:
        """The call: positional, by keyword, by star, or through `partial`."""
        way, passed = scope.pick(("positional", "keyword", "star", "partial")), self.passed
        inside = ", ".join(passed)
        if way == "keyword":
            inside = ", ".join(f"{n}={v}" for n, v in zip(self.parameters, passed, strict=True))
        elif way == "star":
            arrays, others = passed[: self.arrays], passed[self.arrays :]
            inside = ", ".join([f"*({', '.join(arrays)},)", *others])
        elif way == "partial":
            scope.module.imports.add("functools")
            name, inside = f"functools.partial({name}, {passed[0]})", ", ".join(passed[1:])
        return scope.let(f"{name}({inside})", self.made.shape, self.made.kind, tame=False)


_LOGGED = """def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper
"""


def _decorator(scope: Scope) -> list[str]:
    if not (scope.maybe() and scope.maybe()):
        return []
    scope.module.imports.add("functools")
    scope.module.declare("logged", _LOGGED)
    return ["@logged"]
