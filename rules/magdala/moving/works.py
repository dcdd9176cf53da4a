"""Sangars, built by those who are to lie behind them (MM-7)."""

from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.odds import Odds, Outcome
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.core.scene import Feature, TerrainPiece
from rules.core.state import Action
from rules.core.tabletop.placement import standing_on
from rules.magdala.arms import is_infantry
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Order, Works
from rules.magdala.orders import counted, find, not_in_melee, own_turn, under_command
from rules.magdala.placement import base
from rules.magdala.tables import matter

SIDES = 6
BUILDING = Cite(rule="MM-7")
BUILDING_RULING = Cite(rule="MM-7", mark=Mark.RULING)
ROCKY = (Feature.ROUGH, Feature.HILL)
ROCKY_GROUND = "rocky ground"


class Build(Action):
    """Spends the unit's turn on a sangar; `rocky ground` is the umpire's word for it where the table has none."""

    kind: ClassVar[str] = "build"
    circumstance_names: ClassVar[tuple[str, ...]] = (ROCKY_GROUND,)


def _builder(state: MagdalaState, action: Build) -> MagdalaUnit:
    """Detachments or skirmishers, in rocky ground, not under fire (MM-7). Raises Refused."""
    unit = find(state, action.unit)
    own_turn(state, unit)
    under_command(state, unit)
    not_in_melee(unit)
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
    return unit


def _throws(unit: MagdalaUnit) -> bool:
    """At any move after the second spent in construction."""
    return unit.building_sangar >= matter("moves spent on a sangar before it can be complete")


def _complete_from() -> int:
    return matter("a sangar is complete on a D6 of at least")


def build(state: MagdalaState, action: Build, dice: Dice) -> tuple[MagdalaState, Report]:
    """A move more is spent; from the third on a 5-6 completes it (MM-7). Raises Refused before the die."""
    unit = _builder(state, action)
    spent = unit.building_sangar + 1
    step = Step(text=f"Move {spent} spent on the sangar", cite=BUILDING)
    complete = False
    if _throws(unit):
        throw = dice.throw(1, SIDES, f"{unit.name}, sangar", side=unit.side)
        complete = throw.total >= _complete_from()
        step = step.model_copy(
            update={
                "throws": (throw,),
                "score": Fraction(throw.total),
                "needed": f"on {_complete_from()} or more",
                "chance": _chance(),
                "hope": "to complete it",
                "verdict": "complete" if complete else "not yet complete",
            }
        )
    built = unit.model_copy(
        update={
            "building_sangar": 0 if complete else spent,
            "works": Works.SANGAR if complete else unit.works,
            "this_turn": unit.this_turn.model_copy(update={"whole_turn_spent": True}),
        }
    )
    after = state.with_unit(built)
    if complete:
        after = _drawn(after, built)
    report = Report(
        headline=f"{unit.name} {'completes its sangar' if complete else 'builds a sangar'}.",
        side=unit.side,
        steps=(step,),
        outcome="It is covered from small arms." if complete else f"{spent} moves spent so far.",
        units=(unit.id,),
    )
    return counted(after), report


def _drawn(state: MagdalaState, unit: MagdalaUnit) -> MagdalaState:
    """The sangar stays on the table, along the unit's front."""
    here = base(unit)
    if here is None:
        return state
    front = tuple((round(x, 2), round(y, 2)) for x, y in list(here.outline.exterior.coords)[:2])
    sangar = TerrainPiece(feature=Feature.SANGAR, points=front, closed=False, width=0.5, name=f"Sangar of {unit.name}")
    return state.model_copy(update={"terrain": (*state.terrain, sangar)})


def _chance() -> Fraction:
    return Fraction(SIDES + 1 - _complete_from(), SIDES)


def odds(state: MagdalaState, action: Build) -> Odds:
    """The chance of completing the sangar now. Raises Refused as the deed does."""
    unit = _builder(state, action)
    chance = _chance() if _throws(unit) else Fraction(0)
    question = f"Does {unit.name} complete its sangar?"
    step = Step(text=f"{unit.building_sangar} moves spent so far", cite=BUILDING)
    return Odds(
        question=question,
        steps=(step,),
        outcomes=(
            Outcome(label="complete", chance=chance, good=True),
            Outcome(label="not yet", chance=1 - chance, good=False),
        ),
    )


def legal(state: MagdalaState, side: Viewer) -> Iterable[Build]:
    """Every unit of the side that may build now, on ground the table knows."""
    if side not in (state.active, UMPIRE):
        return
    for unit in state.of_side(state.active):
        order = Build(unit=unit.id)
        try:
            _builder(state, order)
        except Refused:
            continue
        yield order


BUILD: Deed[MagdalaState] = Deed(Build, build, odds, legal)
