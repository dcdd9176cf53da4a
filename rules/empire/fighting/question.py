"""A melee asked about without a game: two units that have met, as the words say they are (BE-5)."""

from collections.abc import Iterable, Mapping
from typing import Any

from rules.core.asking import OURS, THEIRS
from rules.core.circumstances import meanings
from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.empire.model import Arm, Bayonets, Contact, Defence, EmpireState, EmpireUnit, Formation, Support
from rules.empire.orders import as_said, fighter, throwaway
from rules.empire.phases import Phase

from .engagement import FLANK, MELEE, NO_FLANK

UNIT, TARGET = "unit", "target"
MEANINGS = meanings("rules.empire", "melee_circumstances.toml")
OF_UNIT, OF_OPPONENT = MEANINGS["melee"], MEANINGS["opponent"]
SUPPORTS = ("one support", "two supports", "three supports")
WORDS = tuple(word for word in (*OF_UNIT, *OF_OPPONENT) if word != NO_FLANK)
NEEDS = ("troop", "against")


def table(given: Mapping[str, Any], words: tuple[str, ...]) -> EmpireState:
    """The table of a question. Raises Refused on what is missing or does not go together."""
    ours = fighter(str(given["troop"]), UNIT, OURS)
    if "against" not in given:
        raise Refused("Say against whom: melee needs “against”, as “Zulu impi”.", MELEE)
    theirs = fighter(str(given["against"]), TARGET, THEIRS)
    if theirs.name == ours.name:
        theirs = theirs.model_copy(update={"name": f"{theirs.name} (opponent)"})
    units = (*_line(ours, OF_UNIT, words), *_line(theirs, OF_OPPONENT, words))
    behind = (each for each in units if each.id not in (UNIT, TARGET))
    supports = (Support(unit=each.id, friend=UNIT if each.side == OURS else TARGET) for each in behind)
    return throwaway(Phase.MELEE, *units, contacts=(_contact(words),), supports=tuple(supports))


def _line(unit: EmpireUnit, meant: Mapping[str, Mapping[str, Any]], words: tuple[str, ...]) -> Iterable[EmpireUnit]:
    """The unit as it is said to be, and unshaken ones like it that support it. Raises Refused on what cannot be."""
    own = [word for word in words if word in meant]
    for word in own:
        if "bayonets" in meant[word] and unit.bayonets is Bayonets.NONE:
            raise Refused(f"{unit.name}: there are no bayonets to fix. Leave “{word}” out.", Cite(rule="BE-1"))
        if "formation" in meant[word] and unit.is_crew:
            raise Refused(f"{unit.name}: crews keep to their guns. Leave “{word}” out.", MELEE)
        if meant[word].get("formation") == Formation.SQUARE and unit.arm is not Arm.FOOT:
            raise Refused(f"{unit.name}: only foot forms square. Leave “{word}” out.", MELEE)
    unit = as_said(unit, own, meant)
    yield unit
    supports = max((number for number, said in enumerate(SUPPORTS, 1) if any(said in word for word in own)), default=0)
    for number in range(1, supports + 1):
        like = {"id": f"{unit.id}-{number}", "name": f"{unit.name} (support {number})"}
        yield unit.model_copy(update={**like, "shaken": False, "defending": Defence.NOTHING})


def _contact(words: tuple[str, ...]) -> Contact:
    """Who charged: the unit, unless it is flanked or defends something; in the first round, unless a later is said."""
    charged = "flanked" in words or any("defending" in OF_UNIT.get(word, ()) for word in words)
    attacker, defender = (TARGET, UNIT) if charged else (UNIT, TARGET)
    flank = FLANK in words or "flanked" in words
    return Contact(attacker=attacker, defender=defender, flank=flank, rounds=int("later round" in words))
