"""Read a user's description of a bare table: size, ground, sides, first side, and number of turns."""

import re
from collections.abc import Mapping
from typing import Any

from rules.core import naming
from rules.core.model import PUBLIC, UMPIRE
from rules.core.number_words import with_digits
from rules.core.refusal import Refused
from rules.core.scene import Ground
from rules.core.typed_text import (
    NUMBER,
    clean_name,
    has_only_visible_signs,
    numbered_lines,
    read_number,
    simplify_signs,
    split_statements,
)
from rules.core.unit_lookup import name_as_id

from .battle import Edge
from .battle_files import MOST_TURNS
from .battle_writer import FACING
from .validation import LEAST_TABLE, MOST_TABLE

OWN = "own"
"""Scenario id of a bare table that a user describes."""
FIELDS: Mapping[str, str] = {
    "size": "72 x 48 inches",
    "ground": Ground.DESERT.value,
    "sides": "British, south\nMahdists, north",
    "first": "British",
    "turns": "12",
}
"""The fields of the description, each with its default answer."""
INCHES: Mapping[str, float] = {
    **dict.fromkeys(("", '"', "''", "in", "inch", "inches"), 1.0),
    **dict.fromkeys(("'", "ft", "foot", "feet"), 12.0),
    **dict.fromkeys(("cm", "centimetre", "centimetres", "centimeter", "centimeters"), 1 / 2.54),
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), 100 / 2.54),
}
"""Inches in each unit of length, by every spelling. Without a unit, the number is in inches."""
LENGTH = rf"({NUMBER})\s*([a-z]*|''|['\"])\.?(?:\s*({NUMBER})\s*(?:''|\"|in|inch|inches)\.?)?"
"""A number, its unit, and inches after feet: `6' 4"`."""
SIZE = re.compile(rf"{LENGTH}\s*(?:x|\*|by)\s*{LENGTH}")
SQUARE_TABLE = re.compile(rf"^(?P<side>{NUMBER}\s*(?:[a-z]+|''|['\"])?)\s*(?:square|sq)$")
"""A table as wide as it is deep: `4 foot square`."""
SIDE = re.compile(r"(?P<name>.*\S)\s*(?:[,;:，、；：]|(?<=\s)[-–—]+(?=\s))(?P<edge>[^,;:，、；：]*)")
ID, TITLE = "own-table", "Own table"
LONGEST_SIDE = 40
"""Maximum number of characters of a side's name."""
DECIMALS = 1


def make_own_table_data(words: Mapping[str, str], title: str) -> dict[str, Any]:
    """Return the data of a battle file that begins with a set-up. Raises Refused, naming the wrong field.

    `words` are the user's answers by field. An empty or missing answer means the default in FIELDS.
    """
    answers = {field: words.get(field, "").strip() or usual for field, usual in FIELDS.items()}
    width, height = read_size(answers["size"])
    sides = read_sides(answers["sides"])
    ids = {side["id"]: side["name"] for side in sides}
    first = answers["first"] if words.get("first", "").strip() else sides[0]["name"]
    return {
        "id": ID,
        "title": title,
        "turns": read_turns(answers["turns"]),
        "first": naming.resolve_name(first, ids, "Who begins: there is no side {}."),
        "ground": naming.resolve_name(
            answers["ground"], {ground.value: ground.value for ground in Ground}, "Ground: there is no {}."
        ),
        "width": width,
        "height": height,
        "set_up": True,
        "sides": sides,
    }


def read_size(words: str) -> tuple[float, float]:
    """Return a table's width and height in inches. Raises Refused if `words` state no size, or an invalid size."""
    width, height = read_lengths(words)
    if not all(LEAST_TABLE <= inches <= MOST_TABLE for inches in (width, height)):
        limits = f"{LEAST_TABLE:g} to {MOST_TABLE:g} inches"
        feet = f" Write “{width:g} x {height:g} feet” if feet are meant." if max(width, height) < LEAST_TABLE else ""
        raise Refused(f'Size: that is {width:g}" x {height:g}", and each way a table has {limits}.{feet}')
    return width, height


def read_lengths(words: str) -> tuple[float, float]:
    """Return two lengths in inches from words such as `72 x 48`, `6 x 4 feet` or `180x120 cm`. Raises Refused."""
    text = with_digits(simplify_signs(words).casefold()).strip()
    match = SIZE.fullmatch(SQUARE_TABLE.sub(r"\g<side> x \g<side>", text))
    units = (match[2] or match[5], match[5] or match[2]) if match else ("none", "none")
    if match is None or not INCHES.keys() >= {*units}:
        raise Refused(f"Size: “{words[:40]}” is none. Write it as “72 x 48 inches”, “6 x 4 feet” or “180 x 120 cm”.")
    over = (read_number(match[at]) if match[at] else 0 for at in (3, 6))
    numbers = (read_number(match[at]) for at in (1, 4))
    across, down = (
        round(float(number) * INCHES[unit] + float(inches), DECIMALS)
        for number, unit, inches in zip(numbers, units, over, strict=True)
    )
    return across, down


def read_sides(text: str) -> list[dict[str, Any]]:
    """Return the data of two sides from two lines such as `British, south`: a name and an edge. Raises Refused."""
    lines = [line for _, line in numbered_lines("\n".join(split_statements(text)))]
    if len(lines) != len(FIELDS["sides"].splitlines()):
        raise Refused("Sides: write two, one per line, each with its edge, such as “British, south”.")
    sides = [_read_side(line) for line in lines]
    for field, noun in (("id", "name"), ("home", "edge")):
        if sides[0][field] == sides[1][field]:
            raise Refused(f"Sides: both have the same {noun}. Give each its own.")
    return sides


def _read_side(line: str) -> dict[str, Any]:
    """Return the data of one side: id, name, facing and home edge. Raises Refused."""
    match = SIDE.fullmatch(line)
    name, edge = (clean_name(match["name"]), match["edge"].strip()) if match else ("", "")
    if not name or len(name) > LONGEST_SIDE or not has_only_visible_signs(name):
        raise Refused(f"Sides: “{line[:40]}” is none. Write a name and an edge, such as “British, south”.")
    edges = {table_edge.value: table_edge.value for table_edge in Edge}
    home = naming.resolve_name(edge, edges, f"Sides: of {name}, there is no edge {{}}.")
    side = name_as_id(name) or home
    return {
        "id": f"{side}-{home}" if side in (UMPIRE, PUBLIC) else side,
        "name": name,
        "facing": FACING[Edge(home)],
        "home": home,
    }


def read_turns(words: str) -> int:
    """Return the number of turns that `words` state. Raises Refused."""
    text = with_digits(simplify_signs(words)).strip()
    count = re.fullmatch(r"(?:(?:at most|max|maximum)\s+)?(?P<turns>[0-9]{1,3})(?:\s+turns?)?", text, re.IGNORECASE)
    if count is None or not 1 <= int(count["turns"]) <= MOST_TURNS:
        raise Refused(f"Turns: “{words[:40]}” is no number from 1 to {MOST_TURNS}.")
    return int(count["turns"])
