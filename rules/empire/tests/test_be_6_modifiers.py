"""The modifiers of conduct, from the state and from words, and rights to the words (BE-6, BE-6b)."""

from fractions import Fraction

import pytest

from rules.empire.conduct.charts import find_conduct_modifiers
from rules.empire.conduct.critical import CriticalHit
from rules.empire.conduct.testing import ConductTest, Rally
from rules.empire.model import Defence, Formation, Health
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase
from rules.empire.tables import TABLES

from .field import BLUE, TYPES, contact_of, field, unit, with_memory

HERE, NEAR, FAR = (10, 10), (21, 10), (30, 10)


def conduct_modifiers(*units, circumstances=(), **fields) -> dict[str, int]:
    """Return the modifiers of the first unit."""
    return {m.reason: int(m.value) for m in find_conduct_modifiers(field(*units, **fields), units[0], circumstances)}


def regulars(**fields):
    return unit("british-regulars", **fields)


def commander(at=None, **fields):
    return unit("army-commander", "c", at=at, **fields)


def leader(**fields):
    return unit("leader", "l", **fields)


def test_be_6_a_plain_unit_has_no_modifier() -> None:
    assert conduct_modifiers(regulars()) == {}


def test_be_6_army_commander_within_12_inches() -> None:
    near = {"army commander within 12 inches": 1}
    assert conduct_modifiers(regulars(at=HERE), commander(NEAR)) == near
    assert conduct_modifiers(regulars(at=HERE), commander(FAR)) == {}
    assert conduct_modifiers(regulars(at=HERE), commander(NEAR, side=BLUE)) == {}
    assert conduct_modifiers(regulars(), commander()) == {}
    assert conduct_modifiers(regulars(), circumstances=("commander within 12",)) == near


def test_be_6_the_radius_is_an_option() -> None:
    wide = EmpireOptions(command_radius=24)
    assert conduct_modifiers(regulars(at=HERE), commander(FAR), options=wide) == {"army commander within 24 inches": 1}


def test_be_6_12_inches_are_between_the_nearest_points() -> None:
    """The line of 4.8 inches reaches to 12.4, and the commander's inch begins half an inch before his centre."""
    assert conduct_modifiers(regulars(at=HERE), commander((24.9, 10)))
    assert not conduct_modifiers(regulars(at=HERE), commander((24.95, 10)))


def test_be_6_an_attached_army_commander_counts_2_and_not_3() -> None:
    attached = {"army commander attached": 2}
    assert conduct_modifiers(regulars(at=HERE), commander(HERE, attached_to="a")) == attached
    assert conduct_modifiers(regulars(), commander(attached_to="a")) == attached
    assert conduct_modifiers(regulars(), circumstances=("commander attached", "commander within 12")) == attached


def test_be_6_a_commander_with_another_unit_is_measured_from_it() -> None:
    friend = regulars(unit_id="b", at=(10, 15))
    assert conduct_modifiers(regulars(at=HERE), friend, commander(attached_to="b")) == {
        "army commander within 12 inches": 1
    }


@pytest.mark.parametrize("health", [Health.OUT, Health.KILLED])
def test_be_6_commanders_out_or_killed_do_not_count(health: Health) -> None:
    assert conduct_modifiers(regulars(at=HERE), commander(NEAR, health=health)) == {}
    assert conduct_modifiers(regulars(), commander(attached_to="a", health=health)) == {}
    assert conduct_modifiers(regulars(), leader(attached_to="a", health=health)) == {}


def test_be_6_leader_attached() -> None:
    assert conduct_modifiers(regulars(), leader(attached_to="a")) == {"leader attached: L": 1}
    assert conduct_modifiers(regulars(at=HERE), leader(at=NEAR)) == {}
    assert conduct_modifiers(regulars(), circumstances=("leader attached",)) == {"leader attached": 1}


def test_be_6_a_leader_with_any_unit_of_the_brigade_counts_for_it_once() -> None:
    mine, mate = regulars(brigade="Graham's"), regulars(unit_id="b", brigade="Graham's")
    assert conduct_modifiers(mine, mate, leader(attached_to="b")) == {"leader of their brigade: L": 1}
    two = (leader(attached_to="b"), unit("leader", "m", attached_to="a"))
    assert conduct_modifiers(mine, mate, *two) == {"leader attached: M": 1}
    assert conduct_modifiers(mine, regulars(unit_id="b", brigade="Buller's"), leader(attached_to="b")) == {}
    assert conduct_modifiers(regulars(), regulars(unit_id="b"), leader(attached_to="b")) == {}


def test_be_6_leader_and_army_commander_both_count() -> None:
    both = conduct_modifiers(regulars(), leader(attached_to="a"), commander(attached_to="a"))
    assert sum(both.values()) == 3


def test_be_6_field_works_or_square_count_2_once() -> None:
    works, square = {"defending field works": 2}, {"in square": 2}
    assert conduct_modifiers(regulars(defending=Defence.WORKS)) == works
    assert conduct_modifiers(regulars(formation=Formation.SQUARE)) == square
    assert conduct_modifiers(regulars(formation=Formation.COMPANY_SQUARE)) == square
    assert conduct_modifiers(regulars(defending=Defence.WORKS, formation=Formation.SQUARE)) == works
    assert conduct_modifiers(regulars(), circumstances=("field works", "in square")) == works
    assert conduct_modifiers(regulars(), circumstances=("in square",)) == square
    assert (
        conduct_modifiers(regulars(defending=Defence.OBSTACLE))
        == conduct_modifiers(regulars(defending=Defence.TERRAIN))
        == {}
    )


def test_be_6_friends_in_fanatic_charge_within_12_inches_once() -> None:
    counts = {"friends in fanatic charge within 12 inches": 1}
    zulus = [
        with_memory(unit("zulus", unit_id, at=at), fanatic=True) for unit_id, at in (("b", (14, 10)), ("c", (10, 14)))
    ]
    assert conduct_modifiers(unit("zulus", at=HERE), *zulus) == counts
    assert conduct_modifiers(unit("zulus", at=HERE), unit("zulus", "b", at=(14, 10))) == {}
    assert conduct_modifiers(unit("zulus", at=HERE), with_memory(unit("zulus", "b", at=(40, 10)), fanatic=True)) == {}
    assert (
        conduct_modifiers(unit("zulus", at=HERE), with_memory(unit("zulus", "b", BLUE, at=(14, 10)), fanatic=True))
        == {}
    )
    assert conduct_modifiers(with_memory(unit("zulus", at=HERE), fanatic=True)) == {}
    assert conduct_modifiers(unit("zulus"), circumstances=("friends charging",)) == counts
    near = EmpireOptions(fanatics_within=0)
    assert conduct_modifiers(unit("zulus", at=HERE), zulus[0].model_copy(update={"place": None}), options=near) == {}


def test_be_6_elite_and_fragile() -> None:
    assert (
        conduct_modifiers(regulars(elite=True))
        == conduct_modifiers(regulars(), circumstances=("elite",))
        == {"elite": 1}
    )
    assert (
        conduct_modifiers(regulars(fragile=True))
        == conduct_modifiers(regulars(), circumstances=("fragile",))
        == {"fragile": -1}
    )
    assert conduct_modifiers(regulars(elite=True), circumstances=("fragile",)) == {"fragile": -1}
    assert conduct_modifiers(regulars(fragile=True), circumstances=("elite",)) == {"elite": 1}


def test_be_6_a_steady_imperial_column() -> None:
    column = {"formation": Formation.COLUMN}
    counts = {"steady Imperial column": 1}
    assert conduct_modifiers(regulars(**column)) == counts
    assert conduct_modifiers(unit("indian-regulars", **column)) == counts
    assert conduct_modifiers(unit("zulus", **column)) == {}
    assert conduct_modifiers(regulars(**column, shaken=True)) == {}
    assert conduct_modifiers(regulars(shaken=True), circumstances=("imperial column",)) == {}
    assert conduct_modifiers(regulars(), circumstances=("imperial column",)) == counts


def test_be_6_melee_opponent_recoiled_or_destroyed() -> None:
    counts = {"melee opponent recoiled or destroyed": 2}
    assert conduct_modifiers(with_memory(regulars(), opponent_gave_way=True), phase=Phase.EXPLOITATION) == counts
    assert conduct_modifiers(regulars(), circumstances=("opponent gave way",)) == counts


def test_be_6_opponent_that_gave_way_counts_only_in_4a() -> None:
    victor = with_memory(regulars(), opponent_gave_way=True)
    assert conduct_modifiers(victor, phase=Phase.UNITS) == {}
    counts = {"melee opponent recoiled or destroyed": 2}
    assert conduct_modifiers(victor, phase=Phase.UNITS, options=EmpireOptions(gave_way_in_4a_alone=False)) == counts
    assert "opponent gave way" in forbidden(victor)
    assert "opponent gave way" not in forbidden(victor, phase=Phase.EXPLOITATION)


def test_be_6_disordered_and_each_kill() -> None:
    assert (
        conduct_modifiers(regulars(disordered=True))
        == conduct_modifiers(regulars(), circumstances=("disordered",))
        == {"disordered": -1}
    )
    assert (
        conduct_modifiers(regulars(kills=1))
        == conduct_modifiers(regulars(), circumstances=("one kill",))
        == {"for 1 kill": -1}
    )
    assert (
        conduct_modifiers(regulars(kills=2))
        == conduct_modifiers(regulars(kills=1), circumstances=("two kills",))
        == {"for 2 kills": -2}
    )
    assert (
        conduct_modifiers(regulars(kills=3))
        == conduct_modifiers(regulars(), circumstances=("three kills",))
        == {"for 3 kills": -3}
    )
    assert conduct_modifiers(regulars(kills=3), circumstances=("one kill",)) == {"for 3 kills": -3}


def test_be_6_the_chart_of_modifiers_as_printed() -> None:
    printed = {
        "army commander within 12 inches": 1,
        "army commander attached": 2,
        "leader attached": 1,
        "defending field works or in square": 2,
        "friends in fanatic charge within 12 inches": 1,
        "elite": 1,
        "steady Imperial column": 1,
        "melee opponent recoiled or destroyed": 2,
        "disordered": -1,
        "each kill": -1,
        "fragile": -1,
    }
    chart = TABLES.charts["conduct-modifiers"]
    assert {row.label: row.cells[0].value for row in chart.rows} == printed
    assert all(Fraction(row.cells[0].text) == row.cells[0].value for row in chart.rows)


def umpire_circumstances(state, action) -> set[str]:
    return set(TYPES[action.kind].umpire_circumstances(state, action))


def forbidden(*units, kind=ConductTest, **fields) -> set[str]:
    return umpire_circumstances(field(*units, **fields), kind(unit="a"))


ALL = set(ConductTest.circumstance_names)


def test_be_6_only_the_umpire_contradicts_the_state() -> None:
    assert forbidden(regulars(at=HERE)) == ALL
    assert forbidden(regulars(), kind=Rally) == ALL


def test_be_6_player_may_claim_unmeasured_distances() -> None:
    charging = with_memory(unit("zulus", "z"), fanatic=True)
    assert ALL - forbidden(regulars(), commander()) == {"commander within 12"}
    assert ALL - forbidden(regulars(), charging) == {"friends charging"}
    assert ALL - forbidden(regulars(at=HERE), commander(NEAR), charging) == {"friends charging"}
    assert ALL - forbidden(regulars(at=HERE), commander(NEAR)) == set()
    assert ALL - forbidden(regulars(), commander(NEAR)) == {"commander within 12"}


def test_be_6_player_may_claim_facts_of_the_state() -> None:
    of_all = regulars(
        formation=Formation.COLUMN, elite=True, fragile=True, disordered=True, kills=2, defending=Defence.WORKS
    )
    may = {"elite", "fragile", "disordered", "one kill", "two kills", "field works", "imperial column"}
    assert ALL - forbidden(of_all) == may
    victor = with_memory(regulars(formation=Formation.SQUARE), opponent_gave_way=True)
    assert ALL - forbidden(victor, phase=Phase.EXPLOITATION) == {"in square", "opponent gave way"}
    with_it = (commander(attached_to="a"), leader(attached_to="a"))
    assert {"commander attached", "leader attached"} <= ALL - forbidden(regulars(), *with_it)
    horse, zulus = unit("british-cavalry", "b", BLUE), unit("zulus", "z", BLUE)
    assert ALL - forbidden(regulars(), horse, contacts=(contact_of("b", "a"),)) == {"in melee", "mounted opponent"}
    dervishes = unit("dervish-horse", "b", BLUE)
    assert ALL - forbidden(regulars(), dervishes, contacts=(contact_of("b", "a"),)) == {"in melee", "mounted opponent"}
    assert ALL - forbidden(regulars(), zulus, contacts=(contact_of("z", "a"),)) == {"in melee", "massed opponent"}


def test_be_6_words_of_other_actions_are_ignored() -> None:
    assert not umpire_circumstances(field(regulars()), CriticalHit(unit="a"))
    assert not umpire_circumstances(field(regulars()), ConductTest(unit="nobody"))
