"""BE-1: nine phases in order, three of them simultaneous; initiative and markers."""

from typing import Any

import pytest

from rules.core.dice import NoDice
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.state import Verdict
from rules.empire.model import EmpireState, Health, Reserve
from rules.empire.phases import NUMBERS, Phase
from rules.empire.ruleset import Empire
from rules.empire.tables import TABLES
from rules.empire.turning import sequence
from rules.empire.turning.turn import TurnNext, blocking_prompts

from .field import BLUE, RED, contact_of, dice, field, play_part, text_of, two_companies, unit, with_memory

EMPIRE = Empire()


def end_phase(state: EmpireState, side: str | None = None, *faces: int) -> tuple[EmpireState, Report]:
    return EMPIRE.act(state, TurnNext(side=side), dice(*faces))


def test_be_1_sequence_equals_the_printed_one() -> None:
    assert list(NUMBERS.values()) == ["1", "2", "3", "4A", "4B", "4a", "5", "6", "7", "8", "9"]
    assert [row.label for row in TABLES.charts["sequence"].rows] == [phase.value for phase in Phase]


def test_be_1_first_side_to_end_a_phase_leaves_the_other_sides_button() -> None:
    state = field(*two_companies(), phase=Phase.RIFLES, scenario="el-teb-1884")
    after, _ = end_phase(state, RED)
    assert after.acting_sides == (BLUE,)
    (prompt,) = [item for item in EMPIRE.prompts(after) if item.key.startswith("pass:")]
    assert [EMPIRE.parse(offer.kind, offer.args) for offer in prompt.offers] == [TurnNext(side=BLUE)]


def test_be_1_a_turn_is_walked_phase_by_phase() -> None:
    ours, theirs = two_companies()
    guns = unit("field-gun", "g", RED, at=(26, 30))
    commander = unit("army-commander", "c", RED, at=(24, 34))
    state = field(ours, theirs, guns, commander, phase=Phase.REINFORCEMENTS)
    walked = []
    state, _ = end_phase(state)
    while state.turn == 1:
        walked.append(
            (state.current_phase, state.active if state.current_phase in (Phase.COMMANDERS, Phase.UNITS) else "")
        )
        if state.current_phase is Phase.INITIATIVE:
            state = state.model_copy(update={"initiative": {}, "first": BLUE})
        state, _ = end_phase(state, None, *((5, 3) if state.current_phase is Phase.BAYONETS else ()))
        state = state.model_copy(update={"dooms": ()})
        if state.turn > 1:
            break
    assert walked == [
        (Phase.BAYONETS, ""),
        (Phase.INITIATIVE, ""),
        (Phase.COMMANDERS, RED),
        (Phase.UNITS, BLUE),
        (Phase.UNITS, RED),
        (Phase.ARTILLERY, ""),
        (Phase.RIFLES, ""),
    ]


def test_be_1_report_names_skipped_phases() -> None:
    state = field(*two_companies(), phase=Phase.RIFLES)
    after, report = end_phase(state)
    assert after.turn == 2
    assert "Phase 8 (melee): nobody has anything to do" in text_of(report)
    assert "Phase 9 (critical hits): nobody has anything to do" in text_of(report)


def test_be_1_simultaneous_phase_ends_when_both_sides_end_it() -> None:
    state = field(*two_companies(), phase=Phase.RIFLES)
    after_red, report = end_phase(state, RED)
    assert after_red.current_phase is Phase.RIFLES
    assert after_red.acting_sides == (BLUE,)
    assert "Waiting for the Blue" in report.outcome
    with pytest.raises(Refused, match=r"The Red have already ended phase 7 \(.*\); it waits for the Blue"):
        end_phase(after_red, RED)
    with pytest.raises(Refused, match=r"There is no side “green”\. The sides: red, blue\."):
        end_phase(after_red, "green")
    after_both, _ = end_phase(after_red, BLUE)
    assert after_both.turn == 2


def test_be_1_the_umpire_ends_a_phase_for_both() -> None:
    state = field(*two_companies(), phase=Phase.RIFLES)
    assert end_phase(state, None)[0].turn == 2
    assert EMPIRE.side_of(state, TurnNext()) == "umpire"
    assert EMPIRE.side_of(state, TurnNext(side=BLUE)) == BLUE
    assert EMPIRE.side_of(state, TurnNext(side=BLUE, waive=True)) == "umpire"


def test_be_1_umpire_ends_a_phase_for_all_and_each_side_for_itself() -> None:
    moving, shooting = (field(*two_companies(), phase=phase) for phase in (Phase.UNITS, Phase.RIFLES))
    assert [EMPIRE.side_of(state, TurnNext()) for state in (moving, shooting)] == [RED, "umpire"]
    assert [EMPIRE.side_of(shooting, TurnNext(side=side)) for side in (RED, BLUE)] == [RED, BLUE]


def test_be_1_sides_move_one_after_the_other() -> None:
    state = field(*two_companies(), phase=Phase.UNITS)
    with pytest.raises(Refused, match="The Red move now"):
        end_phase(state, BLUE)
    after, _ = end_phase(state, RED)
    assert (after.current_phase, after.active) == (Phase.UNITS, BLUE)


def test_be_1_idle_side_ends_its_phase_automatically() -> None:
    ours, _ = two_companies()
    spears = unit("dervishes", "b", BLUE, at=(20, 15, 180))
    state, report = end_phase(
        field(ours, spears, unit("field-gun", "g", RED, at=(26, 30)), phase=Phase.UNITS, active=BLUE)
    )
    assert state.current_phase is Phase.ARTILLERY
    assert state.done == (BLUE,)
    assert "The Blue have nothing to do" in report.outcome


def gun_duel() -> EmpireState:
    """Return phase 6 after red's gun moved and blue's did not. Neither side has ended the phase."""
    guns = (unit("field-gun", "g", RED, name="Battery", at=(20, 30)), unit("field-gun", "h", BLUE, at=(20, 10, 180)))
    state = field(*guns, phase=Phase.UNITS)
    state, _ = EMPIRE.act(state, EMPIRE.parse("move", {"unit": "g", "to": "forward 3"}), NoDice())
    for side in (RED, BLUE):
        state, _ = end_phase(state, side)
    return state


def test_be_1_refusal_explains_why_moved_guns_ended_the_phase() -> None:
    state = gun_duel()
    assert (state.current_phase, state.done) == (Phase.ARTILLERY, (RED,))
    with pytest.raises(Refused, match=r"The Red have nothing left to do in phase 6 \(.*\); it waits for the Blue"):
        end_phase(state, RED)
    with pytest.raises(Refused, match="Battery moved this turn: guns that move more than a pivot do not fire"):
        EMPIRE.act(state, EMPIRE.parse("fire", {"unit": "g", "target": "h"}), NoDice())


def test_be_1_refusal_tells_a_side_that_it_ended_the_phase() -> None:
    state = gun_duel()
    moved_too = EMPIRE.parse("option", {"name": "guns fire after moving", "value": "yes"})
    state, _ = EMPIRE.act(state, moved_too, NoDice())
    with pytest.raises(Refused, match="ended this phase: they said so, or had nothing to do in it"):
        EMPIRE.act(state, EMPIRE.parse("fire", {"unit": "g", "target": "h"}), NoDice())


def test_be_1_report_warns_that_moving_guns_do_not_fire() -> None:
    gun, machine_gun = unit("field-gun", "g", RED, at=(20, 30)), unit("maxim", "m", BLUE, at=(20, 2, 180))
    pieces = (unit("leader", "l", RED, at=(2, 2)), unit("leader", "k", BLUE, at=(8, 2)))
    start = field(gun, machine_gun, *pieces, phase=Phase.COMMANDERS, active=BLUE)
    red, report = end_phase(start, BLUE)
    warning = "Guns that move more than a pivot do not fire that turn (BE-3, house rule)."
    assert (red.current_phase, red.active) == (Phase.UNITS, RED)
    assert warning in report.outcome
    _, report = end_phase(red, RED)
    assert warning not in report.outcome
    may = field(
        gun, machine_gun, *pieces, phase=Phase.COMMANDERS, active=BLUE, options={"guns_fire_after_moving": True}
    )
    assert warning not in end_phase(may, BLUE)[1].outcome


def test_be_1_two_units_destroy_each_other_in_one_phase() -> None:
    state = field(
        unit("british-regulars", "a", RED, at=(20, 30), kills=3, shaken=True),
        unit("british-regulars", "b", BLUE, at=(20, 20, 180), kills=3, shaken=True),
        unit("british-regulars", "c", RED, at=(40, 30)),
        unit("british-regulars", "d", BLUE, at=(40, 10, 180)),
        phase=Phase.RIFLES,
        options={"broken_at": 1},
    )
    for firer, target in (("a", "b"), ("b", "a")):
        state, _ = EMPIRE.act(state, EMPIRE.parse("fire", {"unit": firer, "target": target}), dice(6, 6, 6, 6))
        assert state.unit("a").on_table
        assert state.unit("b").on_table
    after, report = end_phase(state)
    assert not after.unit("a").on_table
    assert not after.unit("b").on_table
    assert {"a", "b"} <= set(report.units)


def test_be_1_the_initiative_is_a_d6_a_side_ties_thrown_again() -> None:
    state = field(*two_companies(), phase=Phase.INITIATIVE)
    after, steps = play_part(sequence.throw_initiative, state, with_dice=dice(3, 3, 2, 5))
    assert [step.verdict for step in steps] == ["a tie, thrown again", "the Blue have it"]
    assert sequence.initiative_winner(after) == BLUE


def test_be_1_winner_chooses_the_first_side() -> None:
    state = field(*two_companies(), phase=Phase.INITIATIVE, initiative={RED: 2, BLUE: 5})
    order = EMPIRE.parse("first", {"side": RED})
    assert EMPIRE.side_of(state, order) == BLUE
    with pytest.raises(Refused, match="Still to decide"):
        end_phase(state)
    with pytest.raises(Refused, match=r"Who moves first is said in .*, by whoever has won it. Now: "):
        EMPIRE.act(state.model_copy(update={"initiative": {}}), order, NoDice())
    chosen, report = EMPIRE.act(state, order, NoDice())
    assert chosen.first == RED
    assert "Red move first" in report.headline
    assert (chosen.current_phase, chosen.active) == (Phase.UNITS, RED)


def test_be_1_without_dice_the_side_of_the_scenario_moves_first() -> None:
    state = field(*two_companies(), phase=Phase.BAYONETS, first=BLUE, options={"initiative_by_dice": False})
    after, report = end_phase(state)
    assert (after.current_phase, after.active) == (Phase.UNITS, BLUE)
    assert "as the scenario has it" in text_of(report)


def test_be_1_phase_5_takes_disorder_from_all_and_low_ammunition_from_the_supplied() -> None:
    state = field(
        unit("british-regulars", "a", RED, at=(20, 30), disordered=True, low_ammo=True),
        unit("british-regulars", "c", RED, at=(40, 30), low_ammo=True),
        unit("mules", "m", RED, at=(20, 31.7)),
        unit("british-regulars", "b", BLUE, at=(20, 15, 180), disordered=True),
        active=BLUE,
    )
    after, report = end_phase(state)
    assert not any(after.unit(unit_id).disordered for unit_id in "ab")
    assert not after.unit("a").low_ammo
    assert after.unit("c").low_ammo
    assert "Still low on ammunition, with no mules or wagon: C" in text_of(report)
    printed_rule = state.model_copy(update={"options": state.options.model_copy(update={"low_ammo_by_supply": False})})
    printed, printed_report = end_phase(printed_rule)
    assert not printed.unit("c").low_ammo
    assert "No longer low on ammunition: A and C" in text_of(printed_report)
    assert [str(step.cite) for step in printed_report.steps if "ammunition" in step.text] == ["BE-1"]


def test_be_1_killed_or_absent_mules_supply_no_unit() -> None:
    low = unit("british-regulars", "a", RED, at=(20, 30), low_ammo=True)
    enemy = unit("british-regulars", "b", BLUE, at=(20, 15, 180))
    for health in (Health.OUT, Health.KILLED):
        mules = unit("mules", "m", RED, at=(20, 31.7), health=health, out_until=9, attached_to="a")
        assert end_phase(field(low, enemy, mules, active=BLUE))[0].unit("a").low_ammo


def test_be_1_new_turn_clears_the_turn_memory() -> None:
    ours, theirs = two_companies()
    state = field(with_memory(ours, tested=True, moved=6.0, fanatic=True, kills=1), theirs, phase=Phase.CRITICAL)
    after, _ = end_phase(state)
    assert after.turn == 2
    assert after.unit("a").this_turn == type(ours.this_turn)()


def test_be_1_commanders_who_were_out_come_back_and_leave_the_destroyed() -> None:
    ours, theirs = two_companies()
    gone = unit("british-regulars", "gone", RED, at=(50, 30), destroyed=True)
    out_leader = unit("leader", "l", RED, at=(50, 30), attached_to="gone", health=Health.OUT, out_until=1)
    leader = with_memory(out_leader, critical_thrown=True)
    later = unit("leader", "m", RED, at=(52, 30), health=Health.OUT, out_until=2, attached_to="a")
    after, _ = end_phase(field(ours, theirs, gone, leader, later, phase=Phase.CRITICAL, options={"broken_at": 1}))
    assert after.unit("l").health is Health.WELL
    assert after.unit("l").attached_to is None
    assert (after.unit("m").health, after.unit("m").attached_to) == (Health.OUT, "a")


def test_be_1_shaken_units_block_the_phase_until_they_test() -> None:
    ours, theirs = two_companies()
    shaken = ours.model_copy(update={"shaken": True})
    state = field(shaken, theirs)
    with pytest.raises(Refused) as refused:
        end_phase(state, RED)
    assert [item.unit for item in refused.value.prompts] == ["a"]
    assert not [prompt for prompt in EMPIRE.prompts(state) if prompt.key.startswith("pass:")]
    after, report = EMPIRE.act(state, TurnNext(waive=True), NoDice())
    assert after.active == BLUE
    assert "A are shaken and must test||waived" in text_of(report)


def test_be_1_open_melee_blocks_the_phase() -> None:
    ours, theirs = two_companies()
    state = field(ours, theirs, contacts=(contact_of("a", "b"),), phase=Phase.MELEE)
    assert blocking_prompts(state, (RED, BLUE))


def test_be_1_phases_stop_when_the_game_is_over() -> None:
    ours, theirs = two_companies()
    destroyed = theirs.model_copy(update={"destroyed": True})
    state, _ = play_part(sequence.end_phase, field(ours, destroyed, phase=Phase.RIFLES))
    assert state.current_phase is Phase.RIFLES
    assert (
        sequence.phase_instructions(state)
        == sequence.phase_instructions(field(ours, theirs, over=Verdict(winner=None, why="Night.")))
        == ""
    )
    assert sequence.phase_instructions(field(ours, theirs, phase=Phase.RIFLES))


def test_idle_phases_are_skipped_for_at_most_a_turn() -> None:
    state = field(phase=Phase.CRITICAL, options={"initiative_by_dice": False})
    after, _ = end_phase(state)
    assert (after.turn, after.current_phase, after.over) == (3, Phase.REINFORCEMENTS, None)
    later, _ = end_phase(after)
    assert (later.turn, later.current_phase) == (4, Phase.REINFORCEMENTS)


def test_reinforcement_that_is_due_after_skipped_phases_is_thrown_for() -> None:
    late = unit("zulus", reserve=Reserve(turn=3, x=1, y=1))
    after, _ = end_phase(field(late, phase=Phase.CRITICAL, options={"initiative_by_dice": False}), None, 6)
    assert after.turn == 3
    assert after.unit("a").on_table


def test_be_1_report_names_tested_units_that_did_not_move() -> None:
    ours, theirs = two_companies()
    state = field(with_memory(ours, tested=True, allowed=9.0, result="fast"), theirs)
    _, report = end_phase(state, RED)
    assert report.warnings == ('Tested and not moved: A (9"). /game undo goes back to it.',)
    assert end_phase(field(ours, theirs), RED)[1].warnings == ()


@pytest.mark.parametrize(
    ("fields", "keys"),
    [
        ({"phase": Phase.RIFLES}, [f"pass:1:{Phase.RIFLES}:{side}" for side in (RED, BLUE)]),
        ({"phase": Phase.RIFLES, "over": Verdict(winner=RED, why="")}, []),
        ({"phase": Phase.INITIATIVE, "initiative": {RED: 2, BLUE: 5}}, []),
    ],
)
def test_be_1_no_prompt_to_end_a_phase_after_the_end_or_before_the_initiative(
    fields: dict[str, Any], keys: list[str]
) -> None:
    state = field(*two_companies(), **fields)
    assert [prompt.key for prompt in EMPIRE.prompts(state) if prompt.key.startswith("pass:")] == keys


def test_be_1_winner_of_the_initiative_may_choose_either_side() -> None:
    state = field(*two_companies(), phase=Phase.INITIATIVE, initiative={RED: 2, BLUE: 5})
    for viewer, sides in ((BLUE, [RED, BLUE]), ("umpire", [RED, BLUE]), (RED, [])):
        assert [order.side for order in EMPIRE.legal_actions(state, viewer, "first")] == sides
    assert not list(EMPIRE.legal_actions(field(*two_companies(), phase=Phase.RIFLES), BLUE, "first"))


def test_be_1_side_may_end_its_phase_without_blocking_prompts() -> None:
    state = field(*two_companies(), phase=Phase.RIFLES)
    for viewer, sides in ((BLUE, [BLUE]), (RED, [RED]), ("umpire", [RED, BLUE])):
        assert [order.side for order in EMPIRE.legal_actions(state, viewer, TurnNext.kind)] == sides
    held_up = field(*two_companies(), contacts=(contact_of("a", "b"),), phase=Phase.MELEE)
    assert [order.side for order in EMPIRE.legal_actions(held_up, "umpire", TurnNext.kind)] == [BLUE]
