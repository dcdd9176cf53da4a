"""Beginning and end of battles on the map, and marches to the guns (CA-5.4 to CA-6.7)."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from rules.core.data_files import read_data_file
from rules.core.hexboard.hexes import Hex
from rules.core.model import Model
from rules.core.wording import count_of

from .columns import Column, Pace, Stance
from .going_back import barred_hexes, go_back
from .ground import board_of
from .intelligence import NewsKind
from .model import Battle, CampaignPlay, CampaignState
from .news import announce
from .telling import report_on_column, throw_hidden_die


class BattleSystem(Model):
    """Facts about a rule system by which a campaign's battles can be fought."""

    turns: int
    """Turns that a battle lasts (CA-6.4)."""
    late: int
    """Battle turns added to the die of a column that marches to the guns."""
    half: bool
    """Whether only half the die of a column that marches to the guns counts, rounded up."""
    kills: bool = False
    """Whether a unit takes kills, each worth several of its figures, instead of losing single figures."""
    wheeled_later: int
    """Additional battle turns before the arrival of a wheeled column that marches to the guns."""
    behind_works: Mapping[str, str] = {}
    """Values of the fields of units that stand behind field works, by field (CA-6.2)."""
    guns: tuple[str, ...] = ()
    """Ids of the troops that are guns. No figures of a destroyed gun come back (CA-6.6)."""


class BattleSystems(Model):
    """The systems by which campaigns may fight battles, by id."""

    magdala: BattleSystem
    empire: BattleSystem
    charge: BattleSystem


def battle_system_ids() -> tuple[str, ...]:
    """Return the ids of the systems by which campaigns may fight battles."""
    return tuple(BattleSystems.model_fields)


@cache
def battle_system(system_id: str) -> BattleSystem:
    """Return the battle system with that id. Raises AttributeError for an unknown id."""
    system: BattleSystem = getattr(read_data_file(BattleSystems, "rules.campaign", "battle_systems.toml"), system_id)
    return system


class BattleOutcome(Model):
    """A battle's result: each column's losses, and the power that holds the field."""

    field: str = ""
    """Id of the power that held the field; empty for nobody."""
    lost: Mapping[str, tuple[int, ...]]
    """Lost figures of each unit, by column id."""


def begin_battle(
    play: CampaignPlay, hex_: Hex, columns: Sequence[Column], came_from: Mapping[str, Hex], taking_part: frozenset[str]
) -> None:
    """Begin a battle of columns in contact, or settle it at once if one power is overrun (CA-5.4 to CA-5.6).

    `taking_part` are the ids of all columns in contact in this impulse. None of these marches to the guns.
    """
    state = play.state
    last_hexes = {column.id: column.way_back[0] for column in columns if column.today.entered and column.way_back}
    battle = Battle(
        id=f"battle-{state.turn}-{hex_.label}",
        at=hex_,
        day=state.turn,
        columns=tuple(column.id for column in columns),
        defender=find_defending_power(state, hex_, columns),
        edges={column.id: came_from.get(column.id, last_hexes.get(column.id)) for column in columns},
    )
    weaker = find_overrun_power(state, columns)
    if weaker:
        announce(play, NewsKind.OVERRUN, weaker, hex_)
        overrun = [column for column in columns if state.power_of(column.side).id == weaker]
        for column in overrun:
            report_on_column(play, column, "5.4", "is overrun")
        losses = {column.id: tuple(-(-unit.figures // 2) for unit in column.troops) for column in overrun}
        winners = (column.id for column in columns if column not in overrun)
        sources = frozenset(came_from[column_id] for column_id in winners if column_id in came_from)
        end_battle(play, battle, BattleOutcome(field=state.enemy_of(weaker).id, lost=losses), sources)
        return
    play.set(battles={**state.battles, battle.id: battle})
    announce(play, NewsKind.BATTLE, battle.defender, hex_)
    _march_to_the_guns(play, battle, taking_part)


def find_defending_power(state: CampaignState, hex_: Hex, columns: Iterable[Column]) -> str:
    """Return the power that alone had columns in the hex all day; empty for neither or both powers (CA-5.5)."""
    stayed = (column for column in columns if column.today.stood == hex_ and not column.today.entered)
    powers = {state.power_of(column.side).id for column in stayed}
    return powers.pop() if len(powers) == 1 else ""


def find_overrun_power(state: CampaignState, columns: Sequence[Column]) -> str:
    """Return the power overrun by an enemy with many times its figures; empty if no power is overrun (CA-5.4)."""
    figures = {
        power.id: sum(column.figures for column in columns if column.side in power.commands) for power in state.powers
    }
    for power in state.powers:
        enemy = state.enemy_of(power.id).id
        if figures[enemy] >= state.option_value(enemy, "too_strong") * figures[power.id]:
            return power.id
    return ""


def _march_to_the_guns(play: CampaignPlay, battle: Battle, taking_part: frozenset[str]) -> None:
    """Add attacking columns from adjacent hexes to the battle; a die decides their turns of arrival (CA-5.6)."""
    for old in play.state.columns:
        column, state = play.state.unit(old.id), play.state
        ready = column.orders.stance is Stance.ATTACK and state.is_free(column) and column.id not in taking_part
        start = column.at
        if not ready or start is None or start.distance(battle.at) != 1:
            continue
        if board_of(state).step_cost(start, battle.at, column.pace) is None:
            continue
        throw = throw_hidden_die(play, column, "marching to the guns")
        turn = arrival_turn(state, column, throw.total)
        battle = battle.model_copy(
            update={
                "columns": (*battle.columns, column.id),
                "edges": {**battle.edges, column.id: start},
                "late": {**battle.late, column.id: turn},
            }
        )
        today = column.today.model_copy(update={"is_stopped": True})
        orders = column.orders.model_copy(update={"way": ()})
        way_back = column.way_back_after_step(battle.at)
        play.change(column.id, at=battle.at, way_back=way_back, today=today, orders=orders, days_dug=0)
        play.set(battles={**play.state.battles, battle.id: battle})
        report_on_column(play, column, "5.6", f"comes to the battle in its turn {turn}", throw)


def arrival_turn(state: CampaignState, column: Column, die: int) -> int:
    """Return the battle turn in which a column that marches to the guns arrives, by its `die` (CA-5.6)."""
    system = battle_system(state.battle_system)
    turns = -(-die // 2) if system.half else die
    return turns + system.late + (system.wheeled_later if column.pace is Pace.WHEELED else 0)


def end_battle(play: CampaignPlay, battle: Battle, result: BattleOutcome, barred: frozenset[Hex] = frozenset()) -> None:
    """Subtract a battle's losses, end the battle, and move the losers back (CA-6.6, CA-6.7).

    No column goes back to `barred`, the hexes that the winners of an overrun left in this impulse.
    """
    state = play.state
    for column_id in battle.columns:
        _subtract_losses(play, column_id, result)
    play.set(battles={key: open_battle for key, open_battle in state.battles.items() if key != battle.id})
    holder, hexes = (result.field, 2) if result.field else (battle.defender, 1)
    for column_id in battle.columns:
        column = play.state.units.get(column_id)
        if column is not None and play.state.power_of(column.side).id != holder:
            _move_column_back(play, column_id, hexes, barred | {battle.at})
    announce(play, NewsKind.FIELD, result.field, battle.at)


def _move_column_back(play: CampaignPlay, column_id: str, hexes: int, barred: frozenset[Hex]) -> None:
    """Move a column back by up to `hexes` hexes; a column that cannot go back at all surrenders (CA-6.7)."""
    for step in range(hexes):
        column = play.state.unit(column_id)
        went = go_back(play, column, barred_hexes(play.state, column, (), {}) | barred)
        if not went and step == 0:
            report_on_column(play, column, "6.7", "cannot go back, and surrenders")
            play.set(units=play.state.without_unit(column.id).units)
        if not went:
            return


def _subtract_losses(play: CampaignPlay, column_id: str, result: BattleOutcome) -> None:
    """Subtract a column's losses, and record them for today; remove a column without units (CA-6.6)."""
    column = play.state.units.get(column_id)
    if column is None:
        return
    losses = result.lost.get(column_id, (0,) * len(column.troops))
    holds = play.state.power_of(column.side).id == result.field
    share = 2 if holds or not result.field else 3
    guns = battle_system(play.state.battle_system).guns
    units_left, back = [], 0
    for unit, loss in zip(column.troops, losses, strict=True):
        is_destroyed = unit.troop in guns and loss >= unit.figures
        come = 0 if is_destroyed else loss // share  # CA-6.6: one in `share` comes back, rounded down
        back += come
        if unit.figures - loss + come > 0:
            units_left.append(unit.model_copy(update={"figures": unit.figures - loss + come}))
    loss = sum(losses)
    if loss:
        verdict = f"{count_of(loss, 'figure')} lost, {back} {'comes' if back == 1 else 'come'} back"
        report_on_column(play, column, "6.6", verdict)
    if units_left:
        today = column.today.model_copy(update={"lost": column.today.lost + loss - back})
        play.change(column.id, troops=tuple(units_left), today=today)
    else:
        play.set(units=play.state.without_unit(column.id).units)
