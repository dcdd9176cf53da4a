"""Insert journal entries by a statement that is compiled once for each kind of database."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam, case, insert, text
from sqlalchemy.engine import Connection, Dialect
from sqlalchemy.sql.compiler import SQLCompiler

from .migrate import newest_revision
from .tables import ENTRIES

_TABLES_ARE_OURS = text("(SELECT version_num FROM alembic_version) = :own").bindparams(own=newest_revision())
_PART_PARAMETER = "number_of_part"
"""The parameter for the column `part`: a parameter with the column's own name would replace its expression."""
_INSERT = insert(ENTRIES).values(part=case((_TABLES_ARE_OURS, bindparam(_PART_PARAMETER, type_=ENTRIES.c.part.type))))
"""The INSERT of one entry. On tables newer than the program, `part` is NULL, and the database refuses the row."""


class _Insertion:
    """The INSERT of an entry, compiled for a dialect. It needs a third of the time of SQLAlchemy's own execution."""

    def __init__(self, dialect: Dialect) -> None:
        names = [column.name for column in ENTRIES.c if column.name != "part"]
        compiled = _INSERT.compile(dialect=dialect, column_keys=names)
        assert isinstance(compiled, SQLCompiler)
        assert compiled.positiontup is not None
        self.sql = str(compiled)
        self._fixed = {name: value for name, value in compiled.params.items() if value is not None}
        self._order = [
            ("part" if name == _PART_PARAMETER else name, bound.type.dialect_impl(dialect).bind_processor(dialect))
            for name, bound in ((name, compiled.binds[name]) for name in compiled.positiontup)
        ]

    def values(self, entry: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the parameters of the statement for an entry, in the statement's order."""
        given = {**self._fixed, **entry}
        return tuple(given[name] if convert is None else convert(given[name]) for name, convert in self._order)


@lru_cache(maxsize=8)
def _insertion(dialect: Dialect) -> _Insertion:
    return _Insertion(dialect)


def insert_entries(connection: Connection, entries: Sequence[Mapping[str, Any]]) -> None:
    """Insert entries, given as columns. Raises IntegrityError if a number or an interaction is already used."""
    insertion = _insertion(connection.dialect)
    values = [insertion.values(entry) for entry in entries]
    connection.exec_driver_sql(insertion.sql, values if len(values) > 1 else values[0])
