"""Prints the faults that no test noticed, and how many fell. Exit code 1 when too many stood."""

import os
import random
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .faults import Fault, drawn
from .trying import AT_ONCE, Trial, trial

COUNT = 200
WANTED = 0.93
"""The part of the faults that must fall."""
NICE = 15
EQUIVALENT = Path(__file__).with_name("equivalent.toml")


def main(count: int = COUNT, seed: int = 0, *systems: str) -> int:
    """Tries so many faults, drawn by the seed from all rules or from those of some systems."""
    os.nice(max(NICE - os.nice(0), 0))
    with trial() as one:
        known = equivalent()
        every = drawn(one.tree, sources(one.tree, systems), random.Random(seed))
        tried = [fault for fault in every if (fault.file, fault.line, fault.was, fault.now) not in known][:count]
        left_out = every.index(tried[-1]) + 1 - len(tried)
        stood = still_standing(one, tried)
    killed = len(tried) - len(stood)
    print(f"{killed} of {len(tried)} faults fell ({killed / len(tried):.1%}), seed {seed}")
    print(f"{left_out} more were drawn that change nothing ({EQUIVALENT.name})")
    return 0 if killed >= WANTED * len(tried) else 1


def sources(tree: Path, systems: tuple[str, ...]) -> list[str]:
    """The files of the rules that have tests of their own, or those of some systems."""
    found = (path.relative_to(tree) for path in sorted((tree / "rules").glob("*/**/*.py")))
    ours = [path for path in found if "tests" not in path.parts]
    return [path.as_posix() for path in ours if not systems or path.parts[1] in systems]


def equivalent() -> set[tuple[str, str, str, str]]:
    """Faults that change nothing that could be noticed: the file, the line, what was and what is."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["fault"]
    assert all(one["why"] for one in listed)
    return {(one["file"], one["line"], one["was"], one["now"]) for one in listed}


def still_standing(one: Trial, tried: list[Fault]) -> list[Fault]:
    """Those that no test noticed, printed as they are found."""
    stood = []
    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(one.watch, sorted({fault.package for fault in tried})))
        for number, (fault, survives) in enumerate(zip(tried, threads.map(one.survives, tried), strict=True), start=1):
            if survives:
                stood.append(fault)
                print(f"{number}. {fault}", flush=True)
    return stood


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3]), *sys.argv[3:]))
