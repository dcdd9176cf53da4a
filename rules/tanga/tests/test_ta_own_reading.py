"""Tests of reading a player's own scenario: values are kept, and every fault is refused with its place."""

import json
import time
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rules.core.documents import MAX_BYTES
from rules.core.refusal import Refused
from rules.tanga.maps import OwnMap
from rules.tanga.own.reading import OwnScenarios, document_reader, read_scenario

from .field import hex_at, hexes

EXAMPLE = Path(__file__).parents[3] / "docs" / "own-game.example.json"
PAGE = EXAMPLE.with_name("own-game.md")


def example() -> dict[str, Any]:
    """Return a copy of the documented example."""
    return json.loads(EXAMPLE.read_text(encoding="utf-8"))


def refusal(document: bytes | Mapping[str, Any]) -> str:
    """Return the reason for which a document is refused."""
    with pytest.raises(Refused) as refused:
        read_scenario(document if isinstance(document, bytes) else json.dumps(document).encode())
    return str(refused.value)


def set_value(place: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Return a change that sets the value at a path such as `map/beaches/A`."""

    def change(document: dict[str, Any]) -> None:
        *way, last = (int(part) if part.isdigit() and len(part) < 3 else part for part in place.split("/"))
        for part in way:
            document = document[part]
        document[last] = value

    return change


def delete_value(place: str) -> Callable[[dict[str, Any]], None]:
    """Return a change that deletes the value at a path."""

    def change(document: dict[str, Any]) -> None:
        *way, last = (int(part) if part.isdigit() and len(part) < 3 else part for part in place.split("/"))
        for part in way:
            document = document[part]
        del document[last]

    return change


def test_ta_own_example_is_accepted_and_listed() -> None:
    scenario = OwnScenarios().read(EXAMPLE.read_bytes())
    assert (scenario.id, scenario.title, scenario.turns) == ("small-example", "A small example", 4)
    assert scenario.sides == ("British", "Germans")


@pytest.mark.parametrize("begins", ["1800-01-01T00:00", "2100-01-01T00:00"])
def test_ta_own_years_of_a_game_have_bounds(begins: str) -> None:
    assert OwnScenarios().read(json.dumps(example() | {"begins": begins}).encode()).id == "small-example"


def test_ta_own_map_equals_its_document() -> None:
    _, own = read_scenario(EXAMPLE.read_bytes())
    assert own.hexes[hex_at("2608")] == own.hexes[hex_at("2617")] == "bank"
    assert own.hexes[hex_at("2109")] == "house"
    assert len(own.hexes) == 132
    assert hex_at("2006") not in own.land
    assert own.victory["european town"] == hexes("2008 2009 2010 2108 2109 2110 2208 2209 2210")
    assert own.entries[2] == hex_at("2411")
    terrains = {terrain.id: terrain for terrain in own.terrains}
    assert (terrains["town"].cost, terrains["town"].protection, terrains["town"].blocks) == (2, 2, True)
    assert terrains["town"].name == "European town"
    assert terrains["bush"].name == "bush"


def test_ta_own_stored_map_is_packed() -> None:
    _, own = read_scenario(EXAMPLE.read_bytes())
    text = own.model_dump_json()
    assert '"house":"2109"' in text
    assert OwnMap.model_validate_json(text) == own
    assert OwnMap.model_validate(own.model_dump()) == own


def test_ta_own_repeated_hex_in_a_stored_map_is_found() -> None:
    _, own = read_scenario(EXAMPLE.read_bytes())
    text = own.model_dump_json().replace('"house":"2109"', '"house":"2109 2110"')
    with pytest.raises(ValueError, match="2110 appears twice"):
        OwnMap.model_validate_json(text)


def test_ta_own_entry_hexes_are_given_or_those_of_the_card() -> None:
    document = example()
    document["map"]["entries"] = {str(total): f"24{total + 6:02}" for total in range(2, 13)}
    assert document["map"]["entries"]["12"] == "2418"
    document["map"]["hexes"]["2418"] = "field"
    _, own = read_scenario(json.dumps(document).encode())
    assert own.entries[12] == hex_at("2418")


def test_ta_own_schema_describes_every_field_and_accepts_the_example() -> None:
    schema = document_reader().schema
    jsonschema.Draft202012Validator(schema).validate(example())
    for model in (schema, *(definition for definition in schema["$defs"].values() if "properties" in definition)):
        for name, field in model["properties"].items():
            assert field.get("description"), f"{model['title']}.{name}"


def test_ta_own_the_page_names_every_field() -> None:
    page = PAGE.read_text(encoding="utf-8")
    schema = document_reader().schema
    models = {
        name: definition
        for name, definition in schema["$defs"].items()
        if "properties" in definition and name != "OwnOptions"
    }
    for model in (schema, *models.values()):
        for name in model["properties"]:
            assert f"`{name}`" in page, name
    for name in ("HexGround", "Arm", "Hexside", "Kind"):
        for word in schema["$defs"][name]["enum"]:
            assert f"`{word}`" in page, word


def test_ta_own_a_byte_order_mark_is_no_fault() -> None:
    assert read_scenario(b"\xef\xbb\xbf" + EXAMPLE.read_bytes()) == read_scenario(EXAMPLE.read_bytes())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (set_value("formations/0/units/0/name", "\u202eeman"), "formations[0].units[0].name: it must have no signs"),
        (set_value("formations/0/name", "\u200b"), "formations[0].name: it must have no signs that are not seen"),
        (delete_value("title"), "title: it is missing"),
        (set_value("turn", 3), "turn: there is no such field. The fields are: id, title, briefing, turns"),
        (set_value("turns", 0), "turns: it must be at least 1"),
        (set_value("turns", "4"), "turns: it must be a whole number"),
        (set_value("turns", True), "turns: it must be a whole number"),
        (set_value("turns", 10**60), "turns: it must be at most 99"),
        (set_value("id", "a b"), "id: it must be a word of letters, digits"),
        (set_value("title", "one\ntwo"), "title: it must be words on one line"),
        (set_value("title", "x" * 41), "title: it must be at most 40 characters long"),
        (set_value("title", "  "), "title: it must not be empty"),
        (set_value("begins", "1914-11-03T05:00Z"), "begins: it must be a date and time without a time zone"),
        (set_value("begins", "9999-12-31T23:00"), "begins: it must be a date and time, such as 1914-11-03T05:00"),
        (set_value("begins", "1799-12-31T23:59"), "begins: it must be a date and time, such as 1914-11-03T05:00"),
        (set_value("begins", "2100-01-01T00:01"), "begins: it must be a date and time, such as 1914-11-03T05:00"),
        (set_value("begins", "dawn"), "begins: it must be a date and time, such as 1914-11-03T05:00"),
        (set_value("map", []), "map: it must be an object"),
        (set_value("map/roads", {}), "map.roads: it must be a list"),
        (
            set_value("map/terrain/town/cover", 2),
            "map.terrain.town.cover: there is no such field. The fields are: name, cost",
        ),
        (set_value("map/terrain/town/drawn", "city"), "map.terrain.town.drawn: it must be one of 'sea', 'open'"),
        (set_value("map/terrain/town/cost", 0), "map.terrain.town.cost: it must be at least 1"),
        (
            set_value("map/terrain/9town", {"cost": 1, "drawn": "open"}),
            "map.terrain.9town: it must be a word of letters",
        ),
        (set_value("map/hexes/24x1", "town"), "map.hexes.24x1: it must be a hex, such as 2411, or a block"),
        (set_value("map/hexes/2411-2409", "town"), "map.hexes.2411-2409: a block goes from its north-west hex"),
        (set_value("map/hexes/2109-2110", "town"), "map.hexes.2109-2110: 2109 is in “2109” already"),
        (set_value("map/hexes/3101", "lava"), "map.hexes.3101: 3101: there is no terrain 'lava'"),
        (set_value("map/hexes/3301", "open"), "map.hexes.3301: 3301 is land that cannot be reached from the rest"),
        (set_value("map/hexes/3101-9999", "sea"), "map.hexes: a map has 2000 hexes at most"),
        (
            set_value("map/beaches/B", {"beach": "3006", "head": "2908"}),
            "map.beaches.B: 3006 is not on the land of the map",
        ),
        (
            set_value("map/beaches/B", {"beach": "3008", "head": "9999"}),
            "map.beaches.B: 9999 is not on the land of the map",
        ),
        (set_value("map/beaches/B", {"beach": "3007", "head": "2908"}), "map.beaches.B: 3007 appears twice"),
        (set_value("map/beaches/b", {"beach": "3008", "head": "2908"}), "map.beaches.b: it must be a capital letter"),
        (set_value("map/entries", {"2": "2411"}), "map.entries: 2D6 also fall 3, 4, 5, 6, 7, 8, 9, 10, 11, 12"),
        (set_value("map/entries", {"13": "2411"}), "map.entries.13: it must be at most 12"),
        (
            set_value("map/victory/embankment", ["2608-2618"]),
            "map.victory.embankment: 2618 is not on the land of the map",
        ),
        (
            set_value("map/victory/docks", ["2608"]),
            "map.victory.docks: there is no such field. The fields are: embankment",
        ),
        (
            set_value("map/victory/embankment", ["2608-2610", "2610"]),
            "map.victory.embankment[1]: 2610 is in “2608-2610”",
        ),
        (set_value("map/names/3311", "Nowhere"), "map.names.3311: 3311 is off the map"),
        (set_value("map/names/33", "Nowhere"), "map.names.33: a hex is written as four digits"),
        (set_value("map/roads/0/hexes", ["3007", "2808"]), "map.roads[0]: 3007 and 2808 are not neighbours"),
        (set_value("map/roads/0/hexes", ["3007"]), "map.roads[0].hexes: there must be at least 2"),
        (set_value("map/railways/0/hexes", ["2617", "2618"]), "map.railways[0]: 2618 is not on the land of the map"),
        (set_value("map/station", "2006"), "map.station: 2006 is not on the land of the map"),
        (delete_value("map/station"), "map.station: 6. Schützenkompanie comes by train"),
        (set_value("needed", {"european_town": 10}), "needed.european_town: the map has 9 such hexes"),
        (set_value("needed", {"embankment": 0}), "needed.embankment: it must be at least 1"),
        (set_value("improved", ["2006"]), "improved[0]: 2006 is not on the land of the map"),
        (
            set_value("options/rifles", 3),
            "options.rifles: there is no such field. The fields are: throw_at_once, resolution",
        ),
        (set_value("options/resolution", "mine"), "options.resolution: it must be one of 'house' or 'own'"),
        (set_value("formations/1/id", "13"), "formations[1].id: “13” appears twice"),
        (set_value("formations/1/name", "13TH RAJPUTS"), "formations[1].name: “13TH RAJPUTS” appears twice"),
        (
            set_value("formations/1/kind", "army"),
            "formations[1].kind: it must be one of 'battalion', 'staff' or 'company'",
        ),
        (set_value("formations/1/beach", "C"), "formations[1].beach: the map has no beach C"),
        (set_value("formations/1/beach", None), "formations[1].beach: a staff that has to land names its beach"),
        (set_value("formations/2/beach", "A"), "formations[2].beach: only the British land"),
        (set_value("formations/1/by_train", True), "formations[1].by_train: only Germans come by train"),
        (set_value("formations/1/hidden_gun", True), "formations[1].hidden_gun: only a battalion's MG"),
        (set_value("formations/0/arrives", 2), "formations[0].arrives: all of it is on the map already"),
        (set_value("formations/3/arrives", 5), "formations[3].arrives: the last turn is 4"),
        (
            set_value("formations/0/hidden_gun", False),
            "formations[0].units[5].at: an MG that starts off the map begins",
        ),
        (
            set_value("formations/0/units/5/at", "2911"),
            "formations[0].units[5].at: it begins under a marker: give it no hex",
        ),
        (delete_value("formations/0/units/5"), "formations[0].hidden_gun: there is no MG among its units"),
        (set_value("formations/0/units/4/arm", "machine gun"), "formations[0].units[5]: a battalion has one MG"),
        (set_value("formations/0/units/2/letter", "F"), "formations[0].hidden_gun: its markers need companies E"),
        (
            set_value("formations/0/units/2/letter", "A"),
            "formations[0].units[2].letter: two companies of 13th Rajputs have",
        ),
        (
            set_value("formations/0/units/2/letter", "Z"),
            "formations[0].units[2].letter: it must be a letter from A to H",
        ),
        (
            delete_value("formations/0/units/2/letter"),
            "formations[0].units[2].letter: a battalion's company has a letter",
        ),
        (set_value("formations/2/units/0/letter", "A"), "formations[2].units[0].letter: only a battalion's infantry"),
        (set_value("formations/0/units/2/id", "a"), "formations[0].units[2].id: “13-a” appears twice"),
        (set_value("formations/2/units/0/name", "Tighe"), "formations[2].units[0].name: “Tighe” appears twice"),
        (set_value("formations/0/units/0/at", "3006"), "formations[0].units[0].at: 3006 is not on the land of the map"),
        (set_value("formations/0/units/0/at", 2909), "formations[0].units[0].at: a hex is written as four digits"),
        (set_value("formations/0/units/0/at", "2612"), "formations[2].units[1].at: 2612 is held by 13th Rajputs"),
        (
            set_value("options/stack_limit", 1),
            "formations[2].units[3].at: more combat units are in 2612 than may stack (1)",
        ),
        (
            set_value("formations/2/units/0/at", None),
            "formations[2].units[0].at: a German company starts on the map as a",
        ),
        (set_value("formations/0/units/0/cf", 21), "formations[0].units[0].cf: it must be at most 20"),
        (set_value("formations/0/units/0/cf", 4.5), "formations[0].units[0].cf: it must be a whole number"),
        (
            set_value("formations/0/units/0/condition", "eliminated"),
            "formations[0].units[0].condition: a counter starts in",
        ),
        (
            set_value("formations/1/units/0/condition", "disrupted"),
            "formations[1].units[0].condition: a counter starts in",
        ),
        (
            set_value("formations/0/units/0/rounds", 4),
            "formations[0].units[0].rounds: only artillery's rounds are counted",
        ),
        (
            set_value("formations/1/units/3/rounds", 5),
            "formations[1].units[3].rounds: it starts with so many rounds, or",
        ),
        (
            set_value("formations/0/units/0/headquarters", True),
            "formations[0].units[0].headquarters: only a staff has an HQ",
        ),
        (set_value("formations/0/units", []), "formations[0].units: there must be at least 1"),
        (
            set_value("formations/0/units/0/strength", 5),
            "formations[0].units[0].strength: there is no such field. The fields",
        ),
    ],
)
def test_ta_own_every_fault_is_refused_with_its_place(change: Callable[[dict[str, Any]], None], reason: str) -> None:
    document = example()
    change(document)
    assert reason in refusal(document)


def test_ta_own_game_needs_both_sides() -> None:
    document = example()
    del document["formations"][2:]
    assert "formations: there are British (battalion, staff) and Germans (company)" in refusal(document)


def test_ta_own_a_landing_needs_a_beach_and_a_march_a_west_edge() -> None:
    document = example()
    document["map"]["beaches"] = {}
    document["map"]["west_edge"] = []
    document["formations"][3]["by_train"] = False
    reason = refusal(document)
    assert "map.beaches: Imperial Service has to land" in reason
    assert "map.west_edge: 6. Schützenkompanie marches on there" in reason


def test_ta_own_number_of_counters_is_limited() -> None:
    document = example()
    company = document["formations"][3]
    for number in range(60):
        formation = deepcopy(company) | {"id": f"more-{number}", "name": f"More {number}"}
        formation["units"] = [{**company["units"][0], "id": str(at), "name": f"{number}/{at}"} for at in range(6)]
        document["formations"].append(formation)
    del document["formations"][60:]
    document["formations"][0]["units"][0]["at"] = "3006"
    reason = refusal(document)
    assert "formations: they have 300 counters at most" in reason
    assert "formations[" not in reason, "so many are not gone through one by one"


def test_ta_own_several_faults_are_told_at_once() -> None:
    document = example()
    document["formations"][0]["units"][0]["cf"] = -1
    document["formations"][1]["fbn"] = None
    reason = refusal(document)
    assert "formations[0].units[0].cf: it must be at least 0" in reason
    assert "formations[1].fbn: it must be a whole number" in reason


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (b'{"turns":\n  5,}', "line 2 column 5"),
        (b'{"turns": NaN}', "line 1 column 11"),
        (b'{"turns": -Infinity}', "line 1 column 12"),
        (b"", "line 1 column 0"),
        (b"\xff\xfe{", "line 1 column 1"),
        (b'{"title": "\\ud800"}', "line 1 column 1"),
        (b"[]", "the file: it must be an object"),
        (b'{"map": {"hexes": {"2411": "x", "2411": "y"}}}', "map.hexes.2411: it appears twice"),
        (b'{"formations": [{"units": [{"cf": 1, "cf": 2}]}]}', "formations[0].units[0].cf: it appears twice"),
        (b"[" * 500_000, "nested too deeply"),
        (b'{"a":' * 200_000, "nested too deeply"),
        (b'{"turns": ' + b"9" * 500_000 + b"}", "number out of range"),
        (b'{"turns": 1e999}', "turns: it must be a whole number"),
        (b"{" + b",".join(b'"%d":1' % (number % 40_000) for number in range(45_000)) + b"}", "appears twice"),
        (b" " * (MAX_BYTES + 1), "the limit is 1,048,576"),
    ],
    ids=lambda value: str(value[:20]),
)
def test_ta_own_broken_and_monstrous_files_are_refused_at_once(document: bytes, reason: str) -> None:
    begun = time.process_time()
    assert reason in refusal(document)
    assert time.process_time() - begun < 5


def test_ta_own_blocks_of_blocks_are_refused_at_once() -> None:
    document = example()
    document["map"]["victory"]["embankment"] = ["0000-9999"] * 2000
    document["map"]["west_edge"] = ["0000-9999"] * 2000
    begun = time.process_time()
    assert "map.victory.embankment[1]: 0000 is in “0000-9999” already" in refusal(document)
    assert time.process_time() - begun < 5


def test_ta_own_two_staffs_do_not_share_a_beach() -> None:
    document = example()
    staff = document["formations"][1]
    second = deepcopy(staff) | {"id": "second", "name": "Second", "short": "Second"}
    second["units"] = [{**unit, "name": f"Second {unit['name']}"} for unit in staff["units"]]
    document["formations"].append(second)
    number = len(document["formations"]) - 1
    assert f"formations[{number}].beach: “A” appears twice" in refusal(document)
