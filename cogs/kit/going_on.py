"""What a game does by itself: one action after another, each with a message to the channel."""

import logging

from bot.errors import BeingUpdated, DatabaseAway, NoGame
from bot.games import Played
from rules.core.model import PUBLIC

from . import errors, pictures, presenter, untold
from .card import WARNING, Card, safe
from .interaction import Interaction, actor_of, channel_of

log = logging.getLogger(__name__)

BROKEN_OFF = (
    "Something went wrong on our side, so the game no longer goes on by itself; nothing was lost. `/turn status` shows "
    "what is next. If it happens again, tell whoever runs this bot the reference `{reference}`."
)
AWAY = (
    "The database does not answer at the moment, so the game no longer goes on by itself; nothing was lost. "
    "`/turn status` shows what is next."
)


def start(interaction: Interaction, played: Played) -> None:
    """Has the game go on by itself in the background after what was done, where anything is due."""
    if played.game.ruleset.next_by_itself(played.game.state) is None:
        return
    channel, actor = channel_of(interaction), actor_of(interaction)

    async def step() -> bool:
        try:
            following = await interaction.client.games.go_on(channel, actor)
        except (NoGame, BeingUpdated):
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
        if following is not None:
            await tell(interaction, following)
        return following is not None

    interaction.client.loops.start(channel, step)


async def break_off(interaction: Interaction, words: str) -> None:
    """Tells the channel why its game does not go on by itself."""
    await untold.post(interaction, Card(WARNING).text(words), f"{interaction.id} off")


async def tell(interaction: Interaction, played: Played) -> None:
    """Tells everyone what is public of an act, with its picture."""
    report = played.entry.report.seen_by(PUBLIC)
    if report is None:
        return
    drawn = await pictures.if_drawn(pictures.after(interaction.client.workers, played), played.game)
    game = played.game
    card = presenter.report_card(report, game.state, game=game.id, seq=played.entry.seq, picture=drawn)
    await untold.post(interaction, card, f"{game.id}-{played.entry.seq}")
