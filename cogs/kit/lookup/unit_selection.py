"""Find the units that a command's option names: one, several by comma or “and”, all, or all of a name or side."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bot.journal.game import Game
from rules.core import naming, orders
from rules.core.orders import OrderBook
from rules.core.refusal import Refused
from rules.core.state import State, UnitCard

from . import name_lookup

JOINED = re.compile(r"\s(?:and|&|\+)\s", re.IGNORECASE)
"""Matches a word between two units: `Amarar and Arteiga`."""


def select_units(game: Game, user: int, text: str, able: tuple[str, Mapping[str, Any]] | None = None) -> Sequence[str]:
    """Return the ids of the named units: one, several by comma or “and”, `all`, or `all` of a name or side.

    With `able`, a kind of action and its arguments, `all` means the units that can do that action. Raises Refused.
    """
    viewer = game.viewer(user)
    seen = game.ruleset.view(game.state, viewer)
    one = name_lookup.find_exactly(seen, text)
    if one is not None:
        return (one,)
    roster = game.ruleset.roster(game.state, viewer)
    if not orders.is_list(text) and not JOINED.search(text):
        return (name_lookup.unit_id(roster, text),)
    if markers := _select_markers(seen, roster, text):
        return markers
    book = OrderBook(game.ruleset, seen, viewer)
    units = book.units(text)
    if not units:
        raise Refused("Say whom: a unit, several by comma, or “all”.")
    return book.units_able(able[0], units, able[1]) if able is not None and orders.is_all(text) else units


def _select_markers(seen: State, roster: Sequence[UnitCard], text: str) -> Sequence[str]:
    """Return the ids of the named markers, or an empty tuple if any name in the list is not a marker's."""
    markers = {card.id: card.name for card in roster if card.id not in seen.units}
    meant = [naming.meant(part, markers) for listed in text.split(",") for part in JOINED.split(listed)]
    return tuple(ids[0] for ids in meant) if all(len(ids) == 1 for ids in meant) else ()
