"""The numbers of the rules, each of them an option of the game."""

import pytest

from rules.campaign.options import CampaignOptions

NUMBERS = {
    "missed_days": (2, 1, 9),
    "points_mounted": (6, 1, 12),
    "points_foot": (4, 1, 12),
    "points_wheeled": (3, 1, 12),
    "forced_march": (2, 0, 6),
    "straggling": (12, 2, 60),
    "small_unit": (6, 1, 60),
    "farthest_sight": (3, 1, 6),
    "supply_days": (6, 1, 30),
    "wagon_days": (12, 1, 60),
    "supply_reach": (8, 1, 30),
    "gets_away_on": (4, 2, 12),
    "too_strong": (5, 2, 20),
    "open_battles": (2, 1, 20),
    "table_units": (14, 4, 30),
    "break_off_from": (3, 1, 12),
    "breaking_off": (12, 2, 60),
    "battle_days": (2, 1, 9),
    "replaced": (12, 2, 60),
    "replaced_up_to": (90, 50, 100),
    "dispatches": (3, 1, 9),
    "rider_points": (8, 4, 30),
    "days_held": (2, 1, 6),
    "broken_below": (50, 10, 90),
}
"""The number of the rules, the least and the most."""


def test_every_number_is_listed() -> None:
    numbers = {name for name, value in CampaignOptions() if type(value) is int}
    assert numbers == NUMBERS.keys()


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_has_its_value_and_bounds(name: str) -> None:
    usual, least, most = NUMBERS[name]
    assert getattr(CampaignOptions(), name) == usual
    for allowed in (least, most):
        assert getattr(CampaignOptions.model_validate({name: allowed}), name) == allowed
    for refused in (least - 1, most + 1):
        with pytest.raises(ValueError, match=r"should be (greater|less) than or equal"):
            CampaignOptions.model_validate({name: refused})
