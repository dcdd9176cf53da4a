"""A melee asked about without a game: two units that have met, as the words say they are (BE-5)."""

from collections.abc import Mapping
from typing import Any

from rules.core.asking import only
from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.empire.asked import OURS, THEIRS, fighter, throwaway
from rules.empire.model import Arm, Bayonets, Contact, Defence, EmpireState, EmpireUnit, Formation, Support
from rules.empire.orders import remembering
from rules.empire.phases import Phase

from .strokes import MELEE

UNIT, TARGET = "unit", "target"
FLANK, FLANKED, LATER_ROUND = "flank", "flanked", "later round"
OBSTACLE, TERRAIN, BAYONETS = "defending an obstacle", "defending terrain", "fixed bayonets"

FORMATIONS = {
    "in column": Formation.COLUMN,
    "massed in depth": Formation.DEEP,
    "in mass": Formation.MASSED,
    "skirmishing": Formation.SKIRMISH,
    "in square": Formation.SQUARE,
}
DEFENCES = {OBSTACLE: Defence.OBSTACLE, TERRAIN: Defence.TERRAIN}
SUPPORTS = {"one support": 1, "two supports": 2, "three supports": 3}
OF_THE_OPPONENT = {
    "opponent in column": "in column",
    "opponent massed in depth": "massed in depth",
    "massed opponent": "in mass",
    "skirmishing opponent": "skirmishing",
    "opponent in square": "in square",
    "opponent defending an obstacle": OBSTACLE,
    "opponent defending terrain": TERRAIN,
    "opponent with fixed bayonets": BAYONETS,
    "opponent with one support": "one support",
    "opponent with two supports": "two supports",
    "opponent with three supports": "three supports",
    "fanatic opponent": "fanatic charge",
    "shaken opponent": "shaken",
}
"""What is said of the enemy, as it is said of the unit itself."""
OWN = tuple(OF_THE_OPPONENT.values())
WORDS = (LATER_ROUND, FLANK, FLANKED, *OWN, *OF_THE_OPPONENT)
NEEDS = ("troop", "against")


def table(given: Mapping[str, Any], words: tuple[str, ...]) -> EmpireState:
    """The table of a question. Raises Refused on what is missing or does not go together."""
    _check(given)
    own, theirs = _whose(words)
    unit = _unit(given, "troop", UNIT, OURS, own)
    target = _unit(given, "against", TARGET, THEIRS, theirs)
    behind = (*_supports(unit, own), *_supports(target, theirs))
    return throwaway(
        Phase.MELEE,
        unit,
        target,
        *behind,
        contacts=(_contact(words, own),),
        supports=tuple(Support(unit=each.id, friend=UNIT if each.side == OURS else TARGET) for each in behind),
    )


def _check(given: Mapping[str, Any]) -> None:
    if "figures" in given or "against_figures" in given:
        raise Refused("Dice of melee do not depend on figures or stands. Leave the number out.", MELEE)
    only("melee", given, NEEDS)
    if "troop" not in given:
        raise Refused("Say which troops: melee needs “troop”, as “British regulars”.", MELEE)
    if "against" not in given:
        raise Refused("Say against whom: melee needs “against”, as “Zulu impi”.", MELEE)


def _whose(words: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """What is said of the unit, and of the enemy in the same words."""
    own = frozenset(word for word in words if word in OWN)
    return own, frozenset(OF_THE_OPPONENT[word] for word in words if word in OF_THE_OPPONENT)


def _unit(given: Mapping[str, Any], name: str, unit_id: str, side: str, said: frozenset[str]) -> EmpireUnit:
    """The troops named, as they are said to be. Raises Refused on words that cannot be true of them."""
    unit = fighter(str(given[name]), unit_id, side)
    if unit_id == TARGET:
        unit = unit.model_copy(update={"name": f"{unit.name} (opponent)"}) if _alike(given) else unit
    formation, defence = (_one_of(said, each) for each in (FORMATIONS, DEFENCES))
    if BAYONETS in said and unit.bayonets is Bayonets.NONE:
        raise Refused(f"{unit.name}: there are no bayonets to fix. Leave “{BAYONETS}” out.", Cite(rule="BE-1"))
    if formation is not None and unit.is_crew:
        raise Refused(f"{unit.name}: crews keep to their guns. Leave “{formation}” out.", MELEE)
    if formation == "in square" and unit.arm is not Arm.FOOT:
        raise Refused(f"{unit.name}: only foot forms square. Leave “{formation}” out.", MELEE)
    changes = {
        "formation": FORMATIONS[formation] if formation else unit.formation,
        "defending": DEFENCES[defence] if defence else unit.defending,
        "bayonets": Bayonets.FIXED if BAYONETS in said else unit.bayonets,
        "shaken": "shaken" in said,
    }
    return remembering(unit.model_copy(update=changes), fanatic="fanatic charge" in said)


def _alike(given: Mapping[str, Any]) -> bool:
    return fighter(str(given["troop"])).name == fighter(str(given["against"])).name


def _one_of(said: frozenset[str], group: Mapping[str, object]) -> str | None:
    """The word of a group that was said."""
    return next((word for word in group if word in said), None)


def _supports(unit: EmpireUnit, said: frozenset[str]) -> tuple[EmpireUnit, ...]:
    """Units like the primary, unshaken, that support it."""
    word = _one_of(said, SUPPORTS)
    fresh = {"shaken": False, "defending": Defence.NOTHING}
    return tuple(
        unit.model_copy(update={**fresh, "id": f"{unit.id}-{number}", "name": f"{unit.name} (support {number})"})
        for number in range(1, (SUPPORTS[word] if word else 0) + 1)
    )


def _contact(words: tuple[str, ...], own: frozenset[str]) -> Contact:
    """Who charged: the unit, unless it is flanked or defends something; in the first round, unless a later is said."""
    charged = FLANKED in words or bool(own & {*DEFENCES})
    flank = FLANK in words or FLANKED in words
    attacker, defender = (TARGET, UNIT) if charged else (UNIT, TARGET)
    return Contact(attacker=attacker, defender=defender, flank=flank, rounds=int(LATER_ROUND in words))
