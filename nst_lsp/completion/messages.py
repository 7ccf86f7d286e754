"""What the server and the process that has jedi say to each other: one JSON object a line; plain data.

Standard library only.  Lines and columns are those of the text that is sent: lines from 1, columns from 0, in
characters.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Literal

Kind = Literal["names", "signatures"]


@dataclass(frozen=True, slots=True)
class Ask:
    id: int
    kind: Kind
    source: str
    line: int
    column: int
    path: str
    root: str
    python: str | None = None
    """The interpreter whose packages are looked into; None where nothing of the workspace may run."""
    paths: tuple[str, ...] = ()
    """Further folders of modules."""


@dataclass(frozen=True, slots=True)
class Name:
    """Something that may be written here."""

    name: str
    type: str
    """jedi's word: `function`, `class`, `module`, `instance`, `statement`, `param`, `keyword`, `property`."""
    builtin: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    label: str
    parameters: tuple[str, ...]
    """As they stand in the label."""
    active: int | None
    documentation: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    id: int
    names: tuple[Name, ...] = ()
    signatures: tuple[Signature, ...] = ()
    error: str | None = None
    """Why there is less than there may be: the next request may know more."""


def encode(message: Ask | Answer) -> bytes:
    return json.dumps(asdict(message), ensure_ascii=True).encode("ascii") + b"\n"


def ask(line: bytes) -> Ask:
    data = json.loads(line)
    return Ask(**{**data, "paths": tuple(data["paths"])})


def answer(line: bytes) -> Answer:
    """Raises ValueError, KeyError or TypeError where the line is no answer."""
    data = json.loads(line)
    names = tuple(Name(**one) for one in data["names"])
    signatures = tuple(Signature(**{**one, "parameters": tuple(one["parameters"])}) for one in data["signatures"])
    return Answer(data["id"], names, signatures, data["error"])
