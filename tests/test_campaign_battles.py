"""A campaign's battle on the table of its system: laid out, fought by the bot, and its losses on the map."""

from collections.abc import Callable
from functools import cache
from math import dist
from typing import Any

import pytest

from bot.campaigns.battle_jobs import fight_battle
from bot.campaigns.order_of_battle import find_order_of_battle, orders_of_battle
from bot.campaigns.table import Roster, TableBattle, battle_result, lay_out_on_table
from bot.journal.codec import pack_state
from rules.campaign.battles import battle_system
from rules.campaign.model import Battle, CampaignState
from rules.campaign.tables import tables_for_battle
from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker
from rules.core.automaton.own_dice import SeededDice
from rules.core.state import Verdict
from rules.core.tabletop.table_opponent import imagine_objectives
from rules.registry import rulesets

MARCHES = {
    "suakin-1884": ("graham-s-column", "El Teb", "graham-s-column", "horde-of-el-teb"),
    "zululand-1879": ("wood-s-column", "Kambula", "wood-s-column", "abaqulusi"),
    "lindenmark-1794": ("morel-s-horse", "1005", "morel-s-horse", "border-hussars"),
}
"""A march, the place of the battle, and the columns that fight there."""
GUNS_OF_MAGDALA = ("field artillery", "heavy artillery", "mountain gun or pom-pom", "machine gun", "rocket")


@cache
def march_to_battle(scenario: str) -> tuple[CampaignState, Battle]:
    """Return a campaign on the day after two columns met, and their battle."""
    system, dice = rulesets()["campaign"], SeededDice("battle")
    state = system.setup(scenario, {}, dice)
    column, place, first, second = MARCHES[scenario]
    if scenario == "zululand-1879":
        moves = [("wood-s-column", "Kambula"), ("abaqulusi", "Kambula")]
    else:
        moves = [(column, place)]
    for mover, goal in moves:
        state, _ = system.act(state, system.parse("move", {"unit": mover, "to": goal, "with": "attack"}), dice)
    for _ in range(4):
        if state.battles:
            break
        state, _ = system.act(state, system.parse("turn_next", {}), dice)
    (battle,) = state.battles.values()
    assert set(battle.columns) == {first, second}
    return state, battle


def lay_out_first_table(scenario: str) -> tuple[CampaignState, Battle, TableBattle]:
    """Return the campaign, the battle, and the battle on the first of its tables."""
    state, battle = march_to_battle(scenario)
    return state, battle, lay_out_on_table(state, battle, tables_for_battle(state, battle)[0], 6, SeededDice("table"))


@pytest.mark.parametrize("scenario", MARCHES)
def test_the_units_of_the_columns_stand_on_the_table(scenario: str) -> None:
    state, battle, fought = lay_out_first_table(scenario)
    names = {unit.id: unit.name for unit in fought.state.units.values()}
    for unit in fought.roster.units:
        assert names[unit.unit] == state.unit(unit.column).troops[unit.place].name
        assert (
            fought.state.units[unit.unit].side == fought.roster.sides[state.power_of(state.unit(unit.column).side).id]
        )
    assert len(fought.roster.units) == sum(len(order.units) for order in orders_of_battle(state, battle).values())
    assert fought.state.setting_up is None


def test_a_battle_may_stay_in_its_set_up_until_the_umpire_begins_it() -> None:
    state, battle = march_to_battle("suakin-1884")
    fought = lay_out_on_table(state, battle, tables_for_battle(state, battle)[0], 6, SeededDice("table"), begin=False)
    assert fought.state.setting_up is not None
    begun, _ = fought.system.act(fought.state, fought.system.parse("begin", {}), SeededDice("begin"))
    assert begun == lay_out_first_table("suakin-1884")[2].state


@pytest.mark.parametrize("scenario", MARCHES)
def test_a_result_needs_nothing_but_the_roster_which_can_be_kept(scenario: str) -> None:
    state, battle, fought = lay_out_first_table(scenario)
    roster = Roster.model_validate_json(fought.roster.model_dump_json())
    assert roster == fought.roster
    assert not any(any(lost) for lost in battle_result(state, battle, roster, fought.state).lost.values())


@pytest.mark.parametrize("scenario", MARCHES)
def test_tables_of_every_kind_can_be_laid_out(scenario: str) -> None:
    state, battle = march_to_battle(scenario)
    for table in tables_for_battle(state, battle):
        assert lay_out_on_table(state, battle, table, 6, SeededDice("table")).state.terrain


def test_at_most_fourteen_units_a_power_and_none_below_a_third() -> None:
    state, battle = march_to_battle("suakin-1884")
    column = state.unit("graham-s-column")
    weak = [unit.model_copy(update={"figures": unit.start // 4 or 1}) for unit in column.troops[:2]]
    state = state.changed(column.id, troops=(*weak, *column.troops[2:]))
    places = [unit.place for unit in find_order_of_battle(state, battle, "british").standing]
    assert not {0, 1} & {*places}
    assert len(places) <= 14
    small = state.model_copy(update={"options": state.options.model_copy(update={"table_units": 4})})
    order = find_order_of_battle(small, battle, "british")
    assert len(order.standing) == 4
    assert [unit.place for unit in order.units] == places, "the rest are reserves"


def test_figures_and_units_that_are_gone_are_lost() -> None:
    state, battle, fought = lay_out_first_table("suakin-1884")
    first, second, *_ = fought.roster.units
    unit = fought.state.units[first.unit]
    after = fought.state.with_unit(unit.model_copy(update={"figures": unit.figures - 5})).without_unit(second.unit)
    result = battle_result(state, battle, fought.roster, after)
    assert result.lost[first.column][first.place] == 5
    assert result.lost[second.column][second.place] == state.unit(second.column).troops[second.place].figures
    assert result.field == battle.defender, "without a winner the defender holds the field"
    won = after.model_copy(update={"over": Verdict(winner=fought.roster.sides["british"], why="")})
    assert battle_result(state, battle, fought.roster, won).field == "british"
    draw = after.model_copy(update={"over": Verdict(winner=None, why="")})
    assert battle_result(state, battle, fought.roster, draw).field == "", (
        "both powers are broken before the last turn's end"
    )
    late = draw.model_copy(update={"turn": draw.turn_limit + 1})
    assert battle_result(state, battle, fought.roster, late).field == battle.defender


def test_a_kill_of_empire_is_a_quarter_of_the_unit() -> None:
    state, battle, fought = lay_out_first_table("zululand-1879")
    first = fought.roster.units[0]
    hurt = fought.state.units[first.unit].model_copy(update={"kills": 1})
    after = fought.state.with_unit(hurt)
    assert battle_result(state, battle, fought.roster, after).lost[first.column][first.place] == 6


def test_losses_in_the_campaign_are_kills_on_the_table() -> None:
    state, battle = march_to_battle("zululand-1879")
    column = state.unit("wood-s-column")
    weak = column.troops[0].model_copy(update={"figures": 11})
    state = state.changed(column.id, troops=(weak, *column.troops[1:]))
    fought = lay_out_on_table(state, battle, tables_for_battle(state, battle)[0], 6, SeededDice("table"))
    first = next(unit for unit in fought.roster.units if unit.column == column.id and unit.place == 0)
    assert fought.state.units[first.unit].kills == 2
    assert battle_result(state, battle, fought.roster, fought.state).lost[column.id][0] == 0


def test_a_battle_of_the_bot_follows_from_the_seals_and_can_be_fought_anew() -> None:
    system = rulesets()["campaign"]
    state, battle = march_to_battle("suakin-1884")
    for column in battle.columns:
        state = state.changed(column, troops=state.unit(column).troops[:2])
    packed = pack_state(system, state)
    result, repeated = (fight_battle(packed, battle.at.label, Level.EASY) for _ in range(2))
    assert result == repeated
    after, report = system.act(state, system.parse("battle_result", dict(result)), SeededDice("end"))
    assert not after.battles
    assert report.headline.startswith("Battle in 2318 (El Teb): ")
    other_seals = tuple(replace_seal(seal) for seal in state.seals)
    assert (
        fight_battle(pack_state(system, state.model_copy(update={"seals": other_seals})), battle.at.label, Level.EASY)
        != result
    )


def replace_seal(sealed: object) -> object:
    """The same orders under another seal."""
    return sealed.model_copy(update={"seal": "0" * 64})  # type: ignore[attr-defined]


def test_a_power_without_a_fit_unit_has_lost_the_field() -> None:
    state, battle = march_to_battle("suakin-1884")
    horde = state.unit("horde-of-el-teb")
    worn = tuple(unit.model_copy(update={"figures": 1, "start": 36}) for unit in horde.troops)
    state = state.changed(horde.id, troops=worn)
    args = fight_battle(pack_state(rulesets()["campaign"], state), battle.at.label, Level.EASY)
    assert args == {"battle": "2318", "field": "British", "lost": ""}


@pytest.mark.parametrize("scenario", MARCHES)
def test_the_bot_attacks_for_the_power_that_does_not_defend(scenario: str) -> None:
    _, battle, fought = lay_out_first_table(scenario)
    attacker, defender = fought.state.sides
    assert not battle.defender or fought.roster.sides[battle.defender] == defender.id
    assert not fought.state.objectives, "the bot alone imagines them"
    imagined = imagine_objectives(fought.state, SeededDice(""))
    assert {aim.side for aim in imagined.objectives} == {attacker.id}


def test_an_army_of_the_bot_that_attacks_marches_at_the_enemy() -> None:
    _, _, fought = lay_out_first_table("lindenmark-1794")
    system, state = fought.system, fought.state
    attacker, before = state.sides[0].id, mean_distance(fought.state)
    chooser = DecisionMaker(system, attacker, Level.EASY, "attack")
    while attacker in state.acting_sides:
        thought = chooser.decide(state)
        assert thought is not None
        state, _ = system.act(state, thought.action, SeededDice("attack"))
    assert mean_distance(state) < before - 4


def mean_distance(state: Any) -> float:
    """Return the mean distance of the first side's units from the middle of the second side's, in inches."""
    first, second = ([unit.place.point for unit in state.units_of(side.id)] for side in state.sides)
    middle = (sum(x for x, _ in second) / len(second), sum(y for _, y in second) / len(second))
    return sum(dist(at, middle) for at in first) / len(first)


def test_the_bot_imagines_no_aims_where_a_battle_has_objectives() -> None:
    state = rulesets()["charge"].setup("bridge", {}, SeededDice(""))
    assert imagine_objectives(state, SeededDice("")) is state


@pytest.mark.parametrize("scenario", MARCHES)
def test_the_powers_keep_the_colours_of_the_campaigns_map(scenario: str) -> None:
    state, _, fought = lay_out_first_table(scenario)
    colours = {side.id: side.index for side in fought.state.sides}
    assert {fought.roster.sides[power.id]: state.side(power.chief).index for power in state.powers} == colours


IS_GUN: dict[str, Callable[[Any], bool]] = {
    "magdala": lambda unit: unit.weapon in GUNS_OF_MAGDALA,
    "empire": lambda unit: unit.is_crew,
    "charge": lambda unit: unit.arm == "gun",
}


@pytest.mark.parametrize("system", IS_GUN)
def test_6_6_the_guns_of_each_battle_system_are_known(system: str) -> None:
    troops = rulesets()[system].troops
    guns = {troop for troop, troop_type in troops.items() if IS_GUN[system](troop_type.make_unit(troop, troop, ""))}
    assert guns == {*battle_system(system).guns}
