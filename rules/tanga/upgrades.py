"""Upgrades of stored games of Tanga 1914, one version at a time."""

from collections.abc import Callable

from rules.core.old_reports import add_step_fields
from rules.core.upgrades import Data, Upgrade, rename_owed_to_prompts, turn_off_throw_at_once

NO_THROW_LIMIT = 36
"""Value of option `entry_throws` for old games, which had no limit of throws."""

STIRRED, ACTED = "stirred", "acted"
"""Name of the field for a unit that moved, fired, fought or built this turn: before version 6, and since then."""


def _upgrade_inner_state_too(step: Callable[[Data], Data]) -> Callable[[Data], Data]:
    """Return an upgrade step that also upgrades `before_last`, the state stored inside a state.

    The inner state takes the outer state's options.
    """

    def upgrade(state: Data) -> Data:
        if (before := state.get("before_last")) is not None:
            state["before_last"] = upgrade({**before, "options": dict(state["options"])})
        return step(state)

    return upgrade


def _upgrade_state_to_2(state: Data) -> Data:
    """Upgrade a state to version 2: store the option values of old games, and drop `schema_version`."""
    state.pop("schema_version", None)
    state["options"].setdefault("entry_throws", NO_THROW_LIMIT)
    state["options"].setdefault("begins_melee", 0)
    return state


def _upgrade_state_to_6(state: Data) -> Data:
    """Upgrade a state to version 6: rename the field for units that have acted."""
    for unit in state["units"].values():
        if STIRRED in unit:
            unit[ACTED] = unit.pop(STIRRED)
    return state


def _upgrade_action_to_6(kind: str, args: Data) -> tuple[str, Data]:
    """Upgrade an action to version 6: rename the field for units that have acted."""
    return kind, {**args, "field": ACTED} if args.get("field") == STIRRED else args


MARCHES_TOWARDS, BEFORE_THE_RULE = "towards ", " ("


def _upgrade_state_to_10(state: Data) -> Data:
    """Upgrade a state to version 10: split a march's `why` into the fields `aim`, `why` and `rule`."""
    if (march := (state.get("british") or {}).get("march")) is not None:
        why, _, rule = march.get("why", "").rpartition(BEFORE_THE_RULE)
        aim = why.removeprefix(MARCHES_TOWARDS) if why.startswith(MARCHES_TOWARDS) else ""
        march.update(aim=aim, why="" if aim else why, rule=rule.removesuffix(")"))
    return state


UPGRADES = (
    Upgrade(state=_upgrade_inner_state_too(_upgrade_state_to_2)),
    Upgrade(report=rename_owed_to_prompts),
    Upgrade(state=_upgrade_inner_state_too(turn_off_throw_at_once)),
    Upgrade(),  # a player's own map may use further grounds
    Upgrade(state=_upgrade_inner_state_too(_upgrade_state_to_6), action=_upgrade_action_to_6),
    Upgrade(),  # hidden throws are numbered separately
    Upgrade(),  # the umpire's questions to a die are actions
    Upgrade(report=add_step_fields),
    Upgrade(state=_upgrade_inner_state_too(_upgrade_state_to_10)),
    Upgrade(),  # prompts name their occasion
    Upgrade(),  # a player's own map may use further grounds
)
