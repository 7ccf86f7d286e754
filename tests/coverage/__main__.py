"""`python -m tests.coverage`: write docs/coverage.md anew.

Exits with 1, and says what failed, where a replay does not agree.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.coverage.report import document, replayed_all

PATH = Path(__file__).parents[2] / "docs" / "coverage.md"

if __name__ == "__main__":
    found, failed = replayed_all()
    PATH.write_text(document(found.get), encoding="utf-8")
    print(f"{PATH.name} written; {len(failed)} functions failed")
    for name, why in failed.items():
        print(f"{name}: {why}")
    sys.exit(bool(failed))
