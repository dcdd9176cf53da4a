"""Read, check and set up a scenario from a member's file."""

from collections.abc import Mapping
from typing import Any

from rules.core.own_battles import NO_MAP_FILE, require_own_battles
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset, Scenario
from rules.core.sealed_dice import SealedDice, SealedThrow
from rules.core.state import State
from rules.core.tabletop.own_table import OWN
from rules.core.typed_text import has_only_visible_signs, normalize_text

LONGEST_NAME = 80
"""Maximum length of a scenario's id and title, in characters."""


def read_scenario_file(
    system: Ruleset[Any], document: bytes, map_document: bytes | None = None
) -> tuple[Scenario, bytes]:
    """Read a member's scenario file. Return the scenario, and the file to store.

    The stored file includes the map of a separate `map_document`. Raises Refused, which names the places of the faults.
    """
    battles = require_own_battles(system)
    if map_document is not None:
        if battles.join is None:
            raise Refused(NO_MAP_FILE)
        document = battles.join(document, map_document)
    scenario = battles.read(document)
    for place, words in (("id", scenario.id), ("title", scenario.title)):
        if not (words.strip() and has_only_visible_signs(words) and len(words) <= LONGEST_NAME):
            raise Refused(f"{place}: it is one line of 1 to {LONGEST_NAME} characters.")
    titles = (normalize_text(existing.title) for existing in system.scenarios.values())
    if normalize_text(scenario.id) in (*system.scenarios, *titles, OWN):
        raise Refused(f"id: {system.title} already has a scenario “{scenario.id}”. Choose another id.")
    return scenario, document


def set_up_scenario_file(
    system: Ruleset[Any], scenario: str, document: bytes, choices: Mapping[str, str], dice: SealedDice
) -> tuple[State, tuple[SealedThrow, ...]]:
    """Set up the scenario in a member's file. Return the game's first state, and the throws of the set-up.

    `scenario` replaces the id in the file. Raises Refused.
    """
    state: State = require_own_battles(system).set_up(document, choices, dice)
    return state.model_copy(update={"scenario": scenario}), dice.thrown
