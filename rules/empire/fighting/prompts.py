"""Melees that are still to be fought in this phase, with the buttons that fight or support them (BE-5)."""

import math
from collections.abc import Iterable

from rules.core.model import UMPIRE
from rules.core.report import Prompt
from rules.core.tabletop import table
from rules.empire.model import Contact, EmpireState
from rules.empire.placement import base

from .contacts import melee_of, open_contacts
from .melee import FIGHT, Melee
from .strokes import MELEE
from .supporting import SUPPORT, SupportMelee

BUTTONS = 12
"""Most offers one melee lists."""


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """One item a melee, whichever of its units are the primaries; it holds up the phase."""
    listed: set[str] = set()
    for each in open_contacts(state):
        if each.attacker in listed:
            continue
        group = melee_of(state, each.attacker)
        listed.update(group)
        yield _melee(state, each, group)


def _melee(state: EmpireState, first: Contact, group: tuple[str, ...]) -> Prompt:
    attacker, defender = state.unit(first.attacker), state.unit(first.defender)
    key = f"melee:{attacker.id}:{defender.id}:{state.turn}"
    side = attacker.side if attacker.side in state.acting else defender.side
    fights = FIGHT.offers(state, _fights(state, group, side), key)
    supports = SUPPORT.offers(state, _supports(state, group), key)
    return Prompt(
        key=key,
        unit=attacker.id,
        side=side,
        text=f"{attacker.name} against {defender.name}: round {first.rounds + 1} of melee",
        cite=MELEE,
        offers=(*fights, *supports)[:BUTTONS],
    )


def _fights(state: EmpireState, group: tuple[str, ...], side: str) -> Iterable[Melee]:
    """One for each pair in contact, which may be the primaries: the side that owes it throws for both."""
    for each in (each for each in state.contacts if each.attacker in group):
        first, other = each.attacker, each.defender
        unit, target = (first, other) if state.unit(first).side == side else (other, first)
        yield Melee(unit=unit, target=target)


def _supports(state: EmpireState, group: tuple[str, ...]) -> Iterable[SupportMelee]:
    """Friends known to stand near enough, behind or beside; where places are unknown `support` names them."""
    for action in SUPPORT.candidates(state, UMPIRE):
        if action.target in group and _behind_or_beside(state, action):
            yield action


def _behind_or_beside(state: EmpireState, action: SupportMelee) -> bool:
    """Whether both have places, and the unit's centre lies no further forward than its friend's front."""
    here, there = (base(state.unit(each or "")) for each in (action.unit, action.target))
    if here is None or there is None:
        return False
    off = math.radians(table.off_bow(there, here.at))
    return table.distance(there.at, here.at) * math.cos(off) <= there.depth / 2 + table.CLOSE
