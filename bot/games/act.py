"""Perform actions of the rules: check rights, apply rules, throw dice, and write journal entries."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Unpack

from bot.errors import NotAllowed, Stale
from bot.journal.drafts import ChangeNotNeeded, NewEntry
from bot.journal.game import Actor, Game, Played
from bot.journal.ledger import ChangeOptions, Ledger
from rules.core.refusal import Refused
from rules.core.report import Offer, Report
from rules.core.state import Action

from .action_batch import ActionBatch
from .idle_turns import IdleTurns

NO_INTERACTION = 0
"""Interaction id stored for actions without an interaction."""
NO_LONGER = "This button can no longer be used: {why}. /turn status shows what the game waits for now."


@dataclass(frozen=True)
class BatchResult:
    """Results of several actions in order, and the refusal that ended the batch, if any."""

    played: tuple[Played, ...]
    refused: Refused | NotAllowed | None = None


class Actions:
    """Service for actions of the rules."""

    def __init__(self, ledger: Ledger, idle_turns: IdleTurns) -> None:
        self._ledger = ledger
        self._idle_turns = idle_turns

    async def act(
        self,
        channel: int,
        actor: Actor,
        action: Action | Callable[[Game], Action],
        *,
        warn_if_idle: bool = False,
        check: Callable[[Game], Awaitable[None]] | None = None,
        **options: Unpack[ChangeOptions],
    ) -> Played:
        """Perform an action, and store its journal entry. If the interaction is repeated, return its entry.

        `check` may query the database, and raises an error to prevent the action. With `warn_if_idle`, raise
        IdleTurnRefusal for a pass that would end an idle turn. Raises NoGame, NotAllowed, Refused.
        """

        async def make_checked_action(game: Game) -> Action | Callable[[Game], Action]:
            if check is not None:
                await check(game)
            if not warn_if_idle:
                return action
            new_action = await asyncio.to_thread(action, game) if callable(action) else action
            await self._idle_turns.require_no_idle_pass(game, actor, new_action)
            return new_action

        work = partial(self._perform, actor=actor, interaction=options.get("interaction", NO_INTERACTION))
        return (await self._ledger.read_and_change(channel, actor, make_checked_action, work, **options))[0]

    async def act_all(
        self,
        channel: int,
        actor: Actor,
        make: Callable[[Game], Sequence[Action]],
        *,
        all_or_nothing: bool = False,
        interaction: int,
    ) -> BatchResult:
        """Perform several actions in order, each as one journal entry, until one is refused.

        If the first action is refused, raise the refusal. With `all_or_nothing`, raise any refusal and change
        nothing.
        """
        refused: list[Refused | NotAllowed] = []
        work = partial(
            self._perform_all,
            actor=actor,
            make=make,
            all_or_nothing=all_or_nothing,
            refused=refused,
            interaction=interaction,
        )
        played = await self._ledger.apply_changes(channel, actor, work, interaction=interaction)
        return BatchResult(played, next(iter(refused), None))

    async def find_batch_result(self, channel: int, interaction: int) -> BatchResult | None:
        """Return the entries stored for the interaction, by any process, or None if there are none."""
        played = await self._ledger.find_played_actions(channel, interaction)
        return BatchResult(played) if played else None

    async def act_by_kind(
        self, channel: int, actor: Actor, kind: str, args: Mapping[str, Any], *, interaction: int
    ) -> Played:
        """Perform the action with this kind and these arguments. Raises like `act`."""
        return await self.act(channel, actor, lambda game: game.ruleset.parse(kind, args), interaction=interaction)

    async def perform_automatic_action(self, channel: int, actor: Actor) -> Played | None:
        """Perform the next automatic action of the rules for `actor`, without checking rights.

        Return None if none is due. Raises NoGame, Refused.
        """
        try:
            return await self._ledger.change(channel, actor, partial(self._perform_next_automatic_action, actor=actor))
        except ChangeNotNeeded:
            return None

    async def take_offer(
        self, game_id: str, name: str, index: int, actor: Actor, *, channel: int, interaction: int
    ) -> Played:
        """Perform the action of offer number `index` in the report of the entry named `name`.

        Raises Stale if the offer is no longer open, and all errors of `act`.
        """
        game = await self._ledger.game_in_channel(channel, game_id)
        offers = await self.load_offers(game, name)
        if not 0 <= index < len(offers):
            raise Stale(NO_LONGER.format(why="the message it was under has changed"))
        make, check = partial(_make_offered_action, offer=offers[index]), partial(self._require_not_undone, name=name)
        return await self.act(
            channel, actor, make, check=check, warn_if_idle=True, interaction=interaction, game_id=game.id
        )

    async def load_offers(self, game: Game, name: str) -> tuple[Offer, ...]:
        """Return all offers in the report of the entry named `name`, ordered like `list_offers`."""
        return list_offers((await self._ledger.load_entry(game, name)).report)

    def _perform(
        self, game: Game, action: Action | Callable[[Game], Action], actor: Actor, interaction: int
    ) -> NewEntry:
        batch = ActionBatch(self._ledger, game, actor, interaction)
        return batch.perform(action(game) if callable(action) else action)

    def _perform_all(
        self,
        game: Game,
        actor: Actor,
        make: Callable[[Game], Sequence[Action]],
        refused: list[Refused | NotAllowed],
        interaction: int,
        *,
        all_or_nothing: bool,
    ) -> Sequence[NewEntry]:
        """Perform actions until one is refused.

        Raise the first action's refusal, and with `all_or_nothing` any refusal. Append other refusals to
        `refused`.
        """
        refused.clear()
        batch = ActionBatch(self._ledger, game, actor, interaction)
        for action in make(game):
            try:
                batch.perform(action)
            except (Refused, NotAllowed) as why:
                unit = game.state.units.get(action.unit or "")
                if all_or_nothing and isinstance(why, Refused) and unit is not None:
                    raise Refused(f"{unit.name}: {why.why} Nothing was changed.", why.cite, why.prompts) from why
                if all_or_nothing or not batch.entries:
                    raise
                refused.append(why)
                break
        return batch.entries

    def _perform_next_automatic_action(self, game: Game, actor: Actor) -> NewEntry:
        action = game.ruleset.next_automatic_action(game.state)
        if action is None:
            raise ChangeNotNeeded
        return ActionBatch(self._ledger, game, actor, NO_INTERACTION).perform(action, check_right=False)

    async def _require_not_undone(self, game: Game, name: str) -> None:
        """Raise Stale if the game has ended, or the entry named `name` was undone."""
        if game.ended is not None:
            raise Stale("This game has ended. Start another with /game new.")
        if (await self._ledger.load_entry(game, name)).undone:
            raise Stale(NO_LONGER.format(why="the action it followed was undone"))


def _make_offered_action(game: Game, offer: Offer) -> Action:
    """Return the action of the offer. Raises Stale if the offer's prompt is no longer open."""
    if not is_offer_open(game, offer):
        raise Stale(NO_LONGER.format(why="what it offered is already settled"))
    return game.ruleset.parse(offer.kind, offer.args)


def list_offers(report: Report) -> tuple[Offer, ...]:
    """Return all offers of a report, those of its prompts first. Buttons store indexes in this list."""
    return (*(offer for prompt in report.prompts for offer in prompt.offers), *report.offers)


def is_offer_open(game: Game, offer: Offer) -> bool:
    """Whether the offer's prompt is still open. An offer without a key belongs to no prompt, and stays open."""
    prompts = game.ruleset.open_prompts(game.state)
    return not offer.key or any(offer.key in (prompt.key, *(item.key for item in prompt.offers)) for prompt in prompts)
