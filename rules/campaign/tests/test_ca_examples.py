"""The worked examples of the campaign's rules."""

from rules.campaign.battles import BattleOutcome, end_battle
from rules.campaign.contact import score_to_get_away, settle_contacts
from rules.campaign.marching import LAST_IMPULSE, gets_march_point, march_columns
from rules.campaign.model import CampaignState
from rules.campaign.seeing import update_sightings
from rules.core.play import Play
from rules.core.tests.scripted import ScriptedDice

from .country import OPEN, at, country, day, hex_at, make_map, with_terrain


def impulses_of(points: int) -> list[int]:
    """Return the impulses in which a column with so many points a day gets one."""
    return [number for number in range(1, 13) if gets_march_point(number, points)]


def entries(state: CampaignState, column: str, *fell: int) -> list[tuple[int, str]]:
    """Return the impulses in which a column enters hexes, with those hexes."""
    play = Play(state, ScriptedDice(fell))
    places = []
    for impulse in range(1, LAST_IMPULSE + 1):
        was = play.state.unit(column).at
        came_from = march_columns(play, impulse)
        settle_contacts(play, came_from)
        update_sightings(play)
        now = play.state.unit(column).at
        if now is not None and now != was:
            places.append((impulse, now.label))
    return places


def test_1_impulses_in_which_columns_get_points() -> None:
    assert impulses_of(4) == [3, 6, 9, 12]
    assert impulses_of(6) == [2, 4, 6, 8, 10, 12]
    assert impulses_of(3) == [4, 8, 12]
    state = country(make_map(OPEN), "blue foot 0003 to:0903 forced")
    assert [impulse for impulse, _ in entries(state, "blue-foot")] == [2, 4, 6, 8, 10, 12]


def test_2_foot_in_scrub_and_along_a_road() -> None:
    scrub = with_terrain(
        "s", "0101", "0102", "0103", "0104", "0201", "0202", "0203", "0204", "0205", "0001", "0002", "0004"
    )
    off_road = country(make_map(scrub), "blue foot 0003 via:0103,0204")
    assert entries(off_road, "blue-foot") == [(6, "0103"), (12, "0204")]
    on_road = make_map(scrub, "road: 0003 0103 0204 0304 0405")
    assert entries(country(on_road, "blue foot 0003 via:0103,0204,0304,0405"), "blue-foot") == [
        (3, "0103"),
        (6, "0204"),
        (9, "0304"),
        (12, "0405"),
    ]


def test_3_wheels_cross_a_river_by_the_bridge() -> None:
    river = make_map(OPEN, "river: 0203/0303 0204/0303", "bridge: 0203/0303")
    assert entries(country(river, "blue guns 0203 via:0303"), "blue-guns") == [(4, "0303")]
    state, lines = day(country(river, "blue guns 0204 via:0303"))
    assert at(state, "blue-guns") == "0204"
    assert lines[0] == "blue guns: stops before 0303: wheels cross rivers at fords and bridges only (CA-1.8)"


def test_4_dear_steps_take_until_the_evening() -> None:
    mountain = make_map(with_terrain("M", "0303"), "river: 0203/0303")
    assert entries(country(mountain, "blue foot 0203 via:0303"), "blue-foot") == [(12, "0303")]
    marsh = make_map(with_terrain("m", "0303"), "river: 0203/0303")
    assert entries(country(marsh, "blue foot 0203 via:0303 scout"), "blue-foot") == [(13, "0303")]


def test_5_horse_and_foot_march_at_each_other() -> None:
    name = make_map(OPEN)
    two = country(name, "blue horse 0201 attack via:0202,0203,0204", "red foot 0204 attack via:0203,0202,0201")
    after, lines = day(two)
    assert "Battle in 0203: begins (CA-5.4)" in lines
    assert at(after, "blue-horse") == at(after, "red-foot") == "0203"
    one = country(name, "blue horse 0201 attack via:0202,0203", "red foot 0203 attack via:0202,0201")
    after, lines = day(one)
    assert "Battle in 0202: begins (CA-5.4)" in lines


def test_6_one_power_is_held_where_both_would_cross() -> None:
    name = make_map(OPEN)
    three = country(name, "blue horse 0200 attack via:0201,0202,0203", "red foot 0204 attack via:0203,0202,0201")
    assert entries(three, "red-foot", 3)[:2] == [(3, "0203"), (6, "0202")]
    assert entries(three, "blue-horse", 4) == [(2, "0201"), (4, "0202"), (6, "0203")]


def test_7_getting_away() -> None:
    state = country(make_map(OPEN), "blue horse 0201", "red foot 0207")
    horse, foot = state.unit("blue-horse"), state.unit("red-foot")
    assert score_to_get_away(state, horse, [foot]) == 2
    assert score_to_get_away(state, foot, [horse]) == 6


def test_8_figures_come_back_after_a_battle() -> None:
    state = country(make_map(OPEN), "blue foot 0203 attack via:0204", "red foot 0204", "red foot 0204")
    state, _ = day(state)
    battle = next(iter(state.battles.values()))
    with_field = {"blue-foot": (7,), "red-foot": (24,), "red-foot-2": (7,)}
    play = Play(state, ScriptedDice(()))
    end_battle(play, battle, BattleOutcome(field="red", lost=with_field))
    assert [play.state.unit(column_id).figures for column_id in with_field] == [24 - 7 + 2, 12, 24 - 7 + 3]
    play = Play(state, ScriptedDice(()))
    end_battle(play, battle, BattleOutcome(field="blue", lost={**with_field, "blue-foot": (0,)}))
    assert play.state.unit("red-foot").figures == 8


def test_9_stragglers_of_a_forced_march() -> None:
    name = make_map(OPEN)
    state = country(name, "blue foot 0203:24 forced via:0204", "blue foot 0303:12 forced via:0304")
    state, _ = day(state, 2, 3)
    assert [state.unit(column_id).figures for column_id in ("blue-foot", "blue-foot-2")] == [22, 12]
    small = country(name, "blue foot 0203:30 forced via:0204", "blue foot 0303:4 forced via:0304")
    state, _ = day(small, 2, 2)
    assert [state.unit(column_id).figures for column_id in ("blue-foot", "blue-foot-2")] == [27, 4]


def test_10_supply_runs_out_after_six_days() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0807", points=["Home 0800 red base"])
    for _ in range(6):
        state, _ = day(state)
    assert state.unit("blue-foot").supply == 0
    state, lines = day(state, 3)
    assert state.unit("blue-foot").figures == 22
    assert "blue foot: without supply: starves: 2 figures lost (CA-4.3)" in lines


def test_11_what_is_seen_of_forty_figures() -> None:
    def seen(letters: str, kind: str, place: str) -> str:
        state = country(make_map(letters), f"blue {kind} {place}", "red foot 0405:40")
        sighting = state.sightings["blue"].get(hex_at("0405"))
        return "" if sighting is None else sighting.in_words

    assert seen(OPEN, "horse", "0403") == "a force"
    assert seen(OPEN, "foot", "0403") == ""
    assert seen(with_terrain("f", "0405"), "horse", "0403") == ""
    assert seen(with_terrain("f", "0405"), "foot", "0404") == seen(OPEN, "horse", "0404") == "foot, about 40"


def test_12_replacements_up_to_nine_tenths() -> None:
    state = country(make_map(OPEN), "blue foot 0203:24 rest", "red foot 0807", points=["Home 0203 blue base"])
    unit = state.unit("blue-foot")
    weak = unit.troops[0].model_copy(update={"figures": 15})
    state = state.changed("blue-foot", troops=(weak,))
    strength = []
    for _ in range(4):
        state, _ = day(state)
        strength.append(state.unit("blue-foot").figures)
    assert strength == [17, 19, 21, 21]
