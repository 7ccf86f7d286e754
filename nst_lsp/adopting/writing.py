"""Texts with examples above their functions, and files that are written as they were: encoding, line ends."""

from __future__ import annotations

import difflib
import io
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..analysis.above import above
from ..analysis.outline import Definition
from ..analysis.text import Text


def with_examples(source: str, examples: Mapping[Definition, Sequence[str]]) -> str:
    """A text with a comment for each of the arguments, above the functions they are for."""
    text = Text(source)
    for definition in sorted(examples, key=lambda one: one.first_line, reverse=True):
        edits = [above(text, definition, f"# nst: example({arguments})") for arguments in examples[definition]]
        at = text.offset(definition.first_line, 1)
        source = source[:at] + "".join(edit.text for edit in edits) + source[at:]
    return source


def read(path: Path) -> tuple[str, str]:
    """A Python file's text with its line ends, and its encoding.  Raises OSError, SyntaxError, UnicodeDecodeError."""
    data = path.read_bytes()
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding), encoding


def write(path: Path, text: str, encoding: str = "utf-8") -> None:
    path.write_bytes(text.encode(encoding))


def diff(name: str, before: str, after: str) -> Iterator[str]:
    """A unified diff that `patch` and git take, line by line; none where nothing changes."""
    old = f"a/{name}" if before else "/dev/null"
    for line in difflib.unified_diff(_lines(before), _lines(after), old, f"b/{name}"):
        yield line.removesuffix("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"


def _lines(text: str) -> list[str]:
    """The lines with their ends, as a diff counts them."""
    *whole, last = text.split("\n")
    return [*(f"{line}\n" for line in whole), *([last] if last else [])]


def shown(path: str, root: Path) -> str:
    """A path as it stands in a diff."""
    return Path(path).relative_to(root).as_posix() if Path(path).is_relative_to(root) else path
