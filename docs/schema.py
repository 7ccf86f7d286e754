"""The settings as JSON schemas, for editors to check them by: made from what nst_lsp/settings.py reads.

    python docs/schema.py

writes them into editors/vscode/package.json, and docs/pyproject.schema.json, for editors that check TOML by a schema.
What a setting is for stands in editors/vscode/package.nls.json, or here, where it is the command line's alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from nst_lsp.settings import HINTS, LENSES, Settings, camel
from tracer.rules import RULES, Severity
from tracer.worker.wire import EFFECTS

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = ROOT / "editors" / "vscode" / "package.json"
TEXTS = MANIFEST.with_name("package.nls.json")
PYPROJECT = ROOT / "docs" / "pyproject.schema.json"

Schema = dict[str, Any]

_CODES = tuple(RULES)
_NAMES = tuple(rule.name for rule in RULES.values())
_BEGINNINGS = sorted({code[:length] for code in _CODES for length in range(1, len(code))})
_RULE = f"^({'|'.join([*_BEGINNINGS, *_CODES, *_NAMES])})$"
_PARAMETER = r"^(\*|[^\s\d.*][^\s.]*(\.[^\s\d.*][^\s.]*)*)$"
_EFFECT = rf"^(({'|'.join(one for one in EFFECTS if one != 'signal')})(:.*\S.*)?|signal)$"
_BYTES = r"^\s*\d+\s*[KMGkmg]?([iI]?[bB])?\s*$"

_TEXTS: Schema = {"type": "array", "items": {"type": "string", "minLength": 1}}
_RULES: Schema = {"type": "array", "items": {"type": "string", "pattern": _RULE, "examples": [*_CODES, *_NAMES]}}
_SEVERITY: Schema = {"type": "string", "enum": [*(one.value for one in Severity), "off"]}

_RANK: Schema = {"type": "integer", "minimum": 0, "maximum": 32}


def _kinds(known: tuple[str, ...]) -> Schema:
    """All kinds, none, or those of a list."""
    return {"type": ["boolean", "array"], "items": {"type": "string", "enum": list(known)}, "uniqueItems": True}


VALUES: Mapping[str, Schema] = {
    "mode": {"type": "string", "enum": ["symbolic", "real", "fake"]},
    "trigger": {"type": "string", "enum": ["save", "change", "manual"]},
    "python": {"type": "string"},
    "timeout": {"type": "number", "exclusiveMinimum": 0},
    "memoryLimit": {"type": ["string", "integer", "null"], "pattern": _BYTES, "minimum": 0},
    "processLimit": {"type": "integer", "minimum": 0},
    "select": _RULES,
    "ignore": _RULES,
    "severity": {"type": "object", "patternProperties": {_RULE: _SEVERITY}, "additionalProperties": False},
    "perFileIgnores": {"type": "object", "additionalProperties": _RULES},
    "exclude": _TEXTS,
    "baseline": {"type": "string"},
    "ranks": {
        "type": "object",
        "patternProperties": {_PARAMETER: _RANK},
        "additionalProperties": False,
    },
    "extraPaths": _TEXTS,
    "allow": {"type": "array", "items": {"type": "string", "pattern": _EFFECT, "examples": [*EFFECTS, "write:out"]}},
    "inlayHints": _kinds(HINTS),
    "codeLens": _kinds(LENSES),
    "verify": {"type": "boolean"},
    "cacheDir": {"type": "string"},
}
"""What a value may be, by setting; `trusted` and `pythonFrom` are nobody's to write."""


def default(name: str) -> Any:
    """What a setting is where nobody made it, as JSON."""
    field = next(one for one in fields(Settings) if camel(one.name) == name)
    value = field.default if field.default is not MISSING else {}
    kinds = VALUES[name]["type"]
    if value is None:
        return None if "null" in kinds else ""
    if isinstance(value, tuple):
        return list(value) if kinds == "array" else bool(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value  # as npm writes it


# ---- where they are written ------------------------------------------------------------------------

_COMMAND_LINE = {
    "perFileIgnores": "Rules that are not reported, by globs of paths below the project's folder.",
    "baseline": "The file of the findings that are known, for `nst check`; relative to the project's folder.",
    "cacheDir": "The folder of the results that `nst check` keeps, relative to the project's folder.",
}
_PROSE = frozenset({"description", "markdownDescription", "enumDescriptions", "scope", "order", "patternErrorMessage"})


def manifest(now: str) -> str:
    """The extension's package.json with these values; its texts, scopes and order stay."""
    found = json.loads(now)
    for group in found["contributes"]["configuration"]:
        for key, written in group["properties"].items():
            name = key.removeprefix("nst.")
            if name in VALUES:
                values = {**VALUES[name], "default": default(name)}
                group["properties"][key] = values | {one: text for one, text in written.items() if one in _PROSE}
                _keep_prose_of_items(group["properties"][key], written)
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _keep_prose_of_items(values: Schema, written: Schema) -> None:
    prose = {one: text for one, text in written.get("items", {}).items() if one in _PROSE}
    if prose:
        values["items"] = {**values["items"], **prose}


def pyproject() -> str:
    """The schema of a pyproject.toml, in which nothing but `[tool.nst]` is looked at."""
    told = json.loads(TEXTS.read_text(encoding="utf-8"))
    described = {name: told.get(f"setting.{name}", _COMMAND_LINE.get(name)) for name in VALUES}
    definitions = {name: {"description": described[name], **VALUES[name], "default": default(name)} for name in VALUES}
    definitions["memoryLimit"]["type"] = ["string", "integer"]  # TOML has no null
    del definitions["memoryLimit"]["default"]
    rank = {"anyOf": [_RANK, _defined("ranks")]}  # and `f.x = 2` without quotes is a table in a table
    definitions["ranks"]["patternProperties"] = {_PARAMETER: rank}
    table: Schema = {
        "type": "object",
        "properties": {name: _defined(name) for name in VALUES},
        "patternProperties": {_other_spellings(name): _defined(name) for name in VALUES if not name.islower()},
        "additionalProperties": False,
    }
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"tool": {"type": "object", "properties": {"nst": table}}},
        "definitions": definitions,
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _defined(name: str) -> Schema:
    return {"$ref": f"#/definitions/{name}"}


def _other_spellings(name: str) -> str:
    """`extra-paths` and `extra_paths`."""
    return "^" + re.sub("[A-Z]", lambda found: f"[-_]{found[0].lower()}", name) + "$"


if __name__ == "__main__":
    MANIFEST.write_text(manifest(MANIFEST.read_text(encoding="utf-8")), encoding="utf-8")
    PYPROJECT.write_text(pyproject(), encoding="utf-8")
