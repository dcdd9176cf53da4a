"""Melee (MM-4.1 to MM-4.5)."""

from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.magdala.engagement import attacker_and_defender, is_engaged, melee_pairs
from rules.magdala.fighting.bouts import (
    Bout,
    count_combat_results,
    count_combats,
    count_extra_combats,
    count_loss_results,
)
from rules.magdala.fighting.contact import count_overlapped_flanks, make_contact
from rules.magdala.fighting.melee import MELEE, Melee
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Works
from rules.magdala.model import Test as Owes
from rules.magdala.morale.generals import DECLINE, DeclineOffer
from rules.magdala.ruleset import Magdala
from rules.magdala.stored_prompts import add_prompt, prompts_of
from rules.magdala.turn import TURN, TurnNext, prompts

from .field import BLUE, RED, dice, field, play_part, text_of, unit


def start_melee(attacker: MagdalaUnit, defender: MagdalaUnit, **fields: object) -> MagdalaState:
    """Return a melee whose defensive fire is settled."""
    state, _ = play_part(make_contact, field(attacker, defender, **fields), attacker.id, defender.id, 10)
    return state.model_copy(update={"prompts": ()})


def spears(unit_id: str = "a", side: str = RED, **fields: object) -> MagdalaUnit:
    return unit("native-warband", unit_id, side, **fields)


def modifiers_of(state: MagdalaState, *words: str, of: str = "a") -> int:
    """Return the modifiers of a unit's dice, in a fight of `a` against `b`."""
    _, report = MELEE.execute(state, Melee(unit="a", contact=3, circumstances=words), dice(3, 3))
    step = next(step for step in report.steps if step.text == state.unit(of).name)
    return int(sum(modifier.value for modifier in step.modifiers))


def test_mm_3_10_and_4_1_a_last_volley_is_announced_at_half_effect() -> None:
    out = unit("british-magazine", "b", BLUE, ammunition=Fraction(0))
    state, steps = play_part(make_contact, field(unit("zulus"), out), "a", "b", 12)
    texts = [item.text for item in prompts(state) if "may fire" in item.text]
    assert ["half effect" in text for text in (steps[0].verdict, *texts)] == [True, True]


@pytest.mark.parametrize(("moved", "half"), [(8.9, True), (8.95, False), (9, False), (14, False)])
def test_mm_4_1_the_defender_fires_first_at_half_effect_if_they_came_under_9_inches(moved: float, half: bool) -> None:
    state, steps = play_part(make_contact, field(spears(), unit("british-magazine", "b", BLUE)), "a", "b", moved)
    prompt = prompts_of(state, "b")[0]
    assert (prompt.test, prompt.by, prompt.half_effect) == (Owes.DEFENSIVE_FIRE, "a", half)
    assert ("half effect" in steps[0].verdict) is half


def test_mm_4_1_no_round_before_the_defenders_fire() -> None:
    state, _ = play_part(make_contact, field(spears(), unit("british-magazine", "b", BLUE)), "a", "b", 10)
    with pytest.raises(Refused, match="fire comes first"):
        MELEE.execute(state, Melee(unit="a"), NoDice())
    with pytest.raises(Refused, match="fire comes first"):
        MELEE.odds_of(state, Melee(unit="a"))


def test_mm_4_1_attacker_is_the_moving_unit_or_the_opponent_of_an_attacker() -> None:
    def came(ours: str | None, theirs: str | None, *, attacker: str = "") -> tuple[str, str]:
        red, blue = spears(melee_with=ours, melee_attacker=attacker == "a"), spears("b", BLUE, melee_with=theirs)
        first, second = attacker_and_defender(red, blue.model_copy(update={"melee_attacker": attacker == "b"}))
        return first.id, second.id

    assert (came("b", "a", attacker="a"), came("b", "a", attacker="b")) == (("a", "b"), ("b", "a"))
    assert (came("b", "c"), came("c", "a"), came(None, "a"), came("b", None)) == (
        *(("a", "b"), ("b", "a"), ("b", "a"), ("a", "b")),
    )
    assert came("b", "a") == came(None, None) == ("a", "b")


def test_mm_4_1_the_defender_may_hold_its_fire() -> None:
    state, _ = play_part(make_contact, field(spears(), unit("british-magazine", "b", BLUE)), "a", "b", 10)
    assert [offer.kind for offer in prompts(state)[0].offers] == ["fire", "decline"]
    state, _ = DECLINE.execute(state, DeclineOffer(unit="b"), NoDice())
    _, report = MELEE.execute(state, Melee(unit="a", contact=3), dice(3, 3))
    assert "round 1" in report.headline


@pytest.mark.parametrize(
    "defender",
    [
        unit("mahdist-spears", "b", BLUE),
        unit("gatling", "b", BLUE, jammed=True),
        unit("field-gun", "b", BLUE, limbered=True),
        unit("field-gun", "b", BLUE, ammunition=Fraction(0)),
        unit("british-magazine", "b", BLUE, ammunition=Fraction(0), last_volley_fired=True),
        unit("british-magazine", "b", BLUE, morale=Morale.ROUTED),
    ],
)
def test_mm_4_1_defender_that_cannot_fire_owes_no_fire(defender: MagdalaUnit) -> None:
    state, _ = play_part(make_contact, field(spears(), defender), "a", "b", 10)
    assert prompts_of(state, "b") == ()


def test_mm_4_1_defender_in_melee_does_not_fire_at_a_second_attacker() -> None:
    state = start_melee(spears(), unit("british-magazine", "b", BLUE)).with_unit(spears("c"))
    state, _ = play_part(make_contact, state, "c", "b", 10)
    assert prompts_of(state, "b") == ()
    assert [(first.id, second.id) for first, second in melee_pairs(state)] == [("a", "b"), ("c", "b")]
    with pytest.raises(Refused, match=r"^C are in melee with B; that one goes on first\. \(MM-4\.5, ruling\)$"):
        MELEE.execute(state.with_unit(spears("d", BLUE)), Melee(unit="c", target="d"), NoDice())


@pytest.mark.parametrize(("touching", "fought"), [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2), (10, 3), (11, 4), (24, 8)])
def test_mm_4_2_combats_are_a_third_of_the_figures_in_contact_to_the_nearest(touching: int, fought: int) -> None:
    assert count_combats(touching) == fought


def test_mm_4_2_more_figures_than_there_are_cannot_be_in_contact() -> None:
    with pytest.raises(Refused, match="At most 20"):
        MELEE.execute(
            start_melee(spears(), unit("sudanese-regulars", "b", BLUE, figures=20)),
            Melee(unit="a", contact=21),
            NoDice(),
        )


@pytest.mark.parametrize(
    ("attacker", "defender", "words", "expected"),
    [
        (unit("british-breechloaders"), spears("b", BLUE), (), 1),
        (unit("foreign-legion"), spears("b", BLUE), (), 0),
        (unit("british-cavalry"), spears("b", BLUE), (), 1),
        (unit("egyptian-cavalry"), spears("b", BLUE), (), 1),
        (unit("zulus"), unit("sudanese-regulars", "b", BLUE), (), 1),
        (unit("mahdist-spears"), unit("british-breechloaders", "b", BLUE), (), 1),
        (unit("mahdist-spears"), unit("british-cavalry", "b", BLUE), (), 0),
        (unit("mahdist-spears"), unit("indian-lancers", "b", BLUE), (), 1),
        (unit("pathan-swordsmen"), spears("b", BLUE), (), 1),
        (unit("british-lancers"), spears("b", BLUE), (), 2),
        (unit("british-lancers"), spears("b", BLUE), ("second round",), 1),
        (spears(), unit("sudanese-regulars", "b", BLUE, works=Works.ZAREBA), (), -1),
        (spears(), unit("sudanese-regulars", "b", BLUE, works=Works.SANDBAGS), (), -1),
        (spears(), unit("sudanese-regulars", "b", BLUE, works=Works.EARTHWORKS), (), -1),
        (spears(), unit("sudanese-regulars", "b", BLUE, works=Works.SANGAR), (), 0),
        (spears(), unit("sudanese-regulars", "b", BLUE), ("against fieldworks",), -1),
        (spears(works=Works.EARTHWORKS), unit("sudanese-regulars", "b", BLUE), (), 0),
        (spears(), unit("sudanese-regulars", "b", BLUE), ("umpire +1",), 1),
        (spears(), unit("sudanese-regulars", "b", BLUE), ("umpire -1",), -1),
    ],
)
def test_mm_4_3_adjustments(
    attacker: MagdalaUnit, defender: MagdalaUnit, words: tuple[str, ...], expected: int
) -> None:
    assert modifiers_of(start_melee(attacker, defender), *words) == expected


def test_mm_4_3_the_defender_of_works_gains_nothing_himself() -> None:
    assert modifiers_of(start_melee(spears(), unit("sudanese-regulars", "b", BLUE, works=Works.ZAREBA)), of="b") == 0


def test_mm_4_3_umpire_may_adjust_for_the_target() -> None:
    state = start_melee(spears(), unit("sudanese-regulars", "b", BLUE))
    assert modifiers_of(state, "target +1", of="b") == 1
    assert modifiers_of(state, "target +1") == 0


def test_mm_4_3_a_difference_of_2_kills_and_less_is_indecisive() -> None:
    state = start_melee(spears(), unit("sudanese-regulars", "b", BLUE))
    after, report = MELEE.execute(state, Melee(unit="a", contact=9), dice(5, 4, 1, 3, 3, 6))
    assert (after.unit("a").casualties, after.unit("b").casualties) == (1, 1)
    assert "A||*5* 4 1|MM-4.3\nB||3 3 *6*|MM-4.3" in text_of(report)
    assert "4:3" in text_of(report)


def test_mm_4_3_all_kills_of_a_round_are_simultaneous() -> None:
    state = start_melee(spears(figures=1), unit("sudanese-regulars", "b", BLUE, figures=1))
    after, _ = MELEE.execute(state, Melee(unit="a"), dice(6, 1))
    assert not after.unit("b").on_table
    assert (after.unit("a").melee_with, after.prompts) == (None, ())


def test_mm_4_3_lancers_may_be_ruled_out_by_option() -> None:
    state = start_melee(unit("british-lancers"), spears("b", BLUE))
    off = state.model_copy(update={"options": state.options.model_copy(update={"lancer_bonus": False})})
    assert modifiers_of(off) == 1


@pytest.mark.parametrize(
    ("flanks", "round_", "spare", "extra"),
    [
        (1, 1, 20, 2),
        (2, 1, 20, 4),
        (1, 2, 20, 4),
        (1, 3, 20, 6),
        (2, 3, 20, 12),
        (1, 4, 20, 8),
        (1, 1, 1, 1),
        (1, 1, 0, 0),
    ],
)
def test_mm_4_4_extra_combats_grow_by_2_a_flank_and_round(flanks: int, round_: int, spare: int, extra: int) -> None:
    assert count_extra_combats(flanks, round_, spare) == extra


def test_mm_4_4_extra_combats_only_hurt_the_overlapped_unit_without_modifiers() -> None:
    state = start_melee(spears(figures=36), unit("british-breechloaders", "b", BLUE, figures=20))
    action = Melee(unit="a", contact=3, circumstances=("overlapped one flank",))
    after, report = MELEE.execute(state, action, dice(3, 3, 6, 2, 1, 4))
    assert (after.unit("a").casualties, after.unit("b").casualties) == (0, 1)
    assert "2 extra combats" in text_of(report)


def test_mm_4_4_unit_that_is_not_outnumbered_is_not_overlapped() -> None:
    state = start_melee(spears(figures=20), unit("sudanese-regulars", "b", BLUE, figures=20))
    with pytest.raises(Refused, match="Neither is outnumbered"):
        MELEE.execute(state, Melee(unit="a", circumstances=("overlapped one flank",)), NoDice())


@pytest.mark.parametrize(("x", "flanks"), [(20, 2), (22, 1), (26, 1)])
def test_mm_4_4_overlaps_are_seen_where_positions_are_known(x: float, flanks: int) -> None:
    regulars = unit("sudanese-regulars", "b", BLUE, figures=20, at=(20, 18.5, 180))
    warband = spears(figures=36, at=(x, 20))
    assert count_overlapped_flanks(field(regulars, warband), regulars, warband) == flanks


def test_mm_4_5_side_with_more_losses_tests_morale() -> None:
    state = start_melee(spears(), unit("sudanese-regulars", "b", BLUE))
    after, report = MELEE.execute(state, Melee(unit="a", contact=3), dice(6, 1))
    assert [(prompt.unit, prompt.test) for prompt in after.prompts] == [("b", Owes.MELEE_LOST)]
    assert after.unit("b").melee_lost_in_a_row == 1
    assert report.headline.endswith("A have the better of it, 1 to 0.")
    after, report = MELEE.execute(state, Melee(unit="a", contact=3), dice(1, 6))
    assert [(prompt.unit, prompt.test) for prompt in after.prompts] == [("a", Owes.MELEE_LOST)]
    assert report.headline.endswith("B have the better of it, 1 to 0.")


def test_mm_4_5_melee_continues_without_test_after_equal_losses() -> None:
    state = start_melee(spears(), unit("sudanese-regulars", "b", BLUE, melee_lost_in_a_row=0))
    after, _ = MELEE.execute(state, Melee(unit="a", contact=6), dice(6, 1, 1, 6))
    assert after.prompts == ()
    assert (after.unit("a").melee_round, after.unit("b").melee_round) == (2, 2)


@pytest.mark.parametrize(("word", "round_"), [("second round", 2), ("third round", 3), ("fourth round", 4)])
def test_mm_4_5_round_number_may_be_given(word: str, round_: int) -> None:
    """Lancers gain their lance bonus in the first round only."""
    state = start_melee(unit("british-lancers"), spears("b", BLUE))
    first, second = (MELEE.odds_of(state, Melee(unit="a", circumstances=words)) for words in ((), (word,)))
    assert (first.steps[0].text, second.steps[0].text) == ("Round 1", f"Round {round_}")
    assert [step.text for step in second.steps[1:]] == ["A", "A lose", "B", "B lose"]
    modifiers_of = [int(sum(modifier.value for modifier in step.modifiers)) for step in (*first.steps, *second.steps)]
    assert modifiers_of == [0, 2, 0, 0, 0, 0, 1, 0, 0, 0]


def test_mm_4_5_one_round_a_turn() -> None:
    state = start_melee(spears(), unit("sudanese-regulars", "b", BLUE))
    after, _ = MELEE.execute(state, Melee(unit="a", contact=3), dice(3, 3))
    with pytest.raises(Refused, match="next turn"):
        MELEE.execute(after, Melee(unit="b", target="a", contact=3), NoDice())


def test_mm_4_5_a_round_to_be_fought_holds_up_the_turn() -> None:
    item = prompts(start_melee(spears(), unit("sudanese-regulars", "b", BLUE)))[0]
    assert (item.required, item.offers[0].kind) == (True, "melee")


def test_mm_4_5_no_round_while_a_test_is_owed() -> None:
    state = add_prompt(start_melee(spears(), unit("sudanese-regulars", "b", BLUE)), "a", Owes.UNDER_FIRE)
    with pytest.raises(Refused, match="still have to settle") as refused:
        Magdala().act(state, Melee(unit="a"), NoDice())
    assert [offer.kind for item in refused.value.prompts for offer in item.offers] == ["morale"]


def test_mm_4_the_defender_may_call_for_the_round_too() -> None:
    state = start_melee(spears(), unit("sudanese-regulars", "b", BLUE, works=Works.ZAREBA))
    _, report = MELEE.execute(state, Melee(unit="b", target="a", contact=3), dice(3, 3))
    assert "attacking field defences" in next(s for s in report.steps if s.text == "A").modifiers[0].reason


def test_mm_4_melee_of_separated_units_is_refused() -> None:
    state = field(spears(at=(20, 20)), unit("sudanese-regulars", "b", BLUE, at=(20, 10, 180)))
    with pytest.raises(Refused, match="do not touch"):
        MELEE.execute(state, Melee(unit="a", target="b"), NoDice())


def test_mm_4_contact_made_by_hand_lets_the_defender_fire_first() -> None:
    state = field(spears(), unit("sudanese-regulars", "b", BLUE))
    after, report = MELEE.execute(state, Melee(unit="a", target="b"), NoDice())
    assert "fire first" in text_of(report)
    assert is_engaged(after, after.unit("a"))


def test_mm_4_friends_do_not_fight() -> None:
    with pytest.raises(Refused, match="same side"):
        MELEE.execute(field(spears(), spears("b")), Melee(unit="a", target="b"), NoDice())


@pytest.mark.parametrize("edge", range(-3, 4))
def test_mm_4_3_ways_of_a_combat_equal_icepool(edge: int) -> None:
    margin = icepool.d6 + edge - icepool.d6
    won, lost = (margin >= 2).probability(True), (margin <= -2).probability(True)
    assert [Fraction(count, 36) for count in count_combat_results(edge)] == [lost, won, 1 - won - lost]


@pytest.mark.parametrize(("touching", "flanks"), [(3, 0), (12, 0), (12, 1), (20, 2)])
def test_mm_4_losses_of_a_round_equal_icepool(touching: int, flanks: int) -> None:
    state = start_melee(spears(figures=36), unit("british-breechloaders", "b", BLUE, figures=20))
    words = {0: (), 1: ("overlapped one flank",), 2: ("overlapped both flanks",)}[flanks]
    odds = MELEE.odds_of(state, Melee(unit="a", contact=touching, circumstances=words))
    single = (icepool.d6 - icepool.d6 - 1).map(lambda margin: (margin >= 2) - (margin <= -2))
    extra = (icepool.d6 - icepool.d6).map(lambda margin: int(margin >= 2))
    total = count_combats(touching) @ single + (2 * flanks) @ extra
    assert dict(odds.distribution) == {margin: total.probability(margin) for margin in total.outcomes()}
    wins = sum(total.probability(margin) for margin in total.outcomes() if margin > 0)
    assert odds.outcomes[0].chance == wins


sizes = st.integers(1, 30)


@given(ours=sizes, theirs=sizes, touching=sizes)
def test_mm_4_equals_have_equal_chances(ours: int, theirs: int, touching: int) -> None:
    red, blue = spears(figures=ours), spears("b", BLUE, figures=theirs)
    weights = count_loss_results(Bout(("a", "b"), (red.strength, blue.strength), round=1, touching=touching))
    mirrored = count_loss_results(Bout(("b", "a"), (blue.strength, red.strength), round=1, touching=touching))
    assert sum(weights.values()) == 36 ** count_combats(touching)
    assert all(mirrored[(b, a)] == weight for (a, b), weight in weights.items())
    assert all(a <= ours and b <= theirs for a, b in weights)


def test_mm_4_6_unit_that_meets_a_routed_enemy_destroys_it() -> None:
    state, steps = play_part(
        make_contact, field(spears(), unit("sudanese-regulars", "b", BLUE, morale=Morale.ROUTED)), "a", "b", 10
    )
    assert not state.unit("b").on_table
    assert state.unit("a").melee_with is None
    assert "destroyed" in steps[0].verdict


def test_mm_4_caught_unit_fights_and_then_continues_its_retreat() -> None:
    caught = unit("sudanese-regulars", "b", BLUE, morale=Morale.RETREATING, leaving=True)
    state, _ = play_part(make_contact, add_prompt(field(spears(), caught), "b", Owes.RETREAT), "a", "b", 10)
    assert prompts_of(state, "b") == ()
    state, _ = MELEE.execute(state, Melee(unit="a", contact=3), dice(3, 3))
    state, _ = TURN.execute(state, TurnNext(), NoDice())
    assert prompts_of(state, "b") == ()
    assert [item.text for item in prompts(state)] == ["A against B: round 2 of melee"]


def test_mm_4_leaders_do_not_fight_alone_and_wagons_never_attack() -> None:
    state = field(spears(), unit("general", "g", BLUE), unit("wagon", "w", BLUE))
    with pytest.raises(Refused, match="does not fight alone"):
        MELEE.execute(state, Melee(unit="a", target="g"), NoDice())
    with pytest.raises(Refused, match="attacks nobody"):
        MELEE.execute(state, Melee(unit="w", target="a"), NoDice())
