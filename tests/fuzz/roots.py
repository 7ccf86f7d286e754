"""The traced function itself: a plain function, a method, or one made by another; and how its arrays come in."""

from __future__ import annotations

from .forms import POINT, RECORD
from .scopes import Argument, Array, Leaf, Module, Root, Scope

_SHAPES = (("n",), ("n", "m"), ("m",), ("n", "n"), (), ("n", "m", "2"), ("1", "n"))
_DTYPES = ("float64", "float64", "float32", "int64", "bool")


def opened(module: Module) -> Scope:
    """The scope of a function with one to three arrays."""
    root = Scope(module)
    root.kind = root.pick(tuple(Root))
    way = root.pick((_plainly, _plainly, _in_one_container, _by_star))
    way(root, [_leaf(root, first=i == 0) for i in range(root.pick((1, 2, 3)))])
    return root


def _leaf(root: Scope, *, first: bool) -> Leaf:
    shape, dtype = root.pick(_SHAPES), root.pick(_DTYPES)
    return Leaf(shape, "float64" if first else dtype)


def _plainly(root: Scope, leaves: list[Leaf]) -> None:
    for base, leaf in zip("xyz", leaves, strict=False):
        name = root.name(base)
        root.arguments.append(Argument(name, "{0}", (leaf,)))
        _add(root, name, leaf)


def _in_one_container(root: Scope, leaves: list[Leaf]) -> None:
    """All arrays in one argument: a dict, a list, a dataclass, a named tuple."""
    count, name = len(leaves), root.name("given_all")
    kinds = [
        ("{{" + ", ".join(f'"{k}": {{{i}}}' for i, k in enumerate("abc"[:count])) + "}}", [f'["{k}"]' for k in "abc"]),
        ("[" + ", ".join(f"{{{i}}}" for i in range(count)) + "]", [f"[{i}]" for i in range(count)]),
        ('({0}, {{"more": [' + ", ".join(f"{{{i}}}" for i in range(1, count)) + "]}})", ["[0]", *(f'[1]["more"][{i}]' for i in range(2))]),
    ]  # fmt: skip
    if count == 2:
        kinds += [("Record({0}, {1})", [".left", ".right"]), ("Point({0}, {1})", [".x", ".y"])]
    text, steps = root.pick(kinds)
    if text.startswith("Record"):
        root.module.imports.add("dataclass")
        root.module.declare("Record", RECORD)
    if text.startswith("Point"):
        root.module.imports.add("NamedTuple")
        root.module.declare("Point", POINT)
    root.arguments.append(Argument(name, text, tuple(leaves)))
    for step, leaf in zip(steps, leaves, strict=False):
        _add(root, name + step, leaf)


def _by_star(root: Scope, leaves: list[Leaf]) -> None:
    """`*arrays`, picked apart by index."""
    name = root.name("arrays")
    root.star = name
    for i, leaf in enumerate(leaves):
        root.arguments.append(Argument(f"{name}[{i}]", "{0}", (leaf,)))
        _add(root, f"{name}[{i}]", leaf)


def _add(root: Scope, name: str, leaf: Leaf) -> None:
    root.add(Array(name, leaf.shape, leaf.dtype[0]))


def definition(root: Scope, example: str) -> str:
    """The text of the traced function with its example, its class or maker around it."""
    parameters = [a.parameter for a in root.arguments if not a.parameter.startswith(f"{root.star}[")]
    if root.star:
        parameters.insert(0, f"*{root.star}")
    match root.kind:
        case Root.FUNCTION:
            return "\n".join([f"# nst: example({example})", f"def compute({', '.join(parameters)}):", *root.lines])
        case Root.METHOD:
            head = f"    def compute({', '.join(['self', *parameters])}):"
            note = f"    # nst: example({', '.join(['Model()', *([example] if example else [])])})"
            return "\n".join(["class Model(Config):", note, head, *("    " + line for line in root.lines)])
        case Root.MADE:
            inner = [
                f"    def compute({', '.join(parameters)}):",
                *("    " + line for line in root.lines),
                "",
                "    return compute",
                "",
            ]
            head = f"def make({', '.join(root.cells)}):"
            return "\n".join(
                [head, *inner, "", f"# nst: example({example})", f"compute = make({', '.join(root.cells.values())})"]
            )
