"""Cards, counters and marks of a campaign, and the account of a day, as a command reads them."""

from typing import Any

import pytest

from rules.campaign.account import write_day_account
from rules.campaign.battles import arrival_turn, battle_system, battle_system_ids, find_overrun_power
from rules.campaign.columns import Arrival, ColumnDay
from rules.campaign.intelligence import EnemySize, Sighting
from rules.campaign.map_marks import march_tracks
from rules.campaign.model import Battle, CampaignState
from rules.campaign.scene import list_enemies_seen, list_holdings, picture_heading, scene
from rules.campaign.tables import table_edges_by_power
from rules.core.model import UMPIRE
from rules.core.report import Report, Step
from rules.core.scene import StatusMarker
from rules.core.state import Verdict

from .country import BLUE, OPEN, RED, country, hex_at, make_map
from .worlds import SYSTEM

NAMED = make_map(OPEN, "name 0203: El Teb")


def begun(*lines: str, **fields: Any) -> CampaignState:
    return country(NAMED, *(lines or ("blue mixed 0203 supply:1 via:0204", "red foot 0907")), **fields)


def test_a_card_has_place_supply_and_orders() -> None:
    points = ["Fort 0203 blue fort"]
    (card,) = SYSTEM.roster(begun(points=points), BLUE)
    assert card.line == "48 figures, 0203 (El Teb), supply 1, to 0204, hold"
    assert card.details == (
        ("Orders", "to 0204, hold"),
        ("Marches as", "foot"),
        ("Supply", "1 day of 6, no way to a depot"),
        ("Works", "entrenched"),
        ("Units", "foot 24/24; mounted 24/24"),
    )
    (plain,) = SYSTEM.roster(begun(), BLUE)
    assert "Works" not in dict(plain.details)
    assert [card.id for card in SYSTEM.roster(begun(), UMPIRE, {"red-foot"})] == ["red-foot"]
    late = begun().changed("blue-mixed", at=None, arrives=Arrival(day=4, at=hex_at("0203")))
    assert SYSTEM.roster(late, BLUE)[0].line == "48 figures, comes on day 4"
    assert SYSTEM.roster(late.changed("blue-mixed", arrives=None), BLUE)[0].line == "48 figures, comes on day 1"


def test_a_counter_has_figures_supply_and_marks() -> None:
    fight = Battle(id="battle", at=hex_at("0203"), day=1, columns=("blue-mixed",))
    state = begun(points=["Fort 0203 blue fort"], battles={"battle": fight})
    (stack, _) = SYSTEM.scene(state, UMPIRE).stacks
    (counter,) = stack.counters
    assert (counter.left, counter.right, counter.markers) == ("48", "1", (StatusMarker.MELEE, StatusMarker.IMPROVED))
    free = SYSTEM.scene(begun(), UMPIRE).stacks[0].counters[0]
    assert free.markers == ()


def test_the_picture_is_told_in_words() -> None:
    state = begun(points=["Well 0203 blue well 3"]).model_copy(update={"title": "Mine"})
    assert picture_heading(state) == "Mine — day 1 of 14"
    points = {key: point.model_copy(update={"held_days": 2}) for key, point in state.points.items()}
    state = state.model_copy(update={"points": points})
    picture = SYSTEM.scene(state, BLUE)
    assert (picture.title, picture.subtitle) == ("Mine — day 1 of 14", "Points held: Blue 3, Red 0.")
    assert [(side.id, side.name, side.index) for side in picture.legend] == [(BLUE, "Blue", 0), (RED, "Red", 1)]
    over = state.model_copy(update={"over": Verdict(winner=BLUE, why="The Blue hold the well.")})
    assert scene(over).subtitle == "The Blue hold the well."
    assert [(holding.side, holding.number) for holding in list_holdings(state)] == [(BLUE, 3), (RED, 0)]


def seen(day: int, figures: int | None = None, **fields: Any) -> Sighting:
    return Sighting(day=day, distance=2, size=EnemySize.FORCE, figures=figures, **fields)


def test_each_sighting_stands_on_the_map_once_the_newest_with_its_day() -> None:
    state = begun("blue foot 0203", "green foot 0303", "red foot 0907", blues=(BLUE, "green"), turn=3)
    sightings = {
        BLUE: {hex_at("0503"): seen(1), hex_at("0603"): seen(3, 40, paces=frozenset(("foot",)))},
        "green": {hex_at("0503"): seen(2)},
    }
    state = SYSTEM.view(state.model_copy(update={"sightings": sightings}), BLUE)
    counters = {
        stack.hex.label: [(counter.name, counter.left, counter.pips, counter.is_old) for counter in stack.counters]
        for stack in scene(state).stacks
    }
    assert counters["0503"] == [("a force, day 2", "", 2, True)]
    assert counters["0603"] == [("about 40", "~40", 0, False)]
    assert "Red: a force, day 2 in 0503; foot, about 40 in 0603." in scene(state).alt
    rows = [tuple(row) for row in list_enemies_seen(state, BLUE)]
    assert rows == [("foot, about 40", 3, "0603"), ("a force", 1, "0503")]
    assert list_enemies_seen(state, RED) == []


def test_marches_to_the_guns_and_back_are_drawn_as_leaps() -> None:
    before = begun("blue foot 0203", "blue foot 0303", "blue foot 0403", "blue foot 0503", "red foot 0907")
    march = {"entered": (hex_at("0204"),), "stood": hex_at("0203")}
    after = (
        before.model_copy(update={"turn": 2})
        .changed("blue-foot", at=hex_at("0205"), today=ColumnDay(**march))
        .changed("blue-foot-2", at=hex_at("0304"), today=ColumnDay(stood=hex_at("0303"), met_enemies=True))
        .changed("blue-foot-3", at=hex_at("0404"), today=ColumnDay(met_enemies=True))
        .changed("blue-foot-4", today=ColumnDay(stood=hex_at("0503"), met_enemies=True))
    )
    rows = [(track.kind, [hex_.label for hex_ in track.hexes], track.side) for track in march_tracks(after, before)]
    assert rows == [
        ("move", ["0203", "0204"], BLUE),
        ("move", ["0204", "0205"], BLUE),
        ("retreat", ["0303", "0304"], BLUE),
        ("move", ["0403", "0404"], BLUE),
    ]
    came = after.changed("blue-foot-4", id="new")
    assert len([*march_tracks(came, before.without_unit("blue-foot-4"))]) == 4
    assert [*march_tracks(before, before)] == []


def account(before: CampaignState, after: CampaignState, *steps: Step) -> dict[str, str]:
    """Return Blue's account of a day between two states, by heads."""
    blue_account = write_day_account(before, after, Report(headline="The day ends.", steps=steps), BLUE)
    return {} if blue_account is None else {line.head: line.text for line in blue_account.lines}


def test_an_account_tells_where_a_column_was_put_and_what_became_of_it() -> None:
    before = begun("blue foot 0203", "blue horse 0303", "blue guns 0403", "blue foot 0503", "red foot 0907")
    cite = SYSTEM.open_prompts(before)[0].cite
    fell = Step(text="blue foot", subject="blue foot", cite=cite, verdict="gets away", only_for=frozenset((BLUE,)))
    crossed = Step(text="Enemies between", cite=cite, verdict="on a 3, they cross", only_for=frozenset((BLUE,)))
    after = (
        before.model_copy(update={"turn": 2})
        .changed("blue-foot", at=hex_at("0204"), today=ColumnDay(stood=hex_at("0203")))
        .changed("blue-horse", at=None, arrives=Arrival(day=3, at=hex_at("0303")))
        .changed("blue-foot-2", today=ColumnDay(stood=hex_at("0503")))
        .without_unit("blue-guns")
    )
    lines = account(before, after, fell, crossed)
    assert lines["blue foot"] == "gets away; now in 0204"
    assert lines["blue guns"] == "is lost"
    assert lines["blue foot 2"] == "stays"
    assert "blue horse" not in lines
    assert lines["Enemies between"] == "on a 3, they cross"
    assert account(before, before) == {}
    over = before.model_copy(update={"over": Verdict(winner=None, why="It is over.")})
    assert "Seen" in account(before, over)
    assert account(over, over) == {}


@pytest.mark.parametrize(("task", "does"), [("dig", "digs in"), ("rest", "rests"), ("wait:5", "waits"), ("", "stays")])
def test_an_account_tells_what_a_column_did_in_its_place(task: str, does: str) -> None:
    before = begun(f"blue foot 0203 {task}", "red foot 0907")
    after = before.model_copy(update={"turn": 2}).changed("blue-foot", today=ColumnDay(stood=hex_at("0203")))
    assert account(before, after)["blue foot"] == does


def test_an_account_names_five_sightings_the_newest_and_nearest_first() -> None:
    before = begun("blue foot 0203", "red foot 0907", turn=3)
    rows = {hex_at(f"05{row:02}"): seen(3) for row in range(6)}
    guard = {"columns": ("Guard",), "paces": frozenset(("foot",))}
    new_sightings = {
        hex_at("0303"): Sighting(day=4, distance=0, size=EnemySize.PARTY, figures=24, **guard),
        hex_at("0304"): Sighting(day=3, distance=0, size=EnemySize.PARTY, figures=24, **guard),
        hex_at("0305"): Sighting(day=2, distance=2, size=EnemySize.ARMY),
        hex_at("0700"): Sighting(day=4, distance=2, size=EnemySize.PARTY),
        hex_at("0701"): Sighting(day=4, distance=2, size=EnemySize.ARMY),
    }
    after = before.model_copy(update={"turn": 4, "sightings": {BLUE: {**rows, **new_sightings}}})
    assert account(before, after)["Seen"].split("; ") == [
        "Guard: foot, 24 in 0303",
        "a party (up to 30) in 0700",
        "an army (over 120) in 0701",
        "a force (31 to 120) in 0500 (seen day 3)",
        "a force (31 to 120) in 0501 (seen day 3)",
        "4 more on the map",
    ]


@pytest.mark.parametrize(
    ("system", "foot", "wheeled"),
    [("magdala", (2, 2, 3, 3, 4, 4), 1), ("empire", (3, 4, 5, 6, 7, 8), 2), ("charge", (3, 4, 5, 6, 7, 8), 2)],
)
def test_5_6_when_a_column_comes_to_the_table(system: str, foot: tuple[int, ...], wheeled: int) -> None:
    state = begun("blue foot 0203", "blue guns 0203").model_copy(update={"battle_system": system})
    turns = [[arrival_turn(state, column, die) for die in range(1, 7)] for column in state.columns_of(BLUE)]
    assert turns == [[*foot], [turn + wheeled for turn in foot]]


def test_6_4_turns_and_kills_of_the_battle_systems() -> None:
    assert battle_system_ids() == ("magdala", "empire", "charge")
    systems = {name: battle_system(name) for name in battle_system_ids()}
    assert {name: (rules.turns, rules.kills) for name, rules in systems.items()} == {
        "magdala": (6, False),
        "empire": (10, True),
        "charge": (12, False),
    }


@pytest.mark.parametrize(("blue", "red", "weaker"), [(20, 4, RED), (19, 4, ""), (4, 20, BLUE), (4, 19, ""), (5, 5, "")])
def test_5_4_who_is_overrun(blue: int, red: int, weaker: str) -> None:
    state = begun(f"blue foot 0203:{blue}", f"red foot 0203:{red}")
    assert find_overrun_power(state, state.columns) == weaker


def test_6_2_edges_where_no_column_tells_them() -> None:
    state = begun("blue foot 0203", "red foot 0203")
    fight = Battle(id="battle", at=hex_at("0203"), day=1, columns=("blue-foot", "red-foot", "gone"))
    assert table_edges_by_power(state, fight) == {BLUE: "south", RED: "north"}
    defended = fight.model_copy(update={"defender": BLUE, "edges": {"red-foot": hex_at("0202")}})
    assert table_edges_by_power(state, defended) == {RED: "north", BLUE: "south"}
    came = fight.model_copy(update={"edges": {"red-foot": hex_at("0303"), "gone": hex_at("0202")}})
    assert table_edges_by_power(state, came) == {BLUE: "west", RED: "east"}
    turned = fight.model_copy(
        update={"defender": BLUE, "edges": {"red-foot": hex_at("0202"), "blue-foot": hex_at("0303")}}
    )
    assert table_edges_by_power(state, turned) == {RED: "north", BLUE: "south"}
