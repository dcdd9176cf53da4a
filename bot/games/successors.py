"""Users who take over a seat: refuse users who know too much, and record the new player."""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import select

from bot.game_file.format import MOST_SEATS
from bot.game_file.import_entry import IMPORT
from bot.journal.game import Actor, Game
from bot.journal.ledger import Ledger
from bot.journal.seats import Seat
from bot.store.queries import fetch_rows, fetch_value
from bot.store.tables import ENTRIES
from rules.core.model import PUBLIC, UMPIRE, Viewer

APPOINTED, JOINED, RELIEVED, SUBSTITUTED = "umpire appoint", "game join", "game join for bot", "game substitute"
LEFT = "game leave"
"""Kinds of entries that change a user's role."""


async def load_umpire_ids(ledger: Ledger, game: Game) -> frozenset[int]:
    """Return the user ids of the umpire, and of former umpires who may have seen hidden facts."""
    of_game = ENTRIES.c.game == game.id
    umpire = await fetch_value(ledger.store, select(ENTRIES.c.actor).where(of_game).order_by(ENTRIES.c.seq).limit(1))
    new_umpires = of_game, ENTRIES.c.kind.in_((APPOINTED, IMPORT))
    changes = select(ENTRIES.c.kind, ENTRIES.c.actor, ENTRIES.c.action).where(*new_umpires)
    users = {game.umpire.id}
    for row in await fetch_rows(ledger.store, changes.order_by(ENTRIES.c.seq)):
        is_import = row.kind == IMPORT
        former = umpire if is_import else row.action.get("former", row.actor)
        if former is not None and row.action.get("knew", True):
            users.add(former)
        umpire = row.actor if is_import else row.action.get("umpire")
    return frozenset(users)


def has_umpire_seen_hidden_facts(game: Game) -> bool:
    """Whether the umpire sees everything, and the game has had hidden entries or has hidden facts now."""
    if not game.state.can_have_hidden_units or game.viewer(game.umpire.id) != UMPIRE:
        return False
    return bool(game.counts.hidden_entries) or game.ruleset.view(game.state, PUBLIC) != game.state


def make_played_sides_column(
    game: Game, successor: Actor, side: Viewer, former: Seat | None = None
) -> Mapping[str, Any]:
    """Return the column `held` of the game's row: the side that each user last played.

    The column includes `successor`, who now plays `side`, and `former`, who gave up this side.
    """
    sides = {**game.last_sides, successor.id: side, **({former.user: side} if former else {})}
    return {"held": {str(user): last_side for user, last_side in sides.items()}}


def last_played_sides_in_file(entries: Iterable[Mapping[str, Any]], importer: int) -> Mapping[str, Viewer]:
    """Return the side that each player in an imported file last played, by user id as text.

    Leave out the importer, and all but the last MOST_SEATS users, because a file could name any number.
    """
    sides: dict[str, Viewer] = {}
    for entry in entries:
        user = entry["action"].get("user") if entry["kind"] == SUBSTITUTED else entry["actor"]
        if entry["kind"] in (JOINED, RELIEVED, SUBSTITUTED) and isinstance(user, int) and user != importer:
            sides.pop(str(user), None)
            sides[str(user)] = entry["side"]
    return dict([*sides.items()][-MOST_SEATS:])
