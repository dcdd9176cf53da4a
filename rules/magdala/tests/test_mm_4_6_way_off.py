"""The way the routed take off the table (MM-4.6)."""

from rules.core.battle import Edge
from rules.core.scene import Point
from rules.magdala.fleeing.withdraw import way_off
from rules.magdala.model import Morale

from .field import BLUE, RED, field, unit


def bearing_of_rout(at: Point, enemy: Point) -> float:
    routed = unit("mahdist-spears", "a", at=at, morale=Morale.ROUTED)
    state = field(routed, unit("british-breechloaders", "b", BLUE, at=enemy), home_edges={RED: Edge.NORTH})
    way = way_off(state, state.unit("a"))
    assert way is not None
    return way.bearing


def test_mm_4_6_the_routed_take_the_nearest_edge() -> None:
    assert bearing_of_rout((36, 40), (36, 20)) == 180


def test_mm_4_6_the_routed_do_not_flee_through_the_enemy() -> None:
    assert bearing_of_rout((36, 30), (36, 38)) == 0
