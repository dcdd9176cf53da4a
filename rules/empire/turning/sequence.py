"""Sequence of the phases, with their automatic events (BE-1, BE-2.1).

The automatic events are reinforcements, the initiative throw and the removal of markers.
"""

from typing import Any

from rules.core import phases
from rules.core.model import Cite, Mark
from rules.core.phases import PhaseKind, make_can_act_check
from rules.core.play import Play
from rules.core.report import Step
from rules.core.tabletop import table
from rules.core.tabletop.battle import Place
from rules.core.test_action import Trial
from rules.core.throws import ScoreThrow
from rules.core.wording import join_with_and
from rules.empire.conduct.critical import HIT
from rules.empire.conduct.fate import destroy_doomed_units
from rules.empire.conduct.testing import RALLY, TEST_CONDUCT
from rules.empire.fighting.effects import apply_all_melee_results, apply_shots
from rules.empire.fighting.melee import FIGHT
from rules.empire.firing.fire import FIRE
from rules.empire.firing.jams import CLEAR
from rules.empire.firing.targeting import MOVED_GUNS, NO_FIRE, loses_fire_by_moving
from rules.empire.model import GUNS, MACHINE_GUNS, SUPPLY, EmpireState, EmpireUnit, Health, Reserve, UnitTurn, Weapon
from rules.empire.phases import MOVEMENT, SEQUENCE, Phase, phase_title
from rules.empire.placement import base_at, bases, within
from rules.empire.scenarios import VICTORY
from rules.empire.tables import TABLES

from .bayonets import FIX, fix_bayonets_of_hidden_units

HOUSE = Cite(rule="BE-1", mark=Mark.HOUSE)
"""Citation for reinforcements and the initiative."""
RESUPPLY = Cite(rule="BE-1", mark=Mark.RULING)
"""Citation for resupply in phase 5. The printed rule removes low ammunition without mentioning supply."""
SIDES = 6
FIRERS = {Phase.ARTILLERY: GUNS, Phase.RIFLES: (Weapon.RIFLES, *MACHINE_GUNS)}


def throw_for_reserves(play: Play[EmpireState]) -> None:
    """Throw a D6 for each due reinforcement, and bring on those that arrive, with their attached pieces."""
    waiting = (unit for unit in play.state.units.values() if not unit.destroyed and not unit.attached_to)
    for unit, reserve in [(unit, unit.reserve) for unit in waiting if unit.reserve is not None]:
        if reserve.turn > play.state.turn:
            continue
        test, against = ScoreThrow(1, SIDES, reserve.score), f"against {reserve.score} or more"
        words = ("to arrive", unit.verb("arrive"), f"{unit.verb('do')} not arrive yet", against)
        if not play.state.options.reinforcements_by_dice:
            play.note(f"{unit:arrive}", HOUSE)
        elif not Trial(unit.id, f"{unit.name}, arriving", HOUSE, test, *words).take(play):
            continue
        play.state = _bring_on_reserve(play.state, unit, reserve)


def _bring_on_reserve(state: EmpireState, unit: EmpireUnit, reserve: Reserve) -> EmpireState:
    """Return the state with the unit at its arrival point, or beside the arrival point if others occupy it."""
    places = [other.place for other in state.units.values() if other.on_table]
    place = _nearest_free_place(state, unit, reserve) if state.keeps_positions and (any(places) or not places) else None
    with_it = (piece for piece in state.units.values() if piece.attached_to == unit.id and piece.reserve is not None)
    return state.with_unit(*(mover.model_copy(update={"reserve": None, "place": place}) for mover in (unit, *with_it)))


def _nearest_free_place(state: EmpireState, unit: EmpireUnit, reserve: Reserve) -> Place:
    """Return the free place nearest to the arrival point along the edge; the arrival point if no place is free."""
    others = bases(other for other in state.units.values() if other.on_table)
    arrival = Place(x=reserve.x, y=reserve.y, facing=reserve.facing)
    for run in (step * way for step in range(int(state.width)) for way in (1, -1)):
        x, y = table.shift_point(arrival.point, arrival.facing + 90, run)
        place = arrival.model_copy(update={"x": x, "y": y})
        own = base_at(unit, place)
        if table.is_on_table(own, state.width, state.height) and not any(table.are_overlapping(own, o) for o in others):
            return place
    return arrival


def throw_initiative(play: Play[EmpireState]) -> None:
    """Throw a D6 for each side until the dice differ. Without option initiative_by_dice only note who moves first."""
    state, tied = play.state, play.state.options.initiative_by_dice
    if not tied:
        play.note(f"{state.side(state.first):The} move first, as the scenario has it", HOUSE)
    while tied:
        throws = [play.throw(1, SIDES, f"initiative of {side:the}", side=side.id) for side in state.sides]
        totals = {side.id: throw.total for side, throw in zip(state.sides, throws, strict=True)}
        play.set(initiative=totals)
        tied = len({*totals.values()}) < len(totals)
        verdict = "a tie, thrown again" if tied else f"{state.side(initiative_winner(play.state) or ''):the} have it"
        text = ", ".join(side.name for side in state.sides)
        play.say(Step(text=text, cite=HOUSE, throws=tuple(throws), verdict=verdict))


def initiative_winner(state: EmpireState) -> str | None:
    """Return the side that won the initiative and has yet to choose who moves first, or None."""
    totals = state.initiative if state.current_phase is Phase.INITIATIVE else {}
    return max(totals, key=lambda side: totals[side], default=None)


def remove_markers(play: Play[EmpireState]) -> None:
    """Remove disorder from all units, and low ammunition from supplied units. Report the units by name."""
    state, by_supply = play.state, play.state.options.low_ammo_by_supply
    orderly = [unit for unit in state.fighters() if unit.disordered]
    low = [unit for unit in state.fighters() if unit.low_ammo]
    unsupplied = [unit for unit in low if by_supply and not _is_supplied(state, unit)]
    refilled = [unit for unit in low if unit not in unsupplied]
    text, cite = ("Resupplied", RESUPPLY) if by_supply else ("No longer low on ammunition", SEQUENCE)
    for units, update, caption, rule in (
        (orderly, {"disordered": False}, "No longer disordered", Cite(rule="BE-2.1")),
        (refilled, {"low_ammo": False}, text, cite),
        (unsupplied, {}, "Still low on ammunition, with no mules or wagon", RESUPPLY),
    ):
        for unit in units:
            play.change(unit.id, **update)
        if units:
            play.note(f"{caption}: {join_with_and(unit.name for unit in units)}", rule)


def _is_supplied(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether fit mules or a wagon are attached to the unit, or are within option supply_within inches of it."""
    bearers = [bearer for bearer in state.units_of(unit.side) if bearer.arm in SUPPLY and bearer.health is Health.WELL]
    near = within(unit, bearers, state.options.supply_within)
    return bool(near) or any(bearer.attached_to == unit.id for bearer in bearers)


def _side_can_fire(state: EmpireState, side: str) -> bool:
    """Whether a weapon of the side may fire or be cleared in this phase. Units without places always count."""
    firers = [unit for unit in state.fighters(side) if unit.weapon in FIRERS[state.current_phase] and not unit.limbered]
    return bool(firers) and (any(unit.place is None for unit in firers) or make_can_act_check(FIRE, CLEAR)(state, side))


def _begin_turn(state: EmpireState) -> EmpireState:
    """Return the state at the start of a turn: refresh the units, and clear the initiative."""
    units = (_refresh_unit(state, unit) for unit in state.units.values())
    return state.with_unit(*units).model_copy(update={"initiative": {}})


def _refresh_unit(state: EmpireState, unit: EmpireUnit) -> EmpireUnit:
    """Return the unit with its turn record cleared.

    A piece that was out returns when its time is up. A killed piece, or one whose host is destroyed, is detached.
    """
    back = unit.health is Health.OUT and unit.out_until <= state.turn
    with_unit = state.host(unit)
    stays = with_unit is not None and not with_unit.destroyed and unit.health is not Health.KILLED
    health, attached_to = Health.WELL if back else unit.health, unit.attached_to if stays else None
    return unit.model_copy(update={"this_turn": UnitTurn(), "health": health, "attached_to": attached_to})


def _make_phase(phase: Phase, **settings: Any) -> phases.Phase[EmpireState]:
    """Return the phase: sequential for movement, simultaneous with a setting `has_to_do`, otherwise automatic."""
    together = PhaseKind.SIMULTANEOUS if "has_to_do" in settings else PhaseKind.AUTOMATIC
    kind = PhaseKind.SEQUENTIAL if phase in MOVEMENT else together
    return phases.Phase(phase.value, phase_title(phase), kind, **settings)


PHASES = phases.Phases(
    (
        _make_phase(Phase.REINFORCEMENTS, on_begin=throw_for_reserves),
        _make_phase(Phase.BAYONETS, has_to_do=make_can_act_check(FIX), on_end=fix_bayonets_of_hidden_units),
        _make_phase(
            Phase.INITIATIVE, has_to_do=lambda state, side: initiative_winner(state) == side, on_begin=throw_initiative
        ),
        _make_phase(
            Phase.COMMANDERS,
            has_to_do=lambda state, side: any(unit.is_piece for unit in state.units_of(side)),
            hidden_units_may_act=True,
        ),
        _make_phase(
            Phase.UNITS,
            has_to_do=lambda state, side: bool(state.fighters(side)),
            on_end=destroy_doomed_units,
            hidden_units_may_act=True,
        ),
        _make_phase(Phase.EXPLOITATION, has_to_do=make_can_act_check(TEST_CONDUCT, RALLY)),
        _make_phase(Phase.MARKERS, on_begin=remove_markers),
        _make_phase(Phase.ARTILLERY, has_to_do=_side_can_fire, on_end=apply_shots, hidden_units_may_act=True),
        _make_phase(Phase.RIFLES, has_to_do=_side_can_fire, on_end=apply_shots, hidden_units_may_act=True),
        _make_phase(Phase.MELEE, has_to_do=make_can_act_check(FIGHT), on_end=apply_all_melee_results),
        _make_phase(Phase.CRITICAL, has_to_do=make_can_act_check(HIT)),
    ),
    order=lambda state: sorted((side.id for side in state.sides), key=lambda side: side != state.first),
    next_turn=_begin_turn,
    is_over=VICTORY.is_over,
    cite=SEQUENCE,
)


def end_phase(play: Play[EmpireState]) -> None:
    """End the phase, and go on to the next one in which a side has to act."""
    play.set(landed=())
    PHASES.advance(play)


def open_first_turn(state: EmpireState) -> EmpireState:
    """Return a new game's state in phase 2, because nobody arrives in the first turn.

    A side without bayonets to fix has finished the phase, unless neither side has any.
    """
    state = state.model_copy(update={"phase": Phase.BAYONETS.value})
    idle = PHASES.idle_sides(state)
    return state.model_copy(update={"done": idle if len(idle) < len(state.sides) else ()})


def phase_instructions(state: EmpireState) -> str:
    """Return the players' tasks in the phase, with the warning that moved guns do not fire (BE-3, house)."""
    if state.over is not None or VICTORY.is_over(state):
        return ""
    sequence = TABLES.charts["sequence"]
    sentences = [sequence.cell(sequence.row(state.phase), "what it asks").text]
    movers = state.fighters(state.active) if state.current_phase is Phase.UNITS else ()
    if any(loses_fire_by_moving(state, unit) for unit in movers):
        sentences.append(f"{NO_FIRE[0].upper()}{NO_FIRE[1:]} ({MOVED_GUNS}).")
    if state.done and state.current_phase is not Phase.INITIATIVE:
        idle = join_with_and(side.name for side in state.sides if side.id in state.done)
        sentences.append(f"The {idle} have nothing to do.")
    return " ".join(sentences)
