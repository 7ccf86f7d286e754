"""The rule table: every code a finding can have, with its name and a one-line summary.

The server, the command line and the tests read this table, so it imports nothing but the standard
library.  What a rule means, with an example and the way to mend it, is `docs/rules/<code>.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Severity(str, Enum):
    """How much evidence stands behind a finding; see the policy in docs/rules/README.md."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Rule:
    code: str
    name: str
    summary: str
    default: Severity = Severity.INFORMATION
    """The severity where no further evidence is at hand."""


_ERROR, _WARNING, _HINT = Severity.ERROR, Severity.WARNING, Severity.HINT

RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in (
        Rule("NST101", "branch-on-value", "a condition was decided by array contents"),
        Rule("NST102", "branch-on-shape", "a condition was decided by a size"),
        Rule("NST103", "branch-on-argument", "a condition was decided by a non-array argument"),
        Rule("NST104", "branch-on-hidden-input", "a condition was decided by a hidden input"),
        Rule("NST105", "branch-on-type", "a condition was decided by dtype, ndim, class or identity"),
        Rule("NST106", "loop-unrolled", "the number of iterations came from an input"),
        Rule("NST107", "assert-dropped", "an assert was checked while tracing and is not in the graph"),
        Rule("NST201", "value-constant", "array contents became a Python value or an untraced array"),
        Rule("NST202", "argument-constant", "a non-array argument is a constant in the graph"),
        Rule("NST203", "shape-constant", "a size became a plain number"),
        Rule("NST204", "captured-array", "an array that is a hidden input is baked in"),
        Rule("NST205", "captured-value", "a non-array hidden input is baked in"),
        Rule("NST206", "random-constant", "a random draw is frozen"),
        Rule("NST207", "environment-constant", "clock, environment, file or process state is frozen"),
        Rule("NST208", "type-constant", "the example's dtype or device is baked in"),
        Rule(
            "NST209",
            "cached-constant",
            "a cache returned a value that this trace did not compute, or would on the next call",
            _WARNING,
        ),
        Rule("NST210", "constant-output", "an output does not depend on any input"),
        Rule("NST211", "dtype-widened", "a NumPy scalar or array silently widened an input's dtype"),
        Rule(
            "NST301",
            "output-while-tracing",
            "printing, logging or writing happened during the trace and is not in the graph",
        ),
        Rule("NST302", "argument-mutated", "a container or object passed in was changed", _WARNING),
        Rule("NST303", "array-argument-written", "an input array was written in place"),
        Rule(
            "NST304",
            "state-mutated",
            "a global, closure cell, default, attribute or captured array was changed",
            _WARNING,
        ),
        Rule("NST305", "traced-value-leaked", "a traced value was stored where it outlives the call", _WARNING),
        Rule("NST401", "raw-memory", "memory was reached past the tracer"),
        Rule("NST402", "opaque-call", "a traced value went into code the tracer cannot see into"),
        Rule(
            "NST403",
            "tracer-visible",
            "the program can tell the tracer from an array, and the graph is wrong on the example",
            _ERROR,
        ),
        Rule("NST404", "data-dependent-shape", "a result's shape depends on contents", _HINT),
        Rule("NST405", "unsupported-operation", "the tracer cannot record this operation"),
        Rule("NST501", "function-raised", "the function raised for its own example", _ERROR),
        Rule("NST502", "bad-example", "the example cannot be evaluated or does not fit the signature", _ERROR),
        Rule("NST503", "import-failed", "the module cannot be imported", _ERROR),
        Rule("NST504", "stopped", "time, memory or a crash ended the run", _ERROR),
        Rule(
            "NST505", "not-deterministic", "two traces of the same example differ, and no other rule says why", _WARNING
        ),
        Rule("NST506", "poor-example", "the example hides faults", _HINT),
        Rule("NST601", "graph-differs", "a witness exists, and no other rule explains it", _WARNING),
    )
}
