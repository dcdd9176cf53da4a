"""Ground that the umpire puts on a table counts as printed ground does (BE-M.4, BE-4.3, BE-5)."""

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
from .firing_field import on_each_die
from .marches import movable

SYSTEM = Empire()
FIRER = unit("european-regulars", "b", BLUE, at=(36, 20, 180), name="Rifles")
SHOT = Fire(unit="b", target="a")


def bare() -> EmpireState:
    return field(movable("british-regulars", 6), FIRER)


def marched(state: EmpireState, to: str | None, *words: str) -> EmpireState:
    return act(state, Move(unit="a", to=to, circumstances=words), NoDice())[0]


def aimed_at(state: EmpireState) -> dict[str, int]:
    """The modifiers of each die of the rifles, by their reasons, a turn later."""
    rested = state.unit("a").model_copy(update={"this_turn": unit("british-regulars", at=(36, 36)).this_turn})
    turned = {"active": BLUE, "phase": Phase.RIFLES.value, "units": {**state.units, "a": rested}}
    return on_each_die(FIRE.plan(state.model_copy(update=turned), SHOT))


@pytest.mark.parametrize(
    ("kind", "word", "defends", "cover", "fire"),
    [
        ("earthworks", "line the works", Defence.WORKS, Cover.HARD, {"target in hard cover": -1}),
        ("wood", "hold the ground", Defence.TERRAIN, Cover.SOFT, {"target in soft cover": -1}),
        ("zareba", "line the obstacle", Defence.OBSTACLE, Cover.NONE, {}),
    ],
)
def test_be_m_4_who_says_so_uses_it_and_each_die_of_fire_has_less(
    kind: str, word: str, defends: Defence, cover: Cover, fire: dict[str, int]
) -> None:
    with pytest.raises(Refused, match="are not within"):
        marched(bare(), "forward 4", word)
    ground = with_line(SYSTEM, bare(), kind, "20,35; 50,35", width=0.8, name="It")
    there = marched(ground, "forward 4", word)
    assert (there.unit("a").defending, there.unit("a").cover) == (defends, cover)
    assert aimed_at(there) == fire
    assert aimed_at(marched(ground, "forward 4")) == {}, "who does not say so stands in the open"
    aside = after_action(SYSTEM, ground, "terrain_move", piece="It", to="36,10")
    with pytest.raises(Refused, match="are not within"):
        marched(aside, "forward 4", word)


def test_be_m_4_it_slows_nobody() -> None:
    wood = with_rectangle(SYSTEM, bare(), "wood", "36,34", "30 x 12")
    for state in (bare(), wood):
        assert marched(state, "forward 6").unit("a").this_turn.spent == 6


def test_be_m_4_a_wood_turned_away_is_out_of_reach() -> None:
    strip = with_rectangle(SYSTEM, bare(), "wood", "46,34", "24 x 2", name="Strip")
    assert marched(strip, "forward 4", "hold the ground").unit("a").defending is Defence.TERRAIN
    with pytest.raises(Refused, match="are not within"):
        marched(after_action(SYSTEM, strip, "terrain_turn", piece="Strip", degrees=90), "forward 4", "hold the ground")
