"""The march of a move worked out: what is asked for, its price, and whether it may be (BE-6.2, BE-M.1 to BE-M.3)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.tabletop.place import Course, Destination, Towards, Turn
from rules.core.tabletop.table import Base
from rules.core.tabletop.ways import Halt, Way, read_place, stand
from rules.core.wording import inches
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.orders import find, remembering
from rules.empire.placement import WAYS, base

from . import allowance, formation, ground, turning
from .allowance import CHANGING
from .readiness import MOVING, ready
from .travel import CONTACT, WAY, charges

INTO_CONTACT, FLANK = "into contact", "in the flank"


class Move(Action):
    """Moves a unit, or changes its formation, facing, mount, limber or use of the ground.

    `to` is a place on the table (“30,12”, “towards Black Watch 6”, “face ne”), or free words for the log where
    the umpire runs the figures. Changes alone (“square”) need no `to` and are no march.
    """

    kind: ClassVar[str] = "move"
    circumstance_names: ClassVar[tuple[str, ...]] = (*formation.WORDS, *ground.WORDS, INTO_CONTACT, FLANK)

    to: str | None = None


@dataclass(frozen=True)
class March:
    """A march as it is worked out while its move is planned.

    `unit` is as it sets out, after the changes made before, with what they cost already spent. `run` inches, with
    `halt` where places are known; `reserved` is what the changes where it halts will cost.
    """

    unit: EmpireUnit
    changes: tuple[str, ...]
    marches: bool
    destination: Destination | None
    path: Way | None
    start: Base | None
    run: float
    halt: Halt[EmpireUnit] | None
    steps: tuple[Step, ...]


def work_out(state: EmpireState, action: Move) -> March:
    """All of the march itself. Raises Refused with the rule; then nothing has moved."""
    was = find(state, action.unit)
    ready(state, was)
    words = action.circumstances
    changes = tuple(word for word in (*formation.BEFORE, *formation.WHERE_IT_HALTS, *ground.WORDS) if word in words)
    unit, steps = was, []
    for word in (each for each in changes if each in formation.BEFORE):
        unit, step = changed(state, unit, word)
        steps.append(step)
    destination = read_place(state, unit, action.to)
    marches = (action.to is not None or not changes) and not isinstance(destination, Turn)
    here = base(unit)
    path = WAYS.way(state, unit, here, destination) if here and destination else None
    if marches and here is not None and path is None:
        raise Refused(f"Say where {unit.name} is to go: “30,12”, “forward 6” or “towards …”.", MOVING)
    if path is not None or isinstance(destination, Turn):
        unit, turned = turning.turned(state, unit, path.base.facing if path else None)
        steps.extend(turned)
    _can_pay_at_its_halt(state, unit, changes)
    run, halt = _marched(state, unit, destination, path, changes, words) if marches else (0.0, None)
    march = March(unit, changes, marches, destination, path, here, run, halt, tuple(steps))
    if not marches:
        _stays(state, was, march)
    return march


def changed(state: EmpireState, unit: EmpireUnit, word: str) -> tuple[EmpireUnit, Step]:
    """The unit after a change of formation, mount or limber, its price paid (BE-M.2). Raises Refused."""
    after = formation.change(unit, word)
    memory, price = unit.this_turn, _price(state, unit, word)
    if allowance.allowance(state, unit).inches <= 0:
        raise Refused(f"{unit.name} may not move this turn, nor change: {_conduct(unit)}.", MOVING)
    if price > allowance.left(state, unit) + table.CLOSE:
        has = inches(allowance.left(state, unit))
        raise Refused(f"To {_verb(word)} costs {unit.name} {inches(price)} of its move; it has {has} left.", CHANGING)
    spent = allowance.limbered_anew(state, unit, after, memory.spent + price)
    cite = allowance.WITHOUT_PENALTY if is_free(unit, word) else CHANGING
    verdict = f"costs {inches(price)}" if price else "no penalty"
    step = Step(text=f"{unit.name}: {word}", cite=cite, verdict=verdict)
    return remembering(after, spent=round(spent, 3)), step


def _price(state: EmpireState, unit: EmpireUnit, word: str) -> float:
    return 0.0 if is_free(unit, word) else allowance.change_cost(state, unit)


def is_free(unit: EmpireUnit, word: str) -> bool:
    """Whether its conduct took the penalty of that change away: of formation, or of mounting (BE-6, over 6)."""
    return unit.this_turn.free_mounting if word in formation.MOUNTING else unit.this_turn.free_change


def _conduct(unit: EmpireUnit) -> str:
    return unit.this_turn.result or "it has no inches"


def _verb(word: str) -> str:
    return word if word in (*formation.MOUNTING, *formation.LIMBERING) else f"take {word}"


def _can_pay_at_its_halt(state: EmpireState, unit: EmpireUnit, changes: Iterable[str]) -> None:
    """Before it marches: what it is to change where it halts can be changed, and paid for. Raises Refused."""
    for word in (each for each in changes if each in formation.WHERE_IT_HALTS):
        unit, _ = changed(state, unit, word)


def _reserved(state: EmpireState, unit: EmpireUnit, changes: Iterable[str]) -> float:
    return sum(_price(state, unit, word) for word in changes if word in formation.WHERE_IT_HALTS)


def _marched(
    state: EmpireState,
    unit: EmpireUnit,
    destination: Destination | None,
    path: Way | None,
    changes: tuple[str, ...],
    words: tuple[str, ...],
) -> tuple[float, Halt[EmpireUnit] | None]:
    """Inches run, and where it halts if places are known (BE-M.1). Raises Refused."""
    may = allowance.left(state, unit) - _reserved(state, unit, changes)
    if may <= table.CLOSE:
        whole = allowance.allowance(state, unit)
        why = "has no inches left to move this turn" if whole.inches else f"does not move: {_conduct(unit)}"
        raise Refused(f"{unit.name} {why}.", whole.cite)
    named = destination.inches if isinstance(destination, Course | Towards) else None
    wanted = path.wanted if path else named
    open_ended = isinstance(destination, Towards) and destination.inches is None
    if wanted is not None and not open_ended and wanted > may + table.CLOSE:
        raise Refused(
            f"{unit.name} may move {inches(may)}; that is {inches(wanted)}. “towards …” goes as far as it may.",
            allowance.allowance(state, unit).cite,
        )
    if path is None:
        if INTO_CONTACT in words:
            _knows_its_enemy(state, unit, destination)
        return (may if wanted is None else wanted), None
    if path.wanted <= table.CONTACT and not _is_at_arms_length(state, destination, path):
        raise Refused(f"{unit.name} is there already. To turn it, say “face ne”.", WAY)
    WAYS.barred(state, unit, path, may)
    halt = WAYS.go(state, unit, path, may)
    if halt.crowded_by and halt.run <= 0:
        raise Refused(f"There is no room for {unit.name} on that way: {stand(halt.crowded_by)} there.", WAY)
    return halt.run, halt


def _is_at_arms_length(state: EmpireState, destination: Destination | None, path: Way) -> bool:
    """Whether a march of no inches is one: into contact with an enemy it touches."""
    there = base(state.units[destination.unit]) if isinstance(destination, Towards) and path.meant_for else None
    return there is not None and table.touching(path.base, there)


def _knows_its_enemy(state: EmpireState, unit: EmpireUnit, goal: Destination | None) -> None:
    """Without places one says whom a unit meets, and how far off they were (BE-M.3). Raises Refused."""
    if not isinstance(goal, Towards) or goal.inches is None or state.units[goal.unit].side == unit.side:
        raise Refused("Into contact with whom, how far off? Say where it goes: “towards Black Watch 6”.", CONTACT)
    enemy = state.units[goal.unit]
    if not charges(unit) or enemy.is_piece:
        raise Refused(f"{unit.name} does not fight {enemy.name}: foot and mounted charge units.", CONTACT)


def _stays(state: EmpireState, was: EmpireUnit, march: March) -> None:
    """A unit that turns, or changes where it stands, has room to (BE-M.1). Raises Refused."""
    stood = base(was)
    now = march.path.base if march.path else march.start
    if stood is None or now is None:
        return
    if march.path is not None and not march.changes and now.facing == stood.facing:
        raise Refused(f"{was.name} faces that way already.", WAY)
    if now != stood:
        WAYS.room_to_stand(state, was, stood, now)
