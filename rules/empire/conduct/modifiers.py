"""What is added to a conduct roll and taken from it, and what may be said of that (BE-6)."""

from collections.abc import Iterable

from rules.core.report import Modifier
from rules.core.wording import tenths
from rules.empire.fighting.contacts import in_contact
from rules.empire.model import Arm, Conduct, Defence, EmpireState, EmpireUnit, Formation
from rules.empire.phases import Phase
from rules.empire.placement import within
from rules.empire.tables import adjustment

from .instant import IN_MELEE, MASSED_OPPONENT, MOUNTED_OPPONENT, is_massed_foot, is_mounted

COMMANDER_NEAR = "commander within 12"
COMMANDER_ATTACHED = "commander attached"
LEADER_ATTACHED = "leader attached"
FIELD_WORKS = "field works"
IN_SQUARE = "in square"
FRIENDS_CHARGING = "friends charging"
ELITE = "elite"
IMPERIAL_COLUMN = "imperial column"
OPPONENT_GAVE_WAY = "opponent gave way"
DISORDERED = "disordered"
KILLS = {"one kill": 1, "two kills": 2, "three kills": 3}
FRAGILE = "fragile"
SAID = (
    COMMANDER_NEAR,
    COMMANDER_ATTACHED,
    LEADER_ATTACHED,
    FIELD_WORKS,
    IN_SQUARE,
    FRIENDS_CHARGING,
    ELITE,
    IMPERIAL_COLUMN,
    OPPONENT_GAVE_WAY,
    DISORDERED,
    *KILLS,
    FRAGILE,
)
"""Words by which a modifier may be claimed."""
IMPERIALS = (Conduct.DRILLED, Conduct.TRAINED)
CHART = "conduct-modifiers"


def modifiers(state: EmpireState, unit: EmpireUnit, said: Iterable[str] = ()) -> tuple[Modifier, ...]:
    """Every modifier that applies, by the state or because it is said."""
    words = frozenset(said)
    kills = max(unit.kills, *(number for word, number in KILLS.items() if word in words), 0)
    options = state.options
    reasons = {
        **_army_commander(state, unit, words),
        "leader attached": _leader(state, unit) or LEADER_ATTACHED in words,
        "defending field works or in square": _sheltered(unit, words),
        "friends in fanatic charge within 12 inches": (FRIENDS_CHARGING in words or bool(charging_near(state, unit)))
        and f"friends in fanatic charge within {tenths(options.fanatics_within)} inches",
        "elite": _is(unit.elite, ELITE, FRAGILE, words),
        "steady Imperial column": not unit.shaken and (IMPERIAL_COLUMN in words or imperial_column(unit)),
        "melee opponent recoiled or destroyed": opponent_counts(state, unit) or OPPONENT_GAVE_WAY in words,
        "disordered": unit.disordered or DISORDERED in words,
        "fragile": _is(unit.fragile, FRAGILE, ELITE, words),
    }
    found = tuple(
        adjustment(CHART, row, reason if isinstance(reason, str) else None) for row, reason in reasons.items() if reason
    )
    lost = (adjustment(CHART, "each kill", f"for {kills} kill{'' if kills == 1 else 's'}", kills),) if kills else ()
    return (*found, *lost)


def _is(it_is: bool, word: str, opposite: str, words: frozenset[str]) -> bool:
    """Whether a unit is elite, or fragile: what is said of it goes before what is noted."""
    return word in words or (it_is and opposite not in words)


def opponent_counts(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether an opponent of it gave way in this turn's movement, and that counts now (BE-6, ruling: in 4a alone)."""
    now = state.now is Phase.EXPLOITATION or not state.options.gave_way_in_4a_alone
    return unit.this_turn.opponent_gave_way and now


def _army_commander(state: EmpireState, unit: EmpireUnit, words: frozenset[str]) -> dict[str, str | bool]:
    """The army commander attached, or else within 12 inches; not both (BE-6)."""
    if COMMANDER_ATTACHED in words or has_commander(state, unit):
        return {"army commander attached": True}
    near = COMMANDER_NEAR in words or commander_near(state, unit)
    return {"army commander within 12 inches": near and f"army commander within {state.options.command_radius} inches"}


def _sheltered(unit: EmpireUnit, words: frozenset[str]) -> str:
    """Defending field works or in square: once (BE-6)."""
    if unit.defending is Defence.WORKS or FIELD_WORKS in words:
        return "defending field works"
    return IN_SQUARE if unit.in_square or IN_SQUARE in words else ""


def commanders(state: EmpireState, side: str) -> tuple[EmpireUnit, ...]:
    """Army commanders of a side that are neither out nor killed."""
    return tuple(each for each in state.of_side(side) if each.arm is Arm.ARMY_COMMANDER and each.may_lead)


def has_commander(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether an army commander is attached to it."""
    return any(each.attached_to == unit.id for each in commanders(state, unit.side))


def commander_near(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether an army commander is within his radius; one who is with a unit is measured from it."""
    stand = (standing(state, each) for each in commanders(state, unit.side))
    return bool(within(unit, stand, state.options.command_radius))


def standing(state: EmpireState, piece: EmpireUnit) -> EmpireUnit:
    """What a piece is measured from: itself, or the unit it is with where it has no place of its own."""
    return state.units.get(piece.attached_to or "", piece) if piece.place is None else piece


def has_leader(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether a leader is attached to it, or to any unit of its brigade (BE-6)."""
    return bool(_leader(state, unit))


def _leader(state: EmpireState, unit: EmpireUnit) -> str:
    """The leader who counts, in words; of its brigade's one with itself first. Nothing without any."""
    leaders = [each for each in state.of_side(unit.side) if each.arm is Arm.LEADER and each.may_lead]
    with_it = [f"leader attached: {each.name}" for each in leaders if each.attached_to == unit.id]
    others = _brigade(state, unit)
    with_others = [f"leader of its brigade: {each.name}" for each in leaders if each.attached_to in others]
    return next(iter((*with_it, *with_others)), "")


def _brigade(state: EmpireState, unit: EmpireUnit) -> tuple[str, ...]:
    """The unit and, where it belongs to one, all of its brigade on the table."""
    friends = (each for each in state.fighters(unit.side) if unit.brigade and each.brigade == unit.brigade)
    return (unit.id, *(each.id for each in friends))


def charging(state: EmpireState, unit: EmpireUnit) -> tuple[EmpireUnit, ...]:
    """Other friends in fanatic charge."""
    return tuple(each for each in state.fighters(unit.side) if each.id != unit.id and each.this_turn.fanatic)


def charging_near(state: EmpireState, unit: EmpireUnit) -> tuple[EmpireUnit, ...]:
    """Those of them within 12 inches."""
    return within(unit, charging(state, unit), state.options.fanatics_within)


def imperial_column(unit: EmpireUnit) -> bool:
    """Drilled or European-trained, in column (BE-6, ruling); it counts while the unit is steady."""
    return unit.formation is Formation.COLUMN and unit.conduct in IMPERIALS


def not_so(state: EmpireState, unit: EmpireUnit) -> Iterable[str]:
    """Words that a player may not claim of the unit: what is not so, as far as the state knows."""
    foes = state.opponents(unit.id)
    false = {
        COMMANDER_NEAR: _measured(unit, [standing(state, each) for each in commanders(state, unit.side)]),
        COMMANDER_ATTACHED: not has_commander(state, unit),
        LEADER_ATTACHED: not has_leader(state, unit),
        FIELD_WORKS: unit.defending is not Defence.WORKS,
        IN_SQUARE: not unit.in_square,
        FRIENDS_CHARGING: _measured(unit, charging(state, unit)),
        ELITE: not unit.elite,
        IMPERIAL_COLUMN: not imperial_column(unit),
        OPPONENT_GAVE_WAY: not opponent_counts(state, unit),
        DISORDERED: not unit.disordered,
        **{word: unit.kills < number for word, number in KILLS.items()},
        FRAGILE: not unit.fragile,
        IN_MELEE: not in_contact(state, unit),
        MOUNTED_OPPONENT: not any(is_mounted(foe) for foe in foes),
        MASSED_OPPONENT: not any(is_massed_foot(foe) for foe in foes),
    }
    return tuple(word for word, untrue in false.items() if untrue)


def _measured(unit: EmpireUnit, others: Iterable[EmpireUnit]) -> bool:
    """Whether the table knows how far off all of them are; where there are none it knows that."""
    known = [other.place is not None for other in others]
    return not known or (unit.place is not None and all(known))
