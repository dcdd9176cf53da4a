"""Shared by all action types of Charge!: checks of the acting unit, status lines, and the end of a report."""

from collections.abc import Iterable, Mapping
from typing import Any

from rules.core.ad_hoc import read_whole_number
from rules.core.model import Cite
from rules.core.refusal import refuse
from rules.core.report import Standing
from rules.core.unit_lookup import find_unit

from .model import MOST_CREW, MOST_FIGURES, Arm, ChargePlay, ChargeState, ChargeUnit
from .scenarios import TROOPS

TURNS = Cite(rule="CH-1.3").as_ruling
"""A player's turn is all moves, then fire, then mêlées."""
MOVES, FIRE, ANSWER, MELEES = "moves", "fire", "answering fire", "mêlées"
"""The phases of a turn, by id."""


def find_unit_on_table(state: ChargeState, unit: str | None, noun: str = "unit") -> ChargeUnit:
    """Return the unit. Raises Refused if the unit is unknown or off the table. `noun` is its role in messages."""
    charge_unit: ChargeUnit = find_unit(state, unit, noun)
    refuse(None, (not charge_unit.on_table, f"{charge_unit:are} gone from the table. Choose another {noun}."))
    return charge_unit


def require_may_act(state: ChargeState, unit: ChargeUnit, phase: str) -> None:
    """Raise Refused unless the unit's side acts now, in the phase `phase`. Without a game, any unit may act."""
    if not state.scenario:
        return
    mover = state.side(state.mover)
    its_own = f"It is the turn of {mover:the}; {unit:act} when it has passed."
    order = (MOVES, FIRE, ANSWER, MELEES)
    is_over = order.index(phase) < order.index(state.phase)
    instead = "That is over for this turn." if is_over else f"Finish the {state.phase} first: /turn next ends it."
    later = f"Now: {state.phase} of {mover:the}. {unit:act} in {unit:their} own {phase}. {instead}"
    refuse(TURNS, (unit.side != state.active, its_own), (state.phase != phase, later))


def make_unit_for_question(options: Mapping[str, Any], unit_id: str, side: str, name: str, number: str) -> ChargeUnit:
    """Return a unit for a question without a game. Raises Refused on wrong troops or numbers.

    `options` holds the troops under the key `name`, and perhaps the number of figures under the key `number`.
    """
    troop = TROOPS.find(str(options[name]))
    usual = troop.make_unit(unit_id, troop.name, side)
    most = MOST_CREW if usual.arm is Arm.GUN else MOST_FIGURES
    figures = read_whole_number(options, number, 1, most) if number in options else usual.figures
    return troop.make_unit(unit_id, troop.name, side, figures=figures)


def status_line(unit: ChargeUnit) -> str:
    """Return a unit's short status: `14 figures, 2 lost · two ranks · fired`."""
    if not unit.on_table:
        return "gone"
    noun = "crew" if unit.arm is Arm.GUN else "figures"
    gun = "gun destroyed" if unit.gun_destroyed else ""
    parts = (
        f"{unit.figures} {noun}{f', {unit.figures_lost} lost' if unit.figures_lost else ''}",
        unit.formation.value if unit.arm is not Arm.GUN else gun,
        "behind cover" if unit.behind_cover else "",
        "fired" if unit.this_turn.has_fired else "",
    )
    return " · ".join(part for part in parts if part)


def complete_report(
    play: ChargePlay, headline: str, *units: str, outcome: str | None = None, warnings: tuple[str, ...] = ()
) -> None:
    """Complete the action's report with `outcome`, or with the units' status if `outcome` is None."""
    state = play.state
    play.tell(
        headline=f"{headline}.",
        side=state.units[units[0]].side,
        outcome=outcome or "",
        standing=unit_statuses(state, units) if outcome is None else (),
        warnings=warnings,
        units=units,
    )


def unit_statuses(state: ChargeState, units: Iterable[str]) -> tuple[Standing, ...]:
    """Return the status of the units with these ids: `Grenadiers: 14 figures, 2 lost`."""
    named = (state.units[unit_id] for unit_id in units)
    return tuple(Standing(unit.id, f"{unit.name}: {status_line(unit)}.") for unit in named)
