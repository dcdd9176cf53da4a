"""The database: tables, sessions, migrations and the writer."""

from .sessions import Store

__all__ = ["Store"]
