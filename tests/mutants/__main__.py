"""Prints the faults that no test noticed, and how many fell. Exit code 1 when too many stood."""

import os
import random
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic

from .faults import Fault, drawn
from .trying import AT_ONCE, ROOT, trial

COUNT = 200
WANTED = 0.93
"""The part of the faults that must fall."""
NICE = 15
EQUIVALENT = Path(__file__).with_name("equivalent.toml")


def sources(systems: list[str]) -> list[str]:
    """The files of the rules that have tests of their own, or those of some systems."""
    found = (path.relative_to(ROOT) for path in sorted((ROOT / "rules").glob("*/**/*.py")))
    ours = [path for path in found if "tests" not in path.parts]
    return [path.as_posix() for path in ours if not systems or path.parts[1] in systems]


def equivalent() -> set[tuple[str, str, str]]:
    """Faults that change nothing that could be noticed."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["fault"]
    assert all(one["why"] for one in listed)
    return {(one["file"], one["was"], one["now"]) for one in listed}


def main(count: int = COUNT, seed: int = 0, *systems: str) -> int:
    """Tries so many faults."""
    os.nice(max(NICE - os.nice(0), 0))
    files, known = sources(list(systems)), equivalent()
    tried, left_out = [], []
    for fault in drawn(ROOT, files, random.Random(seed)):
        if len(tried) == count:
            break
        (left_out if (fault.file, fault.was, fault.now) in known else tried).append(fault)
    stood = _stood(tried)
    killed = len(tried) - len(stood)
    print(f"{killed} of {len(tried)} faults fell ({killed / len(tried):.1%}), seed {seed}; equivalent: {len(left_out)}")
    return 0 if killed >= WANTED * len(tried) else 1


def _stood(tried: list[Fault]) -> list[Fault]:
    stood, began = [], monotonic()
    with trial() as one, ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(one.watch, sorted({fault.package for fault in tried})))
        print(f"watched, {monotonic() - began:.0f} s", flush=True)
        for fault, survives in zip(tried, threads.map(one.survives, tried), strict=True):
            if survives:
                stood.append(fault)
                print(fault, flush=True)
        print(f"{monotonic() - began:.0f} s")
    return stood


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3]), *sys.argv[3:]))
