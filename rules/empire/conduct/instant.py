"""Units destroyed beyond what the chart says: for giving way to the wrong enemy (BE-6.1)."""

from collections.abc import Iterable

from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.core.wording import in_a_row
from rules.empire.fighting.contacts import in_contact
from rules.empire.fighting.loss import destroy
from rules.empire.model import Arm, Doom, EmpireState, EmpireUnit, Formation

from .results import Result

AT_ONCE = Cite(rule="BE-6.1")
OF_SEVERAL = Cite(rule="BE-6.1", mark=Mark.RULING)
"""Of several enemies one that is held is enough."""
IN_MELEE = "in melee"
MOUNTED_OPPONENT = "mounted opponent"
MASSED_OPPONENT = "massed opponent"
MELEE_SAID = (IN_MELEE, MOUNTED_OPPONENT, MASSED_OPPONENT)


def in_melee(state: EmpireState, unit: EmpireUnit, said: Iterable[str] = ()) -> bool:
    """Whether it touches an enemy, or is said to."""
    return in_contact(state, unit) or any(word in MELEE_SAID for word in said)


def end_at_once(state: EmpireState, unit: EmpireUnit, result: Result, said: Iterable[str] = ()) -> str:
    """Why a unit in melee that fails to rally is destroyed there and then (BE-6.1, 3 and 4); nothing if it is not."""
    if result.moves or not in_melee(state, unit, said):
        return ""
    if unit.is_crew:
        return "guns and machine guns that fail to rally in melee"
    return "a company square that has to recoil" if result.recoil and company_square(unit) else ""


def company_square(unit: EmpireUnit) -> bool:
    """In company square."""
    return unit.formation is Formation.COMPANY_SQUARE


def dooms(state: EmpireState, unit: EmpireUnit, said: Iterable[str] = ()) -> tuple[Doom, ...]:
    """What hangs over a unit made to recoil until movement ends: from whom, by which rule (BE-6.1, 1 and 2)."""
    words = frozenset(said)
    mounted = _ids(foe for foe in state.opponents(unit.id) if is_mounted(foe))
    shock = _ids(foe for foe in state.opponents(unit.id) if is_mounted(foe) or is_massed_foot(foe))
    from_mounted = unit.arm is Arm.FOOT and (mounted or MOUNTED_OPPONENT in words)
    skirmishing = unit.formation is Formation.SKIRMISH and (shock or words & {MOUNTED_OPPONENT, MASSED_OPPONENT})
    found = (
        *((Doom(unit=unit.id, rule=AT_ONCE.rule, pursuers=mounted),) if from_mounted else ()),
        *((Doom(unit=unit.id, rule=AT_ONCE.rule, pursuers=shock),) if skirmishing else ()),
    )
    return tuple(dict.fromkeys(found))


def is_mounted(foe: EmpireUnit) -> bool:
    """Of mounted troops that have not dismounted."""
    return foe.arm is Arm.MOUNTED


def is_massed_foot(foe: EmpireUnit) -> bool:
    """Foot, massed or in depth."""
    return foe.arm is Arm.FOOT and foe.is_massed


def _ids(units: Iterable[EmpireUnit]) -> tuple[str, ...]:
    return tuple(unit.id for unit in units)


def doom_step(state: EmpireState, doom: Doom) -> Step:
    """The warning when a unit recoils so."""
    text = f"{state.unit(doom.unit).name} is destroyed when movement ends, unless another unit is then in contact with"
    return Step(text=f"{text} {_pursuers(state, doom)}", cite=AT_ONCE)


def _pursuers(state: EmpireState, doom: Doom) -> str:
    return in_a_row(state.unit(foe).name for foe in doom.pursuers) or "its enemy"


def settle_dooms(play: Play[EmpireState]) -> None:
    """When 4B ends: who recoiled so is destroyed, unless a pursuer is held by another unit; all at once (BE-6.1)."""
    state, ended = play.state, list[str]()
    for doom in state.dooms:
        unit = state.unit(doom.unit)
        if not unit.on_table or unit.id in ended:
            continue
        held = _held(state, doom)
        if not held:
            ended.append(unit.id)
        why = f"another unit is in contact with {in_a_row(held)}: it lives" if held else "destroyed"
        cite = OF_SEVERAL if held and len(held) < len(doom.pursuers) else AT_ONCE
        play.say(Step(text=f"{unit.name} recoiled from {_pursuers(state, doom)}", cite=cite, verdict=why))
    for unit_id in ended:
        play.state = destroy(play.state, unit_id)
    play.set(dooms=())


def _held(state: EmpireState, doom: Doom) -> tuple[str, ...]:
    """Names of the pursuers in contact with a unit other than the one that recoiled from them."""
    return tuple(
        state.unit(foe).name for foe in doom.pursuers if any(met.id != doom.unit for met in state.opponents(foe))
    )
