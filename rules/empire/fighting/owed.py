"""Melees that are still to be fought in this phase, with the buttons that fight or support them (BE-5)."""

from collections.abc import Iterable

from rules.core.report import Offer, Owed
from rules.empire.model import Contact, EmpireState

from .contacts import melee_of
from .melee import Melee, open_contacts
from .strokes import MELEE
from .supporting import SupportMelee, open_supports

BUTTONS = 12
"""Most offers one melee lists."""


def owed(state: EmpireState) -> Iterable[Owed]:
    """One item a melee, whichever of its units are the primaries; it holds up the phase."""
    listed: set[str] = set()
    for each in open_contacts(state):
        if each.attacker in listed:
            continue
        group = melee_of(state, each.attacker)
        listed.update(group)
        yield _melee(state, each, group)


def _melee(state: EmpireState, first: Contact, group: tuple[str, ...]) -> Owed:
    attacker, defender = state.unit(first.attacker), state.unit(first.defender)
    key = f"melee:{attacker.id}:{defender.id}:{state.turn}"
    offers = (*_fights(state, group, key), *_supports(state, group, key))
    return Owed(
        key=key,
        unit=attacker.id,
        side=attacker.side if attacker.side in state.acting else defender.side,
        text=f"{attacker.name} against {defender.name}: round {first.rounds + 1} of melee",
        cite=MELEE,
        offers=offers[:BUTTONS],
    )


def _fights(state: EmpireState, group: tuple[str, ...], key: str) -> Iterable[Offer]:
    """Either side throws for both; the attackers are offered it first."""
    contacts = [each for each in state.contacts if each.attacker in group]
    attacks = [(each.attacker, each.defender) for each in contacts]
    for pair in (*attacks, *((defender, attacker) for attacker, defender in attacks)):
        unit, target = map(state.unit, pair)
        if unit.side in state.acting:
            yield Offer(
                label=f"Melee: {unit.name} against {target.name}",
                kind=Melee.kind,
                args={"unit": unit.id, "target": target.id},
                side=unit.side,
                key=key,
            )


def _supports(state: EmpireState, group: tuple[str, ...], key: str) -> Iterable[Offer]:
    """Friends known to stand near enough; where places are unknown `support` names them."""
    for each in open_supports(state):
        unit, friend = state.unit(each.unit), state.unit(each.friend)
        if friend.id in group and unit.place is not None and friend.place is not None:
            yield Offer(
                label=f"Support: {unit.name} behind {friend.name}",
                kind=SupportMelee.kind,
                args={"unit": unit.id, "target": friend.id},
                side=unit.side,
                key=key,
            )
