"""The after-action report, written from the lines of the journal."""

from collections.abc import Sequence

from bot.jobs.illustration import Illustration
from bot.jobs.journal_lines import Line, entries
from bot.jobs.photograph import Laid
from bot.journal.game import Game
from bot.reports.facts import AfterAction
from bot.reports.markdown import markdown
from bot.reports.page import page
from bot.reports.turn_maps import Maps, TurnMap, TurnStart, turn_maps
from rules.core.model import Viewer

FRAMES = 20_000
"""Bytes kept free for what stands round the maps."""
AROUND_ONE = 200
"""Bytes that stand round a picture in the page."""


def report(
    game: Game,
    lines: Sequence[Line],
    starts: Sequence[TurnStart],
    viewer: Viewer,
    style: str,
    largest: int,
    photographs: Sequence[Laid] = (),
    illustrations: Sequence[Illustration] = (),
) -> str:
    """Return the report as that viewer may know it: "markdown", or "html" with its maps, of at most `largest` bytes."""
    told = AfterAction(game, tuple(entries(lines, game.ruleset, viewer)), viewer)
    if style != "html":
        return markdown(told)
    text = page(told, {})
    whole = size(text) <= largest - FRAMES
    room = largest - FRAMES - size(text if whole else page(told, {}, reckoning=False))
    shown, left_out = _fitting(told, illustrations, room // 2)
    room -= sum(one.weight + AROUND_ONE for one in shown.values())
    maps = turn_maps(game, starts, viewer, room, photographs) if game.state_is_readable else {}
    return page(told, maps, shown, left_out, reckoning=whole)


def _fitting(told: AfterAction, every: Sequence[Illustration], room: int) -> tuple[Maps, int]:
    """Return the newest pictures that fit into `room` bytes, by entry, and the number of omitted pictures."""
    headlines = {entry.seq: entry.report.headline for entry in told.entries if not entry.undone}
    wanted = [one for one in every if one.seq in headlines]
    shown: dict[int, TurnMap] = {}
    for one in reversed(wanted):
        picture = TurnMap("", headlines[one.seq], one.jpeg)
        room -= picture.weight + AROUND_ONE
        if room < 0:
            break
        shown[one.seq] = picture
    return shown, len(wanted) - len(shown)


def size(text: str) -> int:
    """Bytes of the text as a file."""
    return len(text.encode())
