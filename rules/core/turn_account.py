"""Accounts of turns that the system plays automatically: deeds, sightings and losses of a side's own units."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .model import Viewer
from .report import Report


class AccountLine(NamedTuple):
    """A line of an account: a heading or the names of units, then a text."""

    head: str
    text: str


class Account(NamedTuple):
    """A side's account of a turn, shown in place of the report's steps."""

    headline: str
    lines: Sequence[AccountLine]


class TurnAccounts(NamedTuple):
    """The accounts of a system's turns. `button` labels the button that shows a player's own account.

    `find_account` takes the states before and after an action, the whole report and the viewer. It returns None for a
    viewer without units, and for an action that does not end a turn.
    """

    button: str
    find_account: Callable[[Any, Any, Report, Viewer], Account | None]
