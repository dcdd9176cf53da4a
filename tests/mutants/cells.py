"""Changes every cell of every chart, one at a time, and names those that no test of the system notices.

    python -m tests.mutants.cells [SYSTEM ...]

A number is raised by one; a yes becomes a no; a priority prefers the opposite. Each change is made in a process of its
own, which runs the tests of the system until one fails. The exit code is 1 if any change goes unnoticed. Cells that
decide nothing in code, such as the upper bound of a last row, are listed with their reasons in `cells.toml`.
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
FILES = ("*charts.toml", "terrain.toml")
WANTS = "wants"
"""The key of what a priority of the Tanga card prefers."""
FAULT = "UMPIRE_CELL"
"""The environment variable that names the changed cell: file, then the keys to it, separated by slashes."""
AT_ONCE = 2
SECONDS = 300
NICE = 15
KNOWN = Path(__file__).with_name("cells.toml")


class Cell(NamedTuple):
    """A cell of a chart: its file, the keys that lead to it, and the words by which people know it."""

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
    print(f"{noticed} of {len(every)} changed cells were noticed; {len(known)} are known to decide nothing")
    return 1 if left else 0


def cells(system: str) -> Iterator[Cell]:
    """Yield the cells of a system's charts."""
    folder = RULES / system / "data"
    for path in sorted(chain.from_iterable(folder.glob(file) for file in FILES)):
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        for keys, words in _cells(document, ()):
            yield Cell(system, path.name, keys, words)


def _cells(value: Any, keys: tuple[str | int, ...], words: str = "") -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, dict):
        known = (str(value[key]) for key in ("id", "label", "words", "text") if key in value)
        here = f"{words} {next(known, '')}".strip()
        for key, inner in value.items():
            if isinstance(inner, int) or key == WANTS:
                yield (*keys, key), f"{here} {key} {inner}"
            yield from _cells(inner, (*keys, key), here)
    elif isinstance(value, list):
        yield from chain.from_iterable(_cells(inner, (*keys, place), words) for place, inner in enumerate(value))


def is_noticed(cell: Cell) -> bool:
    """Whether a test of the system fails once the cell is changed."""
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
