"""Terrain that the umpire adds has the same effects as a scenario's terrain (CH-1.2, CH-2.1, CH-3.2)."""

import pytest

from rules.charge.model import ChargeState, Formation
from rules.charge.options import Passage
from rules.core.tests.by_hand import after_action, with_line, with_rectangle

from .field import SYSTEM, act, blue, field, gun, horse, red, refusal, text_of

SHOT = SYSTEM.parse("fire", {"unit": "line", "target": "foot"})


def march(**fields: object) -> ChargeState:
    """Return a table with one unit facing north towards a distant enemy."""
    return field(red("Unit", (36, 40), **fields), blue("Enemy", (36, 2), figures=1), phase="moves")


def shooting() -> ChargeState:
    """Return a table with sixteen infantry ready to fire at sixteen others, 5 inches off."""
    return field(red("Line", (30, 20)), blue("Foot", (30, 15)))


def inches_moved(state: ChargeState) -> float:
    """Return how far the unit gets towards its enemy, in inches."""
    after, _ = act(state, "move", unit="unit", to="towards enemy")
    place = after.unit("unit").place
    assert place is not None
    return round(40 - place.y, 1)


@pytest.mark.parametrize("kind", ["wood", "marsh", "hill"])
def test_ch_1_2_terrain_halves_the_move_of_infantry(kind: str) -> None:
    """The unit goes 6 inches on open ground, 3 on hindering ground, and 6 again when it is moved or removed."""
    assert inches_moved(march()) == 6
    state = with_rectangle(SYSTEM, march(), kind, "36,27", "20 x 36", name="It")
    assert inches_moved(state) == 3
    assert (
        inches_moved(
            after_action(
                SYSTEM,
                state,
                "terrain_move",
                piece="It",
                to="15,20",
            )
        )
        == 6
        or kind
    )
    assert inches_moved(after_action(SYSTEM, state, "terrain_remove", piece="It")) == 6


def test_ch_1_2_wood_bars_guns_and_cavalry_unless_in_single_file() -> None:
    wood = with_rectangle(SYSTEM, march(**gun()), "wood", "36,27", "20 x 36", name="Elms")
    assert "guns cannot pass through Elms" in refusal(wood, "move", unit="unit", to="forward 2")
    wood = with_rectangle(SYSTEM, march(**horse()), "wood", "36,27", "20 x 36", name="Elms")
    assert "cavalry go through Elms only in single file" in refusal(wood, "move", unit="unit", to="forward 2")


def test_ch_1_2_wall_across_the_way_takes_half_of_the_move() -> None:
    wall = with_line(SYSTEM, march(), "sangar", "20,37; 50,37", width=0.5, name="Wall")
    assert inches_moved(wall) == 3
    moved = after_action(SYSTEM, wall, "terrain_move", piece="Wall", to="55,30")
    assert inches_moved(after_action(SYSTEM, moved, "terrain_turn", piece="Wall", degrees=90)) == 6


def test_ch_1_2_a_road_put_over_a_river_is_its_bridge() -> None:
    column = march(formation=Formation.COLUMN)
    options = column.options.model_copy(update={"river": Passage.IMPASSABLE})
    river = with_line(SYSTEM, column.model_copy(update={"options": options}), "river", "0,36; 72,36", width=2)
    assert "can only be crossed by a bridge" in refusal(river, "move", unit="unit", to="forward 6")
    assert inches_moved(with_line(SYSTEM, river, "road", "36,48; 36,0", width=4.5)) == 6


def test_ch_2_1_a_hill_between_them_hides_the_target() -> None:
    assert SYSTEM.allows(shooting(), SHOT)
    hill = with_rectangle(SYSTEM, shooting(), "hill", "30,17.5", "20 x 1", name="Ridge")
    assert "cannot see it for Ridge" in refusal(hill, "fire", unit="line", target="foot")
    assert SYSTEM.allows(after_action(SYSTEM, hill, "terrain_move", piece="Ridge", to="30,5"), SHOT)


def test_ch_3_2_wall_close_before_the_target_halves_casualties() -> None:
    """Each pip costs ½ a casualty in the open, and ¼ behind a wall within an inch."""
    _, report = act(shooting(), "fire", [4, 4], unit="line", target="foot")
    assert "Each pip ½ a casualty" in text_of(report)
    wall = with_line(SYSTEM, shooting(), "sangar", "20,16.2; 40,16.2", width=0.5)
    _, report = act(wall, "fire", [4, 4], unit="line", target="foot")
    assert "Each pip ¼ a casualty" in text_of(report)
