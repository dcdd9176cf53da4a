"""Moves before they are made: the order, whether it is allowed, and how far it goes (MM-2)."""

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from shapely import LineString, unary_union

from rules.core.model import Cite
from rules.core.refusal import Refused, refuse
from rules.core.report import Modifier, Step
from rules.core.scene import Feature
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.tabletop.marches import MarchLimits, Route, read_route
from rules.core.tabletop.place import BackToHorses, TowardsUnit
from rules.core.tabletop.ways import Way
from rules.core.wording import inches
from rules.magdala.arms import COMMANDERS
from rules.magdala.model import Attack, MagdalaState, MagdalaUnit, Morale
from rules.magdala.placement import MOUNTED, WAYS, base, mounted_attack_refusal
from rules.magdala.shared import find_unit_on_table, require_may_be_ordered

from . import allowance
from .allowance import MoveRate
from .formation import CHANGES, CHANGES_AT_HALT, HALF_TURN, LIMBERING, replaces_move, require_time

CHARGE, INTO_CONTACT, NOT_ADVANCING = "charge", "into contact", "not advancing"
BAD, GOOD = "bad going", "good going"
BAD_GOING = {
    Feature.ROUGH: "rough ground",
    Feature.WOOD: "a wood",
    Feature.MARSH: "a marsh",
    Feature.RIVER: "a river",
    Feature.HILL: "a hill",
}
ATTACKS = {"in the flank": Attack.FLANK, "in the rear": Attack.REAR}

CHARGING = Cite(rule="MM-2.2")
PINNED = Cite(rule="MM-5.1")
RIVERBOAT = Cite(rule="MM-A")


class Move(Action):
    """Move a unit, and change its order, formation, mount, limber or cover.

    `to` is a place on the table (“C2 NW”, “towards Black Watch 6”, “face north-east”), or free text for the log if
    the umpire moves the figures. Changes alone (“lie down”) need no `to` and are no move.
    """

    circumstance_names = (CHARGE, BAD, GOOD, *CHANGES, NOT_ADVANCING, INTO_CONTACT, *ATTACKS)

    to: str | None = None


@dataclass(frozen=True)
class March:
    """A settled move before its dice. `words` are the stated circumstances.

    `moves` is true if the unit marches, or lies down or gets up instead (MM-3.4).
    """

    unit: str
    words: tuple[str, ...]
    changes: tuple[str, ...]
    route: Route
    moves: bool
    rate: MoveRate
    modifiers: tuple[Modifier, ...]
    steps: tuple[Step, ...]

    @property
    def needs_no_dice(self) -> bool:
        """Whether the move is made without dice."""
        return not (self.route.marches and self.rate.dice)

    @property
    def factor(self) -> Fraction:
        """Return the product of all modifiers, by which the rate's inches are multiplied."""
        return prod((modifier.value for modifier in self.modifiers), start=Fraction(1))

    @property
    def reach(self) -> MarchLimits:
        """Return the least and the greatest number of inches that the dice may allow."""
        least, furthest = (float(self.rate.distribution[end][0] * self.factor) for end in (0, -1))
        return MarchLimits(least, furthest, self.modifiers[0].cite if self.modifiers else self.rate.cite)


def make_changes_before_move(state: MagdalaState, unit: MagdalaUnit, changes: Collection[str]) -> MagdalaUnit:
    """Return the unit after the changes made before it moves. Raises Refused if a change cannot be made."""
    for word in changes:
        if not CHANGES[word].at_halt:
            unit = CHANGES[word].apply(state, unit)
    return unit


def plan_march(state: MagdalaState, action: Move) -> March:
    """Return the settled move. Raises Refused with the rule; then nothing has moved."""
    unit, words = find_unit_on_table(state, action.unit), action.circumstances
    require_may_be_ordered(state, unit)
    pinned = f"{unit:are} pinned: {unit:they hold} {unit:their} ground this turn."
    refuse(PINNED, (unit.morale is Morale.PINNED, pinned))
    changes = tuple(word for word in CHANGES if word in words)
    stated_route = read_route(state, unit, action.to, stays=bool(changes))
    without = isinstance(stated_route.goal, BackToHorses) and unit.horses_at is None
    refuse(allowance.MOUNTING, (without, f"{unit:have} left no horses anywhere."))
    moves = stated_route.marches or replaces_move(state, unit, changes, marches=False)
    require_time(state, unit, changes, marches=stated_route.marches, moves=moves)
    ready = make_changes_before_move(state, unit, changes)
    route = WAYS.trace_route(state, ready, stated_route)
    for word in changes:
        if CHANGES[word].at_halt and not (route.marches and word in CHANGES_AT_HALT):
            CHANGES[word].apply(state, ready)
    half_turn = unit.this_turn.half_turn_spent or not HALF_TURN.isdisjoint(changes)
    own = _find_rate(state, ready, words, marches=route.marches, half_turn=half_turn)
    bad_going, steps = _find_bad_going(state, ready, words, route.way, own) if route.marches else ("", ())
    factors = allowance.move_factors(state.options, bad_going=bad_going, half_turn=half_turn) if route.marches else ()
    steps = (*steps, *_short_halt_steps(state, ready, route))
    march = March(unit.id, words, changes, route, moves, own, factors, steps)
    if route.marches:
        _check_march(state, march, ready)
    else:
        WAYS.check_change_on_spot(state, unit, route, changes=bool(changes))
    return march


def _find_rate(
    state: MagdalaState, unit: MagdalaUnit, words: Collection[str], *, marches: bool, half_turn: bool
) -> MoveRate:
    """Return the unit's rate, or its rate in a charge. Raises Refused on unlimbered guns and unlawful charges."""
    own, options = allowance.move_rate(unit, state.options), state.options
    unlimbered = marches and allowance.must_limber_to_move(unit) and not unit.limbered
    refuse(LIMBERING, (unlimbered, f"{unit:are} unlimbered. Limbering takes a full turn."))
    if CHARGE not in words:
        return own
    if own.charge is None:
        raise Refused(f"{unit.name} cannot charge: regular cavalry do. {unit:They} may move {own.text}.", CHARGING)
    refuse(CHARGING, (half_turn, f"{unit.name} cannot charge in a turn of mounting or dismounting."))
    stood = unit.last_moved_turn is None or unit.last_moved_turn < state.turn - 1
    trot = f"Trot {inches(options.least_trot)} this turn, charge the next."
    from_the_halt = f"{unit.name} stood last turn, and cavalry never charges from the halt. {trot}"
    refuse(CHARGING.as_ruling, (options.charge_after_move and stood, from_the_halt))
    return own.model_copy(update={"inches": own.charge, "row": f"{own.row}, charging"})


def _find_bad_going(
    state: MagdalaState, unit: MagdalaUnit, words: Collection[str], way: Way | None, rate: MoveRate
) -> tuple[str, tuple[Step, ...]]:
    """Return the bad going that slows the unit, in words or empty, and report steps about it (MM-2.9)."""
    if GOOD in words:
        return "", ()
    reason = BAD if BAD in words else ""
    if not reason and way is not None:
        ground = table.swept_ground(way.base, way.bearing, min(way.wanted, rate.distribution[-1][0]))
        pieces = (piece for piece in state.terrain if piece.feature in BAD_GOING)
        slow = (piece for piece in pieces if table.piece_shape(piece).intersection(ground).area > table.CLOSE)
        reason = next((f"bad going, {BAD_GOING[piece.feature]}" for piece in slow), "")
    if not reason or allowance.is_formed_regulars_or_guns(unit):
        return reason, ()
    step = Step(text=f"Not formed regulars: {reason} does not slow {unit.name}", cite=allowance.BAD_GOING)
    return "", (step,)


def _short_halt_steps(state: MagdalaState, unit: MagdalaUnit, route: Route) -> tuple[Step, ...]:
    """Return a step if mounted infantry halts short of the enemy at whom it moves (MM-2.3), else ()."""
    way = route.way
    if way is None or way.meant_for is None or not route.is_open_ended or mounted_attack_refusal(unit) is None:
        return ()
    enemy = state.units[way.meant_for].name
    return (Step(text=f"Mounted, {unit.name} {unit.verb('halt')} short of {enemy}", cite=MOUNTED),)


def _check_march(state: MagdalaState, march: March, unit: MagdalaUnit) -> None:
    """Raise Refused if the move is too long, passes an enemy, ends without clearance, or charges no enemy."""
    route, way = march.route, march.route.way
    goal = state.units[route.goal.unit] if isinstance(route.goal, TowardsUnit) else None
    joins = unit.troop in COMMANDERS and goal is not None and goal.general != unit.id
    WAYS.check_march(state, unit, route, march.reach, attacks=INTO_CONTACT in march.words, joins=joins)
    if way is None:
        return
    start, end = way.base, way.base_after(min(way.wanted, march.reach.furthest))
    if CHARGE in march.words:
        foes = (foe_base for enemy in state.enemies(unit.side) if (foe_base := base(enemy)))
        homes = any(table.gap(end, foe_base) < table.gap(start, foe_base) + table.CLOSE for foe_base in foes)
        refuse(CHARGING.as_ruling, (not homes, f"{unit:charge} an enemy, not away from all. Trot there instead."))
    if unit.afloat and start.at != end.at:
        river = unary_union([table.piece_shape(piece) for piece in state.terrain if piece.feature is Feature.RIVER])
        on_it = river.covers(LineString((start.at, end.at)))
        refuse(RIVERBOAT, (not on_it, f"{unit:keep} to the river. Choose a point on it."))
