"""Options that commands share: each has the same name, description and completion in every command."""

from collections.abc import Callable
from typing import Any, TypeVar

from discord import app_commands

from .kit.lookup import completion, legal_now

C = TypeVar("C", bound=Callable[..., Any])

MOST_FIGURES = 10_000
"""Largest number that an option accepts. Rule systems have closer bounds of their own."""
Figures = app_commands.Range[int, 1, MOST_FIGURES]
Losses = app_commands.Range[int, 0, MOST_FIGURES]
Inches = app_commands.Range[float, 0, MOST_FIGURES]

STATES = ("steady", "shaken")

DESCRIPTIONS = {
    "unit": "A unit of this channel's game",
    "target": "The enemy unit",
    "dice": "How many dice or stands fire, where that is yours to choose",
    "to": "Where to: “C2”, “C2 NW facing south”, “forward 6”, “towards” a unit, “face north-east”",
    "rules": "Without a game: the rule system",
    "troop": "Without a game: the kind of troops",
    "losses": "Without a game: casualties so far",
    "state": "Without a game: the state of these troops",
    "figures": "Without a game: figures, stands, guns or crew",
    "against": "Without a game: the kind of troops they fight",
    "against_figures": "Without a game: how many of those",
    "range": "Range in inches, where no positions are kept",
    "contact": "Figures in contact, where no positions are kept",
    "with": "Circumstances, by comma",
    "secret": "For your eyes (and the umpire's) only",
}
COMPLETED = {
    "unit": completion.units,
    "target": completion.targets,
    "rules": completion.rule_systems,
    "state": completion.one_of(*STATES),
}
OF_A_KIND = {
    "unit": legal_now.units,
    "target": legal_now.targets,
    "troop": completion.troops_asked,
    "against": completion.troops_asked,
    "with": completion.circumstances,
}
"""Completers that depend on the command's kind of action."""
PYTHON_NAMES = {"with": "with_", "range": "range_"}
"""Parameter names of options whose names are words or built-in functions of Python."""


def takes(*names: str, kind: completion.Kind | None = None, **described: str) -> Callable[[C], C]:
    """Return a decorator that describes and completes a command's shared options; `kind` is its kind of action.

    `described` holds descriptions of further options, or other descriptions of shared options.
    """

    def decorate(callback: C) -> C:
        own = {name: PYTHON_NAMES.get(name, name) for name in names}
        app_commands.describe(**{**{own[name]: DESCRIPTIONS[name] for name in names}, **described})(callback)
        app_commands.rename(**{own[name]: name for name in names if name in PYTHON_NAMES})(callback)
        completed = {own[name]: COMPLETED[name] for name in names if name in COMPLETED}
        if kind is not None:
            completed.update({own[name]: completer(kind) for name, completer in OF_A_KIND.items() if name in names})
        app_commands.autocomplete(**completed)(callback)
        return callback

    return decorate
