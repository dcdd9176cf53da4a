"""Upgrades of stored games of Tanga 1914: each turns a version into the next."""

from collections.abc import Callable

from rules.core.upgrades import Data, Upgrade, thrown_by_press, with_prompts

FOR_EVER = 36
"""The most throws for a hex of entry that the option takes, for games in which they had no end."""

STIRRED, ACTED = "stirred", "acted"
"""What a unit's having moved, fired, fought or built this turn was called until version 6, and is called since."""


def _also_before_last(step: Callable[[Data], Data]) -> Callable[[Data], Data]:
    """The step done to the state before the last decision of the British too, which a state carries with it.

    Both have the same options, and those of the state itself are all written.
    """

    def both(state: Data) -> Data:
        if (before := state.get("before_last")) is not None:
            state["before_last"] = both({**before, "options": dict(state["options"])})
        return step(state)

    return both


def _state_2(state: Data) -> Data:
    """Version 2. A game keeps what it was begun under; the state before the last decision names no version."""
    state.pop("schema_version", None)
    state["options"].setdefault("entry_throws", FOR_EVER)
    state["options"].setdefault("begins_melee", 0)
    return state


def _state_6(state: Data) -> Data:
    """Version 6. What a unit has done this turn that keeps it from building has a plainer name."""
    for unit in state["units"].values():
        if STIRRED in unit:
            unit[ACTED] = unit.pop(STIRRED)
    return state


def _action_6(kind: str, args: Data) -> tuple[str, Data]:
    return kind, {**args, "field": ACTED} if args.get("field") == STIRRED else args


UPGRADES = (
    Upgrade(state=_also_before_last(_state_2)),
    Upgrade(report=with_prompts),
    Upgrade(state=_also_before_last(thrown_by_press)),
    Upgrade(),  # maps of a player's own may have further grounds
    Upgrade(state=_also_before_last(_state_6), action=_action_6),
    Upgrade(),  # hidden throws are counted by themselves
    Upgrade(),  # the umpire's questions to a die are actions
)
