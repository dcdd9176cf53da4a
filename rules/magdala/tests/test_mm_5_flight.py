"""Flight in detail: witnesses, route, cited rule, and effects (MM-5.7 to MM-5.10)."""

import pytest

from rules.core.dice import NoDice
from rules.core.model import UMPIRE, Cite
from rules.core.ruleset import Refused
from rules.core.tabletop.battle import Edge, Place
from rules.magdala.engagement import start_melee
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale
from rules.magdala.model import Test as Owes
from rules.magdala.morale.flight import give_way_at_half_strength, make_unit_flee, remove_from_table
from rules.magdala.morale.retreat import PURSUIT, RETIRE, RETREAT, Pursuit, Retire, Retreat
from rules.magdala.morale.testing import MORALE, REACTION, MoraleTest, Reaction
from rules.magdala.stored_prompts import add_prompt, prompts_of
from rules.magdala.turn import TURN, TurnNext, prompts

from .field import BLUE, RED, dice, field, play_part, text_of, unit

RULE = Cite(rule="MM-5.10")


def reactions(state: MagdalaState) -> list[tuple[str, bool]]:
    return [(prompt.unit, prompt.routing) for prompt in state.prompts if prompt.test is Owes.REACTION]


def end_turns(state: MagdalaState, times: int = 1) -> MagdalaState:
    for _ in range(times):
        state, _ = TURN.execute(state, TurnNext(), NoDice())
    return state


# MM-5.10: who reacts, and how often


def test_mm_5_10_rout_after_a_retreat_makes_the_owed_reaction_worse() -> None:
    state = field(*(unit("zulus", name, at=(20 + 8 * n, 20)) for n, name in enumerate("acd")))
    state, _ = play_part(make_unit_flee, state, "a", "", RULE)
    assert reactions(state) == [("c", False), ("d", False)]
    state, _ = play_part(make_unit_flee, state, "d", "", RULE, Morale.ROUTED)
    assert reactions(state) == [("c", True)]
    _, report = REACTION.execute(state, Reaction(unit="c"), dice(4))
    assert "friends are routing" in text_of(report)


def test_mm_5_10_retreat_after_a_rout_does_not_improve_the_reaction() -> None:
    state = field(*(unit("zulus", name, at=(20 + 8 * n, 20)) for n, name in enumerate("acd")))
    state, _ = play_part(make_unit_flee, state, "a", "", RULE, Morale.ROUTED)
    state, _ = play_part(make_unit_flee, state, "d", "", RULE)
    assert reactions(state) == [("c", True)]


def test_mm_5_10_a_test_already_thrown_is_followed_by_another() -> None:
    state = field(
        unit("zulus", general="g", at=(20, 20)), unit("native-commander", "g"), unit("zulus", "c", at=(26, 20))
    )
    state, _ = REACTION.execute(add_prompt(state, "a", Owes.REACTION), Reaction(unit="a"), dice(1))
    state, _ = play_part(make_unit_flee, state, "c", "", RULE, Morale.ROUTED)
    assert [(prompt.failed, prompt.routing) for prompt in prompts_of(state, "a", Owes.REACTION)] == [
        (True, False),
        (False, True),
    ]
    assert [[offer.kind for offer in item.offers] for item in prompts(state) if item.unit == "a"] == [
        ["reroll", "decline"],
        [],
    ]


def test_mm_5_10_only_friends_within_12_inches_of_the_way_react_each_once_in_a_flight() -> None:
    friends = (unit("zulus", "n", at=(30, 26)), unit("zulus", "far", at=(60, 44)))
    state = field(unit("zulus", "f", at=(30, 20)), *friends, home_edges={RED: Edge.NORTH})
    state, _ = play_part(make_unit_flee, state, "f", "", RULE, Morale.ROUTED)
    assert reactions(state) == [("n", True)]
    state, _ = REACTION.execute(state, Reaction(unit="n"), dice(6))
    state, _ = RETREAT.execute(state, Retreat(unit="f"), dice(1, 1))
    assert reactions(state) == []
    state, _ = RETREAT.execute(end_turns(state, 2), Retreat(unit="f"), dice(1, 1))
    assert reactions(state) == []


@pytest.mark.parametrize("morale", [Morale.RETREATING, Morale.ROUTED, Morale.PURSUING, Morale.OFF_TABLE])
def test_mm_5_10_cascade_skips_fleeing_pursuing_and_gone_units(morale: Morale) -> None:
    state = field(unit("zulus", at=(20, 20)), unit("zulus", "c", at=(26, 20), morale=morale))
    assert reactions(play_part(make_unit_flee, state, "a", "", RULE, Morale.ROUTED)[0]) == []


def test_mm_5_10_rout_cancels_an_owed_reaction() -> None:
    state = field(unit("zulus", at=(20, 20)), unit("zulus", "c", at=(26, 20)))
    state, _ = play_part(
        make_unit_flee, play_part(make_unit_flee, state, "a", "", RULE, Morale.ROUTED)[0], "c", "", RULE, Morale.ROUTED
    )
    assert reactions(state) == []


def test_mm_5_10_pursuers_do_not_react() -> None:
    state = add_prompt(
        add_prompt(field(unit("mahdist-spears"), unit("zulus", "b", BLUE)), "a", Owes.REACTION), "a", Owes.PURSUIT
    )
    assert reactions(PURSUIT.execute(state, Pursuit(unit="a"), dice(1))[0]) == []


def test_mm_5_8_a_lost_melee_is_settled_before_any_reaction() -> None:
    state = start_melee(field(unit("sudanese-regulars", casualties=9), unit("mahdist-cavalry", "b", BLUE)), "b", "a")
    state = add_prompt(add_prompt(state, "a", Owes.REACTION), "a", Owes.MELEE_LOST, by="b", lost_in_a_row=1)
    with pytest.raises(Refused, match="Do that first"):
        REACTION.execute(state, Reaction(unit="a"), NoDice())
    assert [item.offers != () for item in prompts(state) if item.unit == "a"] == [False, True, False]
    state, _ = MORALE.execute(state, MoraleTest(unit="a"), dice(1, 1))
    assert [prompt.test for prompt in prompts_of(state, "b")] == [Owes.PURSUIT]


def test_mm_5_8_loser_of_a_melee_gets_no_reaction_test() -> None:
    state, _ = play_part(
        make_unit_flee, field(unit("zulus", "f"), unit("zulus"), unit("zulus", "c")), "f", "", RULE, Morale.ROUTED
    )
    state = add_prompt(state, "a", Owes.MELEE_LOST)
    item = next(item for item in prompts(state) if item.unit == "f" and not item.required)
    assert [offer.args["unit"] for offer in item.offers] == ["c"]


# MM-5.10: modifiers


def reaction_modifiers(
    of: MagdalaUnit, *others: MagdalaUnit, circumstances: tuple[str, ...] = ()
) -> list[tuple[str, int, bool]]:
    state = add_prompt(field(of, *others), "a", Owes.REACTION)
    modifiers = REACTION.odds_of(state, Reaction(unit="a", circumstances=circumstances)).steps[0].modifiers
    leisure = "neither engaged nor under fire"
    return [
        (modifier.reason, int(modifier.value), modifier.secret) for modifier in modifiers if modifier.reason != leisure
    ]


def test_mm_5_10_an_imam_is_no_general() -> None:
    assert reaction_modifiers(unit("zulus", general="i"), unit("imam", "i")) == []
    assert reaction_modifiers(unit("zulus", general="i"), unit("native-commander", "i")) == [
        ("general with the unit", 1, False)
    ]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"secret_quality": -2}, [("secret quality", -1, True)]),
        ({"secret_quality": 1}, [("secret quality", 0, True)]),
        ({"secret_quality": -1, "quality": -1}, [("poor quality", -1, False), ("secret quality", 0, True)]),
        ({"secret_quality": -2, "secret_known": True}, [("poor quality", -1, False)]),
        ({"secret_quality": 1, "secret_known": True}, []),
    ],
)
def test_mm_5_10_a_secret_poor_quality_counts_in_secret(
    fields: dict[str, object], expected: list[tuple[str, int, bool]]
) -> None:
    assert reaction_modifiers(unit("zulus", **fields)) == expected


def test_mm_5_10_sum_does_not_reveal_the_secret() -> None:
    reports = []
    for secret in (-1, 1):
        state = add_prompt(field(unit("zulus", secret_quality=secret)), "a", Owes.REACTION)
        _, report = REACTION.execute(state, Reaction(unit="a"), dice(6))
        reports.append(report.view_for(BLUE))
        assert "secret" in str(report.view_for(UMPIRE))
    assert reports[0] == reports[1]


def test_mm_5_10_troops_at_their_best_ignore_poor_quality() -> None:
    conscripts = unit("egyptian-conscripts")
    assert reaction_modifiers(conscripts) == [("poor quality", -1, False)]
    assert reaction_modifiers(conscripts, circumstances=("at its best",)) == []


def test_mm_5_10_the_umpires_own_adjustment_is_a_ruling() -> None:
    state = add_prompt(field(unit("zulus")), "a", Owes.REACTION)
    modifiers = REACTION.odds_of(state, Reaction(unit="a", circumstances=("umpire +1",))).steps[0].modifiers
    assert str(next(modifier.cite for modifier in modifiers if modifier.reason == "umpire")) == "MM-5.10, ruling"


# MM-5.10: odds of a test not owed; calls that would raise the dead


def test_mm_5_10_odds_work_for_a_test_that_is_not_owed() -> None:
    state = field(unit("zulus"), unit("zulus", "f", morale=Morale.ROUTED))
    calm, routing = REACTION.odds_of(state, Reaction(unit="a")), REACTION.odds_of(state, Reaction(unit="a", by="f"))
    assert "if it tested now" in calm.question
    assert calm.outcomes[0].chance > routing.outcomes[0].chance
    with pytest.raises(Refused, match="have no reaction"):
        REACTION.execute(state, Reaction(unit="a"), NoDice())


@pytest.mark.parametrize("kind", [MoraleTest, Reaction])
@pytest.mark.parametrize("morale", [Morale.ROUTED, Morale.RETREATING, Morale.PURSUING])
def test_mm_5_8_umpires_call_does_not_rally_a_fleeing_unit(kind: type, morale: Morale) -> None:
    state = field(unit("zulus", morale=morale, leaving=True))
    act = MORALE.execute if kind is MoraleTest else REACTION.execute
    with pytest.raises(Refused, match=morale.value):
        act(state, kind(unit="a", circumstances=("umpire's call",)), NoDice())


# MM-5.10: the retreat of a halted unit


@pytest.mark.parametrize("morale", [Morale.HALTED, Morale.PINNED])
def test_mm_5_10_rallied_unit_that_was_halted_before_is_halted_again(morale: Morale) -> None:
    regulars = unit("sudanese-regulars", at=(36, 24), morale=morale, half_effect_next_fire=True)
    state, _ = REACTION.execute(
        add_prompt(field(regulars, unit("zulus", "z", BLUE)), "a", Owes.REACTION), Reaction(unit="a"), dice(1)
    )
    state, _ = RETREAT.execute(state, Retreat(unit="a"), NoDice())
    state, report = REACTION.execute(end_turns(state, 2), Reaction(unit="a"), dice(6))
    assert (state.unit("a").morale, state.unit("a").half_effect_next_fire) == (Morale.HALTED, True)
    assert "halted as before" in text_of(report)


# MM-5.1, MM-5.7: pinned


def test_mm_5_1_a_pinned_unit_holds_its_ground_through_a_turn_of_its_own() -> None:
    pinned = unit("sudanese-regulars", morale=Morale.PINNED)
    state = field(pinned, unit("zulus", "z", BLUE))
    assert prompts(state) == ()
    with pytest.raises(Refused, match="are pinned"):
        RETIRE.execute(state, Retire(unit="a"), NoDice())
    state = end_turns(state, 2)
    assert [offer.kind for offer in prompts(state)[0].offers] == ["morale", "retire"]
    assert RETIRE.execute(state, Retire(unit="a"), NoDice())[0].unit("a").morale is Morale.RETREATING


# MM-5.9: supports; MM-4.6: the way


def state_at_half_strength() -> MagdalaState:
    """Return a state in which `a` has lost half its figures, and `c` stands behind it."""
    of = unit("sudanese-regulars", at=(30, 24), casualties=10)
    state = field(of, unit("sudanese-regulars", "c", at=(30, 40)), unit("zulus", "z", BLUE, at=(30, 10)))
    return play_part(give_way_at_half_strength, state, "a")[0]


def test_mm_5_9_unit_leaves_the_field_when_its_supports_vanish() -> None:
    state = state_at_half_strength()
    assert not state.unit("a").leaving
    state, _ = RETREAT.execute(remove_from_table(state, "c"), Retreat(unit="a"), NoDice())
    assert state.unit("a").leaving
    for _ in range(6):
        if not state.unit("a").on_table:
            break
        state, _ = RETREAT.execute(add_prompt(state, "a", Owes.RETREAT), Retreat(unit="a"), NoDice())
    assert not state.unit("a").on_table


def test_mm_5_9_new_supports_keep_a_unit_on_the_field() -> None:
    state = remove_from_table(state_at_half_strength(), "c")
    state, _ = RETREAT.execute(state, Retreat(unit="a"), NoDice())
    state = state.with_unit(unit("sudanese-regulars", "d", at=(40, 30)))
    state, _ = RETREAT.execute(add_prompt(state, "a", Owes.RETREAT), Retreat(unit="a"), NoDice())
    assert not state.unit("a").leaving


@pytest.mark.parametrize(("flees", "x"), [("routs", 2), ("retreats", 14)])
def test_mm_4_6_routed_units_go_to_the_nearest_edge_and_retreats_to_their_own(flees: str, x: float) -> None:
    of = unit("sudanese-regulars", at=(8, 24, 90), casualties=10)
    state = field(of, unit("zulus", "z", BLUE, at=(40, 24)), home_edges={RED: Edge.EAST})
    state, _ = (
        play_part(make_unit_flee, state, "a", "", RULE, Morale.ROUTED)
        if flees == "routs"
        else play_part(give_way_at_half_strength, state, "a")
    )
    state, _ = RETREAT.execute(state, Retreat(unit="a"), NoDice())
    assert state.unit("a").place == Place(x=x, y=24, facing=90)


# the cited rule


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"morale": Morale.ROUTED}, "MM-5.8"),
        ({"morale": Morale.ROUTED, "retreats_in_a_row": 2}, "MM-5.10"),
        ({"morale": Morale.RETREATING}, "MM-5.7"),
        ({"morale": Morale.RETREATING, "leaving": True}, "MM-5.9"),
        ({"morale": Morale.RETREATING, "casualties": 18}, "MM-5.9"),
        ({"morale": Morale.RETREATING, "retreats_in_a_row": 1}, "MM-5.10"),
    ],
)
def test_mm_5_7_to_5_10_owed_retreat_cites_its_cause(fields: dict[str, object], rule: str) -> None:
    state = add_prompt(field(unit("zulus", **fields), unit("zulus", "z", BLUE)), "a", Owes.RETREAT)
    assert prompts(state)[0].cite.rule == rule


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"morale": Morale.ROUTED}, "MM-5.8"),
        ({"morale": Morale.RETREATING, "leaving": True, "casualties": 18}, "MM-5.9"),
    ],
)
def test_mm_5_8_and_5_9_exit_cites_its_rule(fields: dict[str, object], rule: str) -> None:
    state = add_prompt(field(unit("zulus", at=(36, 2), **fields), unit("zulus", "z", BLUE)), "a", Owes.RETREAT)
    state, report = RETREAT.execute(state, Retreat(unit="a"), dice(6, 6))
    assert not state.unit("a").on_table
    assert next(step for step in report.steps if step.text.endswith(" leave the table")).cite.rule == rule


def test_mm_4_6_exit_of_pursuers_cites_its_rule() -> None:
    state = add_prompt(field(unit("zulus", at=(36, 2), morale=Morale.PURSUING)), "a", Owes.PURSUIT_MOVE)
    _, report = PURSUIT.execute(state, Pursuit(unit="a"), dice(6, 6))
    assert next(step for step in report.steps if step.text.endswith(" leave the table")).cite.rule == "MM-4.6"


# without positions


def test_mm_5_10_umpire_is_reminded_when_an_unplaced_unit_flees() -> None:
    state = field(unit("sudanese-regulars"), unit("sudanese-regulars", "c"), unit("zulus", "b", BLUE), active=BLUE)
    state, _ = play_part(make_unit_flee, state, "a", "", RULE)
    state, report = TURN.execute(state, TurnNext(), NoDice())
    assert "friends within 12 inches test their reaction||nobody was named; let go by|MM-5.10" in text_of(report)
    assert [item.cite.rule for item in prompts(state)] == ["MM-5.7"]
    state, _ = RETREAT.execute(state, Retreat(unit="a"), NoDice())
    assert [dict(offer.args) for item in prompts(state) for offer in item.offers] == [{"unit": "c", "by": "a"}]


def test_mm_5_10_friends_react_to_unplaced_units_that_leave() -> None:
    state, _ = play_part(
        make_unit_flee,
        field(unit("zulus"), unit("zulus", "c"), unit("mahdist-spears", "b", BLUE)),
        "a",
        "",
        RULE,
        Morale.ROUTED,
    )
    state, _ = RETREAT.execute(end_turns(state.model_copy(update={"active": BLUE})), Retreat(unit="a"), dice(3, 3))
    item = next(item for item in prompts(state) if not item.required)
    assert (state.unit("a").on_table, item.text) == (False, "A rout: friends within 12 inches test their reaction")


def test_mm_5_10_done_reaction_is_not_reported_as_missed() -> None:
    before = field(unit("zulus"), unit("zulus", "c"), unit("mahdist-spears", "b", BLUE), active=BLUE)
    state, _ = play_part(make_unit_flee, before, "a", "", RULE, Morale.ROUTED)
    state, _ = REACTION.execute(state, Reaction(unit="c", by="a"), dice(6))
    _, report = TURN.execute(state, TurnNext(), NoDice())
    assert "let go by" not in text_of(report)
