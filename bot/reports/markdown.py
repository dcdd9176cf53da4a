"""The after-action report as Markdown."""

from collections.abc import Iterable

from bot.journal.game import Entry
from bot.markdown_escape import escape_markdown

from .facts import ReportFacts, step_in_words


def escape_line(text: str) -> str:
    """Return the text escaped for Markdown, on one line."""
    return " ".join(escape_markdown(text).split())


def write_markdown(facts: ReportFacts) -> str:
    """Return the report as Markdown."""
    sections = [
        *_write_header(facts),
        *_write_turns(facts),
        *_write_last_part(facts),
        *_write_annexes(facts),
        *_write_luck(facts),
        *_write_seeds(facts),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _write_header(facts: ReportFacts) -> Iterable[str]:
    yield f"# {escape_line(facts.game.name)}"
    yield f"*{escape_line(facts.subtitle)}*"
    yield escape_line(facts.briefing)
    yield "\n".join(f"- **{escape_line(role)}**: {escape_line(name)}" for role, name in facts.names_by_role.items())


def _write_turns(facts: ReportFacts) -> Iterable[str]:
    for turn, entries in facts.turns:
        yield f"## {facts.turn_name(turn)}"
        yield from map(_write_entry, entries)


def _write_entry(entry: Entry) -> str:
    report = entry.report
    headline = f"{entry.shown_number}\\. **{escape_line(report.headline)}**"
    if entry.undone:
        return f"~~{headline}~~ *(undone)*"
    outcome = [f"**{escape_line(report.whole_outcome)}**"] if report.whole_outcome else []
    steps = [f"- {escape_line(step_in_words(step))}" for step in report.steps]
    return "\n".join([headline, *([""] if steps else []), *steps, *([""] if outcome else []), *outcome])


def _write_last_part(facts: ReportFacts) -> Iterable[str]:
    yield f"## {facts.last_heading}"
    if facts.verdict is not None:
        result, reason = facts.verdict
        yield f"**{escape_line(result)}.** {escape_line(reason)}"
    for army in facts.armies:
        yield f"### {escape_line(army.name)}"
        yield f"*{escape_line(army.left)}*" if army.left else ""
        yield "\n".join(f"- {escape_line(card.name)}: {escape_line(card.line)}" for card in army.units)


def _write_annexes(facts: ReportFacts) -> Iterable[str]:
    for annex in facts.annexes:
        yield f"## {escape_line(annex.title)}"
        for heading, lines in annex.parts:
            yield f"### {escape_line(heading)}"
            yield "\n".join(f"- {escape_line(line)}" for line in lines)


def _write_luck(facts: ReportFacts) -> Iterable[str]:
    lines = [f"- **{escape_line(name)}**: {escape_line(luck)}" for name, luck in facts.luck]
    if lines:
        yield "## Luck"
        yield "\n".join(lines)


def _write_seeds(facts: ReportFacts) -> Iterable[str]:
    yield "## The dice"
    yield "\n".join(
        f"- {name}, sealed as `{seal}`: " + (f"`{secret}`" if secret else "not revealed yet")
        for name, seal, secret in facts.seeds
    )
