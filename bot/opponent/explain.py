"""Explain the bot's decisions to users who may see them, and let the umpire overrule decisions."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NoReturn

from sqlalchemy import ColumnElement, Row, and_, select, update

from bot.errors import NotAllowed, Stale, UserError
from bot.games.action_batch import ActionBatch
from bot.games.rights import require_umpire
from bot.games.seat_rows import pause_bot
from bot.games.service import WorkerService
from bot.games.sheet_rows import clear_turn_end_marks
from bot.games.undo import require_no_fact_redrawn
from bot.jobs.explanation import DecisionQuestion, Explanation, explain_decision, find_alternative
from bot.journal.codec import read_state
from bot.journal.drafts import READ_COLUMNS, NewEntry, entry_name_condition
from bot.journal.game import Actor, Entry, Game, Played
from bot.journal.thinking_record import ThinkingRecord
from bot.store.queries import fetch_rows
from bot.store.tables import ENTRIES
from rules.core.dice import shown_number
from rules.core.hidden_troops import is_fully_public, knows_entire_state
from rules.core.model import UMPIRE
from rules.core.state import State

NO_DECISION = (
    "The bot has decided nothing here that you may ask about. It decides for a side once /opponent side seats it."
)
NO_SUCH = "Number {number} is no decision of the bot's. Its last is number {last}; number: offers others as you type."
NOT_FOR_YOU = "This would show what {side} know. Only their players, and an umpire without a seat, may see it."
SINCE = "More has happened since. /opponent why shows what can be overruled now."
GONE = "That is not among what the bot could do there any more. /opponent why shows what can be done now."
MOST_LISTED = 25


@dataclass(frozen=True)
class BotDecision:
    """A decision of the bot, with its entry and its thinking record."""

    entry: Entry
    thinking: ThinkingRecord
    after: Sequence[Entry]
    """The later actions, newest first, and then the decision. Empty if the decision cannot be overruled."""


class BotExplanations(WorkerService):
    """Explains and overrules the bot's decisions."""

    async def explain_decision(self, game: Game, actor: Actor, name: str | None) -> tuple[BotDecision, Explanation]:
        """Explain the bot's last decision, or the decision in the entry named `name`.

        Raises NotAllowed if the actor may not know what the bot's side knows, UserError if the bot made no such
        decision.
        """
        decision = await self._load_decision(game, actor, name)
        can_overrule = game.is_umpire(actor.id) and bool(decision.after)
        async with self._workers.long_job_slot():
            question = await self._make_question(game, decision, with_alternatives=can_overrule)
            return decision, await self._workers.run(explain_decision, question)

    async def list_decisions(self, game: Game, actor: Actor) -> Sequence[Entry]:
        """Return the bot's latest decisions that the actor may see, newest first. Omit undone decisions."""
        rows = await self._load_entry_rows(game, _visible_decisions(game, actor), ~ENTRIES.c.undone, limit=MOST_LISTED)
        return await self._ledger.parse_rows(game, rows)

    async def overrule_decision(
        self, channel: int, actor: Actor, name: str, *, game_id: str, progress: str, key: str, interaction: int
    ) -> Played:
        """Undo a decision and the bot's later actions, and do the alternative action `key` instead.

        Raises NotAllowed unless the actor is the umpire, Stale if the game has changed since `progress` or the
        alternative is no longer possible.
        """
        game = await self._ledger.running_game(channel)
        _require_same_progress(game, actor, game_id, progress)
        decision = await self._load_decision(game, actor, name)
        if not decision.after:
            raise Stale(SINCE)
        async with self._workers.long_job_slot():
            question = await self._make_question(game, decision, with_alternatives=True)
            alternative = await self._workers.run(find_alternative, question, key)
        if alternative is None:
            raise Stale(GONE)
        base = await asyncio.to_thread(read_state, game.ruleset, question.packed)

        request = _OverruleRequest(actor, decision, alternative, question.base, base, game_id, progress)
        read = partial(self._require_unchanged, request=request)
        work = partial(self._do_alternative, request=request, interaction=interaction)
        (played,) = await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction)
        return replace(played, before=base)

    async def _require_unchanged(self, game: Game, request: "_OverruleRequest") -> None:
        _require_same_progress(game, request.actor, request.game_id, request.progress)
        await require_no_fact_redrawn(self._ledger, game, request.decision.after, request.base)

    def _do_alternative(self, game: Game, _: None, request: "_OverruleRequest", interaction: int) -> NewEntry:
        """Do the alternative in the state before the decision. Mark the decision and all later actions as undone."""
        decision, before = request.decision, replace(game, state=request.state, state_seq=request.base)
        later_count = len(decision.after) - 1
        also = f", takes back what it did after that ({later_count} more)" if later_count else ""
        thinking = replace(decision.thinking, overruled=True)
        words = f"{request.actor.name} overrules the bot{also}: "
        action = before.ruleset.parse(*request.wanted)
        batch = ActionBatch(self._ledger, before, request.actor, interaction)
        new_entry = batch.perform(action, check_right=False, thought=thinking, words=words)
        mark_undone = update(ENTRIES).where(
            ENTRIES.c.game == game.id, ENTRIES.c.seq.in_([entry.seq for entry in decision.after])
        )
        new_entry = new_entry.with_changes(partial(clear_turn_end_marks, game=game.id), mark_undone.values(undone=True))
        return new_entry.with_changes(pause_bot(game.id, new_entry.entry.seq)) if game.is_bot_resting else new_entry

    async def _load_decision(self, game: Game, actor: Actor, name: str | None) -> BotDecision:
        """Return the bot's last decision, or the decision in the entry named `name`.

        Raises the errors of `explain_decision`.
        """
        condition = ~ENTRIES.c.undone if name is None else entry_name_condition(name)
        rows = await self._load_entry_rows(game, _visible_decisions(game, actor), condition, limit=1)
        if not rows:
            await self._raise_missing_decision(game, actor, name)
        (entry,) = await self._ledger.parse_rows(game, rows)
        assert entry.thought is not None
        later_rows = await self._load_entry_rows(game, ENTRIES.c.acts, ~ENTRIES.c.undone, ENTRIES.c.seq >= entry.seq)
        is_replaceable = game.ended is None and all(row.actor < 0 or row.seq == entry.seq for row in later_rows)
        later_entries = await self._ledger.parse_rows(game, later_rows) if is_replaceable and not entry.undone else ()
        return BotDecision(entry, entry.thought, later_entries)

    async def _raise_missing_decision(self, game: Game, actor: Actor, name: str | None) -> NoReturn:
        """Raise UserError if the decision does not exist, NotAllowed if it is hidden from the actor."""
        if any(may_see_facts_of_side(game, actor, side.id) for side in game.state.sides):
            last = await self._load_entry_rows(game, _visible_decisions(game, actor), ~ENTRIES.c.undone, limit=1)
            if name is not None and last:
                raise UserError(NO_SUCH.format(number=name, last=shown_number(last[0].number, last[0].among)))
        hidden = [
            f"{side:the}"
            for side in game.state.sides
            if not may_see_facts_of_side(game, actor, side.id) and side.id in game.bot_seats
        ]
        raise NotAllowed(NOT_FOR_YOU.format(side=" and ".join(hidden))) if hidden else UserError(NO_DECISION)

    async def _make_question(self, game: Game, decision: BotDecision, *, with_alternatives: bool) -> DecisionQuestion:
        entry, origin = decision.entry, game.seeds[0].tag
        _, packed = await self._ledger.load_state(game, entry.base)
        action = entry.kind, dict(entry.action)
        return DecisionQuestion(game.ruleset, packed, origin, entry.base, decision.thinking, action, with_alternatives)

    async def _load_entry_rows(
        self, game: Game, *conditions: ColumnElement[bool], limit: int | None = None
    ) -> Sequence[Row[Any]]:
        """Return the rows of the game's entries, newest first."""
        query = select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, *conditions).order_by(ENTRIES.c.seq.desc())
        return await fetch_rows(self._ledger.store, query.limit(limit))


@dataclass(frozen=True)
class _OverruleRequest:
    """The umpire's request to do the action `wanted` instead of a decision. `state` is the state after entry `base`."""

    actor: Actor
    decision: BotDecision
    wanted: tuple[str, dict[str, Any]]
    base: int
    state: State
    game_id: str
    progress: str


def _require_same_progress(game: Game, actor: Actor, game_id: str, progress: str) -> None:
    """Raise NotAllowed unless the actor is the umpire, Stale if the game has changed since `progress`."""
    require_umpire(game, actor, "overrule the bot")
    if (game.id, game.progress_for(game.viewer(actor.id))) != (game_id, progress):
        raise Stale(SINCE)


def may_see_facts_of_side(game: Game, actor: Actor, side: str) -> bool:
    """Whether the actor may know all facts of `side`.

    The side's player may, and an umpire who sees everything. Without hidden facts, everyone may.
    """
    viewer, system, state = game.viewer(actor.id), game.ruleset, game.state
    if is_fully_public(system, state) or viewer in (UMPIRE, side):
        return True
    return game.is_umpire(actor.id) and knows_entire_state(system, state, viewer)


def _visible_decisions(game: Game, actor: Actor) -> ColumnElement[bool]:
    """Return the SQL condition for the bot's decisions on sides whose facts the actor may see."""
    sides = [side.id for side in game.state.sides if may_see_facts_of_side(game, actor, side.id)]
    return and_(ENTRIES.c.acts, ENTRIES.c.thought["side"].as_string().in_(sides))
