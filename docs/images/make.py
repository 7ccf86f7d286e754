"""Draws docs/images/check.svg: what `nst check` really prints about a few functions of examples/faults.py.

Run by `make picture`.  The command's own coloured output is taken as it is; rich only draws the window.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parent.parent.parent
COMMAND = ["nst", "check", "examples/faults.py", "--select", "NST101,NST204,NST302"]
WIDTH = 100


def main() -> None:
    output = coloured_output()
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    console.print(Text.assemble(("$ ", "bold green"), " ".join(COMMAND)))
    console.print(Text.from_ansi(output), overflow="fold")
    svg = console.export_svg(title="non-strict tracing, checked", unique_id="check")
    # A page that shows a picture does not load fonts for it; any monospaced one fits, as all widths are given.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL).replace("Fira Code", "ui-monospace")
    Path(__file__).with_name("check.svg").write_text(svg, encoding="utf-8")


def coloured_output() -> str:
    nst = Path(sys.executable).with_name("nst")
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    done = subprocess.run([nst, *COMMAND[1:]], capture_output=True, text=True, cwd=ROOT, env=environment, check=False)
    if done.returncode > 1 or not done.stdout:
        sys.exit(f"{' '.join(COMMAND)}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
