"""Print the faults that no test notices. The exit code is 1 if too many faults are unnoticed."""

import os
import random
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .faults import Fault, draw_faults
from .trial import WORKERS, Trial, open_trial

COUNT = 200
REQUIRED_SHARE = 0.93
"""Share of the faults that tests must notice."""
NICE = 15
EQUIVALENT = Path(__file__).with_name("equivalent.toml")


def main(count: int = COUNT, seed: int = 0, *systems: str) -> int:
    """Try `count` faults, drawn by the seed from all rules or from the given systems. Return the exit code."""
    os.nice(max(NICE - os.nice(0), 0))
    with open_trial() as trial:
        harmless = load_equivalent()
        faults = draw_faults(trial.tree, list_sources(trial.tree, systems), random.Random(seed))
        sample = [fault for fault in faults if (fault.file, fault.line, fault.was, fault.now) not in harmless][:count]
        skipped = faults.index(sample[-1]) + 1 - len(sample)
        unnoticed = find_unnoticed(trial, sample)
    noticed = len(sample) - len(unnoticed)
    print(f"{noticed} of {len(sample)} faults were noticed ({noticed / len(sample):.1%}), seed {seed}")
    print(f"{skipped} more were skipped: they change nothing ({EQUIVALENT.name})")
    return 0 if noticed >= REQUIRED_SHARE * len(sample) else 1


def list_sources(tree: Path, systems: tuple[str, ...]) -> list[str]:
    """Return the source files of all rules, or of the given systems."""
    paths = (path.relative_to(tree) for path in sorted((tree / "rules").glob("*/**/*.py")))
    sources = [path for path in paths if "tests" not in path.parts]
    return [path.as_posix() for path in sources if not systems or path.parts[1] in systems]


def load_equivalent() -> set[tuple[str, str, str, str]]:
    """Return the listed faults without an observable effect: file, line, old text and new text."""
    faults = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["fault"]
    assert all(fault["why"] for fault in faults)
    return {(fault["file"], fault["line"], fault["was"], fault["now"]) for fault in faults}


def find_unnoticed(trial: Trial, sample: list[Fault]) -> list[Fault]:
    """Return the faults that no test notices; print each when found."""
    unnoticed = []
    with ThreadPoolExecutor(WORKERS) as threads:
        list(threads.map(trial.watch, sorted({fault.package for fault in sample})))
        for number, (fault, survives) in enumerate(
            zip(sample, threads.map(trial.survives, sample), strict=True), start=1
        ):
            if survives:
                unnoticed.append(fault)
                print(f"{number}. {fault}", flush=True)
    return unnoticed


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3]), *sys.argv[3:]))
