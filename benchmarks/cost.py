"""Code size of a rule system: lines, small files, packages with circular imports, and a volley's call path.

    python -m benchmarks.cost

Counts the physical lines of `*.py` without tests; data and scenarios do not count.
"""

import asyncio
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import grimp

from .hops import record_first_volley

ROOT = Path(__file__).parents[1]
RULES = ROOT / "rules"
SYSTEMS = ("magdala", "empire", "tanga")
SMALL_FILE_LINES = 30
"""Number of lines below which a file is small."""


def list_sources(folder: Path) -> list[Path]:
    """Return the Python files below a folder, without tests."""
    return [path for path in sorted(folder.rglob("*.py")) if "tests" not in path.relative_to(ROOT).parts]


def count_lines(path: Path) -> int:
    """Count physical lines, including blank ones and comments."""
    return len(path.read_text(encoding="utf-8").splitlines())


def count_folder_lines(folder: Path) -> int:
    """Count the lines of all Python files below a folder."""
    return sum(map(count_lines, list_sources(folder)))


def list_small_files(system: str) -> list[str]:
    """Return a system's files with fewer than SMALL lines, relative to its folder."""
    folder = RULES / system
    return [str(path.relative_to(folder)) for path in list_sources(folder) if count_lines(path) < SMALL_FILE_LINES]


def find_circular_imports(system: str) -> Iterator[tuple[str, str]]:
    """Packages of a system that import each other, as pairs.

    A package is a folder, and its modules are those right in it. A folder and one above it are no pair: what is on top
    puts the system together, and holds what all of it is about.
    """
    graph = grimp.build_graph("rules", cache_dir=None)
    modules = [
        module for module in graph.modules if f"{module}.".startswith(f"rules.{system}.") and "tests" not in module
    ]
    folders = {module for module in modules if (ROOT / module.replace(".", "/")).is_dir()}

    def package(module: str) -> str:
        return module if module in folders else module.rpartition(".")[0]

    imports = {
        (package(module), package(imported))
        for module in modules
        for imported in graph.find_modules_directly_imported_by(module)
        if imported in modules
    }
    for first, second in combinations(sorted(folders), 2):
        is_beside = not f"{second}.".startswith(f"{first}.")
        if is_beside and {(first, second), (second, first)} <= imports:
            yield first, second


def main() -> None:
    """Count and print."""
    print("lines")
    print(f"  rules    {count_folder_lines(RULES):6,d}")
    for name in ("core", *SYSTEMS):
        print(f"    {name:8s} {count_folder_lines(RULES / name):5,d}")
    for system in SYSTEMS:
        small = list_small_files(system)
        print(f"files under {SMALL_FILE_LINES} lines in {system}: {len(small)}\n  {', '.join(small)}")
    for system in SYSTEMS:
        pairs = [" and ".join(name.removeprefix("rules.") for name in pair) for pair in find_circular_imports(system)]
        print(f"packages of {system} that import each other: {len(pairs)}")
        print("".join(f"  {pair}\n" for pair in pairs), end="")
    way = asyncio.run(record_first_volley())
    print(f"functions of ours from /fire to the bytes of its picture, on the event loop: {len(way.on_the_loop)}")
    print(f"and in all threads: {len(way.entered)}")
    for layer in ("cogs", "bot", "rules", "render"):
        print(f"  {layer:8s} {sum(name.startswith(f'{layer}.') for name in way.entered):5d}")


if __name__ == "__main__":
    main()
