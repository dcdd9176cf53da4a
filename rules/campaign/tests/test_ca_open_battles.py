"""How many battles may be open, and how late they are: CA-5.7 and CA-6.5."""

from typing import Any

import pytest

from rules.campaign.model import Battle, CampaignState
from rules.campaign.open_battles import find_battle_stage, find_surplus_battles

from .country import OPEN, country, hex_at, make_map

COLUMNS = ("blue foot 0103:20", "red foot 0103:20", "blue foot 0303:12", "red foot 0303:12", "blue foot 0503:30")


def with_battles(*battles: tuple[str, int, tuple[str, ...]], **fields: Any) -> CampaignState:
    """Return a country with battles: hex, first day, columns."""
    state = country(make_map(OPEN), *COLUMNS, **fields)
    open_now = (
        Battle(id=f"battle-{day}-{at}", at=hex_at(at), day=day, columns=columns) for at, day, columns in battles
    )
    return state.model_copy(update={"battles": {battle.id: battle for battle in open_now}})


LARGE = ("0103", 1, ("blue-foot", "red-foot"))
SMALL = ("0303", 1, ("blue-foot-2", "red-foot-2"))
LAST = ("0503", 2, ("blue-foot-3",))


def test_two_battles_may_be_open() -> None:
    assert not find_surplus_battles(with_battles(LARGE, SMALL))


def test_of_further_battles_the_smallest_is_fought_at_once() -> None:
    same_day = ("0503", 1, ("blue-foot-3",))
    assert [battle.at.label for battle in find_surplus_battles(with_battles(LARGE, SMALL, same_day))] == ["0303"]


def test_battles_of_an_earlier_day_stay() -> None:
    assert [battle.at.label for battle in find_surplus_battles(with_battles(LARGE, SMALL, LAST))] == ["0503"]


def test_a_battle_that_people_fight_stays() -> None:
    kept_ids = {"battle-2-0503"}
    assert [battle.at.label for battle in find_surplus_battles(with_battles(LARGE, SMALL, LAST), kept_ids)] == ["0303"]


def test_the_number_is_an_option() -> None:
    surplus = find_surplus_battles(with_battles(LARGE, SMALL, LAST, open_battles=1))
    assert [battle.at.label for battle in surplus] == ["0503", "0303"]


@pytest.mark.parametrize(("day", "stage"), [(1, 0), (2, 0), (3, 1), (4, 2), (5, 3), (6, 3)])
def test_a_battle_has_until_the_end_of_the_second_day_after_it_began(day: int, stage: int) -> None:
    state = with_battles(LARGE, turn=day)
    (battle,) = state.battles.values()
    assert find_battle_stage(state, battle) == stage


@pytest.mark.parametrize(
    ("began", "days_more", "stage"), [(4, 0, 0), (4, 1, 1), (4, 2, 2), (4, 3, 3), (2, 0, 2), (2, 1, 3)]
)
def test_the_end_of_the_last_day_counts_and_then_the_clock(began: int, days_more: int, stage: int) -> None:
    state = with_battles(("0103", began, LARGE[2]), turn=4, days=4, done=("blue", "red"))
    assert state.waits_for_battles
    (battle,) = state.battles.values()
    assert find_battle_stage(state, battle, days_more) == stage
