"""An action of the rules: rights, rules, dice, and the journal entry that comes of it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Unpack

from bot.errors import NotAllowed, Stale
from bot.journal.drafts import NewEntry
from bot.journal.game import Actor, Game, Played
from bot.journal.ledger import ChangeOptions, Ledger
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


class Actions:
    """Actions of the rules."""

    def __init__(self, ledger: Ledger, idle_turns: IdleTurns) -> None:
        self._ledger = ledger
        self._idle_turns = idle_turns

    async def act(
        self,
        channel: int,
        actor: Actor,
        action: Action | Callable[[Game], Action],
        *,
        asks: bool = False,
        check: Callable[[Game], Awaitable[None]] | None = None,
        **options: Unpack[ChangeOptions],
    ) -> Played:
        """Do an action, or the action that `action` makes of the game at that moment, in a thread.

        Secret actions throw the hidden dice. The same interaction again does nothing and gets its earlier entry. With
        `asks`, a pass that would end an idle turn raises EndsIdleTurn instead. `check` may refuse the game as it stands
        in the database. Raises NoGame, NotAllowed, Refused, and any error of `action` and `check`.
        """
        make = action if callable(action) else partial(_given, action=action)
        interaction = options.get("interaction", NO_INTERACTION)
        if check is None and not asks:
            work = partial(self._do, actor=actor, make=make, interaction=interaction)
            return await self._ledger.change(channel, actor, work, **options)
        read = partial(self._checked, actor=actor, make=make, check=check, asks=asks)
        do_checked = partial(self._do_checked, actor=actor, interaction=interaction)
        return (await self._ledger.read_and_change(channel, actor, read, do_checked, **options))[0]

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

        Raises as `act` does if the first is refused, and with `or_none` if any is refused; then nothing is done.
        """
        refused: list[Refused | NotAllowed] = []
        work = partial(self._do_all, actor=actor, make=make, or_none=or_none, refused=refused, interaction=interaction)
        played = await self._ledger.change_all(channel, actor, work, interaction=interaction)
        return Several(played, next(iter(refused), None))

    async def find_all_played(self, channel: int, interaction: int) -> Several | None:
        """Return all actions stored for the interaction, possibly by another process, or None."""
        played = await self._ledger.find_all_played(channel, interaction)
        return Several(played) if played else None

    async def command(
        self, channel: int, actor: Actor, kind: str, args: Mapping[str, Any], *, interaction: int
    ) -> Played:
        """`act` from a command's words: the system makes the action of `args`."""
        make = partial(_parsed, kind=kind, args=args)
        return await self.act(channel, actor, make, interaction=interaction)

    async def find_played(self, channel: int, interaction: int) -> Played | None:
        """Return the action stored for the interaction, possibly by another process, or None."""
        return await self._ledger.find_played(channel, interaction)

    async def go_on(self, channel: int, actor: Actor) -> Played | None:
        """Run the rule system's next automatic action, without checking rights.

        Return None if there is no such action. `actor` is recorded as the one who set it going. Raises NoGame, and
        Refused if the system refuses its own action.
        """
        try:
            return await self._ledger.change(channel, actor, partial(self._do_next, actor=actor))
        except _NothingToDo:
            return None

    async def press(
        self, game_id: str, name: str, index: int, actor: Actor, *, channel: int, interaction: int
    ) -> Played:
        """Take offer `index` of the entry of that name. Raises Stale with the reason if it can no longer be taken."""
        game = await self._ledger.by_id(game_id)
        if game.channel != channel:
            raise Stale(OF_ANOTHER_CHANNEL)
        offers = await self.offers(game, name)
        if not 0 <= index < len(offers):
            raise Stale(NO_LONGER.format(why="the message it was under has changed"))
        make, check = partial(_offered, offer=offers[index]), partial(self._require_stands, name=name)
        return await self.act(channel, actor, make, check=check, asks=True, interaction=interaction, game_id=game.id)

    async def offers(self, game: Game, name: str) -> tuple[Offer, ...]:
        """Return all offers of an entry's report, those of its prompts first, in the order that `press` counts."""
        return offers_of((await self._ledger.entry(game, name)).report)

    async def foresee(self, game: Game, actor: Actor, action: Action) -> Foreseen:
        """Return what the action may bring, as far as the actor may know. Raises NotAllowed, Refused."""
        return await asyncio.to_thread(foresee, game, actor, action)

    def _do(self, game: Game, actor: Actor, make: Callable[[Game], Action], interaction: int) -> NewEntry:
        return Series(self._ledger, game, actor, interaction).do(make(game))

    async def _checked(
        self,
        game: Game,
        actor: Actor,
        make: Callable[[Game], Action],
        check: Callable[[Game], Awaitable[None]] | None,
        *,
        asks: bool,
    ) -> Action:
        """Return the action, checked against the database. Raises Stale, EndsIdleTurn."""
        if check is not None:
            await check(game)
        action = await asyncio.to_thread(make, game)
        if asks:
            await self._idle_turns.require_deeds(game, actor, action)
        return action

    def _do_checked(self, game: Game, action: Action, actor: Actor, interaction: int) -> NewEntry:
        return Series(self._ledger, game, actor, interaction).do(action)

    def _do_all(
        self,
        game: Game,
        actor: Actor,
        make: Callable[[Game], Sequence[Action]],
        refused: list[Refused | NotAllowed],
        interaction: int,
        *,
        or_none: bool,
    ) -> Sequence[NewEntry]:
        """Do the actions until one is refused, and put its refusal into `refused`."""
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

    def _do_next(self, game: Game, actor: Actor) -> NewEntry:
        action = game.ruleset.next_by_itself(game.state)
        if action is None:
            raise _NothingToDo
        return Series(self._ledger, game, actor, NO_INTERACTION).do(action, by_right=False)

    async def _require_stands(self, game: Game, name: str) -> None:
        """Raise Stale if the game has ended, or the entry of that name was undone."""
        if game.ended is not None:
            raise Stale("This game has ended. Start another with /game new.")
        if (await self._ledger.entry(game, name)).undone:
            raise Stale(NO_LONGER.format(why="the action it followed was undone"))


def _given(_: Game, action: Action) -> Action:
    return action


def _parsed(game: Game, kind: str, args: Mapping[str, Any]) -> Action:
    return game.ruleset.parse(kind, args)


def _offered(game: Game, offer: Offer) -> Action:
    """Return the offer's action. Raises Stale if the offer is settled already."""
    if not still_open(game, offer):
        raise Stale(NO_LONGER.format(why="what it offered is already settled"))
    return game.ruleset.parse(offer.kind, offer.args)


def _for_one(game: Game, action: Action, why: Refused) -> Refused:
    """Prefix the refusal with the unit's name; nothing was changed."""
    unit = game.state.units.get(action.unit or "")
    return why if unit is None else Refused(f"{unit.name}: {why.why} Nothing was changed.", why.cite, why.prompts)


class _NothingToDo(Exception):
    """The system does nothing by itself now."""


def offers_of(report: Report) -> tuple[Offer, ...]:
    """Return all offers of a report, those of its prompts first, in the order that buttons count them."""
    return (*(offer for prompt in report.prompts for offer in prompt.offers), *report.offers)


def still_open(game: Game, offer: Offer) -> bool:
    """Whether the prompt that the offer answers is still there; an offer without a key answers none, and stays open."""
    prompts = game.ruleset.open_prompts(game.state)
    return not offer.key or any(offer.key in (one.key, *(item.key for item in one.offers)) for one in prompts)
