"""Marches on tables in inches: destination, distance, contact and report.

A system adds its rates, its formations, and what else its troops may not do.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

from rules.core.model import Cite
from rules.core.odds import Odds, Outcome
from rules.core.refusal import NotSaid, Refused
from rules.core.report import Step
from rules.core.throws import Spread, chance_of_at_least
from rules.core.wording import inches, tenths

from . import table
from .battle import Place, TableState, TableUnit, U
from .place import WAYS, Course, Destination, Spot, Towards, TowardsMarker, Turn
from .squares import direction, spot
from .table import Base
from .ways import Halt, Way, Ways, read_place, stand

A = TypeVar("A")
MOST_WORDS = 120
"""Characters told of a player's own words for a place."""


def how_far(unit: TableUnit) -> str:
    """Return the question that the odds of a march answer."""
    return f"How far {unit.verb('do')} {unit.name} move?"


@dataclass(frozen=True)
class Route:
    """A unit's intended move: typed words, parsed `goal`, and path if places are known.

    It `marches` unless it turns on the spot, or does something else where it stands.
    """

    words: str | None
    goal: Destination | None
    marches: bool
    start: Base | None = None
    way: Way | None = None

    @property
    def wanted(self) -> float | None:
        """Return the wanted inches, or None for maximum distance."""
        if self.way is not None:
            return self.way.wanted
        return self.goal.inches if isinstance(self.goal, Course | Towards | TowardsMarker) else None

    @property
    def open_ended(self) -> bool:
        """Whether the move goes towards a unit or marker without a stated distance."""
        return isinstance(self.goal, Towards | TowardsMarker) and self.goal.inches is None

    def in_words(self, state: TableState[Any]) -> str:
        """`Towards Zulu impi`, `Forward 6 inches`, `To C2 NW`, `Face east`; nothing of what names no place."""
        match self.goal:
            case Towards(unit=other, inches=so_far):
                name = state.units[other].name
                return f"Towards {name}" if so_far is None else f"{tenths(so_far)} inches towards {name}"
            case TowardsMarker(marker=marker, inches=so_far):
                name = state.markers[marker].name
                return f"Towards {name}" if so_far is None else f"{tenths(so_far)} inches towards {name}"
            case Course(turn=turn, inches=so_far):
                way = next(word for word, degrees in WAYS.items() if degrees == turn)
                return f"{way.capitalize()} {tenths(so_far)} inches"
            case Spot(at=at, facing=facing):
                faces = "" if facing is None else f" facing {direction(facing)}"
                return f"To {spot(at)}{faces}"
            case Turn(facing=facing):
                return f"Face {direction(facing)}"
        return ""

    def did(self, run: float, verb: str = "move") -> tuple[str, ...]:
        """`move 6"`, `halt at once`, `turn to face east`, of many; nothing of a unit that only changes."""
        if self.marches:
            return (f"{verb} {inches(run)}" if inches(run) != inches(0) else "halt at once",)
        return (f"turn to face {direction(self.goal.facing)}",) if isinstance(self.goal, Turn) else ()

    def in_own_words(self, unit: TableUnit, run: float, rule: Cite) -> tuple[Step, ...]:
        """Return the player's words as a step, for units without places."""
        if not self.marches or unit.place is not None or self.words is None:
            return ()
        return (Step(text=f"{unit:They move} {inches(run)}, {self.words[:MOST_WORDS]}", cite=rule),)

    def stands_at(self, unit: TableUnit, run: float, pieces: str) -> str:
        """Return where it stands now; where no place is kept, how far to move its `pieces`."""
        if unit.place is not None:
            return f"{unit:They stand} at {unit.place.spoken}."
        return f"Move the {pieces} {inches(run)}{self._where}." if self.marches else ""

    @property
    def _where(self) -> str:
        """Return ` forward`, ` towards Amarar` or `, behind the hedge`; an empty string if nobody said."""
        if isinstance(self.goal, Course):
            return f" {next(word for word, degrees in WAYS.items() if degrees == self.goal.turn)}"
        between = " " if isinstance(self.goal, Towards | TowardsMarker) else ", "
        return f"{between}{self.words[:MOST_WORDS]}" if self.words else ""

    def odds(self, unit: TableUnit, step: Step, spread: Spread, factor: Fraction, what: str) -> Odds:
        """Return the chance of each number of inches, or of getting there, of a march by dice, told as `step`.

        `spread` is of `what`, before it is multiplied by the factor.
        """
        odds = Odds(
            question=how_far(unit),
            steps=(step,),
            outcomes=tuple(Outcome(label=inches(float(n * factor)), chance=chance) for n, chance in spread),
            spread=spread,
            spread_of=what,
        )
        wanted = self.wanted
        if wanted is None:
            return odds
        enough = [n for n, _ in spread if n * factor >= wanted - table.CLOSE]
        there = chance_of_at_least(spread, enough[0]) if enough else Fraction(0)
        outcomes = (
            Outcome(label=unit.verb("get there"), chance=there, good=True),
            Outcome(label=unit.verb("fall short"), chance=1 - there, good=False),
        )
        question = f"{unit.verb('do').capitalize()} {unit.name} go {inches(wanted)}?"
        asked = {"question": question, "pass_from": enough[0] if enough else None}
        return odds.model_copy(update={**asked, "outcomes": outcomes})


def errand(state: TableState[U], unit: U, to: str | None, *, stays: bool) -> Route:
    """Return the unit's errand: to march or to turn, or None if it `stays` to do something else. Raises NoPlace."""
    goal = read_place(state, unit, to)
    words = f"towards {state.units[goal.unit].name}" if isinstance(goal, Towards) else to
    words = f"towards {state.markers[goal.marker].name}" if isinstance(goal, TowardsMarker) else words
    return Route(words, goal, (to is not None or not stays) and not isinstance(goal, Turn))


@dataclass(frozen=True)
class Reach:
    """Inches a unit may go, at least and at most: they differ where dice say how far. A rule refuses more."""

    least: float
    furthest: float
    rule: Cite


@dataclass(frozen=True, kw_only=True)
class Marches(Ways[U]):
    """The marches of a system's units. By the rule of `contact` not all fight each other: `attackers` says who."""

    contact: Cite
    attackers: str

    @property
    def contact_rule(self) -> Cite:
        """The rule that lets only some units move into contact."""
        return self.contact

    def route(self, state: TableState[U], unit: U, errand: Route) -> Route:
        """Return the route of a unit as it sets out on its errand. Raises Refused where its end is unknown."""
        start, goal = self.placement.base(unit), errand.goal
        if errand.marches and start is not None and goal is None:
            raise Refused(f"Say where {unit:are} to go: “C2”, “forward 6” or “towards …”.", self.rule)
        return replace(errand, start=start, way=self.way(state, unit, start, goal) if start and goal else None)

    def may_march(
        self, state: TableState[U], unit: U, route: Route, reach: Reach, *, attacks: bool, joins: bool = False
    ) -> Halt[U]:
        """Check a march before any dice: reach, enemies on the way, room. Return the shortest possible end.

        `attacks`: it is said to come into contact; `joins`: it may march to a friend it touches. Raises Refused.
        """
        wanted, furthest = route.wanted, reach.furthest
        fixed = wanted is not None and reach.least == furthest and not route.open_ended
        if wanted is not None and fixed and wanted > furthest + table.CLOSE:
            goes_on = "“towards …” goes as far as it may."
            raise Refused(f"{unit.name} may move {inches(furthest)}; that is {inches(wanted)}. {goes_on}", reach.rule)
        if attacks and route.way is None:
            self._knows_its_enemy(state, unit, route.goal)
        if wanted is not None and wanted <= table.CONTACT and not self._arrives(state, unit, route, attacks, joins):
            raise Refused(f"{unit:are} there already. To turn {unit:them}, say “face north-east”.", self.rule)
        if route.way is not None:
            self.barred(state, unit, route.way, furthest)
        halt = self.halt(state, unit, route, reach.least)
        if halt.crowded_by and halt.run <= 0:
            raise Refused(f"There is no room for {unit.name} on that way: {stand(halt.crowded_by)} there.", self.rule)
        return halt

    def _knows_its_enemy(self, state: TableState[U], unit: U, goal: Destination | None) -> None:
        """Require a named enemy and distance for contact without places."""
        if not isinstance(goal, Towards) or goal.inches is None or state.units[goal.unit].side == unit.side:
            raise NotSaid(
                f"Contact which enemy, and how far off? Say where {unit:they go}: “towards Black Watch 6”.",
                self.contact,
                "to",
            )
        enemy = state.units[goal.unit]
        if not self.attacks(unit) or not self.takes_ground(enemy):
            raise Refused(f"{unit:do} not fight {enemy.name}: {self.attackers}.", self.contact)
        self.may_attack(unit)

    def into_contact(self, state: TableState[U], unit: U, move: Callable[..., A], said: str) -> Iterable[A]:
        """Yield a move into contact with each enemy, for a unit whose place is unknown. People state the distance."""
        for enemy in state.enemies(unit.side) if self.attacks(unit) else ():
            if self.takes_ground(enemy):
                yield move(unit=unit.id, to=f"towards {enemy.id}", circumstances=(said,))

    def _arrives(self, state: TableState[U], unit: U, route: Route, attacks: bool, joins: bool) -> bool:
        """Whether a march of zero inches is valid: to a touching enemy or a joinable friend."""
        if not isinstance(route.goal, Towards):
            return False
        other = state.units[route.goal.unit]
        if other.side == unit.side and not joins:
            return False
        there = self.placement.base(other)
        if route.way is None or there is None:
            return other.side == unit.side or attacks
        return table.touching(route.way.base, there)

    def may_stay(self, state: TableState[U], before: U, route: Route, *, changes: bool) -> Halt[U]:
        """Return a unit that does not march turns, or changes where it stands, and has room to: how. Raises Refused."""
        was, now = self.placement.base(before), route.way.base if route.way else route.start
        if was is not None and now is not None:
            if route.way is not None and not changes and now.facing == was.facing:
                raise Refused(f"{before:face} that way already.", self.rule)
            if now != was:
                self.room_to_stand(state, before, was, now)
        return self.halt(state, before, route, 0.0)

    def halt(self, state: TableState[U], unit: U, route: Route, allowed: float) -> Halt[U]:
        """Return the march's end: as far as wanted and allowed, or turned on the spot."""
        if not route.marches:
            return Halt(0.0, route.way.base if route.way else None, None, ())
        if route.way is None:
            return Halt(allowed if route.wanted is None else min(route.wanted, allowed), None, None, ())
        return self.go(state, unit, route.way, allowed)

    def met(self, state: TableState[U], unit: U, route: Route, halt: Halt[U], *, attacks: bool) -> tuple[str, ...]:
        """Return ids of enemies in contact at the end of the march."""
        if route.way is None or halt.base is None:
            there = route.wanted is not None and halt.run >= route.wanted
            return (route.goal.unit,) if attacks and there and isinstance(route.goal, Towards) else ()
        if halt.met is None:
            return ()
        foes = self.foes(state, unit, route.way, halt.run)
        others = (foe.id for foe, there_ in foes if table.touching(halt.base, there_))
        return tuple(dict.fromkeys((halt.met, *others)))


def worth_trying(goal: TableUnit | None, run: str) -> Iterable[str]:
    """Yield where a unit may be thought to go: towards its goal, and so many inches every way."""
    if goal is not None:
        yield f"towards {goal.id}"
    yield from (f"{way} {run}" for way in ("forward", "back", "left", "right"))


def to_ground(state: TableState[Any], here: Place, run: float) -> Iterable[str]:
    """Yield destinations up to `run` inches towards each objective."""
    for each in state.objectives:
        far = table.distance(here.point, each.at)
        if far > table.CONTACT:
            x, y = table.shifted(here.point, table.bearing(here.point, each.at), min(run, far))
            yield f"{x:.2f},{y:.2f}"
