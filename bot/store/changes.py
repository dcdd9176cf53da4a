"""Changes of the database. A change is an SQL statement, or a function that executes statements."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeAlias

from sqlalchemy import ColumnElement, Executable, Table, or_
from sqlalchemy.engine import Connection

Change: TypeAlias = Executable | Callable[[Connection], object]


def unclaimed_condition(table: Table, expired: datetime) -> ColumnElement[bool]:
    """Return the SQL condition for rows without a claim, or with a claim made at `expired` or earlier."""
    return or_(table.c.claimed.is_(None), table.c.claimed <= expired)


def execute_changes(connection: Connection, changes: Iterable[Change]) -> int:
    """Make the changes in order. Return the number of rows that the last statement changed."""
    rows = 0
    for change in changes:
        if isinstance(change, Executable):
            rows = connection.execute(change).rowcount
        else:
            change(connection)
    return rows
