"""The store: tables, sessions and their migration to the newest form."""

from .sessions import Store

__all__ = ["Store"]
