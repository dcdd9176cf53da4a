"""Options that commands share: each is declared once, with its name, type, description and completion."""

import inspect
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from keyword import iskeyword
from typing import Any, TypeAlias

from discord import app_commands

from .kit.command_traits import Command
from .kit.lookup import completion, legal_now
from .kit.lookup.circumstance_completion import circumstance_completer
from .kit.lookup.completion import Completer, Kind, troop_completer
from .kit.option_types import Name, Words
from .kit.request import Interaction

MOST_FIGURES = 10_000
"""Largest number that an option accepts. Rule systems have closer bounds of their own."""
Figures = app_commands.Range[int, 1, MOST_FIGURES]
Losses = app_commands.Range[int, 0, MOST_FIGURES]
Inches = app_commands.Range[float, 0, MOST_FIGURES]

Options: TypeAlias = Mapping[str, Any]
"""The given options of a command, by their names in Discord."""
Work: TypeAlias = Callable[[Interaction, Options], Coroutine[Any, Any, None]]
"""A function that carries out a command with the given options."""


@dataclass(frozen=True)
class Option:
    """An option of a command, completed by `complete`, or by the completer that `complete_for` makes."""

    name: str
    type: Any
    description: str
    complete: Completer | None = None
    complete_for: Callable[[Kind], Completer] | None = None
    is_required: bool = False

    def completer(self, kind: Kind) -> Completer | None:
        """Return the completer of the option in a command for this kind of action, or None."""
        return self.complete_for(kind) if self.complete_for is not None else self.complete

    @property
    def parameter(self) -> inspect.Parameter:
        """Return the option as a function parameter for discord.py. A name that is a Python keyword gets a `_`."""
        name = f"{self.name}_" if iskeyword(self.name) else self.name
        kind, empty = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.empty
        if self.is_required:
            return inspect.Parameter(name, kind, default=empty, annotation=self.type)
        return inspect.Parameter(name, kind, default=None, annotation=self.type | None)


SHARED = {
    option.name: option
    for option in (
        Option("unit", Name, "A unit of this channel's game", complete_for=legal_now.unit_completer),
        Option("target", Name, "The enemy unit", complete_for=legal_now.target_completer),
        Option("to", Words, "Where to: “C2”, “C2 NW facing south”, “forward 6”, “towards” a unit, “face north-east”"),
        Option("range", Inches, "Range in inches, where no positions are kept"),
        Option("dice", Figures, "How many dice or stands fire, where that is yours to choose"),
        Option("contact", Figures, "Figures in contact, where no positions are kept"),
        Option("rules", Name, "Without a game: the rule system", completion.complete_rule_systems),
        Option("troop", Name, "Without a game: the kind of troops", complete_for=troop_completer),
        Option(
            "state", Name, "Without a game: the state of these troops", completion.word_completer("steady", "shaken")
        ),
        Option("losses", Losses, "Without a game: casualties so far"),
        Option("figures", Figures, "Without a game: figures, stands, guns or crew"),
        Option("against", Name, "Without a game: the kind of troops they fight", complete_for=troop_completer),
        Option("against_figures", Figures, "Without a game: how many of those"),
        Option("with", Words, "Circumstances, by comma", complete_for=circumstance_completer),
        Option("secret", bool, "For your eyes (and the umpire's) only"),
    )
}


def shared_option(name: str, **changes: Any) -> Option:
    """Return a copy of the shared option `name` with `changes`, such as another description."""
    return replace(SHARED[name], **changes)


def command_with_options(*options: str | Option, kind: Kind = "") -> Callable[[Work], Command]:
    """Return a decorator that makes a slash command of a function, described by the function's docstring.

    A string in `options` names a shared option. `kind` is the command's kind of action.
    """

    def make_command(work: Work) -> Command:
        return build_command(work.__name__, work.__doc__ or "", work, *options, kind=kind)

    return make_command


def build_command(name: str, description: str, work: Work, *options: str | Option, kind: Kind = "") -> Command:
    """Return a slash command that calls `work` with the options that the user gives. See `command_with_options`."""
    declared = [SHARED[option] if isinstance(option, str) else option for option in options]
    by_parameter = {option.parameter.name: option for option in declared}

    async def callback(interaction: Interaction, **values: Any) -> None:
        named_values = {by_parameter[key].name: value for key, value in values.items() if value is not None}
        await work(interaction, named_values)

    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_ONLY)
    callback.__signature__ = inspect.Signature([first, *(option.parameter for option in declared)])  # type: ignore[attr-defined]
    app_commands.describe(**{key: option.description for key, option in by_parameter.items()})(callback)
    app_commands.rename(**{key: option.name for key, option in by_parameter.items() if key != option.name})(callback)
    completers = ((key, option.completer(kind)) for key, option in by_parameter.items())
    app_commands.autocomplete(**{key: complete for key, complete in completers if complete is not None})(callback)
    return app_commands.Command(name=name, description=description, callback=callback)
