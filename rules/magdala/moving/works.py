"""Sangars, built by those who are to lie behind them (MM-7)."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rules.core.model import Cite, Mark
from rules.core.odds import Odds, Outcome
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.scene import Feature, TerrainPiece
from rules.core.state import Action
from rules.core.tabletop.placement import standing_on
from rules.core.throws import Against
from rules.core.wording import percent
from rules.magdala.action_types import OwnTurnType, conclude
from rules.magdala.arms import is_infantry
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Order, Works
from rules.magdala.orders import find, free_in_own_turn
from rules.magdala.placement import base
from rules.magdala.tables import SIDES, matter

BUILDING = Cite(rule="MM-7")
BUILDING_RULING = Cite(rule="MM-7", mark=Mark.RULING)
ROCKY = (Feature.ROUGH, Feature.HILL)
ROCKY_GROUND = "rocky ground"


class Build(Action):
    """Spends the unit's turn on a sangar; `rocky ground` is the umpire's word for it where the table has none."""

    kind: ClassVar[str] = "build"
    circumstance_names: ClassVar[tuple[str, ...]] = (ROCKY_GROUND,)


@dataclass(frozen=True)
class BuildPlan:
    """The unit, its moves spent with this one, and the D6 that may complete the sangar, from the third on."""

    unit: str
    moves: int
    test: Against | None

    @property
    def chance(self) -> Fraction:
        """The chance to complete it now."""
        return self.test.chance if self.test else Fraction(0)


class BuildType(OwnTurnType[Build, BuildPlan]):
    """A move more is spent; from the third on a 5-6 completes it (MM-7)."""

    action = Build

    def known_better(self, state: MagdalaState, unit: MagdalaUnit, action: Build) -> Iterable[str]:  # noqa: ARG002
        """The ground, where it stands on the table."""
        return (ROCKY_GROUND,) if unit.place is not None else ()

    def plan(self, state: MagdalaState, action: Build, *, supposing: bool = False) -> BuildPlan:  # noqa: ARG002
        """Detachments or skirmishers, in rocky ground, not under fire. Raises Refused."""
        unit = find(state, action.unit)
        free_in_own_turn(state, unit)
        _may_build(state, unit, action)
        throws = unit.building_sangar >= matter("moves spent on a sangar before it can be complete")
        test = Against(1, SIDES, matter("a sangar is complete on a D6 of at least")) if throws else None
        return BuildPlan(unit.id, unit.building_sangar + 1, test)

    def label(self, state: MagdalaState, plan: BuildPlan) -> str:
        """`Sangar of Afridis: 33%`."""
        return f"Sangar of {state.unit(plan.unit).name}: {percent(plan.chance)}"

    def odds(self, state: MagdalaState, plan: BuildPlan) -> Odds:
        """The chance of completing it now."""
        return Odds(
            question=f"Does {state.unit(plan.unit).name} complete its sangar?",
            steps=(Step(text=f"{plan.moves - 1} moves spent so far", cite=BUILDING),),
            outcomes=(
                Outcome(label="complete", chance=plan.chance, good=True),
                Outcome(label="not yet", chance=1 - plan.chance, good=False),
            ),
        )

    def resolve(self, play: MagdalaPlay, plan: BuildPlan) -> None:
        """Throws where it can be complete; the sangar then stays on the table."""
        unit = play.state.unit(plan.unit)
        step = Step(text=f"Move {plan.moves} spent on the sangar", cite=BUILDING)
        complete = False
        if plan.test is not None:
            throw = play.throw(1, SIDES, f"{unit.name}, sangar", side=unit.side)
            complete = plan.test.passes(throw)
            thrown = {"throws": (throw,), "score": Fraction(throw.total), "needed": f"on {plan.test.needed} or more"}
            hope = {"chance": plan.chance, "hope": "to complete it"}
            step = step.model_copy(update={**thrown, **hope, "verdict": "complete" if complete else "not yet complete"})
        play.change(
            unit.id,
            building_sangar=0 if complete else plan.moves,
            works=Works.SANGAR if complete else unit.works,
            this_turn=unit.this_turn.model_copy(update={"whole_turn_spent": True}),
        )
        if complete:
            play.state = _drawn(play.state, unit)
        play.say(step)
        outcome = "It is covered from small arms." if complete else f"{plan.moves} moves spent so far."
        conclude(play, f"{unit.name} {'completes its' if complete else 'builds a'} sangar", unit.id, outcome=outcome)


def _may_build(state: MagdalaState, unit: MagdalaUnit, action: Build) -> None:
    memory = unit.this_turn
    if not is_infantry(unit) or not (unit.is_detachment or unit.order is Order.SKIRMISH):
        raise Refused(f"{unit.name} builds no sangar: detachments and skirmishers on foot do.", BUILDING)
    if unit.works is Works.SANGAR:
        raise Refused(f"{unit.name} lies behind its sangar already.", BUILDING)
    if memory.under_fire or unit.morale is Morale.PINNED:
        raise Refused(f"{unit.name} is under fire and cannot build. Try again when it is not.", BUILDING)
    if memory.has_moved or memory.half_turn_spent or memory.has_fired:
        raise Refused(f"{unit.name} has moved or fired; building takes its whole turn.", BUILDING_RULING)
    if ROCKY_GROUND not in action.circumstances and standing_on(state, unit, ROCKY) is None:
        who_says = "say" if unit.place is None else "the umpire may say"
        raise Refused(
            f"{unit.name} is not in rough ground or on a hill. If it is rocky, {who_says} “{ROCKY_GROUND}”.", BUILDING
        )


def _drawn(state: MagdalaState, unit: MagdalaUnit) -> MagdalaState:
    """The sangar stays on the table, along the unit's front."""
    here = base(unit)
    if here is None:
        return state
    front = tuple((round(x, 2), round(y, 2)) for x, y in list(here.outline.exterior.coords)[:2])
    sangar = TerrainPiece(feature=Feature.SANGAR, points=front, closed=False, width=0.5, name=f"Sangar of {unit.name}")
    return state.model_copy(update={"terrain": (*state.terrain, sangar)})


BUILD = BuildType()
