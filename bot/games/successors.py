"""Successors in a seat: who may take it, and what the game notes when somebody does."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.journal.game import Actor, Game, Seat
from bot.store.tables import ENTRIES
from rules.core.model import Viewer

from .seats import APPOINTED


async def load_umpires(connection: AsyncConnection, game: Game) -> frozenset[int]:
    """Return the user ids of the game's umpire and all umpires before."""
    here = ENTRIES.c.game == game.id
    first = await connection.scalar(select(ENTRIES.c.actor).where(here).order_by(ENTRIES.c.seq).limit(1))
    changes = select(ENTRIES.c.actor, ENTRIES.c.action).where(here, ENTRIES.c.kind == APPOINTED)
    former = {row.action.get("former", row.actor) for row in await connection.execute(changes)}
    return frozenset((game.umpire.id, first or game.umpire.id, *former))


def seat_fields(game: Game, successor: Actor, side: Viewer, former: Seat | None = None) -> Mapping[str, Any]:
    """Return the game's new row values when `successor` takes a seat: the last side of everyone who has played."""
    sides = {**game.last_sides, successor.id: side, **({former.user: side} if former else {})}
    return {"held": {str(user): one for user, one in sides.items()}}
