"""Random days of own knowledge: riders arrive or are caught, their order does not matter, and others learn nothing."""

import random
from collections.abc import Sequence

import pytest

from rules.campaign.knowledge import view
from rules.campaign.model import CampaignState
from rules.campaign.options import CampaignOptions, Knowledge
from rules.core.automaton.own_dice import SeededDice
from rules.core.model import PUBLIC
from rules.core.state import Action, Side

from .random_days import next_day, random_country, with_orders, with_results
from .worlds import SYSTEM

DAYS, MANY = 12, 1000
"""Days of the test, and of the soak."""
FELLOW = "green"


def divided_country(seed: int) -> CampaignState:
    """Return a random country in which Blue's columns are divided between two commands that each know their own."""
    state = random_country(seed)
    blue, red = state.powers
    power = blue.model_copy(update={"commands": (*blue.commands, FELLOW)})
    side = Side(id=FELLOW, name="Green", index=len(state.sides))
    options = CampaignOptions(knowledge=Knowledge.OWN)
    state = state.model_copy(update={"powers": (power, red), "sides": (*state.sides, side), "options": options})
    for column in state.columns_of(blue.id)[::2]:
        state = state.changed(column.id, side=FELLOW)
    return state


def dispatches_of_a_day(state: CampaignState, chance: random.Random) -> Sequence[Action]:
    """Return dispatches that the two commands may write."""
    argument_sets = [
        {"side": side, "to": to, "text": f"{number}", "with_sightings": chance.random() < 0.7}
        for side, to in (("blue", FELLOW), (FELLOW, "blue"))
        for number in range(chance.randint(1, 3))
    ]
    actions = [SYSTEM.parse("write_dispatch", arguments) for arguments in argument_sets]
    return [action for action in actions if SYSTEM.allows(SYSTEM.view(state, action.side), action)]


def written(state: CampaignState, dispatches: Sequence[Action]) -> CampaignState:
    for action in dispatches:
        state, _ = SYSTEM.act(state, action, SeededDice("no dice"))
    return state


def require_sound(state: CampaignState) -> None:
    """Fail unless each dispatch is in one place, and each view shows what its command knows."""
    SYSTEM.require_valid_state(state)
    assert SYSTEM.state_type.model_validate_json(state.model_dump_json()) == state
    for dispatch in state.dispatches:
        assert [dispatch.rider is not None, bool(dispatch.arrived), bool(dispatch.caught_by)].count(True) == 1
        assert dispatch.arrived == 0 or dispatch.arrived >= dispatch.day
        assert dispatch.caught_by in ("", "red")
        assert all(sighting.day <= dispatch.day for sighting in dispatch.sightings.values())
    for command, sightings in state.sightings.items():
        looked = state.looked[command]
        assert all(sighting.day >= looked.get(hex_, 0) for hex_, sighting in sightings.items()), (
            "older than its own last look"
        )
    for viewer in ("blue", FELLOW, "red", PUBLIC):
        dispatches = view(state, viewer).dispatches
        assert all(viewer in (dispatch.sender, dispatch.to, dispatch.caught_by) for dispatch in dispatches)
        assert all(dispatch.rider is None for dispatch in dispatches)


def play_days(most: int) -> tuple[int, int]:
    """Play so many days and check each; return how many dispatches arrived, and how many were caught."""
    days = arrived = caught = seed = 0
    while days < most:
        seed += 1
        state, chance, dice = divided_country(seed), random.Random(seed), SeededDice(str(seed))
        while state.over is None and not state.waits_for_battles and days < most:
            state = with_results(with_orders(state, chance), chance)
            if state.over is not None or state.waits_for_battles:
                break
            state = next_day(written(state, dispatches_of_a_day(state, chance)), dice)
            if state.over is None:
                require_sound(state)
            days += 1
        arrived += sum(bool(dispatch.arrived) for dispatch in state.dispatches)
        caught += sum(bool(dispatch.caught_by) for dispatch in state.dispatches)
    return arrived, caught


def test_random_days_with_dispatches_are_sound() -> None:
    arrived, _ = play_days(DAYS)
    assert arrived > DAYS / 2


@pytest.mark.soak
def test_many_random_days_with_dispatches_are_sound() -> None:
    arrived, caught = play_days(MANY)
    assert arrived > caught > MANY / 50


@pytest.mark.parametrize("seed", range(3))
def test_the_order_in_which_dispatches_were_written_does_not_matter(seed: int) -> None:
    state, chance = divided_country(seed), random.Random(seed)
    both = dispatches_of_a_day(state, chance)
    reordered = sorted(both, key=lambda action: action.side == "blue")
    assert both != reordered
    first, second = (next_day(written(state, dispatches), SeededDice("same")) for dispatches in (both, reordered))
    assert (first.dispatches, first.sightings) == (second.dispatches, second.sightings)
