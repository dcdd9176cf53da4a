"""What a game does by itself, and what is done of order sheets whose time comes: each with a message to the channel."""

import asyncio
import logging
from collections.abc import Sequence

from bot.errors import BeingUpdated, DatabaseAway, NoGame, Stale
from bot.games import Played
from rules.core.model import PUBLIC

from . import errors, finale, newest, presenter, turn_message, untold
from .card import WARNING, Card, safe
from .interaction import Interaction, actor_of, channel_of
from .offers import orders_button
from .told import Told

log = logging.getLogger(__name__)

ENOUGH = 100
"""Actions of order sheets that are told in one message."""
MOST_KEY = 25
"""Letters of what names a message to Discord."""

CAN_GO_ON = "your order sheet can go on."

BROKEN_OFF = (
    "Something went wrong on our side, so the game no longer goes on by itself; nothing was lost. `/turn status` shows "
    "what is next. If it happens again, tell whoever runs this bot the reference `{reference}`."
)
AWAY = (
    "The database does not answer at the moment, so the game no longer goes on by itself; nothing was lost. "
    "`/turn status` shows what is next."
)


async def start(interaction: Interaction, *done: Played, turn_told: bool = False) -> None:
    """Posts the turn message where a turn has begun, unless that is told; has the game go on in the background."""
    if not turn_told:
        await turn_message.post(interaction, *done)
    await finale.post(interaction, *done)
    played = done[-1]
    channel, actor, games = channel_of(interaction), actor_of(interaction), interaction.client.games
    by_itself = played.game.ruleset.next_by_itself(played.game.state) is not None

    async def step() -> bool:
        following: Sequence[Played] = ()
        try:
            if by_itself and (one := await games.go_on(channel, actor)) is not None:
                following = (one,)
            elif await games.has_sheets(played.game) and not (following := await of_sheets(interaction)):
                await wake(interaction)
        except (NoGame, BeingUpdated, Stale):  # another game may have begun here meanwhile
            return False
        except DatabaseAway:
            await break_off(interaction, AWAY)
            return False
        except errors.TOLD as error:
            log.exception("channel %s: the game cannot go on by itself", channel)
            await break_off(interaction, safe(str(error)))
            return False
        except Exception:
            reference = errors.reference_of(interaction)
            log.exception("fault %s in what channel %s does by itself", reference, channel)
            await break_off(interaction, BROKEN_OFF.format(reference=reference))
            return False
        if following:
            await tell(interaction, following)
        return bool(following)

    interaction.client.loops.start(channel, step)


async def break_off(interaction: Interaction, words: str) -> None:
    """Tells the channel why its game does not go on by itself."""
    await untold.post(interaction, Card(WARNING).text(words), f"{interaction.id} off")


async def with_sheets(interaction: Interaction, *played: Played) -> Sequence[Played]:
    """What was done, and what order sheets go on with at once: it is told with it. What fails is tried again later."""
    try:
        if await interaction.client.games.has_sheets(played[-1].game):
            return (*played, *await of_sheets(interaction))
    except Exception:
        log.exception("channel %s: order sheets do not go on", interaction.channel_id)
    return played


async def of_sheets(interaction: Interaction) -> Sequence[Played]:
    """What is done of one order sheet after the other, until none goes on, or it is enough for a message."""
    done: list[Played] = []
    while len(done) < ENOUGH:
        try:
            carried = await interaction.client.games.next_of_sheets(channel_of(interaction))
        except Exception:
            if not done:
                raise
            break  # what is done is told first
        if carried is None:
            break
        done += carried.played
    return done


async def wake(interaction: Interaction) -> None:
    """Tells players that what their order sheets waited for is settled, where the bot is not to go on with them."""
    games, channel = interaction.client.games, channel_of(interaction)
    for kept in await games.woken(channel):
        game = await games.running(channel)
        card = Card(presenter.side_colour(game.state, kept.side))
        if kept.owner in await games.silent(game):
            names = [seat.name for seat in game.seats if seat.user == kept.owner] or [game.umpire.name]
            card.text(f"**{safe(names[0])}**: {CAN_GO_ON}")
        else:
            card.mention([kept.owner], CAN_GO_ON)
        card.buttons([orders_button(game.id)])
        await untold.post(interaction, card, f"{game.id}-{kept.revision}-{kept.owner}"[:MOST_KEY])


async def tell(interaction: Interaction, played: Sequence[Played]) -> None:
    """Tells everyone what is public of an act, or of several, with its picture."""
    told = Told.by(PUBLIC, played)
    if not told.done:
        return
    game = played[-1].game
    call = await turn_message.called(interaction, *played)
    public = await asyncio.to_thread(turn_message.for_everyone, call, *played)
    drawn = await turn_message.picture_of(interaction, *played, tells_turn=public.tells_turn)
    message = await untold.post(interaction, public.card(drawn), f"{game.id}-{played[-1].entry.seq}")
    newest.stands(interaction.client, game.id, game.channel, message)
    if not public.tells_turn:
        await turn_message.post(interaction, *played)
    await finale.post(interaction, *played)
