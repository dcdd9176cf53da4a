"""Types that options of many commands have in common."""

from typing import TypeAlias

from discord import app_commands

Name: TypeAlias = app_commands.Range[str, 1, 100]
"""The name of a unit, side, rule system or troop."""
Words: TypeAlias = app_commands.Range[str, 1, 200]
"""A value or a list of circumstances."""
