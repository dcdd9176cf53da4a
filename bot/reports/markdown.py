"""The after-action report as Markdown."""

from collections.abc import Iterable

from bot.journal.game import Entry
from bot.markdown_escape import escape_markdown

from .facts import AfterAction, reckoned


def plain(text: str) -> str:
    """Text that Markdown takes as it is written, on one line."""
    return " ".join(escape_markdown(text).split())


def markdown(told: AfterAction) -> str:
    """Return the report as Markdown."""
    sections = [*_head(told), *_turns(told), *_end(told), *_luck(told), *_dice(told)]
    return "\n\n".join(section for section in sections if section) + "\n"


def _head(told: AfterAction) -> Iterable[str]:
    yield f"# {plain(told.game.name)}"
    yield f"*{plain(told.subtitle)}*"
    yield plain(told.briefing)
    yield "\n".join(f"- **{plain(what)}**: {plain(who)}" for what, who in told.people.items())


def _turns(told: AfterAction) -> Iterable[str]:
    for turn, entries in told.turns:
        yield f"## Turn {turn}"
        yield from map(_entry, entries)


def _entry(entry: Entry) -> str:
    report = entry.report
    headline = f"{entry.shown_number}\\. **{plain(report.headline)}**"
    if entry.undone:
        return f"~~{headline}~~ *(undone)*"
    outcome = [f"**{plain(report.whole_outcome)}**"] if report.whole_outcome else []
    steps = [f"- {plain(reckoned(step))}" for step in report.steps]
    return "\n".join([headline, *([""] if steps else []), *steps, *([""] if outcome else []), *outcome])


def _end(told: AfterAction) -> Iterable[str]:
    yield f"## {told.end_title}"
    if told.verdict is not None:
        who, why = told.verdict
        yield f"**{plain(who)}.** {plain(why)}"
    for army in told.armies:
        yield f"### {plain(army.name)}"
        yield f"*{plain(army.left)}*" if army.left else ""
        yield "\n".join(f"- {plain(card.name)}: {plain(card.line)}" for card in army.units)


def _luck(told: AfterAction) -> Iterable[str]:
    lines = [f"- **{plain(whose)}**: {plain(fallen)}" for whose, fallen in told.luck]
    if lines:
        yield "## Luck"
        yield "\n".join(lines)


def _dice(told: AfterAction) -> Iterable[str]:
    yield "## The dice"
    yield "\n".join(
        f"- {name}, sealed as `{seal}`: " + (f"`{secret}`" if secret else "not revealed yet")
        for name, seal, secret in told.seeds
    )
