"""Contact of enemies in a hex: columns are put back, get away, or begin a battle (CA-5)."""

from collections.abc import Mapping, Sequence

from .battles import begin_battle
from .columns import Column, Stance
from .going_back import CameFrom, barred_hexes, go_back
from .model import CampaignPlay, CampaignState
from .telling import report_on_column, throw_hidden_die
from .ways import march_points_of_pace


def settle_contacts(play: CampaignPlay, came_from: CameFrom) -> None:
    """Settle this impulse's contacts, from west to east, then from north to south (CA-5.1).

    A contact is a hex with free columns of both powers, which must stop there.
    """
    state = play.state
    stopped_before = {column.id: column.today.is_stopped for column in state.columns}
    first, second = (power.id for power in state.powers)
    in_contact = {
        hex_: state.columns_in(hex_)
        for hex_ in sorted(state.stacks.by_hex)
        if state.battle_in(hex_) is None and state.enemies_in(hex_, first) and state.enemies_in(hex_, second)
    }
    for columns in in_contact.values():
        for column in columns:
            play.change(column.id, today=column.today.model_copy(update={"is_stopped": True, "met_enemies": True}))
    taking_part = frozenset(column.id for columns in in_contact.values() for column in columns)
    for hex_, columns in in_contact.items():
        if all(column.orders.stance is not Stance.ATTACK for column in columns):
            _put_back_entering_columns(play, columns, came_from)
        else:
            _let_columns_get_away(play, columns, came_from, stopped_before)
        remaining = [column for column in play.state.columns_in(hex_) if column.id in {member.id for member in columns}]
        if len({play.state.power_of(column.side).id for column in remaining}) > 1:
            begin_battle(play, hex_, remaining, came_from, taking_part)


def _put_back_entering_columns(play: CampaignPlay, columns: Sequence[Column], came_from: CameFrom) -> None:
    """Send back the columns that entered the hex in this impulse, because nobody there attacks (CA-5.2)."""
    for column in columns:
        if column.id in came_from:
            went = go_back(play, column, barred_hexes(play.state, column, columns, came_from))
            verdict = "is put back by enemies" if went else "meets enemies and cannot go back"
            report_on_column(play, column, "5.2", verdict)


def _let_columns_get_away(
    play: CampaignPlay, columns: Sequence[Column], came_from: CameFrom, stopped_before: Mapping[str, bool]
) -> None:
    """Let avoiding columns try to leave the hex. If only one power remains, its columns may march on (CA-5.3)."""
    before = play.state
    for column in columns:
        if column.orders.stance is not Stance.AVOID:
            continue
        power = before.power_of(column.side).id
        enemies = [enemy for enemy in columns if before.power_of(enemy.side).id != power]
        needed = score_to_get_away(before, column, enemies)
        throw = throw_hidden_die(play, column, "getting away")
        gets_away = throw.total >= needed
        went = gets_away and go_back(play, column, barred_hexes(play.state, column, columns, came_from))
        verdict = "gets away from the enemy" if went else "has no way out" if gets_away else "is caught by the enemy"
        report_on_column(play, column, "5.3", verdict, throw, f"gets away on {needed}+")
    hex_ = columns[0].at
    remaining = [column for column in columns if play.state.unit(column.id).at == hex_]
    if len({before.power_of(column.side).id for column in remaining}) == 1:
        for column in remaining:
            today = play.state.unit(column.id).today
            play.change(column.id, today=today.model_copy(update={"is_stopped": stopped_before[column.id]}))


def score_to_get_away(state: CampaignState, column: Column, enemies: Sequence[Column]) -> int:
    """Return the minimum D6 score with which an avoiding column gets away from `enemies` (CA-5.3)."""
    power = state.power_of(column.side).id
    fastest = max(march_points_of_pace(state, state.power_of(enemy.side).id, enemy.pace) for enemy in enemies)
    return state.option_value(power, "gets_away_on") - march_points_of_pace(state, power, column.pace) + fastest
