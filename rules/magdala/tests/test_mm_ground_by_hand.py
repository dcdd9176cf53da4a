"""Terrain placed by the umpire has the effects of printed terrain (MM-2.9, MM-3.4, MM-7)."""

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.tests.by_hand import after_action, with_line, with_rectangle
from rules.magdala.firing.fire import FIRE, Fire
from rules.magdala.model import MagdalaState, Works
from rules.magdala.moving.marching import Move
from rules.magdala.orders.movement import MOVE
from rules.magdala.ruleset import Magdala

from .field import BLUE, field, unit
from .marches import BRITISH, FOE

SYSTEM = Magdala()
ON_THE_WAY = "36,34"


def march(state: MagdalaState, to: str, *words: str) -> MagdalaState:
    return MOVE.execute(state, Move(unit="a", to=to, circumstances=words), NoDice())[0]


def longest_march(state: MagdalaState) -> int:
    """Return how far the battalion may go forward in whole inches; 6 in good going (MM-2.1)."""
    return max(far for far in range(1, 9) if SYSTEM.allows(state, Move(unit="a", to=f"forward {far}")))


@pytest.mark.parametrize("kind", ["wood", "rough", "marsh", "river", "hill"])
def test_mm_2_9_formed_regulars_go_half_as_far_through_bad_going(kind: str) -> None:
    """6 inches on open ground, 3 with the terrain on the way; 6 again after moving, turning or removing the terrain."""
    bare = field(unit(BRITISH, at=(36, 40)), FOE)
    assert longest_march(bare) == 6
    covered = with_rectangle(SYSTEM, bare, kind, ON_THE_WAY, "30 x 8", name="It")
    assert longest_march(covered) == 3
    assert longest_march(after_action(SYSTEM, covered, "terrain_move", piece="It", to="36,10")) == 6
    assert longest_march(after_action(SYSTEM, covered, "terrain_remove", piece="It")) == 6


def test_mm_2_9_a_strip_beside_the_way_is_turned_across_it() -> None:
    beside = with_rectangle(SYSTEM, field(unit(BRITISH, at=(36, 40)), FOE), "wood", "28,35", "4 x 20", name="Strip")
    assert longest_march(beside) == 6
    assert longest_march(after_action(SYSTEM, beside, "terrain_turn", piece="Strip", degrees=90)) == 3


def test_mm_2_9_a_road_is_only_drawn() -> None:
    assert longest_march(with_line(SYSTEM, field(unit(BRITISH, at=(36, 40)), FOE), "road", "36,48; 36,2", width=8)) == 6


@pytest.mark.parametrize(("kind", "dice"), [("wood", 4), ("rough", 4), ("hill", 8), ("marsh", 4)])
def test_mm_3_4_fire_at_a_target_in_cover_is_halved(kind: str, dice: int) -> None:
    """24 breechloaders throw 8 dice at a target in the open, and 4 at a target in a wood or in bad going."""
    bare = field(unit(BRITISH, at=(30, 30)), unit("mahdist-spears", "b", BLUE, at=(30, 20)))
    shot = Fire(unit="a", target="b")
    assert FIRE.plan(bare, shot).dice.dice == 8
    covered = with_rectangle(SYSTEM, bare, kind, "30,20", "10 x 10", name="It")
    assert FIRE.plan(covered, shot).dice.dice == dice
    assert FIRE.plan(after_action(SYSTEM, covered, "terrain_move", piece="It", to="60,20"), shot).dice.dice == 8


def test_mm_7_works_are_lined_where_they_were_put() -> None:
    bare = field(unit(BRITISH, at=(36, 35)), FOE)
    with pytest.raises(Refused, match="are not within"):
        march(bare, "forward 4", "occupy zareba")
    works = with_line(SYSTEM, bare, "zareba", "30,30; 42,30", width=0.8)
    assert march(works, "forward 4", "occupy zareba").unit("a").works is Works.ZAREBA
