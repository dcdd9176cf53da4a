"""The bot's own turns in the chat. One message announces all decisions of a turn."""

import logging
from collections.abc import Sequence

from bot.errors import DatabaseUnavailable, ProgramOutdated, UserError
from bot.games.announcements import Announcement
from bot.games.opponents import find_bot_seats
from bot.games.rights import require_participant
from bot.journal.game import Game, Played
from bot.journal.thinking_record import TurnMemory
from rules.core.model import UMPIRE

from .cards.bot_progress import BotProgress
from .request import ChannelContext, Interaction, actor_of, channel_of

log = logging.getLogger(__name__)

ITS_TURN = "The bot's turn"
NOT_DUE = "The game does not wait for the bot now."
MOVED_ON = "What the bot did, or was about to do, was taken back meanwhile."


async def play_bot_turn(
    context: ChannelContext, *, request: int = 0, one_decision: bool = False
) -> tuple[Sequence[Played], Announcement | None]:
    """Play the bot's turn until it ends, the game waits for people, or a player stops the bot.

    Return the new decisions, and the announcement of the whole turn. `request` is the id of the interaction that asks
    for the turn, or 0; a resting bot plays only on request. With `one_decision`, the bot rests after one decision.
    Raises NoGame, BotIsStuck if the bot can do nothing, UserError if it is already playing.
    """
    client, channel = context.client, channel_of(context)
    remembered: dict[str, TurnMemory] = {}
    with client.single_flight.mark_running(ITS_TURN, channel, ending="It follows here when it is through."):
        game, answering = await client.games.running_game(channel), bool(request)
        decisions: list[Played] = []
        progress = BotProgress(context, game.counts.entries)
        while request or client.loops.may_continue(channel):
            try:
                played = await client.games.bot_decisions.decide_next(
                    game, remembered, interaction=request, rests_after=one_decision, answering=answering
                )
            except Exception as error:
                if not decisions:
                    await progress.remove()
                    raise
                fault = not isinstance(error, UserError)
                log.warning("channel %s: the bot breaks its turn off: %s", channel, error, exc_info=fault)
                break  # first announce what is done; a second failure is then reported
            if played is None:
                break
            decisions.append(played)
            game, request = played.game, 0
            if one_decision or ends_turn(played):
                break
            await progress.show(game)
        await progress.remove()
        now = await client.games.running_game(channel)
        if now.id != game.id:
            return (), None
        return decisions, await client.games.announcements.claim(now, decisions, answering=answering)


def is_bot_playing(context: ChannelContext) -> bool:
    """Whether the bot is now playing a turn in the channel."""
    return (ITS_TURN, channel_of(context)) in context.client.single_flight.keys


async def is_game_waiting_for_bot(interaction: Interaction, game: str) -> bool:
    """Whether the game still waits for the bot. If the database gives no answer, return True."""
    try:
        now = await interaction.client.games.running_game(channel_of(interaction))
    except (DatabaseUnavailable, ProgramOutdated):
        return True
    except UserError:
        return False
    return now.id == game and bool(now.due_bot_seats)


async def play_bot_on_request(interaction: Interaction, *, one_decision: bool = False) -> Sequence[Played]:
    """Play the bot's turn, or only its next decision, for the user. Return the entries to announce.

    Raises NotAllowed, UserError, BotIsStuck.
    """
    game = await interaction.client.games.running_game(channel_of(interaction))
    find_bot_seats(game)
    onlooker = f"You are an onlooker. The players and the umpire, {game.umpire.name}, tell the bot."
    require_participant(game, actor_of(interaction), onlooker)
    if game.due_bot_seats:
        _, announcement = await play_bot_turn(interaction, request=interaction.id, one_decision=one_decision)
        if announcement is not None:
            return announcement.played
    game = await interaction.client.games.running_game(channel_of(interaction))
    raise UserError(f"{MOVED_ON if game.due_bot_seats else NOT_DUE} {awaited_sides_in_words(game)}.")


def awaited_sides_in_words(game: Game) -> str:
    """Return a sentence that names the sides, the umpire or the bot that the game waits for."""
    sides = sorted(game.awaited_viewers - {UMPIRE})
    awaited = [
        f"{game.the_side(side)} ({game.names_of_players(game.state.side(side)) or 'nobody yet'})" for side in sides
    ]
    awaited += [f"the umpire, {game.umpire.name}"] if UMPIRE in game.awaited_viewers else []
    awaited += [f"the bot ({game.name_of(seat.side)}): /opponent turn has it play on" for seat in game.due_bot_seats]
    if awaited:
        return f"It waits for {' and '.join(awaited)}"
    return "It is over" if game.state.over is not None else "It goes on by itself: /turn status shows what is next"


async def mark_announced(context: ChannelContext, played: Sequence[Played]) -> None:
    """Mark the entries as announced. If the database is away, log that; the entries may then be announced again."""
    try:
        await context.client.games.announcements.delete_sent_announcements(played)
    except DatabaseUnavailable:
        log.warning("channel %s: not noted that it was told of entry %d", channel_of(context), played[-1].entry.seq)


def ends_turn(played: Played) -> bool:
    """Whether the action ended a turn. One message announces the decisions of one turn only."""
    before, after = played.before, played.game.state
    return (before.turn, before.active) != (after.turn, after.active)
