"""A day of the campaign, step by step (the order of the rules; CA-1.5, CA-2.6, CA-6.8, CA-8)."""

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import unit_hex
from rules.core.state import Verdict
from rules.core.wording import count_of

from .columns import Column, ColumnDay, ConductOnSight, Task
from .contact import settle_contacts
from .ground import board_of
from .intelligence import NewsKind
from .losses import replace_losses, return_stragglers, subtract_share
from .marching import LAST_IMPULSE, march_columns
from .model import CampaignPlay, CampaignState, Point
from .news import announce
from .riders import move_riders
from .seeing import distance_to_nearest_enemy, update_sightings
from .supply import supplied_hexes, update_supply
from .telling import report_on_column, throw_hidden_die
from .ways import find_way

ALARM_DISTANCE = 2
"""Maximum distance in hexes of an enemy that makes a column halt or fall back (CA-1.5)."""
STRAGGLES_UP_TO = 2
"""Maximum D6 score at which a forced march costs stragglers; 1 if every step followed a road (CA-2.6)."""


def play_day(play: CampaignPlay) -> None:
    """Resolve the day from its first impulse to its end. Afterwards the state is at the beginning of the next day."""
    begin_march(play)
    for impulse in range(1, LAST_IMPULSE + 1):
        settle_contacts(play, march_columns(play, impulse))
        update_sightings(play)
        _halt_or_fall_back_on_sight(play)
    _throw_for_stragglers(play)
    update_supply(play)
    _rest_and_dig_in(play)
    move_riders(play)
    finish_day(play)


def finish_day(play: CampaignPlay) -> None:
    """Update and announce the points' holders, then end the campaign or begin the next day (CA-3.6).

    The last day does not end before all battles have a result (CA-6.5).
    """
    state = play.state
    points = {key: _update_holder(state, point) for key, point in state.points.items()}
    verdict = find_verdict(state.model_copy(update={"points": points}))
    if verdict is None and state.turn >= state.days:
        play.set(done=tuple(side.id for side in state.sides))  # CA-6.5
        return
    for key, point in points.items():
        was = state.points[key].holder
        if point.holder != was:
            announce(play, NewsKind.TAKEN, point.holder, point.at, was)
    play.set(points=points)
    if verdict is not None:
        play.set(over=verdict)
        return
    play.set(turn=state.turn + 1, done=())
    begin_order_writing(play)


def begin_order_writing(play: CampaignPlay) -> None:
    """Begin a day's time for writing orders: place reinforcements, and update all sightings (CA-8.4)."""
    for column in play.state.columns:
        if column.today.lost:
            play.change(column.id, today=column.today.model_copy(update={"lost": 0}))
    _place_reinforcements(play)
    update_sightings(play)


def begin_march(play: CampaignPlay) -> None:
    """Begin the march: start each column's record of the day, and end waits that are over (CA-1.6)."""
    for column in play.state.columns:
        orders = column.orders
        if orders.task is Task.WAIT and orders.until <= play.state.turn:
            orders = orders.model_copy(update={"task": Task.NONE, "until": 0})
        nearest = distance_to_nearest_enemy(play.state, column)
        today = ColumnDay(is_forced=orders.task is Task.FORCE, nearest=nearest, stood=column.at)
        play.change(column.id, orders=orders, today=today)


def _place_reinforcements(play: CampaignPlay) -> None:
    """Put reinforcements due by today onto the map, except into a hex with an enemy or a battle (CA-8.4)."""
    for column in play.state.units.values():
        state, arrives = play.state, column.arrives
        if arrives is None or arrives.day > state.turn:
            continue
        power = state.power_of(column.side)
        if state.enemies_in(arrives.at, power.id) or state.battle_in(arrives.at) is not None:
            continue
        play.change(column.id, at=arrives.at, arrives=None)
        powers = tuple(
            old.model_copy(update={"began_with": old.began_with + column.figures}) if old.id == power.id else old
            for old in state.powers
        )
        play.set(powers=powers)
        report_on_column(play, column, "8.4", f"arrives in {board_of(state).title(arrives.at)}")


def _halt_or_fall_back_on_sight(play: CampaignPlay) -> None:
    """Halt columns that see an enemy come near, or let them fall back, as their orders say (CA-1.5)."""
    for column in play.state.columns:
        orders, today = column.orders, column.today
        is_held = today.is_stopped and today.met_enemies  # CA-2.5: a contact ends the day's march
        if orders.on_sight is ConductOnSight.CARRY_ON or today.has_turned or is_held or not play.state.is_free(column):
            continue
        nearest = distance_to_nearest_enemy(play.state, column)
        if nearest is None or nearest > ALARM_DISTANCE or (today.nearest is not None and nearest >= today.nearest):
            continue
        if orders.on_sight is ConductOnSight.HALT:
            if not today.is_stopped:
                play.change(column.id, today=today.model_copy(update={"is_stopped": True}))
                place = board_of(play.state).title(unit_hex(column))
                report_on_column(play, column, "1.5", f"sees the enemy from {place}, and halts")
        else:
            _fall_back(play, column)


def _fall_back(play: CampaignPlay, column: Column) -> None:
    """Turn a column back towards the refuge that its orders name, and end its task (CA-1.5, CA-2.5)."""
    state, orders, start = play.state, column.orders, unit_hex(column)
    closed = hexes_to_avoid(state, column.side)
    way = None if orders.refuge is None else find_way(state, column, start, orders.refuge, closed)
    today = column.today.model_copy(update={"has_turned": True, "is_stopped": False})
    play.change(column.id, orders=orders.model_copy(update={"way": way or (), "task": Task.NONE}), today=today)
    title = board_of(state).title
    goal = title(orders.refuge) if orders.refuge is not None else "any place"
    deed = f"falls back to {goal}" if way else f"finds no way back to {goal}" if way is None else "stays there"
    report_on_column(play, column, "1.5", f"sees the enemy from {title(start)}, and {deed}")


def hexes_to_avoid(state: CampaignState, command: str) -> frozenset[Hex]:
    """Return the hexes that a command's columns march around: battles, and enemies seen today (CA-1.3)."""
    return state.enemy_hexes_seen_today(command) | {battle.at for battle in state.battles.values()}


def _throw_for_stragglers(play: CampaignPlay) -> None:
    """Throw for stragglers of every column that forced its march today (CA-2.6)."""
    for column in play.state.columns:
        if not column.today.is_forced or not column.today.entered:
            continue
        most = 1 if column.today.by_road else STRAGGLES_UP_TO
        throw = throw_hidden_die(play, column, "forced march")
        loss = subtract_share(play, column, throw.total, straggle=True) if throw.total <= most else 0
        verdict = f"{count_of(loss, 'straggler')} on the forced march" if loss else "no stragglers on the forced march"
        report_on_column(play, column, "2.6", verdict, throw, f"stragglers on {'1' if most == 1 else f'1-{most}'}")


def _rest_and_dig_in(play: CampaignPlay) -> None:
    """Return stragglers and replacements to resting columns, and count days of digging in (CA-6.8, CA-2.8)."""
    supplied_by_power = {power.id: supplied_hexes(play.state, power.id) for power in play.state.powers}
    for column in play.state.columns:
        state, today = play.state, column.today
        quiet = not today.entered and not today.met_enemies and state.is_free(column)
        if quiet and column.orders.task is Task.DIG_IN:
            play.change(column.id, days_dug=column.days_dug + 1)
        if not quiet or column.orders.task is not Task.REST:
            continue
        came = return_stragglers(play, column)
        if came:
            report_on_column(play, column, "2.6", f"{count_of(came, 'straggler')} back")
        nearest = distance_to_nearest_enemy(state, column)
        is_supplied = column.at in supplied_by_power[state.power_of(column.side).id]
        if is_supplied and (nearest is None or nearest > ALARM_DISTANCE):
            new = replace_losses(play, play.state.unit(column.id))
            if new:
                report_on_column(play, column, "6.8", f"{count_of(new, 'figure')} replaced")


def is_entrenched(state: CampaignState, column: Column) -> bool:
    """Whether a column has dug in for a whole day, or stands in a fort of its power (CA-2.8)."""
    point = state.point_in(column.at) if column.at is not None else None
    in_fort = point is not None and "fort" in point.kinds and point.holder == state.power_of(column.side).id
    return in_fort or column.days_dug >= 1


def _update_holder(state: CampaignState, point: Point) -> Point:
    """Return the point, held by the power whose columns alone stand there, or else by its old holder (CA-8.1)."""
    holders = {state.power_of(column.side).id for column in state.stacks.by_hex.get(point.at, ())}
    if state.battle_in(point.at) is not None or len(holders) != 1 or holders == {point.holder}:
        return point.model_copy(update={"held_days": point.held_days + 1})
    return point.model_copy(update={"holder": holders.pop(), "held_days": 1})


def held_value_by_power(state: CampaignState) -> dict[str, int]:
    """Return, by power, the total value of the points held for long enough to count (CA-8.2)."""
    values = {power.id: 0 for power in state.powers}
    for point in state.points.values():
        if point.holder in values and point.held_days >= state.option_value(point.holder, "days_held"):
            values[point.holder] += point.value
    return values


def find_verdict(state: CampaignState) -> Verdict | None:
    """Return the campaign's result, or None if the campaign goes on (CA-8)."""
    winners = {
        power.id
        for power in state.powers
        if _holds_sudden_victory_points(state, power.id) or _is_broken(state, state.enemy_of(power.id).id)
    }
    if len(winners) == 1:
        winner = winners.pop()
        return Verdict(winner=state.power(winner).chief, why=_describe_victory(state, winner))
    if not winners and (state.turn < state.days or state.battles):
        return None
    values = held_value_by_power(state)
    first, second = state.powers
    score = f"{values[first.id]} ({first.name}) to {values[second.id]} ({second.name})"
    if abs(values[first.id] - values[second.id]) < state.margin or values[first.id] == values[second.id]:
        return Verdict(winner=None, why=f"The points held are worth {score}: a draw.")
    leader = max(state.powers, key=lambda power: values[power.id])
    return Verdict(winner=leader.chief, why=f"The points held are worth {score}.")


def _holds_sudden_victory_points(state: CampaignState, power: str) -> bool:
    point_ids = state.sudden.get(power, ())
    return bool(point_ids) and all(state.points[point_id].holder == power for point_id in point_ids)


def _is_broken(state: CampaignState, power: str) -> bool:
    """Whether a power's figures have fallen below the percentage `broken_below` of its starting figures (CA-8.3)."""
    figures = sum(column.figures for column in state.columns_of(power))
    return 100 * figures < state.option_value(power, "broken_below") * state.power(power).began_with


def _describe_victory(state: CampaignState, winner: str) -> str:
    if _holds_sudden_victory_points(state, winner):
        places = ", ".join(state.points[point_id].name for point_id in state.sudden[winner])
        return f"The {state.power(winner).name} hold {places}."
    loser = state.enemy_of(winner)
    return f"The {loser.name} have less than {state.option_value(loser.id, 'broken_below')}% of their figures left."
