"""The settings, as one frozen value: `[tool.nst]` of pyproject.toml and the editor's `nst.*`.

Keys may be written `extraPaths`, `extra-paths` or `extra_paths`.  A key that is unknown or has a wrong value is left
out and reported by name; it is never fatal.  What concerns the project is taken from pyproject.toml first (an editor
sends its defaults as if they were choices); what concerns the editor, from the editor first; whether the workspace is
trusted, from the editor alone.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from tracer.rules import RULES, Severity
from tracer.worker.wire import EFFECTS, known_effect

HINTS = ("shapes", "parameters", "returns", "widening")
"""The kinds of inlay hints."""
LENSES = ("graph", "findings", "example", "dynamo")
"""The kinds of code lenses; those of `dynamo` tell of `torch.export`, too."""


@dataclass(frozen=True, slots=True)
class Settings:
    mode: str = "symbolic"
    trigger: str = "save"
    python: str | None = None
    python_from: str | None = None
    """Who chose `python`, where that was not written as a setting: an editor's extension for Python, by its name."""
    timeout: float = 10.0
    """Seconds per example."""
    memory_limit: int | None = None
    """Bytes that a run may add."""
    process_limit: int = 64
    """Processes that the code of a run may fork."""
    select: tuple[str, ...] = ()
    """Rules to report: codes, beginnings of codes (`NST1`), or names; empty for all."""
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity | None] = field(default_factory=dict)
    """Severity by rule, instead of the one the evidence gave; None where the rule is `off`."""
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Rules by glob of paths relative to the root."""
    exclude: tuple[str, ...] = ()
    """Globs of paths that are not traced."""
    baseline: str | None = None
    """The file of the findings that are known, for `nst check`; relative to the root."""
    ranks: Mapping[str, int] = field(default_factory=dict)
    """Numbers of dimensions of annotated arrays: by `function.parameter`, by `parameter`, for all others by `*`."""
    extra_paths: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    """Effects that traced code may have on the outside: `write`, `network:localhost` (`wire.known_effect`)."""
    inlay_hints: tuple[str, ...] = ()
    """The kinds that are shown (`HINTS`); none unless they are asked for, as they move text."""
    code_lens: tuple[str, ...] = LENSES
    """The kinds that are shown."""
    verify: bool = True
    cache_dir: str | None = None
    """Folder of the results that `nst check` keeps, relative to the root; None for the user's own."""
    trusted: bool = True


def read(pyproject: Mapping[str, Any], editor: Mapping[str, Any]) -> tuple[Settings, list[str]]:
    """The settings from `[tool.nst]` and from the editor's `nst.*`, and what is wrong with them, in words."""
    project, problems = _parse(pyproject, "[tool.nst] in pyproject.toml")
    client, client_problems = _parse(_visible(editor), "the editor's nst settings")
    for name in sorted(_SAID_BY_THE_EDITOR & project.keys()):
        del project[name]
        problems.append(f"[tool.nst] in pyproject.toml: `{camel(name)}` is for the editor to say; ignored")
    chosen = client | project | {name: client[name] for name in client.keys() & _EDITORS}
    return Settings(**chosen), problems + client_problems


@dataclass(frozen=True, slots=True)
class Described:
    """One setting, for people."""

    name: str
    value: str
    source: str
    """`pyproject.toml` or `editor`."""


def described(pyproject: Mapping[str, Any], editor: Mapping[str, Any]) -> list[Described]:
    """The settings that somebody made, and where."""
    project, _ = _parse(pyproject, "")
    client, _ = _parse(_visible(editor), "")
    found = []
    for name in (one.name for one in fields(Settings) if one.name != "python_from"):
        by_editor = name in client and (name in _EDITORS or name not in project)
        if by_editor or name in project.keys() - _SAID_BY_THE_EDITOR:
            value = client[name] if by_editor else project[name]
            found.append(Described(camel(name), _shown(value), "editor" if by_editor else "pyproject.toml"))
    return found


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} = {_shown(one)}" for key, one in value.items())
    if isinstance(value, tuple):
        return ", ".join(map(_shown, value))
    return (
        str(getattr(value, "value", value)).lower() if isinstance(value, bool) else str(getattr(value, "value", value))
    )


def read_project(root: str | Path) -> tuple[dict[str, Any], list[str]]:
    """`[tool.nst]` of the root's pyproject.toml, and what is wrong with the file, in words."""
    path = Path(root, "pyproject.toml")
    try:
        with path.open("rb") as stream:
            table = tomllib.load(stream).get("tool", {}).get("nst", {})
    except FileNotFoundError:
        return {}, []
    except (OSError, ValueError, AttributeError) as error:
        return {}, [f"{path}: {error}"]
    if not isinstance(table, dict):
        return {}, [f"{path}: [tool.nst] must be a table"]
    return table, []


_SAID_BY_THE_EDITOR = frozenset({"trusted", "python_from"})
_EDITORS = _SAID_BY_THE_EDITOR | {"trigger", "python", "inlay_hints", "code_lens"}
_OF_THE_CLIENT = frozenset({"trace", "server", "interpreter", "path", "args", "env", "log_level"})
"""Settings that an extension has for itself; they come with the others, and are none of ours."""


def _visible(editor: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in editor.items() if value is not None and _snake(key) not in _OF_THE_CLIENT}


# ---- values ----------------------------------------------------------------------------------------


class _WrongError(Exception):
    """What a value should have been."""


def _parse(table: Mapping[str, Any], where: str) -> tuple[dict[str, Any], list[str]]:
    values: dict[str, Any] = {}
    problems: list[str] = []
    for key, value in table.items():
        reader = _READERS.get(_snake(key))
        if reader is None:
            problems.append(f"{where}: unknown setting `{key}`{_near(key)}")
            continue
        try:
            values[_snake(key)] = reader(value)
        except _WrongError as wrong:
            problems.append(f"{where}: `{key}` must be {wrong}, not {value!r}")
    return values, problems


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).replace("-", "_").lower()


def _near(key: str) -> str:
    import difflib

    close = difflib.get_close_matches(_snake(key), [f.name for f in fields(Settings)], n=1)
    return f"; did you mean `{camel(close[0])}`?" if close else ""


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _one_of(*choices: str) -> Callable[[Any], str]:
    def read_choice(value: Any) -> str:
        if value not in choices:
            raise _WrongError("one of " + ", ".join(choices))
        return str(value)

    return read_choice


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _WrongError("true or false")
    return value


def _text(value: Any) -> str | None:
    if not isinstance(value, str):
        raise _WrongError("text")
    return value or None


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
        raise _WrongError("a number of seconds above 0")
    return float(value)


_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


def _bytes(value: Any) -> int | None:
    match = re.fullmatch(r"(\d+)\s*([KMG]?)(?:i?B)?", str(value).strip(), re.IGNORECASE)
    if match is None or isinstance(value, bool):
        raise _WrongError("a number of bytes, or text such as `2GB`")
    return int(match[1]) * _UNITS[match[2].upper()] or None


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _WrongError("a number, 0 or above")
    return value


def _effects(value: Any) -> tuple[str, ...]:
    effects = _texts([value] if isinstance(value, str) else value)
    unknown = [effect for effect in effects if not known_effect(effect)]
    if unknown:
        kinds = f"{', '.join(EFFECTS)}, or such as `write:out`, `network:localhost`, `subprocess:git`"
        raise _WrongError(f"a list of effects ({kinds}; none is called {', '.join(unknown)})")
    return effects


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise _WrongError("a list of texts")
    return tuple(value)


def _rules(value: Any) -> tuple[str, ...]:
    rules = _texts([value] if isinstance(value, str) else value)
    unknown = [rule for rule in rules if not known_rule(rule)]
    if unknown:
        raise _WrongError(f"a list of rules (no rule is called {', '.join(unknown)})")
    return rules


def _severities(value: Any) -> dict[str, Severity | None]:
    if not isinstance(value, dict) or not all(known_rule(rule) for rule in value):
        raise _WrongError("a table from rules to severities")
    allowed = {severity.value: severity for severity in Severity} | {"off": None}
    if not all(isinstance(name, str) and name in allowed for name in value.values()):
        raise _WrongError("a table from rules to " + ", ".join(allowed))
    return {rule: allowed[name] for rule, name in value.items()}


def _ignores(value: Any) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise _WrongError("a table from globs to lists of rules")
    return {glob: _rules(rules) for glob, rules in value.items()}


_MOST_DIMENSIONS = 32
"""What every version of NumPy allows."""


def _ranks(value: Any) -> dict[str, int]:
    expected = "a table from parameters (`x`, `f.x`, or `*` for all others) to numbers of dimensions"
    if not isinstance(value, dict):
        raise _WrongError(expected)
    ranks = dict(_flat(value))
    for name, rank in ranks.items():
        if name != "*" and not all(part.isidentifier() for part in name.split(".")):
            raise _WrongError(f"{expected} (`{name}` is the name of no parameter)")
        if isinstance(rank, bool) or not isinstance(rank, int) or not 0 <= rank <= _MOST_DIMENSIONS:
            raise _WrongError(f"{expected} (`{name}` is {rank!r})")
    return ranks


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The entries with their dotted names: `f.x = 2` without quotes is a table in a table to TOML."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def known_rule(name: str) -> bool:
    """Whether `name` is a rule's code, its name, or the beginning of codes."""
    return bool(name) and any(rule.name == name or rule.code.startswith(name) for rule in RULES.values())


def _kinds(*known: str) -> Callable[[Any], tuple[str, ...]]:
    """All kinds, none, or those of a list."""

    def read_kinds(value: Any) -> tuple[str, ...]:
        if isinstance(value, bool):
            return known if value else ()
        kinds = value if isinstance(value, (list, tuple)) else [value]
        unknown = [kind for kind in kinds if kind not in known]
        if unknown:
            named = ", ".join(map(str, unknown))
            raise _WrongError(f"true, false or a list of {', '.join(known)} (no kind is called {named})")
        return tuple(kind for kind in known if kind in kinds)

    return read_kinds


_READERS: dict[str, Callable[[Any], Any]] = {
    "mode": _one_of("symbolic", "fake", "real"),
    "trigger": _one_of("save", "change", "manual"),
    "python": _text,
    "python_from": _text,
    "timeout": _seconds,
    "memory_limit": _bytes,
    "process_limit": _count,
    "select": _rules,
    "ignore": _rules,
    "severity": _severities,
    "per_file_ignores": _ignores,
    "exclude": _texts,
    "baseline": _text,
    "ranks": _ranks,
    "extra_paths": _texts,
    "allow": _effects,
    "inlay_hints": _kinds(*HINTS),
    "code_lens": _kinds(*LENSES),
    "verify": _flag,
    "cache_dir": _text,
    "trusted": _flag,
}


def matches(globs: Iterable[str], path: str | Path, root: str | Path) -> bool:
    """Whether one of the globs (`tests`, `*.gen.py`, `a/**`) means a path, or a folder above it within the root."""
    import fnmatch

    patterns = {pattern for glob in globs for pattern in (glob.rstrip("/"), glob.rstrip("/").removeprefix("**/"))}
    if not patterns:
        return False
    try:
        relative = Path(path).relative_to(root)
    except ValueError:
        relative = Path(path)
    parts = [relative, *relative.parents][:-1] or [relative]
    return any(
        fnmatch.fnmatch(text, pattern)
        for pattern in patterns
        for part in parts
        for text in (part.as_posix(), part.name)
    )
