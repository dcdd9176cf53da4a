"""Battles of random armies on a campaign's tables, fought by the bot to their end (CA-5.6, CA-6.1 to CA-6.6)."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from bot.campaigns.order_of_battle import orders_of_battle
from bot.campaigns.self_play import fight_on_both_sides, play_to_end
from bot.campaigns.table import battle_result, lay_out_on_table
from rules.campaign.battles import battle_system
from rules.campaign.columns import ColumnUnit
from rules.campaign.model import Battle, CampaignState
from rules.campaign.tables import all_battle_tables
from rules.core.automaton.levels import Level
from rules.core.automaton.own_dice import SeededDice
from tests.daily_choice import one_a_day
from tests.fuzz import get_daily_seed
from tests.test_campaign_battles import MARCHES, march_to_battle

MOST = 20
"""Units of a power."""
MANY = 12
"""Battles of each system in the soak."""


def random_battle(scenario: str, limit: int, random: Random) -> tuple[CampaignState, Battle]:
    """The battle with random units, edges, works and late columns."""
    state, battle = march_to_battle(scenario)
    edges, late, columns = {}, {}, []
    for power in state.powers:
        of_power = [column for column in state.columns if state.power_of(column.side).id == power.id]
        troops = [unit for column in of_power for unit in column.troops]
        for column in of_power[: random.randint(1, len(of_power))]:
            is_late = random.random() < 0.3
            state = state.changed(
                column.id,
                at=battle.at,
                troops=_some_units(troops, random.randint(1, limit), random),
                days_dug=random.choice((0, 0, 1)),
            )
            edges[column.id] = random.choice((None, *battle.at.neighbours()))
            late |= {column.id: random.randint(2, 8)} if is_late else {}
            columns.append(column.id)
    random.shuffle(columns)
    defender = random.choice(("", *(power.id for power in state.powers)))
    changed = battle.model_copy(update={"columns": tuple(columns), "edges": edges, "late": late, "defender": defender})
    return state.model_copy(update={"battles": {battle.id: changed}}), changed


def _some_units(troops: Sequence[ColumnUnit], count: int, random: Random) -> tuple[ColumnUnit, ...]:
    """Units of these kinds, some of them worn."""
    chosen = [random.choice(troops) for _ in range(count)]
    return tuple(
        unit.model_copy(update={"name": f"{number} {unit.name}", "figures": random.randint(1, unit.start)})
        for number, unit in enumerate(chosen)
    )


def check_battle(scenario: str, limit: int, seed: str) -> None:
    """A battle ends, nobody loses more than they had, and units that have yet to come lose nothing."""
    random = Random(seed)
    state, battle = random_battle(scenario, limit, random)
    table, turns = random.choice(all_battle_tables()), battle_system(state.battle_system).turns
    if not all(order.standing for order in orders_of_battle(state, battle).values()):
        assert fight_on_both_sides(state, battle, table, Level.EASY, SeededDice(seed), seed).lost
        return
    fought = lay_out_on_table(state, battle, table, turns, SeededDice(f"{seed}:table"))
    system: Any = fought.system
    system.require_valid_state(fought.state)
    assert not any(map(any, battle_result(state, battle, fought.roster, fought.state).lost.values()))
    after, gave_up = play_to_end(state, fought, Level.EASY, SeededDice(f"{seed}:dice"), seed)
    assert after.over is not None or gave_up
    system.require_valid_state(after)
    assert system.read_state(system.write_state(after)) == after
    lost = battle_result(state, battle, fought.roster, after).lost
    assert {*lost} == {*battle.columns}
    for column, figures in lost.items():
        units = state.unit(column).troops
        assert all(0 <= lost_figures <= unit.figures for lost_figures, unit in zip(figures, units, strict=True))
    waiting = [unit for unit in fought.roster.units if unit.unit in after.arrivals]
    assert not any(lost[unit.column][unit.place] for unit in waiting)
    on_table = {(unit.column, unit.place) for unit in fought.roster.units}
    absent = [(column, place) for column, figures in lost.items() for place, _ in enumerate(figures)]
    assert not any(lost[column][place] for column, place in absent if (column, place) not in on_table)


@pytest.mark.parametrize("scenario", one_a_day([*MARCHES]))
def test_a_small_battle_ends_and_conserves_figures(scenario: str) -> None:
    check_battle(scenario, 2, f"{scenario}:{get_daily_seed()}")


@pytest.mark.soak
@pytest.mark.parametrize("number", range(MANY))
@pytest.mark.parametrize("scenario", MARCHES)
def test_battles_of_every_size_end_and_conserve_figures(scenario: str, number: int) -> None:
    check_battle(scenario, 1 + number * (MOST - 1) // (MANY - 1), f"{scenario}:{number}:{get_daily_seed()}")
