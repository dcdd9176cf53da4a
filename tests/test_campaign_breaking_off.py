"""A power breaks off a campaign's battle on its table (CA-6.4)."""

from math import ceil
from typing import Any

import pytest

from bot.campaigns.breaking_off import require_may_break_off, result_of_breaking_off, should_break_off
from bot.campaigns.table import TableBattle
from rules.core.refusal import Refused
from rules.core.state import Verdict
from tests.test_campaign_battles import lay_out_first_table


def in_turn(fought: TableBattle, turn: int, power: str) -> Any:
    """The battle's game in a turn, the power's side moving first."""
    side = fought.roster.sides[power]
    return fought.state.model_copy(update={"turn": turn, "active": side, "first": side})


def test_a_power_may_break_off_from_its_third_turn_on() -> None:
    campaign, _, fought = lay_out_first_table("suakin-1884")
    with pytest.raises(Refused, match="The British may break off from their turn 3 on"):
        require_may_break_off(campaign, fought.roster, in_turn(fought, 2, "british"), "british")
    third = in_turn(fought, 3, "british")
    require_may_break_off(campaign, fought.roster, third, "british")
    with pytest.raises(Refused, match="The Mahdists may break off from their turn 3 on"):
        require_may_break_off(campaign, fought.roster, third, "mahdists")
    require_may_break_off(campaign, fought.roster, in_turn(fought, 4, "british"), "mahdists")
    over = third.model_copy(update={"over": Verdict(winner=None, why="")})
    with pytest.raises(Refused, match="over"):
        require_may_break_off(campaign, fought.roster, over, "british")


@pytest.mark.parametrize(("figures", "additional"), [(18, 2), (13, 2), (12, 1), (2, 1), (1, 0)])
def test_each_unit_of_the_power_that_breaks_off_loses_one_figure_in_twelve_more(figures: int, additional: int) -> None:
    campaign, battle, fought = lay_out_first_table("suakin-1884")
    first = next(unit for unit in fought.roster.units if unit.column == "graham-s-column")
    unit = fought.state.units[first.unit]
    state = fought.state.with_unit(unit.model_copy(update={"figures": figures}))
    result = result_of_breaking_off(campaign, battle, fought.roster, state, "british")
    began = campaign.unit(first.column).troops[first.place].figures
    assert result.lost[first.column][first.place] == began - figures + additional
    assert result.field == "mahdists"
    assert not any(result.lost["horde-of-el-teb"]), "the enemy loses nothing more"


def test_a_unit_that_is_gone_loses_no_more_than_it_had() -> None:
    campaign, battle, fought = lay_out_first_table("suakin-1884")
    first = next(unit for unit in fought.roster.units if unit.column == "graham-s-column")
    result = result_of_breaking_off(campaign, battle, fought.roster, fought.state.without_unit(first.unit), "british")
    assert result.lost[first.column][first.place] == campaign.unit(first.column).troops[first.place].figures


@pytest.mark.parametrize(
    ("ours", "theirs", "turn", "gives"),
    [(0.5, 0.2, 3, True), (0.5, 0.2, 2, False), (0.4, 0, 3, False), (0.5, 0.3, 3, False)],
)
def test_the_bot_gives_up_when_it_is_half_broken_and_the_enemy_is_not(
    ours: float, theirs: float, turn: int, gives: bool
) -> None:
    """An army of Magdala is broken when half its units are gone."""
    campaign, _, fought = lay_out_first_table("suakin-1884")
    state = in_turn(fought, turn, "british")
    for power, part in (("british", ours), ("mahdists", theirs)):
        army = state.units_of(fought.roster.sides[power])
        for unit in army[: ceil(part / 2 * len(army))]:
            state = state.with_unit(unit.model_copy(update={"casualties": unit.figures}))
    assert should_break_off(campaign, fought.roster, state, "british") is gives
    assert not should_break_off(campaign, fought.roster, state, "mahdists")
