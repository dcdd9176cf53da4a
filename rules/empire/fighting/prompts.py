"""Melees that are still to be fought in this phase, with the buttons that fight or support them (BE-5)."""

import math
from collections.abc import Iterable

from rules.core.report import Offer, Prompt
from rules.core.tabletop import table
from rules.empire.model import Contact, EmpireState, EmpireUnit
from rules.empire.placement import base

from .contacts import melee_of
from .melee import Melee, open_contacts
from .strokes import MELEE
from .supporting import SupportMelee, open_supports

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
    offers = (*_fights(state, group, side, key), *_supports(state, group, key))
    return Prompt(
        key=key,
        unit=attacker.id,
        side=side,
        text=f"{attacker.name} against {defender.name}: round {first.rounds + 1} of melee",
        cite=MELEE,
        offers=offers[:BUTTONS],
    )


def _fights(state: EmpireState, group: tuple[str, ...], side: str, key: str) -> Iterable[Offer]:
    """One for each pair in contact, which may be the primaries: the side that owes it throws for both."""
    for each in (each for each in state.contacts if each.attacker in group):
        pair = state.unit(each.attacker), state.unit(each.defender)
        unit, target = pair if pair[0].side == side else pair[::-1]
        if unit.side == side:
            yield Offer(
                label=f"Melee: {unit.name} against {target.name}",
                kind=Melee.kind,
                args={"unit": unit.id, "target": target.id},
                side=unit.side,
                key=key,
            )


def _supports(state: EmpireState, group: tuple[str, ...], key: str) -> Iterable[Offer]:
    """Friends known to stand near enough, behind or beside; where places are unknown `support` names them."""
    for each in open_supports(state):
        unit, friend = state.unit(each.unit), state.unit(each.friend)
        if friend.id in group and _behind_or_beside(unit, friend):
            yield Offer(
                label=f"Support: {friend.name} with {unit.name}",
                kind=SupportMelee.kind,
                args={"unit": unit.id, "target": friend.id},
                side=unit.side,
                key=key,
            )


def _behind_or_beside(unit: EmpireUnit, friend: EmpireUnit) -> bool:
    """Whether both have places, and the unit's centre lies no further forward than its friend's front."""
    here, there = base(unit), base(friend)
    if here is None or there is None:
        return False
    off = math.radians(table.off_bow(there, here.at))
    return table.distance(there.at, here.at) * math.cos(off) <= there.depth / 2 + table.CLOSE
