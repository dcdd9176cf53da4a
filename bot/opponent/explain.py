"""Explain the bot's decisions to entitled viewers, and let the umpire overrule them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NoReturn

from sqlalchemy import ColumnElement, Row, and_, select, update
from sqlalchemy.engine import Connection

from bot.errors import NotAllowed, Stale, UserError
from bot.games.action_batch import ActionBatch
from bot.games.opponents import rest_bot
from bot.games.rights import require_umpire
from bot.games.sheet_rows import cancel_presses
from bot.games.undo import require_hidden_facts
from bot.jobs.explanation import Asked, Why, find_alternative, why
from bot.journal import snapshots
from bot.journal.codec import read_state
from bot.journal.drafts import READ_COLUMNS, NewEntry, entry_named
from bot.journal.entries import read_entry
from bot.journal.game import Actor, Entry, Game, Played
from bot.journal.ledger import Ledger
from bot.journal.thinking_record import Thinking
from bot.store.tables import ENTRIES
from bot.workers import Workers
from rules.core.dice import shown_number
from rules.core.hidden_troops import hides_nothing, shows_all_to
from rules.core.model import UMPIRE
from rules.core.state import State

NO_DECISION = (
    "The bot has decided nothing here that you may ask about. It decides for a side once /opponent side seats it."
)
NO_SUCH = "Number {number} is no decision of the bot's. Its last is number {last}; number: offers others as you type."
NOT_FOR_YOU = (
    "Only those who play {side}, and an umpire without a seat, may see why: "
    "the answer would show what is hidden from you."
)
SINCE = "More has happened since. /opponent why shows what can be overruled now."
GONE = "That is not among what the bot could do there any more. /opponent why shows what can be done now."
MOST_LISTED = 25


@dataclass(frozen=True)
class Decision:
    """A decision of the bot's: its entry, how it was thought of, and all that was done from it on, the newest first.

    `after` ends with the decision itself; it is empty where that was taken back, or where anybody else has acted since:
    then it cannot be overruled.
    """

    entry: Entry
    thinking: Thinking
    after: Sequence[Entry]


class BotReasons:
    """What the bot thought."""

    def __init__(self, ledger: Ledger, workers: Workers) -> None:
        self._ledger = ledger
        self._workers = workers

    async def why(self, game: Game, actor: Actor, name: str | None) -> tuple[Decision, Why]:
        """Explain the bot's last decision, or the decision in entry `name`.

        Raises NotAllowed for who may not see its side, UserError where there is no such decision.
        """
        decision = await self._decision(game, actor, name)
        may = game.is_umpire(actor.id) and bool(decision.after)
        async with self._workers.turn():
            return decision, await self._workers.run(why, await self._asked_about(game, decision, others=may))

    async def decisions(self, game: Game, actor: Actor) -> Sequence[Entry]:
        """Return the bot's last decisions that stand and that the actor may ask about, the newest first."""
        rows = await self._rows(game, _of_bot(game, actor), ~ENTRIES.c.undone, limit=MOST_LISTED)
        return await self._read(game, rows)

    async def overrule(
        self, channel: int, actor: Actor, name: str, *, game_id: str, progress: str, key: str, interaction: int
    ) -> Played:
        """Undo a decision and all later ones of the bot, and run the alternative `key` instead.

        Raises NotAllowed for all but the umpire, Stale where the game does not stand any more as `progress` says.
        """
        game = await self._ledger.running(channel)
        _require_unmoved(game, actor, game_id, progress)
        decision = await self._decision(game, actor, name)
        if not decision.after:
            raise Stale(SINCE)
        async with self._workers.turn():
            asked = await self._asked_about(game, decision, others=True)
            wanted = await self._workers.run(find_alternative, asked, key)
        if wanted is None:
            raise Stale(GONE)
        base = await asyncio.to_thread(read_state, game.ruleset, asked.packed)

        instead = _Overruling(actor, decision, wanted, asked.base, base, game_id, progress)
        read, work = (
            partial(self._require_same, instead=instead),
            partial(self._do_instead, instead=instead, by=interaction),
        )
        (played,) = await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction)
        return replace(played, before=base)

    async def _require_same(self, game: Game, instead: "_Overruling") -> None:
        _require_unmoved(game, instead.actor, instead.game_id, instead.progress)
        await require_hidden_facts(self._ledger, game, instead.decision.after, instead.base)

    def _do_instead(self, game: Game, _: None, instead: "_Overruling", by: int) -> NewEntry:
        """Do the other action on the state before the decision, and take back the decision and all after it."""
        decision, before = instead.decision, replace(game, state=instead.state, state_seq=instead.base)
        others = len(decision.after) - 1
        also = f", takes back what it did after that ({others} more)" if others else ""
        thinking = replace(decision.thinking, overruled=True)
        words = f"{instead.actor.name} overrules the bot{also}: "
        action = before.ruleset.parse(*instead.wanted)
        series = ActionBatch(self._ledger, before, instead.actor, by)
        made = series.do(action, check_right=False, thought=thinking, words=words)
        made = made.with_changes(partial(_take_back, game=game.id, seqs=[entry.seq for entry in decision.after]))
        return made.with_changes(partial(rest_bot, game=game.id, at=made.entry.seq)) if game.bot_rests else made

    async def _decision(self, game: Game, actor: Actor, name: str | None) -> Decision:
        """That decision. Raises NotAllowed, UserError."""
        which = ~ENTRIES.c.undone if name is None else entry_named(name)
        rows = await self._rows(game, _of_bot(game, actor), which, limit=1)
        if not rows:
            await self._refuse(game, actor, name)
        (entry,) = await self._read(game, rows)
        assert entry.thought is not None
        since = await self._rows(game, ENTRIES.c.acts, ~ENTRIES.c.undone, ENTRIES.c.seq >= entry.seq)
        free = game.ended is None and all(row.actor < 0 or row.seq == entry.seq for row in since)
        after = await self._read(game, since) if free and not entry.undone else ()
        return Decision(entry, entry.thought, after)

    async def _refuse(self, game: Game, actor: Actor, name: str | None) -> NoReturn:
        """Raise the reason why the actor may not see such a decision."""
        if any(may_see(game, actor, side.id) for side in game.state.sides):
            last = await self._rows(game, _of_bot(game, actor), ~ENTRIES.c.undone, limit=1)
            if name is not None and last:
                raise UserError(NO_SUCH.format(number=name, last=shown_number(last[0].number, last[0].among)))
        hidden = [
            f"{side:the}" for side in game.state.sides if not may_see(game, actor, side.id) and side.id in game.bots
        ]
        raise NotAllowed(NOT_FOR_YOU.format(side=" and ".join(hidden))) if hidden else UserError(NO_DECISION)

    async def _asked_about(self, game: Game, decision: Decision, *, others: bool) -> Asked:
        entry, origin = decision.entry, game.seeds[0].tag
        async with self._ledger.store.ask() as connection:
            _, packed = await snapshots.load(connection, game.id, entry.base, game.ruleset)
        done = entry.kind, dict(entry.action)
        return Asked(game.ruleset, packed, origin, entry.base, decision.thinking, done, others)

    async def _rows(self, game: Game, *wanted: ColumnElement[bool], limit: int | None = None) -> Sequence[Row[Any]]:
        """Entries of the game, the newest first."""
        asked = select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, *wanted).order_by(ENTRIES.c.seq.desc())
        async with self._ledger.store.ask() as connection:
            rows: Sequence[Row[Any]] = (await connection.execute(asked.limit(limit))).all()
        return rows

    async def _read(self, game: Game, rows: Sequence[Row[Any]]) -> Sequence[Entry]:
        return await asyncio.to_thread(lambda: [read_entry(row, game.ruleset) for row in rows])


@dataclass(frozen=True)
class _Overruling:
    """What the umpire has done instead of a decision: the action `wanted`, on the state after entry `base`."""

    actor: Actor
    decision: Decision
    wanted: tuple[str, dict[str, Any]]
    base: int
    state: State
    game_id: str
    progress: str


def _take_back(connection: Connection, game: str, seqs: Sequence[int]) -> None:
    cancel_presses(connection, game)
    these = update(ENTRIES).where(ENTRIES.c.game == game, ENTRIES.c.seq.in_(seqs))
    connection.execute(these.values(undone=True))


def _require_unmoved(game: Game, actor: Actor, game_id: str, progress: str) -> None:
    """Raises NotAllowed for all but the umpire, Stale where it does not stand as `progress` says."""
    require_umpire(game, actor, "overrule the bot")
    if (game.id, game.progress_for(game.viewer(actor.id))) != (game_id, progress):
        raise Stale(SINCE)


def may_see(game: Game, actor: Actor, side: str) -> bool:
    """Whether the actor may know what that side knows: as its player, as umpire, or because nothing is hidden."""
    viewer, system, state = game.viewer(actor.id), game.ruleset, game.state
    if hides_nothing(system, state) or viewer in (UMPIRE, side):
        return True
    return game.is_umpire(actor.id) and shows_all_to(system, state, viewer)


def _of_bot(game: Game, actor: Actor) -> ColumnElement[bool]:
    """Decisions of the bot's for the sides that the actor may see."""
    sides = [side.id for side in game.state.sides if may_see(game, actor, side.id)]
    return and_(ENTRIES.c.acts, ENTRIES.c.thought["side"].as_string().in_(sides))
