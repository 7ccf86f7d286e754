"""`python -m tests.fuzz --seconds 60 [--seed 0] [--jobs 2]`: random programs for as long as asked.

Prints how many programs ran and under which seed, and each failure as its smallest program.  Exits with 1 if there
was one.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time

from .rounds import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    until = time.monotonic() + asked.seconds
    work = [(asked.seed, job, asked.jobs, until) for job in range(asked.jobs)]
    with multiprocessing.get_context("spawn").Pool(asked.jobs) as pool:
        results = pool.starmap(run, work)
    count, distinct = sum(r[0] for r in results), sum(r[1] for r in results)
    failures = {kind: text for r in results for kind, text in r[2].items()}
    print(f"{count} programs ({distinct} distinct), seed {asked.seed}, {len(failures)} kinds of failure")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
