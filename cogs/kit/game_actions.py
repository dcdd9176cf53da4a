"""Acting in the channel's game: does an action, shows its report to those who may read it, and adds a picture."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import discord

from bot.channel.turn_mentions import Call
from bot.games.games import Game, Played
from bot.order_sheets.store import Carried
from bot.runtime.errors import DatabaseAway, Unsure
from rules.core.model import PUBLIC
from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.state import Action

from . import answer, automatic_play, errors, outage_outcome, turn_message
from .cards import report_card, stale_buttons
from .cards.action_list import Told
from .cards.button_removal import without_steps
from .cards.card import Card
from .interaction import Interaction, actor_of, channel_of, room_of
from .lookup import name_lookup, systems
from .order_sheets import display
from .refusals import UNSENT
from .rooms import messages
from .turn_message import ForEveryone

T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Shown:
    """What everyone was told: the message, where it can be changed still, and its card."""

    message: discord.Message | None
    told: ForEveryone


async def perform(
    interaction: Interaction,
    kind: str | Callable[[Game], str],
    args: Mapping[str, Any] | Callable[[Game], Mapping[str, Any]],
    *,
    private: bool = False,
) -> None:
    """Do an action in the channel's game and answer with its report and the buttons of the prompts.

    `args` are the command's options; units and targets may be given by name. Both may depend on the game. Raises
    UserError and Refused, which the tree's error handler answers; a pass may raise EndsIdleTurn.
    """

    def action(game: Game) -> Action:
        given = args(game) if callable(args) else args
        return action_of(game, interaction.user.id, kind(game) if callable(kind) else kind, given)

    games = interaction.client.games
    channel, actor = channel_of(interaction), actor_of(interaction)
    work = games.act(channel, actor, action, interaction=interaction.id, asks=kind == PASS)
    secret = not callable(args) and bool(args.get("secret"))
    thinks_aside = private or secret or await _is_unseen(interaction, args)
    try:
        played = await answer.in_time(interaction, done(interaction, work), private=thinks_aside)
    except Refused:
        if not await give_ahead(interaction, lambda game: (action(game),)):
            raise
        return
    await show(interaction, *played)


async def give_ahead(interaction: Interaction, make: Callable[[Game], Sequence[Action]]) -> bool:
    """Store actions given before their phase on the player's sheet. Return whether they were stored."""
    games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
    work = games.give_ahead(channel, actor, make, interaction=interaction.id)
    carried = await answer.in_time(interaction, work, private=True)
    if carried is not None:
        await show_carried(interaction, carried)
    return carried is not None


async def show_carried(interaction: Interaction, carried: Carried) -> None:
    """Tell everyone in one message which orders of a sheet were done, and show its player the remaining sheet."""
    if not carried.played:
        await display.show(interaction, display.found(carried))
        return
    answer.mark_done(interaction)
    played = await automatic_play.with_sheets(interaction, *carried.played)
    shown = await tell(interaction, *played)
    went_on = len(played) > len(carried.played)
    await display.show(interaction, display.own(interaction, carried.game.id) if went_on else display.found(carried))
    await finish(interaction, shown, *played)


async def _is_unseen(interaction: Interaction, args: Mapping[str, Any] | Callable[[Game], Mapping[str, Any]]) -> bool:
    """Whether what is done may well be for one side alone, so that not even its thinking is shown to everyone."""
    try:
        game = await interaction.client.games.remembered(channel_of(interaction))
    except errors.TOLD:
        return False
    named = "" if callable(args) else str(args.get("unit") or "")
    seen = game.ruleset.view(game.state, game.viewer(interaction.user.id))
    return game.state.may_hide and game.ruleset.is_done_unseen(seen, name_lookup.exactly(seen, named) or "")


def action_of(game: Game, user: int, kind: str, args: Mapping[str, Any]) -> Action:
    """What a user asks for by a command's options; units and targets may be given by name. Raises Refused."""
    viewer, unit = game.viewer(user), None
    if "unit" in args:
        unit = name_lookup.resolved(game, viewer, kind, {"unit": args["unit"]})["unit"]
        args = {**args, "unit": unit}
    wanted = game.ruleset.meant(game.state, kind, unit)
    systems.require(game.ruleset, wanted)
    return game.ruleset.parse(wanted, name_lookup.resolved(game, viewer, wanted, args))


async def done(interaction: Interaction, work: Awaitable[Played]) -> Sequence[Played]:
    """The work's result, and what order sheets go on with after it."""
    return await automatic_play.with_sheets(interaction, await once(interaction, work))


async def once(interaction: Interaction, work: Awaitable[Played]) -> Played:
    """The work's result. Where another process has already done it for this interaction, that one's."""
    return await once_all(interaction, work, interaction.client.games.done, show)


async def once_all(
    interaction: Interaction,
    work: Awaitable[T],
    done: Callable[[int, int], Awaitable[T | None]],
    show: Callable[[Interaction, T], Awaitable[None]],
) -> T:
    """As `once`, of anything that can be found again by its channel and interaction as `done`, and shown."""

    async def look() -> T | None:
        return await done(channel_of(interaction), interaction.id)

    try:
        return await work
    except DatabaseAway as error:
        if isinstance(error, Unsure):
            outage_outcome.find_out(interaction, look, show)
        raise
    except errors.TOLD:
        found = await look()
        if found is None:
            raise
        return found


async def show(interaction: Interaction, *played: Played) -> None:
    """Shows what actions did, and where; then the game goes on by itself, where it does."""
    await finish(interaction, await tell(interaction, *played), *played)


async def finish(interaction: Interaction, shown: Shown | None, *played: Played) -> None:
    """After an answer: its picture, the turn message where that is another, and the game goes on by itself."""
    await illustrate(interaction, shown, *played)
    await automatic_play.start(interaction, *played, turn_told=shown is not None and shown.told.tells_turn)


async def tell(interaction: Interaction, *played: Played) -> Shown | None:
    """Tells everyone what is public of it in one message, one action alone as ever; and the actor what is his."""
    if room_of(interaction) is not None:
        return await _tell_in_room(interaction, *played)
    if len(played) == 1:
        return await _tell_one(interaction, played[0])
    answer.mark_done(interaction)
    told = await asyncio.to_thread(Told.by, PUBLIC, played)
    shown = None
    if told.done:
        call = await turn_message.called(interaction, *played, present=interaction.user.id)
        public = await asyncio.to_thread(turn_message.for_everyone, call, *played)
        shown = Shown(await answer.send(interaction, public.card(None)), public)
        stale_buttons.stands(interaction.client, told.game.id, told.game.channel, shown.message)
    for one in played:
        telling = await asyncio.to_thread(Telling.of, one, interaction.user.id)
        alone = telling.card if telling.private else telling.own
        if alone is not None:
            await answer.send(interaction, alone, private=True)
    return shown


async def _tell_one(interaction: Interaction, played: Played) -> Shown | None:
    """Shows everyone what is public of an action, and the actor alone what only they may read.

    Who may read it follows from the report, not from what was asked for.
    """
    answer.mark_done(interaction)
    call = await turn_message.called(interaction, played, present=interaction.user.id)
    telling = await asyncio.to_thread(Telling.of, played, interaction.user.id, call)
    message = await answer.send(interaction, telling.card, private=telling.private)
    if not telling.private:
        stale_buttons.stands(interaction.client, played.game.id, played.game.channel, message)
    if telling.own is not None:
        await answer.send(interaction, telling.own, private=True)
    return None if telling.public is None else Shown(message, telling.public)


async def _tell_in_room(interaction: Interaction, *played: Played) -> Shown | None:
    """Tells everyone in the channel, the side in its room what it may read, and the actor alone what only he may."""
    room = room_of(interaction)
    assert room is not None
    answer.mark_done(interaction)
    interaction.extras[answer.TELLS_ROOM] = True
    told, shown = await asyncio.to_thread(Told.by, PUBLIC, played), None
    if told.done:
        call = await turn_message.called(interaction, *played, present=interaction.user.id)
        public = await asyncio.to_thread(turn_message.for_everyone, call, *played)
        shown = Shown(await answer.to_table(interaction, public.card(None)), public)
        stale_buttons.stands(interaction.client, told.game.id, told.game.channel, shown.message)
    as_side = messages.view_in(room, played[-1].game)
    card = await asyncio.to_thread(messages.card_of, as_side, played)
    if card is not None:
        interaction.extras[messages.ANSWERED] = await answer.to_room(interaction, card)
    viewer = played[-1].game.viewer(interaction.user.id)
    for one in played:
        if card is None or one.entry.report.seen_by(viewer) != one.entry.report.seen_by(as_side):
            telling = await asyncio.to_thread(Telling.of, one, interaction.user.id)
            alone = telling.card if telling.private else telling.own
            if alone is not None:
                await answer.send(interaction, alone, private=True)
    return shown


@dataclass(frozen=True)
class Telling:
    """The answer to an action: a card for everyone, or `private` for the actor; `own` adds what the actor alone reads.

    `public` makes that card anew, with a picture. Long reports take a while to put into words: that is done in a
    thread.
    """

    card: Card
    private: bool = False
    own: Card | None = None
    public: ForEveryone | None = None

    @classmethod
    def of(cls, played: Played, user: int, call: Call = turn_message.NOBODY) -> "Telling":
        """What there is to tell that user, and everyone; `call`: who is waited for now."""
        game = played.game
        public = played.entry.report.seen_by(PUBLIC)
        mine = played.entry.report.seen_by(game.viewer(user))

        def card(shown: Report) -> Card:
            return report_card.told_card(played, shown)

        shown = mine if public is None else public
        if shown is None:
            alone = "Only the umpire sees" if game.ruleset.played_by_bot is None else "Nobody sees for now"
            return cls(Card().text(f"Done. {alone} the result."), private=True)
        if public is None:
            return cls(card(shown), private=True)
        own = mine.model_copy(update={"prompts": (), "offers": ()}) if mine is not None and mine != public else None
        everyone = turn_message.for_everyone(call, played)
        return cls(everyone.card(None), own=card(own) if own else None, public=everyone)


async def illustrate(interaction: Interaction, shown: Shown | None, *played: Played) -> None:
    """Adds the picture of an action, or of several, to their answer, which stands without it too."""
    if shown is None or shown.message is None:
        return
    game = played[-1].game
    bot = interaction.client
    drawn = await turn_message.picture_of(interaction, *played, tells_turn=shown.told.tells_turn)
    if drawn is None:
        return
    message, illustrated = shown.message, shown.told.card(drawn)
    view, files = illustrated.view(), illustrated.files()
    try:
        async with bot.sent.changing(message.id):
            if bot.games.newest.is_past(game.id, message.id):
                without_steps(view, game.id)
            bot.sent.keep(await message.edit(view=view, attachments=files, allowed_mentions=illustrated.mentions))
    except UNSENT as error:
        log.warning("message %s of game %s stays without its picture: %s", message.id, game.id, error)
