"""The move of a unit: made, measured, remembered, and into contact where it meets the enemy (BE-6.2, BE-M)."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.core.action_type import ActionType
from rules.core.model import UMPIRE, Viewer
from rules.core.play import Play
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.tabletop import table
from rules.core.tabletop.place import Towards
from rules.core.tabletop.placement import placed
from rules.core.wording import tenths
from rules.empire.fighting.contacts import join
from rules.empire.firing.targeting import a_move_costs_its_fire, no_fire_warning
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.orders import remembering
from rules.empire.phases import MOVEMENT
from rules.empire.placement import GIVEN_UP, WAYS, base, nearest, with_pieces

from . import allowance, formation, ground, telling
from .marching import FLANK, INTO_CONTACT, March, Move, changed, work_out
from .readiness import PIECES, ready
from .travel import CONTACT, in_flank


@dataclass(frozen=True)
class Charge:
    """An enemy that a move ends on, and whether it is struck in flank or rear."""

    enemy: str
    in_flank: bool


@dataclass(frozen=True)
class MovePlan:
    """A move: the fields of the unit that change, the inches it marches, whom it charges, and how it is told."""

    unit: str
    fields: Mapping[str, Any]
    run: float
    charges: tuple[Charge, ...]
    goal: str
    headline: str
    steps: tuple[Step, ...]
    outcome: str
    warnings: tuple[str, ...]


class MoveType(ActionType[EmpireState, Move, MovePlan]):
    """A march by what conduct allows, with changes before it and where it halts; no dice (BE-6.2, BE-M)."""

    action = Move

    def umpires_words(self, state: EmpireState, action: Move) -> Iterable[str]:
        """Where the table knows the place it knows the enemy's flank (BE-M.3)."""
        unit = state.units.get(action.unit or "")
        return (FLANK, INTO_CONTACT) if unit is not None and unit.place is not None else ()

    def candidates(self, state: EmpireState, viewer: Viewer, unit: str | None = None) -> Iterable[Move]:
        """At the nearest enemy, every way as far as it may, and every change."""
        if state.now in MOVEMENT and viewer in (state.active, UMPIRE):
            for each in state.of_side(state.active):
                if unit in (None, each.id) and _is_ready(state, each):
                    yield from _thinkable(state, each)

    def plan(self, state: EmpireState, action: Move, *, supposing: bool = False) -> MovePlan:  # noqa: ARG002
        """The changes, the march and whom it meets. Raises Refused."""
        march = work_out(state, action)
        met = _met(state, march, action.circumstances)
        unit, left_whom = _leaves(state, _settled(march))
        unit, after_steps = _changed_where_it_halts(state, march, unit, met)
        charges = tuple(Charge(enemy, _in_flank(state, march, enemy, action.circumstances)) for enemy in met)
        allowed = (allowance.allowed_step(state, march.unit),) if march.marches else ()
        told = telling.where_to(march, unit, action.to)
        before = state.unit(unit.id)
        return MovePlan(
            unit=unit.id,
            fields={name: new for name, new in unit if getattr(before, name) != new},
            run=march.run,
            charges=charges,
            goal=telling.goal(state, march, met),
            headline=telling.headline(state, march, unit, met),
            steps=(*allowed, *march.steps, *told, *left_whom, *after_steps, *_charged(state, unit, charges)),
            outcome=telling.outcome(state, march, unit, met),
            warnings=(*telling.crowded(march), *(no_fire_warning(state, unit) if march.run > 0 else ())),
        )

    def label(self, state: EmpireState, plan: MovePlan) -> str:
        """`Charge Zulu impi: 24th`; of guns that it keeps from firing, `Forward 3 inches, no fire then: Battery`."""
        unit = state.unit(plan.unit)
        silent = ", no fire then" if plan.run > 0 and a_move_costs_its_fire(state, unit) else ""
        return f"{plan.goal}{silent}: {unit.name}"

    def resolve(self, play: Play[EmpireState], plan: MovePlan) -> None:
        """Moves it, with those attached to it, and joins contact where it ends on an enemy."""
        unit = play.state.unit(plan.unit).model_copy(update=plan.fields)
        play.state = with_pieces(play.state, unit)
        for charge in plan.charges:
            play.state = join(play.state, unit.id, charge.enemy, flank=charge.in_flank)
        play.say(*plan.steps)
        play.tell(
            headline=plan.headline,
            side=unit.side,
            outcome=plan.outcome,
            warnings=plan.warnings,
            units=(unit.id, *(charge.enemy for charge in plan.charges)),
        )


MOVE = MoveType()


def _settled(march: March) -> EmpireUnit:
    """The unit where it halts, remembering its inches; who moves off gives its ground up (BE-M.4)."""
    unit, memory = march.unit, march.unit.this_turn
    there = march.halt.base if march.halt else march.path.base if march.path and not march.marches else None
    update: dict[str, Any] = {"place": placed(there)} if there else {}
    if march.run > 0:
        update |= GIVEN_UP
    moved = {"spent": round(memory.spent + march.run, 3), "moved": round(memory.moved + march.run, 3)}
    return remembering(unit.model_copy(update=update), **moved)


def _leaves(state: EmpireState, unit: EmpireUnit) -> tuple[EmpireUnit, tuple[Step, ...]]:
    """A piece that makes a move of its own leaves its unit (BE-M.6)."""
    with_unit = state.units.get(unit.attached_to or "")
    if with_unit is None:
        return unit, ()
    step = Step(text=f"{unit.name} leaves {with_unit.name}", cite=PIECES)
    return unit.model_copy(update={"attached_to": None}), (step,)


def _changed_where_it_halts(
    state: EmpireState, march: March, unit: EmpireUnit, met: tuple[str, ...]
) -> tuple[EmpireUnit, tuple[Step, ...]]:
    """Squares, dismounting, unlimbering and the use of ground; who has charged home does none of it. Raises Refused."""
    steps = []
    for word in march.changes:
        if word in formation.BEFORE:
            continue
        if met:
            enemy = state.unit(met[0]).name
            raise Refused(f"{unit.name} meets {enemy} there. Leave out “{word}”, or halt short of it.", CONTACT)
        if word in ground.WORDS:
            unit = ground.use(state, unit, word)
            continue
        was = base(unit)
        unit, step = changed(state, unit, word)
        now = base(unit)
        if was is not None and now is not None and now != was:
            WAYS.room_to_stand(state, unit, was, now)
        steps.append(step)
    return unit, tuple(steps)


def _met(state: EmpireState, march: March, words: tuple[str, ...]) -> tuple[str, ...]:
    """Ids of the enemies it ends on: those its base touches, or whom one says it reaches (BE-M.3)."""
    if march.halt is None:
        goal = march.destination
        return (goal.unit,) if march.marches and INTO_CONTACT in words and isinstance(goal, Towards) else ()
    first = march.halt.met
    if first is None:
        return ()
    assert march.path is not None
    assert march.halt.base is not None
    others = (
        foe.id for foe, there in WAYS.foes(state, march.unit, march.path) if table.touching(march.halt.base, there)
    )
    return tuple(dict.fromkeys((first, *others)))


def _in_flank(state: EmpireState, march: March, enemy_id: str, words: tuple[str, ...]) -> bool:
    """Whether it strikes that enemy in flank or rear, as it set out, or as it is said to (BE-M.3)."""
    enemy = state.unit(enemy_id)
    said = FLANK in words and not enemy.in_square
    return said or (march.start is not None and in_flank(state, enemy, march.start))


def _charged(state: EmpireState, unit: EmpireUnit, charges: Iterable[Charge]) -> Iterable[Step]:
    for charge in charges:
        where = "in flank or rear" if charge.in_flank else "in front"
        yield Step(text=f"{unit.name} charges {state.unit(charge.enemy).name}", cite=CONTACT, verdict=where)


def _is_ready(state: EmpireState, unit: EmpireUnit) -> bool:
    try:
        ready(state, unit)
    except Refused:
        return False
    return True


def _thinkable(state: EmpireState, unit: EmpireUnit) -> Iterable[Move]:
    left = math.floor(allowance.left(state, unit) * 10) / 10
    if left > 0:
        yield from _marches(state, unit, tenths(left))
    for word in () if unit.is_piece else (*formation.WORDS, *ground.WORDS):
        yield Move(unit=unit.id, circumstances=(word,))


def _marches(state: EmpireState, unit: EmpireUnit, left: str) -> Iterable[Move]:
    enemies = tuple(enemy for enemy in state.enemies(unit.side) if not enemy.is_piece)
    friends = tuple(friend for friend in state.fighters(unit.side) if friend.id != unit.id)
    if base(unit) is None:
        yield Move(unit=unit.id)
        for enemy in enemies[:1]:
            yield Move(unit=unit.id, to=f"towards {enemy.id} {left}", circumstances=(INTO_CONTACT,))
        return
    goal = nearest(unit, friends if unit.is_piece else enemies)
    if goal is not None:
        yield Move(unit=unit.id, to=f"towards {goal.id}")
    for way in ("forward", "back", "left", "right"):
        yield Move(unit=unit.id, to=f"{way} {left}")
