"""A scenario that somebody wrote: read and checked, and set up for a game."""

from collections.abc import Mapping
from typing import Any

from rules.core.refused import Refused
from rules.core.ruleset import Ruleset, Scenario
from rules.core.sealed import SealedDice, SealedThrow
from rules.core.state import State
from rules.core.tabletop.own_table import OWN

LONGEST_NAME = 80
"""Characters of a scenario's id and title."""


def read(system: Ruleset[Any], document: bytes) -> Scenario:
    """Read the scenario of a document. Raises Refused with the place of what is wrong."""
    scenario = system.read_scenario(document)
    for place, words in (("id", scenario.id), ("title", scenario.title)):
        if not (words.strip() and words.isprintable() and len(words) <= LONGEST_NAME):
            raise Refused(f"{place}: it is one line of 1 to {LONGEST_NAME} characters.")
    titles = (one.title.casefold() for one in system.scenarios.values())
    if scenario.id.casefold() in (*system.scenarios, *titles, OWN):
        raise Refused(f"id: {system.title} already has a scenario “{scenario.id}”. Choose another id.")
    return scenario


def set_up(
    system: Ruleset[Any], scenario: str, document: bytes, choices: Mapping[str, str], dice: SealedDice
) -> tuple[State, tuple[SealedThrow, ...]]:
    """Return the first state of a game of the document, and what was thrown for it. Raises Refused.

    `scenario`: the id under which the document is kept here, which may be another than its own.
    """
    state: State = system.setup_uploaded(document, choices, dice)
    return state.model_copy(update={"scenario": scenario}), dice.thrown
