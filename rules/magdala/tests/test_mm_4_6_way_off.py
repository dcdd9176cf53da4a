"""The route of routed units off the table (MM-4.6)."""

import pytest

from rules.core.dice import NoDice
from rules.core.scene import Point
from rules.core.tabletop.battle import Edge, Place
from rules.magdala.model import Morale
from rules.magdala.morale.forced_moves import find_forced_path
from rules.magdala.ruleset import Magdala

from .field import BLUE, RED, field, unit


def bearing_of_rout(at: Point, *enemies: Point) -> float:
    routed = unit("mahdist-spears", "a", at=at, morale=Morale.ROUTED)
    barring = (unit("british-breechloaders", f"b{n}", BLUE, at=enemy) for n, enemy in enumerate(enemies))
    state = field(routed, *barring, home_edges={RED: Edge.NORTH})
    way = find_forced_path(state, state.unit("a"))
    assert way is not None
    return way.bearing


def test_mm_4_6_the_routed_take_the_nearest_edge() -> None:
    assert bearing_of_rout((36, 40), (36, 20)) == 180


def test_mm_4_6_the_routed_do_not_flee_through_the_enemy() -> None:
    assert bearing_of_rout((36, 30), (36, 38)) == 0


def test_mm_4_6_routed_units_take_the_nearest_edge_if_every_way_is_barred() -> None:
    assert bearing_of_rout((36, 30), (36, 38), (36, 22), (26, 30), (46, 30)) == 180


@pytest.mark.parametrize("x", range(26, 47, 2))
def test_mm_4_6_the_routed_before_the_zareba_of_suakin_do_not_flee_through_it(x: int) -> None:
    state = Magdala().setup("suakin-1885", {}, NoDice())
    routed = state.unit("amarar").model_copy(update={"place": Place(x=x, y=29), "morale": Morale.ROUTED})
    way = find_forced_path(state, routed)
    assert way is not None
    assert way.bearing != 180, "the south is the nearest edge, behind the zareba"
