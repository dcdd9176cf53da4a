"""Delivery of dispatches: by riders, or at once in one hex and by telegraph (CA-7.1, CA-7.2)."""

from dataclasses import replace

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_of_side
from rules.core.model import UMPIRE
from rules.core.report import Step
from rules.core.wording import count_of

from .columns import Pace
from .ground import Board, board_of
from .intelligence import Dispatch, Rider, Sightings
from .model import CampaignPlay, CampaignState
from .telling import UMPIRE_ALONE, cite, report_to_command
from .ways import Travel, costs_to_reach, held_ports, quickest_way

CAUGHT_UP_TO = 2
"""Maximum D6 score on which a rider near enemies is caught (CA-7.2)."""
MOST_SIGHTINGS = 12
"""Maximum number of sightings listed when a dispatch is told in words."""


def can_deliver_at_once(state: CampaignState, sender: str, to: str) -> bool:
    """Whether two commands have columns in one hex, or at points joined by their power's telegraph (CA-7.1)."""
    from_hexes, to_hexes = hexes_of_side(state, sender), hexes_of_side(state, to)
    networks = telegraph_networks(state, state.power_of(sender).id)
    return bool(from_hexes & to_hexes) or any(from_hexes & points and to_hexes & points for points in networks)


def telegraph_networks(state: CampaignState, power: str) -> list[frozenset[Hex]]:
    """Return the networks of a power's working telegraph lines, each as the hexes of its points.

    A line works if the power holds all its points, and no enemy stands on it. Lines that share a hex form one network.
    """
    networks: list[frozenset[Hex]] = []
    for line in map(frozenset, board_of(state).spec.telegraphs):
        points = [point for point in state.points.values() if point.at in line]
        if any(point.holder != power for point in points) or any(state.enemies_in(hex_, power) for hex_ in line):
            continue
        joined = [network for network in networks if network & line]
        networks = [network for network in networks if not network & line] + [line.union(*joined)]
    places = frozenset(point.at for point in state.points.values())
    return [network & places for network in networks]


def telegraph_lines_in_words(state: CampaignState) -> str:
    """Return the names of the points on each line: `Saint-Varin to Furtheim; Hartenstein to Lindenburg`."""
    lines = ([state.point_in(hex_) for hex_ in line] for line in board_of(state).spec.telegraphs)
    return "; ".join(" to ".join(point.name for point in line if point is not None) for line in lines)


def deliver_dispatch(state: CampaignState, dispatch: Dispatch) -> tuple[CampaignState, Dispatch]:
    """Mark a dispatch as arrived today, and give its sightings to the receiver; return the state and the dispatch.

    In each hex the newer sighting counts; of equally new ones, the one from nearer by.
    """
    looked, newest = state.looked.get(dispatch.to, {}), dict(state.sightings.get(dispatch.to, {}))
    for hex_, sighting in dispatch.sightings.items():
        old = newest.get(hex_)
        is_newer = old is None or (sighting.day, -sighting.distance) > (old.day, -old.distance)
        if is_newer and sighting.day > looked.get(hex_, 0):
            newest[hex_] = sighting
    sightings = {**state.sightings, dispatch.to: dict(sorted(newest.items()))}
    arrived = dispatch.model_copy(update={"rider": None, "arrived": state.turn})
    return state.model_copy(update={"sightings": sightings}), arrived


def move_riders(play: CampaignPlay) -> None:
    """Move every rider at the day's end, and confirm earlier arrivals to their senders (CA-7.1, CA-7.2)."""
    rode: list[Dispatch] = []
    for dispatch in play.state.dispatches:
        after = dispatch if dispatch.rider is None else _move_rider(play, dispatch, dispatch.rider)
        has_returned = play.state.turn >= after.arrived + after.rode  # CA-7.2: the way back takes as long
        if after.arrived and not after.is_confirmed and has_returned:
            text = f"Dispatch of day {after.day} to {play.state.side(after.to):the}"
            report_to_command(play, after.sender, "7.2", text, f"arrived on day {after.arrived}")
            after = after.model_copy(update={"is_confirmed": True})
        rode.append(after)
    play.set(dispatches=tuple(rode))


def _move_rider(play: CampaignPlay, dispatch: Dispatch, rider: Rider) -> Dispatch:
    """Move a rider at the day's end, and return the dispatch: still on its way, arrived, or caught."""
    state, power = play.state, play.state.power_of(dispatch.sender).id
    board, points = board_of(state), state.option_value(power, "rider_points")
    travel = Travel(board, Pace.MOUNTED, frozenset(rider.avoids), held_ports(state, power), points)
    dispatch = dispatch.model_copy(update={"rode": dispatch.rode + 1})
    route = _find_rider_way(state, dispatch, rider, travel)
    if route is None:
        return dispatch
    position, way = route
    open_travel = replace(travel, closed=frozenset())
    for next_hex in way:
        cost = dict(open_travel.steps_from(position))[next_hex]
        if cost > points:
            return dispatch.model_copy(update={"rider": rider.model_copy(update={"at": (position,)})})
        position, points = next_hex, points - cost
        if captor := _throw_for_capture(play, dispatch, position):
            text = f"Rider caught in {board.title(position)}, with a dispatch to {state.side(dispatch.to):the}"
            report_to_command(play, captor, "7.2", text, dispatch_in_words(board, dispatch))
            return dispatch.model_copy(update={"rider": None, "caught_by": captor})
    state, arrived = deliver_dispatch(state, dispatch)
    play.set(sightings=state.sightings)
    text = f"Dispatch of day {arrived.day} from {state.side(arrived.sender):the}"
    report_to_command(play, arrived.to, "7.1", text, dispatch_in_words(board, arrived))
    return arrived


def _find_rider_way(
    state: CampaignState, dispatch: Dispatch, rider: Rider, travel: Travel
) -> tuple[Hex, tuple[Hex, ...]] | None:
    """Return the rider's hex and the way to the receiver's nearest column; None if no way leads there."""
    choices: list[tuple[int, Hex, Hex, Travel]] = []
    for goal in sorted(hexes_of_side(state, dispatch.to)):
        to_goal = replace(travel, closed=travel.closed - {goal})
        points = costs_to_reach((goal,), to_goal)
        choices.extend((points[start], start, goal, to_goal) for start in rider.at if start in points)
    if not choices:
        return None
    _, start, goal, to_goal = min(choices, key=lambda choice: choice[:3])
    return start, quickest_way(start, goal, to_goal) or ()


def _throw_for_capture(play: CampaignPlay, dispatch: Dispatch, hex_: Hex) -> str:
    """Throw for a rider in a hex with enemies, or next to mounted enemies.

    Return the command that catches the rider, or an empty string. Only the umpire reads the throw, because it would
    reveal the enemies.
    """
    state, power = play.state, play.state.power_of(dispatch.sender).id
    foes = state.columns_of(state.enemy_of(power).id)
    mounted = (enemy for enemy in foes if enemy.at in hex_.neighbours() and Pace.MOUNTED in enemy.paces)
    enemies = [*(enemy for enemy in foes if enemy.at == hex_), *mounted]
    if not enemies:
        return ""
    title = board_of(state).title(hex_)
    throw = play.throw(1, 6, f"Rider of {state.side(dispatch.sender).name} in {title}", side=UMPIRE, hidden=True)
    captor = enemies[0].side if throw.total <= CAUGHT_UP_TO else ""
    step = Step(
        text=throw.label,
        cite=cite("7.2"),
        throws=(throw,),
        needed=f"caught on 1-{CAUGHT_UP_TO}",
        verdict=f"{state.side(captor):the} catch it" if captor else "gets through",
        only_for=UMPIRE_ALONE,
    )
    play.say(step)
    return captor


def dispatch_in_words(board: Board, dispatch: Dispatch) -> str:
    """Return a dispatch with its sightings in words: `“Come to El Teb.” Enemies seen: 0405 a force (day 2).`."""
    return " ".join(filter(None, (f"“{dispatch.text}”", sightings_in_words(board, dispatch.sightings))))


def sightings_in_words(board: Board, sightings: Sightings) -> str:
    """Return sightings in words, newest first: `Enemies seen: 0405 a force (day 2).`; empty without sightings."""
    order = sorted(sightings.items(), key=lambda pair: (-pair[1].day, pair[0]))
    newest = order[:MOST_SIGHTINGS]
    lines = [f"{board.title(hex_)} {sighting.in_words} (day {sighting.day})" for hex_, sighting in newest]
    if len(order) > len(lines):
        lines.append(f"and {count_of(len(order) - len(lines), 'older sighting')}")
    return f"Enemies seen: {'; '.join(lines)}." if lines else ""
