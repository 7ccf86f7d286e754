"""Edits of a module, as people make them: each gives another module, whose text need not load.

Together they change what a function's result may depend on without touching the function: a callee, a global, a
default, an attribute of a class, an import, a decorator, an example, the lines above, a name bound again elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from . import grammar
from .grammar import Module, Part
from .trial import loading, loads

Edit = Callable[[Module, Random], Module]


def edited(module: Module, random: Random) -> Module:
    """The module after one edit; the same object where it had nothing to edit.  Mostly it loads if it did before."""
    kept = loads(module) and random.random() < 0.95
    for _ in range(5):
        edit = random.choices(list(EDITS), weights=list(EDITS.values()))[0]
        changed = edit(module, random)
        if not kept or loads(changed):
            return changed
    return module


# ---- numbers and whole parts ------------------------------------------------------------------------


def number(module: Module, random: Random) -> Module:
    """Another number somewhere: in a body, a default, a setting, an attribute, an example, a decorator."""
    index = random.randrange(len(module.parts))
    part = module.parts[index]
    found = list(re.finditer(r"\d+\.\d+", part.text))
    if not found:
        return module
    at = random.choice(found)
    return module.put(index, replace(part, text=part.text[: at.start()] + grammar.c(random) + part.text[at.end() :]))


def setting(module: Module, random: Random) -> Module:
    """A setting gets another value, perhaps of another kind."""
    named = [index for index in module.of("number") if module.parts[index].name != "log"]
    if not named:
        return module
    index = random.choice(named)
    name = module.parts[index].name
    c = grammar.c
    values = {
        "gain": [c(random), str(random.randint(1, 9)), f"np.float32({c(random)})", f"np.array({c(random)})"],
        "bias": [f"np.array([{c(random)}, 2.0, 3.0])", f"np.full(3, {c(random)})", f"np.arange(3) * {c(random)}"],
        "table": [f'{{"eps": {c(random)}, "rate": {c(random)}}}', f"dict(eps={c(random)}, rate={c(random)}, more=1)"],
    }
    return module.put(index, Part("number", name, f"{name} = {random.choice(values[name])}"))


def again(module: Module, random: Random) -> Module:
    """A part is written anew."""
    makers = {
        "import": lambda: grammar.imported(module.number, random),
        "helper": lambda: grammar.helper(random.choice(grammar.HELPERS), random),
        "decorator": lambda: grammar.decorator(random),
        "cached": lambda: grammar.cached(random),
        "class": lambda: grammar.layer(random),
        "factory": lambda: grammar.factory(random),
        "rebinding": lambda: grammar.rebinding(random),
        "bound": lambda: grammar.bound(random),
    }
    indexes = module.of(*makers)
    if not indexes:
        return module
    index = random.choice(indexes)
    part = module.parts[index]
    if part.kind == "helper":
        return module.put(index, grammar.helper(part.name, random))
    return module.put(index, makers[part.kind]())


def exchanged(module: Module, random: Random) -> Module:
    """Two helpers exchange their names."""
    by_name = {part.name: index for index, part in enumerate(module.parts) if part.kind == "helper"}
    if not {"shift", "blend"} <= by_name.keys():
        return module
    for name, other in (("shift", "blend"), ("blend", "shift")):
        text = module.parts[by_name[name]].text.replace(f"def {name}(", f"def {other}(", 1)
        module = module.put(by_name[name], Part("helper", other, text))
    return module


def moved(module: Module, random: Random) -> Module:
    """A part goes to another place."""
    index = random.randrange(1, len(module.parts))
    return module.without(index).insert(random.randrange(1, len(module.parts)), module.parts[index])


def dropped(module: Module, random: Random) -> Module:
    if len(module.parts) < 8:
        return module
    return module.without(random.randrange(1, len(module.parts)))


def added(module: Module, random: Random) -> Module:
    """Something new at the end or anywhere, perhaps a second definition of what is there."""
    if len(module.parts) > 24:
        return module
    names = f"f_{random.randrange(4)}"
    part = random.choice(
        [
            grammar.rebinding(random),
            grammar.rebinding(random),
            grammar.function(names, random),
            grammar.bound(random),
            grammar.helper(random.choice(grammar.HELPERS), random),
            grammar.chosen(random),
            *grammar.settings(random)[:3],
        ]
    )
    place = random.choice([len(module.parts), len(module.parts), random.randrange(1, len(module.parts) + 1)])
    return module.insert(place, part)


def renewed(module: Module, random: Random) -> Module:
    """A whole module that loads, in place of one that may have come to load no more."""
    return loading(module.number, random)


def above(module: Module, random: Random) -> Module:
    """Lines come or go above everything else, or before a part."""
    comments = module.of("comment")
    if comments and random.random() < 0.5:
        return module.without(random.choice(comments))
    text = "\n".join(random.choice(["#", "# 𝛼 comment", "# ünïcode", "# more"]) for _ in range(random.randint(1, 4)))
    return module.insert(random.choice([0, random.randrange(len(module.parts) + 1)]), Part("comment", "", text))


# ---- inside a function ------------------------------------------------------------------------------


def _in_function(edit: Callable[[list[str], Random], None]) -> Edit:
    def change(module: Module, random: Random) -> Module:
        indexes = module.of("function")
        if not indexes:
            return module
        index = random.choice(indexes)
        part = module.parts[index]
        lines = part.text.split("\n")
        edit(lines, random)
        return module.put(index, replace(part, text="\n".join(lines)))

    return change


def _definition(lines: list[str]) -> int:
    return next(index for index, line in enumerate(lines) if line.startswith("def "))


def _statement(lines: list[str], random: Random) -> None:
    at = random.randint(_definition(lines) + 2, len(lines) - 1)
    while lines[at].startswith("     ") or lines[at].startswith("    else"):
        at -= 1
    lines[at:at] = ["    " + line for line in grammar.steps(random, 1, grammar.PLAIN + grammar.FAULTS)]


def _gone(lines: list[str], random: Random) -> None:
    start = _definition(lines) + 2
    simple = [
        index
        for index in range(start, len(lines) - 1)
        if lines[index].startswith("    y =") and not lines[index + 1].startswith("     ")
    ]
    if simple:
        del lines[random.choice(simple)]


def _example(lines: list[str], random: Random) -> None:
    examples = [index for index, line in enumerate(lines) if line.startswith("# nst: example(")]
    what = random.choice(["more", "other", "fewer", "swap"])
    if what == "more" and len(examples) < 3:
        lines.insert(0, grammar.example(random))
    elif what == "fewer" and len(examples) > 1:
        del lines[random.choice(examples)]
    elif what == "swap" and len(examples) > 1:
        a, b = random.sample(examples, 2)
        lines[a], lines[b] = lines[b], lines[a]
    elif examples:
        lines[random.choice(examples)] = grammar.example(random)


def _decorated(lines: list[str], random: Random) -> None:
    at = _definition(lines)
    if lines[at - 1].startswith("@"):
        del lines[at - 1]
    else:
        lines.insert(at, random.choice(["@twice", "@twice", "@functools.lru_cache(maxsize=None)"]))


def _silenced(lines: list[str], random: Random) -> None:
    if random.random() < 0.3:
        static = [index for index, line in enumerate(lines) if "nst: static" in line]
        if static:
            del lines[static[0]]
        else:
            lines.insert(0, "# nst: static(k)")
        return
    at = random.randint(_definition(lines) + 1, len(lines) - 1)
    head, mark, _ = lines[at].partition("  # ")
    comment = random.choice(["nst: ignore", "nst: ignore[NST204,NST205]", "nst: ignore[NST101]", "seen 𝛽"])
    lines[at] = head if mark else f"{head}  # {comment}"


def _renamed(lines: list[str], random: Random) -> None:
    at = _definition(lines)
    lines[at] = re.sub(r"def \w+\(", f"def f_{random.randrange(5)}(", lines[at])


EDITS: dict[Edit, float] = {
    number: 10,
    setting: 3,
    again: 5,
    exchanged: 1,
    moved: 1,
    dropped: 0.5,
    renewed: 3,
    added: 3,
    above: 4,
    _in_function(_statement): 4,
    _in_function(_gone): 4,
    _in_function(_example): 4,
    _in_function(_decorated): 2,
    _in_function(_silenced): 3,
    _in_function(_renamed): 1,
}


# ---- broken text ------------------------------------------------------------------------------------


def broken(text: str, random: Random) -> str:
    """The text with a slip that mostly keeps it from being read."""
    kind = random.choice(["gone", "junk", "half", "open"])
    if kind == "gone":
        found = [index for index, letter in enumerate(text) if letter in "():=\"'"]
        at = random.choice(found) if found else 0
        return text[:at] + text[at + 1 :]
    starts = [match.start() for match in re.finditer(r"^", text, re.MULTILINE)]
    at = random.choice(starts)
    if kind == "half":
        return text[: random.randrange(len(text) // 2, len(text))]
    return text[:at] + ("def (\n" if kind == "junk" else "values = [\n") + text[at:]
