"""Random days: nobody is lost or made, the order of writing does not matter, and hidden things stay hidden."""

import random

from rules.campaign.model import CampaignState, Stance, Task
from rules.campaign.seeing import hexes_seen, take_sight
from rules.campaign.ways import way_to
from rules.core.automaton.own_dice import OwnDice
from rules.core.model import PUBLIC
from rules.core.play import Play

from .country import country, hex_at, make_map
from .worlds import SYSTEM

LETTERS = "....ssshhfMm"
COLUMNS, ROWS = 12, 9
PLACES = [f"{column:02}{row:02}" for column in range(COLUMNS) for row in range(ROWS)]
POINTS = [
    "Home 0004 blue base 3",
    "Depot 0602 blue depot 1",
    "Well 0505 - well 2",
    "Camp 1104 red base 3",
    "Town 0707 red town 1",
]


def random_country(seed: int) -> CampaignState:
    """Return a country with random ground, and six columns of each power."""
    dice = random.Random(seed)
    rows = [" ".join(dice.choice(LETTERS) for _ in range(COLUMNS)) for _ in range(ROWS)]
    west, east = [one for one in PLACES if one < "0500"], [one for one in PLACES if one >= "0600"]
    lines = [
        f"{power} {dice.choice(('foot', 'horse', 'guns', 'mixed'))} {dice.choice(places)}:{dice.randint(3, 60)}"
        for power, places in (("blue", west), ("red", east))
        for _ in range(6)
    ]
    name = make_map("\n".join(rows), "road: 0004 0104 0204 0304 0404 0504 0604 0704")
    return country(name, *lines, points=POINTS, days=12)


def with_orders(state: CampaignState, dice: random.Random) -> CampaignState:
    """Return the state with new orders for most columns."""
    for column in state.columns:
        if dice.random() < 0.3 or column.at is None:
            continue
        goal = hex_at(dice.choice(PLACES))
        way = way_to(state, column, column.at, goal, frozenset()) or ()
        orders = column.orders.model_copy(
            update={
                "way": way,
                "stance": dice.choice(tuple(Stance)),
                "task": dice.choice((Task.NONE, Task.NONE, Task.FORCE, Task.SCOUT, Task.DIG_IN, Task.REST)),
            }
        )
        state = state.changed(column.id, orders=orders)
    return state


def next_day(state: CampaignState, dice: OwnDice) -> CampaignState:
    """Work out a day at the umpire's word."""
    return SYSTEM.act(state, SYSTEM.parse("turn_next", {}), dice)[0]


def test_random_campaigns_run_to_their_end_and_are_sound() -> None:
    for seed in range(6):
        state, chance, dice = random_country(seed), random.Random(seed), OwnDice(str(seed))
        while state.over is None and state.turn <= state.days:
            before = state
            state = next_day(with_orders(state, chance), dice)
            figures = {column.id: column.figures for column in state.units.values()}
            most = {column.id: sum(unit.start for unit in column.troops) for column in before.units.values()}
            assert all(0 < figures[one] <= most[one] for one in figures)
            assert SYSTEM.state_type.model_validate_json(state.model_dump_json()) == state
            first = state.powers[0].id
            shared = [hex_ for hex_ in state.stacks.by_hex if state.enemies_in(hex_, first)]
            mixed = [hex_ for hex_ in shared if state.enemies_in(hex_, state.enemy_of(first).id)]
            assert {battle.at for battle in state.battles.values()} == set(mixed)
            if state.turn == before.turn:
                break


def test_the_order_of_writing_does_not_matter() -> None:
    for seed in range(8):
        state = with_orders(random_country(seed), random.Random(seed))
        shuffled = list(state.units.items())
        random.Random(seed).shuffle(shuffled)
        other = state.model_copy(update={"units": dict(shuffled)})
        one, two = (next_day(each, OwnDice("same")) for each in (state, other))
        assert dict(one.units) == dict(two.units)
        assert one.battles == two.battles


def look_round(state: CampaignState) -> CampaignState:
    """Return the state after everybody has looked round."""
    play = Play(state, OwnDice("x"))
    take_sight(play)
    return play.state


def test_a_view_does_not_change_with_hidden_enemies() -> None:
    compared = 0
    for seed in range(20):
        chance = random.Random(seed)
        state = look_round(with_orders(random_country(seed), chance))
        watched = {hex_ for column in state.columns_of("blue") for hex_ in hexes_seen(state, column)}
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
