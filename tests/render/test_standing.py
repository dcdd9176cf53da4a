"""Map area of a side: its units, the enemies near them, or else the nearest enemy."""

import pytest

from render.framing import FLAT, frame_sides
from render.geometry import Box
from rules.core.scene import Ground, Point, Symbol, TableScene, UnitBase
from rules.core.state import Side

SIDES = (Side(id="red", name="Red", index=0), Side(id="blue", name="Blue", index=1))


def create_scene(**at: Point) -> TableScene:
    """Return a table of 200 by 100 inches; the first letter of a unit's name is its side."""
    sides = {"r": "red", "b": "blue"}
    bases = [
        UnitBase(
            unit=name,
            name=name,
            side=sides[name[0]],
            symbol=Symbol.INFANTRY,
            at=point,
            facing=0,
            frontage=4,
            depth=1,
        )
        for name, point in at.items()
    ]
    return TableScene(width=200, height=100, ground=Ground.DESERT, title="t", sides=SIDES, bases=tuple(bases), alt="t")


def list_shown_units(table: TableScene, side: str) -> list[str]:
    """Return the units inside the area shown to the side."""
    area = frame_sides(table, {side})
    assert isinstance(area, Box)
    return [base.unit for base in table.bases if area.contains(base.at)]


@pytest.mark.parametrize(
    ("enemies", "expected"),
    [
        ({"b1": (20, 26), "b2": (20, 90)}, ["r1", "b1"]),
        ({"b1": (20, 60), "b2": (22, 64), "b3": (180, 20)}, ["r1", "b1", "b2"]),
        ({}, ["r1"]),
    ],
)
def test_enemies_near_are_shown_or_else_the_nearest(enemies: dict[str, Point], expected: list[str]) -> None:
    assert list_shown_units(create_scene(r1=(20, 10), **enemies), "red") == expected


@pytest.mark.parametrize("y", [2, 50, 98])
def test_a_line_of_units_is_shown_with_ground_before_or_behind_it_for_their_names(y: float) -> None:
    area = frame_sides(create_scene(**{f"r{number}": (20.0 * number, y) for number in range(1, 8)}), {"red"})
    assert area is not None
    assert area.height >= area.width * FLAT - 0.001
    assert area.clip_to(Box(0, 0, 200, 100)) == area


def test_a_side_without_units_has_no_part_of_the_map() -> None:
    assert frame_sides(create_scene(b1=(20, 10)), {"red"}) is None
