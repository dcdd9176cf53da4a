"""Tests of the order of actions: formations by sequence of play, stacks by their lead (TA-2)."""

import pytest

from rules.core.ruleset import Refused
from rules.tanga.automaton import sequence
from rules.tanga.british import BritishStep
from rules.tanga.field import acting_order_key
from rules.tanga.progress import Stage

from .acting import act, run, with_british_turn
from .field import dice, formation, hex_at, state_of, unit

OPEN = {"*": "open"}
RAJPUTS = formation("13", entry=hex_at("2516"))
PIONEERS = formation("61", entry=hex_at("2515"))


def test_ta_2_formations_act_in_the_order_of_the_sequence_of_play() -> None:
    state = state_of("IS hq 4006", "61 A 3310", "13 A 3305", "17.FK 1 2608")
    order = []
    while (next_formation := sequence.acting_formation(state)) is not None:
        order.append(next_formation.id)
        state = with_british_turn(state, done=(*state.british.done, next_formation.id))
    assert order == ["13", "61", "IS"]


def test_ta_2_formation_without_units_does_not_act() -> None:
    state = state_of("13 A off eliminated", "61 A 3310", "LNL A off", formations=(formation("LNL", arrives=3),))
    assert getattr(sequence.acting_formation(state), "id", None) == "61"


def test_ta_2_formation_out_of_turn_is_refused_by_name() -> None:
    state = state_of("13 A 3305", "61 A 3310", formations=(RAJPUTS, PIONEERS))
    with pytest.raises(Refused, match="turn of 13"):
        act(state, BritishStep(formation="61"), dice())


def test_ta_2_a_battalion_acts_by_companies_then_machine_gun_a_staff_artillery_first() -> None:
    state = state_of("13 mg 3305", "13 B 3306", "13 A 3307", "IS hq 3903", "IS mg 3903", "IS art 3903")
    order = sorted(state.units.values(), key=lambda unit: (unit.formation, acting_order_key(state, unit)))
    assert [unit.id for unit in order] == ["13-a", "13-b", "13-mg", "is-art", "is-hq", "is-mg"]


def test_ta_2_stacks_move_by_the_lead_in_each() -> None:
    state = state_of("13 C 3305", "13 D 3305", "13 A 3409", "13 B 3409", on=OPEN, formations=(RAJPUTS,))
    ran = run(state, Stage.MOVE)
    assert [clause.split(" advance")[0] for clause in ran.clauses] == ["A and B", "C and D"]


def test_ta_h_0_the_stages_of_an_activation_in_order() -> None:
    assert [stage.value for stage in sequence.STAGE_ORDER] == [
        "recovery",
        "retreat and rout",
        "landing",
        "reorganising",
        "movement",
        "leaders",
        "fire",
        "melee",
        "rally",
    ]


def test_ta_h_0_fire_melee_and_rally_come_after_movement() -> None:
    """B is disrupted in its RO hex. A, next to a German, fires and attacks; then B tries to rally."""
    rajputs = formation("13", entry=hex_at("2810"))
    rallying = unit("13 B 3311 disrupted", ro=hex_at("3311"))
    state = state_of("13 A 2810", "13 C 2810", rallying, "17.FK 1 2710", on=OPEN, formations=(rajputs,))
    faces = (6, 6, 6, 6, 6, 6, 6, 6)
    state, report = act(state, BritishStep(), dice(*faces))
    labels = [throw.label for throw in report.throws]
    assert [("fires" in label, "melee" in label, "rallies" in label) for label in labels] == [
        (True, False, False),
        (False, True, False),
        (False, True, False),
        (False, False, True),
    ]
