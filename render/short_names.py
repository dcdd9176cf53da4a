"""Shorten unit names on crowded plates; the legend explains the short names."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import takewhile

import numpy as np

from rules.core.scene import TableScene, UnitBase

from .bases import move_figures_beside_hosts, visible_bases
from .geometry import View, around, corners
from .plates import plate_size

AROUND = 7.0
"""Distance from a base within which other plates crowd its plate, in multiples of the text size."""
CROWDED, ROOMY = 0.7, 0.6
"""Share of an area covered by bases and plates above which names are shortened, and share at which this stops."""
WORTH = 0.75
"""Maximum area of a plate with a short name, as a fraction of the plate with the long name."""
LINKS = frozenset({"of", "the", "and", "de", "von", "al", "el"})
LETTERS, MOST_LETTERS = 3, 6
"""Letters kept of a one-word name, and limit of letters kept of a first word to make names unique."""


@lru_cache(maxsize=4)
def crowded_short_names(scene: TableScene, view: View, words: int) -> Mapping[str, str]:
    """Return short names by unit id, only for visible units with crowded plates; text is `words` pixels high.

    Cached, since both the plates and the legend of a picture ask: never change the result.
    """
    bases = [base for base in visible_bases(move_figures_beside_hosts(scene.bases), view.box) if base.has_plate]
    short = short_names([base.name for base in scene.bases])
    if not bases:
        return {}
    long_sizes, short_sizes = (
        np.array([_plate_area(base, name, words) for base, name in zip(bases, names, strict=True)])
        for names in ([base.name for base in bases], [short[base.name] for base in bases])
    )
    frame = view.frame
    stands = np.array([base.frontage * base.depth * view.scale**2 for base in bases])
    rings = [[view.px(at) for at in corners(base.at, base.facing, base.frontage, base.depth)] for base in bases]
    near = [around(ring).grown(AROUND * words).within(frame) for ring in rings]
    stood, edges = np.array([view.px(base.at) for base in bases]), np.array(near)[:, None]
    inside = np.asarray(((edges[..., :2] <= stood) & (stood <= edges[..., 2:])).all(axis=-1))
    ground = np.array([max(box.width * box.height, 1.0) for box in near])
    saved = np.where(short_sizes <= WORTH * long_sizes, long_sizes - short_sizes, 0.0)
    taken, chosen = long_sizes + stands, list[UnitBase]()
    crowded = inside @ taken > CROWDED * ground
    while True:
        fullness = np.where(crowded & (inside @ saved > 0), inside @ taken / ground, 0.0)
        if fullness.max() <= ROOMY:
            return {base.unit: short[base.name] for base in chosen}
        number = int(np.where(inside[fullness.argmax()], saved, 0.0).argmax())
        taken[number] -= saved[number]
        saved[number] = 0.0
        chosen.append(bases[number])


def _plate_area(base: UnitBase, name: str, words: int) -> float:
    """Return the area in square pixels of the unit's plate with `name` on it."""
    across, down = plate_size(name, base.strength, len(base.markers), words, base.kills)
    return float(across * down)


def short_names(names: Sequence[str]) -> Mapping[str, str]:
    """Return a unique abbreviation of each name; more letters or a number distinguish equal abbreviations."""
    short = {name: _initials(name, 1) for name in names}
    for letters in range(2, MOST_LETTERS):
        often = Counter(short.values())
        short = {name: _initials(name, letters) if often[words] > 1 else words for name, words in short.items()}
    counted = Counter[str]()
    often = Counter(short.values())
    for name, words in short.items():
        if often[words] > 1:
            counted[words] += 1
            short[name] = f"{words}{counted[words]}"
    return _extend_short_names(short)


def _extend_short_names(short: Mapping[str, str]) -> Mapping[str, str]:
    """Return the abbreviations; a name that continues another, as a detachment's does, continues its abbreviation."""
    taken, extended = set(short.values()), dict(short)
    for name in short:
        begun, _, word = name.rpartition(" ")
        if begun in short and (new := f"{short[begun]}{word[:1]}") not in taken:
            extended[name] = new
            taken.add(new)
    return extended


def _initials(name: str, letters: int) -> str:
    """Return an abbreviation: `1B` for 1st Berkshires, `HEd` for Hadendoa of Erkowit detachment, `Art` for Arteiga."""
    if " " not in name and name.startswith("#"):  # the number of a name that cannot be drawn
        return name
    words: list[str] = [word for word in re.findall(r"\w+", name) if word.casefold() not in LINKS] or [name]
    if len(words) == 1:
        return words[0][: LETTERS - 1 + letters]
    first = next((number for number, word in enumerate(words) if not word[0].isdigit()), 0)
    return "".join(_initial(word, letters if number == first else 1) for number, word in enumerate(words))


def _initial(word: str, letters: int) -> str:
    if word[0].isdigit():
        return "".join(takewhile(str.isdigit, word))
    return word if word.isupper() else word[:letters]
