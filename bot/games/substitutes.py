"""Offer a seat to other users, and take an offered seat. The successor takes over the order sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.engine import Connection

from bot.errors import Stale, UserError
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game, Played
from bot.journal.ledger import Ledger
from bot.store.tables import ENTRIES, SEATS, SHEETS
from rules.core.report import Report

from .after_missed import MissedRemedy
from .import_boundary import is_since_import
from .missed_turns import MISSED
from .rights import require_side, require_unspoiled
from .start import find_open_side
from .successors import SUBSTITUTED, load_umpires, seat_fields

OFFERED = "game offer seat"
"""Kind of entries that offer a seat."""
TAKEN = "That seat has been taken, or is no longer offered. /game status shows who plays what."


@dataclass(frozen=True)
class _LoadedOffer:
    """Data for taking a seat, from the database: the offer's action, and the ids of present and past umpires."""

    offer: Mapping[str, Any] | None
    is_taken: bool
    umpires: frozenset[int]


class Substitutes:
    """Service for seats that are offered to others."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def offer(self, channel: int, actor: Actor, side: str | None = None, *, interaction: int = 0) -> Played:
        """Offer the actor's own seat, or a seat on `side` if the actor is the umpire.

        The player keeps the offered seat until another user takes it. Raises NotAllowed, Refused for an unknown side,
        UserError if the umpire names no side.
        """
        work = partial(_draft_offer, actor=actor, side=side)
        return await self._ledger.change(channel, actor, work, interaction=interaction)

    async def take(self, channel: int, actor: Actor, game: str, entry: int, *, interaction: int = 0) -> Played:
        """Give the actor the seat that entry number `entry` offers.

        The actor takes over the order sheet of the player who gives the seat up. Raises Stale if the seat is no longer
        offered, UserError for a second seat, NotAllowed if the actor knows secrets of another side.
        """
        read, work = partial(self._load_offer, entry=entry), partial(_draft_taking, actor, entry)
        return (await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction, game_id=game))[
            0
        ]

    async def open_offers(self, game: Game) -> Mapping[int, str]:
        """Return the side of each seat that is still offered, by the number of the newest entry that offers it."""
        here = ENTRIES.c.game == game.id, ENTRIES.c.kind.in_((OFFERED, MISSED, SUBSTITUTED)), is_since_import(game.id)
        query = select(ENTRIES.c.public, ENTRIES.c.action).where(*here).order_by(ENTRIES.c.seq)
        newest: dict[tuple[str, int | None], int] = {}
        async with self._ledger.store.ask() as connection:
            for row in await connection.execute(query):
                if row.action.get("offer") is not None:
                    newest = {seat: number for seat, number in newest.items() if number != row.action["offer"]}
                elif is_offer(row.action):
                    newest[row.action["side"], _user_to_replace(row.action)] = row.public
        seated = {(seat.side, seat.user) for seat in game.seats}
        return {number: seat[0] for seat, number in newest.items() if seat[1] is None or seat in seated}

    async def _load_offer(self, game: Game, entry: int) -> _LoadedOffer:
        here = ENTRIES.c.game == game.id, is_since_import(game.id)
        offers = select(ENTRIES.c.action).where(*here, ENTRIES.c.public == entry, ENTRIES.c.kind.in_((OFFERED, MISSED)))
        taken = select(ENTRIES.c.action).where(*here, ENTRIES.c.kind == SUBSTITUTED)
        async with self._ledger.store.ask() as connection:
            offer: Mapping[str, Any] | None = await connection.scalar(offers)
            is_taken = any(one.get("offer") == entry for one in await connection.scalars(taken))
            is_open = offer is not None and is_offer(offer)
            return _LoadedOffer(offer if is_open else None, is_taken, await load_umpires(connection, game))


def _draft_offer(game: Game, actor: Actor, side: str | None) -> Draft:
    own = game.viewer(actor.id)
    if side is None and own not in {one.id for one in game.state.sides}:
        raise UserError("Which seat? Give the side, too.")
    chosen = game.state.side(own) if side is None else find_open_side(game.ruleset, game.state, side)
    require_side(game, actor, chosen.id)
    players = [seat for seat in game.players(chosen.id) if not seat.is_bot]
    mine = next((seat for seat in players if seat.user == actor.id), None)
    leaves = mine or (players[0] if len(players) == 1 else None)
    headline = f"{actor.name} offers a seat for {chosen:the}"
    stays = f"{leaves.name} keeps the seat until somebody takes it." if leaves else ""
    action = {"side": chosen.id, "leaves": leaves and leaves.user}
    return Draft(OFFERED, Report(headline=headline, outcome=stays, side=chosen.id), action=action, side=chosen.id)


def _draft_taking(actor: Actor, entry: int, game: Game, loaded: _LoadedOffer) -> Draft:
    """Draft the entry that seats the actor. Raises Stale, UserError, NotAllowed."""
    if loaded.offer is None or loaded.is_taken:
        raise Stale(TAKEN)
    side = loaded.offer["side"]
    if own := next((seat for seat in game.seats if seat.user == actor.id), None):
        raise UserError(f"You already play {game.the_side(own.side)}. /game leave gives that seat up.")
    require_unspoiled(game, actor, side, loaded.umpires)
    leaves = _user_to_replace(loaded.offer)
    former = next((seat for seat in game.seats if seat.user == leaves and seat.side == side), None)
    headline = f"{actor.name} plays {game.the_side(side)}{f' in place of {former.name}' if former else ''}"
    action = {"side": side, "user": actor.id, "offer": entry}
    seat = {"game": game.id, "user": actor.id, "name": actor.name, "side": side}
    return Draft(
        SUBSTITUTED,
        Report(headline=headline, side=side),
        action=action,
        side=side,
        also=partial(_hand_over, seat, None if former is None else former.user),
        fields=seat_fields(game, actor, side, former),
    )


def is_offer(action: Mapping[str, Any]) -> bool:
    """Whether the action of an OFFERED or MISSED entry offers a seat."""
    return "leaves" in action or action.get("then") == MissedRemedy.OFFER


def _user_to_replace(offer: Mapping[str, Any]) -> int | None:
    """Return the user who gives the seat up: the user in the offer, or the only player who missed the turn."""
    if "leaves" in offer:
        leaves: int | None = offer["leaves"]
        return leaves
    users: Sequence[int] = offer.get("users") or ()
    return users[0] if len(users) == 1 else None


def _hand_over(seat: Mapping[str, Any], former: int | None, connection: Connection) -> None:
    """Insert the successor's seat, delete the former player's seat, and hand over the former player's order sheet."""
    if former is not None:
        theirs = SEATS.c.game == seat["game"], SEATS.c.user == former
        connection.execute(delete(SEATS).where(*theirs))
        sheets = SHEETS.c.game == seat["game"]
        connection.execute(delete(SHEETS).where(sheets, SHEETS.c.user == seat["user"]))
        connection.execute(update(SHEETS).where(sheets, SHEETS.c.user == former).values(user=seat["user"]))
    connection.execute(insert(SEATS), seat)
