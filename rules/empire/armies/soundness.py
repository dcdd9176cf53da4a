"""Whether a state from outside hangs together: what it refers to exists, and its table can be played on."""

from collections.abc import Iterable

from rules.core.soundness import must
from rules.core.tabletop.soundness import FAR, check_known
from rules.empire.model import MACHINE_GUNS, EmpireState, EmpireUnit, Health
from rules.empire.phases import Phase

SIDES = 2
MOST = 1000
"""Of anything that is thrown, and of hits."""
LONGEST = 200
"""Characters of the result of a unit's conduct."""
LISTED = {"contacts": 200, "supports": 200, **dict.fromkeys(("bursts", "shots", "blows", "dooms", "landed"), MOST)}


def check(state: EmpireState) -> None:
    """Raises Refused with the place of what contradicts itself."""
    must(state.phase in {phase.value for phase in Phase}, "phase", "there is no such phase")
    for unit in state.units.values():
        _check_unit(state, unit)
    sides = {side.id for side in state.sides}
    must(len(sides) == SIDES, "sides", "two sides play")
    must(state.first in sides, "first", "there is no such side")
    must(sides.issuperset((*state.done, *state.initiative)), "done, initiative", "there is no such side")
    must(state.over is not None or bool(state.acting), "done", "some side has yet to say that it is through")
    for field, most in LISTED.items():
        must(len(getattr(state, field)) <= most, field, f"there are {most} at most")
    _check_contacts(state)
    _check_fire(state)
    _check_blows(state)


def _check_unit(state: EmpireState, unit: EmpireUnit) -> None:
    where = f"units.{unit.id}"
    must(not unit.jammed or unit.weapon in MACHINE_GUNS, f"{where}.jammed", "only machine guns jam")
    must(unit.is_piece or unit.health is Health.WELL, f"{where}.health", "units that fight have kills instead")
    host = state.units.get(unit.attached_to or "")
    if host is not None:
        fits = unit.is_piece and not host.is_piece and host.side == unit.side
        must(fits, f"{where}.attached_to", "only pieces are attached, to a unit of their own side")
    if unit.reserve is not None:
        arrival = (unit.reserve.x, unit.reserve.y, unit.reserve.facing)
        must(all(abs(number) <= FAR for number in arrival), f"{where}.reserve", "it is far off the table")
    now = unit.this_turn
    must(len(now.result) <= LONGEST, f"{where}.this_turn.result", f"it has {LONGEST} characters at most")
    measured = (now.allowed or 0.0, now.spent, now.moved, now.turned)
    must(all(abs(number) <= FAR for number in measured), f"{where}.this_turn", "no unit goes so many inches")


def _check_contacts(state: EmpireState) -> None:
    """Enemies touch, each pair once; friends support."""
    pairs = [frozenset((each.attacker, each.defender)) for each in state.contacts]
    for number, each in enumerate(state.contacts):
        where = f"contacts[{number}]"
        attacker, defender = _fighters(state, where, (each.attacker, each.defender))
        must(attacker.side != defender.side, where, "both are of one side")
        must(pairs.count(pairs[number]) == 1, where, "the two are in contact already")
    behind = [support.unit for support in state.supports]
    for number, support in enumerate(state.supports):
        where = f"supports[{number}]"
        unit, friend = _fighters(state, where, (support.unit, support.friend))
        must(unit.side == friend.side and unit.id != friend.id, where, "a unit supports another of its side")
        must(behind.count(unit.id) == 1, where, "a unit supports one friend")


def _check_fire(state: EmpireState) -> None:
    guns = [burst.unit for burst in state.bursts]
    for number, burst in enumerate(state.bursts):
        where = f"bursts[{number}]"
        gun, target = _fighters(state, where, (burst.unit, burst.target))
        must(gun.weapon in MACHINE_GUNS and gun.side != target.side, where, "machine guns aim at enemies")
        must(guns.count(gun.id) == 1, where, "a machine gun aims at one enemy")
        must(0 <= burst.range <= FAR, f"bursts[{number}].range", "nothing fires so far")
    for field in ("shots", "landed"):
        for number, shot in enumerate(getattr(state, field)):
            check_known(state.units, f"{field}[{number}]", (shot.unit, shot.target))
            must(0 <= shot.hits <= MOST, f"{field}[{number}].hits", f"from 0 to {MOST}")


def _check_blows(state: EmpireState) -> None:
    for number, blows in enumerate(state.blows):
        where = f"blows[{number}]"
        must(bool(blows.units) and bool(blows.against), where, "both sides have a unit in it")
        check_known(state.units, where, (*blows.units, *blows.against))
        must(all(0 <= hits <= MOST for hits in (blows.hits, blows.hits_against)), where, f"hits are 0 to {MOST}")
    for number, doom in enumerate(state.dooms):
        check_known(state.units, f"dooms[{number}]", (doom.unit, *doom.pursuers))


def _fighters(state: EmpireState, where: str, names: Iterable[str]) -> tuple[EmpireUnit, ...]:
    """The units of these ids, which are on the table and fight. Raises Refused."""
    found = tuple(names)
    check_known(state.units, where, found)
    units = tuple(state.units[name] for name in found)
    for unit in units:
        must(unit.on_table and not unit.is_piece, where, f"“{unit.id}” is not on the table, or does not fight")
    return units
