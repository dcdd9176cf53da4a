"""Find the unit, side or rule system that a typed name means, among those that the user may know."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.journal.game import Game
from rules.core import naming
from rules.core.model import Viewer
from rules.core.order_book import OrderBook
from rules.core.ruleset import Ruleset
from rules.core.short_names import UnitNames
from rules.core.state import Action, State, UnitCard
from rules.registry import rulesets

from .notes import strip_note

DESTINATION = "to"


def resolve_names(game: Game, viewer: Viewer, kind: str, args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments, with ids instead of names of units and sides, and with a parsed destination.

    Raises Refused, which suggests the nearest names, or says how to write a destination.
    """
    view = game.ruleset.view(game.state, viewer)
    action = game.ruleset.actions.get(kind, Action)

    def resolve_value(name: str, value: Any) -> Any:
        if name in action.refers_to and isinstance(value, str):
            return find_unit_exactly(view, value) or find_unit_id(game.ruleset.roster(game.state, viewer), value)
        return find_side_id(game.state, value) if name == "side" and isinstance(value, str) else value

    resolved = {name: resolve_value(name, value) for name, value in args.items()}
    unit, to = resolved.get("unit"), resolved.get(DESTINATION)
    if isinstance(unit, str) and isinstance(to, str) and to.strip():
        resolved[DESTINATION] = OrderBook(game.ruleset, view, viewer).read_destination(unit, to)
    return resolved


def find_unit_exactly(view: State, text: str) -> str | None:
    """Return the id of the unit with this id, or of the only unit with this name, or None.

    The name may end with a note, as in completions. Needs no unit cards, which are slow to make.
    """
    if text in view.units:
        return text
    names = (text, strip_note(text))
    ids = [unit.id for unit in view.units.values() if unit.name in names]
    return ids[0] if len(ids) == 1 else None


def find_unit_id(roster: Sequence[UnitCard], text: str) -> str:
    """Return the id of the unit that `text` names. Raises Refused if no unit or several units match.

    If `text` is the id of one unit and the name of another, the id counts.
    """
    short = {card.id: card.short for card in roster if card.short}
    names = UnitNames({card.id: card.name for card in roster}, lambda: short)
    name = text if naming.find_matches(text, names) else strip_note(text)
    return naming.resolve_name(name, names, "No unit here is called {}.")


def find_system_by_name(text: str) -> Ruleset[Any]:
    """Return the rule system with this id or title. Raises Refused with the existing systems."""
    return rulesets()[match_name({system.id: system.title for system in rulesets().values()}, text, "rule system")]


def match_name(names: Mapping[str, str], text: str, noun: str) -> str:
    """Return the key in `names` that `text` means. Raises Refused with the existing or nearest names."""
    return naming.resolve_name(text, names, f"There is no {noun} {{}}.")


def find_side_id(state: State, text: str) -> str:
    """Return the id of the side that `text` means. Raises Refused with the existing sides."""
    return match_name({side.id: side.name for side in state.sides}, text, "side")
