"""Questions of conduct, rallying and critical hits asked without a game (BE-6, BE-7)."""

from collections.abc import Mapping
from typing import Any

from rules.core.asking import only
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.empire.armies.troops import troop_of
from rules.empire.asked import OURS, THEIRS, fighter, throwaway
from rules.empire.fighting.contacts import join
from rules.empire.model import EmpireState, EmpireUnit, Formation
from rules.empire.orders import remembering
from rules.empire.phases import Phase
from rules.empire.theatres import Theatre

from .critical import Critical, exposable
from .instant import IN_MELEE, MASSED_OPPONENT, MOUNTED_OPPONENT
from .readers import Steadiness
from .testing import ConductTest, Rally

UNIT, PIECE = "unit", "piece"
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
OF_THE_QUESTION = (*FORMED, *THEATRES)
"""Words that say what the table is, and are none of the action."""
SHAKEN, STEADY = Steadiness.SHAKEN.value, Steadiness.STEADY.value

WORDS: Mapping[str, tuple[str, ...]] = {
    ConductTest.kind: (*ConductTest.circumstance_names, *OF_THE_QUESTION),
    Rally.kind: (*Rally.circumstance_names, *OF_THE_QUESTION),
    Critical.kind: (),
}
TAKES: Mapping[str, tuple[str, ...]] = {
    ConductTest.kind: ("troop", "state"),
    Rally.kind: ("troop", "state"),
    Critical.kind: ("troop",),
}


def ask(kind: str, given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, Action]:
    """The table and the action of a question. Raises Refused on what is missing, unknown or absurd."""
    only(kind, given, TAKES[kind])
    if kind == Critical.kind:
        return _critical(given)
    if "troop" not in given:
        raise Refused(f"Say which troops: {kind} needs “troop”, as “British regulars”.")
    formed = next((FORMED[word] for word in FORMED if word in words), None)
    drawn_up = {} if formed is None else {"formation": formed}
    unit = fighter(str(given["troop"]), UNIT, OURS, shaken=_is_shaken(kind, given), **drawn_up)
    foes = tuple(
        fighter(troops, word, THEIRS).model_copy(update={"name": name})
        for word, (troops, name) in FOES.items()
        if word in words
    )
    theatre = next((THEATRES[word] for word in THEATRES if word in words), Theatre.ALL_TYPES)
    state = throwaway(Phase.UNITS, unit, *foes, theatre=theatre)
    for foe in foes:
        state = join(state, foe.id, UNIT, flank=False)
    said = tuple(word for word in words if word not in OF_THE_QUESTION)
    return state, (Rally if kind == Rally.kind else ConductTest)(unit=UNIT, circumstances=said)


def _is_shaken(kind: str, given: Mapping[str, Any]) -> bool:
    """In which state it tests: shaken to rally, else steady unless it is said. Raises Refused."""
    usual = SHAKEN if kind == Rally.kind else STEADY
    said = str(given.get("state", usual)).strip().casefold()
    if said not in (STEADY, SHAKEN):
        raise Refused(f"state: “{said[:20]}” is neither {STEADY} nor {SHAKEN}. Say one of them.")
    if kind == Rally.kind and said == STEADY:
        raise Refused(f"Steady units need not rally. Say state: {SHAKEN}, or ask for conduct.")
    return said == SHAKEN


def _critical(given: Mapping[str, Any]) -> tuple[EmpireState, Action]:
    """A commander, or the piece named, with a unit that took a kill."""
    troop = troop_of(str(given.get("troop", "army-commander")))
    piece: EmpireUnit = troop.unit(PIECE, troop.name, OURS, attached_to=UNIT)
    unit = remembering(fighter("british-regulars", UNIT, OURS, kills=1), kills=1)
    state = throwaway(Phase.CRITICAL, unit, piece)
    if not exposable(state, piece):
        raise Refused(f"{troop.name} is no commander, leader or mules. Name one of them, or leave “troop” out.")
    return state, Critical(unit=PIECE)
