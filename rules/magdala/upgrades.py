"""Upgrades of stored games of Magdala to Mafeking: the first turns version 1 into version 2."""

from rules.core.upgrades import Data, Upgrade


def _state_2(state: Data) -> Data:
    """Version 2."""
    return state


UPGRADES = (Upgrade(state=_state_2),)
