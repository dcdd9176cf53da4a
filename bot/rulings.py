"""Rulings of a house: roll a die to decide, then keep what was agreed, for a server or a user's own messages."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from rapidfuzz import fuzz, process, utils
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from .errors import UserError
from .game import Actor
from .games import Games
from .rolls import Rolled
from .store import Store
from .store.tables import RulingRow

LONGEST = 1000
GOOD_ENOUGH = 60.0
"""The fuzzy score under which a ruling does not answer to the words."""

_BY_DIE = re.compile(r"([2-6])\s*\+")
_BY_PERCENT = re.compile(r"(\d{1,2})\s*%")


@dataclass(frozen=True)
class Ruling:
    """A ruling as it was kept."""

    id: int
    at: datetime
    author: Actor
    text: str


@dataclass(frozen=True)
class Asked:
    """A question put to the dice, and their answer."""

    question: str
    odds: str
    yes: bool
    rolled: Rolled


def scope_of(guild: int | None, user: int) -> str:
    """Whose law it is: a server's, or in direct messages the user's own."""
    return f"guild {guild}" if guild is not None else f"user {user}"


class Rulings:
    """All rulings of the store."""

    def __init__(self, store: Store, games: Games) -> None:
        self._store = store
        self._games = games

    async def ask(self, channel: int, actor: Actor, question: str, odds: str = "4+", *, interaction: int) -> Asked:
        """Lets the dice decide: `4+` on a D6, or `35%` on a D100; a game's own dice where one runs.

        Raises UserError on odds of another form.
        """
        expression = _expression(odds)
        rolled = await self._games.roll(channel, actor, expression, question, interaction=interaction)
        return Asked(question, odds, yes=rolled.report.outcome == "1", rolled=rolled)

    async def record(self, scope: str, actor: Actor, text: str, *, interaction: int = 0) -> Ruling:
        """Keeps a ruling; the same interaction again gets the one it kept. Raises UserError on no text, or too much."""
        words = text.strip()
        if not words or len(words) > LONGEST:
            raise UserError(f"A ruling has from 1 to {LONGEST} characters; this has {len(words)}.")
        by = {"author": actor.id, "author_name": actor.name, "interaction": interaction}
        row = RulingRow(scope=scope, at=datetime.now(UTC), text=words, **by)
        try:
            async with self._store.write() as session:
                session.add(row)
        except IntegrityError:
            async with self._store.read() as session:
                kept = select(RulingRow).where(RulingRow.interaction == interaction)
                return _ruling((await session.scalars(kept)).one())
        return _ruling(row)

    async def list(self, scope: str, search: str = "", limit: int = 25) -> Sequence[Ruling]:
        """The newest rulings, or those that answer to the words, best first."""
        async with self._store.read() as session:
            newest = select(RulingRow).where(RulingRow.scope == scope).order_by(RulingRow.id.desc())
            rulings = [_ruling(row) for row in await session.scalars(newest)]
        if not search.strip():
            return rulings[:limit]
        found = process.extract(
            search,
            [ruling.text for ruling in rulings],
            scorer=fuzz.WRatio,
            processor=utils.default_process,
            limit=limit,
            score_cutoff=GOOD_ENOUGH,
        )
        return [rulings[place] for _, _, place in found]


def _expression(odds: str) -> str:
    if die := _BY_DIE.fullmatch(odds.strip()):
        return f"1d6>={die[1]}"
    if (percent := _BY_PERCENT.fullmatch(odds.strip())) and int(percent[1]):
        return f"1d100<={percent[1]}"
    raise UserError(f"“{odds[:20]}” are no odds. Give them as 2+ to 6+ on a die, or as 1% to 99%.")


def _ruling(row: RulingRow) -> Ruling:
    return Ruling(row.id, row.at, Actor(row.author, row.author_name), row.text)
