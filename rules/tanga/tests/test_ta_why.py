"""Tests of explaining British decisions: the trace in words and as a picture (TA-0.3)."""

from typing import Any

import pytest

from rules.core.dice import NoDice
from rules.core.hexboard.hex_scene import HexNote, HexScene, NoteKind
from rules.core.model import Cite
from rules.core.refusal import Refused
from rules.tanga.automaton.attacking import choose_target
from rules.tanga.automaton.explanations import (
    candidate_notes,
    decision_lines,
    explain_decision,
    find_decision_number,
    list_other_choices,
)
from rules.tanga.british import BritishStep
from rules.tanga.combat.retreats import retreat_combat_units
from rules.tanga.field import board_of
from rules.tanga.german.fight import Melee
from rules.tanga.model import BRITISH, GERMAN, Phase, TangaState
from rules.tanga.progress import Decision, Question, RowEffect
from rules.tanga.ruleset import Tanga

from .acting import act
from .field import dice, formation, hex_at, hexes, play_part, state_of, text_of, unit

OPEN = {"*": "open"}


def decision_of_example_3() -> tuple[TangaState, Decision]:
    """Return the decision of worked example 3: platoons in the open at 2712 and 2813, one with black powder."""
    state = state_of("13 A 2913", "17.FK 1 2712 bp", "17.FK 2 2813", on=OPEN)
    decision = choose_target(state, (state.units["13-a"],), melee=False)
    assert decision is not None
    return state.model_copy(update={"decisions": (decision,)}), decision


def test_ta_0_3_trace_names_candidates_and_their_excluding_rows() -> None:
    state, decision = decision_of_example_3()
    first, *rows, last = decision_lines(decision, board_of(state).title)
    assert first.text == "Candidates: 2712, 2813"
    assert ("Row 5: no black powder", "puts out 2712") in [(row.text, row.verdict) for row in rows]
    assert last.verdict == "chosen: 2813"


def test_ta_0_3_picture_marks_the_choice_and_excluding_rows() -> None:
    _, decision = decision_of_example_3()
    assert candidate_notes(decision) == (
        HexNote(hex=hex_at("2712"), kind=NoteKind.PUT_OUT, text="5", side="british"),
        HexNote(hex=hex_at("2813"), kind=NoteKind.CHOSEN, side="british"),
    )


def test_ta_0_3_explains_the_newest_or_a_numbered_decision() -> None:
    state = state_of("13 A 3013", on=OPEN, formations=(formation("13", entry=hex_at("2516")),), turns=3)
    assert explain_decision(state, None) is None
    state, _ = act(state, BritishStep(), NoDice())
    first, newest = explain_decision(state, 1), explain_decision(state, None)
    assert Tanga().explain(state, BRITISH, 1) == first
    assert first is not None
    assert newest is not None
    assert first.title == f"Decision 1 of {len(state.decisions)}: objective of A, 13"
    assert newest.title.startswith(f"Decision {len(state.decisions)} of")
    assert isinstance(newest.scene, HexScene)
    assert {note.kind for note in newest.scene.notes} >= {NoteKind.CHOSEN}
    with pytest.raises(Refused, match="decisions 1 to"):
        explain_decision(state, 99)


def test_ta_0_3_retreat_after_a_melee_is_explained_with_the_overrulable_decision() -> None:
    state = state_of("13 A 2811", "17.FK 1 2711", on=OPEN)
    fought = choose_target(state, [state.unit("13-a")], melee=True)
    assert fought is not None
    state = state.model_copy(update={"decisions": (fought,)})
    state, steps = play_part(retreat_combat_units, state, [state.unit("13-a")], 3, NoDice())
    assert [decision.question for decision in state.retreats] == [Question.RETREAT_HEX, *[Question.STEP] * 3]
    overruled, explanation = explain_decision(state, 1), explain_decision(state, 2)
    assert overruled is not None
    assert explanation is not None
    assert (overruled.newest, explanation.newest) == (True, False)
    assert explanation.title == "Decision 2 of 5: RO hex of A, 13"
    assert state.retreats[0].why in [line.text for line in explanation.lines]
    assert state.retreats[0].why in text_of(steps)
    german, _ = play_part(retreat_combat_units, state, [state.unit("17.fk-1")], 3, NoDice())
    assert german.retreats == state.retreats


def test_ta_0_3_retreat_in_the_german_phase_is_explained() -> None:
    lines_, now = ("17.FK 1 2711 cf7", "13 A 2811"), {"phase": Phase.MELEE.value, "active": GERMAN}
    state, _ = act(state_of(*lines_, on=OPEN, turns=9, **now), Melee(unit="17.fk-1", target="13-a"), dice(1))
    explanation = Tanga().explain(state, BRITISH, None)
    assert explanation is not None
    assert explanation.title == "Decision 1 of 4: RO hex of A, 13"
    assert Tanga().read_state(Tanga().write_state(state)) == state


def make_decision(candidates: str, chosen: str, **fields: Any) -> Decision:
    """Return a decision of company A of the 13th between candidates."""
    return Decision(
        question=Question.STEP,
        units=("13-a",),
        candidates=hexes(candidates),
        chosen=hex_at(chosen) if chosen else None,
        why="nearest",
        cite=Cite(rule="TA-9"),
        **fields,
    )


def test_ta_0_3_umpires_choice_of_another_hex_overrules_the_card() -> None:
    rows = [
        RowEffect(row=row, text="", cite=Cite(rule="TA-9"), out=hexes(out)) for row, out in (("1", "2309"), ("2", ""))
    ]
    decision = make_decision("2309 2410 2411", "2410", rows=rows)
    assert (decision.chosen_hex, decision.other_candidates) == (hex_at("2410"), hexes("2411 2309"))
    overruled = decision.overruled_by(hex_at("2309"))
    assert (overruled.chosen, overruled.overruled) == (hex_at("2309"), True)
    assert overruled.why == "2309 by the umpire's word; the card chose 2410"
    assert make_decision("", "").overruled_by(hex_at("2309")).why.endswith("the card chose none")
    assert decision.overruled_by(None) is decision.overruled_by(decision.chosen) is decision
    assert [(note.kind, note.text) for note in candidate_notes(decision)] == [
        *((NoteKind.PUT_OUT, "1"), (NoteKind.CHOSEN, ""), (NoteKind.CANDIDATE, "")),
    ]


def test_ta_0_3_explanation_lists_the_other_choices() -> None:
    decision = make_decision("2410 2411", "2410")
    decisions = (decision, make_decision("2410", "2410"), decision.overruled_by(hex_at("2411")))
    state = state_of("13 A 3013").model_copy(update={"decisions": decisions})
    newest, first = explain_decision(state, None), explain_decision(state, 1)
    assert newest is not None
    assert (newest.title, newest.lines[1].verdict) == (
        *("Decision 3 of 3: next hex of A, 13", "chosen: 2411, overruling the card"),
    )
    assert newest.lines[-1].text == "Other choices of this activation: 1 next hex of A"
    assert first is not None
    assert first.lines[-1].text == "Other choices of this activation: 3 next hex of A"
    assert [find_decision_number(decisions[1:2], None), find_decision_number(decisions, 2)] == [1, 2]
    for number in (0, 4):
        with pytest.raises(Refused, match="1 to 3"):
            find_decision_number(decisions, number)


def test_ta_0_3_long_lists_name_their_first_entries_and_count_the_rest() -> None:
    labels = [f"24{row:02}" for row in range(1, 15)]
    for count, end in ((12, "2412"), (13, "2412 and 1 more")):
        (first, *_) = decision_lines(make_decision(" ".join(labels[:count]), labels[0]), str)
        assert first.text.endswith(end)
    assert [(step.text, step.verdict) for step in decision_lines(make_decision("", ""), str)] == [
        ("Candidates: none", ""),
        ("nearest", "chosen: nothing"),
    ]
    state = state_of("13 A 3013")
    for count, end in ((11, "; 10 next hex of A"), (12, "; 10 next hex of A and 1 more")):
        (step,) = list_other_choices(state, [make_decision("2410 2411", "2410")] * count, count)
        assert step.text.endswith(end)


def test_ta_0_3_long_list_names_the_first_hexes_and_counts_the_rest() -> None:
    state = state_of(
        unit("13 A 3013 disrupted"), "17.FK 1 2613", on=OPEN, formations=(formation("13", entry=hex_at("2516")),)
    )
    state, _ = act(state.model_copy(update={"turns": 3}), BritishStep(much="decision"), NoDice())
    explained = explain_decision(state, None)
    assert explained is not None
    assert "more" in explained.lines[0].text
