"""Inputs that nobody passes, a global or a random draw, become parameters: in definitions, calls and examples."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..bindings import index_of
from ..worker.wire import Finding
from .callers import chain, threaded, title_of
from .candidate import Candidate, Given, Kind, Parameter, candidate
from .text import DEFINITIONS, Change, Definition, Text, bound_in, names_in


def hidden_inputs(text: Text, finding: Finding) -> Iterator[Candidate]:
    """A global, or an item or attribute of one, as a parameter; a number is given as an array, so that it may vary."""
    node = text.covering(finding.place.span)
    functions = chain(text, finding)
    if not isinstance(node, ast.expr) or functions is None:
        return
    name = _parameter_for(node)
    if name is None or not _is_global(text, node, functions):
        return
    written, label = text.of(node), ast.unparse(node)
    if "\n" in written:
        return
    changes: list[Change | None] = []
    if not isinstance(node, ast.Name):
        reads = [n for f in functions for n in ast.walk(f) if isinstance(n, type(node)) and ast.unparse(n) == label]
        stored = any(not isinstance(n.ctx, ast.Load) for n in reads if isinstance(n, (ast.Attribute, ast.Subscript)))
        if stored or any(name in names_in(f) for f in functions):
            return
        changes += [Change(*text.range(n), name) for n in reads]
    array = finding.code == "NST204"
    given = written if array else f"{text.numpy or 'np'}.array({written})"
    threads = threaded(text, functions, name, written, given)
    if threads is not None:
        parameter = Parameter(name, Given.VALUE if array else Given.ARRAY, label)
        title = f"Make `{written}` a parameter of {title_of(functions)}"
        yield from candidate(Kind.PARAMETER, title, [*changes, *threads], parameter)


def _parameter_for(node: ast.expr) -> str | None:
    """The name that the parameter for a hidden input would have."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(), attr=name):
            return name
        case ast.Subscript(value=ast.Name(), slice=ast.Constant(value=str() as name)) if name.isidentifier():
            return name
    return None


def _is_global(text: Text, node: ast.expr, functions: Sequence[Definition]) -> bool:
    """Whether the name at the root is the module's own, in all of the functions."""
    root = node.value if isinstance(node, (ast.Attribute, ast.Subscript)) else node
    if not isinstance(root, ast.Name) or any(root.id in bound_in(f) for f in functions):
        return False
    stores = index_of(text.file).names.get(root.id, [])
    imported = root.id in index_of(text.file).imported
    if isinstance(node, ast.Attribute) and (imported or root.id in index_of(text.file).modules):
        return False  # what another module has is that module's to change
    return imported or any(store.scope is text.file.tree for store in stores)


# ---- random draws ----------------------------------------------------------------------------------

_SAME = frozenset({
    "beta", "binomial", "chisquare", "choice", "dirichlet", "exponential", "f", "gamma", "geometric", "gumbel",
    "hypergeometric", "laplace", "logistic", "lognormal", "logseries", "multinomial", "negative_binomial", "normal",
    "pareto", "permutation", "poisson", "power", "rayleigh", "shuffle", "standard_cauchy", "standard_exponential",
    "standard_normal", "standard_t", "triangular", "uniform", "vonmises", "wald", "weibull", "zipf", "standard_gamma",
})  # fmt: skip
"""Functions of `np.random` that a generator has under the same name, with the same parameters."""
_RENAMED = {
    "random": "random", "random_sample": "random", "ranf": "random", "sample": "random", "randint": "integers",
}  # fmt: skip
_SHAPED = {"rand": "random", "randn": "standard_normal"}
"""Those that take the shape as separate numbers."""
_PYTHON = {"random": "random", "uniform": "uniform", "gauss": "normal", "normalvariate": "normal"}
"""Functions of Python's `random` that a generator has, too."""


def random_draws(text: Text, finding: Finding) -> Iterator[Candidate]:
    """The draws of a function from a generator that it is given."""
    node = text.covering(finding.place.span)
    functions = chain(text, finding)
    if text.numpy is None or not isinstance(node, ast.Call) or not functions or _seeds(text):
        return
    new = f"{text.numpy}.random.default_rng"
    drawn = _drawn_from(text, node)
    if drawn in (Given.NUMPY, Given.PYTHON):
        name = next((n for n in ("rng", "generator") if not any(n in names_in(f) for f in functions)), None)
        calls = [n for f in functions for n in ast.walk(f) if isinstance(n, ast.Call) and _drawn_from(text, n) is drawn]
        changes = [c for call in calls for c in _from_generator(text, call, name or "")]
        passed = f"{new}()"
    else:
        found = _own_generator(text, node, functions)
        if found is None:
            return
        name, changes, passed = found
        drawn = Given.GENERATOR
    threads = threaded(text, functions, name, passed, f"{new}(0)") if name else None
    if name is not None and threads is not None:
        title = f"Draw from a generator that is given to {title_of(functions)}"
        yield from candidate(Kind.GENERATOR, title, [*changes, *threads], Parameter(name, drawn))


def _seeds(text: Text) -> bool:
    """Whether the file sets the state that draws depend on: a generator of its own would not follow it."""
    return any(isinstance(n, ast.Attribute) and n.attr in ("seed", "set_state") for n in ast.walk(text.file.tree))


def _drawn_from(text: Text, call: ast.Call) -> Given | None:
    """Whether a call draws from NumPy's or Python's global generator."""
    modules = index_of(text.file).modules
    match call.func:
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id=top), attr="random")) if top == text.numpy:
            return Given.NUMPY
        case ast.Attribute(value=ast.Name(id=top)) if modules.get(top) == "numpy.random":
            return Given.NUMPY
        case ast.Attribute(value=ast.Name(id=top)) if modules.get(top) == "random":
            return Given.PYTHON
    return None


def _from_generator(text: Text, call: ast.Call, name: str) -> list[Change | None]:
    """The changes that make a draw come from a generator."""
    assert isinstance(call.func, ast.Attribute)
    drawn, place = call.func.attr, text.range(call.func)
    if _drawn_from(text, call) is Given.PYTHON:
        return [Change(*place, f"{name}.{_PYTHON[drawn]}")] if drawn in _PYTHON else [None]
    if drawn in _SAME or drawn in _RENAMED:
        return [Change(*place, f"{name}.{_RENAMED.get(drawn, drawn)}")]
    if drawn not in _SHAPED or call.keywords or any(isinstance(a, ast.Starred) for a in call.args):
        return [None]
    changes: list[Change | None] = [Change(*place, f"{name}.{_SHAPED[drawn]}")]
    if len(call.args) > 1:
        (first, _), (_, last) = text.range(call.args[0]), text.range(call.args[-1])
        changes += [Change(first, first, "("), Change(last, last, ")")]
    return changes


def _own_generator(
    text: Text, call: ast.Call, functions: Sequence[Definition]
) -> tuple[str, list[Change | None], str] | None:
    """A generator of the module, or one that the function makes without a seed: its name, what goes, what is passed."""
    match call.func:
        case ast.Attribute(value=ast.Name(id=name)):
            pass
        case _:
            return None
    if _is_global(text, call.func.value, functions):
        return name, [], name
    made = [
        n
        for f in functions
        for n in ast.walk(f)
        if isinstance(n, ast.Assign) and any(_binds(t, name) for t in n.targets)
    ]
    fresh = f"{text.numpy}.random.default_rng()"
    if len(made) != 1 or ast.unparse(made[0].value) != fresh or not isinstance(made[0].targets[0], ast.Name):
        return None
    block = text.parent(made[0])
    if not isinstance(block, DEFINITIONS) or len(block.body) == 1 or block is not text.outermost(call):
        return None
    line = text.starts[made[0].lineno - 1]
    start, end = text.range(made[0])
    rest = text.source.find(text.newline, end)
    alone = not text.source[line:start].strip() and not text.source[end:rest].strip()
    return (name, [Change(line, rest + len(text.newline), "")], fresh) if alone and rest >= 0 else None


def _binds(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Name) and target.id == name
