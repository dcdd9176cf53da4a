"""An action of the rules: rights, rules, dice, and the journal entry that comes of it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.journal.drafts import Written
from bot.journal.game import Actor, Game, Played
from bot.runtime.errors import NotAllowed, Stale
from rules.core.refusal import Refused
from rules.core.report import Offer, Report
from rules.core.state import Action

from .action_batch import Series
from .idle_turns import IdleTurns
from .odds import Foreseen, foresee

OF_ANOTHER_CHANNEL = "This button is of a game in another channel. /turn status shows what the game here waits for."
NO_INTERACTION = 0
"""Interaction id stored for actions without an interaction."""
NO_LONGER = "This button can no longer be used: {why}. /turn status shows what the game waits for now."


@dataclass(frozen=True)
class Several:
    """Results of several actions in order, and the refusal that stopped the batch, if any."""

    played: tuple[Played, ...]
    refused: Refused | NotAllowed | None = None


class Playing(IdleTurns):
    """Actions of the rules."""

    async def act(
        self,
        channel: int,
        actor: Actor,
        action: Action | Callable[[Game], Action],
        *,
        interaction: int,
        asks: bool = False,
    ) -> Played:
        """Do an action, or the action that `action` makes of the game at that moment.

        Secret actions throw the hidden dice.

        The same interaction again does nothing and gets its earlier entry. With `asks`, a pass that would end an idle
        turn raises EndsIdleTurn instead. Raises NoGame, NotAllowed, Refused, and any error of `action`.
        """

        def make(game: Game) -> Action:
            return action(game) if callable(action) else action

        return await self._act(channel, actor, make, interaction, asks=asks)

    async def act_all(
        self,
        channel: int,
        actor: Actor,
        make: Callable[[Game], Sequence[Action]],
        *,
        or_none: bool = False,
        interaction: int,
    ) -> Several:
        """Run several actions in order, one journal entry each, until one is refused.

        Where not even the first can be done, raises as `act` does; so it does with `or_none` where not all can.
        """
        refused: list[Refused | NotAllowed] = []

        def done(game: Game) -> Sequence[Written]:
            refused.clear()
            series = Series(self._ledger, game, actor, interaction)
            for action in make(game):
                try:
                    series.do(action)
                except (Refused, NotAllowed) as why:
                    if or_none and isinstance(why, Refused):
                        raise _for_one(game, action, why) from why
                    if or_none or not series.made:
                        raise
                    refused.append(why)
                    break
            return series.made

        async def step(game: Game) -> Sequence[Written]:
            return await asyncio.to_thread(done, game)

        played = await self._ledger.change_all(channel, actor, step, interaction=interaction)
        return Several(played, next(iter(refused), None))

    async def all_done(self, channel: int, interaction: int) -> Several | None:
        """Return all actions stored for the interaction, possibly by another process, or None."""
        played = await self._ledger.all_done(channel, interaction)
        return Several(played) if played else None

    async def command(
        self, channel: int, actor: Actor, kind: str, args: Mapping[str, Any], *, interaction: int
    ) -> Played:
        """`act` from a command's words: the system makes the action of `args`."""
        return await self.act(channel, actor, lambda game: game.ruleset.parse(kind, args), interaction=interaction)

    async def done(self, channel: int, interaction: int) -> Played | None:
        """Return the action stored for the interaction, possibly by another process, or None."""
        return await self._ledger.done(channel, interaction)

    async def go_on(self, channel: int, actor: Actor) -> Played | None:
        """Run the rule system's next automatic action, without checking rights.

        Return None if there is no such action.

        `actor` is recorded as the one who set it going. Raises NoGame, and Refused where the system refuses its own
        action.
        """

        def done(game: Game) -> Written:
            action = game.ruleset.next_by_itself(game.state)
            if action is None:
                raise _NothingToDo
            return Series(self._ledger, game, actor, NO_INTERACTION).do(action, by_right=False)

        async def step(game: Game) -> Written:
            return await asyncio.to_thread(done, game)

        try:
            return await self._ledger.change(channel, actor, step)
        except _NothingToDo:
            return None

    async def press(
        self, game_id: str, name: str, index: int, actor: Actor, *, channel: int, interaction: int
    ) -> Played:
        """Takes offer `index` of the entry of that name. Raises Stale with the reason why it can no longer be taken."""
        game = await self._ledger.by_id(game_id)
        if game.channel != channel:
            raise Stale(OF_ANOTHER_CHANNEL)
        offers = await self.offers(game, name)
        if not 0 <= index < len(offers):
            raise Stale(NO_LONGER.format(why="the message it was under has changed"))
        offer = offers[index]

        async def check(now: Game) -> None:
            if now.ended is not None:
                raise Stale("This game has ended. Start another with /game new.")
            if (await self._ledger.entry(now, name)).undone:
                raise Stale(NO_LONGER.format(why="the action it followed was undone"))

        def make(now: Game) -> Action:
            if not still_open(now, offer):
                raise Stale(NO_LONGER.format(why="what it offered is already settled"))
            return now.ruleset.parse(offer.kind, offer.args)

        return await self._act(channel, actor, make, interaction, game_id=game.id, check=check, asks=True)

    async def offers(self, game: Game, name: str) -> tuple[Offer, ...]:
        """All offers of an entry's report, those of its prompts first, in the order that `press` counts."""
        return offers_of((await self._ledger.entry(game, name)).report)

    async def foreseen(self, game: Game, actor: Actor, action: Action) -> Foreseen:
        """What it may bring, as far as the actor may know. Raises NotAllowed on the umpire's words, Refused."""
        return await asyncio.to_thread(foresee, game, actor, action)

    async def _act(
        self,
        channel: int,
        actor: Actor,
        make: Callable[[Game], Action],
        interaction: int,
        game_id: str | None = None,
        check: Callable[[Game], Awaitable[None]] | None = None,
        *,
        asks: bool = False,
    ) -> Played:
        """Do the action that `make` returns.

        Call `make` in a thread: finding the game's open prompts can take a while.
        """

        def done(game: Game, action: Action | None) -> Written:
            return Series(self._ledger, game, actor, interaction).do(action or make(game))

        async def step(game: Game) -> Written:
            if check is not None:
                await check(game)
            action = await asyncio.to_thread(make, game) if asks else None
            if action is not None:
                await self.require_deeds(game, actor, action)
            return await asyncio.to_thread(done, game, action)

        return await self._ledger.change(channel, actor, step, interaction=interaction, game_id=game_id)


def _for_one(game: Game, action: Action, why: Refused) -> Refused:
    """Prefix the refusal with the unit's name; nothing was changed."""
    unit = game.state.units.get(action.unit or "")
    return why if unit is None else Refused(f"{unit.name}: {why.why} Nothing was changed.", why.cite, why.prompts)


class _NothingToDo(Exception):
    """The system does nothing by itself now."""


def offers_of(report: Report) -> tuple[Offer, ...]:
    """All offers of a report, those of its prompts first, in the order that buttons count them."""
    return (*(offer for prompt in report.prompts for offer in prompt.offers), *report.offers)


def still_open(game: Game, offer: Offer) -> bool:
    """Whether the prompt that the offer answers is still there; an offer without a key answers none, and stays open."""
    prompts = game.ruleset.open_prompts(game.state)
    return not offer.key or any(offer.key in (one.key, *(item.key for item in one.offers)) for one in prompts)
