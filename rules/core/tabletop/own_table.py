"""A bare table of one's own, from what somebody writes: its size, ground, sides, who begins, and turns."""

import re
from collections.abc import Mapping
from typing import Any

from rules.core import naming
from rules.core.model import PUBLIC, UMPIRE
from rules.core.refusal import Refused
from rules.core.scene import Ground
from rules.core.typed_text import NUMBER, fold, fold_name, is_shown, lines_of, number_of, statements

from .battle import Edge
from .battle_files import MOST_TURNS
from .battle_writer import FACING
from .validation import LEAST_TABLE, MOST_TABLE

OWN = "own"
"""Scenario id for an own table."""
FIELDS: Mapping[str, str] = {
    "size": "72 x 48 inches",
    "ground": Ground.DESERT.value,
    "sides": "British, south\nMahdists, north",
    "first": "British",
    "turns": "12",
}
"""Questions about the table, with default answers."""
INCHES: Mapping[str, float] = {
    **dict.fromkeys(("", '"', "''", "in", "inch", "inches"), 1.0),
    **dict.fromkeys(("'", "ft", "foot", "feet"), 12.0),
    **dict.fromkeys(("cm", "centimetre", "centimetres", "centimeter", "centimeters"), 1 / 2.54),
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), 100 / 2.54),
}
LENGTH = rf"({NUMBER})\s*([a-z]*|''|['\"])(?:\s*({NUMBER})\s*(?:''|\"|in|inch|inches))?"
"""A number, its unit, and inches after feet: `6' 4"`."""
SIZE = re.compile(rf"{LENGTH}\s*(?:x|\*|by)\s*{LENGTH}")
SIDE = re.compile(r"(?P<name>.*\S)\s*(?:[,;:，、；：]|(?<=\s)[-–—]+(?=\s))(?P<edge>[^,;:，、；：]*)")
ID, TITLE = "own-table", "Own table"
LONGEST_SIDE = 40
ROUNDED = 1


def battle_of(words: Mapping[str, str], title: str) -> dict[str, Any]:
    """Return the battle's file, which opens with its set-up. Raises Refused with what is wrong in which input."""
    said = {field: words.get(field, "").strip() or usual for field, usual in FIELDS.items()}
    width, height = size_of(said["size"])
    sides = sides_of(said["sides"])
    ids = {side["id"]: side["name"] for side in sides}
    first = said["first"] if words.get("first", "").strip() else sides[0]["name"]
    return {
        "id": ID,
        "title": title,
        "turns": turns_of(said["turns"]),
        "first": naming.one(first, ids, "Who begins: there is no side {}."),
        "ground": naming.one(said["ground"], {one.value: one.value for one in Ground}, "Ground: there is no {}."),
        "width": width,
        "height": height,
        "set_up": True,
        "sides": sides,
    }


def size_of(words: str) -> tuple[float, float]:
    """Width and height of a table in inches. Raises Refused."""
    width, height = lengths(words)
    if not all(LEAST_TABLE <= inches <= MOST_TABLE for inches in (width, height)):
        limits = f"{LEAST_TABLE:g} to {MOST_TABLE:g} inches"
        raise Refused(f'Size: that is {width:g}" x {height:g}", and each way a table has {limits}.')
    return width, height


def lengths(words: str) -> tuple[float, float]:
    """Two lengths in inches, of `72 x 48`, `6 x 4 feet`, `180x120 cm`. Raises Refused."""
    found = SIZE.fullmatch(fold(words).casefold().strip())
    units = (found[2] or found[5], found[5] or found[2]) if found else ("none", "none")
    if found is None or not INCHES.keys() >= {*units}:
        raise Refused(f"Size: “{words[:40]}” is none. Write it as “72 x 48 inches”, “6 x 4 feet” or “180 x 120 cm”.")
    over = (number_of(found[at]) if found[at] else 0 for at in (3, 6))
    numbers = (number_of(found[at]) for at in (1, 4))
    across, down = (
        round(float(number) * INCHES[unit] + float(inches), ROUNDED)
        for number, unit, inches in zip(numbers, units, over, strict=True)
    )
    return across, down


def sides_of(text: str) -> list[dict[str, Any]]:
    """Two sides with their edges, one a line: `British, south`. Raises Refused."""
    lines = [line for _, line in lines_of("\n".join(statements(text)))]
    if len(lines) != len(FIELDS["sides"].splitlines()):
        raise Refused("Sides: write two, one a line, each with its edge, as “British, south”.")
    sides = [_side(line) for line in lines]
    for field, noun in (("id", "name"), ("home", "edge")):
        if sides[0][field] == sides[1][field]:
            raise Refused(f"Sides: both have the same {noun}. Give each its own.")
    return sides


def _side(line: str) -> dict[str, Any]:
    found = SIDE.fullmatch(line)
    name, edge = (fold_name(found["name"]), found["edge"].strip()) if found else ("", "")
    if not name or len(name) > LONGEST_SIDE or not is_shown(name):
        raise Refused(f"Sides: “{line[:40]}” is none. Write a name and an edge, as “British, south”.")
    edges = {one.value: one.value for one in Edge}
    home = naming.one(edge, edges, f"Sides: of {name}, there is no edge {{}}.")
    words = "".join(letter if letter.isalnum() else " " for letter in name.casefold()).split()
    side = "-".join(words) or home
    return {
        "id": f"{side}-{home}" if side in (UMPIRE, PUBLIC) else side,
        "name": name,
        "facing": FACING[Edge(home)],
        "home": home,
    }


def turns_of(words: str) -> int:
    """Return the number of turns typed. Raises Refused."""
    words = fold(words).strip()
    if not re.fullmatch(r"[0-9]{1,3}", words) or not 1 <= int(words) <= MOST_TURNS:
        raise Refused(f"Turns: “{words[:40]}” is no number from 1 to {MOST_TURNS}.")
    return int(words)
