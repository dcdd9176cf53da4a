"""What a rule system costs: lines, small files, packages that import each other, and how far a volley's way is.

    python -m benchmarks.cost

Lines are the physical lines of `*.py` without tests; data and scenarios do not count.
"""

import asyncio
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import grimp

from .hops import first_volley

ROOT = Path(__file__).parents[1]
RULES = ROOT / "rules"
SYSTEMS = ("magdala", "empire", "tanga")
SMALL = 30
"""A file of fewer lines is small."""


def sources(folder: Path) -> list[Path]:
    """The Python files of a folder and those below it, without tests."""
    return [path for path in sorted(folder.rglob("*.py")) if "tests" not in path.relative_to(ROOT).parts]


def lines(path: Path) -> int:
    """Physical lines: blank ones and comments count."""
    return len(path.read_text(encoding="utf-8").splitlines())


def lines_of(folder: Path) -> int:
    """Of all its Python files."""
    return sum(map(lines, sources(folder)))


def small_files(system: str) -> list[str]:
    """Files of a system with fewer than SMALL lines, as paths in its folder."""
    folder = RULES / system
    return [str(path.relative_to(folder)) for path in sources(folder) if lines(path) < SMALL]


def both_ways(system: str) -> Iterator[tuple[str, str]]:
    """Packages of a system that import each other, as pairs.

    A package is a folder, and its modules are those right in it. A folder and one above it are no pair: what is on top
    puts the system together, and holds what all of it is about.
    """
    graph = grimp.build_graph("rules", cache_dir=None)
    ours = [module for module in graph.modules if f"{module}.".startswith(f"rules.{system}.") and "tests" not in module]
    folders = {module for module in ours if (ROOT / module.replace(".", "/")).is_dir()}

    def package(module: str) -> str:
        return module if module in folders else module.rpartition(".")[0]

    imports = {
        (package(module), package(imported))
        for module in ours
        for imported in graph.find_modules_directly_imported_by(module)
        if imported in ours
    }
    for one, other in combinations(sorted(folders), 2):
        apart = not f"{other}.".startswith(f"{one}.")
        if apart and {(one, other), (other, one)} <= imports:
            yield one, other


def main() -> None:
    """Counts, and prints."""
    print("lines")
    print(f"  rules    {lines_of(RULES):6,d}")
    for name in ("core", *SYSTEMS):
        print(f"    {name:8s} {lines_of(RULES / name):5,d}")
    for system in SYSTEMS:
        small = small_files(system)
        print(f"files under {SMALL} lines in {system}: {len(small)}\n  {', '.join(small)}")
    for system in SYSTEMS:
        pairs = [" and ".join(name.removeprefix("rules.") for name in pair) for pair in both_ways(system)]
        print(f"packages of {system} that import each other: {len(pairs)}")
        print("".join(f"  {pair}\n" for pair in pairs), end="")
    way = asyncio.run(first_volley())
    print(f"functions of ours from /fire to the bytes of its picture, on the event loop: {len(way.on_the_loop)}")
    print(f"and in all threads: {len(way.entered)}")
    for layer in ("cogs", "bot", "rules", "render"):
        print(f"  {layer:8s} {sum(name.startswith(f'{layer}.') for name in way.entered):5d}")


if __name__ == "__main__":
    main()
