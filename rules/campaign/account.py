"""A command's account of a day: marches of its columns, reasons to stop, losses and sightings (CA-1.8)."""

from collections.abc import Iterator, Sequence

from rules.core.model import Viewer
from rules.core.report import Report
from rules.core.turn_account import Account, AccountLine, TurnAccounts
from rules.core.wording import count_of, join_with_and

from .columns import Column, Task
from .ground import board_of
from .intelligence import EnemySize
from .knowledge import view
from .model import CampaignState
from .seeing import FORCE, PARTY

MOST_SIGHTINGS = 5
"""Maximum number of sightings in an account; the map shows the others."""
SIZES = {EnemySize.PARTY: f"up to {PARTY}", EnemySize.FORCE: f"{PARTY + 1} to {FORCE}", EnemySize.ARMY: f"over {FORCE}"}
"""Figures, in words, of enemies seen from afar, by size (CA-3.2)."""
RESTS = {Task.DIG_IN: "digs in", Task.REST: "rests", Task.WAIT: "waits"}


def write_day_account(before: CampaignState, after: CampaignState, report: Report, command: Viewer) -> Account | None:
    """Return a command's account of the day that ended. None if no day ended, or if the viewer is no command."""
    is_over = after.over is not None and before.over is None
    if (after.turn == before.turn and not is_over) or all(side.id != command for side in before.sides):
        return None
    own_report = report.view_for(command)
    steps = own_report.steps if own_report is not None else ()
    old_view, new_view = view(before, command), view(after, command)
    own = before.sides_represented_by(command)
    columns = {
        column.id: column for known in (old_view, new_view) for column in known.units.values() if column.side in own
    }
    fates: dict[str, list[str]] = {column.name: [] for column in columns.values()}
    for step in steps:
        if step.subject in fates and step.verdict:
            fates[step.subject].append(step.verdict)
    words = {key: _describe_column(old_view, new_view, key, fates[column.name]) for key, column in columns.items()}
    private_steps = (step for step in steps if step.only_for is not None and step.verdict and not step.subject)
    lines = [
        *_merge_equal_lines(columns, words),
        *(AccountLine(step.text, step.verdict) for step in private_steps),  # such as enemies crossing (CA-5.1)
        AccountLine("Seen", _describe_enemies_seen(before, new_view, command)),
    ]
    return Account(f"Day {before.turn}: {before.side(command).name}", lines)


TURN_ACCOUNTS = TurnAccounts("What happened to my columns", write_day_account)


def _describe_column(before: CampaignState, after: CampaignState, column_id: str, fates: Sequence[str]) -> str:
    """Return in words what a column did and lost; empty for a reinforcement that has not arrived."""
    old, new = before.units.get(column_id), after.units.get(column_id)
    if new is None:
        return "; ".join((*fates, "is lost"))
    if new.at is None:
        return ""
    march = [] if old is None or old.at is None else [_describe_march(after, new)]
    losses = 0 if old is None else old.today.lost
    fought = [f"has lost {count_of(losses, 'figure')} in battle"] if losses else []
    whereabouts = _describe_whereabouts(after, new, 0 if old is None else old.figures)
    return "; ".join(filter(None, (*fought, *march, *fates, whereabouts)))


def _describe_march(state: CampaignState, column: Column) -> str:
    """Return in words a column's march or rest; empty if the column moved without a march."""
    entered = column.today.entered
    if entered:
        return f"marches {count_of(len(entered), 'hex', 'hexes')} to {board_of(state).title(entered[-1])}"
    return RESTS.get(column.orders.task, "stays") if column.today.stood in (None, column.at) else ""


def _describe_whereabouts(state: CampaignState, column: Column, figures: int) -> str:
    """Return a column's hex in words if its march ended elsewhere, and its figures if they changed.

    `figures` is the number before the day; 0 for a new column, whose figures are not told.
    """
    marched = (*column.today.entered[-1:], column.today.stood or column.at)[0]
    place = "" if column.at in (None, marched) else board_of(state).title(column.at)
    at = f"in {place}" if place else ""
    changed = count_of(column.figures, "figure") if figures not in (0, column.figures) else ""
    whereabouts = at and f"now {at}" if state.is_free(column) else f"is in battle {at}".rstrip()
    return "; ".join(filter(None, (whereabouts, changed and f"now {changed}")))


def _merge_equal_lines(columns: dict[str, Column], words: dict[str, str]) -> Iterator[AccountLine]:
    """Yield a line for each text in `words`, with the names of all columns that share the text."""
    alike: dict[str, list[str]] = {}
    for key, text in words.items():
        if text:
            alike.setdefault(text, []).append(columns[key].name)
    for text, names in alike.items():
        yield AccountLine(join_with_and(names), text if len(names) == 1 else f"each {text}")


def _describe_enemies_seen(before: CampaignState, after: CampaignState, command: Viewer) -> str:
    """Return in words the enemies that a command saw since the march began, those still in sight first."""
    sightings = after.sightings.get(command, {})
    fresh = [(hex_, sighting) for hex_, sighting in sightings.items() if sighting.day >= before.turn]
    names_today = {name for _, sighting in fresh if sighting.day == after.turn for name in sighting.columns}
    fresh = [
        (hex_, sighting)
        for hex_, sighting in fresh
        if sighting.day == after.turn or not sighting.columns or {*sighting.columns} - names_today
    ]
    fresh.sort(key=lambda pair: (-pair[1].day, pair[1].distance, pair[0]))
    lines = []
    for hex_, sighting in fresh:
        age = "" if sighting.day == after.turn else f" (seen day {sighting.day})"
        figures = f" ({SIZES[sighting.size]})" if sighting.figures is None else ""
        lines.append(f"{sighting.in_words}{figures} in {board_of(after).title(hex_)}{age}")
    ending = [f"{len(lines) - MOST_SIGHTINGS} more on the map"] if len(lines) > MOST_SIGHTINGS else []
    return "; ".join((*lines[:MOST_SIGHTINGS], *ending)) or "no enemy"
