"""Random campaigns: ground, columns and orders drawn by lot, on maps of any size and in the campaigns that ship."""

import random
from collections.abc import Sequence
from contextlib import suppress

from rules.campaign import ground
from rules.campaign.battles import BattleOutcome
from rules.campaign.columns import ConductOnSight, Stance, Task
from rules.campaign.model import CampaignState
from rules.campaign.options import Knowledge
from rules.campaign.results import BATTLE_RESULT, ResultPlan
from rules.campaign.ways import find_way
from rules.core.automaton.own_dice import SeededDice
from rules.core.hexboard.hexes import Hex
from rules.core.model import UMPIRE
from rules.core.play import Play
from rules.core.refusal import Refused
from rules.core.state import Action

from .country import MAPS, country, make_map
from .worlds import SYSTEM

LETTERS = "....ssshhfMm"
COLUMNS, ROWS = 12, 9
POINTS = (
    "Home 0004 blue base 3",
    "Depot 0602 blue depot 1",
    "Well 0505 - well 2",
    "Camp 1104 red base 3",
    "Town 0707 red town 1",
)
ROAD = "road: 0004 0104 0204 0304 0404 0504 0604 0704"
KINDS = ("foot", "horse", "guns", "mixed")
TASKS = (Task.NONE, Task.NONE, Task.FORCE, Task.SCOUT, Task.DIG_IN, Task.REST, Task.WAIT)
CONDITIONS = (ConductOnSight.CARRY_ON, ConductOnSight.CARRY_ON, ConductOnSight.HALT, ConductOnSight.FALL_BACK)


def hex_numbers(columns: int, rows: int) -> Sequence[str]:
    """Return the numbers of all hexes of a map."""
    return [f"{column:02}{row:02}" for column in range(columns) for row in range(rows)]


def random_country(seed: int, columns: int = COLUMNS, rows: int = ROWS, a_power: int = 6) -> CampaignState:
    """Return a country with random ground, and some columns of each power, one in the west and one in the east."""
    dice = random.Random(seed)
    letters = [" ".join(dice.choice(LETTERS) for _ in range(columns)) for _ in range(rows)]
    places = hex_numbers(columns, rows)
    sides = (
        ("blue", [place for place in places if int(place[:2]) < columns // 2 - 1]),
        ("red", [place for place in places if int(place[:2]) >= columns // 2]),
    )
    lines = [
        f"{power} {dice.choice(KINDS)} {dice.choice(starts)}:{dice.randint(3, 60)}"
        for power, starts in sides
        for _ in range(a_power)
    ]
    name = make_map("\n".join(letters), ROAD)
    state = country(name, *lines, points=POINTS, days=12, own_map=MAPS[name].spec)
    return state.model_copy(update={"map": ""})


def with_organisation(state: CampaignState, dice: random.Random) -> CampaignState:
    """Return the state after some columns were split, some joined, and some dispatches written, as the rules allow."""
    actions: list[Action] = []
    for column in state.columns:
        if dice.random() < 0.05 and len(column.troops) > 1:
            arguments = {"unit": column.id, "name": f"Party {dice.randrange(1000)}", "units": column.troops[0].name}
            actions.append(SYSTEM.parse("split", arguments))
    if state.options.knowledge is Knowledge.OWN:
        actions += [
            SYSTEM.parse(
                "write_dispatch", {"side": sender, "to": addressee, "text": "We march.", "with_sightings": True}
            )
            for power in state.powers
            for sender in power.commands
            for addressee in power.commands
            if sender != addressee and dice.random() < 0.3
        ]
    joins = SYSTEM.legal_actions(state, UMPIRE, "join")
    for action in (*actions, *(join for join in joins if dice.random() < 0.2)):
        with suppress(Refused):
            state, _ = SYSTEM.act(state, action, SeededDice("no dice"))
    return state


def with_orders(state: CampaignState, dice: random.Random) -> CampaignState:
    """Return the state with new orders for most columns."""
    places = sorted(board_hexes(state))
    for column in state.columns:
        if dice.random() < 0.3 or column.at is None or not state.is_free(column):
            continue
        on_sight = dice.choice(CONDITIONS)
        task = dice.choice(TASKS)
        changes = {
            "way": find_way(state, column, column.at, dice.choice(places), frozenset()) or (),
            "stance": dice.choice(tuple(Stance)),
            "on_sight": on_sight,
            "refuge": dice.choice(places) if on_sight is ConductOnSight.FALL_BACK else None,
            "task": task,
            "until": state.turn + 1 + dice.randrange(3) if task is Task.WAIT else 0,
        }
        state = state.changed(column.id, orders=column.orders.model_copy(update=changes))
    return state


def board_hexes(state: CampaignState) -> frozenset[Hex]:
    """Return the hexes in which columns may stand."""
    return frozenset(ground.board_of(state).land)


def next_day(state: CampaignState, dice: SeededDice) -> CampaignState:
    """Work out a day at the umpire's word."""
    return SYSTEM.act(state, SYSTEM.parse("turn_next", {}), dice)[0]


def with_results(state: CampaignState, dice: random.Random) -> CampaignState:
    """Return the state after some of its battles have ended, with random losses; all of them on the last day."""
    for battle in tuple(state.battles.values()):
        if state.over is not None or (dice.random() < 0.5 and not state.waits_for_battles):
            continue
        columns = [state.unit(column_id) for column_id in battle.columns if column_id in state.units]
        lost = {
            column.id: tuple(dice.choice((0, 0, dice.randint(0, unit.figures))) for unit in column.troops)
            for column in columns
        }
        field = dice.choice(("", *(power.id for power in state.powers)))
        play = Play(state, SeededDice(str(dice.random())))
        BATTLE_RESULT.resolve(play, ResultPlan(battle, BattleOutcome(field=field, lost=lost)))
        state = play.state
    return state
