"""`python -m tests.soak --steps 10000 --files 50 --seed 0`: a long day with the server, held against fresh runs.

Random edits, saves, requests, cancels, changes of settings and kills of workers, all drawn from the seed.  On failure
a folder keeps the steps so far, the files and the logs; `--replay FOLDER` plays the steps again and `--shrink MINUTES`
leaves out those that are not needed.  Exits with 1 where something was wrong.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from .player import Player
from .rounds import Outcome, run
from .steps import Step, drawn


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--files", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=40, help="steps between two comparisons with a fresh run")
    parser.add_argument("--replay", type=Path, help="play the steps that this folder keeps")
    parser.add_argument("--shrink", type=float, default=0.0, metavar="MINUTES", help="look for fewer steps that fail")
    parser.add_argument("--keep", type=Path, default=Path("soak-failure"), help="the folder for a failure")
    asked = parser.parse_args()
    if asked.replay:
        kept = json.loads((asked.replay / STEPS).read_text(encoding="utf-8"))
        seed, files, steps = kept["seed"], kept["files"], [Step(*step) for step in kept["steps"]]
    else:
        seed, files, steps = asked.seed, asked.files, drawn(asked.seed, asked.steps, asked.files, asked.every)
    print(f"seed {seed}: {len(steps)} steps, {files} files", flush=True)
    start = time.monotonic()
    outcome = run(seed, files, steps, _progress, asked.keep)
    print(_summary(outcome, steps, time.monotonic() - start))
    if outcome.wrong is None:
        return 0
    failing = list(steps[: outcome.played])
    _write(asked.keep, seed, files, failing)
    if asked.shrink:
        failing = shrunk(seed, files, failing, _kind(outcome.wrong), time.monotonic() + 60 * asked.shrink, asked.keep)
    print(f"{len(failing)} steps in {asked.keep}; again: python -m tests.soak --replay {asked.keep}")
    return 1


def _progress(count: int, player: Player) -> None:
    if count % 200 == 0 and player.measured:
        held = player.measured[-1]
        print(
            f"step {count}: {player.checked} files compared; server {held.server:.0f} MB, worker {held.worker:.0f} MB, "
            f"{held.descriptors} descriptors, {held.children} processes",
            flush=True,
        )


def _summary(outcome: Outcome, steps: Sequence[Step], seconds: float) -> str:
    kinds = Counter(step.kind for step in steps[: outcome.played])
    done = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    verdict = outcome.wrong or "nothing was wrong"
    held = [one.server for one in outcome.measured]
    memory = f"; server {held[0]:.0f} MB at first, {held[-1]:.0f} MB at the end" if held else ""
    compared = f"{outcome.checked} files with {outcome.graphs} graphs compared"
    return f"{verdict}\n{outcome.played} steps in {seconds:.0f} s ({done}); {compared}{memory}"


def shrunk(seed: int, files: int, steps: list[Step], kind: str, until: float, keep: Path) -> list[Step]:
    """Fewer steps that fail in the same way, as far as time allows: halves, quarters, … are left out."""
    size = len(steps) // 2
    while size and time.monotonic() < until:
        start = 0
        while start < len(steps) - 1 and time.monotonic() < until:
            fewer = [*steps[:start], *steps[min(start + size, len(steps) - 1) :]]
            trial = keep.with_name(f"{keep.name}-trial")
            outcome = run(seed, files, fewer, keep=trial)
            if outcome.wrong is None or _kind(outcome.wrong) != kind:
                start += size
                continue
            steps = fewer[: outcome.played]
            shutil.rmtree(keep, ignore_errors=True)
            trial.rename(keep)
            _write(keep, seed, files, steps)
            print(f"{len(steps)} steps: {outcome.wrong[:300]}", flush=True)
        size //= 2
    return steps


def _kind(wrong: str) -> str:
    """The same for failures that look alike."""
    return wrong.partition("\n")[0]


STEPS = "steps.json"


def _write(keep: Path, seed: int, files: int, steps: Sequence[Step]) -> None:
    plain = [[step.kind, step.file, step.seed] for step in steps]
    text = json.dumps({"seed": seed, "files": files, "steps": plain})
    (keep / STEPS).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
