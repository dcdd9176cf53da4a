"""Umpire corrections in a campaign."""

from rules.core.model import Viewers
from rules.core.refusal import Refused, refuse
from rules.core.umpire import AddUnit, UmpireTools

from .columns import Column, Pace, Troops
from .ground import board_of
from .intelligence import News, NewsKind
from .model import Battle, CampaignState, Power
from .seeing import commands_sharing_sightings
from .supply import supply_capacity

USUAL, MOST_ADDED = 24, 200
"""Usual and maximum number of figures in a column added by the umpire."""


def add_unit(state: CampaignState, action: AddUnit, unit_id: str) -> CampaignState:
    """Return the state with a new column of one unit off the map. Raises Refused on wrong numbers or places."""
    inches = "This map has hexes, not inches: add the column without x and y, then /umpire set its place."
    refuse(None, (action.x is not None, inches))
    paces = {pace.value: pace for pace in Pace}
    if action.troop not in paces:
        raise Refused(f"A column is {', '.join(paces)}. Say which.")
    figures = USUAL if action.figures is None else action.figures
    refuse(None, (not 1 <= figures <= MOST_ADDED, f"A column has 1 to {MOST_ADDED} figures. Give another number."))
    pace = paces[action.troop]
    unit = Troops(
        name=action.name, troop=_usual_troop(state, action.side, pace), pace=pace, start=figures, figures=figures
    )
    column = Column(id=unit_id, name=action.name, side=action.side, troops=(unit,))
    return state.with_unit(column.model_copy(update={"supply": supply_capacity(state, column)}))


def _usual_troop(state: CampaignState, command: str, pace: Pace) -> str:
    """Return the troop of the power's first unit with that pace; the pace itself if there is no such unit."""
    columns = (column for column in state.units.values() if column.side in state.allies_of(command))
    return next((unit.troop for column in columns for unit in column.troops if unit.pace is pace), pace.value)


def settle_correction(before: CampaignState, after: CampaignState, unit_id: str) -> CampaignState:
    """Return the corrected state. Raises Refused for a column placed off the land.

    A moved column loses its way, leaves its battle, and joins a battle in its new hex. A reinforcement put on the map
    counts as arrived.
    """
    old, new = before.unit(unit_id), after.unit(unit_id)
    is_off_map = new.at is not None and new.at not in board_of(after).land
    refuse(None, (is_off_map, f"Nobody can stand in {new.at}. Give another hex."))
    if new.at != old.at:
        orders = new.orders.model_copy(update={"way": ()})
        after = after.changed(unit_id, orders=orders, way_back=(), days_dug=0, arrives=None)
    return _update_battles(_recount_starting_figures(after, old, new), unit_id)


def _recount_starting_figures(state: CampaignState, old: Column, new: Column) -> CampaignState:
    """Update each power's starting figures after a column was added, removed or changed sides (CA-8.3)."""

    def count(power: Power, column: Column) -> int:
        return column.figures if column.at is not None and column.side in power.commands else 0

    began = ((power, power.began_with + count(power, new) - count(power, old)) for power in state.powers)
    powers = tuple(power.model_copy(update={"began_with": max(figures, 0)}) for power, figures in began)
    return state if powers == state.powers else state.model_copy(update={"powers": powers})


def _update_battles(state: CampaignState, unit_id: str = "") -> CampaignState:
    """Return the state with every battle limited to the columns in the battle's hex.

    A battle with columns of only one power is over; the gazette reports the end.
    """
    battles = {battle.id: _correct_battle(state, battle, unit_id) for battle in state.battles.values()}
    battles_left = {key: battle for key, battle in battles.items() if len(_powers_in_battle(state, battle)) > 1}
    if battles_left == state.battles:
        return state
    ended = (
        News(day=state.turn, kind=NewsKind.FIELD, at=battle.at)
        for key, battle in battles.items()
        if key not in battles_left
    )
    return state.model_copy(update={"battles": battles_left, "news": (*state.news, *ended)})


def _correct_battle(state: CampaignState, battle: Battle, unit_id: str) -> Battle:
    """Return the battle without columns that left the battle's hex, and with `unit_id` if that column is there."""
    columns = dict.fromkeys((*battle.columns, unit_id))
    ids = tuple(key for key in columns if key in state.units and state.unit(key).at == battle.at)
    return battle if ids == battle.columns else battle.model_copy(update={"columns": ids})


def _powers_in_battle(state: CampaignState, battle: Battle) -> frozenset[str]:
    return frozenset(state.power_of(state.unit(column_id).side).id for column_id in battle.columns)


def _remove_unit(state: CampaignState, unit_id: str) -> CampaignState:
    return _update_battles(state.without(unit_id))


def _viewers_of_column(state: CampaignState, unit_id: str) -> Viewers | None:
    """Return the commands that may know the column; None, for everyone, once the campaign is over."""
    return None if state.over is not None else frozenset(commands_sharing_sightings(state, state.unit(unit_id).side))


def _describe_column(state: CampaignState, unit_id: str) -> str:
    column = state.unit(unit_id)
    place = board_of(state).title(column.at) if column.at is not None else "off the map"
    return f"{column.name}: {column.figures} figures, {place}."


UMPIRE_TOOLS: UmpireTools[CampaignState] = UmpireTools(
    add_unit=add_unit,
    remove_unit=_remove_unit,
    settle=settle_correction,
    line=_describe_column,
    set_down=lambda state, _unit, words: board_of(state).parse_hexes(words)[-1],
    place_field="at",
    place_in_words=lambda state, hex_: board_of(state).title(hex_),
    readers=_viewers_of_column,
)
