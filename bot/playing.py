"""An action of the rules: rights, rules, dice, and the journal entry that comes of it."""

import asyncio
from collections.abc import Awaitable, Callable

from rules.core.report import Offer, Report
from rules.core.sealed import SealedDice
from rules.core.state import Action

from .errors import Stale
from .game import Actor, Game, Played
from .journal import Draft
from .ledger import Ledger
from .rights import require_side
from .stored import pack_state

NO_INTERACTION = 0
"""The id that is written down where there was no interaction."""
NO_LONGER = "This button can no longer be used: {why}. /turn status shows what the game waits for now."


async def act(
    ledger: Ledger,
    channel: int,
    actor: Actor,
    make: Callable[[Game], Awaitable[Action]],
    interaction: int,
    game_id: str | None = None,
) -> Played:
    """Does the action that `make` makes for the game at that moment. Secret ones throw the hidden dice.

    Raises NoGame, NotAllowed, Refused, and whatever `make` raises.
    """

    async def step(game: Game) -> Draft:
        action = await make(game)
        require_side(game, actor, game.ruleset.side_of(game.state, action))
        return await _done(ledger, game, action, interaction)

    return await ledger.change(channel, actor, step, interaction=interaction, game_id=game_id)


async def go_on(ledger: Ledger, channel: int, actor: Actor) -> Played | None:
    """Does what the game's system does next by itself; None where there is nothing. No rights are checked.

    `actor` is recorded as the one who set it going. Raises NoGame, and Refused where the system refuses its own action.
    """

    async def step(game: Game) -> Draft:
        action = game.ruleset.next_by_itself(game.state)
        if action is None:
            raise _NothingToDo
        return await _done(ledger, game, action, NO_INTERACTION)

    try:
        return await ledger.change(channel, actor, step)
    except _NothingToDo:
        return None


class _NothingToDo(Exception):
    """The system does nothing by itself now."""


async def _done(ledger: Ledger, game: Game, action: Action, interaction: int) -> Draft:
    """Does the action off the event loop, for a system may take long over it. Raises Refused."""
    dice = ledger.dice(game, interaction, hidden=action.secret)
    return await asyncio.to_thread(_drafted, game, action, dice)


def _drafted(game: Game, action: Action, dice: SealedDice) -> Draft:
    state, report = game.ruleset.act(game.state, action, dice)
    return Draft(
        kind=action.kind,
        report=report,
        action=action.model_dump(mode="json", by_alias=True, exclude_none=True),
        side=game.ruleset.side_of(game.state, action),
        acts=True,
        state=state,
        packed=pack_state(game.ruleset, state),
        thrown=dice.thrown,
    )


def offers_of(report: Report) -> tuple[Offer, ...]:
    """All offers of a report, those of its prompts first, in the order that buttons count them."""
    return (*(offer for prompt in report.prompts for offer in prompt.offers), *report.offers)


def still_open(game: Game, offer: Offer) -> bool:
    """Whether the prompt that the offer answers is still there; an offer without a key answers none, and stays open."""
    prompts = game.ruleset.prompts(game.state)
    return not offer.key or any(offer.key in (one.key, *(item.key for item in one.offers)) for one in prompts)


async def press(ledger: Ledger, game: Game, seq: int, index: int, actor: Actor, *, interaction: int) -> Played:
    """Takes an offer. Raises Stale with the reason why it can no longer be taken."""
    entry = await ledger.entry(game, seq)
    offers = offers_of(entry.report)
    if not 0 <= index < len(offers):
        raise Stale(NO_LONGER.format(why="the message it was under has changed"))
    offer = offers[index]

    async def make(now: Game) -> Action:
        if now.ended is not None:
            raise Stale("This game has ended. Start another with /game new.")
        if (await ledger.entry(now, seq)).undone:
            raise Stale(NO_LONGER.format(why="the action it followed was undone"))
        if not still_open(now, offer):
            raise Stale(NO_LONGER.format(why="what it offered is already settled"))
        return now.ruleset.parse(offer.kind, offer.args)

    return await act(ledger, game.channel, actor, make, interaction, game_id=game.id)
