"""Tests of explaining British decisions: the trace in words and as a picture (TA-0.3)."""

import pytest

from rules.core.automaton.decisions import lines, notes
from rules.core.dice import NoDice
from rules.core.hexboard.hex_scene import HexNote, HexScene, NoteKind
from rules.core.ruleset import Refused
from rules.tanga.automaton import sequence
from rules.tanga.automaton.attacking import target
from rules.tanga.british import BritishStep
from rules.tanga.combat.retreats import retreat
from rules.tanga.field import board_of
from rules.tanga.german.fight import Melee
from rules.tanga.model import BRITISH, GERMAN, Phase, TangaState
from rules.tanga.progress import Decision, Question
from rules.tanga.ruleset import Tanga

from .acting import act
from .field import dice, formation, hex_at, play_part, state_of, text_of, unit

OPEN = {"*": "open"}


def decision_of_example_3() -> tuple[TangaState, Decision]:
    """Return the decision of worked example 3: platoons in the open at 2712 and 2813, one with black powder."""
    state = state_of("13 A 2913", "17.FK 1 2712 bp", "17.FK 2 2813", on=OPEN)
    decision = target(state, (state.units["13-a"],), melee=False)
    assert decision is not None
    return state.model_copy(update={"decisions": (decision,)}), decision


def test_ta_0_3_trace_names_candidates_and_their_excluding_rows() -> None:
    state, decision = decision_of_example_3()
    first, *rows, last = lines(decision, board_of(state).title)
    assert first.text == "Candidates: 2712, 2813"
    assert ("Row 5: no black powder", "puts out 2712") in [(row.text, row.verdict) for row in rows]
    assert last.verdict == "chosen: 2813"


def test_ta_0_3_picture_marks_the_choice_and_excluding_rows() -> None:
    _, decision = decision_of_example_3()
    assert notes(decision, BRITISH) == (
        HexNote(hex=hex_at("2712"), kind=NoteKind.PUT_OUT, text="5", side="british"),
        HexNote(hex=hex_at("2813"), kind=NoteKind.CHOSEN, side="british"),
    )


def test_ta_0_3_explains_the_newest_or_a_numbered_decision() -> None:
    state = state_of("13 A 3013", on=OPEN, formations=(formation("13", entry=hex_at("2516")),), turns=3)
    assert sequence.explain(state, None) is None
    state, _ = act(state, BritishStep(), NoDice())
    first, newest = sequence.explain(state, 1), sequence.explain(state, None)
    assert Tanga().explain(state, BRITISH, 1) == first
    assert first is not None
    assert newest is not None
    assert first.title == f"Decision 1 of {len(state.decisions)}: objective of A, 13"
    assert newest.title.startswith(f"Decision {len(state.decisions)} of")
    assert isinstance(newest.scene, HexScene)
    assert {note.kind for note in newest.scene.notes} >= {NoteKind.CHOSEN}
    with pytest.raises(Refused, match="decisions 1 to"):
        sequence.explain(state, 99)


def test_ta_0_3_retreat_after_a_melee_is_explained_with_the_overrulable_decision() -> None:
    state = state_of("13 A 2811", "17.FK 1 2711", on=OPEN)
    fought = target(state, [state.unit("13-a")], melee=True)
    assert fought is not None
    state = state.model_copy(update={"decisions": (fought,)})
    state, steps = play_part(retreat, state, [state.unit("13-a")], 3, NoDice())
    assert [one.question for one in state.retreats] == [Question.RETREAT_HEX, *[Question.STEP] * 3]
    overruled, where = sequence.explain(state, 1), sequence.explain(state, 2)
    assert overruled is not None
    assert where is not None
    assert (overruled.newest, where.newest) == (True, False)
    assert where.title == "Decision 2 of 5: RO hex of A, 13"
    assert state.retreats[0].why in [line.text for line in where.lines]
    assert state.retreats[0].why in text_of(steps)
    german, _ = play_part(retreat, state, [state.unit("17.fk-1")], 3, NoDice())
    assert german.retreats == state.retreats


def test_ta_0_3_retreat_in_the_german_phase_is_explained() -> None:
    lines_, now = ("17.FK 1 2711 cf7", "13 A 2811"), {"phase": Phase.MELEE.value, "active": GERMAN}
    state, _ = act(state_of(*lines_, on=OPEN, turns=9, **now), Melee(unit="17.fk-1", target="13-a"), dice(1))
    where = Tanga().explain(state, BRITISH, None)
    assert where is not None
    assert where.title == "Decision 1 of 4: RO hex of A, 13"
    assert Tanga().read_state(Tanga().write_state(state)) == state


def test_ta_0_3_long_list_names_the_first_hexes_and_counts_the_rest() -> None:
    state = state_of(
        unit("13 A 3013 disrupted"), "17.FK 1 2613", on=OPEN, formations=(formation("13", entry=hex_at("2516")),)
    )
    state, _ = act(state.model_copy(update={"turns": 3}), BritishStep(much="decision"), NoDice())
    explained = sequence.explain(state, None)
    assert explained is not None
    assert "more" in explained.lines[0].text
