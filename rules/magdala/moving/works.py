"""Sangars, built by those who are to lie behind them (MM-7)."""

from rules.core.action_type import SimpleType
from rules.core.model import Cite
from rules.core.refused import refuse
from rules.core.scene import Feature, TerrainPiece
from rules.core.state import Action
from rules.core.tabletop.placement import standing_on
from rules.core.throws import Against
from rules.core.trial import Trial, TrialType
from rules.magdala.action_types import OwnTurnType, conclude, find, free_in_own_turn
from rules.magdala.arms import is_infantry
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Order, Works
from rules.magdala.placement import base
from rules.magdala.tables import SIDES, matter

BUILDING = Cite(rule="MM-7")
ROCKY = (Feature.ROUGH, Feature.HILL)
ROCKY_GROUND = "rocky ground"


class Build(Action):
    """Spends the unit's turn on a sangar; `rocky ground` is the umpire's word for it where the table has none."""

    kind = "build"
    circumstance_names = (ROCKY_GROUND,)


class BuildType(TrialType[MagdalaState, Build, Build], SimpleType[MagdalaState, Build], OwnTurnType[Build, Build]):
    """A move more is spent; from the third on a 5-6 completes it (MM-7)."""

    action = Build
    says = "Sangar of {}"
    seen = (ROCKY_GROUND,)

    def check(self, state: MagdalaState, action: Build) -> None:
        """Detachments or skirmishers, in rocky ground, not under fire. Raises Refused."""
        unit = find(state, action.unit)
        free_in_own_turn(state, unit)
        memory, under_fire = unit.this_turn, unit.this_turn.under_fire or unit.morale is Morale.PINNED
        builds = is_infantry(unit) and (unit.is_detachment or unit.order is Order.SKIRMISH)
        rocky = ROCKY_GROUND in action.circumstances or standing_on(state, unit, ROCKY) is not None
        says = f"{'say' if unit.place is None else 'the umpire may say'} “{ROCKY_GROUND}”"
        not_rocky = f"{unit:are} not in rough ground or on a hill. If it is rocky, {says}."
        busy = memory.has_moved or memory.half_turn_spent or memory.has_fired
        refuse(
            BUILDING,
            (not builds, f"{unit:build} no sangar: detachments and skirmishers on foot do."),
            (unit.works is Works.SANGAR, f"{unit:lie} behind {unit:their} sangar already."),
            (under_fire, f"{unit:are} under fire and cannot build. Try again when {unit:they are} not."),
        )
        refuse(BUILDING.ruled, (busy, f"{unit:have} moved or fired; building takes {unit:their} whole turn."))
        refuse(BUILDING, (not rocky, not_rocky))

    def trial(self, state: MagdalaState, plan: Build) -> Trial:
        """The D6 that may complete the sangar; none is thrown before enough moves have been spent on it."""
        unit, first = find(state, plan.unit), matter("moves spent on a sangar before it can be complete")
        needed = matter("a sangar is complete on a D6 of at least")
        throws = unit.building_sangar >= first
        text = f"{unit.name}, move {unit.building_sangar + 1} on {unit:their} sangar"
        words = ("to complete it", "complete", "not yet complete")
        against = f"on {needed} or more" if throws else f"no throw before move {first + 1}"
        asked = f"{unit.verb('do').capitalize()} {unit.name} complete {unit:their} sangar?"
        return Trial(unit.id, text, BUILDING, Against(int(throws), SIDES, needed), *words, against, asked)

    def resolve(self, play: MagdalaPlay, plan: Build) -> None:
        """Throws where it can be complete; the sangar then stays on the table."""
        unit, trial = find(play.state, plan.unit), self.trial(play.state, plan)
        moves = unit.building_sangar + 1
        if not trial.test.dice:
            play.note(f"Move {moves} spent on the sangar", BUILDING)
        complete = bool(trial.test.dice) and trial.throw(play)
        works = Works.SANGAR if complete else unit.works
        play.change(unit.id, building_sangar=0 if complete else moves, works=works)
        play.remember(unit.id, whole_turn_spent=True)
        if complete:
            play.state = _drawn(play.state, unit)
        outcome = f"{unit:They are} covered from small arms." if complete else f"{moves} moves spent so far."
        told = f"{unit:complete} {unit:their} sangar" if complete else f"{unit:build} a sangar"
        conclude(play, told, unit.id, outcome=outcome)


def _drawn(state: MagdalaState, unit: MagdalaUnit) -> MagdalaState:
    """The sangar stays on the table, along the unit's front."""
    here = base(unit)
    if here is None:
        return state
    front = tuple((round(x, 2), round(y, 2)) for x, y in list(here.outline.exterior.coords)[:2])
    sangar = TerrainPiece(feature=Feature.SANGAR, points=front, closed=False, width=0.5, name=f"Sangar of {unit.name}")
    return state.model_copy(update={"terrain": (*state.terrain, sangar)})


BUILD = BuildType()
