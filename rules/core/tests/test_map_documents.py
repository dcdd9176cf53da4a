"""Maps that people write, as a document or as a text: their content, and the place of each fault."""

from typing import Any

import pytest

from rules.core.hexboard.hexes import Hex, Hexside
from rules.core.hexboard.map_document import MOST_HEXES, GroundPart, block_list_faults, hexes_of_blocks, map_faults
from rules.core.hexboard.map_file import read_map
from rules.core.hexboard.map_spec import MapSpec
from rules.core.model import Cite

from .listing import iterate_bounds
from .test_hexboard import KINDS, TEXT, Camps, read

RULE = Cite(rule="X-2")
GROUND: dict[str, Any] = {
    "terrain": {
        "veld": {"cost": 1, "drawn": "open"},
        "hill": {"name": "stony hill", "cost": 12, "protection": 12, "blocks_sight": True, "drawn": "bush"},
        "lake": {"cost": None, "drawn": "sea"},
    },
    "hexes": {"0101-0202": "veld", "0301": "hill", "0302": "lake"},
}
BOUNDS = """
OwnLine name 1 to 40
OwnLine hexes 2 to 200
OwnTerrain name 1 to 40
OwnTerrain cost 1 to 12
OwnTerrain protection 0 to 12 usually 0
GroundPart terrain 1 to 40
GroundPart hexes 1 to 2000
GroundPart road_cost 1 to 12 usually 1
GroundPart roads to 40
GroundPart railways to 40
GroundPart names to 200
Cite rule to 40
MapSpec road_cost 1 to 12 usually 1
"""


def map_document(**fields: object) -> GroundPart:
    return GroundPart.model_validate({**GROUND, **fields})


def spec(**fields: object) -> MapSpec:
    return MapSpec.model_validate(map_document(**fields).map_spec_fields(RULE))


def test_a_map_document_has_its_bounds() -> None:
    assert sorted({*iterate_bounds(GroundPart, MapSpec)}) == sorted(BOUNDS.strip().splitlines())


def test_map_has_the_content_of_its_document() -> None:
    road = {"name": "The track", "hexes": ["0101", "0102"]}
    map_spec = spec(roads=[road], railways=[{"hexes": ["0201", "0202"]}], names={"0301": "Kop"}, hexside="either")
    assert [
        (terrain.id, terrain.name, terrain.cost, terrain.protection, terrain.blocks) for terrain in map_spec.terrains
    ] == [
        ("veld", "veld", 1, 0, False),
        ("hill", "stony hill", 12, 12, True),
        ("lake", "lake", None, 0, False),
    ]
    assert {terrain.cite for terrain in map_spec.terrains} == {RULE}
    assert (map_spec.road_cost, map_spec.hexside, map_spec.names) == (1, Hexside.EITHER, {Hex.at(3, 1): "Kop"})
    assert [(line.name, line.feature.value, line.hexes) for line in (*map_spec.roads, *map_spec.railways)] == [
        ("The track", "road", (Hex.at(1, 1), Hex.at(1, 2))),
        ("", "railway", (Hex.at(2, 1), Hex.at(2, 2))),
    ]
    assert map_spec.land == {*hexes_of_blocks(["0101-0202", "0301"])}
    assert list(map_faults(map_spec)) == []


def test_invalid_overlapping_or_large_block_is_a_fault() -> None:
    assert list(map_document().block_faults()) == []
    ((place, why),) = map_document(hexes={"0202-0101": "veld"}).block_faults()
    assert (place, why[:40]) == ("map.hexes.0202-0101", "a block goes from its north-west hex to ")
    block_faults = map_document(hexes={"0101-0202": "veld", "0202-0303": "hill"}).block_faults()
    assert list(block_faults) == [("map.hexes.0202-0303", "0202 is in “0101-0202” already")]
    most, too_large = "0001-3950", [("map.hexes", f"a map has {MOST_HEXES} hexes at most")]  # 40 columns of 50
    assert list(map_document(hexes={most: "veld"}).block_faults()) == []
    assert list(map_document(hexes={most: "veld", "4001": "veld", "4001-4001": "hill"}).block_faults()) == too_large
    assert list(block_list_faults("edge", ["0101-0102", "0102"])) == [("edge[1]", "0102 is in “0101-0102” already")]


def test_a_map_from_outside_is_within_the_bounds_of_a_document() -> None:
    def faults(**update: int) -> list[str]:
        terrain = spec().terrains[0].model_copy(update=update)
        return [
            place for place, _ in map_faults(spec().model_copy(update={"terrains": (terrain, *spec().terrains[1:])}))
        ]

    for field, least in (("cost", 1), ("protection", 0)):
        places = [faults(**{field: number}) for number in (least - 1, least, 12, 13)]
        assert places == [["map.terrain.veld"], [], [], ["map.terrain.veld"]]
    crowd = {Hex.at(column, row): "veld" for column in range(41) for row in range(50)}
    for number, faulty_places in ((MOST_HEXES, []), (MOST_HEXES + 1, ["map.hexes"])):
        large = spec().model_copy(update={"hexes": dict([*crowd.items()][:number])})
        assert [place for place, _ in map_faults(large)] == faulty_places
    alike = spec(names={"0101": "Kop", "0301": "kop"}, roads=[{"name": "KOP", "hexes": ["0101", "0102"]}])
    assert [why for _, why in map_faults(alike)] == ["kop appears twice", "KOP appears twice"]
    too_large = alike.model_copy(update={"hexes": crowd})
    assert [place for place, _ in map_faults(too_large)] == ["map.hexes"], "nothing else of it is gone through"
    apart = spec(roads=[{"hexes": ["0101", "0101"]}, {"hexes": ["0102", "0201"]}])
    assert [place for place, _ in map_faults(apart)] == ["map.roads[0]", "map.roads[1]"]


@pytest.mark.parametrize(
    ("good", "bad", "why"),
    [
        ("02  w  .\n", "02  w\n", "line 5: row 02 has 1 hexes in even columns; 2 lie there"),
        ("02 .  ~  .\n", "02 .  ~\n", "line 6: row 02 has 2 hexes in odd columns; 3 lie there"),
        ("02  w  .\n", "02  w  .\n02 .  ~  .\n", "line 7: row 02 appears a third time"),
        ("02  w  .\n", "02  w  x\n", "line 5: 0402: no terrain has the letter 'x'; there are ~ . w"),
        ("02 .  ~  .\n", "", "test.txt: row 02 lacks the line of its odd columns"),
        ("02  w  .\n02 .  ~  .\n", "", r"test.txt: its rows do not follow one another without a gap: \[1, 3\]"),
        (
            "03  .  .\n03 .  w  .\n",
            "03  .  .\n03 .  w  .\n05  .  .\n05 .  .  .\n04  ~  ~\n04 ~  ~  ~\n",
            "0105 is land",
        ),
    ],
)
def test_rows_of_wrong_length_are_reported(good: str, bad: str, why: str) -> None:
    assert good in TEXT
    with pytest.raises(ValueError, match=why):
        read(TEXT.replace(good, bad))


def test_a_text_without_rows_and_a_map_of_one_column() -> None:
    with pytest.raises(ValueError, match=r"without a gap: \[\]"):
        read("columns 01-05")
    with pytest.raises(ValueError, match="line 1: row 01 has 1 hexes in even columns; 0 lie there"):
        read("01 .")
    assert [*read_map("columns 02-02\n01 .", "x", Camps, KINDS, {}).hexes] == [Hex.at(2, 1)]


def test_unknown_terrain_and_repeated_hexes() -> None:
    packed = spec().model_dump()
    bog = MapSpec.model_validate({**packed, "hexes": {"bog": "0101", "veld": "0102 0202"}})
    assert list(bog.faults()) == [("hexes.0101", "0101: there is no terrain 'bog'")]
    with pytest.raises(ValueError, match="0102 appears twice"):
        MapSpec.model_validate({**packed, "hexes": {"bog": "0102", "veld": "0102"}})
