"""Units that move along with another or part from it: generals, detachments, guns of one boat."""

from collections.abc import Iterable

from rules.core.model import Cite, Mark
from rules.core.tabletop import table
from rules.core.tabletop.marches import Route
from rules.core.tabletop.place import TowardsUnit
from rules.core.wording import inches
from rules.magdala import placement
from rules.magdala.arms import COMMANDERS, has_own_morale
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit
from rules.magdala.placement import move_with_leader

from . import allowance

JOINING = Cite(rule="MM-6", mark=Mark.RULING)
DISTANCE = Cite(rule="MM-2.8", mark=Mark.RULING)
BOAT = Cite(rule="MM-A", mark=Mark.RULING)


def move_with_general(play: MagdalaPlay, unit: MagdalaUnit, run: float) -> None:
    """Move the unit and its general; the general then counts as having moved `run` inches."""
    play.state = move_with_leader(play.state, unit)
    leader = play.state.units.get(unit.general or "")
    if leader is not None and run:
        play.remember(leader.id, moved=leader.this_turn.moved + run, marched=True)


def join_reached_unit(play: MagdalaPlay, unit_id: str, route: Route, run: float) -> None:
    """Make a commander who rode `run` inches leave his unit, and join the unit that he reached (ruling)."""
    leader, goal = play.state.unit(unit_id), route.goal
    if leader.troop not in COMMANDERS or not route.marches:
        return
    for unit in play.state.units_of(leader.side):
        if unit.general == leader.id:
            play.change(unit.id, general=None)
    hidden = (unit for unit in play.state.hidden.values() if unit.general == leader.id)
    play.set(hidden={**play.state.hidden, **{unit.id: unit.model_copy(update={"general": None}) for unit in hidden}})
    joined_unit = _find_reached_unit(play.state, route, leader, run)
    if joined_unit is not None and joined_unit.general is not None:
        play.note(f"He does not join {joined_unit.name}", JOINING, f"{joined_unit:they have} a general")
    elif joined_unit is not None:
        play.state = move_with_leader(play.state, joined_unit.model_copy(update={"general": leader.id}))
        play.note(f"He joins {joined_unit.name}", JOINING)
    elif isinstance(goal, TowardsUnit) and goal.inches is None:
        play.note(f"He does not reach {play.state.unit(goal.unit).name}", JOINING, "he joins nobody")


def _find_reached_unit(state: MagdalaState, route: Route, leader: MagdalaUnit, run: float) -> MagdalaUnit | None:
    """Return the friendly unit that the leader reached in `run` inches, else the unit beside his halt, or None."""
    friends = tuple(unit for unit in state.units_of(leader.side) if has_own_morale(unit))
    if leader.place is not None:
        friends = tuple(unit for unit in friends if placement.touching(leader, unit))
    goal = next((unit for unit in friends if isinstance(route.goal, TowardsUnit) and unit.id == route.goal.unit), None)
    if leader.place is not None:
        return goal or placement.nearest(leader, friends)
    return goal if run >= (route.wanted_inches or 0) - table.CONTACT else None


def separation_warnings(state: MagdalaState, unit: MagdalaUnit) -> Iterable[str]:
    """Yield warnings after a move: detachments too far from their parent (MM-2.8), a riverboat's units apart (MM-A)."""
    parent = state.units.get(unit.parent or "")
    if parent is not None and parent.on_table:
        yield from _distance_warnings(state, unit, parent)
    for other in state.units_of(unit.side):
        if other.parent == unit.id:
            yield from _distance_warnings(state, other, unit)
    for other in state.units_of(unit.side) if unit.afloat else ():
        far = placement.gap(unit, other) if other.afloat and other.id != unit.id else None
        if far is not None and far > state.options.at_hand:
            yield f"{other:are} aboard the same boat and {inches(far)} away: move {other:them} alongside ({BOAT})."


def _distance_warnings(state: MagdalaState, detachment: MagdalaUnit, parent: MagdalaUnit) -> Iterable[str]:
    """Yield a warning if a detachment is beyond two moves of its parent; the umpire decides (MM-2.8)."""
    most = float(allowance.max_distance_from_parent(detachment, state.options))
    far = placement.gap(detachment, parent)
    if far is None:
        yield f"A detachment: keep {detachment.name} within {inches(most)} of {parent.name} ({DISTANCE})."
    elif far > most + table.CLOSE:
        beyond = f"{detachment:are} {inches(far)} from {parent.name}; a detachment works within {inches(most)}"
        yield f"{beyond} ({DISTANCE}). The umpire decides."
