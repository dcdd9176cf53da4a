"""Stored journal entries as lines: the bot reads the lines from the database, and workers parse them."""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from bot.journal.entries import read_entry, redact_for_viewer
from bot.journal.game import Entry
from rules.core.model import Viewer
from rules.core.ruleset import Ruleset


class EntryColumns(NamedTuple):
    """An entry's columns: `action`, `dice` and `thought` as JSON text, `report` and `state` compressed."""

    seq: int
    at: datetime
    actor: int
    actor_name: str
    interaction: int
    kind: str
    side: str
    acts: bool
    action: Any
    dice: Any
    base: int
    turn: int
    turn_end: bool
    rules_version: int
    undone: bool
    number: int
    among: str | None
    thought: Any
    report: bytes
    state: bytes | None


def parse_line(line: EntryColumns, system: Ruleset[Any]) -> Entry:
    """Return the whole entry of a line, upgraded to the present rules version.

    If the line is unreadable, return an entry whose report says so.
    """
    thought = None if line.thought is None else json.loads(line.thought)
    columns = line._replace(action=json.loads(line.action), dice=json.loads(line.dice), thought=thought)
    return read_entry(columns, system)


def parse_lines(lines: Iterable[EntryColumns], system: Ruleset[Any], viewer: Viewer) -> Iterator[Entry]:
    """Parse the lines, and yield the part of each entry that the viewer may read."""
    return (entry for line in lines if (entry := redact_for_viewer(parse_line(line, system), viewer)))
