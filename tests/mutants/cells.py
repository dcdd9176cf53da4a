"""Changes every number of every chart, one at a time, and names those that no test of the system notices.

    python -m tests.mutants.cells [SYSTEM ...]

Each number is raised by one, and a yes or no turned round, in a process of its own, which runs the tests of its system until one fails. The exit code
is 1 if any change goes unnoticed. A number that decides nothing in code, such as the least score of an open-ended row,
is listed with its reason in `cells.toml`.
"""

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

RULES = Path(__file__).parents[2] / "rules"
SYSTEMS = ("charge", "empire", "great_war", "magdala", "tanga")
NUMBERS = ("value", "low", "high")
FAULT = "UMPIRE_CELL"
"""The environment variable that names the changed number: file, then the keys to it, separated by slashes."""
AT_ONCE = 2
SECONDS = 300
NICE = 15
KNOWN = Path(__file__).with_name("cells.toml")


class Cell(NamedTuple):
    """A number of a chart: its file, the keys that lead to it, and the words by which people know it."""

    system: str
    file: str
    keys: tuple[str | int, ...]
    words: str

    @property
    def name(self) -> str:
        """Return the cell as the environment variable names it."""
        return "/".join((f"{self.system}/data/{self.file}", *map(str, self.keys)))


def main(*systems: str) -> int:
    """Try every cell of these systems, or of all."""
    os.nice(max(NICE - os.nice(0), 0))
    known = {one["cell"] for one in tomllib.loads(KNOWN.read_text(encoding="utf-8")).get("cell", ())}
    every = [cell for system in systems or SYSTEMS for cell in cells(system) if cell.name not in known]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        tried = zip(every, threads.map(is_noticed, every), strict=True)
        left = [cell for cell, noticed in tried if not noticed and not print(f"{cell.name}: {cell.words}", flush=True)]
    noticed = len(every) - len(left)
    print(f"{noticed} of {len(every)} changed numbers were noticed; {len(known)} are known to decide nothing")
    return 1 if left else 0


def cells(system: str) -> Iterator[Cell]:
    """Yield the numbers of a system's charts."""
    for path in sorted((RULES / system / "data").glob("*charts.toml")):
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        for keys, words in _numbers(document, ()):
            yield Cell(system, path.name, keys, words)


def _numbers(value: Any, keys: tuple[str | int, ...], words: str = "") -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, dict):
        here = " ".join(filter(None, (words, str(value.get("id", value.get("label", value.get("text", "")))))))
        for key, inner in value.items():
            if key in NUMBERS and isinstance(inner, int) and not isinstance(inner, bool):
                yield (*keys, key), f"{here} {key} {inner}"
            yield from _numbers(inner, (*keys, key), here)
    elif isinstance(value, list):
        yield from chain.from_iterable(_numbers(inner, (*keys, place), words) for place, inner in enumerate(value))


def is_noticed(cell: Cell) -> bool:
    """Whether a test of the system fails once the number is raised by one."""
    tests = str(RULES / cell.system / "tests")
    command = (
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "tests.mutants.cell_fault",
        "-p",
        "no:cacheprovider",
        tests,
    )
    here = RULES.parent
    done = subprocess.run(
        command,
        cwd=here,
        env={**os.environ, FAULT: cell.name, "PYTHONPATH": str(here)},
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    return done.returncode != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
