"""The after-action report: what happened, turn by turn, as Markdown, and as one self-contained page of HTML."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby

from markdown_it import MarkdownIt

from rules.core.model import Viewer
from rules.core.report import Step
from rules.core.wording import sum_line

from .game import Entry, Game
from .literal import literal


def plain(text: str) -> str:
    """Text that Markdown takes as it is written, on one line."""
    return " ".join(literal(text).split())


def markdown(game: Game, entries: Sequence[Entry], viewer: Viewer) -> str:
    """The report as Markdown. `entries` are already as `viewer` may read them."""
    sections = [*_head(game), *_turns(entries), *_end(game, viewer), *_dice(game)]
    return "\n\n".join(section for section in sections if section) + "\n"


def page(game: Game, entries: Sequence[Entry], viewer: Viewer) -> str:
    """The report as a page that needs nothing else."""
    body = MarkdownIt("commonmark", {"html": False}).enable("strikethrough").render(markdown(game, entries, viewer))
    frame = files("bot").joinpath("report_page.html").read_text(encoding="utf-8")
    filled = {"title": escape(game.name), "body": body}
    return re.sub(r"\{\{(title|body)\}\}", lambda found: filled[found[1]], frame)


def _head(game: Game) -> Iterable[str]:
    scenario = game.ruleset.scenarios.get(game.state.scenario)
    yield f"# {plain(game.name)}"
    when = f"{game.started:%Y-%m-%d}" + (f" to {game.ended:%Y-%m-%d}" if game.ended else "")
    yield f"*{plain(game.ruleset.title)}, {plain(scenario.title if scenario else game.state.scenario)}, {when}*"
    yield plain(scenario.briefing) if scenario else ""
    players = [f"- **{plain(side.name)}**: {plain(game.who_plays(side)) or 'nobody'}" for side in game.state.sides]
    yield "\n".join([f"- **Umpire**: {plain(game.umpire.name)}", *players])


def _turns(entries: Sequence[Entry]) -> Iterable[str]:
    for turn, group in groupby(entries, key=lambda entry: entry.turn):
        yield f"## Turn {turn}"
        for entry in group:
            yield _entry(entry)


def _entry(entry: Entry) -> str:
    report = entry.report
    headline = f"{entry.seq}\\. **{plain(report.headline)}**"
    if entry.undone:
        return f"~~{headline}~~ *(undone)*"
    outcome = [f"**{plain(report.outcome)}**"] if report.outcome else []
    steps = [f"- {_step(step)}" for step in report.steps]
    return "\n".join([headline, *([""] if steps else []), *steps, *([""] if outcome else []), *outcome])


def _step(step: Step) -> str:
    line = sum_line(step)
    return f"{plain(step.text)} ({plain(str(step.cite))}){': ' + plain(line) if line else ''}"


def _end(game: Game, viewer: Viewer) -> Iterable[str]:
    yield "## The game so far" if game.ended is None and game.state.over is None else "## How it ended"
    if over := game.state.over:
        winner = f"The {plain(game.name_of(over.winner))} won" if over.winner else "A draw"
        yield f"**{winner}.** {plain(over.why)}"
    cards = game.ruleset.roster(game.state, viewer)
    for side in game.state.sides:
        own = [f"- {plain(card.name)}: {plain(card.line)}" for card in cards if card.side == side.id]
        yield f"### {plain(side.name)}"
        yield "\n".join(own)


def _dice(game: Game) -> Iterable[str]:
    yield "## The dice"
    yield "\n".join(
        f"- {'Hidden seed' if seed.hidden else 'Seed'} {seed.epoch}, sealed as `{seed.seal}`: "
        + (f"`{seed.secret}`" if seed.secret else "not revealed yet")
        for seed in game.seeds
    )
