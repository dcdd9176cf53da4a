"""Smallest text of every kind of picture on a telephone: `python -m benchmarks.legible [SYSTEM …] [--into FOLDER]`.

Draws the set-up and some actions of a random game for every scenario. Prints for each kind of picture the size of its
smallest text when Discord shows the picture 300 pixels wide. With a folder, stores the pictures there, each also at
that width.
"""

import argparse
import re
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from PIL import Image

from rules.registry import rulesets
from tests.render.legibility import (
    TELEPHONE_WIDTH,
    Kind,
    Smallest,
    iterate_charts,
    iterate_game_pictures,
    iterate_other_pictures,
    iterate_start_pictures,
    measure_texts,
)
from tests.render.pictures import open_picture

ACTIONS, EVERY = 60, 12
"""Number of actions of the random game, and of actions between pictures."""


def iterate_kinds(systems: list[str]) -> Iterator[tuple[str, Iterator[Kind]]]:
    """Yield the pictures of every scenario, every system and the rest, with a name."""
    for name, system in rulesets().items():
        if systems and name not in systems:
            continue
        for scenario in system.scenarios:
            yield (
                f"{name} {scenario}",
                chain(
                    iterate_start_pictures(system, scenario), iterate_game_pictures(system, scenario, 1, ACTIONS, EVERY)
                ),
            )
        yield name, iterate_charts(system)
    if not systems:
        yield "", iterate_other_pictures()


def store_picture(picture: bytes, folder: Path, name: str) -> None:
    """Store a picture at full size and at telephone width."""
    image = open_picture(picture).convert("RGB")
    plain = re.sub(r"[^\w-]+", "-", name)
    image.save(folder / f"{plain}.png")
    small = TELEPHONE_WIDTH, round(image.height * TELEPHONE_WIDTH / image.width)
    image.resize(small, Image.Resampling.LANCZOS).save(folder / f"{plain}@300.png")


def main() -> None:
    """Draw, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("systems", nargs="*")
    parser.add_argument("--into", type=Path)
    chosen = parser.parse_args()
    worst: dict[tuple[str, str], Smallest] = {}
    for place, pictures in iterate_kinds(chosen.systems):
        start = time.process_time()
        for number, (kind, draw) in enumerate(pictures):
            for smallest in measure_texts(draw):
                if chosen.into is not None:
                    store_picture(smallest.picture, chosen.into, f"{place} {number:02} {kind}")
                key = place.split(" ")[0], kind
                worst[key] = min(worst.get(key, smallest), smallest)
        print(f"# {place}: {time.process_time() - start:.0f} s", flush=True)
    for (system, kind), smallest in sorted(worst.items(), key=lambda entry: entry[1].size):
        width, height = open_picture(smallest.picture).size
        print(f"{smallest.size:5.1f}  {system:10} {kind:28} {smallest.text[:40]!r:42} {width} x {height}")


if __name__ == "__main__":
    main()
