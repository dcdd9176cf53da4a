"""Changes every cell of every chart, one at a time, and prints the cells whose change no test notices.

    python -m tests.mutants.cells [SYSTEM ...]

A number grows by one; a yes becomes a no; a priority prefers the opposite. A separate process makes each change and
runs the tests of the system until one fails. Only a failing test counts: if the chart cannot be loaded with the change,
the number is lowered instead, and if that fails too, the cell is counted separately. First the tests of each system run
without a change and must pass. The exit code is 1 if a change is unnoticed.

`cells.toml` lists cells that decide nothing in code, such as the upper bound of a last row, with the reasons.
"""

import os
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

RULES = Path(__file__).parents[2] / "rules"
SYSTEMS = ("campaign", "charge", "empire", "great_war", "magdala", "tanga")
FILES = ("*charts.toml", "*results.toml", "*circumstances.toml", "terrain.toml", "battle_systems.toml")
PREFERENCE_KEY = "wants"
"""Key of a preference in the priorities of the Tanga card."""
FAULT = "UMPIRE_CELL"
"""Environment variable with the changed cell: its file and keys, separated by slashes."""
STEP = "UMPIRE_CELL_STEP"
"""Environment variable with the amount by which a number changes."""
INVALID = "ValidationError"
"""Text in pytest's line for a test that failed because a chart cannot be loaded."""
WORKERS = 2
SECONDS = 300
NICE = 15
HARMLESS_CELLS = Path(__file__).with_name("cells.toml")


class Cell(NamedTuple):
    """A cell of a chart: its file, its keys, and a description for people."""

    system: str
    file: str
    keys: tuple[str | int, ...]
    words: str

    @property
    def name(self) -> str:
        """Value of the environment variable for this cell."""
        return "/".join((f"{self.system}/data/{self.file}", *map(str, self.keys)))


class Outcome(Enum):
    """Result of a system's tests with a changed cell."""

    NOTICED = "noticed by a test"
    UNNOTICED = "not noticed"
    REFUSED = "refused when the chart is loaded"
    TOO_LONG = f"ran for more than {SECONDS} s"


def main(*systems: str) -> int:
    """Try every cell of the given systems, or of all systems. Return the exit code."""
    os.nice(max(NICE - os.nice(0), 0))
    chosen = systems or SYSTEMS
    for system in chosen:
        if run_tests(system) is not Outcome.UNNOTICED:
            print(f"{system}: the tests fail without a change")
            return 1
    harmless = {cell["cell"] for cell in tomllib.loads(HARMLESS_CELLS.read_text(encoding="utf-8")).get("cell", ())}
    all_cells = [cell for system in chosen for cell in list_cells(system)]
    sample = [cell for cell in all_cells if cell.name not in harmless]
    counts: Counter[Outcome] = Counter()
    with ThreadPoolExecutor(WORKERS) as threads:
        for cell, outcome in zip(sample, threads.map(try_cell, sample), strict=True):
            counts[outcome] += 1
            if outcome is not Outcome.NOTICED:
                print(f"{outcome.value}: {cell.name}: {cell.words}", flush=True)
    print(f"{len(sample)} changed cells: " + ", ".join(f"{counts[outcome]} {outcome.value}" for outcome in Outcome))
    print(f"{len(all_cells) - len(sample)} more cells decide nothing ({HARMLESS_CELLS.name})")
    return 1 if counts[Outcome.UNNOTICED] or counts[Outcome.TOO_LONG] else 0


def list_cells(system: str) -> Iterator[Cell]:
    """Yield the cells of a system's charts."""
    folder = RULES / system / "data"
    for path in sorted(chain.from_iterable(folder.glob(file) for file in FILES)):
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        for keys, words in _walk_cells(document, ()):
            yield Cell(system, path.name, keys, words)


def _walk_cells(
    value: Any, keys: tuple[str | int, ...], words: str = ""
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, dict):
        labels = (str(value[key]) for key in ("id", "label", "words", "text") if key in value)
        label = f"{words} {next(labels, '')}".strip()
        for key, inner in value.items():
            if isinstance(inner, int) or key == PREFERENCE_KEY:
                yield (*keys, key), f"{label} {key} {inner}"
            yield from _walk_cells(inner, (*keys, key), label)
    elif isinstance(value, list):
        yield from chain.from_iterable(_walk_cells(inner, (*keys, place), words) for place, inner in enumerate(value))


def try_cell(cell: Cell) -> Outcome:
    """Run the tests with a changed cell; if the chart cannot be loaded, change the cell the other way."""
    outcome = run_tests(cell.system, cell.name)
    return run_tests(cell.system, cell.name, step=-1) if outcome is Outcome.REFUSED else outcome


def run_tests(system: str, cell: str = "", step: int = 1) -> Outcome:
    """Run the tests of a system until one fails, with a changed cell if `cell` is given."""
    plugin = ("-p", "tests.mutants.cell_fault") if cell else ()
    tests = str(RULES / system / "tests")
    command = (sys.executable, "-m", "pytest", "-x", "-q", *plugin, "-p", "no:cacheprovider", tests)
    root = RULES.parent
    environment = {**os.environ, FAULT: cell, STEP: str(step), "PYTHONPATH": str(root)}
    try:
        process = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, timeout=SECONDS, check=False, text=True
        )
    except subprocess.TimeoutExpired:
        return Outcome.TOO_LONG
    if process.returncode == 0:
        return Outcome.UNNOTICED
    failed = [line for line in process.stdout.splitlines() if line.startswith("FAILED ")]
    is_loaded = process.returncode == 1 and failed and INVALID not in failed[0]
    return Outcome.NOTICED if is_loaded else Outcome.REFUSED


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
