"""Priority charts of a made-up system whose candidates are names of towns, not hexes."""

import pytest
from pydantic import ValidationError

from rules.core.automaton.decisions import (
    Decision,
    RowTrace,
    StepResult,
    deciding_row,
    decision_number,
    explain_decision,
    headline,
    lines,
    notes,
    other_choices,
)
from rules.core.automaton.filters import NOBODY_PASSES, Filter, Priority, apply_chart
from rules.core.hexboard.hex_scene import HexBoard, HexNote, HexScene, NoteKind
from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite
from rules.core.refusal import Refused

RULE = Cite(rule="X-1")
LAST = {"row": "last", "words": "first by name", "rule": "X-1", "measure": "name", "wants": "least"}
SIZE = {"Arras": 3, "Bapaume": 5, "Cambrai": 5}
MEASURES = {"size": SIZE.get, "walled": "Arras".__eq__, "port": lambda _: False, "name": str}


class Row(Filter[bool]):
    """A chart row that may apply at night only."""

    night: bool = False

    def why_skipped(self, situation: bool) -> str:
        return "at night only" if self.night and not situation else ""


class Towns(Priority[Row]):
    deciding = "name"


def chart(*rows: dict) -> Towns:
    given = [{"row": str(n), "words": f"row {n}", "rule": "X-1"} | row for n, row in enumerate(rows, 1)]
    return Towns(id="towns", title="Towns", rule="X-1", rows=(*given, LAST))


def weigh_rows(*rows: dict, night: bool = False) -> tuple[str | None, tuple[RowTrace[str], ...]]:
    return apply_chart(chart(*rows), SIZE, MEASURES, night, RowTrace[str])


def make_decision(*candidates: str, chosen: str | None, rows: tuple[RowTrace[str], ...] = ()) -> Decision[str]:
    return Decision[str](units=("x",), candidates=candidates, rows=rows, chosen=chosen, why="because", cite=RULE)


def test_rows_put_out_in_order_until_one_is_left() -> None:
    chosen, rows = weigh_rows({"measure": "size", "wants": "most"})
    assert chosen == "Bapaume"
    assert [(row.row, row.out) for row in rows] == [("1", ("Arras",)), ("last", ("Cambrai",))]
    assert deciding_row(rows) == "first by name"


def test_row_is_skipped_without_passing_candidates_or_for_another_situation() -> None:
    rows = ({"measure": "port", "wants": "yes"}, {"measure": "walled", "wants": "yes", "night": True})
    by_day, by_night = weigh_rows(*rows), weigh_rows(*rows, night=True)
    assert [row.skipped for row in by_day[1]] == [NOBODY_PASSES, "at night only", ""]
    assert (by_day[0], by_night[0]) == ("Arras", "Arras")
    assert deciding_row(by_night[1]) == "row 2, row 2"


def test_first_alternative_row_that_leaves_a_candidate_counts() -> None:
    port = {"measure": "port", "wants": "yes", "alternative": True}
    big = {"measure": "size", "wants": "most", "alternative": True}
    walled = {"measure": "walled", "wants": "yes", "alternative": True}
    chosen, rows = weigh_rows(port, big, walled)
    assert (chosen, [row.row for row in rows]) == ("Bapaume", ["1", "2", "last"])


def test_chart_refuses_a_tying_last_row_and_a_repeated_row() -> None:
    with pytest.raises(ValidationError, match="tie"):
        Towns(id="towns", title="Towns", rule="X-1", rows=({**LAST, "measure": "size"},))
    with pytest.raises(ValidationError, match="twice"):
        chart({"measure": "size", "wants": "most", "row": "last"})


def test_other_candidates_are_ranked_and_can_be_chosen_by_name() -> None:
    chosen, rows = weigh_rows({"measure": "size", "wants": "most"})
    decision = make_decision(*SIZE, chosen=chosen, rows=rows)
    assert decision.taken == chosen == "Bapaume"
    assert decision.others == ("Cambrai", "Arras")
    other = decision.by_word("Arras")
    assert (other.chosen, other.overruled) == ("Arras", True)
    assert other.why == "Arras by the umpire's word; the card chose Bapaume"
    assert decision.by_word(None) is decision


def test_explanation_lists_rows_and_other_choices() -> None:
    chosen, rows = weigh_rows({"measure": "size", "wants": "most"}, {"measure": "port", "wants": "yes"})
    kept = (
        make_decision(*SIZE, chosen=chosen, rows=rows),
        make_decision("Arras", chosen="Arras"),
        make_decision(*SIZE, chosen="Arras"),
    )
    said = [(step.text, step.verdict) for step in lines(kept[0], str.upper)]
    assert said == [
        ("Candidates: ARRAS, BAPAUME, CAMBRAI", ""),
        ("Row 1: row 1", "puts out ARRAS"),
        ("Row 2: row 2", f"skipped: {NOBODY_PASSES}"),
        ("Row last: first by name", "puts out CAMBRAI"),
        ("because", "chosen: BAPAUME"),
    ]
    assert decision_number(kept, None) == 3
    (others,) = other_choices(kept, 3, lambda _: "a town", RULE)
    assert others.text == "Other choices of this activation: 1 a town"
    assert [decision_number(kept, number) for number in (1, 3)] == [1, 3]
    for number in (0, 4):
        with pytest.raises(Refused, match="1 to 3"):
            decision_number(kept, number)
    assert decision_number(kept[1:2], None) == 1, "no choice at all: the last"


def test_picture_marks_chosen_rejected_and_other_hexes() -> None:
    chosen, out, other = (Hex.labelled(label) for label in ("2411", "2412", "2413"))
    row = RowTrace[Hex](row="2", text="", cite=RULE, out=(out,))
    decision = Decision[Hex](
        units=("x",), candidates=(chosen, out, other), rows=(row,), chosen=chosen, why="", cite=RULE
    )
    assert notes(decision, "red") == (
        HexNote(hex=chosen, kind=NoteKind.CHOSEN, side="red"),
        HexNote(hex=out, kind=NoteKind.PUT_OUT, text="2", side="red"),
        HexNote(hex=other, kind=NoteKind.CANDIDATE, side="red"),
    )


def test_a_decision_is_explained_with_its_marks_on_the_picture() -> None:
    here, there = Hex.labelled("2411"), Hex.labelled("2412")
    one = Decision[Hex](units=("x",), candidates=(here, there), chosen=here, why="nearest", cite=RULE)
    kept, board = (one, one.by_word(there)), HexBoard(key="", cells=())
    mark = HexNote(hex=there, kind=NoteKind.ENTRY, side="blue")
    scene = HexScene(board=board, title="", sides=(), notes=(mark,))
    how = {"scene": scene, "side": "red", "cite": RULE}
    told = explain_decision(kept, 1, lambda _: "a way", str, whose=lambda _: "5th Rifles", **how)
    assert told is not None
    assert told.title == "Decision 1 of 2: a way, 5th Rifles"
    assert [step.text for step in told.lines] == [
        *("Candidates: 2411, 2412", "nearest", "Other choices of this activation: 2 a way"),
    ]
    assert [note.kind for note in told.scene.notes] == [NoteKind.ENTRY, NoteKind.CHOSEN, NoteKind.CANDIDATE]
    last = explain_decision(kept, None, lambda _: "a way", str, whose=lambda _: "", **how)
    assert last is not None
    assert (last.title, last.lines[1].verdict) == ("Decision 2 of 2: a way", "chosen: 2412, overruling the card")
    assert explain_decision((), None, lambda _: "a way", str, whose=lambda _: "", **how) is None


def test_long_list_names_only_its_first_candidates() -> None:
    labels = [f"24{row:02}" for row in range(1, 15)]
    for count, end in ((12, "2412"), (13, "2412 and 1 more")):
        (first, *_) = lines(make_decision(*labels[:count], chosen=labels[0]), str)
        assert first.text.endswith(end)
    nothing = Decision[str](units=(), candidates=(), chosen=None, why="nobody there", cite=RULE)
    assert [(step.text, step.verdict) for step in lines(nothing, str)] == [
        ("Candidates: none", ""),
        ("nobody there", "chosen: nothing"),
    ]
    for count, end in ((11, "; 10 it"), (12, "; 10 it and 1 more")):
        (others,) = other_choices([make_decision(*SIZE, chosen="Arras")] * count, count, lambda _: "it", RULE)
        assert others.text.endswith(end)


def test_headline_merges_equal_deeds_and_counts_the_rest() -> None:
    way = "advance to 2914"
    steps = (StepResult(), StepResult(clause="A advances", clause_of_several=way), StepResult(clause="C fires"))
    assert headline("Rifles", steps, "halt") == "Rifles: A advances; C fires."
    assert headline("Rifles", (*steps, StepResult(clause="B advances", clause_of_several=way)), "halt") == (
        "Rifles: 2 stacks advance to 2914; C fires."
    )
    assert headline("Rifles", (StepResult(),), "halt") == "Rifles: halt."
    many = [StepResult(clause=str(number)) for number in range(7)]
    assert headline("Rifles", many[:5], "halt") == "Rifles: 0; 1; 2; 3; 4."
    assert headline("Rifles", many, "halt") == "Rifles: 0; 1; 2; 3; 4; and 2 more."


def test_deciding_row() -> None:
    rows = [RowTrace[str](row=row, text="least", cite=RULE, out=out) for row, out in (("3", ("x",)), ("4", ()))]
    assert [deciding_row(each) for each in (rows, rows[1:], ())] == ["row 3, least", "no other", "no other"]


def test_chart_table_shows_the_scope_of_each_row() -> None:
    class AtNight(Row):
        @property
        def scope(self) -> str:
            return "night"

    table = chart({"measure": "port", "wants": "yes"}).table("towns")
    assert [[cell.text for cell in row.cells] for row in table.rows] == [["row 1", "all"], ["first by name", "all"]]
    assert (table.head, table.columns, table.rows[1].label) == ("Row", ("towns", "for"), "last")
    (row,) = chart().model_copy(update={"rows": (AtNight.model_validate(LAST),)}).table("towns").rows
    assert row.cells[1].text == "night"
