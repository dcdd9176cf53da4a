"""A move before it is made: what is asked for, whether it may be, and how far it may go (MM-2)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rules.core.model import Cite, Mark
from rules.core.report import Modifier, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.tabletop.place import Course, Destination, Towards, Turn
from rules.core.tabletop.table import Base
from rules.core.tabletop.ways import Way, read_place, stand
from rules.core.wording import inches
from rules.magdala.arms import COMMANDERS
from rules.magdala.engagement import can_fight
from rules.magdala.model import Attack, MagdalaState, MagdalaUnit, Morale
from rules.magdala.orders import find, free_in_own_turn
from rules.magdala.placement import BAD_GOING, bad_going_on, base

from . import allowance, formation, travel
from .allowance import Rate
from .drill import ONE_MOVE, takes_its_move, time_for

CHARGE = "charge"
BAD, GOOD = "bad going", "good going"
NOT_ADVANCING = "not advancing"
INTO_CONTACT = "into contact"
ATTACKS = {"in the flank": Attack.FLANK, "in the rear": Attack.REAR}

CHARGING = Cite(rule="MM-2.2")
CHARGE_RULING = Cite(rule="MM-2.2", mark=Mark.RULING)
CONTACT = Cite(rule="MM-4.1", mark=Mark.RULING)


class Move(Action):
    """Moves a unit, and changes its order, formation, mount, limber or cover.

    `to` is a place on the table (“30,12”, “towards Black Watch 6”, “face ne”), or free words for the log where
    the umpire runs the figures. Changes alone (“lie down”) need no `to` and are no move.
    """

    kind: ClassVar[str] = "move"
    circumstance_names: ClassVar[tuple[str, ...]] = (
        CHARGE,
        BAD,
        GOOD,
        *formation.WORDS,
        NOT_ADVANCING,
        INTO_CONTACT,
        *ATTACKS,
    )

    to: str | None = None


@dataclass(frozen=True)
class March:
    """A move that may be made: everything settled but the dice.

    `unit` is an id, and `to` and `words` as they were said; it `moves` if it marches, or lies down or gets up instead
    (MM-3.4); `path` is None where positions are unknown; `wanted` inches, None for as far as it may.
    """

    unit: str
    to: str | None
    words: tuple[str, ...]
    changes: tuple[str, ...]
    marches: bool
    moves: bool
    rate: Rate
    modifiers: tuple[Modifier, ...]
    destination: Destination | None
    path: Way | None
    start: Base | None
    wanted: float | None
    steps: tuple[Step, ...]

    @property
    def sure(self) -> bool:
        """Whether no dice are thrown for it."""
        return not (self.marches and self.rate.dice)


def setting_out(state: MagdalaState, unit: MagdalaUnit, changes: Iterable[str]) -> MagdalaUnit:
    """The unit after the changes made before moving. Raises Refused where one cannot be made."""
    for word in changes:
        if word in formation.BEFORE:
            unit = formation.change(state, unit, word)
    return unit


def planned(state: MagdalaState, action: Move) -> March:
    """Settles all that comes before the dice. Raises Refused with the rule; then nothing has moved."""
    unit = find(state, action.unit)
    free_in_own_turn(state, unit)
    if unit.morale is Morale.PINNED:
        raise Refused(f"{unit.name} is pinned: it holds its ground this turn.", Cite(rule="MM-5.1"))
    words = action.circumstances
    changes = tuple(word for word in (*formation.BEFORE, *formation.AFTER) if word in words)
    destination = read_place(state, unit, action.to)
    marches = (action.to is not None or not changes) and not isinstance(destination, Turn)
    moves = marches or takes_its_move(state, unit, changes, marches)
    time_for(state, unit, changes, marches=marches, moves=moves)
    ready = setting_out(state, unit, changes)
    for word in changes:
        if word in formation.AFTER and not (marches and word in formation.WHERE_IT_HALTS):
            formation.change(state, ready, word)
    own = _rate(state, ready, words, marches)
    start = base(ready)
    path = travel.way(state, ready, start, destination) if start and destination else None
    if marches and start is not None and path is None:
        raise Refused(f"Say where {unit.name} is to go: “30,12”, “forward 6” or “towards …”.", ONE_MOVE)
    half = unit.this_turn.half_turn_spent or any(word in formation.HALF_TURN for word in changes)
    going, steps = _going(state, ready, words, path, own)
    modifiers = allowance.factors(state.options, bad_going=going, half_turn=half) if marches else ()
    wanted = path.wanted if path else _inches_named(destination)
    march = March(
        unit=unit.id,
        to=action.to,
        words=words,
        changes=changes,
        marches=marches,
        moves=moves,
        rate=own,
        modifiers=modifiers,
        destination=destination,
        path=path,
        start=start,
        wanted=wanted,
        steps=steps,
    )
    if marches:
        _within_reach(state, march, ready)
    else:
        _stays(state, march, unit, ready)
    return march


def _stays(state: MagdalaState, march: March, before: MagdalaUnit, unit: MagdalaUnit) -> None:
    """A unit that turns, or changes where it stands, does one or the other, and has room to. Raises Refused."""
    was = base(before)
    now = march.path.base if march.path else march.start
    if was is None or now is None:
        return
    if march.path is not None and not march.changes and now.facing == was.facing:
        raise Refused(f"{unit.name} faces that way already.", ONE_MOVE)
    if now != was:
        travel.room_to_stand(state, unit, was, now)


def _inches_named(destination: Destination | None) -> float | None:
    return destination.inches if isinstance(destination, Course | Towards) else None


def _rate(state: MagdalaState, unit: MagdalaUnit, words: tuple[str, ...], marches: bool) -> Rate:
    """The rate as it stands, or of a charge. Raises Refused for guns unlimbered, and charges that may not be."""
    own = allowance.rate(unit, state.options)
    if marches and formation.needs_limber(state, unit) and not unit.limbered:
        raise Refused(f"{unit.name} is unlimbered. Limbering takes a full turn.", formation.LIMBERING)
    if CHARGE not in words:
        return own
    if own.charge is None:
        raise Refused(f"{unit.name} cannot charge: regular cavalry does. It may move {own.text}.", CHARGING)
    if unit.this_turn.half_turn_spent or any(word in formation.HALF_TURN for word in words):
        raise Refused(f"{unit.name} cannot charge in a turn of mounting or dismounting.", CHARGING)
    moved_last = unit.last_moved_turn is not None and unit.last_moved_turn >= state.turn - 1
    if state.options.charge_after_move and not moved_last:
        raise Refused(
            f"{unit.name} stood last turn, and cavalry never charges from the halt. "
            f"Trot {inches(state.options.least_trot)} this turn, charge the next.",
            CHARGE_RULING,
        )
    return allowance.charging(own)


def _going(
    state: MagdalaState, unit: MagdalaUnit, words: tuple[str, ...], path: Way | None, own: Rate
) -> tuple[str, tuple[Step, ...]]:
    """Bad going in words, for those it slows (MM-2.9): what the umpire says, else the terrain on the way."""
    if GOOD in words:
        return "", ()
    reason = BAD if BAD in words else ""
    if not reason and path is not None:
        piece = bad_going_on(state, table.swept(path.base, path.bearing, min(path.wanted, own.furthest)))
        reason = f"bad going, {BAD_GOING[piece.feature]}" if piece else ""
    if not reason or allowance.is_formed(unit):
        return reason, ()
    step = Step(text=f"Not formed regulars: {reason} does not slow {unit.name}", cite=allowance.BAD_GOING)
    return "", (step,)


def _within_reach(state: MagdalaState, march: March, unit: MagdalaUnit) -> None:
    """A fixed move goes no further than it may; no move goes through enemies or off the table. Raises Refused."""
    wanted = march.wanted
    furthest = float(_scaled(march, march.rate.furthest))
    open_ended = isinstance(march.destination, Towards) and march.destination.inches is None
    if wanted is not None and not march.rate.dice and not open_ended and wanted > furthest + table.CLOSE:
        raise Refused(
            f"{unit.name} may move {inches(furthest)}; that is {inches(wanted)}. “towards …” goes as far as it may.",
            march.modifiers[0].cite if march.modifiers else march.rate.cite,
        )
    if INTO_CONTACT in march.words and march.path is None:
        _knows_its_enemy(state, march, unit)
    if wanted is not None and wanted <= table.CONTACT and not _arrives(state, march, unit):
        raise Refused(f"{unit.name} is there already. To turn it, say “face ne”.", ONE_MOVE)
    if march.path is None:
        return
    if CHARGE in march.words:
        _charges_home(state, march.path, unit, furthest)
    travel.barred(state, unit, march.path, furthest)
    least = float(_scaled(march, march.rate.dice + march.rate.inches))
    halt = travel.go(state, unit, march.path, least)
    if halt.crowded_by and halt.run <= 0:
        raise Refused(f"There is no room for {unit.name} on that way: {stand(halt.crowded_by)} there.", ONE_MOVE)


def _arrives(state: MagdalaState, march: March, unit: MagdalaUnit) -> bool:
    """Whether a march of no inches is one: into contact with an enemy at arm's length, or to join a unit at hand."""
    goal, path = march.destination, march.path
    if not isinstance(goal, Towards):
        return False
    other = state.units[goal.unit]
    joins = unit.troop in COMMANDERS and other.general != unit.id
    if other.side == unit.side and not joins:
        return False
    there = base(other)
    if path is None or there is None:
        return other.side == unit.side or INTO_CONTACT in march.words
    return table.touching(path.base, there)


def _charges_home(state: MagdalaState, path: Way, unit: MagdalaUnit, furthest: float) -> None:
    """A charge brings the cavalry nearer to some enemy (ruling). Raises Refused."""
    ends = path.at(min(path.wanted, furthest))
    foes = [there for enemy in state.enemies(unit.side) if (there := base(enemy))]
    if not any(table.gap(ends, there) < table.gap(path.base, there) + table.CLOSE for there in foes):
        raise Refused(f"{unit.name} charges an enemy, not away from all. Trot there instead.", CHARGE_RULING)


def _knows_its_enemy(state: MagdalaState, march: March, unit: MagdalaUnit) -> None:
    """Without positions the umpire says whom a unit meets, and how far off they were. Raises Refused."""
    goal = march.destination
    if not isinstance(goal, Towards) or goal.inches is None or state.units[goal.unit].side == unit.side:
        raise Refused("Into contact with whom, how far off? Say where it goes: “towards Black Watch 6”.", CONTACT)
    enemy = state.units[goal.unit]
    if not can_fight(unit, enemy):
        why = "leaders fight with their units, and wagons attack nobody"
        raise Refused(f"{unit.name} does not fight {enemy.name}: {why}.", CONTACT)


def _scaled(march: March, whole: int) -> float:
    result = float(whole)
    for modifier in march.modifiers:
        result *= float(modifier.value)
    return result
