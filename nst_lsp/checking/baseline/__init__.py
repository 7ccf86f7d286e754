"""The baseline: findings that are known, so that only new ones are reported (`docs/checking.md`).

`file` reads and writes it, `matching` tells known findings from new ones.  Both are pure but for the file itself;
which baseline a run uses is for the command line to say.
"""

from __future__ import annotations
