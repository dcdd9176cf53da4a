"""What all action types share: units and arms by name, checks of turn and phase, enemies, strength, losses (GW-1)."""

from collections.abc import Sequence

from rules.core import naming
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_of_side, unit_hex
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused, refuse
from rules.core.report import Standing, Step
from rules.core.state import Side
from rules.core.unit_lookup import find_unit
from rules.core.wording import count_of

from .ground import board_of
from .model import Arm, Bogged, GreatWarPlay, GreatWarState, GreatWarUnit
from .tables import chart_number

ORDERS, MOVES, BATTLES = "orders", "moves", "battles"
"""The phases of a turn (GW-1.1); players play the command cards at their own table."""
GO_ON = "Go on with /turn next"
ANOTHER = "Choose another unit, or go on with /turn next"
"""Advice in the refusal for a unit that can do nothing more."""
DONE_NOW = {
    MOVES: "Move ordered units now, or go on with /turn next",
    BATTLES: "Battle with ordered units now, or go on with /turn next",
}
FRAME = Cite(rule="GW-1.1", mark=Mark.FOUND)
ONCE = Cite(rule="GW-1.2", mark=Mark.FOUND)
DITCHED = Cite(rule="GW-3.4", mark=Mark.FOUND)


def find_unit_on_map(state: GreatWarState, unit_id: str | None, noun: str = "unit") -> GreatWarUnit:
    """Return the unit with this id. Raises Refused if no unit on the map has it."""
    unit: GreatWarUnit = find_unit(state, unit_id, noun)
    refuse(None, (not unit.on_map, f"{unit:are} not on the map. Choose another {noun}."))
    return unit


def parse_arm(words: str) -> Arm:
    """Return the arm that a player has named. Raises Refused, with the nearest names."""
    return Arm(naming.resolve_name(words, {arm.value: arm.value for arm in Arm}, "There are no troops {}."))


def require_flags_answered(state: GreatWarState) -> None:
    """Raise Refused, with the open prompt, while flags thrown at a unit wait for its owner's answer (GW-1.4)."""
    if state.flags is not None:
        unit = state.unit(state.flags.unit)
        first = f"First {state.side(unit.side):the} answer the flags thrown at {unit.name}, by a button."
        raise Refused(first, Cite(rule="GW-1.4", mark=Mark.FOUND), keys=(flags_key(state, unit.id),))


def flags_key(state: GreatWarState, unit: str) -> str:
    """Return the key of the prompt for the flags thrown at the unit."""
    return f"flags:{unit}:{state.turn}:{state.battles}"


def require_phase(state: GreatWarState, unit: GreatWarUnit, phase: str) -> None:
    """Raise Refused unless it is the unit's own turn, in the phase `phase`."""
    require_own_turn(state, unit)
    order = (ORDERS, MOVES, BATTLES)
    if state.phase == phase:
        return
    now = f"It is the phase of {state.phase}"
    if state.phase in order and order.index(state.phase) < order.index(phase):
        first = f"Finish your {state.phase} first: /turn next ends them"
        if state.phase == ORDERS and not unit.this_turn.is_ordered:
            first = f"Order {unit:them} now, with /order: only ordered units act"
        raise Refused(f"{now}; this needs the phase of {phase}. {first}.", FRAME)
    over = f"{phase} come again in the next turn of {state.side(unit.side):the}"
    raise Refused(f"{now}; {over}. {DONE_NOW.get(state.phase, GO_ON)}.", FRAME)


def require_own_turn(state: GreatWarState, unit: GreatWarUnit) -> None:
    """Raise Refused unless it is the turn of the unit's side."""
    now, own = state.side(state.active), state.side(unit.side)
    why = f"It is the turn of {now:the}; {unit:act} in that of {own:the}. Wait until {now:the} have ended theirs."
    refuse(FRAME, (unit.side != state.active, why))


def require_ordered(state: GreatWarState, unit: GreatWarUnit) -> None:
    """Raise Refused unless the unit is ordered this turn and not ditched."""
    if not unit.this_turn.is_ordered:
        names = ", ".join(other.name for other in state.units_of(unit.side) if other.this_turn.is_ordered)
        instead = f"Choose one that is: {names}" if names else GO_ON
        advice = f"Order {unit:them} first, with /order" if state.phase == ORDERS else instead
        raise Refused(f"{unit:are} not ordered this turn; only ordered units act. {advice}.", FRAME)
    ditched = f"{unit:are} ditched: {unit:they act} no more. Choose another unit."
    refuse(DITCHED, (unit.bogged is Bogged.DITCHED, ditched))


def adjacent_enemies(state: GreatWarState, unit: GreatWarUnit) -> Sequence[GreatWarUnit]:
    """Return the enemies in the hexes next to a unit."""
    by_hex = state.stacks.by_hex
    near = (by_hex[hex_][0] for hex_ in unit_hex(unit).neighbours() if hex_ in by_hex)
    return [other for other in near if other.side != unit.side]


def distance_to_enemy(state: GreatWarState, side: str, hex_: Hex) -> int:
    """Return the distance in hexes from `hex_` to the side's nearest enemy; 0 without enemies."""
    return min(map(hex_.distance, hexes_of_side(state, state.enemy(side))), default=0)


def strength_in_words(unit: GreatWarUnit) -> str:
    """Return strength in words: `3 figures left`, `1 token left, bogged`."""
    of = f"{count_of(unit.figures, 'token' if unit.is_tank else 'figure')} left"
    return f"{of}, {unit.bogged}" if unit.is_stuck else of


def unit_statuses(state: GreatWarState, units: Sequence[str]) -> tuple[Standing, ...]:
    """Return the status of the units with these ids; empty without a map."""
    known_units = [state.units[unit] for unit in units if unit in state.units] if state.map else []
    return tuple(Standing(unit.id, _status_in_words(state, unit)) for unit in known_units)


def _status_in_words(state: GreatWarState, unit: GreatWarUnit) -> str:
    if unit.at is not None:
        return f"{unit.name}: {strength_in_words(unit)}, in {board_of(state).title(unit.at)}."
    return f"{unit:are} {'off the map' if unit.figures else 'destroyed'}."


def lose_figures(play: GreatWarPlay, unit_id: str, figures: int, cite: Cite) -> bool:
    """Take figures or tokens off a unit. If none is left, award medals to the enemy, and return True (GW-1.5, GW-2)."""
    unit = play.state.unit(unit_id)
    figures_left = max(unit.figures - figures, 0)
    play.change(unit_id, figures=figures_left)
    if figures_left:
        return False
    play.change(unit_id, at=None)
    ditched = unit.bogged is Bogged.DITCHED
    worth = chart_number(unit.arm, "medals when ditched" if ditched else "medals")
    scored = ditched and play.state.options.ditched_scores == "at once"
    verdict = "destroyed"
    if play.state.scenario and not scored:
        winner = award_medals(play, unit.side, worth)
        verdict = f"{verdict}, {count_of(worth, 'medal')} to {winner:the}"
    play.say(Step(text=f"{unit.name}", cite=cite, verdict=verdict))
    return True


def award_medals(play: GreatWarPlay, loser: str, worth: int) -> Side:
    """Give `worth` medals to the enemy of the side `loser`, and return that enemy."""
    winner = play.state.enemy(loser)
    play.set(medals={**play.state.medals, winner: play.state.medals.get(winner, 0) + worth})
    return play.state.side(winner)
