"""A state from outside is refused with the place of its fault."""

import pytest

from rules.core.refusal import Refused, require_that
from rules.core.scene import Feature, Point, TerrainPiece
from rules.core.state import MOST_TURNS, Verdict, require_consistent_state
from rules.core.tabletop.battle import Objective, Place, TableState
from rules.core.tabletop.validation import check_table

from .companies import OURS, SIDES, Company, company, table_of

CORNER: Point = (1.0, 1.0)


def wood(*points: Point, width: float = 1.0) -> TerrainPiece:
    return TerrainPiece(feature=Feature.WOOD, name="", points=points, width=width)


def hill(**fields: object) -> Objective:
    return Objective(side=OURS, name="hill", at=CORNER, within=6).model_copy(update=fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"width": 12.0, "height": 240.0},
        {"width": 240.0, "height": 12.0},
        {"units": {str(number): company("A", 1, 1) for number in range(200)}},
        {"units": {"a": company("A", 1000, -1000)}},
        {"terrain": (wood(CORNER),) * 200},
        {"terrain": (wood(*[CORNER] * 200),)},
        {"terrain": (wood(*[CORNER] * 200),) * 10},
        {"terrain": (wood((1000.0, -1000.0), width=240.0),)},
        {"objectives": (hill(name="h" * 80, at=(-1000.0, 1000.0)),)},
    ],
)
def test_values_at_the_bounds_are_accepted(fields: dict[str, object]) -> None:
    check_table(table_of(**fields))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"width": 11.9}, "width: a table has 12 to 240 inches."),
        ({"width": 240.1}, "width: a table has 12 to 240 inches."),
        ({"height": 11.9}, "height: a table has 12 to 240 inches."),
        ({"height": 240.1}, "height: a table has 12 to 240 inches."),
        ({"units": {str(number): company("A", 1, 1) for number in range(201)}}, "units: there are 200 at most."),
        ({"terrain": (wood(CORNER),) * 201}, "terrain: there are 200 pieces at most."),
        (
            {"terrain": (*(wood(*[CORNER] * 200),) * 10, wood(CORNER))},
            "terrain: its pieces have 2,000 points in all at most.",
        ),
        ({"terrain": (wood(CORNER), wood())}, "terrain[1]: it has 1 to 200 points."),
        ({"terrain": (wood(*[CORNER] * 201),)}, "terrain[0]: it has 1 to 200 points."),
        ({"terrain": (wood((1.0, 1000.1)),)}, "terrain[0]: it is far off the table, or too wide."),
        ({"terrain": (wood((1.0, -1000.1)),)}, "terrain[0]: it is far off the table, or too wide."),
        ({"terrain": (wood((1000.1, 1.0)),)}, "terrain[0]: it is far off the table, or too wide."),
        ({"terrain": (wood(CORNER, (1.0, 1000.1)),)}, "terrain[0]: it is far off the table, or too wide."),
        ({"terrain": (wood(CORNER, width=0.0),)}, "terrain[0]: it is far off the table, or too wide."),
        ({"terrain": (wood(CORNER, width=240.1),)}, "terrain[0]: it is far off the table, or too wide."),
        ({"units": {"a": company("A", 1000.1, 0)}}, "units.a.place: it is far off the table."),
        ({"objectives": (hill(), hill(at=(1000.1, 1.0)))}, "objectives[1]: no side can reach it."),
        ({"objectives": (hill(side="nobody"),)}, "objectives[0]: no side can reach it."),
        ({"objectives": (hill(name="h" * 81),)}, "objectives[0].name: it has 80 letters at most."),
    ],
)
def test_value_out_of_bounds_is_refused_with_its_place(fields: dict[str, object], place: str) -> None:
    with pytest.raises(Refused) as refused:
        check_table(table_of(**fields))  # type: ignore[arg-type]
    assert refused.value.why == place


class Led(Company):
    """A company that stores its origin and its leader."""

    refers_to = ("leader", "follows")

    leader: str | None = None
    follows: str | None = None
    came_from: Place | None = None


def table_with_links(**fields: object) -> TableState[Company]:
    units = {"a": Led(id="a", name="A", side=OURS, **fields), "b": Led(id="b", name="B", side=OURS)}
    return table_of().model_copy(update={"units": units})


def test_places_that_a_unit_remembers_are_near_the_table() -> None:
    check_table(table_with_links(came_from=Place(x=1000, y=-1000, facing=-1000)))
    for place in (Place(x=1000.1, y=0), Place(x=0, y=-1000.1)):
        with pytest.raises(Refused, match=r"^units\.a\.came_from: it is far off the table\.$"):
            check_table(table_with_links(place=Place(x=1, y=1), came_from=place))
    with pytest.raises(Refused, match=r"^units\.a\.place\.facing: it is no number of degrees\.$"):
        check_table(table_with_links(place=Place(x=1, y=1, facing=1000.1)))


def test_unit_must_refer_to_existing_units() -> None:
    check_table(table_with_links(leader="b"))
    with pytest.raises(Refused, match=rf"^units\.a\.leader: there is no unit “{'x' * 40}”\.$"):
        check_table(table_with_links(leader="x" * 41))
    with pytest.raises(Refused, match=r"^units\.a\.leader: it is the unit itself\.$"):
        check_table(table_with_links(follows="b", leader="a"))


def test_require_that_accepts_true_conditions() -> None:
    require_that(true=True, place="here", otherwise="no")
    with pytest.raises(Refused, match=r"^here: no\.$"):
        require_that(true=False, place="here", otherwise="no")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"sides": (SIDES[0], SIDES[0], SIDES[1])}, "sides: each comes once, and “ours” (active) is one of them."),
        ({"active": "x" * 41}, f"sides: each comes once, and “{'x' * 40}” (active) is one of them."),
        ({"turn": 0}, f"turn: it is from 1 to {MOST_TURNS}."),
        ({"turn": MOST_TURNS + 1}, f"turn: it is from 1 to {MOST_TURNS}."),
        ({"over": Verdict(winner="x" * 41, why="")}, f"over.winner: there is no side “{'x' * 40}”."),
        ({"units": {"b" * 41: company("A", 1, 1)}}, f"units.{'b' * 40}: it has another id, or is of a side that "),
        ({"units": {"a": company("A", 1, 1, side="nobody")}}, "units.a: it has another id, or is of a side that "),
    ],
)
def test_a_state_that_contradicts_itself_is_refused(fields: dict[str, object], why: str) -> None:
    with pytest.raises(Refused) as refused:
        require_consistent_state(table_of(**fields))  # type: ignore[arg-type]
    assert refused.value.why.startswith(why)


@pytest.mark.parametrize(
    "fields", [{}, {"turn": MOST_TURNS}, {"over": Verdict(winner=None, why="")}, {"over": Verdict(winner=OURS, why="")}]
)
def test_a_sound_state_is_taken(fields: dict[str, object]) -> None:
    require_consistent_state(table_of(company("A", 1, 1), **fields))
