"""The after-action report, written from the lines of the journal."""

from collections.abc import Sequence

from bot import report_page
from bot.game import Game
from rules.core.model import Viewer

from .lines import Line, entries


def report(game: Game, lines: Sequence[Line], viewer: Viewer, style: str) -> str:
    """The report as that viewer may know it: "html" (self-contained) or "markdown"."""
    write = report_page.page if style == "html" else report_page.markdown
    return write(game, tuple(entries(lines, game.ruleset, viewer)), viewer)
