"""Marches on tables in inches: destination, distance, contact and report.

Each system adds its own rates of march, formations and restrictions.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

from rules.core.model import Cite
from rules.core.odds import Odds, Outcome
from rules.core.refusal import MissingField, Refused
from rules.core.report import Step
from rules.core.throws import Distribution, chance_of_at_least
from rules.core.wording import decimal_text, inches

from . import table
from .battle import Place, TableState, TableUnit, U
from .destinations import read_destination
from .place import Destination, MoveByDistance, Spot, TowardsLandmark, TowardsMarker, TowardsUnit, TurnOnSpot
from .squares import direction_name, spot_name
from .table import Base
from .ways import Halt, Way, Ways, say_who_stands

A = TypeVar("A")
MAX_QUOTE = 120
"""Maximum number of characters quoted from a player's own words for a place."""


def how_far_question(unit: TableUnit) -> str:
    """Return the question that a march's odds answer, such as `How far do the Rifles move?`."""
    return f"How far {unit.verb('do')} {unit.name} move?"


@dataclass(frozen=True)
class Route:
    """A unit's intended move: the typed `words`, and the `goal` that they name, if any.

    `marches` is false if the unit only turns, or acts without moving. `start` and `way` are None until they are
    traced, and stay None if positions are unknown.
    """

    words: str | None
    goal: Destination | None
    marches: bool
    start: Base | None = None
    way: Way | None = None

    @property
    def wanted_inches(self) -> float | None:
        """The intended distance in inches, or None if the player named none."""
        if self.way is not None:
            return self.way.wanted
        if isinstance(self.goal, MoveByDistance | TowardsUnit | TowardsMarker | TowardsLandmark):
            return self.goal.inches
        return None

    @property
    def is_open_ended(self) -> bool:
        """Whether the move goes towards a unit, marker or landmark without a stated distance."""
        return isinstance(self.goal, TowardsUnit | TowardsMarker | TowardsLandmark) and self.goal.inches is None

    def in_words(self, state: TableState[Any]) -> str:
        """Return the goal in words: `Towards Zulu impi`, `Forward 6 inches`, `To C2 NW`, `Face east`; `""` for none."""
        match self.goal:
            case TowardsUnit(unit=other, inches=distance):
                name = state.units[other].name
                return f"Towards {name}" if distance is None else f"{decimal_text(distance)} inches towards {name}"
            case TowardsMarker(marker=marker, inches=distance):
                name = state.markers[marker].name
                return f"Towards {name}" if distance is None else f"{decimal_text(distance)} inches towards {name}"
            case TowardsLandmark(name=name, inches=distance):
                return f"Towards {name}" if distance is None else f"{decimal_text(distance)} inches towards {name}"
            case MoveByDistance(direction=direction, inches=distance):
                return f"{direction.capitalize()} {decimal_text(distance)} inches"
            case Spot(at=at, facing=facing):
                faces = "" if facing is None else f" facing {direction_name(facing)}"
                return f"To {spot_name(at)}{faces}"
            case TurnOnSpot(facing=facing):
                return f"Face {direction_name(facing)}"
        return ""

    def describe_move(self, run: float, verb: str = "move") -> tuple[str, ...]:
        """Return the move for a headline: `move 6"`, `halt at once` or `turn to face east`.

        `run` is the distance in inches. The tuple is empty if the unit only changes formation.
        """
        if self.marches:
            return (f"{verb} {inches(run)}" if inches(run) != inches(0) else "halt at once",)
        return (f"turn to face {direction_name(self.goal.facing)}",) if isinstance(self.goal, TurnOnSpot) else ()

    def quote_words(self, unit: TableUnit, run: float, rule: Cite) -> tuple[Step, ...]:
        """Return a report step that quotes the player's words, if a unit without a position marches."""
        if not self.marches or unit.place is not None or self.words is None:
            return ()
        return (Step(text=f"{unit:They move} {inches(run)}, {self.words[:MAX_QUOTE]}", cite=rule),)

    def describe_final_position(self, unit: TableUnit, run: float, pieces: str) -> str:
        """Return a sentence that says where the unit stands or, without positions, how far to move its figures."""
        if unit.place is not None:
            return f"{unit:They stand} at {unit.place.spot_in_words}."
        return f"Move the {pieces} {inches(run)}{self._direction_in_words}." if self.marches else ""

    @property
    def _direction_in_words(self) -> str:
        """The direction to append to a distance: ` forward`, ` towards Amarar`, `, behind the hedge`; `""` for none."""
        if isinstance(self.goal, MoveByDistance):
            return f" {self.goal.direction}"
        between = " " if isinstance(self.goal, TowardsUnit | TowardsMarker | TowardsLandmark) else ", "
        return f"{between}{self.words[:MAX_QUOTE]}" if self.words else ""

    def odds(self, unit: TableUnit, step: Step, distribution: Distribution, factor: Fraction, score_label: str) -> Odds:
        """Return the chance to march the wanted distance.

        If no distance is wanted, return the chance of each. Inches are scores in `distribution` times `factor`.
        """
        odds = Odds(
            question=how_far_question(unit),
            steps=(step,),
            outcomes=tuple(Outcome(label=inches(float(n * factor)), chance=chance) for n, chance in distribution),
            distribution=distribution,
            score_label=score_label,
        )
        distance = self.wanted_inches
        if distance is None:
            return odds
        numbers = [n for n, _ in distribution if n * factor >= distance - table.CLOSE]
        chance = chance_of_at_least(distribution, numbers[0]) if numbers else Fraction(0)
        outcomes = (
            Outcome(label=unit.verb("get there"), chance=chance, good=True),
            Outcome(label=unit.verb("fall short"), chance=1 - chance, good=False),
        )
        question = f"{unit.verb('do').capitalize()} {unit.name} go {inches(distance)}?"
        pass_from = numbers[0] if numbers else None
        return odds.model_copy(update={"question": question, "pass_from": pass_from, "outcomes": outcomes})


def read_route(state: TableState[U], unit: U, to: str | None, *, stays: bool) -> Route:
    """Return the route that the words `to` describe, not yet traced on the table.

    Without words, the unit marches without a goal or, if `stays` is true, does not march. Raises Refused, or
    NoPlace if the words name no destination.
    """
    goal = read_destination(state, unit, to)
    words = f"towards {state.units[goal.unit].name}" if isinstance(goal, TowardsUnit) else to
    words = f"towards {state.markers[goal.marker].name}" if isinstance(goal, TowardsMarker) else words
    words = f"towards {goal.name}" if isinstance(goal, TowardsLandmark) else words
    return Route(words, goal, (to is not None or not stays) and not isinstance(goal, TurnOnSpot))


@dataclass(frozen=True)
class MarchLimits:
    """The shortest and longest allowed march in inches; they differ if dice decide the distance.

    Refusals of a longer march cite `rule`.
    """

    least: float
    furthest: float
    rule: Cite


@dataclass(frozen=True, kw_only=True)
class Marches(Ways[U]):
    """Traces and checks the marches of a system's units.

    `contact` is the rule by which only some units fight hand to hand. `attackers` describes these units in words.
    """

    contact: Cite
    attackers: str

    def trace_route(self, state: TableState[U], unit: U, route: Route) -> Route:
        """Return the route with its start and its straight way, if positions are known.

        Raises Refused if the route lacks a goal, or if the goal's position is unknown.
        """
        start, goal = self.placement.base(unit), route.goal
        if route.marches and start is not None and goal is None:
            raise Refused(f"Say where {unit:are} to go: “C2”, “forward 6” or “towards …”.", self.rule)
        return replace(route, start=start, way=self.find_way(state, unit, start, goal) if start and goal else None)

    def check_march(
        self, state: TableState[U], unit: U, route: Route, reach: MarchLimits, *, attacks: bool, joins: bool = False
    ) -> Halt[U]:
        """Return the halt of the shortest possible march, before dice are thrown.

        Raises Refused if the distance, an enemy or a lack of clearance forbids the march. If `attacks` is true, the
        player says that the unit comes into contact. If `joins` is true, it may march zero inches to a
        friend in contact.
        """
        distance, furthest = route.wanted_inches, reach.furthest
        is_fixed = distance is not None and reach.least == furthest and not route.is_open_ended
        if distance is not None and is_fixed and distance > furthest + table.CLOSE:
            hint = "“towards …” goes as far as it may."
            raise Refused(f"{unit.name} may move {inches(furthest)}; that is {inches(distance)}. {hint}", reach.rule)
        if attacks and route.way is None:
            self._require_named_enemy(state, unit, route.goal)
        if (
            distance is not None
            and distance <= table.CONTACT
            and not self._is_valid_without_moving(state, unit, route, attacks, joins)
        ):
            raise Refused(f"{unit:are} there already. To turn {unit:them}, say “face north-east”.", self.rule)
        if route.way is not None:
            self.check_way(state, unit, route.way, furthest)
        halt = self.find_halt_on_route(state, unit, route, reach.least)
        if halt.crowded_by and halt.run <= 0:
            friends_there = f"{say_who_stands(halt.crowded_by)} there"
            raise Refused(f"There is no room for {unit.name} on that way: {friends_there}.", self.rule)
        return halt

    def _require_named_enemy(self, state: TableState[U], unit: U, goal: Destination | None) -> None:
        """Raise MissingField unless the goal names an enemy and a distance.

        Contact without positions requires both. Raises Refused if the unit may not fight this enemy.
        """
        if not isinstance(goal, TowardsUnit) or goal.inches is None or state.units[goal.unit].side == unit.side:
            raise MissingField(
                f"Contact which enemy, and how far off? Say where {unit:they go}: “towards Black Watch 6”.",
                self.contact,
                "to",
            )
        enemy = state.units[goal.unit]
        if not self.attacks(unit) or not self.takes_ground(enemy):
            raise Refused(f"{unit:do} not fight {enemy.name}: {self.attackers}.", self.contact)
        self.check_attack(unit)

    def moves_into_contact(self, state: TableState[U], unit: U, move: Callable[..., A], word: str) -> Iterable[A]:
        """Yield a move into contact with each enemy, for a unit whose position is unknown.

        `move` creates the action. Its circumstance `word` says that the units come into contact.
        """
        for enemy in state.enemies(unit.side) if self.attacks(unit) else ():
            if self.takes_ground(enemy):
                yield move(unit=unit.id, to=f"towards {enemy.id}", circumstances=(word,))

    def _is_valid_without_moving(self, state: TableState[U], unit: U, route: Route, attacks: bool, joins: bool) -> bool:
        """Whether a unit may march zero inches, because it touches the unit that is its goal.

        If the goal is a friend, `joins` must be true. If it is an enemy, and positions are unknown, `attacks` must be.
        """
        if not isinstance(route.goal, TowardsUnit):
            return False
        other = state.units[route.goal.unit]
        if other.side == unit.side and not joins:
            return False
        goal_base = self.placement.base(other)
        if route.way is None or goal_base is None:
            return other.side == unit.side or attacks
        return table.are_touching(route.way.base, goal_base)

    def check_change_on_spot(self, state: TableState[U], before: U, route: Route, *, changes: bool) -> Halt[U]:
        """Return the halt after a turn or a formation change on the spot. Raises Refused.

        `before` is the unit before the change. `changes` is true for a formation change.
        """
        was, now = self.placement.base(before), route.way.base if route.way else route.start
        if was is not None and now is not None:
            if route.way is not None and not changes and now.facing == was.facing:
                raise Refused(f"{before:face} that way already.", self.rule)
            if now != was:
                self.require_clearance_on_spot(state, before, was, now)
        return self.find_halt_on_route(state, before, route, 0.0)

    def find_halt_on_route(self, state: TableState[U], unit: U, route: Route, allowed: float) -> Halt[U]:
        """Return the unit's halt after at most `allowed` inches of its route, or after its turn on the spot."""
        if not route.marches:
            return Halt(0.0, route.way.base if route.way else None, None, ())
        if route.way is None:
            return Halt(allowed if route.wanted_inches is None else min(route.wanted_inches, allowed), None, None, ())
        return self.find_halt_on_way(state, unit, route.way, allowed)

    def enemies_met(
        self, state: TableState[U], unit: U, route: Route, halt: Halt[U], *, attacks: bool
    ) -> tuple[str, ...]:
        """Return the ids of the enemies in contact after the march, first the enemy that stopped it.

        Without positions, return only the named enemy, if the unit `attacks` and marched the whole distance.
        """
        if route.way is None or halt.base is None:
            arrived = route.wanted_inches is not None and halt.run >= route.wanted_inches
            return (route.goal.unit,) if attacks and arrived and isinstance(route.goal, TowardsUnit) else ()
        if halt.met is None:
            return ()
        foes = self.foes_on_way(state, unit, route.way, halt.run)
        foe_ids = (foe.id for foe, base in foes if table.are_touching(halt.base, base))
        return tuple(dict.fromkeys((halt.met, *foe_ids)))


def destinations_to_try(goal: TableUnit | None, run: str) -> Iterable[str]:
    """Yield destinations in words: towards `goal`, if given, and `run` inches in each of four directions."""
    if goal is not None:
        yield f"towards {goal.id}"
    yield from (f"{way} {run}" for way in ("forward", "back", "left", "right"))


def destinations_towards_objectives(state: TableState[Any], start: Place, run: float) -> Iterable[str]:
    """Yield a point, in words, towards each objective not yet reached, at most `run` inches from `start`."""
    for objective in state.objectives:
        far = table.distance(start.point, objective.at)
        if far > table.CONTACT:
            x, y = table.shift_point(start.point, table.bearing(start.point, objective.at), min(run, far))
            yield f"{x:.2f},{y:.2f}"
