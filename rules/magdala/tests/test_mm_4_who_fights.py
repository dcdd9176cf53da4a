"""Who may attack whom, and when: melees set by hand, leaders, wagons, routed units, several enemies (MM-4)."""

import pytest

from rules.core.dice import NoDice
from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.magdala.arms import never_routs
from rules.magdala.engagement import end_melees_of, melee_pairs, start_melee
from rules.magdala.fighting.contact import MeleePair, make_contact
from rules.magdala.fighting.melee import MELEE, Melee
from rules.magdala.model import MagdalaState, Morale, UnitTurn
from rules.magdala.model import Test as Owes
from rules.magdala.morale.retreat import PURSUIT, Pursuit
from rules.magdala.morale.testing import MORALE, MoraleTest
from rules.magdala.moving.marching import Move
from rules.magdala.orders.movement import MOVE
from rules.magdala.placement import gap
from rules.magdala.stored_prompts import add_prompt
from rules.magdala.turn import TURN, TurnNext, blocking_prompts

from .field import BLUE, RED, dice, field, play_part, text_of, unit

CALL = "umpire's call"


@pytest.mark.parametrize(("mover", "enemy"), [("general", "mahdist-rifles"), ("wagon", "mahdist-rifles")])
def test_mm_4_1_leaders_and_wagons_do_not_move_into_contact(mover: str, enemy: str) -> None:
    state = field(unit(mover), unit(enemy, "b", BLUE))
    with pytest.raises(Refused, match="does not fight"):
        MOVE.execute(state, Move(unit="a", to="towards b 5", circumstances=("into contact",)), NoDice())


@pytest.mark.parametrize("leader", ["general", "native-commander", "imam"])
def test_mm_4_1_nobody_moves_into_contact_with_a_leader_alone(leader: str) -> None:
    state = field(unit("british-breechloaders"), unit(leader, "b", BLUE))
    with pytest.raises(Refused, match="do not fight"):
        MOVE.execute(state, Move(unit="a", to="towards b 5", circumstances=("into contact",)), NoDice())


RIDERS = ("british-mounted-infantry", "kommando", "mahdist-camelry")


@pytest.mark.parametrize("riders", RIDERS)
def test_mm_2_3_mounted_infantry_does_not_move_into_contact_mounted(riders: str) -> None:
    foe = unit("native-warband", "b", BLUE, at=(36, 18, 180))
    state = field(unit(riders, at=(36, 24)), foe)
    with pytest.raises(Refused, match=r"do not move into contact mounted.*\(MM-2.3, ruling\)"):
        MOVE.execute(state, Move(unit="a", to="towards b 6"), NoDice())
    on_foot = field(unit(riders, at=(36, 24), mounted=False), foe)
    after, _ = MOVE.execute(on_foot, Move(unit="a", to="towards b"), dice(6, 6) if riders == RIDERS[2] else NoDice())
    assert after.unit("a").melee_with == "b"


@pytest.mark.parametrize("riders", RIDERS)
def test_mm_2_3_mounted_infantry_attacks_neither_unplaced_nor_by_hand(riders: str) -> None:
    state = field(unit(riders), unit("native-warband", "b", BLUE))
    with pytest.raises(Refused, match="do not move into contact mounted"):
        MOVE.execute(state, Move(unit="a", to="towards b 5", circumstances=("into contact",)), NoDice())
    with pytest.raises(Refused, match="do not move into contact mounted"):
        MELEE.execute(state, Melee(unit="a", target="b"), NoDice())


def test_mm_2_3_mounted_infantry_halts_an_inch_short_of_an_enemy() -> None:
    foe = unit("native-warband", "b", BLUE, at=(36, 12, 180))
    state = field(unit("british-mounted-infantry", at=(36, 21)), foe)
    after, report = MOVE.execute(state, Move(unit="a", to="towards b"), NoDice())
    assert gap(after.unit("a"), after.unit("b")) == pytest.approx(1, abs=0.01)
    assert melee_pairs(after) == ()
    assert "Mounted, A halt short of B" in text_of(report)
    with pytest.raises(Refused, match="are there already"):
        MOVE.execute(after.changed("a", this_turn=UnitTurn()), Move(unit="a", to="towards b"), NoDice())


def test_mm_2_3_mounted_infantry_rides_on_to_within_reach_and_may_be_attacked() -> None:
    state = field(unit("british-mounted-infantry", at=(36, 24)), unit("pathan-swordsmen", "b", BLUE, at=(36, 12, 180)))
    ridden, _ = MOVE.execute(state, Move(unit="a", to="towards b 6"), NoDice())
    assert ridden.unit("a").place.y == 18
    blue_turn = ridden.model_copy(update={"active": BLUE})
    met, _ = MOVE.execute(blue_turn, Move(unit="b", to="towards a"), dice(6, 6))
    assert [(first.id, second.id) for first, second in melee_pairs(met)] == [("b", "a")]


@pytest.mark.parametrize(("mounted", "adds"), [(True, []), (False, ["British infantry"])])
def test_mm_4_3_british_mounted_infantry_adds_1_on_foot_alone(mounted: bool, adds: list[str]) -> None:
    state = start_melee(field(unit("zulus"), unit("british-mounted-infantry", "b", BLUE, mounted=mounted)), "a", "b")
    bout = MeleePair(state, state.unit("a"), state.unit("b")).make_bout("a")
    assert [modifier.reason for modifier in bout.adds[1]] == adds
    assert [modifier.value for modifier in bout.adds[0]] == [1]


@pytest.mark.parametrize(("mounted", "stays"), [(True, False), (False, True)])
def test_mm_5_8_british_mounted_infantry_fights_on_on_foot_alone(mounted: bool, stays: bool) -> None:
    assert never_routs(unit("british-mounted-infantry", mounted=mounted)) is stays
    assert never_routs(unit("british-breechloaders"))


def test_mm_4_3_a_question_without_a_game_has_mounted_infantry_on_foot() -> None:
    fields = {"troop": "British mounted infantry, magazine rifles", "against": "Zulu impi"}
    state, melee = MELEE.set_up_question(fields, ())
    assert [unit_.mounted for unit_ in state.units.values()] == [False, False]
    _, report = MELEE.execute(state, melee, dice(*[3] * 2 * 5))
    assert "British infantry" in text_of(report)


@pytest.mark.parametrize(("attacker", "defender"), [("general", "zulus"), ("wagon", "zulus"), ("zulus", "imam")])
def test_mm_4_melee_without_fighters_does_not_start(attacker: str, defender: str) -> None:
    state, _ = play_part(make_contact, field(unit(attacker), unit(defender, "b", BLUE)), "a", "b", 10)
    assert (melee_pairs(state), state.prompts) == ((), ())


def test_mm_4_melee_without_fighters_ends_when_a_unit_breaks_off() -> None:
    state = start_melee(field(unit("general"), unit("zulus", "b", BLUE), unit("zulus", "c", BLUE)), "a", "b")
    assert melee_pairs(end_melees_of(state, "c")) == ()


def set_melee(attacker: dict[str, object] | None = None, **fields: object) -> MagdalaState:
    return field(unit("mahdist-spears", **(attacker or {})), unit("sudanese-regulars", "b", BLUE), **fields)


@pytest.mark.parametrize(
    ("morale", "reason"),
    [
        (Morale.ROUTED, "obey no orders"),
        (Morale.RETREATING, "obey no orders"),
        (Morale.PURSUING, "obey no orders"),
        (Morale.PINNED, "attack nobody"),
        (Morale.HALTED, "attack nobody"),
    ],
)
def test_mm_4_1_a_melee_by_hand_is_for_steady_units(morale: Morale, reason: str) -> None:
    state = set_melee({"morale": morale})
    with pytest.raises(Refused, match=reason):
        MELEE.execute(state, Melee(unit="a", target="b"), NoDice())
    assert melee_pairs(MELEE.execute(state, Melee(unit="a", target="b", circumstances=(CALL,)), dice(*[3] * 14))[0])


def test_mm_4_1_a_melee_by_hand_is_made_in_ones_own_turn() -> None:
    with pytest.raises(Refused, match="turn of"):
        MELEE.execute(set_melee(active=BLUE), Melee(unit="a", target="b"), NoDice())


def test_mm_4_1_unit_that_has_spent_its_turn_cannot_attack() -> None:
    with pytest.raises(Refused, match="whole turn"):
        MELEE.execute(set_melee({"this_turn": {"whole_turn_spent": True}}), Melee(unit="a", target="b"), NoDice())


@pytest.mark.parametrize("circumstances", [(), (CALL,)])
def test_mm_4_6_call_for_a_melee_does_not_destroy_routed_units(circumstances: tuple[str, ...]) -> None:
    state = field(unit("sudanese-regulars"), unit("mahdist-spears", "b", BLUE, morale=Morale.ROUTED))
    with pytest.raises(Refused, match="in rout"):
        MELEE.execute(state, Melee(unit="a", target="b", circumstances=circumstances), NoDice())


def test_mm_4_6_riding_down_needs_a_move() -> None:
    state = field(unit("sudanese-regulars"), unit("mahdist-spears", "b", BLUE, morale=Morale.ROUTED))
    stood, steps = play_part(make_contact, state, "a", "b", 0.0)
    assert (stood.unit("b").on_table, steps[0].verdict) == (True, "they do not come up with them")
    assert not play_part(make_contact, state, "a", "b", 0.1)[0].unit("b").on_table


def test_mm_4_6_rallied_unit_does_not_ride_down_enemies_that_turn() -> None:
    state = field(
        unit("sudanese-regulars", this_turn={"fought": True}),
        unit("mahdist-spears", "b", BLUE, morale=Morale.ROUTED),
    )
    assert play_part(make_contact, state, "a", "b", 5.0)[0].unit("b").on_table


def field_of_three(troops: str = "mahdist-spears", **fields: object) -> MagdalaState:
    """Return a state in which `x` attacks `d`, and `e` attacks `x`."""
    state = field(
        unit("mahdist-spears", "x", **fields), unit(troops, "d", BLUE), unit("sudanese-regulars", "e", BLUE), active=RED
    )
    return start_melee(start_melee(state, "x", "d"), "e", "x")


def test_mm_4_5_each_pair_fights_its_own_round_of_the_turn() -> None:
    state, _ = MELEE.execute(field_of_three(), Melee(unit="e", target="x", contact=3), dice(3, 3))
    assert [item.text for item in blocking_prompts(state)] == ["X against D: round 1 of melee"]
    with pytest.raises(Refused, match="have fought this turn"):
        MELEE.execute(state, Melee(unit="x", target="e", contact=3), NoDice())
    state, _ = MELEE.execute(state, Melee(unit="x", target="d", contact=3), dice(3, 3))
    assert blocking_prompts(state) == ()
    state, _ = TURN.execute(state, TurnNext(), NoDice())
    assert len(blocking_prompts(state)) == 2


def lose_round(state: MagdalaState, by: str) -> MagdalaState:
    """Return the state after `x` loses a round to `by` and passes its test."""
    first, second = ("x", "d") if by == "d" else ("e", "x")
    faces = (1, 6) if first == "x" else (6, 1)
    state, _ = MELEE.execute(state, Melee(unit=first, target=second, contact=3), dice(*faces))
    return MORALE.execute(state, MoraleTest(unit="x"), dice(6, 6))[0]


def draw_round(state: MagdalaState, by: str) -> MagdalaState:
    first, second = ("x", "d") if by == "d" else ("e", "x")
    return MELEE.execute(state, Melee(unit=first, target=second, contact=3), dice(3, 3))[0]


def test_mm_5_4_two_rounds_lost_in_one_turn_count_once() -> None:
    state = lose_round(lose_round(field_of_three(), "e"), "d")
    assert state.unit("x").melee_lost_in_a_row == 1


@pytest.mark.parametrize("order", ["ed", "de"])
def test_mm_5_4_lost_round_counts_despite_won_or_drawn_rounds_that_turn(order: str) -> None:
    state = field_of_three()
    for turn in (1, 2):
        for enemy in order:
            state = lose_round(state, enemy) if enemy == "e" else draw_round(state, enemy)
        assert state.unit("x").melee_lost_in_a_row == turn
        state, _ = TURN.execute(state, TurnNext(), NoDice())


def test_mm_5_4_turn_without_a_lost_round_resets_the_count() -> None:
    state, _ = TURN.execute(draw_round(lose_round(field_of_three(), "e"), "d"), TurnNext(), NoDice())
    state, _ = TURN.execute(draw_round(draw_round(state, "e"), "d"), TurnNext(), NoDice())
    assert state.unit("x").melee_lost_in_a_row == 0


def test_mm_5_1_attacker_halted_before_its_first_round_stops_short() -> None:
    state = field_of_three("british-breechloaders")
    state, _ = MELEE.execute(state, Melee(unit="e", target="x", contact=3), dice(3, 3))
    state = add_prompt(state, "x", Owes.UNDER_FIRE).with_unit(state.unit("x").model_copy(update={"casualties": 9}))
    after, _ = MORALE.execute(state, MoraleTest(unit="x"), dice(1, 1))
    assert after.unit("x").melee_with is None


def test_mm_5_7_a_halted_unit_in_melee_does_not_test_to_go_on() -> None:
    halted = unit("sudanese-regulars", morale=Morale.HALTED, held_turns=1, casualties=9)
    state = start_melee(field(halted, unit("mahdist-spears", "b", BLUE)), "b", "a")
    with pytest.raises(Refused, match="in melee"):
        MORALE.execute(state, MoraleTest(unit="a"), NoDice())


def test_mm_5_7_unit_that_falls_back_leaves_its_melee() -> None:
    halted = unit("sudanese-regulars", morale=Morale.HALTED, held_turns=1, casualties=9)
    state = add_prompt(start_melee(field(halted, unit("mahdist-spears", "b", BLUE)), "b", "a"), "a", Owes.RETEST)
    after, _ = MORALE.execute(state, MoraleTest(unit="a"), dice(1, 1))
    assert (after.unit("a").casualties, melee_pairs(after)) == (10, ())


@pytest.mark.parametrize(("apart", "effect"), [(8.94, "half effect: the attackers came 8.9 inches"), (8.96, "full")])
def test_mm_4_1_nine_inches_include_the_contact_tolerance(apart: float, effect: str) -> None:
    _, steps = play_part(
        make_contact, field(unit("mahdist-spears"), unit("british-magazine", "b", BLUE)), "a", "b", apart
    )
    assert effect in steps[0].verdict


def test_mm_4_1_report_rounds_inches_to_a_tenth() -> None:
    _, steps = play_part(
        make_contact, field(unit("mahdist-spears"), unit("british-magazine", "b", BLUE)), "a", "b", 4.98765
    )
    assert "came 5 inches" in steps[0].verdict


def rout_enemy(victor: str, **fields: object) -> MagdalaState:
    """Return the state after `b` routs from its melee with `a`."""
    state = start_melee(field(unit(victor, **fields), unit("mahdist-spears", "b", BLUE, casualties=14)), "b", "a")
    state = add_prompt(state, "b", Owes.MELEE_LOST, by="a", lost_in_a_row=1)
    return MORALE.execute(state, MoraleTest(unit="b"), dice(1, 1))[0]


@pytest.mark.parametrize("morale", [Morale.RETREATING, Morale.HALTED, Morale.PINNED])
def test_mm_4_6_victorious_regular_infantry_in_trouble_rallies_on_the_spot(morale: Morale) -> None:
    victor = rout_enemy("sudanese-regulars", morale=morale, retreats_in_a_row=1).unit("a")
    assert (victor.morale, victor.retreats_in_a_row) == (Morale.STEADY, 0)


def test_mm_4_6_pursuers_who_win_again_and_hold_are_rallied() -> None:
    state = rout_enemy("mahdist-cavalry", morale=Morale.PURSUING)
    assert PURSUIT.execute(state, Pursuit(unit="a"), dice(6))[0].unit("a").morale is Morale.STEADY


def test_mm_4_3_melee_losses_cite_the_melee_rule() -> None:
    state = start_melee(field(unit("zulus", figures=1), unit("zulus", "b", BLUE)), "a", "b")
    _, report = MELEE.execute(state, Melee(unit="a"), dice(1, 6))
    assert Cite(rule="MM-4.3") == next(step for step in report.steps if "no more" in step.text).cite


def test_mm_5_8_loss_in_falling_back_cites_its_rule() -> None:
    state = start_melee(field(unit("british-breechloaders", casualties=8), unit("zulus", "b", BLUE)), "b", "a")
    _, report = MORALE.execute(add_prompt(state, "a", Owes.MELEE_LOST, by="b"), MoraleTest(unit="a"), dice(1, 1))
    assert "A lose 1||15 of 24 left|MM-5.8" in text_of(report)
