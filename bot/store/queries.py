"""Single queries, each on a connection of its own. All functions raise DatabaseUnavailable."""

from collections.abc import Sequence
from typing import Any, TypeVar

from sqlalchemy import Executable, Row, Select

from .sessions import Store

T = TypeVar("T")


async def fetch_rows(store: Store, query: Executable) -> Sequence[Any]:
    """Return all rows of the query."""
    async with store.query_connection() as connection:
        return (await connection.execute(query)).all()


async def fetch_row(store: Store, query: Executable) -> "Row[*tuple[Any, ...]] | None":
    """Return the first row of the query, or None."""
    async with store.query_connection() as connection:
        return (await connection.execute(query)).first()


async def fetch_value(store: Store, query: Select[T]) -> T | None:
    """Return the first column of the query's first row, or None if there is no row."""
    async with store.query_connection() as connection:
        return await connection.scalar(query)


async def fetch_values(store: Store, query: Select[T]) -> Sequence[T]:
    """Return the first column of each row of the query."""
    async with store.query_connection() as connection:
        return (await connection.scalars(query)).all()
