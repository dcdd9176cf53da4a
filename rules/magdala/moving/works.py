"""Sangars, built by those who are to lie behind them (MM-7)."""

from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar

from rules.core.action_type import SimpleType
from rules.core.model import Cite
from rules.core.odds import Odds, Outcome
from rules.core.refused import refuse
from rules.core.report import Step
from rules.core.scene import Feature, TerrainPiece
from rules.core.state import Action
from rules.core.tabletop.placement import standing_on
from rules.core.throws import Against
from rules.core.trial import Trial
from rules.magdala.action_types import OwnTurnType, conclude, find, free_in_own_turn
from rules.magdala.arms import is_infantry
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Order, Works
from rules.magdala.placement import base
from rules.magdala.tables import SIDES, matter

BUILDING = Cite(rule="MM-7")
ROCKY = (Feature.ROUGH, Feature.HILL)
ROCKY_GROUND, NOT_YET = "rocky ground", "not yet complete"


class Build(Action):
    """Spends the unit's turn on a sangar; `rocky ground` is the umpire's word for it where the table has none."""

    kind: ClassVar[str] = "build"
    circumstance_names: ClassVar[tuple[str, ...]] = (ROCKY_GROUND,)


class BuildType(SimpleType[MagdalaState, Build], OwnTurnType[Build, Build]):
    """A move more is spent; from the third on a 5-6 completes it (MM-7)."""

    action = Build

    def known_better(self, state: MagdalaState, unit: MagdalaUnit, action: Build) -> Iterable[str]:  # noqa: ARG002
        """The ground, where it stands on the table."""
        return (ROCKY_GROUND,) if unit.place is not None else ()

    def check(self, state: MagdalaState, action: Build) -> None:
        """Detachments or skirmishers, in rocky ground, not under fire. Raises Refused."""
        unit = find(state, action.unit)
        free_in_own_turn(state, unit)
        memory, under_fire = unit.this_turn, unit.this_turn.under_fire or unit.morale is Morale.PINNED
        builds = is_infantry(unit) and (unit.is_detachment or unit.order is Order.SKIRMISH)
        rocky = ROCKY_GROUND in action.circumstances or standing_on(state, unit, ROCKY) is not None
        says = f"{'say' if unit.place is None else 'the umpire may say'} “{ROCKY_GROUND}”"
        not_rocky = f"{unit.name} is not in rough ground or on a hill. If it is rocky, {says}."
        busy = memory.has_moved or memory.half_turn_spent or memory.has_fired
        refuse(
            BUILDING,
            (not builds, f"{unit.name} builds no sangar: detachments and skirmishers on foot do."),
            (unit.works is Works.SANGAR, f"{unit.name} lies behind its sangar already."),
            (under_fire, f"{unit.name} is under fire and cannot build. Try again when it is not."),
        )
        refuse(BUILDING.ruled, (busy, f"{unit.name} has moved or fired; building takes its whole turn."))
        refuse(BUILDING, (not rocky, not_rocky))

    def label(self, state: MagdalaState, plan: Build) -> str:
        """`Sangar of Afridis: 33%`."""
        unit = find(state, plan.unit)
        trial = _trial(unit)
        return f"Sangar of {unit.name}{trial.said_chance if trial else ': 0%'}"

    def odds(self, state: MagdalaState, plan: Build) -> Odds:
        """The chance of completing it now."""
        unit = find(state, plan.unit)
        trial = _trial(unit)
        if trial is not None:
            return trial.odds()
        spent = Step(text=f"{unit.building_sangar} moves spent so far", cite=BUILDING)
        outcomes = (
            Outcome(label="complete", chance=Fraction(0), good=True),
            Outcome(label=NOT_YET, chance=Fraction(1), good=False),
        )
        return Odds(question=f"Does {unit.name} complete its sangar?", steps=(spent,), outcomes=outcomes)

    def resolve(self, play: MagdalaPlay, plan: Build) -> None:
        """Throws where it can be complete; the sangar then stays on the table."""
        unit = find(play.state, plan.unit)
        trial, moves = _trial(unit), unit.building_sangar + 1
        if trial is None:
            play.note(f"Move {moves} spent on the sangar", BUILDING)
        complete = trial is not None and trial.throw(play)
        play.change(
            unit.id,
            building_sangar=0 if complete else moves,
            works=Works.SANGAR if complete else unit.works,
            this_turn=unit.this_turn.model_copy(update={"whole_turn_spent": True}),
        )
        if complete:
            play.state = _drawn(play.state, unit)
        outcome = "It is covered from small arms." if complete else f"{moves} moves spent so far."
        conclude(play, f"{unit.name} {'completes its' if complete else 'builds a'} sangar", unit.id, outcome=outcome)


def _trial(unit: MagdalaUnit) -> Trial | None:
    """The D6 that may complete the sangar, once enough moves have been spent on it."""
    if unit.building_sangar < matter("moves spent on a sangar before it can be complete"):
        return None
    test = Against(1, SIDES, matter("a sangar is complete on a D6 of at least"))
    return Trial(
        unit=unit.id,
        text=f"{unit.name}, move {unit.building_sangar + 1} on its sangar",
        cite=BUILDING,
        test=test,
        hope="to complete it",
        passed="complete",
        failed=NOT_YET,
        against=f"on {test.needed} or more",
        question=f"Does {unit.name} complete its sangar?",
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
