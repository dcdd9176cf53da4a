"""Turns: blocking prompts, and effects that end with a turn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.model import UMPIRE
from rules.core.ruleset import Refused
from rules.magdala.fighting.contact import make_contact
from rules.magdala.fighting.melee import MELEE, Melee
from rules.magdala.model import MagdalaState, Morale, UnitTurn
from rules.magdala.model import Test as Owes
from rules.magdala.morale.effects import CasualtyCause, inflict_casualties
from rules.magdala.morale.testing import MORALE, MoraleTest
from rules.magdala.ruleset import Magdala
from rules.magdala.stored_prompts import add_prompt, prompts_of
from rules.magdala.turn import TURN, TurnNext, blocking_prompts, prompts

from .field import BLUE, RED, dice, field, play_part, text_of, unit


def end_turns(state: MagdalaState, times: int = 1) -> MagdalaState:
    for _ in range(times):
        state, _ = TURN.execute(state, TurnNext(), NoDice())
    return state


def test_turns_alternate_and_the_first_side_opens_each() -> None:
    state = field(unit("zulus"), unit("zulus", "b", BLUE), active=BLUE)
    assert [(s.turn, s.active) for s in (end_turns(state), end_turns(state, 2), end_turns(state, 3))] == [
        (1, RED),
        (2, BLUE),
        (2, RED),
    ]


def test_turn_refusal_lists_prompts_of_both_sides() -> None:
    state = add_prompt(
        add_prompt(field(unit("zulus"), unit("zulus", "b", BLUE)), "b", Owes.UNDER_FIRE), "a", Owes.REACTION
    )
    with pytest.raises(Refused) as refused:
        TURN.execute(state, TurnNext(), NoDice())
    assert [item.unit for item in refused.value.prompts] == ["b", "a"]
    assert refused.value.why == "The turn cannot pass yet; the umpire may waive what it waits for."


def test_turn_passes_when_the_umpire_waives_and_the_report_says_so() -> None:
    state = add_prompt(field(unit("zulus"), unit("zulus", "b", BLUE)), "b", Owes.UNDER_FIRE)
    after, report = TURN.execute(state, TurnNext(waive=True), NoDice())
    assert (after.active, after.prompts) == (BLUE, ())
    assert "waived" in text_of(report)


def test_turn_waived_over_a_failed_test_lets_the_failure_stand() -> None:
    state = add_prompt(
        field(unit("zulus", casualties=9, general="g"), unit("native-commander", "g")), "a", Owes.UNDER_FIRE
    )
    state, _ = MORALE.execute(state, MoraleTest(unit="a"), dice(1, 1))
    after, _ = TURN.execute(state, TurnNext(waive=True), NoDice())
    assert after.unit("a").morale is Morale.HALTED


def test_turn_waits_for_every_round_of_melee() -> None:
    state, _ = play_part(make_contact, field(unit("zulus"), unit("mahdist-spears", "b", BLUE)), "a", "b", 10)
    assert len(blocking_prompts(state)) == 1
    state, _ = MELEE.execute(state, Melee(unit="a", contact=3), dice(3, 3))
    assert blocking_prompts(state) == ()
    assert len(blocking_prompts(end_turns(state))) == 1


def test_turn_waits_for_the_retreat_moves_of_its_own_side_only() -> None:
    state = add_prompt(field(unit("zulus", morale=Morale.ROUTED), unit("zulus", "b", BLUE)), "a", Owes.RETREAT)
    assert len(blocking_prompts(state)) == 1
    elsewhere = state.model_copy(update={"active": BLUE})
    assert blocking_prompts(elsewhere) == ()
    assert [item.unit for item in prompts(elsewhere)] == ["a"]


def test_turn_mm_5_1_pin_by_the_enemy_lasts_a_full_own_turn() -> None:
    state = field(unit("zulus", this_turn={"advanced": True, "figures_at_start": 36}), unit("zulus", "b", BLUE))
    state, _ = play_part(inflict_casualties, state.model_copy(update={"active": BLUE}), "a", 4, "b", CasualtyCause.FIRE)
    mine = end_turns(state)
    assert (mine.unit("a").morale, mine.unit("a").held_turns) == (Morale.PINNED, 0)
    with pytest.raises(Refused):
        MORALE.execute(mine, MoraleTest(unit="a"), NoDice())
    next_ = end_turns(mine, 2)
    assert next_.unit("a").held_turns == 1
    assert MORALE.execute(next_, MoraleTest(unit="a"), dice(6, 6))[0].unit("a").morale is Morale.STEADY


def test_turn_mm_5_1_turn_of_the_pin_is_not_a_full_one() -> None:
    state = field(unit("zulus", this_turn={"advanced": True, "figures_at_start": 36}), unit("zulus", "b", BLUE))
    state, _ = play_part(inflict_casualties, state, "a", 4, "b", CasualtyCause.FIRE)
    assert end_turns(state, 2).unit("a").held_turns == 0
    assert end_turns(state, 4).unit("a").held_turns == 1


def test_turn_memory_is_cleared_at_the_sides_next_turn() -> None:
    this_turn = UnitTurn(moved=6, advanced=True, fired_full=True, retested=True, figures_at_start=36)
    state = field(unit("zulus", this_turn=this_turn), unit("zulus", "b", BLUE))
    enemy_turn = end_turns(state).unit("a").this_turn
    assert (enemy_turn.moved, enemy_turn.advanced, enemy_turn.fired_full) == (6, True, True)
    own = end_turns(state, 2).unit("a").this_turn
    assert own == UnitTurn(figures_at_start=36)


def test_turn_counts_fire_casualties_anew_for_each_sides_turn() -> None:
    state = field(unit("zulus"), unit("zulus", "b", BLUE), active=BLUE)
    state, _ = play_part(inflict_casualties, state, "a", 1, "b", CasualtyCause.FIRE)
    after = end_turns(state).unit("a").this_turn
    assert (after.fire_casualties, after.figures_at_start) == (0, 35)


def test_turn_mm_5_10_under_fire_lasts_through_the_units_own_turn() -> None:
    state = field(unit("zulus"), unit("zulus", "b", BLUE), active=BLUE)
    state, _ = play_part(inflict_casualties, state, "a", 0, "b", CasualtyCause.FIRE)
    assert state.unit("a").this_turn.under_fire
    assert end_turns(state).unit("a").this_turn.under_fire
    assert not end_turns(state, 2).unit("a").this_turn.under_fire


@pytest.mark.parametrize(
    ("fields", "test"),
    [
        ({"morale": Morale.ROUTED}, Owes.RETREAT),
        ({"morale": Morale.RETREATING, "leaving": True}, Owes.RETREAT),
        ({"morale": Morale.RETREATING, "retreats_in_a_row": 0}, Owes.RETREAT),
        ({"morale": Morale.RETREATING, "retreats_in_a_row": 1}, Owes.REACTION),
        ({"morale": Morale.PURSUING}, Owes.PURSUIT_MOVE),
    ],
)
def test_turn_adds_prompts_of_units_in_flight_or_pursuit(fields: dict[str, object], test: Owes) -> None:
    state = field(unit("zulus", **fields), unit("zulus", "b", BLUE), active=BLUE)
    assert [prompt.test for prompt in prompts_of(end_turns(state), "a")] == [test]


def test_turn_drops_unused_reminders() -> None:
    state = add_prompt(field(unit("zulus"), unit("zulus", "f")), "f", Owes.WITNESS)
    assert end_turns(state).prompts == ()


def test_turn_is_offered_only_when_nothing_holds_it_up() -> None:
    rules = Magdala()
    free = field(unit("zulus"), unit("zulus", "b", BLUE), events=1)
    assert [action.kind for action in rules.legal_actions(free, RED, "turn_next")] == ["turn_next"]
    assert list(rules.legal_actions(free, BLUE, "turn_next")) == []
    assert list(rules.legal_actions(add_prompt(free, "b", Owes.REACTION), RED, "turn_next")) == []


def test_turn_every_prompt_button_is_a_legal_action() -> None:
    rules = Magdala()
    state = field(
        unit("zulus", morale=Morale.HALTED, held_turns=1), unit("mahdist-spears", "b", BLUE), unit("zulus", "c")
    )
    state = add_prompt(add_prompt(state, "b", Owes.UNDER_FIRE), "c", Owes.REACTION)
    for item in prompts(state):
        for offer in item.offers:
            after, _ = rules.act(state, rules.parse(offer.kind, dict(offer.args)), dice(*[4] * 9))
            assert after != state


@given(turns=st.integers(1, 12))
def test_turn_keeps_one_prompt_of_a_kind(turns: int) -> None:
    state = field(unit("zulus", morale=Morale.RETREATING, retreats_in_a_row=1), unit("zulus", "b", BLUE))
    for _ in range(turns):
        state, _ = TURN.execute(state, TurnNext(waive=True), NoDice())
    assert len(state.prompts) <= 1


def test_turn_question_without_a_game_ends_no_turn() -> None:
    rules = Magdala()
    state, action = rules.ad_hoc.set_up("morale", {"troop": "zulus", "losses": 9, "with": "lost a melee"})
    after, report = rules.act(state, action, dice(1, 1))
    assert after.unit("unit").morale is Morale.ROUTED
    assert after.over is None
    assert "game ends" not in text_of(report)


def test_legal_actions_of_a_kind_are_the_owed_ones() -> None:
    state = add_prompt(add_prompt(field(unit("zulus"), unit("zulus", "c")), "a", Owes.UNDER_FIRE), "c", Owes.REACTION)
    system = Magdala()
    for viewer in (RED, UMPIRE):
        assert [(action.kind, action.unit) for action in system.legal_actions(state, viewer, "morale")] == [
            ("morale", "a")
        ]
        assert [(action.kind, action.unit) for action in system.legal_actions(state, viewer, "reaction")] == [
            ("reaction", "c")
        ]
    assert list(system.legal_actions(state, BLUE, "morale")) == []
