"""The table of a campaign's battle: who stands on it, who comes later, who stands behind works (CA-5.6 to CA-6.3)."""

import pickle
from typing import Any

import pytest

from bot.campaigns.battleground import lay_out_ground
from bot.campaigns.order_of_battle import find_order_of_battle
from bot.campaigns.table import TableBattle, battle_result, lay_out_on_table
from rules.campaign.battles import battle_system
from rules.campaign.day import is_entrenched
from rules.campaign.model import Battle, CampaignState
from rules.campaign.tables import all_battle_tables, tables_for_battle
from rules.charge.ground import find_cover
from rules.core.automaton.own_dice import SeededDice
from rules.core.model import UMPIRE
from rules.core.scene import Feature
from rules.core.tabletop.table import gap
from rules.registry import rulesets
from tests.test_campaign_battles import MARCHES, march_to_battle


def with_late_column(scenario: str, turn: int = 3) -> tuple[CampaignState, Battle, str]:
    """The battle with a column more, of the power that came to it; it marches to the guns from another side."""
    state, battle = march_to_battle(scenario)
    first, second = MARCHES[scenario][2:]
    arriving = first if battle.edges[first] is not None else second
    column = state.unit(arriving)
    late = column.model_copy(update={"id": "late", "name": "Late column", "troops": column.troops[:1]})
    source = next(hex_ for hex_ in battle.at.neighbours() if hex_.column != battle.at.column)
    changed = battle.model_copy(
        update={
            "columns": (*battle.columns, "late"),
            "late": {"late": turn},
            "edges": {**battle.edges, "late": source},
        }
    )
    state = state.changed(arriving, troops=column.troops[:13])
    return state.with_unit(late).model_copy(update={"battles": {battle.id: changed}}), changed, late.side


def lay_out_battle(state: CampaignState, battle: Battle, *, begin: bool = True) -> TableBattle:
    return lay_out_on_table(state, battle, tables_for_battle(state, battle)[0], 6, SeededDice("table"), begin=begin)


def on_table(fought: TableBattle, column: str) -> list[Any]:
    """The units of a column in the battle's game, on the table or not."""
    return [fought.state.every_unit[unit.unit] for unit in fought.roster.units if unit.column == column]


def next_turn(fought: TableBattle, state: Any, turn: int) -> Any:
    """The battle's game after an action by which that turn has begun."""
    state = state.model_copy(update={"turn": turn})
    event = fought.system.parse("event", {"text": "A bugle calls."})
    return fought.system.act(state, event, SeededDice("turn"))[0]


@pytest.mark.parametrize("scenario", MARCHES)
def test_a_late_column_comes_in_its_turn_at_the_edge_that_it_comes_from(scenario: str) -> None:
    campaign, battle, command = with_late_column(scenario)
    fought = lay_out_battle(campaign, battle)
    ids = [unit.id for unit in on_table(fought, "late")]
    assert {*fought.state.arrivals} == {*ids}
    edge = "east" if battle.edges["late"].column > battle.at.column else "west"
    assert {arrival.edge for arrival in fought.state.arrivals.values()} == {edge}
    before = next_turn(fought, fought.state, 2)
    assert {*before.arrivals} == {*ids}
    after = next_turn(fought, before, 3)
    assert not after.arrivals
    for unit in (after.units[unit] for unit in ids):
        assert unit.place.x > 60 if edge == "east" else unit.place.x < 12
    assert command in campaign.powers[0].commands + campaign.powers[1].commands


@pytest.mark.parametrize("scenario", MARCHES)
def test_a_worker_can_be_sent_a_battle_with_late_columns(scenario: str) -> None:
    state, battle, _ = with_late_column(scenario)
    table = lay_out_battle(state, battle).state
    assert table.arrivals
    copy = pickle.loads(pickle.dumps(table))
    assert copy == table
    assert type(next(iter(copy.arrivals.values()))) is type(next(iter(table.arrivals.values())))


@pytest.mark.parametrize("scenario", MARCHES)
def test_a_battle_that_ends_before_they_come_costs_them_nothing(scenario: str) -> None:
    campaign, battle, _ = with_late_column(scenario, 9)
    fought = lay_out_battle(campaign, battle)
    assert not any(battle_result(campaign, battle, fought.roster, fought.state).lost["late"])


def test_only_their_power_knows_when_late_columns_come() -> None:
    campaign, battle, command = with_late_column("suakin-1884")
    soon, late = lay_out_battle(campaign, battle), lay_out_battle(*with_late_column("suakin-1884", 5)[:2])
    power = campaign.power_of(command).id
    own, enemy = soon.roster.sides[power], soon.roster.sides[campaign.enemy_of(power).id]
    system = soon.system
    assert system.view(soon.state, own) != system.view(late.state, own)
    for viewer in (enemy, "public"):
        assert system.storable_view(soon.state, viewer) == system.storable_view(late.state, viewer)
        assert system.roster(soon.state, viewer) == system.roster(late.state, viewer)
        assert system.strengths(soon.state, viewer) == system.strengths(late.state, viewer)
    assert soon.state.can_have_hidden_units, "an umpire who plays sees what his side sees"
    assert system.view(soon.state, UMPIRE) == soon.state


def test_reserves_come_on_one_for_each_unit_that_is_gone() -> None:
    campaign, battle = march_to_battle("suakin-1884")
    campaign = campaign.model_copy(update={"options": campaign.options.model_copy(update={"table_units": 4})})
    fought = lay_out_battle(campaign, battle)
    order = find_order_of_battle(campaign, battle, "british")
    ids = [unit.unit for unit in fought.roster.units if unit.column == "graham-s-column"]
    assert [unit in fought.state.units for unit in ids] == [True] * 4 + [False] * len(order.to_come)
    assert not fought.state.hides_arrivals
    gone = fought.state.units[ids[0]].model_copy(update={"casualties": fought.state.units[ids[0]].figures})
    after = next_turn(fought, fought.state.with_unit(gone), 1)
    assert [unit in after.units for unit in ids[4:]] == [True] + [False] * (len(ids) - 5)
    assert after.units[ids[4]].place.y > 36 or after.units[ids[4]].place.y < 12


def test_late_columns_are_in_time_if_nobody_else_can_fight() -> None:
    campaign, battle, command = with_late_column("suakin-1884")
    power = campaign.power_of(command).id
    for column in battle.columns:
        unit = campaign.unit(column)
        if campaign.power_of(unit.side).id == power and column != "late":
            worn = tuple(troop.model_copy(update={"figures": 1, "start": 36}) for troop in unit.troops)
            campaign = campaign.changed(column, troops=worn)
    assert {unit.column for unit in find_order_of_battle(campaign, battle, power).standing} == {"late"}


def test_wagons_alone_do_not_fight() -> None:
    campaign, battle = march_to_battle("suakin-1884")
    column = campaign.unit("graham-s-column")
    wagons = tuple(unit.model_copy(update={"troop": "wagon"}) for unit in column.troops[:2])
    assert not find_order_of_battle(campaign.changed(column.id, troops=wagons), battle, "british").units
    guarded = campaign.changed(column.id, troops=(*wagons, column.troops[2]))
    assert len(find_order_of_battle(guarded, battle, "british").standing) == 3


@pytest.mark.parametrize("scenario", MARCHES)
def test_every_table_can_be_laid_out_as_it_is_written_and_turned_about(scenario: str) -> None:
    campaign, battle = march_to_battle(scenario)
    arriving = next(column for column in battle.columns if battle.edges[column] is not None)
    north = next(hex_ for hex_ in battle.at.neighbours() if hex_.column == battle.at.column)
    west = next(hex_ for hex_ in battle.at.neighbours() if hex_.column < battle.at.column)
    system = rulesets()[campaign.battle_system]
    for table in all_battle_tables():
        flat, turned = (
            lay_out_ground(
                system,
                campaign,
                battle.model_copy(update={"edges": {arriving: source}}),
                table,
                6,
                SeededDice("ground"),
            )
            for source in (north, west)
        )
        assert (flat.width, flat.height) == (turned.height, turned.width) == (72, 48)
        for piece, turned_piece in zip(flat.terrain, turned.terrain, strict=True):
            assert turned_piece.points == tuple((y, x) for x, y in piece.points)
            assert all(0 <= x <= 72 and 0 <= y <= 48 for x, y in piece.points)


@pytest.mark.parametrize("scenario", MARCHES)
def test_a_power_stands_within_twelve_inches_of_its_edge(scenario: str) -> None:
    campaign, battle = march_to_battle(scenario)
    fought = lay_out_battle(campaign, battle)
    system: Any = fought.system
    state = fought.state
    for unit in state.units.values():
        x, y = unit.place.point
        distances = {"north": y, "south": state.height - y, "west": x, "east": state.width - x}
        assert distances[state.home_edges[unit.side]] <= 12
    placement = system.battles.file_type.ways.placement
    ours, theirs = (placement.bases(state.units_of(side.id)) for side in state.sides)
    assert min(gap(own, enemy) for own in ours for enemy in theirs) == pytest.approx(24), "as near as they may be"


@pytest.mark.parametrize("scenario", MARCHES)
def test_entrenched_columns_stand_behind_field_works(scenario: str) -> None:
    campaign, battle = march_to_battle(scenario)
    column = next(defending for defending in battle.columns if battle.edges[defending] is None)
    side = campaign.unit(column).side
    foot = next(column for column in campaign.units_of(side) if any(unit.pace == "foot" for unit in column.troops))
    campaign = campaign.changed(column, troops=foot.troops)
    plain = lay_out_battle(campaign, battle)
    campaign = campaign.changed(column, days_dug=1)
    assert is_entrenched(campaign, campaign.unit(column))
    fought = lay_out_battle(campaign, battle)
    works = [piece for piece in fought.state.terrain if piece not in plain.state.terrain]
    assert [piece.feature for piece in works] == [Feature.EARTHWORKS]
    assert fought.state.terrain[:-1] == plain.state.terrain
    fields = battle_system(campaign.battle_system).behind_works
    ranks = [
        unit.place
        for unit, troop in zip(on_table(fought, column), foot.troops, strict=True)
        if troop.pace != "mounted" and all(str(getattr(unit, field)) == value for field, value in fields.items())
    ]
    assert len(ranks) == sum(troop.pace != "mounted" for troop in foot.troops)


def test_works_cover_those_behind_them_in_charge() -> None:
    campaign, battle = march_to_battle("lindenmark-1794")
    column = next(defending for defending in battle.columns if battle.edges[defending] is None)
    foot = next(
        candidate for candidate in campaign.units_of(campaign.unit(column).side) if candidate.troops[0].pace == "foot"
    )
    fought = lay_out_battle(campaign.changed(column, troops=foot.troops[:1], days_dug=1), battle)
    (target,) = on_table(fought, column)
    enemy = fought.state.enemies(target.side)[0]
    assert find_cover(fought.state, enemy, target) == "behind earthworks"


def test_a_battle_in_its_set_up_is_secret_if_nobody_defends() -> None:
    campaign, battle = march_to_battle("suakin-1884")
    assert not lay_out_battle(campaign, battle, begin=False).state.hidden, "the defender sets up first"
    fought = lay_out_battle(campaign, battle.model_copy(update={"defender": ""}), begin=False)
    assert fought.state.options.deploy_in_secret
    assert {*fought.state.hidden} == {unit.unit for unit in fought.roster.units}
    begun, _ = fought.system.act(fought.state, fought.system.parse("begin", {}), SeededDice("begin"))
    assert {*begun.units} == {unit.unit for unit in fought.roster.units}


def test_the_figures_of_a_detachment_are_not_lost() -> None:
    campaign, battle = march_to_battle("suakin-1884")
    fought = lay_out_battle(campaign, battle)
    roster_unit = fought.roster.units[0]
    unit = fought.state.units[roster_unit.unit]
    detachment = unit.model_copy(update={"id": "sent", "name": "Sent", "figures": 4, "parent": unit.id})
    state = fought.state.with_unit(unit.model_copy(update={"figures": unit.figures - 4}), detachment)
    assert battle_result(campaign, battle, fought.roster, state).lost[roster_unit.column][roster_unit.place] == 0
    hurt = state.with_unit(detachment.model_copy(update={"casualties": 3}))
    assert battle_result(campaign, battle, fought.roster, hurt).lost[roster_unit.column][roster_unit.place] == 3
