"""Units destroyed for giving way in melee contact (BE-6.1)."""

from fractions import Fraction

import pytest

from rules.empire.conduct import fate
from rules.empire.conduct.testing import ConductTest, Rally
from rules.empire.model import Bayonets, Doom, EmpireState, Formation
from rules.empire.phases import Phase

from .field import BLUE, contact_of, dice, field, odds, play_part, text_of, unit
from .field import act as take

SKIRMISHING = {"formation": Formation.SKIRMISH}
RECOIL, HOLD, RALLY, DESTROYED = 1, 3, 4, 1
"""Faces of the die for a shaken massed native unit. Face 1 destroys the unit only if it has a kill."""


def settle_dooms(state: EmpireState):
    return play_part(fate.destroy_doomed_units, state)


def foot(**fields):
    return unit("zulus", shaken=True, **fields)


def horse(unit_id: str = "b", **fields):
    return unit("british-cavalry", unit_id, BLUE, **fields)


def field_against(of, *enemies, **fields) -> EmpireState:
    pairs = tuple(contact_of(enemy.id, of.id) for enemy in enemies)
    return field(of, *enemies, contacts=pairs, **fields)


def throw_rally(state: EmpireState, face: int, circumstances=()):
    return take(state, Rally(unit="a", circumstances=circumstances), dice(face))


def dooms_after_rally(state: EmpireState, face: int = RECOIL) -> tuple[Doom, ...]:
    return throw_rally(state, face)[0].dooms


def test_be_6_1_a_foot_made_to_recoil_from_mounted_is_destroyed_when_movement_ends() -> None:
    after, report = throw_rally(field_against(foot(), horse()), RECOIL)
    assert after.dooms == (Doom(unit="a", rule="BE-6.1", pursuers=("b",)),)
    assert not after.unit("a").destroyed
    assert "A are destroyed when movement ends, unless another unit is then in contact with B||" in text_of(report)
    assert report.headline == "A score 1 to rally: stay shaken, recoil, destroyed unless their enemy is held."
    settled, (step,) = settle_dooms(after)
    assert settled.unit("a").destroyed
    assert settled.dooms == ()
    assert (step.text, step.verdict, str(step.cite)) == ("A recoiled from B", "destroyed", "BE-6.1")
    assert settled.unit("b").this_turn.opponent_gave_way


def test_be_6_1_a_foot_lives_if_its_enemy_contacts_another_unit() -> None:
    after, _ = throw_rally(field_against(foot(), horse()), RECOIL)
    zulus = unit("zulus", "c")
    in_contact = after.with_unit(zulus).model_copy(update={"contacts": (contact_of("c", "b"),)})
    settled, (step,) = settle_dooms(in_contact)
    assert not settled.unit("a").destroyed
    assert step.verdict == "another unit is in contact with B: they live"
    assert settled.dooms == ()


def test_be_6_1_a_contact_with_the_same_unit_does_not_hold_the_enemy() -> None:
    after, _ = throw_rally(field_against(foot(), horse()), RECOIL)
    in_contact = after.model_copy(update={"contacts": (contact_of("b", "a"),)})
    assert settle_dooms(in_contact)[0].unit("a").destroyed


def test_be_6_1_a_every_recoiling_unit_gets_a_doom() -> None:
    units = foot(), unit("zulus", "c", shaken=True), horse("h")
    after, _ = throw_rally(field(*units, contacts=(contact_of("h", "a"), contact_of("h", "c"))), RECOIL)
    after, _ = take(after, Rally(unit="c"), dice(RECOIL))
    assert [doom.unit for doom in after.dooms] == ["a", "c"]


@pytest.mark.parametrize("face", [HOLD, RALLY])
def test_be_6_1_a_unit_that_holds_or_rallies_gets_no_doom(face: int) -> None:
    assert dooms_after_rally(field_against(foot(), horse()), face) == ()


def test_be_6_1_a_only_foot_and_only_from_mounted() -> None:
    assert dooms_after_rally(field_against(foot(), unit("british-regulars", "b", BLUE))) == ()
    assert dooms_after_rally(field_against(foot(), unit("zulus", "b", BLUE))) == ()
    assert dooms_after_rally(field_against(unit("dervish-horse", shaken=True), horse())) == ()
    assert dooms_after_rally(field_against(unit("boers-on-foot", shaken=True, formation=Formation.LOOSE), horse()))


def test_be_6_1_a_only_mounted_enemies_count() -> None:
    (doom,) = dooms_after_rally(field_against(foot(), unit("british-regulars", "r", BLUE), horse("h"), horse("k")))
    assert doom.pursuers == ("h", "k")


def test_be_6_1_a_unit_lives_if_one_of_several_enemies_is_held() -> None:
    after, _ = throw_rally(field_against(foot(), horse("h"), horse("k")), RECOIL)
    in_contact = after.with_unit(unit("zulus", "c")).model_copy(update={"contacts": (contact_of("c", "k"),)})
    lives, (step,) = settle_dooms(in_contact)
    assert not lives.unit("a").destroyed
    assert str(step.cite) == "BE-6.1, ruling"
    both = in_contact.with_unit(unit("zulus", "d")).model_copy(
        update={"contacts": (contact_of("c", "k"), contact_of("d", "h"))}
    )
    assert str(settle_dooms(both)[1][0].cite) == "BE-6.1"


def test_be_6_1_a_unit_without_contact_gets_no_doom() -> None:
    assert dooms_after_rally(field(foot(), horse())) == ()


@pytest.mark.parametrize(("enemy", "falls"), [("zulus", True), ("british-cavalry", True), ("british-regulars", False)])
def test_be_6_1_b_skirmishers_that_recoil_from_massed_foot_or_mounted(enemy: str, falls: bool) -> None:
    dooms = dooms_after_rally(field_against(foot(**SKIRMISHING), unit(enemy, "b", BLUE)))
    assert [doom.pursuers for doom in dooms] == [("b",)] * falls


def test_be_6_1_b_masses_in_depth_are_massed_and_massed_horse_is_mounted() -> None:
    assert dooms_after_rally(field_against(foot(**SKIRMISHING), unit("zulus", "b", BLUE, formation=Formation.DEEP)))
    assert dooms_after_rally(field_against(unit("boers", shaken=True, **SKIRMISHING), unit("dervish-horse", "b", BLUE)))


def test_be_6_1_b_skirmishing_foot_from_both_falls_by_either_rule() -> None:
    dooms = dooms_after_rally(field_against(foot(**SKIRMISHING), horse("h"), unit("zulus", "z", BLUE)))
    assert [doom.pursuers for doom in dooms] == [("h",), ("h", "z")]
    after, _ = throw_rally(field_against(foot(**SKIRMISHING), horse("h"), unit("zulus", "z", BLUE)), RECOIL)
    in_contact = after.with_unit(unit("zulus", "c")).model_copy(update={"contacts": (contact_of("c", "z"),)})
    settled, steps = settle_dooms(in_contact)
    assert settled.unit("a").destroyed
    assert len(steps) == 1


@pytest.mark.parametrize("troops", ["field-gun", "maxim"])
@pytest.mark.parametrize("face", [1, 2])
def test_be_6_1_c_crews_that_fail_to_rally_in_melee_are_destroyed_at_once(troops: str, face: int) -> None:
    """On 1 and 2 their chart says hold, which is not a rally."""
    state = field_against(unit(troops, shaken=True), unit("zulus", "b", BLUE))
    after, report = throw_rally(state, face)
    assert after.unit("a").destroyed
    assert after.dooms == ()
    assert not after.unit("a").this_turn.recoiled
    assert after.unit("b").this_turn.opponent_gave_way
    assert "fail to rally in melee: destroyed at once|BE-6.1" in text_of(report)
    assert report.outcome == "It is destroyed."


def test_be_6_1_c_crews_outside_melee_live() -> None:
    after, _ = throw_rally(field(unit("field-gun", shaken=True)), 1)
    assert not after.unit("a").destroyed


def test_be_6_1_c_odds_include_destruction() -> None:
    state = field_against(unit("field-gun", shaken=True), unit("zulus", "b", BLUE))
    chances = {outcome.label: outcome.chance for outcome in odds(state, Rally(unit="a")).outcomes}
    assert chances == {"destroyed at once": Fraction(1, 3), "rallies, holds": Fraction(2, 3)}


def test_be_6_1_d_a_company_square_made_to_recoil_is_destroyed_at_once() -> None:
    square = unit("colonial-regulars", shaken=True, kills=2, formation=Formation.COMPANY_SQUARE)
    enemy = unit("british-regulars", "b", BLUE, bayonets=Bayonets.FIXED)
    after, report = throw_rally(field_against(square, enemy), 1)
    assert report.steps[0].score == 1
    assert after.unit("a").destroyed
    assert "company square that has to recoil: destroyed at once" in text_of(report)
    assert not throw_rally(field_against(square, enemy), 3)[0].unit("a").destroyed
    assert not throw_rally(field(square), 1)[0].unit("a").destroyed
    formed = square.model_copy(update={"formation": Formation.SQUARE})
    assert not throw_rally(field_against(formed, enemy), 1)[0].unit("a").destroyed


def test_be_6_1_d_recoil_with_destruction_counts_as_a_recoil() -> None:
    square = unit("colonial-regulars", shaken=True, kills=3, fragile=True, formation=Formation.COMPANY_SQUARE)
    after, report = throw_rally(field_against(square, horse()), 1)
    assert report.steps[0].score == -1
    assert "destroyed at once" in report.headline
    assert not after.unit("a").this_turn.recoiled


def test_be_6_1_unit_destroyed_by_the_chart_gets_no_doom() -> None:
    after, _ = throw_rally(field_against(foot(kills=1), horse()), DESTROYED)
    assert after.unit("a").destroyed
    assert after.dooms == ()


@pytest.mark.parametrize(
    ("of", "word", "falls"),
    [
        (foot(), "mounted opponent", True),
        (foot(), "massed opponent", False),
        (foot(**SKIRMISHING), "massed opponent", True),
        (foot(**SKIRMISHING), "in melee", False),
    ],
)
def test_be_6_1_umpire_may_name_the_kind_of_enemy(of, word: str, falls: bool) -> None:
    after, report = throw_rally(field(of), RECOIL, circumstances=(word,))
    assert bool(after.dooms) is falls
    assert ("in contact with their enemy" in text_of(report)) is falls
    assert settle_dooms(after)[0].unit("a").destroyed is falls


def test_be_6_1_settling_skips_destroyed_units() -> None:
    gone = field(foot(destroyed=True), horse(), dooms=(Doom(unit="a", rule="BE-6.1", pursuers=("b",)),))
    assert settle_dooms(gone) == (gone.model_copy(update={"dooms": ()}), ())
    assert settle_dooms(field(foot())) == (field(foot()), ())


def test_be_6_1_all_dooms_are_settled_together() -> None:
    """Two units recoiled and met each other's enemies. Neither result undoes the other."""
    state = field(
        foot(),
        unit("zulus", "c", shaken=True),
        horse("h"),
        horse("k"),
        dooms=(Doom(unit="a", rule="BE-6.1", pursuers=("h",)), Doom(unit="c", rule="BE-6.1", pursuers=("k",))),
        contacts=(contact_of("c", "h"),),
    )
    settled, _ = settle_dooms(state)
    assert not settled.unit("a").destroyed
    assert settled.unit("c").destroyed


def test_be_6_1_conduct_of_a_shaken_unit_is_its_rally() -> None:
    state = field_against(foot(), horse())
    assert take(state, ConductTest(unit="a"), dice(RECOIL))[0] == throw_rally(state, RECOIL)[0]
    assert state.current_phase is Phase.UNITS
