"""What happens by itself when a phase begins: reinforcements, the initiative, markers taken off (BE-1, BE-2.1)."""

from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.core.tabletop import table
from rules.core.tabletop.battle import Place
from rules.core.throws import Against
from rules.core.trial import Trial
from rules.core.wording import in_a_row
from rules.empire.model import SUPPLY, EmpireState, EmpireUnit, Health, Reserve
from rules.empire.phases import Phase
from rules.empire.placement import base_at, bases, within

AS_PRINTED = Cite(rule="BE-1")
"""Phase 5 takes low ammunition off without a word of supply."""
RESUPPLY = Cite(rule="BE-1", mark=Mark.RULING)
HOUSE = Cite(rule="BE-1", mark=Mark.HOUSE)
"""Reinforcements and the initiative."""
DISORDER = Cite(rule="BE-2.1")
SIDES = 6


def arrive(play: Play[EmpireState]) -> None:
    """A D6 for each reinforcement that is due; a piece with a unit still to arrive comes on with it."""
    waiting = (unit for unit in play.state.units.values() if not unit.destroyed and not unit.attached_to)
    for unit, reserve in [(unit, unit.reserve) for unit in waiting if unit.reserve is not None]:
        if reserve.turn > play.state.turn:
            continue
        test, against = Against(1, SIDES, reserve.score), f"against {reserve.score} or more"
        words = ("to arrive", unit.verb("arrive"), f"{unit.verb('do')} not arrive yet", against)
        if not play.state.options.reinforcements_by_dice:
            play.note(f"{unit:arrive}", HOUSE)
        elif not Trial(unit.id, f"{unit.name}, arriving", HOUSE, test, *words).throw(play):
            continue
        play.state = _brought_on(play.state, unit, reserve)


def _brought_on(state: EmpireState, unit: EmpireUnit, reserve: Reserve) -> EmpireState:
    """At its point of the table, or beside it where there is room; without places it is simply there."""
    places = [other.place for other in state.units.values() if other.on_table]
    here = _room(state, unit, reserve) if any(places) or not places else None
    with_it = (each for each in state.units.values() if each.attached_to == unit.id and each.reserve is not None)
    return state.with_unit(*(each.model_copy(update={"reserve": None, "place": here}) for each in (unit, *with_it)))


def _room(state: EmpireState, unit: EmpireUnit, reserve: Reserve) -> Place:
    """The nearest point beside the one named where it stands on nobody, inch by inch along the edge it comes on by."""
    others = bases(other for other in state.units.values() if other.on_table)
    wanted = Place(x=reserve.x, y=reserve.y, facing=reserve.facing)
    for run in (step * way for step in range(int(state.width)) for way in (1, -1)):
        x, y = table.shifted(wanted.point, wanted.facing + 90, run)
        place = wanted.model_copy(update={"x": x, "y": y})
        stood = base_at(unit, place)
        if table.on_table(stood, state.width, state.height) and not any(table.overlapping(stood, o) for o in others):
            return place
    return wanted


def throw_initiative(play: Play[EmpireState]) -> None:
    """A D6 a side until they differ; without the option the side of the scenario moves first."""
    state, tied = play.state, play.state.options.initiative_by_dice
    if not tied:
        play.note(f"The {state.side(state.first).name} move first, as the scenario has it", HOUSE)
    while tied:
        throws = [play.throw(1, SIDES, f"initiative of the {side.name}", side=side.id) for side in state.sides]
        thrown = {side.id: each.total for side, each in zip(state.sides, throws, strict=True)}
        play.set(initiative=thrown)
        tied = len({*thrown.values()}) < len(thrown)
        verdict = "a tie, thrown again" if tied else f"the {state.side(winner(play.state) or '').name} have it"
        text = ", ".join(f"{side.name} {thrown[side.id]}" for side in state.sides)
        play.say(Step(text=text, cite=HOUSE, throws=tuple(throws), verdict=verdict))


def winner(state: EmpireState) -> str | None:
    """The side that won the initiative and has yet to say who moves first."""
    thrown = state.initiative if state.now is Phase.INITIATIVE else {}
    return max(thrown, key=lambda side: thrown[side], default=None)


def markers_off(play: Play[EmpireState]) -> None:
    """Disorder goes from all units, low ammunition from those resupplied; it is said from whom."""
    state, by_supply = play.state, play.state.options.low_ammo_by_supply
    orderly = [unit for unit in state.fighters() if unit.disordered]
    low = [unit for unit in state.fighters() if unit.low_ammo]
    left = [unit for unit in low if by_supply and not _supplied(state, unit)]
    refilled = [unit for unit in low if unit not in left]
    text, cite = ("Resupplied", RESUPPLY) if by_supply else ("No longer low on ammunition", AS_PRINTED)
    for units, without, told, rule in (
        (orderly, {"disordered": False}, "No longer disordered", DISORDER),
        (refilled, {"low_ammo": False}, text, cite),
        (left, {}, "Still low on ammunition, with no mules or wagon", RESUPPLY),
    ):
        for unit in units:
            play.change(unit.id, **without)
        if units:
            play.note(f"{told}: {in_a_row(unit.name for unit in units)}", rule)


def _supplied(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether mules or a wagon are with the unit, or in contact with it (option supply_within)."""
    bearers = [each for each in state.of_side(unit.side) if each.arm in SUPPLY and each.health is Health.WELL]
    near = within(unit, bearers, state.options.supply_within)
    return bool(near) or any(each.attached_to == unit.id for each in bearers)
