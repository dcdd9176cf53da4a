"""Changes of the database: statements, and functions that execute statements."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from sqlalchemy import Executable
from sqlalchemy.engine import Connection

Change: TypeAlias = Executable | Callable[[Connection], object]


def make_changes(connection: Connection, changes: Iterable[Change]) -> int:
    """Make the changes in order. Return the number of rows that the last statement changed."""
    rows = 0
    for change in changes:
        if isinstance(change, Executable):
            rows = connection.execute(change).rowcount
        else:
            change(connection)
    return rows
