"""Checks that a state loaded from outside is consistent and can be played."""

from rules.core.refusal import require_that
from rules.core.tabletop.validation import FAR, check_unit_ids
from rules.empire.model import MACHINE_GUNS, EmpireState, EmpireUnit, Health
from rules.empire.phases import Phase

SIDES = 2
MOST = 1000
"""Maximum number of shots, and of melees, and maximum hits of each shot or melee."""
LONGEST = 200
"""Maximum characters of a unit's conduct result."""


RECORDS = {
    "contacts": (200, ("attacker", "defender")),
    "supports": (200, ("unit", "friend")),
    "bursts": (MOST, ("unit", "target")),
    "shots": (MOST, ("unit", "target")),
    "landed": (MOST, ("unit", "target")),
    "blows": (MOST, ("units", "against")),
    "dooms": (MOST, ("unit", "pursuers")),
}
"""Fields of the state that hold records: the maximum number of records, and their fields with unit ids."""
OF_FIGHTERS = ("contacts", "supports", "bursts")


def check_state(state: EmpireState) -> None:
    """Raise Refused, with the field at fault, if the state contradicts itself."""
    require_that(state.phase in {phase.value for phase in Phase}, "phase", "there is no such phase")
    for unit in state.units.values():
        _check_unit(state, unit)
    sides = {side.id for side in state.sides}
    require_that(len(sides) == SIDES, "sides", "two sides play")
    require_that(state.first in sides, "first", "there is no such side")
    require_that(sides.issuperset((*state.done, *state.initiative)), "done, initiative", "there is no such side")
    goes_on = state.over is not None or bool(state.acting_sides)
    require_that(goes_on, "done", "some side has yet to say that it is through")
    _check_records(state)
    _check_fighters(state)


def _check_unit(state: EmpireState, unit: EmpireUnit) -> None:
    """Raise Refused if the unit contradicts itself or is far off the table."""
    path = f"units.{unit.id}"
    require_that(not unit.jammed or unit.weapon in MACHINE_GUNS, f"{path}.jammed", "only machine guns jam")
    require_that(unit.is_piece or unit.health is Health.WELL, f"{path}.health", "units that fight have kills instead")
    host = state.host(unit)
    rule = "only pieces are attached, to a unit of their own side"
    require_that(host is None or unit.can_attach_to(host), f"{path}.attached_to", rule)
    if unit.reserve is not None:
        arrival = (unit.reserve.x, unit.reserve.y, unit.reserve.facing)
        require_that(all(abs(number) <= FAR for number in arrival), f"{path}.reserve", "it is far off the table")
    now = unit.this_turn
    require_that(len(now.result) <= LONGEST, f"{path}.this_turn.result", f"it has {LONGEST} characters at most")
    measured = (now.allowed or 0.0, now.spent, now.moved, now.turned)
    require_that(all(abs(number) <= FAR for number in measured), f"{path}.this_turn", "no unit goes so many inches")


def _check_records(state: EmpireState) -> None:
    """Raise Refused for too many records, an unknown unit in a record, or an impossible number of hits."""
    for field, (most, unit_fields) in RECORDS.items():
        records = getattr(state, field)
        require_that(len(records) <= most, field, f"there are {most} at most")
        for number, record in enumerate(records):
            path = f"{field}[{number}]"
            values = [getattr(record, name) for name in unit_fields]
            units = [name for value in values for name in (value if isinstance(value, tuple) else (value,))]
            check_unit_ids(state.units, path, units)
            require_that(field != "blows" or all(values), path, "both sides have a unit in it")
            for unit in (state.units[name] for name in units):
                fights = field not in OF_FIGHTERS or (unit.on_table and not unit.is_piece)
                require_that(fights, path, f"“{unit.id}” is not on the table, or does not fight")
            hits = (getattr(record, "hits", 0), getattr(record, "hits_against", 0))
            require_that(min(hits) >= 0 and max(hits) <= MOST, f"{path}.hits", f"from 0 to {MOST}")


def _check_fighters(state: EmpireState) -> None:
    """Raise Refused for contacts or bursts between friends, supports of enemies, and duplicate records."""
    side = {unit.id: unit.side for unit in state.units.values()}
    pairs = [{contact.attacker, contact.defender} for contact in state.contacts]
    for number, contact in enumerate(state.contacts):
        path = f"contacts[{number}]"
        require_that(side[contact.attacker] != side[contact.defender], path, "both are of one side")
        require_that(pairs.count(pairs[number]) == 1, path, "the two are in contact already")
    behind = [support.unit for support in state.supports]
    for number, support in enumerate(state.supports):
        path, friends = f"supports[{number}]", side[support.unit] == side[support.friend]
        require_that(friends and support.unit != support.friend, path, "a unit supports another of its side")
        require_that(behind.count(support.unit) == 1, path, "a unit supports one friend")
    guns = [burst.unit for burst in state.bursts]
    for number, burst in enumerate(state.bursts):
        path, enemies = f"bursts[{number}]", side[burst.unit] != side[burst.target]
        require_that(enemies and state.unit(burst.unit).weapon in MACHINE_GUNS, path, "machine guns aim at enemies")
        require_that(guns.count(burst.unit) == 1, path, "a machine gun aims at one enemy")
        require_that(0 <= burst.range <= FAR, f"{path}.range", "nothing fires so far")
