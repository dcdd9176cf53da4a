"""Questions asked without a game: a throwaway table of one unit, or two, and the action asked for."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from rules.core.asking import only, whole
from rules.core.invalid import why_invalid
from rules.core.ruleset import Refused
from rules.core.state import Action, Side
from rules.magdala.fighting.melee import Melee
from rules.magdala.firing.fire import DEFENSIVE, Fire
from rules.magdala.model import MagdalaState, MagdalaUnit, Troop
from rules.magdala.morale.morale import MoraleTest
from rules.magdala.morale.morale_trial import MORALE_WORDS, UMPIRES_CALL
from rules.magdala.morale.reaction import Reaction
from rules.magdala.morale.reaction_trial import REACTION_WORDS

from .roster import CREWED, SINGLE_FIGURES
from .troops import troop_of

OURS, THEIRS = "ours", "theirs"
UNIT, TARGET, PARENT = "unit", "target", "parent"
DETACHMENT = "detachment"
MOST_LOSSES = 100
MOST_FIGURES = 500
MOST_CREW = 12
TARGET_FIGURES = 100
"""Of the unnamed target of ad hoc fire: enough that no volley runs out of men to hit."""

WORDS: Mapping[str, tuple[str, ...]] = {
    "morale": (*(word for word in MORALE_WORDS if word != UMPIRES_CALL), DETACHMENT),
    "reaction": tuple(word for word in REACTION_WORDS if word != UMPIRES_CALL),
    "fire": tuple(word for word in Fire.circumstance_names if word != DEFENSIVE),
    "melee": tuple(word for word in Melee.circumstance_names if word != UMPIRES_CALL),
}
TAKES: Mapping[str, tuple[str, ...]] = {
    "morale": ("troop", "losses"),
    "reaction": ("troop", "losses"),
    "fire": ("troop", "figures", "range"),
    "melee": ("troop", "figures", "against", "against_figures", "contact"),
}


def ask(kind: str, args: Mapping[str, Any], words: tuple[str, ...]) -> tuple[MagdalaState, Action]:
    """The table and the action of a question. Raises Refused on what is missing, unknown or absurd."""
    given = {name: value for name, value in args.items() if value is not None}
    _check_names(kind, given)
    try:
        return {"morale": _morale, "reaction": _reaction, "fire": _fire, "melee": _melee}[kind](given, words)
    except ValidationError as error:
        first = error.errors()[0]
        raise Refused(f"“{first['loc'][0]}”: {why_invalid(first)} Change it and try again.") from None


def _check_names(kind: str, given: Mapping[str, Any]) -> None:
    if kind not in TAKES:
        raise Refused(f"Without a game you can ask for {', '.join(TAKES)}. For {kind}, begin one with /game new.")
    only(kind, given, TAKES[kind])
    if "troop" not in given:
        raise Refused(f"Say which troops: {kind} needs “troop”, as “British regulars, breechloaders”.")


def _unit(given: Mapping[str, Any], words: tuple[str, ...]) -> MagdalaUnit:
    """The troops asked about, with their losses; as a detachment if said so."""
    troop = troop_of(str(given["troop"]))
    losses = whole(given, "losses", 0, MOST_LOSSES) if "losses" in given else 0
    usual = int(troop.fields["figures"])
    parent = PARENT if DETACHMENT in words else None
    figures = max(usual, losses + 1)
    return troop.unit(UNIT, troop.name, OURS, figures=figures, casualties=losses, parent=parent)


def _table(*units: MagdalaUnit) -> MagdalaState:
    """A table without places. A detachment has its parent there."""
    unit = units[0]
    parents = (unit.model_copy(update={"id": PARENT, "parent": None}),) if unit.parent else ()
    return MagdalaState(
        scenario="",
        sides=(Side(id=OURS, name="Ours", index=0), Side(id=THEIRS, name="Theirs", index=1)),
        active=OURS,
        units={each.id: each for each in (*units, *parents)},
        events=1,
    )


def _morale(given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[MagdalaState, Action]:
    said = tuple(word for word in words if word != DETACHMENT)
    return _table(_unit(given, words)), MoraleTest(unit=UNIT, circumstances=(*said, UMPIRES_CALL))


def _reaction(given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[MagdalaState, Action]:
    return _table(_unit(given, words)), Reaction(unit=UNIT, circumstances=(*words, UMPIRES_CALL))


def _fire(given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[MagdalaState, Action]:
    """At a target of which nothing is known but the circumstances."""
    if "range" not in given:
        raise Refused("Say how far: fire needs “range” in inches, as range:10.")
    unit = _fighters(given, "troop", "figures", UNIT, OURS)
    target = MagdalaUnit(
        id=TARGET, name="the target (infantry)", side=THEIRS, troop=Troop.NATIVE_FOOT, figures=TARGET_FIGURES
    )
    return _table(unit, target), Fire(unit=UNIT, target=TARGET, range=given["range"], circumstances=words)


def _melee(given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[MagdalaState, Action]:
    """Two units that have met, the defender's fire past."""
    if "against" not in given:
        raise Refused("Say against whom: melee needs “against”, as “Mahdist tribesmen, spears”.")
    ours = _fighters(given, "troop", "figures", UNIT, OURS)
    theirs = _fighters(given, "against", "against_figures", TARGET, THEIRS)
    contact = whole(given, "contact", 1, MOST_FIGURES) if "contact" in given else None
    said = (*words, UMPIRES_CALL)
    return _table(ours, theirs), Melee(unit=UNIT, target=TARGET, contact=contact, circumstances=said)


def _fighters(given: Mapping[str, Any], name: str, number: str, unit_id: str, side: str) -> MagdalaUnit:
    """So many figures of the troops named, or their usual number."""
    troop = troop_of(str(given[name]))
    usual = troop.unit(unit_id, troop.name, side)
    if usual.troop in SINGLE_FIGURES:
        raise Refused(f"{troop.name} fights with the unit he is with, not alone. Name other troops.")
    most = MOST_CREW if usual.troop in CREWED else MOST_FIGURES
    figures = whole(given, number, 1, most) if number in given else usual.figures
    return troop.unit(unit_id, troop.name, side, figures=figures)
