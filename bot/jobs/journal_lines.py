"""Journal lines as stored: the bot reads raw lines, and workers parse them."""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from bot.journal.entries import read_entry, seen_by
from bot.journal.game import Entry
from rules.core.model import Viewer
from rules.core.ruleset import Ruleset


class Line(NamedTuple):
    """An entry's columns by name: `action`, `dice` and `thought` are JSON, `report` and `state` packed."""

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


def entry(line: Line, system: Ruleset[Any]) -> Entry:
    """Return the entry of a line, unredacted, in today's form; one that only says so where it cannot be read."""
    thought = None if line.thought is None else json.loads(line.thought)
    read = line._replace(action=json.loads(line.action), dice=json.loads(line.dice), thought=thought)
    return read_entry(read, system)


def entries(lines: Iterable[Line], system: Ruleset[Any], viewer: Viewer) -> Iterator[Entry]:
    """Yield the parsed entries that the viewer may read."""
    return (seen for line in lines if (seen := seen_by(entry(line, system), viewer)))
