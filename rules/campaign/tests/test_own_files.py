"""Campaigns that people write as files: the shipped ones give the same states; faulty ones are refused with lines."""

import json
import random
import time
import tomllib
from collections.abc import Callable
from contextlib import suppress

import pytest
from pydantic import TypeAdapter

from rules.campaign.ground import board_of, read_map_text
from rules.campaign.own_files import OwnCampaigns
from rules.campaign.scenarios import SCENARIOS, CampaignScenario
from rules.core.dice import NoDice
from rules.core.refusal import Refused

from .worlds import SYSTEM

ARMIES = {"magdala": ("british-breechloaders", "british-cavalry", "mahdist-spears")}
BEGUN = 'id = "mine"\ntitle = "Mine"\nbriefing = ""\nbattles = "magdala"\ndays = 3\nmargin = 1\n'
MAP = "columns 00-03\n00 . .\n00 . s\n01 . h\n01 . .\nname 0001: Wells\n"
POWERS = """
[[powers]]
name = "Blue"
[[powers.commands]]
name = "Smith"
[[powers.commands.columns]]
name = "First column"
at = "0000"
foot = { "Rifles" = "24 british-breechloaders" }
mounted = { "Horse" = "12 british-cavalry" }

[[powers]]
name = "Red"
[[powers.commands]]
name = "Osman"
[[powers.commands.columns]]
name = "Horde"
at = "0301"
foot = { "Spears" = "36 mahdist-spears" }

[[points]]
name = "Wells"
at = "0001"
kinds = ["well"]
value = 2
holder = "Red"
"""
ONE_FILE = f"{BEGUN}map_text = '''\n{MAP}'''\n{POWERS}"
OWN = OwnCampaigns(ARMIES)


def refusal(call: Callable[[], object]) -> list[str]:
    """The lines of the refusal of a file."""
    with pytest.raises(Refused) as caught:
        call()
    return str(caught.value).split("\n")


@pytest.mark.parametrize("name", SYSTEM.scenarios)
def test_the_files_of_a_shipped_campaign_give_its_state(name: str) -> None:
    """As two files, and as the one file that is handed out; only the map is the game's own now."""
    shipped = SYSTEM.setup(name, {}, NoDice())
    two = OwnCampaigns({}).join(SCENARIOS.text(name).encode(), read_map_text(SCENARIOS.all[name].map).encode())
    handed_out = OwnCampaigns({}).shipped_file(name)
    assert handed_out is not None
    for document in (two, handed_out[1].encode()):
        assert SYSTEM.own_battles.read(document) == SYSTEM.scenarios[name]
        state = SYSTEM.own_battles.set_up(document, {}, NoDice())
        assert state.own_map == board_of(shipped).spec
        assert state.model_copy(update={"own_map": None, "title": ""}) == shipped
        SYSTEM.require_valid_state(state)
        assert SYSTEM.state_type.model_validate_json(state.model_dump_json()) == state
        assert board_of(SYSTEM.state_type.model_validate_json(state.model_dump_json())) is board_of(state)


def test_a_campaign_in_one_file_has_its_own_map_and_title() -> None:
    state = OWN.set_up(ONE_FILE.encode(), {}, NoDice())
    assert SYSTEM.scene(state, "umpire").title == "Mine — day 1 of 3"
    assert {hex_.label for hex_ in board_of(state).land} == {
        "0000",
        "0001",
        "0100",
        "0101",
        "0200",
        "0201",
        "0300",
        "0301",
    }
    assert OWN.read(ONE_FILE.encode()).turns == 3


def test_every_fault_is_told_with_its_line_and_key() -> None:
    bad = ONE_FILE.replace("name 0001: Wells", "name 0909: Wells").replace('"24 british', '"24 brittish')
    bad = bad.replace('at = "0301"', 'at = "3101"').replace('holder = "Red"', 'holder = "Reds"')
    bad = bad.replace("value = 2", "value = 200").replace('name = "Osman"', 'name = "Smith"')
    assert refusal(lambda: OWN.read(bad.encode())) == [
        "The campaign was not accepted: 6 faults.",
        "- line 13: 0909 is off the map.",
        (
            "- line 23: Rifles: magdala has no troop 'brittish-breechloaders'; the nearest: british-breechloaders, "
            "british-cavalry, mahdist-spears."
        ),
        "- line 29: Smith: the name appears twice.",
        "- line 32: Horde: at: 3101 is off the map.",
        "- line 39: points[0].value: it must be at most 99.",
        "- line 40: Wells: holder: there is no power Reds; there are Blue, Red.",
        "Correct the file and upload it again.",
    ]


def test_a_wrong_number_of_days_hides_no_other_fault() -> None:
    faulty = ONE_FILE.replace("days = 3", "days = 80").replace("british-cavalry", "british-horse")
    faults = refusal(lambda: OWN.read(faulty.encode()))
    assert faults[0].endswith(": 2 faults.")
    assert faults[1].endswith("days: it must be at most 60.")
    assert "Horse: magdala has no troop 'british-horse'" in faults[2]


def test_faults_of_two_files_name_their_file() -> None:
    campaign = f"{BEGUN}{POWERS}".replace("days = 3", "days = 0").replace("margin", "margins")
    map_ = MAP.replace("00 . s", "00 . x").replace("01 . .", "01 .")
    assert refusal(lambda: OWN.join(campaign.encode(), map_.encode())) == [
        "The campaign was not accepted: 5 faults.",
        "- the campaign: margin: it is missing.",
        "- the campaign, line 5: days: it must be at least 1.",
        (
            "- the campaign, line 6: margins: there is no such field. The fields are: id, title, briefing, map, "
            "map_text, battles, country, days, margin, options, powers, points."
        ),
        "- the map, line 3: 0300: no terrain has the letter 'x'; there are . s h f M m ~ o.",
        "- the map, line 5: row 01 has 1 hexes in odd columns; 2 lie there.",
        "Correct the file and upload it again.",
    ]
    joined = OWN.join(f"{BEGUN}{POWERS}".encode(), MAP.replace("\n", "\r\n").encode())
    assert OWN.set_up(joined, {}, NoDice()) == OWN.set_up(ONE_FILE.encode(), {}, NoDice())


@pytest.mark.parametrize(
    ("good", "bad", "why"),
    [
        ('"magdala"', '"tanga"', "battles: no battles are fought by 'tanga'; there are magdala, empire, charge"),
        (f"map_text = '''\n{MAP}'''", "map = 'nowhere'", "map: there is no map 'nowhere'; the maps are"),
        (
            "margin = 1",
            "margin = 1\noptions = { supply_dais = 3 }",
            "there is no option supply_dais; the nearest: supply",
        ),
        ("margin = 1", "margin = 1\noptions = { supply_days = 0 }", "options: supply_days: it must be at least 1"),
        (
            'name = "Blue"',
            'name = "Blue"\nwealth = 3',
            "powers[0].wealth: there is no such field. The fields are: name",
        ),
        (
            'name = "Blue"',
            'name = "Blue"\nsudden = ["Well"]',
            "Blue: sudden: there is no point Well; the nearest: Wells",
        ),
        ('at = "0301"', 'at = "0301"\narrives = 2', "Red: no column stands on the map when the campaign begins"),
        ('at = "0301"', 'at = "0301"\narrives = 9', "Horde: arrives: the last day is day 3"),
        ('"First column"', '"First, column"', "First, column: comma, semicolon and colon separate names"),
        ('"36 mahdist-spears"', '"mahdist-spears"', "it must be figures and a troop, such as 18 british-breechloaders"),
        (
            '"36 mahdist-spears"',
            '"9999 mahdist-spears", "S" = "1 mahdist-spears"',
            "Red: 10,000 figures; the limit is 9,999",
        ),
        ('foot = { "Spears" = "36 mahdist-spears" }', "", "Horde: it has no units"),
        ("00 . s", "00 . ~", "off the map|sea"),
        ("name 0001: Wells", f"name 0001: {'W' * 41}", "a name is one line of at most 40 characters"),
        ("columns 00-03", "columns 00-99", "row 00 has 2 hexes in even columns; 50 lie there"),
        ("name 0001: Wells", f"road: {'0000-9999 ' * 3}", "a line may name at most 2,000 hexes"),
        ("name 0001: Wells", "# Remark\n" * 1001, "a map may have at most 1,000 lines"),
        ("01 . .\n", "", "row 01 lacks the line of its odd columns"),
    ],
)
def test_what_a_campaign_cannot_have_is_told(good: str, bad: str, why: str) -> None:
    assert good in ONE_FILE
    text = ONE_FILE.replace(good, bad, 1)
    if why == "off the map|sea":
        text, why = text.replace('at = "0301"', 'at = "0300"'), "Horde: at: 0300 is sea"
    assert any(why in line for line in refusal(lambda: OWN.read(text.encode())))


def test_a_maps_line_is_told_however_the_map_is_written() -> None:
    """On the line of the key, in one line, or in JSON, where a line of the map is no line of the file."""
    bad = MAP.replace("0001: Wells", "0909: Wells")
    for file_text, fault in (
        (ONE_FILE.replace(f"'''\n{MAP}", f"'''{bad}"), "- line 12: 0909 is off the map."),
        (ONE_FILE.replace(f"'''\n{MAP}'''", json.dumps(bad)), "- line 7: line 6 of the map: 0909 is off the map."),
        (
            json.dumps({**tomllib.loads(ONE_FILE), "map_text": bad}, indent=1),
            "- line 8: line 6 of the map: 0909 is off",
        ),
    ):
        assert any(line.startswith(fault) for line in refusal(lambda text=file_text: OWN.read(text.encode()))), fault


def test_a_map_has_a_limit_of_hexes() -> None:
    rows = "".join(f"{row:02} {'. ' * 21}\n{row:02} {'. ' * 20}\n" for row in range(40))
    too_large = ONE_FILE.replace(MAP, f"columns 00-40\n{rows}")
    assert "- line 7: hexes: a map may have at most 1,600." in refusal(lambda: OWN.read(too_large.encode()))
    rows = "".join(f"{row:02} {'. ' * 20}\n{row:02} {'. ' * 20}\n" for row in range(40))
    assert OWN.read(ONE_FILE.replace(MAP, f"columns 00-39\n{rows}").encode()).title == "Mine"


def test_a_file_that_is_none_and_a_map_given_twice_are_refused() -> None:
    assert "no TOML" in refusal(lambda: OWN.read(b"[[powers"))[0]
    assert "UTF-8" in refusal(lambda: OWN.read(b"\xff\xfe"))[0]
    assert "given twice" in refusal(lambda: OWN.join(ONE_FILE.encode(), MAP.encode()))[0]
    assert "JSON" in refusal(lambda: OWN.join(b'{"id": "mine"}', MAP.encode()))[0]
    assert "quotation marks" in refusal(lambda: OWN.join(BEGUN.encode(), b"'''"))[0]
    assert "the limit is" in refusal(lambda: OWN.join(BEGUN.encode(), b"#" * 159 * 1024 + b"#" * 1000))[0]
    assert "leaves nothing to choose" in refusal(lambda: OWN.set_up(ONE_FILE.encode(), {"army": "small"}, NoDice()))[0]


@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 80))])
def test_broken_files_are_taken_or_refused_and_quickly(seed: int) -> None:
    dice = random.Random(seed)
    text = (ONE_FILE, OWN.shipped_file("suakin-1884")[1], OWN.shipped_file("zululand-1879")[1])[seed % 3]
    for _ in range(40):
        broken = _break(text, dice).encode()
        began = time.perf_counter()
        with suppress(Refused):
            SYSTEM.require_valid_state(OwnCampaigns({}).set_up(broken, {}, NoDice()))
        assert time.perf_counter() - began < 5


def _break(text: str, dice: random.Random) -> str:
    """The text with some parts deleted, doubled, exchanged or replaced."""
    for _ in range(dice.randint(1, 4)):
        start = dice.randrange(len(text))
        end = min(start + dice.randint(1, 40), len(text))
        part = dice.choice(
            ("", text[start:end] * 2, "9999", '"', "\n", "[[powers]]\n", "~", "- 0", "'''", "é\x00", "0000-9999")
        )
        text = text[:start] + part + text[end:]
    return text


def powers_with(columns: int, units: int) -> CampaignScenario:
    """The campaign with so many columns of so many units each, beside Red's one."""
    scenario = TypeAdapter(CampaignScenario).validate_json(json.dumps(tomllib.loads(ONE_FILE)))
    blue, red = scenario.powers
    names = (f"Column {number}" for number in range(columns))
    entries = tuple(
        blue.commands[0]
        .columns[0]
        .model_copy(
            update={"name": name, "mounted": {}, "foot": {f"{name} {number}": "1 rifles" for number in range(units)}}
        )
        for name in names
    )
    command = blue.commands[0].model_copy(update={"columns": entries})
    return scenario.model_copy(update={"powers": (blue.model_copy(update={"commands": (command,)}), red)})


@pytest.mark.parametrize(
    ("columns", "units", "fault"),
    [
        (59, 1, []),
        (60, 1, ["there are 61 columns; the limit is 60"]),
        (57, 7, []),
        (50, 8, ["there are 401 units; the limit is 400"]),
    ],
)
def test_a_campaign_has_sixty_columns_and_four_hundred_units(columns: int, units: int, fault: list[str]) -> None:
    assert [*powers_with(columns, units).faults()] == fault


def changed(good: str, bad: str) -> list[str]:
    """The faults of the campaign with a part of its file replaced."""
    assert good in ONE_FILE
    return refusal(lambda: OWN.read(ONE_FILE.replace(good, bad, 1).encode()))[1:-1]


SECOND = '[[points]]\nname = "Well two"\nat = "0001"\nkinds = ["well"]\n\n[[points]]'


@pytest.mark.parametrize(
    ("good", "bad", "fault"),
    [
        ('name = "Smith"', 'name = "…"', "- line 19: …: a name has a letter or a digit."),
        ('name = "Smith"', 'name = "Umpire"', "- line 19: Umpire: no command may have this name."),
        ('name = "Smith"', 'name = "Public"', "- line 19: Public: no command may have this name."),
        (
            'name = "Red"\n[[powers.commands]]',
            'name = "Red"\nvalues = { points_foot = 13 }\n[[powers.commands]]',
            "points_foot: it must be at most 12",
        ),
        (
            'name = "Red"\n[[powers.commands]]',
            'name = "Red"\nvalues = { open_battles = 3 }\n[[powers.commands]]',
            "Red: open_battles holds for both powers: write it into options",
        ),
        ('name = "Red"', 'name = "blue"', "blue: the power appears twice"),
        ("[[points]]", SECOND, "Well two: at: there is another point in 0001."),
        ('at = "0000"', 'at = "0000"\narrives = 3', "Blue: no column stands on the map when the campaign begins."),
    ],
)
def test_a_fault_of_names_numbers_and_places(good: str, bad: str, fault: str) -> None:
    assert any(fault in line for line in changed(good, bad)), changed(good, bad)


def test_a_command_has_columns_and_a_power_nearly_ten_thousand_figures() -> None:
    lonely = ONE_FILE.replace("[[points]]", '[[powers.commands]]\nname = "Ali"\n\n[[points]]', 1)
    assert any("Ali: it has no columns" in line for line in refusal(lambda: OWN.read(lonely.encode())))
    assert OWN.read(ONE_FILE.replace('"24 british', '"9987 british', 1).encode())
    over = refusal(lambda: OWN.read(ONE_FILE.replace('"24 british', '"9988 british', 1).encode()))
    assert any("Blue: 10,000 figures" in line for line in over)


def test_reinforcements_of_both_powers_do_not_arrive_in_one_hex() -> None:
    template = (
        '\n[[powers.commands.columns]]\nname = "{}"\nat = "{}"\narrives = 2\nfoot = {{ "{}" = "9 mahdist-spears" }}\n'
    )
    for place, faults in (("0301", ["Late reds: at: Late blues of the other power arrives there"]), ("0200", [])):
        blue, _, red = ONE_FILE.partition('\n[[powers]]\nname = "Red"')
        text = blue + template.format("Late blues", "0301", "Lads") + _ + red
        text = text.replace("\n[[points]]", template.format("Late reds", place, "Rest") + "\n[[points]]", 1)
        if faults:
            assert any(faults[0] in line for line in refusal(lambda text=text: OWN.read(text.encode())))
        else:
            state = OWN.set_up(text.encode(), {}, NoDice())
            assert [power.began_with for power in state.powers] == [36, 36], "without reinforcements"
            late = state.unit("late-blues")
            assert (late.at, late.arrives is not None and late.arrives.day) == (None, 2)


def test_a_long_list_of_faults_is_cut() -> None:
    bad = "".join(f"name {number:02}09: X{number}\n" for number in range(30))
    lines = refusal(lambda: OWN.read(ONE_FILE.replace(MAP, MAP + bad).encode()))
    assert lines[0] == "The campaign was not accepted: 30 faults."
    assert (len(lines), lines[26]) == (28, "- and 5 more.")
    exactly = refusal(lambda: OWN.read(ONE_FILE.replace(MAP, MAP + "".join(bad.splitlines(True)[:25])).encode()))
    assert (len(exactly), exactly[0]) == (27, "The campaign was not accepted: 25 faults.")
    single = refusal(lambda: OWN.read(ONE_FILE.replace(MAP, MAP + bad.splitlines(True)[0]).encode()))
    assert single[0] == "The campaign was not accepted: 1 fault."


def test_a_file_has_a_limit_of_bytes_and_campaigns_are_not_written() -> None:
    limit = 160 * 1024
    room = b"#" * (limit - len(ONE_FILE.encode()))
    assert OWN.read(ONE_FILE.encode() + room).title == "Mine"
    why = f"The file has {limit + 1:,} bytes; the limit is {limit:,}."
    assert refusal(lambda: OWN.read(ONE_FILE.encode() + room + b"#")) == [why]
    assert refusal(lambda: OWN.write(OWN.set_up(ONE_FILE.encode(), {}, NoDice()), "a", "b"))[0]
    assert dict(OWN.schema)["troops"] == {"magdala": [*ARMIES["magdala"]]}


def test_a_file_as_other_programs_write_it_is_read() -> None:
    windows = ONE_FILE.replace("\n", "\r\n").encode("utf-8-sig")
    assert OWN.set_up(windows, {}, NoDice()) == OWN.set_up(ONE_FILE.encode(), {}, NoDice())


def test_a_campaign_begins_as_its_file_says() -> None:
    text = ONE_FILE.replace('at = "0000"', 'at = "0000"\nwagon = true').replace(
        'name = "Red"\n', 'name = "Red"\nsudden = ["Wells"]\nworth = 0.5\nworths = { mahdist-spears = 2 }\n', 1
    )
    state = OWN.set_up(text.encode(), {}, NoDice())
    assert [(side.id, side.name, side.index) for side in state.sides] == [
        ("smith", "Blue under Smith", 0),
        ("osman", "Red under Osman", 1),
    ]
    assert [(power.id, power.chief, power.worth) for power in state.powers] == [
        ("blue", "smith", 1),
        ("red", "osman", 0.5),
    ]
    assert (state.powers[1].worths, state.sudden) == ({"mahdist-spears": 2}, {"blue": (), "red": ("wells",)})
    (point,) = state.points.values()
    assert (point.holder, point.held_days, point.value) == ("red", 2, 2)
    first = state.unit("first-column")
    assert (first.supply, first.has_wagon, first.listed, state.unit("horde").listed) == (12, True, 0, 1)
    assert [(unit.name, unit.pace, unit.start) for unit in first.troops] == [
        ("Rifles", "foot", 24),
        ("Horse", "mounted", 12),
    ]
    nobodys = OWN.set_up(ONE_FILE.replace('holder = "Red"', "").encode(), {}, NoDice())
    assert [point.held_days for point in nobodys.points.values()] == [0]
