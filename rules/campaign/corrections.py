"""The umpire's corrections of a campaign's columns and battles."""

from rules.core.refusal import Refused, refuse
from rules.core.umpire import AddUnit, UmpireTools

from .columns import Column, ColumnUnit, Pace
from .ground import board_of
from .intelligence import News, NewsKind
from .model import Battle, CampaignState, Power
from .supply import supply_capacity

USUAL_FIGURES, MOST_FIGURES = 24, 200
"""Usual and maximum number of figures in a column that the umpire adds."""


def add_unit(state: CampaignState, action: AddUnit, unit_id: str) -> CampaignState:
    """Return the state with a new column of one unit, off the map. Raises Refused for a wrong place, pace or size."""
    inches = "This map has hexes, not inches: add the column without x and y, then /umpire set its place."
    refuse(None, (action.x is not None, inches))
    paces = {pace.value: pace for pace in Pace}
    if action.troop not in paces:
        raise Refused(f"A column is {', '.join(paces)}. Say which.")
    figures = USUAL_FIGURES if action.figures is None else action.figures
    refuse(None, (not 1 <= figures <= MOST_FIGURES, f"A column has 1 to {MOST_FIGURES} figures. Give another number."))
    pace = paces[action.troop]
    allies = state.allies_of(action.side)
    units = (unit for column in state.units.values() if column.side in allies for unit in column.troops)
    troop = next((unit.troop for unit in units if unit.pace is pace), pace.value)
    unit = ColumnUnit(name=action.name, troop=troop, pace=pace, start=figures, figures=figures)
    column = Column(id=unit_id, name=action.name, side=action.side, troops=(unit,))
    return state.with_unit(column.model_copy(update={"supply": supply_capacity(state, column)}))


def settle_correction(before: CampaignState, after: CampaignState, unit_id: str) -> CampaignState:
    """Return the state `after` a correction of a column, made consistent.

    A moved column drops its planned way, and leaves or joins battles. Raises Refused for a hex that is not land.
    """
    old, new = before.unit(unit_id), after.unit(unit_id)
    is_off_map = new.at is not None and new.at not in board_of(after).land
    refuse(None, (is_off_map, f"Nobody can stand in {new.at}. Give another hex."))
    if new.at != old.at:
        orders = new.orders.model_copy(update={"way": ()})
        after = after.changed(unit_id, orders=orders, way_back=(), days_dug=0, arrives=None)
    return _update_battles(_recount_starting_figures(after, old, new), unit_id)


def _recount_starting_figures(state: CampaignState, old: Column, new: Column) -> CampaignState:
    """Update each power's starting figures after a correction changed a column's figures, side or place (CA-8.3)."""

    def figures_in(power: Power, column: Column) -> int:
        return column.figures if column.at is not None and column.side in power.commands else 0

    began = ((power, power.began_with + figures_in(power, new) - figures_in(power, old)) for power in state.powers)
    powers = tuple(power.model_copy(update={"began_with": max(figures, 0)}) for power, figures in began)
    return state if powers == state.powers else state.model_copy(update={"powers": powers})


def _update_battles(state: CampaignState, unit_id: str = "") -> CampaignState:
    """Remove columns from battles whose hex they left, and add the column `unit_id` to any battle in its hex.

    A battle with columns of only one power ends, and the gazette reports the end.
    """
    battles, news = dict[str, Battle](), state.news
    for battle in state.battles.values():
        columns = dict.fromkeys((*battle.columns, unit_id))
        ids = tuple(key for key in columns if key in state.units and state.unit(key).at == battle.at)
        if len({state.power_of(state.unit(column_id).side).id for column_id in ids}) > 1:
            battles[battle.id] = battle.model_copy(update={"columns": ids})
        else:
            news = (*news, News(day=state.turn, kind=NewsKind.FIELD, at=battle.at))
    return state if battles == state.battles else state.model_copy(update={"battles": battles, "news": news})


def _describe_column(state: CampaignState, unit_id: str) -> str:
    column = state.unit(unit_id)
    place = board_of(state).title(column.at) if column.at is not None else "off the map"
    return f"{column.name}: {column.figures} figures, {place}."


UMPIRE_TOOLS: UmpireTools[CampaignState] = UmpireTools(
    add_unit=add_unit,
    remove_unit=lambda state, unit_id: _update_battles(state.without_unit(unit_id)),
    settle=settle_correction,
    line=_describe_column,
    set_down=lambda state, _unit, words: board_of(state).parse_hexes(words)[-1],
    place_field="at",
    place_in_words=lambda state, hex_: board_of(state).title(hex_),
    readers=lambda state, unit_id: None if state.over else state.sides_sharing_view(state.unit(unit_id).side),
)
