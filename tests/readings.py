"""Reading services of the channel's game, each in one call."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.games.odds import make_forecast
from bot.games.undo import UndoPreview
from bot.jobs.dice_check import ThrowVerification
from bot.jobs.replay import ReplayAnimation
from bot.journal.game import Actor, Entry
from bot.services import Games
from rules.core.dice import Luck
from rules.core.model import Viewer
from rules.core.odds import Odds


async def read_log(games: Games, channel: int, viewer: Viewer, last: int) -> Sequence[Entry]:
    """Return the last journal entries of the channel's latest game."""
    return await games.readings.load_log(await games.running_or_last_game(channel, even_unreadable=True), viewer, last)


async def export_latest(games: Games, channel: int, actor: Actor) -> bytes:
    """Return the export file of the channel's latest game."""
    return (
        await games.readings.export_game(await games.running_or_last_game(channel, even_unreadable=True), actor)
    ).data


async def write_latest_page(games: Games, channel: int, viewer: Viewer, style: str = "html") -> str:
    """Return the report page of the channel's latest game."""
    return await games.readings.write_report(
        await games.running_or_last_game(channel, even_unreadable=True), viewer, style
    )


async def verify_throws(games: Games, channel: int) -> ThrowVerification:
    """Verify the throws of the channel's latest game."""
    return await games.readings.verify_throws(await games.running_or_last_game(channel))


async def read_luck(games: Games, channel: int, viewer: Viewer) -> tuple[Luck, ...]:
    """Return the luck of the channel's latest game."""
    return await games.readings.measure_luck(await games.running_or_last_game(channel), viewer)


async def render_replay(games: Games, channel: int, turns: int | None, largest: int) -> ReplayAnimation | None:
    """Render the replay of the channel's latest game."""
    return await games.readings.make_replay(await games.running_or_last_game(channel), turns, largest)


async def preview_undo(games: Games, channel: int, actor: Actor, steps: int, *, redo: bool = False) -> UndoPreview:
    """Preview an undo or redo in the channel's running game."""
    return await games.undo.preview(await games.running_game(channel), actor, steps, redo=redo)


async def forecast_odds(games: Games, channel: int, actor: Actor, kind: str, args: Mapping[str, Any]) -> Odds:
    """Return the odds of an action in the channel's running game."""
    game = await games.running_game(channel)
    odds = make_forecast(game, actor, game.ruleset.parse(kind, args)).odds
    assert odds is not None
    return odds
