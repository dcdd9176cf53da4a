"""Insert journal entries."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam, case, insert, text
from sqlalchemy.engine import Connection

from .migrate import newest_revision
from .tables import ENTRIES

_TABLES_ARE_OURS = text("(SELECT version_num FROM alembic_version) = :own").bindparams(own=newest_revision())
_PART_PARAMETER = "number_of_part"
"""Name of the parameter for the column `part`. A parameter named like the column would replace its expression."""
_INSERT = insert(ENTRIES).values(part=case((_TABLES_ARE_OURS, bindparam(_PART_PARAMETER, type_=ENTRIES.c.part.type))))
"""The INSERT of one entry. On tables newer than the program, `part` is NULL, and the database refuses the row."""


def insert_entries(connection: Connection, entries: Sequence[Mapping[str, Any]]) -> None:
    """Insert journal entries into their table. Each entry maps the names of columns to values.

    Raises IntegrityError if an entry's number or interaction is already used.
    """
    rows = [{_PART_PARAMETER if name == "part" else name: value for name, value in entry.items()} for entry in entries]
    connection.execute(_INSERT, rows)
