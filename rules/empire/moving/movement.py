"""The move of a unit: made, measured, remembered, and into contact where it meets the enemy (BE-6.2, BE-M)."""

import math
from collections.abc import Iterable
from typing import Any

from rules.core.action_type import Deed
from rules.core.dice import Dice, NoDice
from rules.core.model import UMPIRE, Viewer
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.tabletop.place import Towards
from rules.core.tabletop.placement import placed
from rules.core.tabletop.setting_down import towards_each
from rules.core.wording import tenths
from rules.empire.fighting.contacts import join
from rules.empire.firing import after_moving
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.orders import remembering
from rules.empire.phases import MOVEMENT
from rules.empire.placement import GIVEN_UP, base, nearest, with_pieces

from . import allowance, formation, ground, telling
from .marching import FLANK, INTO_CONTACT, March, Move, changed, plan
from .readiness import PIECES, ready
from .travel import CONTACT, WAYS, in_flank


def move(state: EmpireState, action: Move, _dice: Dice) -> tuple[EmpireState, Report]:
    """Makes the changes and the march, and joins contact where it ends on an enemy. Raises Refused."""
    march = plan(state, action)
    met = _met(state, march, action.circumstances)
    unit, left_whom = _leaves(state, _settled(march))
    unit, after_steps = _changed_where_it_halts(state, march, unit, met)
    state = with_pieces(state, unit)
    state, contact_steps = _joins(state, march, met, action.circumstances)
    allowed = (allowance.allowed_step(state, march.unit),) if march.marches else ()
    told = telling.where_to(march, unit, action.to)
    report = Report(
        headline=telling.headline(state, march, unit, met),
        side=unit.side,
        steps=(*allowed, *march.steps, *told, *left_whom, *after_steps, *contact_steps),
        outcome=telling.outcome(state, march, unit),
        warnings=(*telling.crowded(march), *(after_moving.warning(state, unit) if march.run > 0 else ())),
        units=(unit.id, *met),
    )
    return state, report


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
    assert march.path is not None, "who halts has gone some way"
    others = (
        foe.id for foe, there in WAYS.foes(state, march.unit, march.path) if table.touching(march.halt.base, there)
    )
    return tuple(dict.fromkeys((first, *others)))


def _joins(
    state: EmpireState, march: March, met: tuple[str, ...], words: tuple[str, ...]
) -> tuple[EmpireState, tuple[Step, ...]]:
    """Into contact, in flank or rear as it set out (BE-M.3)."""
    steps: tuple[Step, ...] = ()
    for enemy_id in met:
        enemy = state.unit(enemy_id)
        said = FLANK in words and not enemy.in_square
        flank = said or (march.start is not None and in_flank(state, enemy, march.start))
        state = join(state, march.unit.id, enemy_id, flank=flank)
        where = "in flank or rear" if flank else "in front"
        steps += (Step(text=f"{march.unit.name} charges {enemy.name}", cite=CONTACT, verdict=where),)
    return state, steps


def umpires_words(state: EmpireState, action: Action) -> Iterable[str]:
    """Where the table knows the place it knows the enemy's flank (BE-M.3)."""
    unit = state.units.get(action.unit or "")
    return (FLANK, INTO_CONTACT) if unit is not None and unit.place is not None else ()


def says_what_is_the_umpires(state: EmpireState, action: Move) -> bool:
    """Whether a player may not claim what is said."""
    return any(word in umpires_words(state, action) for word in action.circumstances)


def legal(state: EmpireState, side: Viewer) -> Iterable[Move]:
    """Moves the side may make now: at the nearest enemy, every way as far as it may, and every change."""
    if state.now not in MOVEMENT or side not in (state.active, UMPIRE):
        return
    for unit in state.of_side(state.active):
        if not _is_ready(state, unit):
            continue
        for order in _thinkable(state, unit):
            try:
                move(state, order, NoDice())
            except Refused:
                continue
            yield order


def towards(state: EmpireState, unit_id: str) -> tuple[str, ...]:
    """`towards` every other unit that this one may now go towards."""
    if not _is_ready(state, state.unit(unit_id)):
        return ()
    return tuple(towards_each(state, unit_id, lambda to: move(state, Move(unit=unit_id, to=to), NoDice())))


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


DEED: Deed[EmpireState] = Deed(Move, move, legal=legal)
