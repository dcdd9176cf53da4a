"""Tests that every number, text and list of an own-game document has bounds."""

from rules.core.tests.listing import iterate_bounds
from rules.tanga.own.document import OwnScenario

LISTED = """
OwnScenario id to 24
OwnScenario title 1 to 40
OwnScenario briefing to 1500
OwnScenario turns 1 to 99
OwnScenario minutes 1 to 1440 usually 60
OwnScenario turns_a_day 1 to 99
OwnScenario improved to 200
OwnScenario formations 1 to 60
MapPart terrain 1 to 40
MapPart hexes 1 to 2000
MapPart road_cost 1 to 12 usually 1
MapPart roads to 40
MapPart railways to 40
MapPart names to 200
MapPart beaches to 26
MapPart west_edge to 2000
OwnFormation id to 24
OwnFormation name 1 to 40
OwnFormation short 1 to 12
OwnFormation fbn 1 to 20
OwnFormation arrives 1 to 99 usually 1
OwnFormation units 1 to 60
OwnLine name 1 to 40
OwnLine hexes 2 to 200
OwnNeeded embankment 1 to 2000
OwnNeeded european_town 1 to 2000
OwnNeeded key_building 1 to 2000
OwnTerrain name 1 to 40
OwnTerrain cost 1 to 12
OwnTerrain protection 0 to 12 usually 0
OwnUnit cf 0 to 20 usually 0
OwnUnit mf 0 to 12
OwnUnit eb 0 to 6 usually 0
OwnUnit rounds 0 to 99
OwnUnit rounds_full 0 to 99
OwnUnit id to 24
OwnUnit name 1 to 40
OwnVictory embankment to 2000
OwnVictory european_town to 2000
OwnVictory key_building to 2000
"""


def test_ta_own_every_number_text_and_list_has_its_bounds() -> None:
    assert [
        line for line in iterate_bounds(OwnScenario) if not line.startswith("OwnOptions")
    ] == LISTED.strip().splitlines()
