"""The account of a turn: what a side's own units did, saw and lost, for a system whose turns play by themselves."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .model import Viewer
from .report import Report


class AccountLine(NamedTuple):
    """A line of an account: units or a heading, and what is told of them."""

    head: str
    text: str


class Account(NamedTuple):
    """What a side reads of a turn, in place of the steps of its report."""

    headline: str
    lines: Sequence[AccountLine]


class TurnAccounts(NamedTuple):
    """The accounts of a system's turns. `button` is the label of the button that shows a player's own account.

    `of_turn` takes the states before and after an action with its whole report. It returns None for a viewer without
    units, and for an action that ends no turn.
    """

    button: str
    of_turn: Callable[[Any, Any, Report, Viewer], Account | None]
