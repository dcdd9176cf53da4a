"""Terrain as people type it: kinds in words, points, sizes and names; all faults are reported together."""

import pytest

from rules.core.scene import Feature
from rules.core.tabletop.terrain import describe_piece
from rules.core.tabletop.terrain_lines import EXAMPLE, TypedTerrain, read_terrain

from .companies import company, table_of

TABLE = table_of(company("A", 36, 40), width=72.0)


def read(*lines: str) -> TypedTerrain:
    return read_terrain(TABLE, "\n".join(lines))


@pytest.mark.parametrize(
    ("line", "described", "name"),
    [
        ("hill C3 12x8", 'hill, 12" x 8", C3', ""),
        ("• Mill Hill: hill at C3, 12 × 8 inches", 'hill, 12" x 8", C3', "Mill Hill"),
        ("Gallows Hill B2", 'hill, 10" x 8", B2', "Gallows Hill"),
        ("1. a wood at D3, 8” across", 'wood, 8" x 8", D3', ""),
        ("village E3 called Tamai", 'building, 10" x 8", E3', "Tamai"),
        ("farm F1", 'building, 4" x 3", F1', "Farm"),
        ("rough ground at 30,12 (6 x 4)", 'rough, 6" x 4", C1 S', ""),
        (
            'the river from the north edge at B to B3 to the south edge, 2" wide',
            'river from B1 N to B3 to B4 S, 2" wide',
            "",
        ),
        ("the river: the north edge at B to B3 to the south edge", 'river from B1 N to B3 to B4 S, 2" wide', ""),
        ("road A2 to F2", 'road from A2 W to F2 E, 1" wide', ""),
        ("road A2-F2", 'road from A2 W to F2 E, 1" wide', ""),
        ("low stone wall from C1 to C2 NE", 'sangar from C1 to C2 NE, 0.6" wide', "Low stone wall"),
        ("hill in the centre of the table", 'hill, 10" x 8", C2 SE', ""),
        ("scrub on the western flank", 'rough, 8" x 6", A2 SE', ""),
        ("dry river from A1 to C3", 'rough from A1 to C3, 3" wide', ""),
        ("river from north to south at B", 'river from B1 N to B4 S, 2" wide', ""),
        ("swamp A3; B3; B4", 'marsh, 12" x 12", B3 SW', ""),
        ("Low rocky ridge, B2 to C2", 'hill from B2 to C2, 3" wide', "Low rocky ridge"),
        ("Wadi from the west edge at row 3 to the east edge", 'rough from A3 W to F3 E, 3" wide', ""),
        ("Village of Tamai in E1", 'building, 10" x 8", E1', "Tamai"),
        ("Koppie at B2 (Nqutu Hill), 10 inches across", 'hill, 10" x 10", B2', "Nqutu Hill"),
        ("wood (round) D3", 'wood, 8" x 6", D3', ""),
        ("redoubt 3 x 3 at C2 “The Mound”", 'earthworks, 3" x 3", C2', "The Mound"),
    ],
)
def test_a_line_is_a_piece_of_terrain(line: str, described: str, name: str) -> None:
    terrain = read(line)
    assert not terrain.doubts
    assert [(describe_piece(piece), piece.name) for piece in terrain.pieces] == [(described, name)]


def test_a_river_ends_at_an_edge_and_a_road_at_ground_of_an_earlier_line() -> None:
    terrain = read("Mill Hill: hill C3", "road from the west edge to Mill Hill to the east edge", "river C1 to C4")
    assert not terrain.doubts
    assert terrain.pieces[1].points == ((0, 30), (30, 30), (72, 30))
    assert terrain.pieces[2].points == ((30, 0), (30, 48))


def test_a_bridge_lies_across_the_river_where_the_road_crosses_or_at_a_point() -> None:
    terrain = read("river from the north edge at B to the south edge", "road A2 to F2", "bridge where the road crosses")
    bridge = terrain.pieces[-1]
    assert (bridge.feature, bridge.name, bridge.points) == (Feature.ROAD, "Bridge", ((16, 18), (20, 18)))
    by_point = read("river from the north edge at B to the south edge", "Chelmsford Bridge B3, 3 wide")
    assert (by_point.pieces[-1].name, by_point.pieces[-1].width) == ("Chelmsford Bridge", 3)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("dragon C3", "What kind of ground is it"),
        ("hill", "Where is it? Give its middle"),
        ("hill Z9", "off the table"),
        ("hill C3 6 x 4 feet", "reaches off the table"),
        ("4 hills C3", "a line of its own"),
        ("river C2", "from one point to another"),
        ("river from the north edge to the south edge", "Say where on an edge"),
        ("bridge C2", "There is no river"),
        ("road from Atlantis to C3", "“Atlantis” is no point on the table"),
        ("hill C2; D2; D4 6x4", "has no size"),
        (f"hill C3 called {'x' * 41}", "too long for a name"),
    ],
)
def test_unclear_line_is_reported_with_its_number(line: str, why: str) -> None:
    terrain = read("wood D2", line)
    ((number, text),) = [(doubt.number, doubt.text) for doubt in terrain.doubts]
    assert (number, text) == (2, line)
    assert why in terrain.doubts[0].why


def test_pieces_stand_on_one_line_with_semicolons() -> None:
    terrain = read("hill C3; wood D1; swamp A3; B3; B4")
    assert [piece.feature for piece in terrain.pieces] == [Feature.HILL, Feature.WOOD, Feature.MARSH]


def test_several_crossings_are_asked_about() -> None:
    terrain = read("river from the north edge at B to the south edge", "road A2 to F2", "road A3 to F3", "bridge")
    assert "several places" in terrain.doubts[0].why


def test_the_example_of_the_form_is_clear() -> None:
    assert not read(*EXAMPLE.splitlines()).doubts


def test_ground_is_named_by_its_kind() -> None:
    terrain = read("Village E1 called Tamai", "track from the south edge at C to the village")
    assert not terrain.doubts
    assert describe_piece(terrain.pieces[1]) == 'road from C4 S to E1, 1" wide'
