"""Movement (CH-1) on tables measured to the inch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.charge.ground import measure_move_limit
from rules.charge.model import ChargeState, ChargeUnit, Fight, Formation
from rules.charge.options import Passage
from rules.core.scene import Feature, TerrainPiece
from rules.core.tabletop.table import Base, shift_point
from rules.core.tabletop.ways import Way

from .field import NORTH, SYSTEM, act, blue, field, ground, gun, horse, red, refusal, text_of, wall


def inches_moved(state: ChargeState, unit: str, to: str, *words: str) -> float:
    """Return how far north the unit gets, in inches."""
    after, _ = act(state, "move", unit=unit, to=to, **{"with": words})
    before_place, place = state.unit(unit).place, after.unit(unit).place
    assert before_place is not None
    assert place is not None
    return round(before_place.y - place.y, 2)


def field_with_one(unit: ChargeUnit, *terrain: TerrainPiece, **fields: object) -> ChargeState:
    """Return a table with one unit facing north towards a distant enemy."""
    return field(unit, blue("Enemy", (36, 2), figures=1), phase="moves", terrain=terrain, **fields)


@pytest.mark.parametrize(("fields", "inches"), [({}, 6), (gun(), 6), (horse(), 12)], ids=["infantry", "gun", "cavalry"])
def test_ch_1_1_rates(fields: dict, inches: int) -> None:
    state = field_with_one(red("Unit", (36, 40), **fields))
    assert inches_moved(state, "unit", "towards enemy") == inches
    assert inches_moved(state, "unit", f"forward {inches}") == inches
    assert f'may move {inches}"' in refusal(state, "move", unit="unit", to=f"forward {inches}.1")


def test_ch_1_1_the_move_of_cavalry_is_an_option() -> None:
    assert inches_moved(field_with_one(red("Unit", (36, 40), **horse()), cavalry_move=9), "unit", "towards enemy") == 9


def test_ch_1_2_slope_doubles_inches_and_flat_top_does_not() -> None:
    hill, top = ground(Feature.HILL, 20, 10, 60, 50, "Hill"), ground(Feature.HILL, 25, 15, 55, 36, "Top")
    assert inches_moved(field_with_one(red("Unit", (36, 45)), hill), "unit", "towards enemy") == 3
    assert inches_moved(field_with_one(red("Unit", (36, 30)), hill, top), "unit", "towards enemy") == 6
    # Its front is 1.25 inches below the edge of the top: its base is clear of the slope when it has gone 2.75.
    assert inches_moved(field_with_one(red("Unit", (36, 38)), hill, top), "unit", "towards enemy") == pytest.approx(
        2.75 + 0.5, abs=0.01
    )


def test_ch_1_2_straight_downhill_is_not_hindered() -> None:
    hill = ground(Feature.HILL, 20, 30, 52, 60, "Hill")
    down = field_with_one(red("Unit", (36, 36)), hill)
    assert inches_moved(down, "unit", "forward 6") == 6
    across = field_with_one(red("Unit", (36, 36)), hill)
    assert "slowed by Hill" in refusal(across, "move", unit="unit", to="left 4")


def test_ch_1_2_wood_halves_infantry_needs_single_file_cavalry_and_bars_guns() -> None:
    wood = ground(Feature.WOOD, 20, 10, 60, 45, "Wood")
    assert inches_moved(field_with_one(red("Unit", (36, 40)), wood), "unit", "towards enemy") == 3
    rider = red("Unit", (36, 30), **horse(4, formation=Formation.SINGLE_FILE))
    assert inches_moved(field_with_one(rider, wood), "unit", "towards enemy") == 6
    assert "only in single file" in refusal(
        field_with_one(red("Unit", (36, 40), **horse()), wood), "move", unit="unit", to="forward 2"
    )
    assert "guns cannot pass through Wood" in refusal(
        field_with_one(red("Unit", (36, 40), **gun()), wood), "move", unit="unit", to="forward 2"
    )


def test_ch_1_2_a_gun_halts_before_a_wood() -> None:
    wood = ground(Feature.WOOD, 20, 10, 60, 36, "Wood")
    assert inches_moved(field_with_one(red("Unit", (36, 40), **gun()), wood), "unit", "towards enemy") == pytest.approx(
        2.45, abs=0.05
    )


def test_ch_1_2_marsh_bars_cavalry_and_guns_and_slows_infantry() -> None:
    marsh = ground(Feature.MARSH, 20, 10, 60, 45, "Marsh")
    assert inches_moved(field_with_one(red("Unit", (36, 40)), marsh), "unit", "towards enemy") == 3
    for fields in (horse(), gun()):
        assert "Marsh is impassable" in refusal(
            field_with_one(red("Unit", (36, 40), **fields), marsh), "move", unit="unit", to="forward 1"
        )
    barred = field_with_one(red("Unit", (36, 40)), marsh, marsh_for_infantry=Passage.IMPASSABLE)
    assert "impassable to infantry" in refusal(barred, "move", unit="unit", to="forward 1")


def test_ch_1_2_crossing_an_obstacle_takes_half_of_the_full_move() -> None:
    fence = wall((20, 37), (50, 37))
    assert inches_moved(field_with_one(red("Unit", (36, 40)), fence), "unit", "towards enemy") == 3
    # Too little is left beyond 3 inches of open ground: it halts before the wall.
    far = wall((20, 34), (50, 34))
    assert inches_moved(field_with_one(red("Unit", (36, 40)), far), "unit", "towards enemy") == pytest.approx(
        5.0, abs=0.06
    )


def test_ch_1_2_two_hindrances_count_as_one_by_ruling() -> None:
    wood, hill = ground(Feature.WOOD, 20, 10, 60, 45, "Wood"), ground(Feature.HILL, 20, 10, 60, 45, "Hill")
    assert inches_moved(field_with_one(red("Unit", (36, 40)), wood, hill), "unit", "towards enemy") == 3


def test_ch_1_2_a_river_is_crossed_where_a_road_is_its_bridge() -> None:
    river = TerrainPiece(feature=Feature.RIVER, points=((0, 36), (72, 36)), closed=False, width=2)
    road = TerrainPiece(feature=Feature.ROAD, points=((36, 48), (36, 0)), closed=False, width=4.5)
    column = red("Unit", (36, 40), formation=Formation.COLUMN)
    assert inches_moved(field_with_one(column, river, road, river=Passage.IMPASSABLE), "unit", "towards enemy") == 6
    wide = field_with_one(red("Unit", (36, 40)), river, road, river=Passage.IMPASSABLE)
    assert "only be crossed by a bridge" in refusal(wide, "move", unit="unit", to="forward 6")


@given(st.floats(0, 359), st.floats(0.1, 4), st.floats(0, 5))
def test_ch_1_2_terrain_effects_do_not_depend_on_the_tables_direction(turn: float, depth: float, ahead: float) -> None:
    """Property: a strip of wood `ahead` of a unit's front, `depth` deep."""

    def far(way: float) -> float:
        def at(along: float, across: float) -> tuple[float, float]:
            return shift_point(shift_point((36, 24), way, along), way + 90, across)

        start, end = 0.75 + ahead, 0.75 + ahead + depth
        wood = TerrainPiece(feature=Feature.WOOD, points=(at(start, -9), at(start, 9), at(end, 9), at(end, -9)))
        unit = red("Unit", (36, 24), way)
        base = Base(at=(36, 24), facing=way, frontage=6, depth=1.5)
        return measure_move_limit(field_with_one(unit, wood), unit, Way(way, 6, base), 6, 6).inches

    assert far(turn) == pytest.approx(far(NORTH), abs=1e-6)
    open_ground = min(ahead, 6.0)
    assert far(turn) <= 6 + 1e-9
    assert far(turn) >= open_ground / 1 - 1e-6 or far(turn) >= 3


def test_ch_1_3_a_unit_moves_once_in_its_own_turn_before_the_fire() -> None:
    state = field(red("Unit", (36, 40)), blue("Enemy", (36, 2)), phase="moves")
    after, _ = act(state, "move", unit="unit", to="forward 2")
    assert "moved this turn" in refusal(after, "move", unit="unit", to="forward 2")
    assert "turn of the Reds" in refusal(state, "move", unit="enemy", to="forward 2")
    assert "Now: fire" in refusal(
        field(red("Unit", (36, 40)), blue("Enemy", (36, 2))), "move", unit="unit", to="forward 2"
    )


def test_ch_1_3_a_unit_that_moved_may_fire() -> None:
    state = field(red("Unit", (36, 20)), blue("Enemy", (36, 10)), phase="moves")
    after, _ = act(state, "move", unit="unit", to="forward 5")
    fire, _ = act(after, "turn_next")
    assert fire.phase == "fire"
    assert SYSTEM.allows(fire, SYSTEM.parse("fire", {"unit": "unit", "target": "enemy"}))


def test_ch_f_a_change_of_formation_takes_half_of_the_move() -> None:
    state = field_with_one(red("Unit", (36, 40)))
    assert inches_moved(state, "unit", "towards enemy", "column") == 3
    after, report = act(state, "move", unit="unit", **{"with": "line"})
    assert after.unit("unit").formation is Formation.LINE
    assert report.headline == "Unit form line."
    assert after.unit("unit").place == state.unit("unit").place
    assert "would change nothing" in refusal(state, "move", unit="unit", **{"with": "two ranks"})
    assert "no formation" in refusal(
        field_with_one(red("Unit", (36, 40), **gun())), "move", unit="unit", **{"with": "column"}
    )


def test_ch_1_2_refusal_names_barring_terrain_for_moves_forming_and_turns() -> None:
    river = ground(Feature.RIVER, 0, 20, 34.4, 24, "Stream")
    at_the_end = field_with_one(red("Unit", (36, 22), formation=Formation.COLUMN), river, river=Passage.IMPASSABLE)
    assert "barred: Stream" in refusal(at_the_end, "move", unit="unit", to="left 3")
    assert "no room: Stream" in refusal(at_the_end, "move", unit="unit", **{"with": "line"})
    _, report = act(at_the_end, "move", unit="unit", to="towards enemy")
    assert not report.warnings
    south = field_with_one(red("Unit", (20, 28)), river, river=Passage.IMPASSABLE)
    assert "forward 3.2" in SYSTEM.places.destinations(south, "reds", "unit"), "as far as it may"
    _, report = act(south, "move", unit="unit", to="towards enemy")
    assert "Stream can only be crossed by a bridge" in report.warnings[0]


def test_ch_1_2_report_names_an_obstacle_too_far_to_cross() -> None:
    before_a_wall = field_with_one(red("Unit", (36, 40)), wall((30, 34.5), (42, 34.5)))
    assert "slowed by a wall" in refusal(before_a_wall, "move", unit="unit", to="forward 6")


def test_ch_f_unit_does_not_form_or_turn_onto_a_touched_enemy() -> None:
    """Two units without room to fall back may still touch after their fight."""
    state = field(red("Unit", (36, 20)), blue("Enemy", (36, 18.5)), phase="moves")
    assert "stand on Enemy" in refusal(state, "move", unit="unit", **{"with": "column"})
    assert "stand on Enemy" in refusal(state, "move", unit="unit", to="face e")
    after, _ = act(state, "move", unit="unit", **{"with": "line"})
    assert after.unit("unit").formation is Formation.LINE


def test_ch_4_5_nobody_in_contact_moves_away() -> None:
    state = field(
        red("Unit", (36, 20)),
        blue("Enemy", (36, 18.5)),
        phase="moves",
        fights=(Fight(units=("unit", "enemy"), since=0),),
    )
    assert "in contact" in refusal(state, "move", unit="unit", to="back 2")
    assert "in contact" in refusal(state, "move", unit="unit", **{"with": "line"}), "nor forms otherwise"


def test_without_a_place_the_words_are_for_the_log() -> None:
    state = field(red("Unit"), blue("Enemy"), phase="moves")
    _, report = act(state, "move", unit="unit", to="up to the hedge", **{"with": "hindered ground"})
    assert "3" in text_of(report)
    assert "hedge" in text_of(report)


def test_a_button_names_units_as_they_are_called() -> None:
    state = field(red("Unit", (36, 40)), blue("Daun", (36, 2)), phase="moves")
    assert SYSTEM.label(state, SYSTEM.parse("move", {"unit": "unit", "to": "towards daun"})) == "Unit: towards Daun"
