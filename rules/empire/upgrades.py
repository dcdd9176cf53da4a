"""Upgrades of stored games of Battles for Empire: each turns a version into the next."""

from rules.core.upgrades import Data, Upgrade, with_prompts

AS_BEFORE = {
    "theatre_names_nations": False,
    "gave_way_in_4a_alone": False,
    "dice_of_each_gun": False,
    "dice_of_each_machine_gun": False,
}
"""Options new in version 2, so that a game goes on by the rules it was begun under."""


def _state_2(state: Data) -> Data:
    """Version 2. What called itself version 1 has two forms: the earlier remembered more, which nobody read."""
    state.pop("events", None)
    state["options"] = {**AS_BEFORE, **state["options"]}
    for unit in state["units"].values():
        unit["this_turn"].pop("arrival_thrown", None)
        unit["this_turn"].pop("changed", None)
    return state


UPGRADES = (Upgrade(state=_state_2), Upgrade(report=with_prompts))
