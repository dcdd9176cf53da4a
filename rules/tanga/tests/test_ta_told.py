"""Tests of the headline of a British activation: a clause per stack, equal actions joined, at most five (TA-2)."""

from rules.core.model import Cite
from rules.tanga.automaton.sequence import acting_formation, describe_activation
from rules.tanga.automaton.step_results import StepResult
from rules.tanga.model import TangaState
from rules.tanga.progress import Decision, Question

from .acting import with_british_turn
from .field import state_of

STATE = state_of("13 A 3010")


def headline(*clauses: tuple[str, str], state: TangaState = STATE) -> str:
    return describe_activation(
        state,
        acting_formation(state),
        [StepResult(clause=clause, clause_of_several=joined) for clause, joined in clauses],
    )


def test_ta_2_clauses_are_told_in_order_and_each_once() -> None:
    assert headline(("A fires", ""), ("B advances", ""), ("A fires", "")) == "13: A fires; B advances."


def test_ta_2_stacks_with_equal_actions_are_counted() -> None:
    clauses = ("A stays", "stay"), ("C fires", ""), ("B stays", "stay")
    assert headline(*clauses) == "13: 2 stacks stay; C fires."
    assert headline(*clauses[:2]) == "13: A stays; C fires."


def test_ta_2_clauses_beyond_five_are_counted() -> None:
    five = [(f"{letter} fires", "") for letter in "ABCDE"]
    assert headline(*five) == "13: A fires; B fires; C fires; D fires; E fires."
    assert headline(*five, ("F fires", "")).endswith("E fires; and 1 more.")
    assert headline(*five, ("F fires", ""), ("G fires", "")).endswith("E fires; and 2 more.")


def test_ta_2_turn_ends_after_the_last_formation() -> None:
    state = with_british_turn(STATE, done=("13",))
    assert headline(state=state) == "The British turn ends."
    assert headline(("A fires", ""), state=state) == "The British turn ends."


def test_ta_2_headline_without_actions_has_the_last_decisions_reason() -> None:
    assert headline() == "13: nothing to do."
    first, last = (
        Decision(question=Question.STEP, units=("13-a",), candidates=(), chosen=None, why=why, cite=Cite(rule="TA-9"))
        for why in ("A halts", "A stays")
    )
    decided = STATE.model_copy(update={"decisions": (first, last)})
    assert headline(state=decided) == "13: A stays."
    assert headline(("B fires", ""), state=decided) == "13: B fires."
