"""Units that enter the table at an edge during a battle: from a set turn on, or as reserves that replace lost units."""

from typing import Any

from rules.core.model import UMPIRE, Viewer
from rules.core.refusal import Refused
from rules.core.report import Step
from rules.core.umpire import umpire_step

from .battle import Arrival, Edge, S, TableState
from .deployment_spots import DeploymentSpots
from .ways import Ways

DEEPEST = 12.0
"""Maximum distance in inches from the edge at which an arriving unit is placed."""


def add_arrival(state: S, unit: Any, edge: Edge, turn: int, at_most: int) -> S:
    """Return the state with a unit that will enter the table at `edge`, in `turn` or later.

    The unit waits while its side has `at_most` or more units on the table, not counting detachments.
    """
    arrival_type: type[Arrival[Any]] = Arrival.__class_getitem__(type(unit))  # type: ignore[assignment]
    arrival = arrival_type(unit=unit.model_copy(update={"place": None}), edge=edge, turn=turn, at_most=at_most)
    return state.model_copy(update={"arrivals": {**state.arrivals, unit.id: arrival}})


def place_due_arrivals(ways: Ways[Any], state: S) -> tuple[S, tuple[Step, ...]]:
    """Return the state with the units that enter the table now, and a report step for each.

    A unit without clearance at its edge waits, and later units may enter before it.
    """
    steps = list[Step]()
    spots = DeploymentSpots(ways, state, DEEPEST)
    for unit_id, arrival in state.arrivals.items():
        units = {**state.units, **state.hidden}.values()
        own = [unit for unit in units if unit.side == arrival.unit.side and unit.on_table and unit.parent_id is None]
        if arrival.turn > state.turn or len(own) >= arrival.at_most:
            continue
        try:
            unit = spots.place_unit(state, arrival.unit, arrival.edge)
        except Refused:
            continue
        arrivals = {key: other for key, other in state.arrivals.items() if key != unit_id}
        state = state.model_copy(update={"arrivals": arrivals}).with_unit(unit)
        steps.append(umpire_step(f"{unit:come} on at the {arrival.edge.value} edge"))
    return state, tuple(steps)


def hide_unknown_arrivals(state: S, viewer: Viewer) -> S:
    """Return the state without other sides' arrivals, if the game hides them from the viewer."""
    if viewer == UMPIRE or not (state.hides_arrivals and state.arrivals):
        return state
    own = {unit: arrival for unit, arrival in state.arrivals.items() if arrival.unit.side == viewer}
    return state.model_copy(update={"arrivals": own})


def describe_arrival(state: TableState[Any], unit: str) -> str:
    """Return when and where the unit (by id) will enter; an empty string for a unit that does not wait."""
    arrival = state.arrivals.get(unit)
    if arrival is None:
        return ""
    at = f"at the {arrival.edge.value} edge"
    return f"to come in turn {arrival.turn} {at}" if arrival.turn > state.turn else f"in reserve, to come {at}"
