"""What completes our comments, as plain data: what the file and our own tables know, and what jedi found."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tracer.rules import RULES

from ..completion.messages import Name, Signature
from .heads import Head
from .typed import Argument, Directive, RuleCode, StaticName, Typed


@dataclass(frozen=True, slots=True)
class Completion:
    """Something to write in place of what was typed of it."""

    label: str
    kind: str
    """`keyword`, `parameter`, `rule`, or jedi's word."""
    detail: str = ""
    documentation: str = ""
    rank: int = 1
    """Those of a lower rank come first."""


_DIRECTIVES = (
    Completion("example(", "keyword", "arguments to trace the function with"),
    Completion("static(", "keyword", "arguments that the function may be specialised on"),
    Completion("ignore[", "keyword", "rules that are silent on this line"),
)


def completions(typed: Typed, found: Iterable[Name] = ()) -> list[Completion]:
    """All that may stand here; `found` is what jedi knows for an argument."""
    match typed:
        case Directive():
            offered: Iterable[Completion] = _DIRECTIVES
        case RuleCode(written=written):
            offered = _rules(written)
        case StaticName(head=head, written=written):
            offered = _parameters(head, written, "")
        case Argument():
            names = _parameters(typed.head, typed.keywords, "=") if typed.own_call and typed.begins else ()
            offered = [*names, *_found(typed, found)]
    wanted = typed.prefix.lower()
    return [one for one in offered if one.label.lower().startswith(wanted)]


def _rules(written: frozenset[str]) -> Iterator[Completion]:
    for code, rule in RULES.items():
        if code not in written:
            yield Completion(code, "rule", rule.name, rule.summary)


def _parameters(head: Head | None, written: frozenset[str], after: str) -> Iterator[Completion]:
    """The parameters that an argument can be given to by name; an object's own method has it by position."""
    if head is None or head.node is None:
        return
    arguments = head.node.args
    named = [*arguments.args, *arguments.kwonlyargs] if after else head.parameters()
    for number, argument in enumerate(named):
        is_object = number == 0 and "." in head.name and argument.arg in ("self", "cls")
        if argument.arg not in written and not is_object:
            detail = ast.unparse(argument.annotation) if argument.annotation else ""
            yield Completion(argument.arg + after, "parameter", detail, rank=0)


def _found(typed: Argument, found: Iterable[Name]) -> Iterator[Completion]:
    own = {argument.arg for argument in typed.head.parameters()} if typed.head else set[str]()
    for one in found:
        hidden = one.name.startswith("_") and not typed.prefix.startswith("_")
        is_ours = typed.own_call and one.name.endswith("=") and one.name[:-1] in own
        if not hidden and not is_ours:
            yield Completion(one.name, one.type, rank=0 if one.name.endswith("=") else 1 + one.builtin)


# ---- signatures ------------------------------------------------------------------------------------


def own_signature(typed: Argument) -> Signature | None:
    """The signature of the function that the example is for; None inside of another call."""
    if not typed.own_call or typed.head is None or typed.head.node is None:
        return None
    node = typed.head.node
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    label = f"{typed.head.name}({ast.unparse(node.args)}){returns}"
    positional = [*node.args.posonlyargs, *node.args.args]
    named = [*positional, *node.args.kwonlyargs]
    order = [*positional, *([node.args.vararg] if node.args.vararg else []), *node.args.kwonlyargs]
    order += [node.args.kwarg] if node.args.kwarg else []
    return Signature(label, tuple(_shown(argument) for argument in order), _active(typed, order, positional, named))


def _active(typed: Argument, order: list[ast.arg], positional: list[ast.arg], named: list[ast.arg]) -> int | None:
    """The place of the argument that is being typed among the parameters."""
    if typed.keyword is not None:
        meant = next((one for one in named if one.arg == typed.keyword), None)
        return order.index(meant) if meant is not None else None
    starred = len(order) > len(positional) and order[len(positional)] not in named
    if typed.index < len(positional) or starred:
        return min(typed.index, len(positional))
    return None


def _shown(argument: ast.arg) -> str:
    return f"{argument.arg}: {ast.unparse(argument.annotation)}" if argument.annotation else argument.arg
