"""Secrets of the environment: they are known by the names of their variables, and leave the worker nowhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nst_lsp.pool import WorkerPool
from tests.worker.marked import QUICK, trace
from tracer.worker.masking import MASK, masked, masked_data, secrets
from tracer.worker.wire import Status, plain

VALUE = "s3cret-'of'-mine-0123456789"
FILE = """
import os
import numpy as np

os.environ["LATE_SECRET"] = "set-by-the-file-itself"
token = os.environ["MY_API_TOKEN"]

# nst: example(np.ones(3))
def prints(x):
    print(token, os.environ["LATE_SECRET"])
    return x

# nst: example(np.ones(3))
def raises(x):
    raise ValueError(f"{token} {dict(os.environ)}")

# nst: example(np.ones(3))
def exits(x):
    raise SystemExit(token)

# nst: example(np.ones(3))
def returns(x):
    if token > "a":
        return x, token, os.environ["MY_API_TOKEN"][:12]
"""


@pytest.mark.parametrize(
    ("name", "is_secret"),
    [
        ("API_TOKEN", True), ("GITHUB_TOKEN", True), ("aws_secret_access_key", True), ("DB_PASSWORD", True),
        ("PGPASSWORD", True), ("OPENAI_API_KEY", True), ("GOOGLE_CREDENTIALS", True), ("HTTP_AUTH", True),
        ("KEYBOARD", False), ("AUTHOR", False), ("PWD_BEFORE", False), ("MONKEYS", False),
    ],
)  # fmt: skip
def test_which_variables_are_secrets(monkeypatch: pytest.MonkeyPatch, name: str, is_secret: bool) -> None:
    monkeypatch.setenv(name, "a-value-of-mine")
    assert (masked("it is a-value-of-mine.") == f"it is {MASK}.") is is_secret


def test_paths_and_short_values_are_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SSH_AUTH_SOCK", str(tmp_path))
    monkeypatch.setenv("USE_TOKEN", "true")
    assert not {str(tmp_path), "true"} & set(secrets())


def test_a_part_of_a_secret_and_its_repr_are_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_TOKEN", "first'line\nsecond line of it")
    assert masked("cut off: first'li...") == f"cut off: {MASK}..."
    assert masked(repr("first'line\nsecond line of it")) == f'"{MASK}"'
    assert masked("second line of it") == MASK
    assert masked_data({"path": "first'line", "told": ["first'line", 1]}) == {"path": "first'line", "told": [MASK, 1]}


async def test_no_secret_leaves_the_worker(
    pool: WorkerPool, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_API_TOKEN", VALUE)
    path = tmp_path / "main.py"
    path.write_text(FILE)
    traced = await trace(pool, path, options=QUICK)
    assert traced.reports["returns"].status is Status.TRACED
    told = json.dumps([plain(traced.loaded), plain(traced.reports)], ensure_ascii=False)
    own = told.replace("set-by-the-file-itself\\\\", "")
    for secret in (VALUE, VALUE[:12], "set-by-the-file"):
        assert secret not in own
    assert traced.reports["prints"].output == f"{MASK} {MASK}\n"
    assert MASK in next(f.message for f in traced.reports["raises"].findings if f.code == "NST501")
    assert MASK in next(f.message for f in traced.reports["exits"].findings if f.code == "NST504")
