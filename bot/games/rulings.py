"""House rulings of a server, or of a user's direct messages, and questions decided by a die."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from rapidfuzz import fuzz, process, utils
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from bot.errors import NoGame, NotAllowed, UserError
from bot.expressions import TotalUnit, total_in_words
from bot.journal.game import Actor, Game
from bot.store import Store
from bot.store.member_tables import RulingRow
from bot.store.queries import fetch_rows
from bot.store.scope import is_server_scope
from rules.core.question import YES, Question
from rules.core.typed_text import simplify_signs

from .act import Actions
from .rolls import RollResult, Rolls

LONGEST = 1000
MOST_RULINGS, MOST_RULINGS_OF_MEMBER = 500, 100
"""Maximum number of rulings of one server (or one user's direct messages), and of each member of a server."""
FULL = (
    f"{MOST_RULINGS} house rules are kept here, which is the most there can be. Remove one that is no longer needed: "
    "/ruling list shows them, /ruling remove removes one by its number. Nothing was changed."
)
OWN_FULL = (
    f"You have written {MOST_RULINGS_OF_MEMBER} house rules here, the most that a member can. Remove one that is no "
    "longer needed: /ruling list shows them, /ruling remove removes one by its number. Nothing was changed."
)
GOOD_ENOUGH = 60.0
"""Minimum fuzzy score (0-100) for a ruling to match a search."""

_BY_DIE = re.compile(r"([2-6])\+")
_BY_PERCENT = re.compile(r"([0-9]{1,2})%")
_YES = total_in_words(1, TotalUnit.SUCCESSES)


@dataclass(frozen=True)
class Ruling:
    """A stored house ruling, with the time and author of its text."""

    id: int
    at: datetime
    author: Actor
    text: str


@dataclass(frozen=True)
class DiceAnswer:
    """A question, its odds, and the answer of the dice."""

    question: str
    odds: str
    yes: bool
    rolled: RollResult


class Rulings:
    """Service for rulings, and for questions decided by a die."""

    def __init__(
        self, store: Store, actions: Actions, rolls: Rolls, running_game: Callable[[int], Awaitable[Game]]
    ) -> None:
        """Create the service. `running_game` returns a channel's running game, or raises NoGame."""
        self._store = store
        self._actions = actions
        self._rolls = rolls
        self._running_game = running_game

    async def answer_by_dice(
        self, channel: int, actor: Actor, question: str, odds: str = "4+", *, interaction: int
    ) -> DiceAnswer:
        """Answer a yes-or-no question by dice, with the odds `4+` on a D6 or `35%` on a D100.

        If a game runs in the channel, its dice are used. Raises UserError for invalid odds.
        """
        odds = "".join(simplify_signs(odds).split())
        expression = _parse_odds(odds)
        if await self._can_ask_in_game(channel, actor):
            args = {"text": question, "odds": odds}
            played = await self._actions.act_by_kind(channel, actor, Question.kind, args, interaction=interaction)
            report = played.entry.report
            return DiceAnswer(question, odds, yes=report.outcome == YES, rolled=RollResult(report, played))
        rolled = await self._rolls.roll(channel, actor, expression, question, interaction=interaction)
        return DiceAnswer(question, odds, yes=rolled.report.outcome == _YES, rolled=rolled)

    async def _can_ask_in_game(self, channel: int, actor: Actor) -> bool:
        """Whether the actor is the umpire of a game whose rule system supports questions."""
        try:
            game = await self._running_game(channel)
        except NoGame:
            return False
        return game.is_umpire(actor.id) and Question.kind in game.ruleset.actions

    async def store_ruling(self, scope: str, actor: Actor, text: str, *, interaction: int = 0) -> Ruling:
        """Store a ruling. If the interaction is repeated, return the ruling stored before.

        Raises UserError for an empty or too long text, or too many rulings.
        """
        words = text.strip()
        if not words or len(words) > LONGEST:
            raise UserError(f"A house rule has 1 to {LONGEST} characters; this has {len(words)}.")
        by = {"author": actor.id, "author_name": actor.name, "interaction": interaction}
        row = RulingRow(scope=scope, at=datetime.now(UTC), text=words, **by)
        try:
            async with self._store.write() as session:
                if await _find_ruling_by_interaction(session, interaction) is None:
                    await _require_below_ruling_limit(session, scope, actor)
                session.add(row)
        except IntegrityError:
            async with self._store.read() as session:
                ruling = await _find_ruling_by_interaction(session, interaction)
                assert ruling is not None, "an interaction records once"
                return ruling
        return _parse_row(row)

    async def load_newest_rulings(self, scope: str, most: int, before: int | None = None) -> Sequence[Ruling]:
        """Return at most `most` rulings, newest first. With `before`, return only rulings with a lower number."""
        older = [] if before is None else [RulingRow.id < before]
        query = select(RulingRow).where(RulingRow.scope == scope, *older).order_by(RulingRow.id.desc()).limit(most)
        async with self._store.read() as session:
            return [_parse_row(row) for row in await session.scalars(query)]

    async def search(self, scope: str, words: str, most: int) -> Sequence[Ruling]:
        """Return at most `most` rulings that match the words, best first."""
        texts = select(RulingRow.id, RulingRow.text).where(RulingRow.scope == scope).order_by(RulingRow.id.desc())
        texts_by_number = {row.id: row.text for row in await fetch_rows(self._store, texts)}
        best = await asyncio.to_thread(_find_matching_texts, texts_by_number, words, most)
        query = select(RulingRow).where(RulingRow.id.in_(best))
        async with self._store.read() as session:
            rulings = {row.id: _parse_row(row) for row in await session.scalars(query)}
        return [rulings[number] for number in best if number in rulings]

    async def remove(self, scope: str, actor: Actor, number: int, *, manages: bool) -> Ruling:
        """Delete ruling `number`, and return the deleted ruling.

        Raises UserError for an unknown number, NotAllowed for another member's ruling unless the actor
        `manages` the channel.
        """
        async with self._store.write() as session:
            row = await session.get(RulingRow, number)
            if row is None or row.scope != scope:
                raise UserError(f"No house rule here has the number {number}. /ruling list shows them.")
            if row.author != actor.id and not manages:
                raise NotAllowed(f"Only {row.author_name}, who wrote it, or a manager of this channel can do that.")
            await session.delete(row)
        return _parse_row(row)


async def _require_below_ruling_limit(session: AsyncSession, scope: str, actor: Actor) -> None:
    """Raise UserError if the server's or the member's limit of rulings is reached."""
    query = select(func.count()).where(RulingRow.scope == scope)
    if (await session.scalar(query) or 0) >= MOST_RULINGS:
        raise UserError(FULL)
    if (
        is_server_scope(scope)
        and (await session.scalar(query.where(RulingRow.author == actor.id)) or 0) >= MOST_RULINGS_OF_MEMBER
    ):
        raise UserError(OWN_FULL)


async def _find_ruling_by_interaction(session: AsyncSession, interaction: int) -> Ruling | None:
    """Return the ruling stored for the interaction, or None."""
    if not interaction:
        return None
    row = (await session.scalars(select(RulingRow).where(RulingRow.interaction == interaction))).first()
    return None if row is None else _parse_row(row)


def _find_matching_texts(texts: Mapping[int, str], words: str, most: int) -> Sequence[int]:
    """Return the numbers of at most `most` texts that match the words, best first."""
    matches = process.extract(
        words, texts, scorer=fuzz.WRatio, processor=utils.default_process, limit=most, score_cutoff=GOOD_ENOUGH
    )
    return [number for _, _, number in matches]


def _parse_odds(odds: str) -> str:
    if die := _BY_DIE.fullmatch(odds):
        return f"1d6>={die[1]}"
    if (percent := _BY_PERCENT.fullmatch(odds)) and int(percent[1]):
        return f"1d100<={percent[1]}"
    raise UserError(f"“{odds[:20]}” cannot be read as odds. Give them as 2+ to 6+ on a die, or as 1% to 99%.")


def _parse_row(row: RulingRow) -> Ruling:
    return Ruling(row.id, row.at, Actor(row.author, row.author_name), row.text)
