"""Names that people type: units, sides, systems and the like, found among what they may know of."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.journal.game import Game
from rules.core import naming
from rules.core.model import Viewer
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State, UnitCard
from rules.registry import rulesets

SIDE_OPTION = "side"


def resolve_names(game: Game, viewer: Viewer, kind: str, args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of an action of that kind with units and sides by id. Raises Refused with the nearest names."""
    seen = game.ruleset.view(game.state, viewer)
    action = game.ruleset.actions.get(kind, Action)

    def known(name: str, value: Any) -> Any:
        if name in action.refers_to and isinstance(value, str):
            return find_exactly(seen, value) or unit_id(game.ruleset.roster(game.state, viewer), value)
        return side_id(game.state, value) if name == SIDE_OPTION and isinstance(value, str) else value

    return {name: known(name, value) for name, value in args.items()}


def find_exactly(seen: State, text: str) -> str | None:
    """The id of the unit of that id or name, letter for letter: nobody's card need be made then to find it."""
    if text in seen.units:
        return text
    named = [unit.id for unit in seen.units.values() if unit.name == text]
    return named[0] if len(named) == 1 else None


def unit_id(roster: Sequence[UnitCard], text: str) -> str:
    """Return the id of the unit that `text` names. Raises Refused if no unit or several units match.

    Ids come first: a unit that bears another's id as its name hides nobody.
    """
    return naming.one(text, {card.id: card.name for card in roster}, "No unit here is called {}.")


def system_of(text: str) -> Ruleset[Any]:
    """The system meant by id or title. Raises Refused with those there are."""
    return rulesets()[match_name({system.id: system.title for system in rulesets().values()}, text, "rule system")]


def match_name(names: Mapping[str, str], text: str, noun: str) -> str:
    """The key of the name meant. Raises Refused with the names there are, or the nearest."""
    return naming.one(text, names, f"There is no {noun} {{}}.")


def side_id(state: State, text: str) -> str:
    """The side meant by id or name. Raises Refused with the sides there are."""
    return match_name({side.id: side.name for side in state.sides}, text, "side")
