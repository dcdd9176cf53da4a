"""The umpire's decision about who holds the objectives, after the last turn of a battle without positions."""

from typing import Any

from rules.core.model import UMPIRE
from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.report import Offer, Prompt, Report, Step
from rules.core.state import Action, Verdict
from rules.core.umpire import BY_UMPIRE

from .battle import TableState
from .victory import ground_by_side, ground_verdict

HELD_BY, NOBODY = "ground held by ", "nobody"
"""Prefix of the umpire's answer, followed by a side id or NOBODY; NOBODY if no side holds all its ground."""
KEY = "ground"


def make_ground_prompt(state: TableState[Any]) -> Prompt:
    """Return the prompt that asks the umpire who holds the ground, with a button for each answer."""
    offers = (
        Offer(label=label, kind=PASS, args={"with": [f"{HELD_BY}{side}"]}, side=UMPIRE, key=KEY)
        for side, label in _answer_labels(state).items()
    )
    names = " and ".join(objective.name for objective in state.objectives)
    text = f"The last turn is over. Who holds {names}?"
    return Prompt(key=KEY, unit="", side=UMPIRE, text=text, cite=BY_UMPIRE, offers=tuple(offers))


def decide_ground_by_answer(state: TableState[Any], action: Action) -> tuple[Verdict, Report]:
    """Return the verdict by the umpire's answer, and the report. Raises Refused if the action is no answer."""
    answer = next((word.removeprefix(HELD_BY) for word in action.circumstances if word.startswith(HELD_BY)), "")
    if action.kind != PASS or answer not in _answer_labels(state):
        raise Refused(
            "The last turn is over, and the umpire says who holds the ground.", BY_UMPIRE, (make_ground_prompt(state),)
        )
    verdict = ground_verdict(state, None if answer == NOBODY else answer)
    step = Step(text="So the umpire decides", cite=BY_UMPIRE, verdict=verdict.why.rstrip("."))
    return verdict, Report(headline="The umpire decides who holds the ground.", steps=(step,))


def _answer_labels(state: TableState[Any]) -> dict[str, str]:
    """Return the button label of each answer. An answer is a side id or NOBODY."""
    labels = {side: f"{state.side(side).name} hold {ground}" for side, ground in ground_by_side(state).items()}
    return {**labels, NOBODY: "They do not hold it" if len(labels) == 1 else "Neither holds its ground"}
