"""The umpire's decision about who holds the objectives, after the last turn of a battle without positions."""

from typing import Any

from rules.core.model import UMPIRE
from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.report import Offer, Prompt, Report, Step
from rules.core.state import Action, Verdict
from rules.core.umpire import BY_UMPIRE

from .battle import TableState
from .victory import ground_by_side, verdict_on_ground

HELD_BY, NOBODY = "ground held by ", "nobody"
"""Prefix of the umpire's answer, and the answer that no side holds its ground.

After the prefix comes the id of the side that holds all of its ground, or NOBODY.
"""
KEY = "ground"


def ask_umpire(state: TableState[Any]) -> Prompt:
    """Return the prompt that asks the umpire who holds the ground, with a button for each answer."""
    offers = (
        Offer(label=label, kind=PASS, args={"with": [f"{HELD_BY}{side}"]}, side=UMPIRE, key=KEY)
        for side, label in _answers(state).items()
    )
    names = " and ".join(objective.name for objective in state.objectives)
    text = f"The last turn is over. Who holds {names}?"
    return Prompt(key=KEY, unit="", side=UMPIRE, text=text, cite=BY_UMPIRE, offers=tuple(offers))


def decide(state: TableState[Any], action: Action) -> Verdict:
    """Return the verdict on the battle that follows from the umpire's answer.

    Raises Refused with the prompt if the action is no answer.
    """
    answer = next((word.removeprefix(HELD_BY) for word in action.circumstances if word.startswith(HELD_BY)), "")
    if action.kind != PASS or answer not in _answers(state):
        raise Refused(
            "The last turn is over, and the umpire says who holds the ground.", BY_UMPIRE, (ask_umpire(state),)
        )
    return verdict_on_ground(state, None if answer == NOBODY else answer)


def report_decision(verdict: Verdict) -> Report:
    """Return the report of the umpire's decision."""
    step = Step(text="So the umpire decides", cite=BY_UMPIRE, verdict=verdict.why.rstrip("."))
    return Report(headline="The umpire decides who holds the ground.", steps=(step,))


def _answers(state: TableState[Any]) -> dict[str, str]:
    """Return the label of each answer's button, by the answer: a side id or NOBODY."""
    labels = {side: f"{state.side(side).name} hold {ground}" for side, ground in ground_by_side(state).items()}
    return {**labels, NOBODY: "They do not hold it" if len(labels) == 1 else "Neither holds its ground"}
