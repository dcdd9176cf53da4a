"""Melees that are still to be fought in this phase, with the buttons that fight or support them (BE-5)."""

import math
from collections.abc import Iterable

from rules.core.report import Prompt
from rules.core.tabletop import table
from rules.empire.model import Contact, EmpireState
from rules.empire.placement import base

from .contacts import melee_of, open_melees
from .engagement import MELEE
from .melee import FIGHT, Melee
from .supporting import SUPPORT, SupportMelee

BUTTONS = 12
"""Most offers one melee lists."""


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """One item a melee, whichever of its units are the primaries; it holds up the phase."""
    listed: set[str] = set()
    for each in open_melees(state):
        if each.attacker not in listed:
            group = melee_of(state, each.attacker)
            listed.update(group)
            yield _melee(state, each, group)


def _melee(state: EmpireState, first: Contact, group: tuple[str, ...]) -> Prompt:
    """The side that owes it throws for both, with any pair in contact as primaries."""
    attacker, defender = state.unit(first.attacker), state.unit(first.defender)
    key = f"melee:{attacker.id}:{defender.id}:{state.turn}"
    side = attacker.side if attacker.side in state.acting else defender.side
    pairs = [(each.attacker, each.defender) for each in state.contacts if each.attacker in group]
    ours = (pair if state.unit(pair[0]).side == side else pair[::-1] for pair in pairs)
    fights = FIGHT.offers(state, (Melee(unit=unit, target=target) for unit, target in ours), key)
    near = (each for each in SUPPORT.thinkable(state) if each.target in group and _is_near(state, each))
    return Prompt(
        key=key,
        unit=attacker.id,
        side=side,
        text=f"{attacker.name} against {defender.name}: round {first.rounds + 1} of melee",
        cite=MELEE,
        offers=(*fights, *SUPPORT.offers(state, near, key))[:BUTTONS],
    )


def _is_near(state: EmpireState, action: SupportMelee) -> bool:
    """Whether both have places, and the unit's centre lies no further forward than its friend's front.

    Where places are unknown nobody is offered: `support` names them.
    """
    here, there = (base(state.unit(each or "")) for each in (action.unit, action.target))
    if here is None or there is None:
        return False
    off = math.radians(table.off_bow(there, here.at))
    return table.distance(there.at, here.at) * math.cos(off) <= there.depth / 2 + table.CLOSE
