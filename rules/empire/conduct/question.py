"""Conduct asked about without a game: troops, and a table that is as the words say (BE-6)."""

from collections.abc import Mapping
from typing import Any

from rules.core.asking import only
from rules.core.ruleset import Refused
from rules.empire.asked import OURS, THEIRS, fighter, throwaway
from rules.empire.fighting.contacts import join
from rules.empire.model import EmpireState, Formation
from rules.empire.options import Theatre
from rules.empire.phases import Phase

from .instant import IN_MELEE, MASSED_OPPONENT, MOUNTED_OPPONENT
from .readers import Steadiness

UNIT = "unit"
THEATRES = {
    "zulu war": Theatre.ZULU_WAR,
    "sudan": Theatre.SUDAN,
    "north west frontier": Theatre.FRONTIER,
}
"""Words by which the theatre is named; without one the charts of all types are read."""
FORMED = {
    "skirmishing": Formation.SKIRMISH,
    "in company square": Formation.COMPANY_SQUARE,
}
"""How the unit is drawn up, for what befalls it in melee (BE-6.1)."""
FOES = {
    MOUNTED_OPPONENT: ("british-cavalry", "the mounted enemy"),
    MASSED_OPPONENT: ("zulus", "the massed enemy"),
    IN_MELEE: ("british-regulars", "the enemy"),
}
"""Whom the unit has in contact, by the word said: troops, and what they are called."""
WORDS = (*FORMED, *THEATRES)
"""Words that say what the table is, and are none of the action."""
NEEDS = ("troop", "state")
SHAKEN, STEADY = Steadiness.SHAKEN.value, Steadiness.STEADY.value


def is_shaken(given: Mapping[str, Any]) -> bool:
    """Whether the troops are said to be shaken. Raises Refused on a state that is none."""
    said = str(given.get("state", STEADY)).strip().casefold()
    if said not in (STEADY, SHAKEN):
        raise Refused(f"state: “{said[:20]}” is neither {STEADY} nor {SHAKEN}. Say one of them.")
    return said == SHAKEN


def must_be_shaken(given: Mapping[str, Any]) -> None:
    """Whether the troops are not said to be steady. Raises Refused."""
    if "state" in given and not is_shaken(given):
        raise Refused(f"Steady units need not rally. Say state: {SHAKEN}, or ask for conduct.")


def table(
    kind: str, given: Mapping[str, Any], words: tuple[str, ...], *, shaken: bool
) -> tuple[EmpireState, tuple[str, ...]]:
    """The table, and the words that are left to be said of the test. Raises Refused on what is missing or unknown."""
    only(kind, given, NEEDS)
    if "troop" not in given:
        raise Refused(f"Say which troops: {kind} needs “troop”, as “British regulars”.")
    unit = fighter(str(given["troop"]), UNIT, OURS, shaken=shaken)
    formed = next((FORMED[word] for word in FORMED if word in words), unit.formation)
    unit = unit.model_copy(update={"formation": formed})
    foes = tuple(
        fighter(troops, word, THEIRS).model_copy(update={"name": name})
        for word, (troops, name) in FOES.items()
        if word in words
    )
    theatre = next((THEATRES[word] for word in THEATRES if word in words), Theatre.ALL_TYPES)
    state = throwaway(Phase.UNITS, unit, *foes, theatre=theatre)
    for foe in foes:
        state = join(state, foe.id, UNIT, flank=False)
    return state, tuple(word for word in words if word not in WORDS)
