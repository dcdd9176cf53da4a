"""A melee asked about without a game: two units that have met, as the words say they are (BE-5)."""

from collections.abc import Iterable, Mapping
from typing import Any

from rules.core.asking import OURS, THEIRS
from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.empire.asked import fighter, throwaway
from rules.empire.model import Arm, Bayonets, Contact, Defence, EmpireState, EmpireUnit, Formation, Support
from rules.empire.orders import as_said
from rules.empire.phases import Phase

from .engagement import FLANK, MELEE

UNIT, TARGET = "unit", "target"
FLANKED, LATER_ROUND = "flanked", "later round"
BAYONETS, IN_SQUARE = "fixed bayonets", "in square"
DEFENCES = {
    "defending an obstacle": {"defending": Defence.OBSTACLE},
    "defending terrain": {"defending": Defence.TERRAIN},
}
FORMATIONS = {
    "in column": {"formation": Formation.COLUMN},
    "massed in depth": {"formation": Formation.DEEP},
    "in mass": {"formation": Formation.MASSED},
    "skirmishing": {"formation": Formation.SKIRMISH},
    IN_SQUARE: {"formation": Formation.SQUARE},
}
MEANINGS: Mapping[str, Mapping[str, object]] = {
    **FORMATIONS,
    **DEFENCES,
    BAYONETS: {"bayonets": Bayonets.FIXED},
    "fanatic charge": {"fanatic": True},
    "shaken": {"shaken": True},
}
SUPPORTS = {"one support": 1, "two supports": 2, "three supports": 3}
OF_THE_OPPONENT = {
    "opponent in column": "in column",
    "opponent massed in depth": "massed in depth",
    "massed opponent": "in mass",
    "skirmishing opponent": "skirmishing",
    "fanatic opponent": "fanatic charge",
    "shaken opponent": "shaken",
    **{f"opponent {word}": word for word in (IN_SQUARE, *DEFENCES)},
    **{f"opponent with {word}": word for word in (BAYONETS, *SUPPORTS)},
}
"""What is said of the enemy, as it is said of the unit itself."""
WORDS = (LATER_ROUND, FLANK, FLANKED, *OF_THE_OPPONENT.values(), *OF_THE_OPPONENT)
NEEDS = ("troop", "against")


def table(given: Mapping[str, Any], words: tuple[str, ...]) -> EmpireState:
    """The table of a question. Raises Refused on what is missing or does not go together."""
    ours = fighter(str(given["troop"]), UNIT, OURS)
    if "against" not in given:
        raise Refused("Say against whom: melee needs “against”, as “Zulu impi”.", MELEE)
    theirs = fighter(str(given["against"]), TARGET, THEIRS)
    if theirs.name == ours.name:
        theirs = theirs.model_copy(update={"name": f"{theirs.name} (opponent)"})
    opposite = tuple(OF_THE_OPPONENT[word] for word in words if word in OF_THE_OPPONENT)
    units = (*_line(ours, words), *_line(theirs, opposite))
    behind = (each for each in units if each.id not in (UNIT, TARGET))
    supports = (Support(unit=each.id, friend=UNIT if each.side == OURS else TARGET) for each in behind)
    return throwaway(Phase.MELEE, *units, contacts=(_contact(words),), supports=tuple(supports))


def _line(unit: EmpireUnit, words: tuple[str, ...]) -> Iterable[EmpireUnit]:
    """The unit as it is said to be, and unshaken ones like it that support it. Raises Refused on what cannot be."""
    if BAYONETS in words and unit.bayonets is Bayonets.NONE:
        raise Refused(f"{unit.name}: there are no bayonets to fix. Leave “{BAYONETS}” out.", Cite(rule="BE-1"))
    formation = next((word for word in words if word in FORMATIONS), None)
    if formation and unit.is_crew:
        raise Refused(f"{unit.name}: crews keep to their guns. Leave “{formation}” out.", MELEE)
    if formation == IN_SQUARE and unit.arm is not Arm.FOOT:
        raise Refused(f"{unit.name}: only foot forms square. Leave “{formation}” out.", MELEE)
    unit = as_said(unit, words, MEANINGS)
    yield unit
    for number in range(1, max((SUPPORTS.get(word, 0) for word in words), default=0) + 1):
        own = {"id": f"{unit.id}-{number}", "name": f"{unit.name} (support {number})"}
        yield unit.model_copy(update={**own, "shaken": False, "defending": Defence.NOTHING})


def _contact(words: tuple[str, ...]) -> Contact:
    """Who charged: the unit, unless it is flanked or defends something; in the first round, unless a later is said."""
    charged = FLANKED in words or any(word in DEFENCES for word in words)
    attacker, defender = (TARGET, UNIT) if charged else (UNIT, TARGET)
    flank = FLANK in words or FLANKED in words
    return Contact(attacker=attacker, defender=defender, flank=flank, rounds=int(LATER_ROUND in words))
