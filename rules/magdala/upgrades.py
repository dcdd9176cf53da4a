"""Upgrades of stored games of Magdala to Mafeking: each turns a version into the next."""

from rules.core.upgrades import Data, Upgrade, with_prompts


def _state_2(state: Data) -> Data:
    """Version 2. A game keeps what it was begun under; an attack in the flank may now be one in the rear too."""
    state["options"].setdefault("prone_takes_the_move", False)
    for unit in state["units"].values():
        if unit.pop("melee_flank", False):
            unit["melee_attack"] = "flank"
    return state


def _action_2(kind: str, args: Data) -> tuple[str, Data]:
    """The umpire's correction of an attack in the flank."""
    if kind == "set" and args.get("field") == "melee_flank":
        in_flank = str(args.get("value", "")).strip().casefold() == "yes"
        args |= {"field": "melee_attack", "value": "flank" if in_flank else "front"}
    return kind, args


def _state_3(state: Data) -> Data:
    """Version 3. What a game waits for is called a prompt."""
    state["prompts"] = state.pop("debts", ())
    return state


UPGRADES = (Upgrade(state=_state_2, action=_action_2), Upgrade(state=_state_3, report=with_prompts))
