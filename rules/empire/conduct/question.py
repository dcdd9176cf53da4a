"""Conduct asked about without a game: troops, and a table that is as the words say (BE-6)."""

from collections.abc import Mapping
from typing import Any

from rules.core.asking import OURS, THEIRS
from rules.core.circumstances import meanings
from rules.core.refused import Refused
from rules.empire.asked import fighter, throwaway
from rules.empire.model import Contact, EmpireState
from rules.empire.options import Theatre
from rules.empire.orders import as_said
from rules.empire.phases import Phase

from .charts import SHAKEN, STEADY
from .fate import IN_MELEE, MASSED_OPPONENT, MOUNTED_OPPONENT

UNIT = "unit"
THEATRES = {
    "zulu war": Theatre.ZULU_WAR,
    "sudan": Theatre.SUDAN,
    "north west frontier": Theatre.FRONTIER,
}
"""Words by which the theatre is named; without one the charts of all types are read."""
MEANINGS = meanings("rules.empire", "conduct_circumstances.toml")["conduct"]
FOES = {
    MOUNTED_OPPONENT: ("british-cavalry", "the mounted enemy"),
    MASSED_OPPONENT: ("zulus", "the massed enemy"),
    IN_MELEE: ("british-regulars", "the enemy"),
}
"""Whom the unit has in contact, by the word said: troops, and what they are called."""
WORDS = ("skirmishing", "in company square", *THEATRES)
"""Words that say what the table is, and are none of the action."""


def table(given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, tuple[str, ...]]:
    """The table, and the words that are left to be said of the test. Raises Refused on what is unknown."""
    said = str(given["state"]).strip().casefold()
    if said not in (STEADY, SHAKEN):
        raise Refused(f"state: “{said[:20]}” is neither {STEADY} nor {SHAKEN}. Say one of them.")
    unit = as_said(fighter(str(given["troop"]), UNIT, OURS, shaken=said == SHAKEN), words, MEANINGS)
    met = {word: FOES[word] for word in FOES if word in words}
    foes = (fighter(troops, word, THEIRS).model_copy(update={"name": name}) for word, (troops, name) in met.items())
    theatre = next((THEATRES[word] for word in words if word in THEATRES), Theatre.ALL_TYPES)
    contacts = tuple(Contact(attacker=foe, defender=UNIT) for foe in met)
    state = throwaway(Phase.UNITS, unit, *foes, theatre=theatre, contacts=contacts)
    return state, tuple(word for word in words if word not in WORDS)
