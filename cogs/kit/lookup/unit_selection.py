"""Find the units that an option names: one unit, a list with commas or “and”, all, or all of a name or side."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bot.journal.game import Game
from rules.core import naming, orders
from rules.core.order_book import OrderBook
from rules.core.refusal import Refused
from rules.core.state import State, UnitCard
from rules.core.typed_text import simplify_signs

from . import name_lookup

JOINED = re.compile(r"\s(?:and|&|\+)\s", re.IGNORECASE)
"""Matches a word between two units: `Amarar and Arteiga`."""


def select_units(
    game: Game, user: int, text: str, action: tuple[str, Mapping[str, Any]] | None = None
) -> Sequence[str]:
    """Return the ids of the units that `text` names. Raises Refused.

    `text` is a name, a list with commas or “and”, `all`, or `all` with a name or side. If `action` gives a kind and its
    arguments, `all` means the units that can do it.
    """
    viewer = game.viewer(user)
    view = game.ruleset.view(game.state, viewer)
    unit = name_lookup.find_unit_exactly(view, text)
    if unit is not None:
        return (unit,)
    roster, text = game.ruleset.roster(game.state, viewer), simplify_signs(text)
    if not orders.may_mean_several_units(text) and not JOINED.search(text):
        return (name_lookup.find_unit_id(roster, text),)
    if markers := _select_markers(view, roster, text):
        return markers
    book = OrderBook(game.ruleset, view, viewer)
    units = book.find_listed_units(text)
    if not units:
        raise Refused("Say whom: a unit, several by comma, or “all”.")
    if action is None or not orders.means_all_units(text):
        return units
    kind, args = action
    return book.without_unable_units(orders.Order(kind=kind, units=tuple(units), args=args)).units


def _select_markers(view: State, roster: Sequence[UnitCard], text: str) -> Sequence[str]:
    """Return the ids of the markers in a list of names, or an empty tuple if any name fits no marker or several."""
    markers = {card.id: card.name for card in roster if card.id not in view.units}
    matches = [naming.find_matches(part, markers) for piece in text.split(",") for part in JOINED.split(piece)]
    return tuple(ids[0] for ids in matches) if all(len(ids) == 1 for ids in matches) else ()
