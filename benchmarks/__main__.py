"""`python -m benchmarks`: measure, print the table, and write it to benchmarks/results.md."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import numpy as np

from benchmarks import latency, tracing

RESULTS = Path(__file__).parent / "results.md"


def main() -> None:
    text = "\n".join([*_head(), *_tracing(), *_verification(), *_latency()]) + "\n"
    RESULTS.write_text(text, encoding="utf-8")
    print(text)


def _head() -> list[str]:
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}"
    return ["# Results of the last `make bench`", "", f"{versions}, {platform.system()}, all in one run.", ""]


def _tracing() -> list[str]:
    print("tracing …", file=sys.stderr)
    rows = ["## Tracing, µs of CPU an operation", ""]
    rows += [
        "| program | operations | NumPy | recorded | over NumPy | with graph and findings |",
        "|---|---|---|---|---|---|",
    ]
    rows += [
        f"| {c.name} | {c.operations} | {c.numpy:.2f} | {c.traced:.2f} | {c.traced - c.numpy:.2f} | {c.judged:.2f} |"
        for c in tracing.costs()
    ]
    return [*rows, ""]


def _verification() -> list[str]:
    print("verification …", file=sys.stderr)
    found = tracing.verification()
    told = f"Median over {found.functions} functions of `tests/cases`: {found.traced:.1f} for the trace"
    told += f", {found.verified:.1f} with the whole search for witnesses (its processes included)."
    return ["## Verification, ms of CPU a function", "", told, ""]


def _latency() -> list[str]:
    print("latency …", file=sys.stderr)
    rows = ["## The server, wall clock, with a real client process", ""]
    rows += ["| what | n | median | p95 | goal | unit |", "|---|---|---|---|---|---|"]
    rows += [
        f"| {r.name} | {r.count} | {r.median:.1f} | {r.p95:.1f} | {r.goal:.0f} | {r.unit} |" for r in latency.rows()
    ]
    return [*rows, ""]


if __name__ == "__main__":
    main()
