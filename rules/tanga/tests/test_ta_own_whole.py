"""Tests that the document format can express the whole house game, with all maps and forces."""

import json
from typing import Any

import pytest

from rules.core.hexboard.hexes import Hex
from rules.core.tests.scripted import ScriptedDice
from rules.tanga.field import board_of
from rules.tanga.maps import house_board, house_map
from rules.tanga.model import GERMAN, Kind, TangaState
from rules.tanga.options import Resolution
from rules.tanga.own.reading import set_up_scenario
from rules.tanga.scenarios import SCENARIOS, set_up_house_scenario

TOLD = ("id", "name", "arm", "letter", "cf", "mf", "eb", "black_powder", "headquarters", "rounds", "rounds_full", "at")


def house_state(scenario: str) -> TangaState:
    """Set up a house scenario, with every MG under its battalion's first marker."""
    kinds = [formation.kind for formation in SCENARIOS.all[scenario].state().formations.values()]
    return set_up_house_scenario(scenario, {}, ScriptedDice([1] * kinds.count(Kind.BATTALION)))


def hex_labels(hexes: Any) -> list[str]:
    return [hex_.label for hex_ in hexes]


def house_map_document() -> dict[str, Any]:
    """Return the house map in document form."""
    house = house_map()
    return {
        "terrain": {
            terrain.id: {
                "name": terrain.name,
                "cost": terrain.cost,
                "protection": terrain.protection,
                "blocks_sight": terrain.blocks,
            }
            | {"drawn": terrain.ground.value}
            for terrain in house.terrains
        },
        "hexes": {hex_.label: terrain for hex_, terrain in house.hexes.items()},
        "road_cost": house.road_cost,
        "hexside": house.hexside.value,
        "roads": [{"name": line.name or None, "hexes": hex_labels(line.hexes)} for line in house.roads],
        "railways": [{"name": line.name or None, "hexes": hex_labels(line.hexes)} for line in house.railways],
        "names": {hex_.label: name for hex_, name in house.names.items()},
        "beaches": {beach.letter: {"beach": beach.beach.label, "head": beach.head.label} for beach in house.beaches},
        "entries": {str(total): hex_.label for total, hex_ in house.entries.items()},
        "victory": {kind.replace(" ", "_"): hex_labels(hexes) for kind, hexes in house.victory.items()},
        "station": house.station.label if house.station else None,
        "west_edge": hex_labels(house.west_edge),
    }


def document(scenario: str) -> bytes:
    """Return a house scenario as a player's document."""
    house, listing = house_state(scenario), SCENARIOS.all[scenario]
    formations = sorted(house.formations.values(), key=lambda formation: (formation.side == GERMAN, formation.order))
    return json.dumps(
        {
            "id": scenario,
            "title": listing.title,
            "briefing": listing.briefing,
            "turns": house.turns,
            "begins": listing.hours.first.isoformat(),
            "minutes": listing.hours.minutes,
            "turns_a_day": listing.hours.turns_a_day,
            "map": house_map_document(),
            "needed": {kind.replace(" ", "_"): number for kind, number in house.objectives.items()},
            "formations": [
                formation.model_dump(mode="json", include={"id", "name", "short", "kind", "fbn", "arrives", "by_train"})
                | {"beach": formation.beach or None, "hidden_gun": formation.kind is Kind.BATTALION}
                | {
                    "units": [
                        counter(house, unit) for unit in house.units if house.unit(unit).formation == formation.id
                    ]
                }
                for formation in formations
            ],
        }
    ).encode()


def counter(house: TangaState, unit: str) -> dict[str, Any]:
    """Return a counter in document form."""
    fields = house.unit(unit).model_dump(mode="json")
    return {name: fields[name] for name in TOLD} | {"id": unit.removeprefix(f"{fields['formation']}-")}


@pytest.mark.parametrize("scenario", list(SCENARIOS.all))
def test_ta_own_file_can_express_every_house_scenario(scenario: str) -> None:
    house = house_state(scenario)
    own = set_up_scenario(document(scenario), {}, ScriptedDice([1] * len(house.markers)))
    assert own.options.resolution is Resolution.OWN
    assert own.units == house.units
    assert own.markers == house.markers
    assert (own.turns, own.hours, own.objectives) == (house.turns, house.hours, house.objectives)
    for key, formation in house.formations.items():
        assert own.formation(key).model_copy(update={"order": formation.order}) == formation


def test_ta_own_house_map_in_a_file_plays_the_same() -> None:
    own, house = board_of(set_up_scenario(document("initial-assault"), {}, ScriptedDice((1, 1)))), house_board()
    assert own.land == house.land
    for hex_ in house.terrain:
        assert (own.cost(hex_), own.protection(hex_)) == (house.cost(hex_), house.protection(hex_)), hex_
    assert (own.hexes_blocking_sight, own.spec.entries, own.beaches) == (
        house.hexes_blocking_sight,
        house.spec.entries,
        house.beaches,
    )
    assert (own.victory_hexes, own.spec.station, own.spec.west_edge) == (
        house.victory_hexes,
        house.spec.station,
        house.spec.west_edge,
    )
    assert own.sees(Hex.from_label("2708"), Hex.from_label("2712")) == house.sees(
        Hex.from_label("2708"), Hex.from_label("2712")
    )
    assert own.hex_board.cells == tuple(cell.model_copy(update={"letter": ""}) for cell in house.hex_board.cells)
