"""What commands know: columns of their power, orders, sightings of enemies, and dispatches (CA-1.1, CA-3.5)."""

from collections.abc import Container, Iterator, Mapping

from rules.core.model import UMPIRE, Viewer

from .columns import Column, ColumnDay, Orders
from .intelligence import Dispatch
from .model import Battle, CampaignPlay, CampaignState
from .seeing import viewing_distances


def viewers_of_orders(state: CampaignState, command: str) -> frozenset[Viewer]:
    """Return the commands that may read a command's orders: the command and its power's chief (CA-1.1)."""
    return frozenset((command, state.power_of(command).chief))


def record_activity(play: CampaignPlay, command: str, *, by_deputy: bool) -> None:
    """Record that a command, or a deputy for the command, wrote orders or was ready today (CA-1.10)."""
    name = "deputised" if by_deputy else "wrote"
    commands: tuple[str, ...] = getattr(play.state, name)
    if command not in commands:
        play.set(**{name: (*commands, command)})


def view(state: CampaignState, viewer: Viewer) -> CampaignState:
    """Return what a viewer may know of the state.

    A command knows columns, sightings, orders and dispatches as its power shares them; the umpire knows everything.
    Others know only the points and the places of battles.
    """
    if state.withheld is not None:
        public_state, withheld = state.model_copy(update={"withheld": None}), state.withheld.state
        return withheld.model_copy(update={"is_withheld": True}) if viewer == UMPIRE else view(public_state, viewer)
    if viewer == UMPIRE or not state.powers or state.over is not None:
        return state
    known_commands: tuple[str, ...] = ()
    in_sight: Mapping[str, Column] = {}
    if any(viewer == side.id for side in state.sides):
        commands = state.sides_sharing_view(viewer) | state.sides_represented_by(viewer)
        known_commands = tuple(side.id for side in state.sides if side.id in commands)
        in_sight = _allies_in_sight(state, viewer, known_commands)
    columns = {
        key: in_sight[key] if key in in_sight else _known_column(state, column, viewer)
        for key, column in state.units.items()
        if column.side in known_commands or key in in_sight
    }
    battles = {key: _known_battle(state, battle, known_commands) for key, battle in state.battles.items()}
    readable = {side.id for side in state.sides if viewer in viewers_of_orders(state, side.id)}
    blank = {"orders": "", "salt": ""}
    return state.model_copy(
        update={
            "units": columns,
            "sightings": {command: state.sightings.get(command, {}) for command in known_commands},
            "battles": battles,
            "powers": tuple(
                power if {*power.commands} <= {*known_commands} else power.model_copy(update={"began_with": 0})
                for power in state.powers
            ),
            "seals": tuple(seal if seal.command in readable else seal.model_copy(update=blank) for seal in state.seals),
            "wrote": tuple(command for command in state.wrote if command in readable),
            "deputised": tuple(command for command in state.deputised if command in readable),
            "dispatches": tuple(known_dispatches(state, viewer)),
            "looked": {command: hexes for command, hexes in state.looked.items() if command in known_commands},
        }
    )


def _allies_in_sight(state: CampaignState, viewer: Viewer, known_commands: Container[str]) -> Mapping[str, Column]:
    """Return the columns of the viewer's allies that only the viewer's own columns see, by id.

    Their records of the day, and the hexes that they came through, are removed.
    """
    fellows = [column for column in state.columns_of(state.power_of(viewer).id) if column.side not in known_commands]
    distances = viewing_distances(state, state.units_of(viewer)) if fellows else {}
    unknown = {"today": ColumnDay(), "way_back": ()}
    return {
        column.id: _known_column(state, column, viewer).model_copy(update=unknown)
        for column in fellows
        if column.at in distances
    }


def known_dispatches(state: CampaignState, viewer: Viewer) -> Iterator[Dispatch]:
    """Yield the dispatches that a command wrote, received or caught, with only the facts known to it (CA-7.2)."""
    for dispatch in state.dispatches:
        fate: dict[str, object] = {"rider": None, "rode": 0, "is_confirmed": False}
        if viewer == dispatch.sender:
            unconfirmed = {**fate, "arrived": 0, "caught_by": ""}
            yield dispatch if dispatch.is_confirmed else dispatch.model_copy(update=unconfirmed)
        elif dispatch.caught_by == viewer or (dispatch.to == viewer and dispatch.arrived):
            yield dispatch.model_copy(update=fate)


def _known_column(state: CampaignState, column: Column, viewer: Viewer) -> Column:
    """Return a column of the viewer's power, without orders that the viewer may not read."""
    if viewer in viewers_of_orders(state, column.side):
        return column
    return column.model_copy(update={"orders": Orders(), "today": ColumnDay()})


def _known_battle(state: CampaignState, battle: Battle, known_commands: Container[str]) -> Battle:
    """Return a battle as the commands `known_commands` may know it.

    Without a column of their own there, they know no columns. Otherwise they know all, but late arrivals only of their
    own.
    """
    own = {key for key in battle.columns if key in state.units and state.units[key].side in known_commands}
    late = {column: turn for column, turn in battle.late.items() if column in own}
    return battle.model_copy(update={"late": late} if own else {"columns": (), "edges": {}, "late": {}})
