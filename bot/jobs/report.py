"""The after-action report, written from the lines of the journal."""

from collections.abc import Sequence

from bot.after_action import AfterAction
from bot.game import Game
from bot.report_markdown import markdown
from bot.report_page import page
from rules.core.model import Viewer

from .lines import Line, entries
from .photograph import Laid
from .turn_maps import TurnStart, turn_maps

FRAMES = 20_000
"""Bytes kept free for what stands round the maps."""


def report(
    game: Game,
    lines: Sequence[Line],
    starts: Sequence[TurnStart],
    viewer: Viewer,
    style: str,
    largest: int,
    photographs: Sequence[Laid] = (),
) -> str:
    """The report as that viewer may know it: "markdown", or "html" with its maps, of at most `largest` bytes."""
    told = AfterAction(game, tuple(entries(lines, game.ruleset, viewer)), viewer)
    if style != "html":
        return markdown(told)
    text = page(told, {})
    whole = size(text) <= largest - FRAMES
    room = largest - FRAMES - size(text if whole else page(told, {}, reckoning=False))
    maps = turn_maps(game, starts, viewer, room, photographs) if game.readable else {}
    return page(told, maps, reckoning=whole)


def size(text: str) -> int:
    """Bytes of the text as a file."""
    return len(text.encode())
