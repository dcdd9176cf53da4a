"""Whether a general is there to rally a unit (MM-6)."""

from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.magdala.arms import COMMANDERS
from rules.magdala.model import Health, MagdalaState, MagdalaUnit, StoredPrompt, Test
from rules.magdala.stored_prompts import first_prompt

GENERAL = "general"
"""The word for one who is with a unit, where no list names any."""


def may_be_thrown_again(state: MagdalaState, prompt: StoredPrompt) -> bool:
    """Whether an unwounded general is with the unit, or was said to be where no list names any (MM-6)."""
    unit = state.unit(prompt.unit)
    told_of = GENERAL in prompt.circumstances and not _listed(state, unit)
    return told_of or general_with(state, unit) is not None


def check_said(state: MagdalaState, unit: MagdalaUnit, said: tuple[str, ...]) -> None:
    """A general is only said to be there where the table knows of none. Raises Refused."""
    if GENERAL not in said or general_with(state, unit) is not None or not _listed(state, unit):
        return
    names = " and ".join(f"{each.name} ({_whereabouts(unit, each)})" for each in _listed(state, unit))
    raise Refused(f"No unwounded general is with {unit.name}: {names}. Leave out “{GENERAL}”.", Cite(rule="MM-6"))


def in_danger(state: MagdalaState, unit: MagdalaUnit) -> MagdalaUnit | None:
    """The general with a unit while his own risk is still to be thrown for (MM-6)."""
    general = general_with(state, unit)
    return general if general is not None and first_prompt(state, general.id, Test.GENERAL_RISK) else None


def _listed(state: MagdalaState, unit: MagdalaUnit) -> tuple[MagdalaUnit, ...]:
    """The generals of its side's list, wherever they are."""
    return tuple(each for each in state.units.values() if each.side == unit.side and each.troop in COMMANDERS)


def _whereabouts(unit: MagdalaUnit, general: MagdalaUnit) -> str:
    if general.health is not Health.WELL or not general.on_table:
        return general.health.value if general.health is not Health.WELL else general.morale.value
    return "elsewhere" if general.id != unit.general else "with it"


def general_with(state: MagdalaState, unit: MagdalaUnit) -> MagdalaUnit | None:
    """The unwounded general or native commander with a unit."""
    general = state.units.get(unit.general or "")
    fit = general is not None and general.troop in COMMANDERS and general.health is Health.WELL and general.on_table
    return general if fit else None
