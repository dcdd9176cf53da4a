"""Write the after-action report from the lines of the journal, as a job for a worker."""

from collections.abc import Sequence

from bot.jobs.journal_lines import EntryColumns, parse_lines
from bot.jobs.photograph import Illustration, MapPhotograph
from bot.journal.game import Game
from bot.reports.facts import ReportFacts
from bot.reports.markdown import write_markdown
from bot.reports.page import write_page
from bot.reports.turn_maps import Maps, TurnMap, TurnStart, draw_turn_maps
from rules.core.model import Viewer

PAGE_FRAME_BYTES = 20_000
"""Bytes reserved for the HTML around the maps."""
PICTURE_FRAME_BYTES = 200
"""Bytes of HTML around a picture."""


def write_report(
    game: Game,
    lines: Sequence[EntryColumns],
    starts: Sequence[TurnStart],
    viewer: Viewer,
    style: str,
    largest: int,
    photographs: Sequence[MapPhotograph] = (),
    illustrations: Sequence[Illustration] = (),
    *,
    umpires_own: bool = True,
) -> str:
    """Return the report for the viewer. `style` is "markdown", or "html" with maps, in at most `largest` bytes.

    If `umpires_own` is false, omit the entries that only the umpire may read, even for the umpire.
    """
    entries = parse_lines(lines, game.ruleset, viewer)
    facts = ReportFacts(
        game, tuple(entry for entry in entries if umpires_own or entry.report.audience != frozenset()), viewer
    )
    if style != "html":
        return write_markdown(facts)
    text = write_page(facts, {})
    with_reckoning = byte_count(text) <= largest - PAGE_FRAME_BYTES
    room = largest - PAGE_FRAME_BYTES - byte_count(text if with_reckoning else write_page(facts, {}, reckoning=False))
    pictures, left_out = _newest_pictures_that_fit(facts, illustrations, room // 2)
    room -= sum(picture.max_bytes + PICTURE_FRAME_BYTES for picture in pictures.values())
    maps = draw_turn_maps(game, starts, viewer, room, photographs) if game.state_is_readable else {}
    return write_page(facts, maps, pictures, left_out, reckoning=with_reckoning)


def _newest_pictures_that_fit(facts: ReportFacts, every: Sequence[Illustration], room: int) -> tuple[Maps, int]:
    """Return the newest pictures that fit into `room` bytes, by entry, and the number of omitted pictures."""
    headlines = {entry.seq: entry.report.headline for entry in facts.entries if not entry.undone}
    candidates = [illustration for illustration in every if illustration.seq in headlines]
    pictures: dict[int, TurnMap] = {}
    for illustration in reversed(candidates):
        picture = TurnMap("", headlines[illustration.seq], illustration.jpeg)
        room -= picture.max_bytes + PICTURE_FRAME_BYTES
        if room < 0:
            break
        pictures[illustration.seq] = picture
    return pictures, len(candidates) - len(pictures)


def byte_count(text: str) -> int:
    """Return the number of bytes of the text as a UTF-8 file."""
    return len(text.encode())
