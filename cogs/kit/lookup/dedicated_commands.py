"""Which kinds of action have a command of their own: what `/do` leaves to them, and `/odds` offers first."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from discord import app_commands

from cogs.kit.interaction import Interaction

C = TypeVar("C", bound=app_commands.Command[Any, ..., Any])

KIND = "kind"
"""In `extras` of a command: the kinds of action it does."""


def does(*kinds: str) -> Callable[[C], C]:
    """Marks a command as that of these kinds of action."""

    def decorate(command: C) -> C:
        command.extras[KIND] = kinds
        return command

    return decorate


def own_commands(interaction: Interaction) -> Mapping[str, str]:
    """Kinds of action by the names of their commands: `{"detach": "/unit detach"}`."""
    found: dict[str, str] = {}
    for command in interaction.client.tree.walk_commands():
        for kind in command.extras.get(KIND, ()):
            found.setdefault(kind, f"/{command.qualified_name}")
    return found
