"""How much a box of one's own may hold: every number, text and list of its document has its bounds."""

from collections.abc import Iterator, Mapping
from typing import Any

from rules.registry import rulesets

BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)
LISTED = """
OwnGame id to 24
OwnGame title 1 to 40
OwnGame briefing to 1500
OwnGame turns 1 to 99
OwnGame minutes 1 to 1440 usually 60
OwnGame turns_a_day 1 to 99
OwnGame improved to 200
OwnGame formations 1 to 60
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


def bounds(name: str, fields: Mapping[str, Any]) -> Iterator[str]:
    """A line a field that has any: from what to what it may be, and what it is when left out."""
    for field, described in fields.items():
        for shape in (described, *described.get("anyOf", ()), described.get("items", {})):
            said = [f"{shape.get(low, '')} to {shape.get(high, '')}" for low, high in BOUNDS if {low, high} & {*shape}]
            if said and isinstance(shape.get("default"), int):
                said.append(f"usually {shape['default']}")
            if said:
                yield f"{name} {field} {' '.join(said)}".replace("  ", " ").rstrip()


def test_ta_own_every_number_text_and_list_has_its_bounds() -> None:
    schema = rulesets()["tanga"].scenario_schema()
    assert schema is not None
    parts = {"OwnGame": schema, **schema["$defs"]}
    found = [line for name, part in parts.items() for line in bounds(name, part.get("properties", {}))]
    assert [line for line in found if not line.startswith("OwnOptions")] == LISTED.strip().splitlines()
