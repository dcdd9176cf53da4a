"""Random days: figures are conserved, the order of writing does not matter, and hidden things stay hidden."""

import random
from collections.abc import Iterator, Sequence
from itertools import count

import pytest

from rules.campaign.columns import Column, ColumnUnit, Task
from rules.campaign.model import CampaignState
from rules.campaign.options import Knowledge
from rules.campaign.seeing import hexes_in_sight, update_sightings
from rules.core.automaton.own_dice import SeededDice
from rules.core.model import PUBLIC
from rules.core.play import Play
from rules.core.refusal import Refused
from rules.core.state import Action

from .country import hex_at
from .random_days import (
    COLUMNS,
    ROWS,
    hex_numbers,
    next_day,
    random_country,
    with_orders,
    with_organisation,
    with_results,
)
from .worlds import SYSTEM

MANY = 10_000
"""Days of the soak."""
PLACES = hex_numbers(COLUMNS, ROWS)
SHIPPED = tuple(SYSTEM.scenarios)


def campaign(number: int) -> CampaignState:
    """Return a campaign: of four the first ships with the game, the others have random ground; half with own sight."""
    turn, kind = divmod(number, 4)
    ships = kind == 0
    state = SYSTEM.setup(SHIPPED[turn % len(SHIPPED)], {}, SeededDice(str(number))) if ships else random_country(number)
    knowledge = Knowledge.OWN if turn // len(SHIPPED) % 2 else Knowledge.SHARED
    return state.model_copy(update={"options": state.options.model_copy(update={"knowledge": knowledge})})


def days_of(number: int) -> Iterator[tuple[CampaignState, CampaignState]]:
    """Yield the state before and after each day of a random campaign, to its end."""
    state, chance, dice = campaign(number), random.Random(number), SeededDice(str(number))
    while state.over is None:
        state = with_results(state, chance)
        if state.over is not None or state.waits_for_battles:
            return
        before = with_orders(with_organisation(state, chance), chance)
        state = next_day(before, dice)
        yield before, state


def require_sound(state: CampaignState) -> None:
    """Fail unless a state is sound, the same when saved and loaded, and enemies share a hex in battle alone."""
    SYSTEM.require_valid_state(state)
    assert SYSTEM.state_type.model_validate_json(state.model_dump_json()) == state
    mixed = {
        hex_
        for hex_, columns in state.stacks.by_hex.items()
        if len({power_of(state, column) for column in columns}) > 1
    }
    assert {battle.at for battle in state.battles.values()} == mixed


def power_of(state: CampaignState, column: Column) -> str:
    return state.power_of(column.side).id


def require_conserved(before: CampaignState, after: CampaignState) -> None:
    """Fail unless the figures of each unit, with its stragglers, changed by rules alone.

    Without enemies met a column loses at most a share to hunger, and gains replacements on a day of rest alone.
    """
    for column in before.units.values():
        now = after.units.get(column.id)
        if now is None or now.today.met_enemies or not after.is_free(now) or not before.is_free(column):
            assert now is not None or column.at is not None, "a column that is not on the map is never lost"
            continue
        assert [unit.name for unit in now.troops] == [unit.name for unit in column.troops]
        hungry = column.at is not None and now.supply == 0
        for was, unit in zip(column.troops, now.troops, strict=True):
            gained = whole(unit) - whole(was)
            replaced = -(-was.start // after.options.replaced) if column.orders.task is Task.REST else 0
            eaten = -(-was.figures // after.options.straggling) if hungry else 0
            assert -eaten <= gained <= replaced, f"{column.name}, {unit.name}: {gained} figures"
            assert 0 < unit.figures <= unit.start


def whole(unit: ColumnUnit) -> int:
    return unit.figures + unit.stragglers


def play_days(most: int) -> int:
    """Play random campaigns for so many days, and check each; return the number of days."""
    days = 0
    for number in count():
        for before, after in days_of(number):
            require_sound(after)
            require_conserved(before, after)
            days += 1
            if days == most:
                return days
    return days


def test_random_days_are_without_fault_and_conserve_figures() -> None:
    assert play_days(16) == 16


@pytest.mark.soak
def test_ten_thousand_days_are_without_fault_and_conserve_figures() -> None:
    assert play_days(MANY) == MANY


def test_the_order_of_columns_does_not_matter() -> None:
    for seed in range(4):
        state = with_orders(random_country(seed), random.Random(seed))
        shuffled = list(state.units.items())
        random.Random(seed).shuffle(shuffled)
        shuffled_state = state.model_copy(update={"units": dict(shuffled)})
        first, second = (next_day(world, SeededDice("same")) for world in (state, shuffled_state))
        assert dict(first.units) == dict(second.units)
        assert first.battles == second.battles


def random_orders(state: CampaignState, dice: random.Random) -> Sequence[Action]:
    """Return an order for each column that its command may give."""
    actions = []
    for column in state.columns:
        arguments = {"unit": column.id, "to": dice.choice(PLACES), "with": (dice.choice(("attack", "hold", "scout")),)}
        action = SYSTEM.parse("move", arguments)
        if SYSTEM.allows(SYSTEM.view(state, column.side), action):
            actions.append(action)
    return actions


def after_orders(state: CampaignState, orders: Sequence[Action]) -> CampaignState:
    for action in orders:
        state, _ = SYSTEM.act(state, action, SeededDice("no dice"))
    return state


@pytest.mark.parametrize("seed", range(4))
def test_a_days_result_does_not_depend_on_the_order_in_which_orders_were_written(seed: int) -> None:
    state, chance = random_country(seed), random.Random(seed)
    orders = random_orders(state, chance)
    assert len(orders) > 6
    shuffled = chance.sample(orders, len(orders))
    assert shuffled != orders
    first, second = (next_day(after_orders(state, sequence), SeededDice("same")) for sequence in (orders, shuffled))
    assert first == second
    sides = [side.id for side in state.sides]
    ready = after_orders(
        after_orders(state, shuffled), [SYSTEM.parse("turn_next", {"side": side}) for side in sides[:1]]
    )
    last, _ = SYSTEM.act(ready, SYSTEM.parse("turn_next", {"side": sides[1]}), SeededDice("same"))
    assert last.units == first.units, "nor on who ends the day"


@pytest.mark.parametrize("seed", range(4))
def test_no_commands_view_changes_with_the_orders_of_others(seed: int) -> None:
    state = random_country(seed)
    for order in random_orders(state, random.Random(seed)):
        after, report = SYSTEM.act(state, order, SeededDice("no dice"))
        side = SYSTEM.side_of(state, order)
        for viewer in (*(enemy.id for enemy in state.sides if enemy.id != side), PUBLIC):
            assert SYSTEM.view(after, viewer) == SYSTEM.view(state, viewer)
            assert report.view_for(viewer) is None
            assert refusals(after, viewer) == refusals(state, viewer)
        state = after


def refusals(state: CampaignState, viewer: str) -> Sequence[str]:
    """Return what a viewer is told when it asks for an order to each column."""
    labels = []
    for column in state.units:
        try:
            labels.append(
                SYSTEM.label(SYSTEM.view(state, viewer), SYSTEM.parse("move", {"unit": column, "to": "0505"}))
            )
        except Refused as refused:
            labels.append(str(refused))
    return labels


def look_round(state: CampaignState) -> CampaignState:
    """Return the state after everybody has looked round."""
    play = Play(state, SeededDice("x"))
    update_sightings(play)
    return play.state


def test_a_view_does_not_change_with_hidden_enemies() -> None:
    compared = 0
    for seed in range(20):
        chance = random.Random(seed)
        state = look_round(with_orders(random_country(seed), chance))
        watched = {hex_ for column in state.columns_of("blue") for hex_ in hexes_in_sight(state, column)}
        hidden = [column for column in state.columns_of("red") if column.at not in watched]
        unseen = [hex_ for hex_ in map(hex_at, PLACES) if hex_ not in watched]
        if not hidden or not unseen:
            continue
        other = state
        for column in hidden:
            other = other.changed(column.id, at=chance.choice(unseen), has_wagon=True, supply=1)
        other = look_round(other)
        compared += 1
        for viewer in ("blue", PUBLIC):
            assert SYSTEM.view(other, viewer) == SYSTEM.view(state, viewer)
            assert SYSTEM.scene(other, viewer) == SYSTEM.scene(state, viewer)
            assert SYSTEM.roster(other, viewer) == SYSTEM.roster(state, viewer)
    assert compared > 10
