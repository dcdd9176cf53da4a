"""How it stands with a unit: held, in flight, on its supports, seen to go, its general with it (MM-5, MM-6)."""

from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.magdala.arms import COMMANDERS, is_fighter
from rules.magdala.engagement import engaged
from rules.magdala.model import Health, MagdalaState, MagdalaUnit, Morale, StoredPrompt
from rules.magdala.placement import nearest_enemy_gap
from rules.magdala.tables import limit

FLEEING = (Morale.RETREATING, Morale.ROUTED)
HELD = (Morale.PINNED, Morale.HALTED)
GONE_OR_GOING = (*FLEEING, Morale.PURSUING, Morale.OFF_TABLE)
GENERAL = "general"
"""The word for one who is with a unit, where no list names any."""


def formed_friends(state: MagdalaState, unit: MagdalaUnit) -> tuple[MagdalaUnit, ...]:
    """Its friends that can fight, and neither flee nor pursue."""
    friends = (friend for friend in state.of_side(unit.side) if friend.id != unit.id)
    return tuple(friend for friend in friends if is_fighter(friend) and friend.morale not in GONE_OR_GOING)


def who_may_see(state: MagdalaState, fugitive: MagdalaUnit) -> tuple[MagdalaUnit, ...]:
    """Friends its flight may shake: fellow countrymen, or anyone if it is European; none twice, none in flight."""
    friends = (friend for friend in formed_friends(state, fugitive) if friend.id not in fugitive.flight_seen_by)
    return tuple(friend for friend in friends if fugitive.european or friend.nation is fugitive.nation)


def supports(state: MagdalaState, unit: MagdalaUnit) -> tuple[MagdalaUnit, ...]:
    """Formed friends to fall back on (ruling): no nearer the enemy than the unit; a detachment's parent always."""
    free = (friend for friend in formed_friends(state, unit) if not friend.half_strength)
    formed = tuple(friend for friend in free if not engaged(state, friend))
    parent = tuple(friend for friend in formed if friend.id == unit.parent)
    own = nearest_enemy_gap(state, unit)
    if parent or own is None:
        return parent or formed
    return tuple(f for f in formed if (far := nearest_enemy_gap(state, f)) is not None and far >= own)


def has_supports(state: MagdalaState, unit: MagdalaUnit) -> bool:
    """Whether a unit at half strength falls back on supports: regulars and detachments that have any (MM-5.9)."""
    return (unit.regular or unit.is_detachment) and bool(supports(state, unit))


def cause(unit: MagdalaUnit) -> Cite:
    """The rule by which a unit flees or pursues (MM-4.6, MM-5.7 to MM-5.10)."""
    if unit.morale is Morale.PURSUING:
        return Cite(rule="MM-4.6")
    if unit.morale is Morale.ROUTED:
        twice = unit.retreats_in_a_row >= limit("retreats in a row that are a rout")
        return Cite(rule="MM-5.10" if twice else "MM-5.8")
    if unit.retreats_in_a_row and not unit.leaving:
        return Cite(rule="MM-5.10")
    return Cite(rule="MM-5.9" if unit.leaving or unit.half_strength else "MM-5.7")


def general_with(state: MagdalaState, unit: MagdalaUnit) -> MagdalaUnit | None:
    """The unwounded general or native commander with a unit."""
    general = state.units.get(unit.general or "")
    fit = general is not None and general.troop in COMMANDERS and general.health is Health.WELL and general.on_table
    return general if fit else None


def may_be_thrown_again(state: MagdalaState, prompt: StoredPrompt) -> bool:
    """Whether an unwounded general is with the unit, or was said to be where no list names any (MM-6)."""
    unit = state.unit(prompt.unit)
    told_of = GENERAL in prompt.circumstances and not _listed(state, unit)
    return told_of or general_with(state, unit) is not None


def check_said(state: MagdalaState, unit: MagdalaUnit, said: tuple[str, ...]) -> None:
    """A general is only said to be there where the table knows of none. Raises Refused."""
    if GENERAL in said and general_with(state, unit) is None and (listed := _listed(state, unit)):
        names = " and ".join(f"{each.name} ({_whereabouts(each)})" for each in listed)
        raise Refused(f"No unwounded general is with {unit.name}: {names}. Leave out “{GENERAL}”.", Cite(rule="MM-6"))


def _listed(state: MagdalaState, unit: MagdalaUnit) -> tuple[MagdalaUnit, ...]:
    """The generals of its side's list, wherever they are."""
    return tuple(each for each in state.units.values() if each.side == unit.side and each.troop in COMMANDERS)


def _whereabouts(general: MagdalaUnit) -> str:
    if general.health is not Health.WELL:
        return general.health.value
    return "elsewhere" if general.on_table else general.morale.value
