"""The schemas of the settings, against what reads the settings, and against the files that they were written into."""

from __future__ import annotations

import json
import tomllib
from dataclasses import fields

import pytest
from jsonschema import Draft7Validator  # type: ignore[import-untyped]

from docs.schema import MANIFEST, PYPROJECT, VALUES, manifest, pyproject
from nst_lsp.settings import Settings, camel, read

TABLES = [
    'mode = "fake"',
    'mode = "eager"',
    "timeout = 0.5",
    "timeout = 0",
    'memoryLimit = "2GB"',
    'memory-limit = "512 mib"',
    "memory_limit = 100",
    'memoryLimit = "two"',
    "memoryLimit = -1",
    "process-limit = -1",
    "process-limit = 1.5",
    'select = ["NST1", "branch-on-value", "NST"]',
    'select = ["NST9"]',
    'ignore = ["branch"]',
    'severity = { NST102 = "off", NST2 = "hint" }',
    'severity = { NST102 = "fatal" }',
    'severity = { NST999 = "error" }',
    'perFileIgnores = { "tests/*" = ["NST204"] }',
    'per-file-ignores = { "tests/*" = ["NST"] }',
    'per-file-ignores = { "tests/*" = ["none"] }',
    'ranks = { "*" = 2, "f.x" = 1, "größe" = 0 }',
    "ranks = { f.x = 2 }",
    "ranks = { f.x = 40 }",
    "ranks = { x = 33 }",
    'ranks = { "x y" = 1 }',
    'allow = ["write", "write:out", "network:localhost", "signal"]',
    'allow = ["write:"]',
    'allow = ["signal:9"]',
    'allow = ["read"]',
    "inlayHints = true",
    'inlay-hints = ["shapes", "widening"]',
    'inlay-hints = ["colours"]',
    "codeLens = 1",
    'code-lens = ["graph", "dynamo"]',
    'codeLens = ["line"]',
    "verify = false",
    'extraPaths = ["src"]',
    "exclude = [1]",
    "trusted = true",
    "modes = 1",
    'python = ""',
]


@pytest.fixture(scope="module")
def schema() -> Draft7Validator:
    found = json.loads(PYPROJECT.read_text(encoding="utf-8"))
    Draft7Validator.check_schema(found)
    return Draft7Validator(found)


@pytest.mark.parametrize("table", TABLES)
def test_the_schema_of_a_pyproject_says_what_the_reader_says(table, schema):
    settings = tomllib.loads(table)
    _, problems = read(settings, {})
    assert schema.is_valid({"tool": {"nst": settings}, "project": {"name": 1}}) == (not problems), problems


def test_every_setting_has_a_schema():
    assert VALUES.keys() | {"trusted", "pythonFrom"} == {camel(field.name) for field in fields(Settings)}


def test_what_is_written_is_what_would_be_written_now():
    """python docs/schema.py"""
    assert PYPROJECT.read_text(encoding="utf-8") == pyproject()
    written = MANIFEST.read_text(encoding="utf-8")
    assert written == manifest(written)


def test_the_extension_declares_each_setting_that_concerns_an_editor():
    groups = json.loads(MANIFEST.read_text(encoding="utf-8"))["contributes"]["configuration"]
    declared = [key.removeprefix("nst.") for group in groups for key in group["properties"]]
    assert sorted(declared) == sorted({*VALUES, "path", "trace.server"} - {"perFileIgnores", "baseline", "cacheDir"})
