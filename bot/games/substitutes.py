"""Offer a seat to other users, and take an offered seat. The new player takes over the order sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import delete, func, select, update

from bot.errors import Stale, UserError
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game, Played
from bot.journal.seats import Seat
from bot.store.changes import Change
from bot.store.queries import fetch_rows
from bot.store.tables import ENTRIES, SHEETS
from rules.core.report import Report
from rules.core.state import Side

from .import_boundary import since_import_condition
from .missed_turns import MISSED
from .missed_turns_setting import MissedTurnsRemedy
from .rights import require_may_act_for, require_uninformed_successor
from .seat_rows import delete_seat, insert_player_seat
from .service import Service
from .start import find_playable_side
from .successors import SUBSTITUTED, load_umpire_ids, make_played_sides_column

OFFERED, WITHDRAWN = "game offer seat", "game withdraw seat"
"""Kinds of entries: offering a seat, and withdrawing the offers of a seat."""
TAKEN = "That seat has been taken, or is no longer offered. /game status shows who plays what."
NOT_OFFERED = "No seat there is offered that you could take back."


@dataclass(frozen=True)
class SeatOffer:
    """An offered seat on a side. `leaves` is the user who gives up the seat, or None for an additional seat."""

    side: str
    leaves: int | None


@dataclass(frozen=True)
class _LoadedOffers:
    """The open seat offers by entry number, and the user ids of present and past umpires."""

    offers: Mapping[int, SeatOffer]
    umpires: frozenset[int]


class Substitutes(Service):
    """Service for seats offered to other users."""

    async def offer_seat(self, channel: int, actor: Actor, side: str | None = None, *, interaction: int = 0) -> Played:
        """Offer the actor's own seat, or as the umpire a seat on `side`, to other users.

        The player keeps the seat until it is taken. Raises NotAllowed, Refused for an unknown side, UserError
        if the umpire names no side.
        """
        work = partial(_draft_offer, actor=actor, side=side)
        return await self._ledger.change(channel, actor, work, interaction=interaction)

    async def take_seat(self, channel: int, actor: Actor, game: str, entry: int, *, interaction: int = 0) -> Played:
        """Give the actor the seat that entry number `entry` offers, with the order sheet of its player.

        Raises Stale if the seat is no longer offered, UserError if the actor has a seat, NotAllowed if the
        actor knows secrets of another side.
        """
        work = partial(_draft_substitution, actor, entry)
        played = await self._ledger.read_and_change(
            channel, actor, self._load_offers, work, interaction=interaction, game_id=game
        )
        return played[0]

    async def withdraw_offers(
        self, channel: int, actor: Actor, side: str | None = None, *, interaction: int = 0
    ) -> Played:
        """Withdraw the offers of the actor's seat, or as the umpire of seats on `side`.

        Raises like `offer_seat`, and UserError if no offer is open.
        """
        work = partial(_draft_withdrawal, actor=actor, side=side)
        return (await self._ledger.read_and_change(channel, actor, self._load_offers, work, interaction=interaction))[0]

    async def load_open_offers(self, game: Game) -> Mapping[int, str]:
        """Return the sides on which seats are offered, by the number of the offer's newest entry."""
        newest = {offer: number for number, offer in (await self._load_offers(game)).offers.items()}
        return {number: offer.side for offer, number in newest.items()}

    async def _load_offers(self, game: Game) -> _LoadedOffers:
        """Return the open offers, oldest first.

        An offer ends when the seat is taken or left, or the offer is withdrawn. An offer after a missed turn
        also ends when the absent player acts again.
        """
        conditions = ENTRIES.c.game == game.id, since_import_condition(game.id)
        kinds = ENTRIES.c.kind.in_((OFFERED, MISSED, SUBSTITUTED, WITHDRAWN))
        query = select(ENTRIES.c.seq, ENTRIES.c.public, ENTRIES.c.kind, ENTRIES.c.action).where(*conditions, kinds)
        acts = (
            select(ENTRIES.c.actor, func.max(ENTRIES.c.seq).label("last"))
            .where(*conditions, ENTRIES.c.acts)
            .group_by(ENTRIES.c.actor)
        )
        offers: dict[int, SeatOffer] = {}
        acted = {row.actor: row.last for row in await fetch_rows(self._ledger.store, acts)}
        for row in await fetch_rows(self._ledger.store, query.order_by(ENTRIES.c.seq)):
            is_back = row.kind == MISSED and any(acted.get(user, 0) > row.seq for user in row.action["users"])
            if ("leaves" in row.action or row.action.get("then") == MissedTurnsRemedy.OFFER) and not is_back:
                offers[row.public] = SeatOffer(row.action["side"], _user_to_replace(row.action))
            ended_numbers = row.action.get("offers", [row.action.get("offer")])
            closed_offers = {offers[number] for number in ended_numbers if number in offers}
            offers = {number: offer for number, offer in offers.items() if offer not in closed_offers}
        seats = {(seat.side, seat.user) for seat in game.seats}
        open_offers = {
            number: offer
            for number, offer in offers.items()
            if offer.leaves is None or (offer.side, offer.leaves) in seats
        }
        return _LoadedOffers(open_offers, await load_umpire_ids(self._ledger, game))


def _choose_side(game: Game, actor: Actor, side: str | None) -> Side:
    """Return the named side, or without a name the actor's side. Raises UserError, NotAllowed, Refused."""
    own = game.viewer(actor.id)
    if side is None and own not in {other.id for other in game.state.sides}:
        raise UserError("Which seat? Give the side, too.")
    chosen = game.state.side(own) if side is None else find_playable_side(game.ruleset, game.state, side)
    require_may_act_for(game, actor, chosen.id)
    return chosen


def _draft_offer(game: Game, actor: Actor, side: str | None) -> Draft:
    chosen = _choose_side(game, actor, side)
    players = [seat for seat in game.players(chosen.id) if not seat.is_bot]
    own_seat = next((seat for seat in players if seat.user == actor.id), None)
    leaves = own_seat or (players[0] if len(players) == 1 else None)
    headline = f"{actor.name} offers a seat for {chosen:the}"
    outcome = f"{leaves.name} keeps the seat until somebody takes it." if leaves else ""
    action = {"side": chosen.id, "leaves": leaves and leaves.user}
    return Draft(OFFERED, Report(headline=headline, outcome=outcome, side=chosen.id), action=action, side=chosen.id)


def _draft_withdrawal(game: Game, loaded: _LoadedOffers, actor: Actor, side: str | None) -> Draft:
    """Draft the entry that withdraws offers. Raises UserError, Refused, NotAllowed."""
    chosen = _choose_side(game, actor, side)
    on_side = {number: offer for number, offer in loaded.offers.items() if offer.side == chosen.id}
    is_umpire = game.is_umpire(actor.id)
    ended_numbers = [number for number, offer in on_side.items() if is_umpire or offer.leaves == actor.id]
    if not ended_numbers:
        raise UserError(NOT_OFFERED)
    report = Report(headline=f"{actor.name} no longer offers a seat for {chosen:the}", side=chosen.id)
    return Draft(WITHDRAWN, report, action={"side": chosen.id, "offers": ended_numbers}, side=chosen.id)


def _draft_substitution(actor: Actor, entry: int, game: Game, loaded: _LoadedOffers) -> Draft:
    """Draft the entry that seats the actor. Raises Stale, UserError, NotAllowed."""
    offer = loaded.offers.get(entry)
    if offer is None:
        raise Stale(TAKEN)
    side = offer.side
    if own := game.seat_of(actor.id):
        raise UserError(f"You already play {game.the_side(own.side)}. /game leave gives that seat up.")
    require_uninformed_successor(game, actor, side, loaded.umpires)
    former = next((seat for seat in game.seats if seat.user == offer.leaves and seat.side == side), None)
    headline = f"{actor.name} plays {game.the_side(side)}{f' in place of {former.name}' if former else ''}"
    former_fields = {"former": former.user, "former_name": former.name} if former else {}
    action = {"side": side, "user": actor.id, "offer": entry, **former_fields}
    return Draft(
        SUBSTITUTED,
        Report(headline=headline, side=side),
        action=action,
        side=side,
        changes=_seat_changes(game, actor, side, former),
        fields=make_played_sides_column(game, actor, side, former),
    )


def _user_to_replace(offer: Mapping[str, Any]) -> int | None:
    """Return the user whose seat the offer gives away, or None for an additional seat.

    After a missed turn, a single player who missed the turn is replaced. For several players, the seat is
    additional.
    """
    users: Sequence[int | None] = [offer["leaves"]] if "leaves" in offer else offer.get("users") or ()
    return users[0] if len(users) == 1 else None


def _seat_changes(game: Game, actor: Actor, side: str, former: Seat | None) -> Sequence[Change]:
    """Return the database changes that seat the actor on the side.

    If `former` is given, the actor takes over the seat and order sheet of this player.
    """
    new = insert_player_seat(game.id, actor.id, actor.name, side)
    if former is None:
        return [new]
    of_game = SHEETS.c.game == game.id
    drop_own = delete(SHEETS).where(of_game, SHEETS.c.user == actor.id)
    hand_over = update(SHEETS).where(of_game, SHEETS.c.user == former.user).values(user=actor.id)
    return [delete_seat(game.id, former.user), drop_own, hand_over, new]
