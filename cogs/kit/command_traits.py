"""Facts about commands: where Discord offers them, their kinds of action, and whether they only look something up."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypedDict, TypeVar, cast

import discord
from discord import app_commands

Command: TypeAlias = app_commands.Command[Any, ..., Any]
C = TypeVar("C", bound=Command)
T = TypeVar("T")


class CommandExtras(TypedDict, total=False):
    """The keys that the bot stores in the `extras` of a discord.py command."""

    kinds: tuple[str, ...]
    """The kinds of action that the command carries out."""
    looks_up: bool
    """Whether the command only looks something up."""


def command_extras(command: Command) -> CommandExtras:
    """Return the command's own dictionary of extras. The caller may change the dictionary."""
    return cast(CommandExtras, command.extras)


def mark_action_kinds(*kinds: str) -> Callable[[C], C]:
    """Return a decorator that notes which kinds of action a command carries out."""

    def mark_command(command: C) -> C:
        command_extras(command)["kinds"] = kinds
        return command

    return mark_command


def mark_as_look_up(command: C) -> C:
    """Mark a command as one that only looks something up. The bot acknowledges a look-up sooner."""
    command_extras(command)["looks_up"] = True
    return command


def is_look_up(command: Command | app_commands.ContextMenu | None) -> bool:
    """Whether the command only looks something up."""
    return isinstance(command, app_commands.Command) and command_extras(command).get("looks_up", False)


def commands_by_kind(interaction: discord.Interaction[Any]) -> Mapping[str, str]:
    """Return the name of the command for each kind of action: `{"detach": "/unit detach"}`."""
    commands: dict[str, str] = {}
    for command in interaction.client.tree.walk_commands():
        for kind in command_extras(command).get("kinds", ()) if isinstance(command, app_commands.Command) else ():
            commands.setdefault(kind, f"/{command.qualified_name}")
    return commands


def offer_in_servers(command: T) -> T:
    """Offer a command only in channels and threads of servers that the bot has joined, where games are played."""
    return _offer_command(command, users=False)


def offer_everywhere(command: T) -> T:
    """Offer a command also in direct messages, and to users who installed the app for themselves."""
    return _offer_command(command, users=True)


def _offer_command(command: T, *, users: bool) -> T:
    allow_installs = app_commands.allowed_installs(guilds=True, users=users)
    allow_contexts = app_commands.allowed_contexts(guilds=True, dms=users, private_channels=users)
    return allow_contexts(allow_installs(command))
