"""Modifiers of melee dice, and hits (BE-5)."""

from fractions import Fraction

import pytest

from rules.empire.fighting.engagement import melee_volley
from rules.empire.model import Bayonets, Defence, EmpireUnit, Formation, Support
from rules.empire.options import EmpireOptions

from .field import BLUE, RED, contact_of, unit, with_memory
from .melees import WORKS, melee, melee_modifiers, regulars, rifles


@pytest.mark.parametrize(
    ("face", "edge", "hit"),
    [
        (3, 0, False),
        (4, 0, True),
        (1, 5, False),
        (2, 2, True),
        (6, -3, True),
        (5, -1, True),
        (5, -2, False),
        (2, 1, False),
    ],
)
def test_be_5_scores_that_hit(face: int, edge: int, hit: bool) -> None:
    assert (face >= melee_volley(1, edge).needed) is hit


@pytest.mark.parametrize(("edge", "faces"), [(-9, 1), (-2, 1), (-1, 2), (0, 3), (1, 4), (2, 5), (3, 5), (9, 5)])
def test_be_5_natural_1_never_hits_and_natural_6_always(edge: int, faces: int) -> None:
    assert melee_volley(1, edge).chance == Fraction(faces, 6)


FIRST = "steady mounted or massed foot, first round"


@pytest.mark.parametrize(
    ("fighter", "rounds", "gains"),
    [
        (unit("british-cavalry"), 0, True),
        (unit("zulus"), 0, True),
        (unit("zulus", formation=Formation.DEEP), 0, True),
        (unit("zulus", disordered=True), 0, True),
        (unit("zulus", shaken=True), 0, False),
        (unit("zulus"), 1, False),
        (unit("british-cavalry"), 1, False),
        (regulars(), 0, False),
        (rifles("a", RED), 0, False),
        (unit("field-gun", formation=Formation.MASSED), 0, False),
    ],
)
def test_be_5_steady_mounted_or_massed_foot_in_the_first_round(fighter: EmpireUnit, rounds: int, gains: bool) -> None:
    state = melee(fighter, rifles(), contact=contact_of("a", "b", rounds=rounds))
    assert melee_modifiers(state).get(FIRST) == (1 if gains else None)


def test_be_5_the_first_round_is_each_units_own() -> None:
    state = melee(
        unit("zulus"),
        rifles(),
        unit("zulus", "c"),
        contact=contact_of("a", "b", rounds=1),
        joined=(contact_of("c", "b"),),
    )
    assert (melee_modifiers(state).get(FIRST), melee_modifiers(state, "C").get(FIRST)) == (None, 1)


@pytest.mark.parametrize(("rounds", "gains"), [(0, 1), (1, None)])
def test_be_5_support_is_in_the_round_of_its_friend(rounds: int, gains: int | None) -> None:
    behind = (Support(unit="c", friend="a"),)
    state = melee(
        unit("zulus"), rifles(), unit("zulus", "c"), contact=contact_of("a", "b", rounds=rounds), behind=behind
    )
    assert melee_modifiers(state, "C").get(FIRST) == gains


def test_be_5_fanatic_charge() -> None:
    assert melee_modifiers(melee(with_memory(regulars(), fanatic=True), rifles())) == {"fanatic charge": 1}


@pytest.mark.parametrize(
    ("defence", "reason"),
    [
        (Defence.OBSTACLE, "defending an obstacle"),
        (Defence.WORKS, WORKS),
        (Defence.TERRAIN, "defending terrain"),
    ],
)
def test_be_5_defending_counts_for_a_unit_that_was_charged(defence: Defence, reason: str) -> None:
    defender = regulars(defending=defence)
    assert melee_modifiers(melee(defender, rifles(), contact=contact_of("b", "a"))) == {reason: 1}
    assert melee_modifiers(melee(defender, rifles(), contact=contact_of("b", "a", rounds=2))) == {reason: 1}
    assert melee_modifiers(melee(defender, rifles(), contact=contact_of("a", "b"))) == {}
    options = EmpireOptions(defending_if_charged=False)
    assert melee_modifiers(melee(defender, rifles(), contact=contact_of("a", "b"), options=options)) == {reason: 1}


def test_be_5_works_are_obstacles_by_an_option() -> None:
    defender, options = regulars(defending=Defence.WORKS), EmpireOptions(works_are_obstacles=False)
    assert melee_modifiers(melee(defender, rifles(), contact=contact_of("b", "a"), options=options)) == {}


@pytest.mark.parametrize(
    ("foe", "gains"),
    [
        (rifles(formation=Formation.SKIRMISH), 2),
        (unit("field-gun", "b", BLUE), 2),
        (unit("maxim", "b", BLUE), 2),
        (rifles(), None),
        (rifles(formation=Formation.COLUMN), None),
    ],
)
def test_be_5_opponent_in_skirmish_order_or_a_crew(foe: EmpireUnit, gains: int | None) -> None:
    assert melee_modifiers(melee(regulars(), foe)).get("opponent in skirmish order or a crew") == gains


def test_be_5_opponents_state_is_that_of_its_primary_or_by_option_of_any() -> None:
    units = (regulars(), rifles(), unit("maxim", "c", BLUE))
    joined = (contact_of("c", "a"),)
    easy = "opponent in skirmish order or a crew"
    assert easy not in melee_modifiers(melee(*units, joined=joined))
    assert melee_modifiers(melee(*units, joined=joined), target="c")[easy] == 2
    assert melee_modifiers(melee(*units, joined=joined, options=EmpireOptions(opponent_by_primary=False)))[easy] == 2


def test_be_5_shaken() -> None:
    assert melee_modifiers(melee(regulars(shaken=True), rifles())) == {"shaken": -1}


UNFIXED = "bayonets not fixed against massed opponents"


@pytest.mark.parametrize(
    ("bayonets", "foe", "loses"),
    [
        (Bayonets.UNFIXED, unit("zulus", "b", BLUE), -1),
        (Bayonets.UNFIXED, unit("zulus", "b", BLUE, formation=Formation.DEEP), -1),
        (Bayonets.UNFIXED, rifles(), None),
        (Bayonets.FIXED, unit("zulus", "b", BLUE), None),
        (Bayonets.NONE, unit("zulus", "b", BLUE), None),
    ],
)
def test_be_5_unfixed_bayonets_against_massed_opponents(bayonets: Bayonets, foe: EmpireUnit, loses: int | None) -> None:
    assert melee_modifiers(melee(regulars(bayonets=bayonets), foe)).get(UNFIXED) == loses


def test_be_5_without_the_option_no_bayonets_are_unfixed() -> None:
    state = melee(
        regulars(bayonets=Bayonets.UNFIXED), unit("zulus", "b", BLUE), options=EmpireOptions(fixing_bayonets=False)
    )
    assert melee_modifiers(state) == {}
