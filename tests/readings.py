"""What is read of the game of a channel, in one call for the tests."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.jobs.dice_check import Verification
from bot.jobs.replay import Film
from bot.journal.game import Actor, Entry, UndoPreview
from bot.services import Games
from rules.core.dice import Luck
from rules.core.model import Viewer
from rules.core.odds import Odds


async def log_of(games: Games, channel: int, viewer: Viewer, last: int) -> Sequence[Entry]:
    """The journal of the channel's latest game."""
    return await games.readings.log(await games.latest(channel, even_unreadable=True), viewer, last)


async def export_of(games: Games, channel: int, actor: Actor) -> bytes:
    """The file of the channel's latest game."""
    return (await games.readings.export(await games.latest(channel, even_unreadable=True), actor)).data


async def page_of(games: Games, channel: int, viewer: Viewer, style: str = "html") -> str:
    """The report of the channel's latest game."""
    return await games.readings.write_report(await games.latest(channel, even_unreadable=True), viewer, style)


async def verified_of(games: Games, channel: int) -> Verification:
    """The throws of the channel's latest game recomputed."""
    return await games.readings.verify(await games.latest(channel))


async def luck_of(games: Games, channel: int, viewer: Viewer) -> tuple[Luck, ...]:
    """The luck in the channel's latest game."""
    return await games.readings.luck(await games.latest(channel), viewer)


async def replay_of(games: Games, channel: int, turns: int | None, largest: int) -> Film | None:
    """The film of the channel's latest game."""
    return await games.readings.replay(await games.latest(channel), turns, largest)


async def undoing_of(games: Games, channel: int, actor: Actor, steps: int, *, redo: bool = False) -> UndoPreview:
    """What an undo (or redo) in the channel's running game would take back."""
    return await games.undo.preview(await games.running(channel), actor, steps, redo=redo)


async def odds_of(games: Games, channel: int, actor: Actor, kind: str, args: Mapping[str, Any]) -> Odds:
    """The chances of an action in the channel's running game."""
    game = await games.running(channel)
    found = (await games.actions.forecast(game, actor, game.ruleset.parse(kind, args))).odds
    assert found is not None
    return found
