"""Mêlées (CH-4): contact, pairs, dice, falling back."""

from fractions import Fraction
from itertools import permutations, product
from typing import Any

import icepool
import pytest

from rules.charge.bouts import Bout, Man, pair_men, pair_units
from rules.charge.figures import PLACEMENT
from rules.charge.model import ChargeUnit, Fight, UnitTurn
from rules.charge.options import Passage
from rules.core import glance
from rules.core.scene import Feature
from rules.core.tabletop.table import are_overlapping

from .field import SOUTH, SYSTEM, act, blue, field, fire_over, ground, gun, horse, red, refusal, text_of

FOOT, HORSE = False, True
IN_CONTACT = (Fight(units=("a", "b"), since=1),)


def men(*mounted: bool, unit: str = "a") -> tuple[Man, ...]:
    return tuple(Man(unit, number, is_mounted) for number, is_mounted in enumerate(mounted, 1))


def test_ch_4_1_a_melee_takes_two_turns_contact_and_then_fire_and_fight() -> None:
    bystanders = red("More", (10, 44)), blue("Others", (10, 4))
    state = field(
        red("Attackers", (36, 20), figures=4), blue("Defenders", (36, 15), figures=4), *bystanders, phase="moves"
    )
    state, report = act(state, "move", unit="attackers", to="towards defenders")
    assert "into contact with Defenders" in report.headline
    assert "in the next turn of the Blues" in text_of(report)
    state, _ = act(state, "turn_next")
    assert "in contact" in refusal(state, "move", unit="defenders", to="back 3")
    state, _ = act(state, "turn_next")
    assert (state.mover, state.phase) == ("blues", "fire")
    state, _ = act(state, "fire", [1], unit="defenders", target="attackers")
    # One casualty of half a die at short range is half a man, who counts; then the pairs: three to four.
    state, report = act(state, "turn_next", [1, *(6, 6, 1), *(1, 1, 6)])
    assert state.mover == "reds"
    assert state.unit("attackers").figures == 1
    assert state.unit("defenders").figures == 3
    assert state.fights == ()


def test_ch_4_1_melee_is_not_fought_in_the_turn_of_contact() -> None:
    state = field(red("A", (36, 20)), blue("B", (36, 18.5)), phase="mêlées", fights=(Fight(units=("a", "b"), since=1),))
    assert "turn after that of contact" in refusal(state, "melee", unit="a", target="b")


def test_ch_4_1_units_apart_do_not_fight() -> None:
    state = field(red("A", (36, 20)), blue("B", (36, 10)), phase="mêlées")
    assert "towards B" in refusal(state, "melee", unit="a", target="b")


@pytest.mark.parametrize(
    ("ours", "theirs", "by"),
    [
        ((FOOT,), (FOOT,), (1, 1)),
        ((HORSE,), (HORSE,), (1, 1)),
        ((HORSE,), (FOOT,), (2, 1)),
        ((FOOT, FOOT), (FOOT,), (2, 1)),
        ((HORSE, HORSE), (HORSE,), (2, 1)),
        ((HORSE, HORSE), (FOOT,), (2, 1)),
        ((HORSE, FOOT), (FOOT,), (2, 1)),
        ((HORSE, FOOT), (HORSE,), (Fraction(5, 4), 1)),
        ((FOOT, FOOT), (HORSE,), (1, 1)),
    ],
)
def test_ch_4_3_and_4_4_multipliers_of_a_throw(ours, theirs, by) -> None:
    assert Bout(men(*ours), men(*theirs, unit="b")).factors == by
    assert Bout(men(*theirs, unit="b"), men(*ours)).factors == (by[1], by[0])


@pytest.mark.parametrize(("ours", "theirs", "falls"), [(4, 3, None), (5, 3, "b"), (3, 5, "a"), (6, 6, None)])
def test_ch_4_2_higher_by_more_than_one_wins(ours: int, theirs: int, falls: str | None) -> None:
    fallen = Bout(men(FOOT), men(FOOT, unit="b")).man_who_falls(ours, theirs)
    assert (fallen.unit if fallen else None) == falls


def test_ch_4_4_a_5_becomes_6_and_a_quarter() -> None:
    bout = Bout(men(HORSE, FOOT), men(HORSE, unit="b"))
    assert bout.man_who_falls(5, 5) is not None, "6¼ is higher than 5 by more than one"
    assert bout.man_who_falls(4, 4) is None, "5 is not higher than 4 by more than one"


@pytest.mark.parametrize(
    ("pair", "winner", "mounted"),
    [((HORSE, FOOT), HORSE, HORSE), ((HORSE, FOOT), FOOT, FOOT), ((FOOT, FOOT), HORSE, FOOT)],
    ids=["4.4 the cavalryman goes", "4.3 ruling: the infantryman", "4.4a one man"],
)
def test_ch_4_4_casualties_of_a_beaten_pair(pair, winner, mounted: bool) -> None:
    fallen = Bout(men(*pair), men(winner, unit="b")).man_who_falls(1, 6)
    assert fallen is not None
    assert fallen.unit == "a"
    assert fallen.mounted is mounted


@pytest.mark.parametrize(
    ("ours", "theirs"), [*product(((FOOT,), (HORSE,), (FOOT, FOOT), (HORSE, FOOT)), ((FOOT,), (HORSE,)))]
)
def test_ch_4_2_the_chances_of_a_pair_are_those_of_icepool(ours, theirs) -> None:
    bout = Bout(men(*ours), men(*theirs, unit="b"))
    by, against = bout.factors
    ahead = icepool.map(lambda a, b: (a * by - b * against > 1) - (b * against - a * by > 1), icepool.d6, icepool.d6)
    assert bout.distribution == {score: Fraction(ahead.quantity(score), ahead.denominator()) for score in (-1, 0, 1)}


def test_ch_4_6_pairs_are_one_to_one_from_our_right_and_their_left() -> None:
    bouts = pair_men(men(FOOT, FOOT, FOOT), men(FOOT, FOOT, FOOT, unit="b"))
    assert [(bout.ours[0].number, bout.theirs[0].number) for bout in bouts] == [(1, 3), (2, 2), (3, 1)]


def test_ch_4_6_larger_side_doubles_up_from_its_right() -> None:
    bouts = pair_men(men(*[FOOT] * 5), men(FOOT, FOOT, FOOT, unit="b"))
    assert [tuple(man.number for man in bout.ours) for bout in bouts] == [(1, 4), (2, 5), (3,)]
    bouts = pair_men(men(FOOT, FOOT, FOOT), men(*[FOOT] * 4, unit="b"))
    assert [tuple(man.number for man in bout.theirs) for bout in bouts] == [(3,), (2,), (1, 4)]


def test_ch_4_3_never_more_than_two_to_one() -> None:
    bouts = pair_men(men(*[FOOT] * 9), men(FOOT, FOOT, unit="b"))
    assert [len(bout.ours) for bout in bouts] == [2, 2]


def test_ch_4_5_survivors_fall_back_straight_away_from_the_enemy() -> None:
    state = field(
        red("Foot", (36, 20), figures=2),
        blue("Horse", (36, 18.5), **horse(1)),
        phase="mêlées",
        began=2,
        fights=(Fight(units=("foot", "horse"), since=1),),
    )
    after, report = act(state, "melee", [3, 3], unit="foot", target="horse")
    assert after.unit("foot").place.y == pytest.approx(23)
    assert after.unit("horse").place.y == pytest.approx(12.5)
    assert 'Foot fall back 3"' in text_of(report)
    assert 'Horse fall back 6"' in text_of(report)


def test_ch_4_5_unit_falls_back_as_far_as_there_is_room() -> None:
    state = field(
        red("Foot", (36, 20), figures=2),
        red("Behind", (36, 23), figures=4),
        blue("Horse", (36, 4), **horse(1)),
        blue("Far", (60, 2)),
        phase="mêlées",
        began=2,
        fights=(Fight(units=("foot", "horse"), since=1),),
    )
    after, report = act(state, "melee", [3, 3], unit="foot", target="horse")
    assert after.unit("horse").place.y >= 0.75
    assert "with no room for 6" in text_of(report)
    assert after.unit("foot").place.y < 22


def fall_back(*units: ChargeUnit, **ground: Any) -> ChargeUnit:
    """Return the red unit A after an even fight at 36,20, after which it falls back south."""
    state = field(
        red("A", (36, 20), figures=2),
        blue("B", (36, 18.5), figures=2),
        *units,
        phase="mêlées",
        began=2,
        fights=IN_CONTACT,
        **ground,
    )
    return act(state, "melee", [3, 3, 3, 3], unit="a", target="b")[0].unit("a")


@pytest.mark.parametrize("behind", [24.14, 21.5], ids=["where it would end", "on the way"])
def test_ch_4_5_unit_does_not_fall_back_into_or_through_another_enemy(behind: float) -> None:
    enemy = blue("C", (36, behind), figures=1)
    unit = fall_back(enemy)
    assert unit.place.y < behind
    assert PLACEMENT.are_touching(unit, enemy) is False


@pytest.mark.parametrize("bar", [Feature.BUILDING, Feature.RIVER])
def test_ch_4_5_unit_does_not_fall_back_onto_barring_terrain(bar: Feature) -> None:
    unit = fall_back(terrain=[ground(bar, 30, 22, 42, 22.5)], river=Passage.IMPASSABLE)
    assert unit.place.y + 0.75 == pytest.approx(22, abs=0.1)


def test_ch_4_5_terrain_does_not_slow_falling_back() -> None:
    assert fall_back(terrain=[ground(Feature.WOOD, 30, 21, 42, 30)]).place.y == pytest.approx(23)


def test_ch_4_6_units_of_a_side_fight_from_its_right() -> None:
    """Contacts may be in any order. East is the right of the Reds, who face north, and the left of the Blues."""
    west, east = red("West", (35, 20), figures=1), red("East", (36, 20), figures=1)
    foes = blue("B", (35, 19), figures=1), blue("C", (36, 19), figures=1)
    for ours, theirs in product(permutations((west, east)), permutations(foes)):
        pairs = [(bout.ours[0].unit, bout.theirs[0].unit) for bout in pair_units(ours, theirs)]
        assert pairs == [("east", "c"), ("west", "b")]


def test_ch_4_5_unit_that_joins_a_fight_does_not_fire_that_turn() -> None:
    state = field(
        red("A", (36, 20), figures=4),
        red("More", (36, 12), facing=180, figures=4),
        blue("B", (36, 18.5), figures=4),
        phase="moves",
        began=2,
        fights=IN_CONTACT,
    )
    state, _ = act(state, "move", unit="more", to="towards b")
    state, _ = act(state, "turn_next")
    assert "come into contact this turn" in refusal(state, "fire", unit="more", target="b")
    assert SYSTEM.allows(state, SYSTEM.parse("fire", {"unit": "a", "target": "b"}))


def test_ch_4_melee_with_its_own_side_is_refused() -> None:
    state = field(red("A"), red("B"), phase="mêlées")
    assert "Choose an enemy" in refusal(state, "melee", unit="a", target="b")


def test_ch_4_5_in_the_turn_of_contact_the_attacker_does_not_fire() -> None:
    attacker = red("A", (36, 20), this_turn=UnitTurn(has_moved=True))
    state = field(attacker, blue("B", (36, 18.5)), fights=(Fight(units=("a", "b"), since=1),))
    assert "come into contact this turn" in refusal(state, "fire", unit="a", target="b")


def test_ch_4_5_unit_in_contact_fires_at_no_other_target() -> None:
    state = field(
        red("A", (36, 20)),
        blue("B", (36, 18.5)),
        blue("C", (41, 18)),
        began=2,
        fights=(Fight(units=("a", "b"), since=1),),
    )
    assert "in contact with B" in refusal(state, "fire", unit="a", target="c")
    assert SYSTEM.allows(state, SYSTEM.parse("fire", {"unit": "a", "target": "b"}))


def test_ch_4_4a_gunners_fight_as_infantry_and_fall_back_3_inches() -> None:
    state = field(
        red("Foot", (36, 20), figures=2),
        blue("Gun", (36, 17.75), **gun(4)),
        phase="mêlées",
        began=2,
        fights=(Fight(units=("foot", "gun"), since=1),),
    )
    after, _ = act(state, "melee", [1, 1, 6, 6], unit="foot", target="gun")
    assert not after.unit("foot").on_table
    assert after.unit("gun").place.y == pytest.approx(14.75)


def test_ch_4_1_attacker_at_arms_length_does_not_turn_onto_a_unit() -> None:
    """A file of eight would turn onto the man beside it, so it meets him without turning."""
    state = field(
        red("File", (36, 20), figures=8, formation="single file"), blue("Man", (37, 20), figures=1), phase="moves"
    )
    after, _ = act(state, "move", unit="file", to="towards man")
    file, man = (PLACEMENT.base(after.unit(unit_id)) for unit_id in ("file", "man"))
    assert not are_overlapping(file, man)
    assert after.fight_of("file")


def test_ch_4_1_unit_that_contacts_fighting_units_joins_the_fight() -> None:
    state = field(
        red("A", (36, 20), figures=4),
        red("More", (36, 12), facing=180, figures=4),
        blue("B", (36, 18.5), figures=4),
        phase="moves",
        began=2,
        fights=(Fight(units=("a", "b"), since=1),),
    )
    after, report = act(state, "move", unit="more", to="towards b")
    assert after.fights == (Fight(units=("a", "b", "more"), since=1),)
    assert "at the end of this turn" in text_of(report)


def test_ch_4_1_enemy_without_a_turn_to_fire_stays_out_of_a_due_fight() -> None:
    """The unit More touches B, which fights A already, and C, which has not had a turn to fire or has just met D."""
    state = field(
        red("A", (36, 18.5), figures=4),
        red("More", (36.8, 24), figures=4),
        red("D", (37.6, 18.5), figures=4, facing=SOUTH),
        blue("B", (36, 20), figures=4),
        blue("C", (37.6, 20), figures=4),
        phase="moves",
        began=2,
        fights=IN_CONTACT,
    )
    both = act(state, "move", unit="more", to="forward 2.5")
    fights = (*IN_CONTACT, Fight(units=("d", "c"), since=2))
    of_each = act(state.model_copy(update={"fights": fights}), "move", unit="more", to="forward 2.5")
    for (after, report), other_fights in ((both, ()), (of_each, fights[1:])):
        assert after.fights == (*other_fights, Fight(units=("a", "b", "more"), since=1))
        assert "into contact with B and C" in text_of(report)
        assert "at the end of this turn" in text_of(report)
        assert "C stay out of it: they have had no turn to fire" in text_of(report)


def test_ch_4_1_attacker_of_several_fresh_units_fights_all_in_their_next_turn() -> None:
    state = field(
        red("A", (36.8, 24), figures=4),
        red("D", (36, 18.5), figures=4, facing=SOUTH),
        blue("B", (36, 20), figures=4),
        blue("C", (37.6, 20), figures=4),
        phase="moves",
        began=2,
        fights=(Fight(units=("d", "b"), since=2),),
    )
    after, report = act(state, "move", unit="a", to="forward 2.5")
    assert after.fights == (Fight(units=("d", "b", "a", "c"), since=2),)
    assert "in the next turn of the Blues" in text_of(report)


def test_ch_4_the_button_and_the_odds_agree() -> None:
    state = field(
        red("A", (36, 20), figures=2),
        blue("B", (36, 18.5), figures=2),
        phase="mêlées",
        began=2,
        fights=(Fight(units=("a", "b"), since=1),),
    )
    melee = SYSTEM.parse("melee", {"unit": "a", "target": "b"})
    fewer = next(outcome for outcome in SYSTEM.odds(state, melee).outcomes if outcome.good)
    # By hand: a pair is won with 10 in 36; two pairs: won by more.
    win = Fraction(10, 36)
    level = 1 - 2 * win
    assert fewer.chance == win * win + 2 * win * level
    assert SYSTEM.label(state, melee) == f"A fight B: {float(fewer.chance) * 100:.1f}% to lose fewer"


def test_ch_4_option_makes_a_melee_wait_for_its_button() -> None:
    state = field(
        red("A", (36, 20)),
        blue("B", (36, 18.5)),
        began=2,
        throw_at_once=False,
        fights=(Fight(units=("a", "b"), since=1),),
    )
    after, report = fire_over(state)
    assert after.phase == "mêlées"
    assert [prompt.text for prompt in report.prompts] == ["A against B: the mêlée"]
    assert "waits for" in refusal(after, "turn_next")


def test_ch_4_short_report_of_a_melee_has_two_lines() -> None:
    state = field(
        red("A", (36, 20), figures=2),
        red("C", (40, 20), figures=1),
        blue("B", (36, 18.5), figures=2),
        blue("Far", (10, 10), figures=40),
        phase="mêlées",
        began=2,
        fights=(Fight(units=("a", "b", "c"), since=1),),
    )
    _, report = act(state, "melee", [6, 1, 1, 4], unit="a", target="b")
    melee_step, back = glance.short_steps(report)
    assert melee_step.verdict == "A lose 1 man (1 left) and B lose 1 man (1 left)"
    assert back.text == 'A, B and C fall back 3"'
