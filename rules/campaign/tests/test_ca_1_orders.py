"""Orders: what they say, what is refused, who reads them, and when the day ends (CA-1)."""

from collections.abc import Sequence

import pytest

from rules.campaign.columns import ConductOnSight, Stance, Task
from rules.campaign.model import CampaignState
from rules.campaign.options import CampaignOptions, Knowledge
from rules.campaign.orders import MOVE, Move
from rules.campaign.seals import list_sealed_texts
from rules.core.automaton.own_dice import SeededDice
from rules.core.model import PUBLIC, UMPIRE
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.state import Side

from .country import OPEN, at, country, day, hex_at, make_map, with_terrain
from .worlds import SYSTEM


def act(state: CampaignState, kind: str, /, **args: object) -> tuple[CampaignState, Report]:
    """Carry out an action; the only dice are those of salts."""
    return SYSTEM.act(state, SYSTEM.parse(kind, args), SeededDice("orders"))


def refusal(state: CampaignState, kind: str, /, **args: object) -> str:
    """Return why an action is refused."""
    with pytest.raises(Refused) as refused:
        act(state, kind, **args)
    return str(refused.value)


def test_1_1_orders_are_read_by_the_command_and_the_umpire_alone() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0703")
    after, report = act(state, "move", unit="blue-foot", to="0206")
    assert [report.view_for(viewer) is None for viewer in ("blue", UMPIRE, "red", PUBLIC)] == [False, False, True, True]
    assert SYSTEM.view(after, "red") == SYSTEM.view(state, "red")
    assert SYSTEM.view(after, PUBLIC) == SYSTEM.view(state, PUBLIC)
    assert SYSTEM.view(after, "blue") != SYSTEM.view(state, "blue")


def test_1_2_the_day_ends_when_all_are_ready() -> None:
    state = country(make_map(OPEN), "blue foot 0203 via:0204", "red foot 0703")
    state, report = act(state, "turn_next", side="blue")
    assert (state.turn, report.headline, report.outcome) == (1, "The Blue are ready.", "The day waits for the Red.")
    assert "The Blue are ready already" in refusal(state, "turn_next", side="blue")
    state, _ = act(state, "unready", side="blue")
    assert state.done == ()
    state, _ = act(act(state, "turn_next", side="red")[0], "turn_next", side="blue")
    assert (state.turn, at(state, "blue-foot"), state.done) == (2, "0204", ())


def test_1_2_commands_without_columns_are_not_waited_for() -> None:
    state = country(make_map(OPEN), "blue foot 0203")
    assert act(state, "turn_next", side="blue")[0].turn == 2


def test_1_2_the_umpire_ends_the_day_for_all() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0703")
    assert act(state, "turn_next")[0].turn == 2
    assert SYSTEM.side_of(state, SYSTEM.parse("turn_next", {})) == UMPIRE


def test_1_3_what_an_order_does_not_name_stays() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0703")
    state, _ = act(state, "move", unit="blue-foot", to="0205", **{"with": ["attack", "scout"]})
    state, _ = act(state, "move", unit="blue-foot", back="0200")
    orders = state.unit("blue-foot").orders
    assert (orders.way, orders.stance, orders.task) == ((hex_at("0204"), hex_at("0205")), Stance.ATTACK, Task.SCOUT)
    assert (orders.on_sight, orders.refuge) == (ConductOnSight.FALL_BACK, hex_at("0200"))


def test_1_3_the_quickest_way_and_of_equals_the_lower_number() -> None:
    state = country(make_map(OPEN), "blue foot 0303 to:0503")
    assert [hex_.label for hex_ in state.unit("blue-foot").orders.way] == ["0403", "0503"]
    rough = country(make_map(with_terrain("s", "0404", "0403", "0402")), "blue foot 0303 to:0503")
    assert [hex_.label for hex_ in rough.unit("blue-foot").orders.way] == ["0403", "0503"]
    road = make_map(with_terrain("M", "0404", "0403", "0402"), "road: 0303 0304 0405 0504 0503")
    way = country(road, "blue foot 0303 to:0503").unit("blue-foot").orders.way
    assert [hex_.label for hex_ in way] == ["0304", "0405", "0504", "0503"]


def test_1_3_ways_lead_around_enemies_that_are_seen() -> None:
    state = country(make_map(OPEN), "blue horse 0401", "red foot 0403")
    state, _ = act(state, "move", unit="blue-horse", to="0405")
    assert hex_at("0403") not in state.unit("blue-horse").orders.way
    state, _ = act(state, "move", unit="blue-horse", to="0403")
    assert state.unit("blue-horse").orders.way[-1] == hex_at("0403")


def test_1_3_hexes_one_by_one() -> None:
    state = country(make_map(OPEN), "blue foot 0203")
    state, report = act(state, "move", unit="blue-foot", to="0303 0304 0204")
    assert [hex_.label for hex_ in state.unit("blue-foot").orders.way] == ["0303", "0304", "0204"]
    assert report.outcome.startswith("Today: 0303 (impulse 3), 0304 (impulse 6), 0204 (impulse 9).")


@pytest.mark.parametrize(("stance", "place"), [("attack", "0205"), ("hold", "0202"), ("avoid", "0202")])
def test_1_4_stances_before_the_enemy(stance: str, place: str) -> None:
    state = country(make_map(OPEN), f"blue horse 0201 {stance} via:0202,0203,0204,0205", "red foot 0205 came:0206")
    if stance == "attack":
        state, lines = day(state)
        assert "Battle in 0205: begins, the Red defend (CA-5.4)" in lines
    else:
        state, lines = day(state)
        assert "blue horse: stops before 0203: the enemy is near (CA-1.4)" not in lines
    assert at(state, "blue-horse") == ("0205" if stance == "attack" else "0203")


def test_1_4_columns_begin_with_hold() -> None:
    assert country(make_map(OPEN), "blue foot 0203").unit("blue-foot").orders.stance is Stance.HOLD


def test_1_5_halt_on_sight() -> None:
    state = country(make_map(OPEN), "blue horse 0200 attack halt via:0201,0202,0203,0204", "red foot 0205")
    state, lines = day(state)
    assert at(state, "blue-horse") == "0203"
    assert "blue horse: sees the enemy from 0203, and halts (CA-1.5)" in lines


def test_1_5_falls_back_once_a_day_and_keeps_its_points() -> None:
    state = country(make_map(OPEN), "blue horse 0200 attack back:0000 via:0201,0202,0203,0204", "red foot 0205")
    state, lines = day(state)
    assert "blue horse: sees the enemy from 0203, and falls back to 0000 (CA-1.5)" in lines
    assert at(state, "blue-horse") == "0001"
    assert state.unit("blue-horse").orders.way[-1] == hex_at("0000")


def test_1_5_who_is_at_the_place_to_fall_back_to_stays_there() -> None:
    state = country(make_map(OPEN), "blue horse 0203 back:0203 dig", "red horse 0200 attack via:0201,0202,0203")
    assert "blue horse: sees the enemy from 0203, and stays there (CA-1.5)" in day(state)[1]


def test_1_5_only_nearer_than_as_the_day_began() -> None:
    state = country(make_map(OPEN), "blue horse 0203 attack halt via:0202", "red foot 0205")
    assert at(day(state)[0], "blue-horse") == "0202"


@pytest.mark.parametrize("task", ["dig", "rest", "wait:3"])
def test_1_6_who_digs_in_rests_or_waits_does_not_march(task: str) -> None:
    state, _ = day(country(make_map(OPEN), f"blue foot 0203 {task} via:0204"))
    assert at(state, "blue-foot") == "0203"
    assert state.unit("blue-foot").orders.way == (hex_at("0204"),)


def test_1_6_waiting_ends_as_its_day_begins() -> None:
    state = country(make_map(OPEN), "blue foot 0203 wait:2 via:0204")
    places = []
    for _ in range(2):
        state, _ = day(state)
        places.append(at(state, "blue-foot"))
    assert places == ["0203", "0204"]


def test_1_7_a_column_at_its_goal_stays() -> None:
    state, _ = day(day(country(make_map(OPEN), "blue foot 0203 via:0204"))[0])
    assert at(state, "blue-foot") == "0204"
    assert state.unit("blue-foot").orders.way == ()


@pytest.mark.parametrize(
    ("line", "to", "why"),
    [
        ("blue foot 0202", "0203", "cannot go from 0202 to 0203: it is sea"),
        ("blue foot 0201", "0203", "cannot enter 0203: it is sea"),
        ("blue guns 0304", "0404", "wheels enter marsh by road only"),
        ("blue foot 0203 supply:3", "0203", "is in 0203 already"),
        ("blue foot 0201", "9999", "is no hex of this map"),
    ],
)
def test_1_8_what_is_impossible_is_refused(line: str, to: str, why: str) -> None:
    ground = with_terrain("~", "0203", on=with_terrain("m", "0404")) if "already" not in why else OPEN
    state = country(make_map(ground), line)
    assert why in refusal(state, "move", unit=state.columns[0].id, to=to)


def test_1_8_a_ready_command_takes_that_back_first() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0703")
    state, _ = act(state, "turn_next", side="blue")
    assert "Take that back first" in refusal(state, "move", unit="blue-foot", to="0204")


def test_1_10_missed_days_are_counted_and_told() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0703")
    state, _ = act(state, "move", unit="blue-foot", to="0207")
    state, report = act(state, "turn_next")
    assert state.missed == {"red": 1}
    assert [(step.text, step.verdict) for step in report.steps if step.cite.rule == "CA-1.10"] == [
        ("Red", "missed the day")
    ]
    assert act(state, "turn_next")[0].missed == {"blue": 1, "red": 2}


def test_1_6_columns_join_with_the_average_of_their_supply() -> None:
    state = country(make_map(OPEN), "blue foot 0203:10 supply:6", "blue horse 0203:20 supply:3", "blue foot 0303")
    after, report = act(state, "join", unit="blue-foot", target="blue-horse")
    joined = after.unit("blue-horse")
    assert (joined.figures, joined.supply, joined.pace.value) == (30, 4, "foot")
    assert "blue-foot" not in after.units
    assert report.view_for("red") is None
    assert "are in different hexes" in refusal(state, "join", unit="blue-foot", target="blue-foot-2")


def test_1_6_a_column_splits_and_the_new_one_holds() -> None:
    state = country(make_map(OPEN), "blue mixed 0203 attack supply:9 wagon via:0204", "red foot 0703")
    after, _ = act(state, "split", unit="blue-mixed", name="Left wing", units="mounted", wagon=True)
    old, new = after.unit("blue-mixed"), after.unit("blue-left-wing")
    assert ([unit.name for unit in old.troops], [unit.name for unit in new.troops]) == (["foot"], ["mounted"])
    assert (old.supply, new.supply) == (6, 9)
    assert (old.orders.stance, new.orders.stance, new.orders.way) == (Stance.ATTACK, Stance.HOLD, ())
    after_split, _ = act(state, "split", unit="blue-mixed", name="red foot", units="mounted")
    assert "blue-red-foot" in after_split.units, "no refusal tells that the enemy has a column of that name"
    assert "Some unit must stay" in refusal(state, "split", unit="blue-mixed", name="All", units="foot, mounted")
    assert "has no unit" in refusal(state, "split", unit="blue-mixed", name="Guns", units="Krupps")


def test_1_9_orders_are_sealed_and_published_at_the_end() -> None:
    state = country(make_map(OPEN), "blue foot 0203 via:0204", "red foot 0703", days=2)
    state, report = act(state, "turn_next")
    written_seals = [step.needed for step in report.steps if step.cite.rule == "CA-1.9" and step.needed]
    assert written_seals == [sealed.seal for sealed in state.seals]
    salts = [throw for step in report.steps if step.cite.rule == "CA-1.9" for throw in step.throws]
    assert [(len(throw.dice), throw.sides) for throw in salts] == [(8, 1000)] * 2
    for viewer, command in (("blue", "blue"), ("red", "red"), (PUBLIC, "")):
        seals = SYSTEM.view(state, viewer).seals
        assert [bool(sealed.orders) for sealed in seals] == [sealed.command == command for sealed in seals]
        assert [sealed.seal for sealed in seals] == written_seals
    state, _ = act(state, "turn_next")
    assert state.over is not None
    published = list_sealed_texts(SYSTEM.view(state, PUBLIC))
    assert [sealed.about for sealed in published] == [
        "day 1, Blue",
        "day 1, Red",
        "day 2, Blue",
        "day 2, Red",
    ]
    assert all(sealed.has_true_seal for sealed in published)
    forged = state.model_copy(update={"seals": (state.seals[0].model_copy(update={"orders": "{}"}),)})
    assert not any(sealed.has_true_seal for sealed in list_sealed_texts(forged))


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"to": "0205", "with": ["stay"]}, "to: and stay"),
        ({"back": "0205", "with": ["halt on sight"]}, "back: and what else"),
        ({"until": 3, "with": ["rest"]}, "until: and another task"),
    ],
)
def test_1_3_orders_that_contradict_each_other_are_refused(arguments: dict[str, object], why: str) -> None:
    assert why in refusal(country(make_map(OPEN), "blue foot 0203"), "move", unit="blue-foot", **arguments)


def test_1_8_a_place_to_fall_back_to_can_be_reached() -> None:
    state = country(make_map(with_terrain("~", "0406")), "blue foot 0203")
    assert "cannot enter 0406: it is sea" in refusal(state, "move", unit="blue-foot", back="0406")


def test_1_10_only_a_command_with_a_free_column_misses_the_day() -> None:
    state, _ = day(country(make_map(OPEN), "blue foot 0203 attack via:0204", "red foot 0204", "red foot 0807"))
    assert act(state, "turn_next")[0].missed == {"red": 1}


def test_1_10_joining_and_splitting_are_orders() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "blue horse 0203", "red foot 0703")
    assert act(state, "join", unit="blue-foot", target="blue-horse")[0].wrote == ("blue",)


def two_commands(*lines: str) -> CampaignState:
    """Return a country whose Blue power has a chief, and a second command that has the column `blue horse`."""
    state = country(make_map(OPEN), "blue foot 0203", "blue horse 0205", "red foot 0703", *lines)
    sides = (*state.sides, Side(id="west", name="West", index=2))
    blue = state.powers[0].model_copy(update={"commands": ("blue", "west")})
    state = state.changed("blue-horse", side="west")
    return state.model_copy(update={"sides": sides, "powers": (blue, state.powers[1])})


def after_missed_days(days: int = 2) -> CampaignState:
    """Return two commands' country after days that the second has missed."""
    state = two_commands()
    for _ in range(days):
        for side in ("blue", "red"):
            state, _ = act(state, "turn_next", side=side)
        state, _ = act(state, "turn_next")
    return state


def test_1_10_the_chief_orders_a_command_that_missed_two_days() -> None:
    state = after_missed_days(1)
    assert state.sides_represented_by("blue") == {"blue"}
    for side in ("blue", "red"):
        state, _ = act(state, "turn_next", side=side)
    state, report = act(state, "turn_next")
    texts = [(step.text, step.verdict) for step in report.steps if step.cite.rule == "CA-1.10"]
    assert texts == [("West", "missed 2 days in a row; the Blue or the umpire may order its columns")]
    assert report.audience is None
    assert state.sides_represented_by("blue") == {"blue", "west"}
    assert state.sides_represented_by("west") == {"west"}
    assert state.sides_represented_by("red") == {"red"}
    ordered = {action.unit for action in SYSTEM.legal_actions(SYSTEM.view(state, "blue"), "blue", "move")}
    assert ordered == {"blue-foot", "blue-horse"}
    assert {action.unit for action in SYSTEM.legal_actions(SYSTEM.view(state, "red"), "red", "move")} == {"red-foot"}


def test_1_10_days_are_missed_in_a_row() -> None:
    state = after_missed_days(1)
    state, _ = act(state, "turn_next", side="west")
    for side in ("blue", "red"):
        state, _ = act(state, "turn_next", side=side)
    assert state.missed == {}


def test_1_10_an_option_says_how_many() -> None:
    state = after_missed_days(1)
    state, _ = act(state, "option", name="missed_days", value="1")
    assert state.sides_represented_by("blue") == {"blue", "west"}


def test_1_10_what_the_chief_orders_is_no_day_of_the_absent_and_they_take_over_by_acting() -> None:
    state = after_missed_days()
    state, report = act(state, "move", unit="blue-horse", to="0207", by_deputy=True)
    assert report.audience == {"blue", "west"}
    assert state.sides_represented_by("blue") == {"blue", "west"}
    ready, _ = act(state, "turn_next", side="west", by_deputy=True)
    ready, _ = act(ready, "turn_next", side="blue")
    ready, report = act(ready, "turn_next", side="red")
    assert (ready.turn, ready.missed, ready.deputised) == (4, {"west": 2}, ())
    assert not [step for step in report.steps if step.cite.rule == "CA-1.10"], "nobody missed the day"
    assert ready.sides_represented_by("blue") == {"blue", "west"}
    back, _ = act(ready, "move", unit="blue-horse", to="0203")
    assert back.sides_represented_by("blue") == {"blue"}
    assert act(back, "turn_next")[0].missed == {"blue": 1, "red": 1}


def test_1_10_that_an_absent_command_is_back_is_known_to_its_power_alone() -> None:
    state = after_missed_days()
    after, _ = act(state, "move", unit="blue-horse", to="0207")
    assert after.sides_represented_by("blue") == SYSTEM.view(after, "blue").sides_represented_by("blue") == {"blue"}
    for viewer in ("red", PUBLIC):
        assert SYSTEM.view(after, viewer) == SYSTEM.view(state, viewer)


def test_1_10_the_chief_of_an_absent_command_reads_its_reports_where_each_has_its_own() -> None:
    state = after_missed_days(1).model_copy(update={"options": CampaignOptions(knowledge=Knowledge.OWN)})
    state = state.changed("blue-foot", at=hex_at("0807"))  # out of the sight of the other command
    assert "blue-horse" not in SYSTEM.view(state, "blue").units
    state = state.model_copy(update={"missed": {"west": 2}})
    assert "blue-horse" in SYSTEM.view(state, "blue").units
    assert "blue-foot" not in SYSTEM.view(state, "west").units
    horse = state.unit("blue-horse")
    forced = state.changed(
        "blue-horse", orders=horse.orders.model_copy(update={"task": Task.FORCE, "way": (hex_at("0204"),)})
    )
    _, report = act(forced, "turn_next")
    (step,) = [step for step in report.steps if step.cite.rule == "CA-2.6"]
    assert step.only_for == {"blue", "west"}


def test_1_10_for_an_absent_chief_the_umpire_acts_alone() -> None:
    state = two_commands().model_copy(update={"missed": {"blue": 1}})
    for side in ("west", "red"):
        state, _ = act(state, "turn_next", side=side)
    state, report = act(state, "turn_next")
    texts = [(step.text, step.verdict) for step in report.steps]
    assert ("Blue", "missed 2 days in a row; the umpire may order its columns") in texts
    assert state.sides_represented_by("west") == {"west"}


def test_1_3_by_road_keeps_to_roads_and_is_refused_without_one() -> None:
    name = make_map(OPEN, "road: 0202 0203 0303 0403 0404")
    state = country(name, "blue foot 0202", "blue horse 0505")
    plain = MOVE.plan(state, Move(unit="blue-foot", to="0404")).orders.way
    by_road = MOVE.plan(state, Move.model_validate({"unit": "blue-foot", "to": "0404", "with": ["by road"]})).orders.way
    assert [hex_.label for hex_ in by_road] == ["0203", "0303", "0403", "0404"]
    assert len(plain) == 3
    with pytest.raises(Refused, match="No road leads blue horse from 0505 to 0404"):
        MOVE.plan(state, Move.model_validate({"unit": "blue-horse", "to": "0404", "with": ["by road"]}))


@pytest.mark.parametrize("words", [(), ("by road",)])
def test_1_3_enemies_that_bar_the_only_way_are_named_as_the_reason(words: Sequence[str]) -> None:
    strait = make_map(with_terrain("~", *(f"04{row:02}" for row in range(8) if row != 3)), "road: 0303 0403 0503")
    state = country(strait, "blue foot 0303", "red foot 0403")
    order = {"unit": "blue-foot", "to": "0503", "with": words}
    assert "bar the way from 0303 to 0503. To march at them" in refusal(state, "move", **order)
    assert "bar the way from 0303 to 0503" in refusal(state, "move", unit="blue-foot", back="0503")
    state, _ = act(state, "move", unit="blue-foot", to="0403 0503", **{"with": ["attack"]})
    assert [hex_.label for hex_ in state.unit("blue-foot").orders.way] == ["0403", "0503"]


@pytest.mark.parametrize("task", ["dig in", "rest"])
def test_1_6_a_march_with_a_task_that_stays_is_refused(task: str) -> None:
    state = country(make_map(OPEN), "blue foot 0202")
    with pytest.raises(Refused, match="would stay where it is"):
        MOVE.plan(state, Move.model_validate({"unit": "blue-foot", "to": "0404", "with": [task]}))
    assert MOVE.plan(state, Move(unit="blue-foot", to="0404", until=3)).orders.way
