"""Orders: what they say, what is refused, who reads them, and when the day ends (CA-1)."""

import pytest

from rules.campaign.model import CampaignState, OnSight, Stance, Task
from rules.campaign.seals import is_genuine
from rules.core.automaton.own_dice import OwnDice
from rules.core.model import PUBLIC, UMPIRE
from rules.core.refusal import Refused
from rules.core.report import Report

from .country import OPEN, at, country, day, hex_at, make_map, with_terrain
from .worlds import SYSTEM


def act(state: CampaignState, kind: str, /, **args: object) -> tuple[CampaignState, Report]:
    """Carry out an action; the only dice are those of salts."""
    return SYSTEM.act(state, SYSTEM.parse(kind, args), OwnDice("orders"))


def refusal(state: CampaignState, kind: str, /, **args: object) -> str:
    """Return why an action is refused."""
    with pytest.raises(Refused) as refused:
        act(state, kind, **args)
    return str(refused.value)


def test_1_1_orders_are_read_by_the_command_and_the_umpire_alone() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0703")
    after, report = act(state, "move", unit="blue-foot", to="0206")
    assert [report.seen_by(viewer) is None for viewer in ("blue", UMPIRE, "red", PUBLIC)] == [False, False, True, True]
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
    assert (orders.on_sight, orders.refuge) == (OnSight.FALL_BACK, hex_at("0200"))


def test_1_3_the_quickest_way_and_of_equals_the_lower_number() -> None:
    state = country(make_map(OPEN), "blue foot 0303 to:0503")
    assert [hex_.label for hex_ in state.unit("blue-foot").orders.way] == ["0403", "0503"]
    rough = country(make_map(with_terrain("s", "0404", "0403", "0402")), "blue foot 0303 to:0503")
    assert [hex_.label for hex_ in rough.unit("blue-foot").orders.way] == ["0403", "0503"]
    road = make_map(with_terrain("M", "0404", "0403", "0402"), "road: 0303 0304 0405 0504 0503")
    found = country(road, "blue foot 0303 to:0503").unit("blue-foot").orders.way
    assert [hex_.label for hex_ in found] == ["0304", "0405", "0504", "0503"]


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


@pytest.mark.parametrize(("stance", "where"), [("attack", "0205"), ("hold", "0202"), ("avoid", "0202")])
def test_1_4_stances_before_the_enemy(stance: str, where: str) -> None:
    state = country(make_map(OPEN), f"blue horse 0201 {stance} via:0202,0203,0204,0205", "red foot 0205 came:0206")
    if stance == "attack":
        state, told = day(state)
        assert "Battle in 0205: begins, the Red defend (CA-5.4)" in told
    else:
        state, told = day(state)
        assert "blue horse: stops before 0203: the enemy is near (CA-1.4)" not in told
    assert at(state, "blue-horse") == ("0205" if stance == "attack" else "0203")


def test_1_4_columns_begin_with_hold() -> None:
    assert country(make_map(OPEN), "blue foot 0203").unit("blue-foot").orders.stance is Stance.HOLD


def test_1_5_halt_on_sight() -> None:
    state = country(make_map(OPEN), "blue horse 0200 attack halt via:0201,0202,0203,0204", "red foot 0205")
    state, told = day(state)
    assert at(state, "blue-horse") == "0203"
    assert "blue horse: sees the enemy from 0203, and halts (CA-1.5)" in told


def test_1_5_falls_back_once_a_day_and_keeps_its_points() -> None:
    state = country(make_map(OPEN), "blue horse 0200 attack back:0000 via:0201,0202,0203,0204", "red foot 0205")
    state, told = day(state)
    assert "blue horse: sees the enemy from 0203, and falls back to 0000 (CA-1.5)" in told
    assert at(state, "blue-horse") == "0001"
    assert state.unit("blue-horse").orders.way[-1] == hex_at("0000")


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
    where = []
    for _ in range(2):
        state, _ = day(state)
        where.append(at(state, "blue-foot"))
    assert where == ["0203", "0204"]


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
    assert report.seen_by("red") is None
    assert "are in different hexes" in refusal(state, "join", unit="blue-foot", target="blue-foot-2")


def test_1_6_a_column_splits_and_the_new_one_holds() -> None:
    state = country(make_map(OPEN), "blue mixed 0203 attack supply:9 wagon via:0204", "red foot 0703")
    after, _ = act(state, "split", unit="blue-mixed", name="Left wing", units="mounted", wagon=True)
    old, new = after.unit("blue-mixed"), after.unit("blue-left-wing")
    assert ([unit.name for unit in old.troops], [unit.name for unit in new.troops]) == (["foot"], ["mounted"])
    assert (old.supply, new.supply) == (6, 9)
    assert (old.orders.stance, new.orders.stance, new.orders.way) == (Stance.ATTACK, Stance.HOLD, ())
    taken, _ = act(state, "split", unit="blue-mixed", name="red foot", units="mounted")
    assert "blue-red-foot" in taken.units, "no refusal tells that the enemy has a column of that name"
    assert "Some unit must stay" in refusal(state, "split", unit="blue-mixed", name="All", units="foot, mounted")
    assert "has no unit" in refusal(state, "split", unit="blue-mixed", name="Guns", units="Krupps")


def test_1_9_orders_are_sealed_and_published_at_the_end() -> None:
    state = country(make_map(OPEN), "blue foot 0203 via:0204", "red foot 0703", days=2)
    state, report = act(state, "turn_next")
    told = [step.needed for step in report.steps if step.cite.rule == "CA-1.9" and step.needed]
    assert told == [sealed.seal for sealed in state.seals]
    for viewer, known in (("blue", "blue"), ("red", "red"), (PUBLIC, "")):
        shown = SYSTEM.view(state, viewer).seals
        assert [bool(sealed.orders) for sealed in shown] == [sealed.command == known for sealed in shown]
        assert [sealed.seal for sealed in shown] == told
    state, _ = act(state, "turn_next")
    assert state.over is not None
    assert all(is_genuine(sealed) for sealed in SYSTEM.view(state, PUBLIC).seals)
    assert not is_genuine(state.seals[0].model_copy(update={"orders": "{}"}))


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"to": "0205", "with": ["stay"]}, "to: and stay"),
        ({"back": "0205", "with": ["halt on sight"]}, "back: and what else"),
        ({"until": 3, "with": ["rest"]}, "until: and another task"),
    ],
)
def test_1_3_orders_that_contradict_each_other_are_refused(said: dict[str, object], why: str) -> None:
    assert why in refusal(country(make_map(OPEN), "blue foot 0203"), "move", unit="blue-foot", **said)


def test_1_8_a_place_to_fall_back_to_can_be_reached() -> None:
    state = country(make_map(with_terrain("~", "0406")), "blue foot 0203")
    assert "cannot enter 0406: it is sea" in refusal(state, "move", unit="blue-foot", back="0406")


def test_1_10_only_a_command_with_a_free_column_misses_the_day() -> None:
    state, _ = day(country(make_map(OPEN), "blue foot 0203 attack via:0204", "red foot 0204", "red foot 0807"))
    assert act(state, "turn_next")[0].missed == {"red": 1}


def test_1_10_joining_and_splitting_are_orders() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "blue horse 0203", "red foot 0703")
    assert act(state, "join", unit="blue-foot", target="blue-horse")[0].wrote == ("blue",)
