"""Rewrites the syntax tree of user code so that it reports itself while a trace is on.

Every hook is a method of the object `__nst__` in the module's globals (`hooks`) and stands exactly where
the expression it wraps stood, so that the interpreter's own position table says where things happened.
With no trace on, a hook returns what plain Python would.

What is rewritten, inside functions only:

    if c / while c / x if c else y / [… if c] / not c     test(c), operand by operand through and/or
    assert c                                              asserted(c)
    a or b, a and b (as values)                           operand(a) or b
    a < b < c                                             chain(a, "<", b, "<", c)
    a is b, a in b                                        is_(a, b), contains(a, b)
    f(x), o.m(x), f(**d)                                  call(f)(x), method(o, "m")(x), call(f)(**splat(d))
    NAME (global or free), o.a, c[k]                      name(NAME), free(NAME), attr(o, "a"), item(c, k)
    for i in it, a, b = it, f(*it)                        loop(it), unpack(it)
    o.a = v, c[k] = v, del …                              target(o).a = v, target(c)[key(k)] = v
    o.a += v, c[k] += v, n += v                           update_attr(o, "a", "Add", v), …; updating(n) before it
    global/nonlocal n; n = v                              storing_global / storing_cell before it
    f"{v}", "…" % v                                       text(f"{v}"), percent("…", v)
    def, lambda inside a function                         born(…)
    return v                                              return returned(v)
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Sequence
from typing import TypeVar

from . import environment
from .callstack import LATE
from .scopes import Function, Scope, library_modules, quiet_names
from .syntax import walk

HOOKS = "__nst__"
_FRAME_BOUND = frozenset({"super", "locals", "globals", "vars", "eval", "exec", "dir", "breakpoint", "__import__"})
"""Functions that look at their caller's frame or need to be seen by name; their calls stay as they are."""
_COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
            ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}  # fmt: skip

_QUANTIFIERS = {"any": "some", "all": "every"}
_N = TypeVar("_N", bound=ast.AST)


def rewrite(tree: ast.Module) -> ast.Module:
    """A rewritten copy's tree (the argument itself is changed; parse anew for the original)."""
    nodes = walk(tree)
    _Rewriter(quiet_names(tree, nodes), library_modules(nodes)).visit(tree)
    return tree


class _Rewriter(ast.NodeTransformer):
    def __init__(self, quiet: frozenset[str], libraries: frozenset[str]) -> None:
        self._quiet = quiet
        self._libraries = libraries
        self._scope: Scope | None = None
        self._classes: list[str] = []

    # ---- scopes ----------------------------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        nested = self._scope is not None
        self._function(node)
        return self._hook("born", node, [node]) if nested else node

    def _function(self, node: Function) -> ast.AST:
        if not isinstance(node, ast.Lambda):
            node.decorator_list = self._each(node.decorator_list)
            if self._scope is not None:
                node.decorator_list.append(_at(ast.Attribute(_name(HOOKS), "born", ast.Load()), node))
        node.args.defaults = self._each(node.args.defaults)
        node.args.kw_defaults = [self.visit(d) if d else d for d in node.args.kw_defaults]
        outer, self._scope = self._scope, Scope(node, self._scope)
        if isinstance(node, ast.Lambda):
            node.body = self.visit(node.body)
        else:
            node.body = self._body(node.body)
        self._scope = outer
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.decorator_list = self._each(node.decorator_list)
        node.bases = self._each(node.bases)
        node.keywords = self._each(node.keywords)
        self._classes.append(node.name)
        outer, self._scope = self._scope, None
        # A class body is not a function: its names resolve differently, and it runs before or outside traces.
        node.body = [self._class_statement(s, outer) for s in node.body]
        self._scope = outer
        self._classes.pop()
        return node

    def _class_statement(self, statement: ast.stmt, outer: Scope | None) -> ast.stmt:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._scope = outer
            statement = self.visit(statement)
            self._scope = None
            return statement
        if isinstance(statement, ast.ClassDef):
            self._scope = outer
            statement = self.visit(statement)
            self._scope = None
        return statement

    def _each(self, nodes: Sequence[_N]) -> list[_N]:
        return [self.visit(n) for n in nodes]

    def _expression(self, node: ast.expr) -> ast.expr:
        visited = self.visit(node)
        assert isinstance(visited, ast.expr)
        return visited

    def _body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in statements:
            result = self.visit(statement)
            made.extend(result if isinstance(result, list) else [result])
        return made

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for name, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, name, self._body(value))
            elif isinstance(value, list):
                setattr(node, name, [self.visit(v) if isinstance(v, ast.AST) else v for v in value])
            elif isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
        return node

    # ---- conditions ------------------------------------------------------------------------------

    def visit_If(self, node: ast.If) -> ast.AST:
        node.test = self._test(node.test)
        node.body, node.orelse = self._body(node.body), self._body(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        node.test = self._test(node.test)
        node.body, node.orelse = self._body(node.body), self._body(node.orelse)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self._test(node.test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.test = self._test(node.test, "asserted", node.test)
        if node.msg:
            node.msg = self.visit(node.msg)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        if node.guard:
            node.guard = self._test(node.guard)
        node.body = self._body(node.body)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        node.operand = self._test(node.operand) if isinstance(node.op, ast.Not) else self.visit(node.operand)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        *tested, last = node.values
        node.values = [self._operand(v) for v in tested] + [self.visit(last)]
        return node

    def _operand(self, value: ast.expr) -> ast.expr:
        """An operand whose truth decides and whose value may be the result."""
        if isinstance(value, ast.BoolOp):
            value.values = [self._operand(v) for v in value.values]  # the last one's truth decides here, too
            return value
        if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
            return self._expression(value)
        at = _last_of_chain(value) if _is_chain(value) else value
        return self._hook("operand", at, [self.visit(value), *self._absent(value)])

    def _test(self, value: ast.expr, hook: str = "test", at: ast.AST | None = None) -> ast.expr:
        """A condition: the hook goes to the operands that are turned into truth values."""
        if self._scope is None:
            return self._expression(value)
        if isinstance(value, ast.BoolOp):
            value.values = [self._test(v, hook, at) for v in value.values]
            return value
        if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
            value.operand = self._test(value.operand, hook, at)
            return value
        if isinstance(value, ast.Constant):
            return value
        if hook == "asserted" and isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords:
            quantifier = _QUANTIFIERS.get(value.func.id) if isinstance(value.func, ast.Name) else None
            if quantifier is not None and value.func.id in self._quiet:  # type: ignore[attr-defined]
                return self._hook(hook, at or value, [self._hook(quantifier, value, [self._expression(value.args[0])])])
        if isinstance(value, ast.Compare) and at is not None:
            visited = self._comparison(value, at)
        else:
            visited = self.visit(value)
            at = at or (_last_of_chain(value) if _is_chain(value) else value)
        assert isinstance(visited, ast.expr)
        return self._hook(hook, at, [visited, *self._absent(value)])

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        return self.generic_visit(node) if self._scope is None else self._comparison(node)

    def _comparison(self, node: ast.Compare, asserted: ast.AST | None = None) -> ast.AST:
        """A comparison; what it decides by itself is told at `asserted`, where it is part of an assert's condition."""
        if len(node.ops) > 1:
            return self._chain(node, asserted)
        asks_class = _is_class_of(node.left) or _is_class_of(node.comparators[0])
        node.left, right = self.visit(node.left), self.visit(node.comparators[0])
        node.comparators = [right]
        op = node.ops[0]
        if isinstance(op, (ast.Is, ast.IsNot)) or (asks_class and isinstance(op, (ast.Eq, ast.NotEq))):
            negated = ast.Constant(isinstance(op, (ast.IsNot, ast.NotEq)))
            return self._hook("is_", node, [node.left, right, negated, *self._absent(node.left)])
        if isinstance(op, (ast.In, ast.NotIn)):
            negated = ast.Constant(isinstance(op, ast.NotIn))
            return self._hook("contains", asserted or node, [node.left, right, negated, *_as_asserted(asserted)])
        return node

    def _absent(self, left: ast.expr) -> list[ast.expr]:
        """The name of a parameter whose value may be None, which cannot say where it came from."""
        if isinstance(left, ast.Name) and self._scope is not None and left.id in self._scope.parameters:
            return [ast.Constant(left.id)]
        return []

    def _chain(self, node: ast.Compare, asserted: ast.AST | None) -> ast.AST:
        """`a < b < c`: each comparison is decided, and reported, on its own range.

        Later operands are evaluated only if needed: a name or constant at once (that is not seen), all
        else in a lambda; where a lambda would change its meaning the comparison stays as it is.
        """
        late = node.comparators[1:]
        if any(isinstance(n, (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)) for c in late for n in ast.walk(c)):
            return self.generic_visit(node)
        operands = [node.left, *node.comparators]
        spots = [asserted or _between(a, b) for a, b in itertools.pairwise(operands)]
        args: list[ast.expr] = [self.visit(node.left), self.visit(node.comparators[0])]
        for operand in late:
            simple = isinstance(operand, (ast.Constant, ast.Name))
            value = self.visit(operand)
            args.append(value if simple else _at(ast.Lambda(_late(), value), operand))
        first = [*args[:2], ast.Constant(_COMPARE[type(node.ops[0])]), *_as_asserted(asserted)]
        made: ast.expr = _at(ast.Call(_hook_name("chain"), first, []), spots[0])
        for step, (op, operand, spot) in enumerate(zip(node.ops[1:], args[2:], spots[1:], strict=False), 2):
            link = "last" if step == len(node.ops) else "then"
            made = _at(
                ast.Call(ast.Attribute(made, link, ast.Load()), [operand, ast.Constant(_COMPARE[type(op)])], []), spot
            )
        return made

    # ---- calls -----------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node.args = self._each(node.args)
        for keyword in node.keywords:
            value = self.visit(keyword.value)
            splat = keyword.arg is None and self._scope is not None
            keyword.value = self._hook("splat", keyword.value, [value]) if splat else value
        function = node.func
        if self._scope is None or (isinstance(function, ast.Name) and function.id in _FRAME_BOUND):
            return node
        if isinstance(function, ast.Attribute):
            owner, name = self.visit(function.value), ast.Constant(self._mangled(function.attr))
            node.func = self._hook("method", function, [owner, name])
        else:
            node.func = self._hook("call", function, [self.visit(function)])
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        node.value = self._iterable(node.value) if isinstance(node.ctx, ast.Load) else self.visit(node.value)
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        return node  # a pattern must stay a literal or a dotted name

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        return node

    def visit_MatchMapping(self, node: ast.MatchMapping) -> ast.AST:
        return node

    # ---- reads -----------------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if self._scope is None or not isinstance(node.ctx, ast.Load) or node.id == HOOKS:
            return node
        kind = self._scope.kind(node.id)
        if kind == "own" or (kind == "global" and node.id in self._quiet):
            return node
        return self._hook("name" if kind == "global" else "free", node, [node, ast.Constant(node.id)])

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if self._scope is None:
            return self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            node.value = self._hook(
                "target", node.value, [self.visit(node.value), ast.Constant(self._mangled(node.attr))]
            )
            return node
        if _root(node) in self._libraries and self._scope.kind(_root(node)) == "global" and not _asks_environment(node):
            return node
        return self._hook("attr", node, [self.visit(node.value), ast.Constant(self._mangled(node.attr))])

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if self._scope is None:
            return self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            node.value = self._hook("target", node.value, [self.visit(node.value)])
            key = self.visit(node.slice)
            number = isinstance(key, ast.Constant) and not isinstance(key.value, str)
            plain = isinstance(key, (ast.Slice, ast.Tuple)) or number
            node.slice = key if plain else self._hook("key", node.slice, [key])
            return node
        node.value, node.slice = self.visit(node.value), self.visit(node.slice)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if _root(node.value) in self._libraries and not any(isinstance(part, ast.Starred) for part in parts):
            return self._hook("item", node, [node.value, _index(node.slice)])  # np.mgrid[…], np.r_[…]
        if any(isinstance(part, (ast.Slice, ast.Starred)) for part in parts):
            return node
        return self._hook("item", node, [node.value, node.slice])

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        self.generic_visit(node)
        return self._hook("text", node, [node]) if self._scope is not None else node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        node.value = self.visit(node.value)
        if node.format_spec is not None:
            # A format specification is itself a JoinedStr, which the compiler wants as it is.
            node.format_spec = self.generic_visit(node.format_spec)  # type: ignore[assignment]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """`"…" % values`, where the template can be seen."""
        self.generic_visit(node)
        template = node.left
        formats = (
            isinstance(node.op, ast.Mod) and isinstance(template, ast.Constant) and isinstance(template.value, str)
        )
        return self._hook("percent", node, [template, node.right]) if formats and self._scope is not None else node

    # ---- iteration -------------------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> ast.AST:
        node.iter = self._iterable(node.iter)
        node.target = self.visit(node.target)
        node.body, node.orelse = self._body(node.body), self._body(node.orelse)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.target = self.visit(node.target)
        node.iter = self.visit(node.iter) if node.is_async else self._iterable(node.iter)
        node.ifs = [self._test(c) for c in node.ifs]
        return node

    def _iterable(self, node: ast.expr) -> ast.expr:
        visited = self.visit(node)
        return self._hook("loop", node, [visited]) if self._scope is not None else visited

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self._comprehension(node, ["elt"])

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        return self._comprehension(node, ["elt"])

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self._comprehension(node, ["elt"])

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        return self._comprehension(node, ["key", "value"])

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, parts: list[str]
    ) -> ast.AST:
        """The targets of a comprehension are its own names while its parts are visited."""
        targets = {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        added = targets - self._scope.own if self._scope is not None else set()
        if self._scope is not None:
            self._scope.own |= added
        node.generators = self._each(node.generators)
        for part in parts:
            setattr(node, part, self.visit(getattr(node, part)))
        if self._scope is not None:
            self._scope.own -= added
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is not None:
            visited = self.visit(node.value)
            node.value = self._hook("returned", node.value, [visited]) if self._scope is not None else visited
        return node

    # ---- stores ----------------------------------------------------------------------------------

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        value = self.visit(node.value)
        if self._scope is not None and any(isinstance(t, (ast.Tuple, ast.List)) for t in node.targets):
            value = self._hook("unpack", node.value, [value])
        node.value = value
        node.targets = self._each(node.targets)
        return self._announced(node, node.targets)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        node.value = self.visit(node.value)
        target = node.target
        if self._scope is None:
            return node
        op = ast.Constant(type(node.op).__name__)
        if isinstance(target, ast.Attribute):
            parts = [self.visit(target.value), ast.Constant(self._mangled(target.attr))]
            return _at(ast.Expr(self._hook("update_attr", node, [*parts, op, node.value])), node)
        if isinstance(target, ast.Subscript):
            parts = [self.visit(target.value), _index(self.visit(target.slice))]
            return _at(ast.Expr(self._hook("update_item", node, [*parts, op, node.value])), node)
        present = self.visit_Name(_at(_name(target.id), node))
        assert isinstance(present, ast.expr)
        before = _at(ast.Expr(self._hook("updating", node, [present])), node)
        announced = self._announced(node, [target])
        return [before, *(announced if isinstance(announced, list) else [node])]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | list[ast.stmt]:
        if node.value is not None:
            node.value = self.visit(node.value)
        node.target = self.visit(node.target)
        return self._announced(node, [node.target])

    def visit_Delete(self, node: ast.Delete) -> ast.AST | list[ast.stmt]:
        node.targets = self._each(node.targets)
        return self._announced(node, node.targets)

    def _announced(self, node: ast.stmt, targets: Iterable[ast.AST]) -> ast.AST | list[ast.stmt]:
        """A statement that binds a global or nonlocal name, with the hook that says so before it."""
        if self._scope is None:
            return node
        before: list[ast.stmt] = []
        for name in {
            n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
        }:
            if name in self._scope.globals:
                call = self._hook("storing_global", node, [ast.Constant(name)])
            elif name in self._scope.nonlocals:
                call = self._hook(
                    "storing_cell",
                    node,
                    [ast.Constant(name), _at(ast.Lambda(_no_arguments(), _at(_name(name), node)), node)],
                )
            else:
                continue
            before.append(_at(ast.Expr(call), node))
        return [*before, node] if before else node

    # ---- making nodes ----------------------------------------------------------------------------

    def _hook(self, name: str, at: ast.AST, args: Sequence[ast.expr]) -> ast.Call:
        return _at(ast.Call(_at(_hook_name(name), at), list(args), []), at)

    def _mangled(self, name: str) -> str:
        """A private name as the compiler would mangle it in the class around."""
        if name.startswith("__") and not name.endswith("__") and self._classes:
            owner = self._classes[-1].lstrip("_")
            return f"_{owner}{name}" if owner else name
        return name


def _as_asserted(place: ast.AST | None) -> list[ast.expr]:
    """The argument that tells a hook that it decides a part of an assert's condition."""
    return [] if place is None else [ast.Constant(True)]


def _last_of_chain(node: ast.expr) -> ast.AST:
    """The last comparison of `a < b < c`."""
    assert isinstance(node, ast.Compare)
    return _between(node.comparators[-2], node.comparators[-1])


def _between(left: ast.expr, right: ast.expr) -> ast.AST:
    spot = ast.expr()
    spot.lineno, spot.col_offset = left.lineno, left.col_offset
    spot.end_lineno, spot.end_col_offset = right.end_lineno, right.end_col_offset
    return spot


def _at(made: _N, place: ast.AST) -> _N:
    """`made`, and what is new in it, at the range of `place`; what has a range keeps it, with all below."""
    if "lineno" in made._attributes:
        if hasattr(made, "lineno"):
            return made
        ast.copy_location(made, place)
    for child in ast.iter_child_nodes(made):
        _at(child, place)
    return made


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _hook_name(name: str) -> ast.Attribute:
    return ast.Attribute(_name(HOOKS), name, ast.Load())


def _no_arguments() -> ast.arguments:
    return ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])


def _late() -> ast.arguments:
    """The parameters of a lambda that only puts off an expression of the function around it."""
    arguments = _no_arguments()
    arguments.vararg = ast.arg(LATE)
    return arguments


def _index(node: ast.expr) -> ast.expr:
    """A subscript as an expression of its own: slices are calls of `slice`."""
    if isinstance(node, ast.Slice):
        parts = [part or ast.Constant(None) for part in (node.lower, node.upper, node.step)]
        return _at(ast.Call(_hook_name("slice"), parts, []), node)
    if isinstance(node, ast.Tuple):
        node.elts = [_index(e) for e in node.elts]
    return node


def _is_class_of(node: ast.expr) -> bool:
    """Whether an expression is `type(…)`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"


def _is_chain(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare) and len(node.ops) > 1


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _asks_environment(node: ast.expr) -> bool:
    """Whether a dotted name may tell of the process (`sys.flags.optimize`)."""
    while isinstance(node, ast.Attribute):
        if node.attr in environment.NAMES:
            return True
        node = node.value
    return False
