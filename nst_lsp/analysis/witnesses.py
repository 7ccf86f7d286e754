"""A witness as the arguments of an example."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tracer.worker.wire import Finding

from .outline import FunctionNode, functions, parameters, parse

_LONGEST = 1000
"""Characters of an example that a comment should have."""


def witness_arguments(source: str, finding: Finding) -> str | None:
    """What stands in the parentheses of the example; None where the witness is not of arguments that can be written."""
    tree = parse(source)
    if finding.witness is None or tree is None:
        return None
    given = finding.witness.arguments
    node = next((node for name, node in functions(tree.module.body) if name == finding.function), None)
    if node is None or "<locals>" in finding.function:
        return None
    if not given.keys() <= {argument.arg for argument in parameters(node)}:
        return None  # it changes a hidden input, too
    written = ", ".join(_written(node, given))
    return written if len(written) <= _LONGEST and _is_call(written) else None


def _written(node: FunctionNode, given: Mapping[str, str]) -> Iterator[str]:
    """By position as long as there are no gaps, then by name."""
    without_gap = True
    for argument in [*node.args.posonlyargs, *node.args.args]:
        if argument.arg in given:
            yield given[argument.arg] if without_gap else f"{argument.arg}={given[argument.arg]}"
        else:
            without_gap = False
    if node.args.vararg is not None and node.args.vararg.arg in given:
        yield f"*{given[node.args.vararg.arg]}"
    for argument in node.args.kwonlyargs:
        if argument.arg in given:
            yield f"{argument.arg}={given[argument.arg]}"
    if node.args.kwarg is not None and node.args.kwarg.arg in given:
        yield f"**{given[node.args.kwarg.arg]}"


def _is_call(arguments: str) -> bool:
    """Whether the text is that of arguments, with nothing left out (`...`)."""
    if "\n" in arguments:
        return False
    try:
        tree = ast.parse(f"f({arguments})", mode="eval")
    except (SyntaxError, ValueError):
        return False
    return not any(isinstance(node, ast.Constant) and node.value is ... for node in ast.walk(tree))
