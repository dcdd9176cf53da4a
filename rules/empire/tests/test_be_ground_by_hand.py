"""Terrain placed by the umpire has the effects of printed terrain (BE-M.4, BE-4.3, BE-5)."""

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.tests.by_hand import after_action, with_line, with_rectangle
from rules.empire.firing.fire import FIRE, Fire
from rules.empire.model import Cover, Defence, EmpireState
from rules.empire.moving.movement import Move
from rules.empire.phases import Phase
from rules.empire.ruleset import Empire

from .field import BLUE, act, field, unit
from .firing_field import die_modifiers
from .marches import movable

SYSTEM = Empire()
FIRER = unit("european-regulars", "b", BLUE, at=(36, 20, 180), name="Rifles")
SHOT = Fire(unit="b", target="a")


def open_field() -> EmpireState:
    return field(movable("british-regulars", 6), FIRER)


def march(state: EmpireState, to: str | None, *words: str) -> EmpireState:
    return act(state, Move(unit="a", to=to, circumstances=words), NoDice())[0]


def next_turn_modifiers(state: EmpireState) -> dict[str, int]:
    """Return the die modifiers of rifle fire at the unit on the next turn, by reason."""
    rested = state.unit("a").model_copy(update={"this_turn": unit("british-regulars", at=(36, 36)).this_turn})
    turned = {"active": BLUE, "phase": Phase.RIFLES.value, "units": {**state.units, "a": rested}}
    return die_modifiers(FIRE.plan(state.model_copy(update=turned), SHOT))


@pytest.mark.parametrize(
    ("kind", "word", "defends", "cover", "fire"),
    [
        ("earthworks", "line the works", Defence.WORKS, Cover.HARD, {"target in hard cover": -1}),
        ("wood", "hold the ground", Defence.TERRAIN, Cover.SOFT, {"target in soft cover": -1}),
        ("zareba", "line the obstacle", Defence.OBSTACLE, Cover.NONE, {}),
    ],
)
def test_be_m_4_unit_that_uses_terrain_by_words_gets_its_cover(
    kind: str, word: str, defends: Defence, cover: Cover, fire: dict[str, int]
) -> None:
    with pytest.raises(Refused, match="are not within"):
        march(open_field(), "forward 4", word)
    ground = with_line(SYSTEM, open_field(), kind, "20,35; 50,35", width=0.8, name="It")
    after = march(ground, "forward 4", word)
    assert (after.unit("a").defending, after.unit("a").cover) == (defends, cover)
    assert next_turn_modifiers(after) == fire
    assert next_turn_modifiers(march(ground, "forward 4")) == {}, "who does not say so stands in the open"
    moved_ground = after_action(SYSTEM, ground, "terrain_move", piece="It", to="36,10")
    with pytest.raises(Refused, match="are not within"):
        march(moved_ground, "forward 4", word)


def test_be_m_4_terrain_slows_no_unit() -> None:
    wood = with_rectangle(SYSTEM, open_field(), "wood", "36,34", "30 x 12")
    for state in (open_field(), wood):
        assert march(state, "forward 6").unit("a").this_turn.spent == 6


def test_be_m_4_a_wood_turned_away_is_out_of_reach() -> None:
    strip = with_rectangle(SYSTEM, open_field(), "wood", "46,34", "24 x 2", name="Strip")
    assert march(strip, "forward 4", "hold the ground").unit("a").defending is Defence.TERRAIN
    with pytest.raises(Refused, match="are not within"):
        march(after_action(SYSTEM, strip, "terrain_turn", piece="Strip", degrees=90), "forward 4", "hold the ground")
