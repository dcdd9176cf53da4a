"""The database: tables, sessions, migrations and the writer."""

from . import member_tables, tables
from .sessions import Store

__all__ = ["Store", "member_tables", "tables"]
