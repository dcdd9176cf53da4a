"""A game as shown to players: scenarios, picture, units and score; and the bounds of options."""

from typing import Any

import pytest
from pydantic import ValidationError

from rules.core.dice import NoDice
from rules.core.hexboard.hex_scene import NoteKind
from rules.core.refusal import Refused
from rules.core.scene import DieFace, StatusMarker
from rules.great_war.options import GreatWarOptions
from rules.great_war.scenarios import Army, GreatWarScenario

from .field import BRITISH, FLAG, GERMANS, HQ, OPEN, SOLDIER, SYSTEM, act, button_labels, field, refusal


@pytest.mark.parametrize("scenario", ["trench", "village", "tanks"])
def test_gw_scenarios_are_listed_with_their_sides_and_turns(scenario: str) -> None:
    listing, state = SYSTEM.scenarios[scenario], SYSTEM.setup(scenario, {}, NoDice())
    assert listing.sides == ("British", "Germans")
    assert listing.turns == state.turns == 30
    assert listing.title
    assert "six medals" in listing.briefing
    assert SYSTEM.tally(state).startswith("Medals of 6: British 0, Germans 0. HQ tokens: ")
    of_all = {side: len(state.units_of(side)) for side in (BRITISH, GERMANS)}
    assert SYSTEM.strengths(state, BRITISH) == {side: f"{number} of {number} units" for side, number in of_all.items()}


def test_gw_unknown_scenario_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Refused, match="It has: trench, village, tanks"):
        SYSTEM.setup("moon", {}, NoDice())


def test_gw_every_unit_has_a_card_and_a_counter() -> None:
    state = field(OPEN, "british male 0203 ordered bogged", "germans infantry 0303 figures:2", wire="0404")
    cards = {card.id: card for card in SYSTEM.roster(state, BRITISH)}
    assert cards["male"].line == "Mark IV male, 1 token left, bogged, 0203"
    assert dict(cards["infantry"].details)["Dice from 1 hex on"] == "3/2/1/1"
    assert [card.id for card in SYSTEM.roster(state, BRITISH, only=["infantry"])] == ["infantry"]
    scene = SYSTEM.scene(state, BRITISH)
    counters = {counter.unit: counter for stack in scene.stacks for counter in stack.counters}
    assert (counters["infantry"].left, counters["infantry"].middle, counters["infantry"].right) == ("2", "4", "2")
    assert set(counters["male"].markers) == {StatusMarker.BOGGED, StatusMarker.ORDERED}
    assert [note.hex.label for note in scene.notes if note.kind is NoteKind.WIRE] == ["0404"]
    assert "Male (1 token left, bogged) in 0203" in scene.alt


def test_gw_only_the_picture_of_a_battle_has_its_dice_and_shot() -> None:
    state = field(OPEN, "british mg 0203 ordered", "germans infantry 0403")
    after, _ = act(state, "fire", (FLAG, HQ, HQ), unit="mg", target="infantry")
    assert SYSTEM.scene(after, BRITISH).dice == (DieFace.FLAG, DieFace.HQ, DieFace.HQ)
    assert [track.kind for track in after.tracks] == ["fire"]
    back, _ = act(after, "retreat", unit="infantry", to="0502")
    assert [track.kind for track in back.tracks] == ["fire", "retreat"]
    assert not act(back, "turn_next")[0].tracks


@pytest.mark.parametrize(
    ("option", "default", "least", "most"),
    [
        ("orders", 4, 1, 30),
        ("hit_by_guns", 3, 2, 6),
        ("hit_close", 5, 2, 6),
        ("hit_else", 6, 2, 6),
        ("lost_for_a_flag", 1, 0, 4),
        ("most_tokens", 3, 0, 6),
        ("weaker_when_bogged", 1, 0, 4),
    ],
)
def test_gw_options_and_their_bounds(option: str, default: int, least: int, most: int) -> None:
    assert getattr(GreatWarOptions(), option) == default
    state = field(OPEN)
    for value in (least, most):
        assert getattr(act(state, "option", name=option, value=str(value))[0].options, option) == value
    for value in (least - 1, most + 1):
        assert refusal(state, "option", name=option, value=str(value))


SAID: dict[str, Any] = {
    "id": "x",
    "title": "X",
    "briefing": "X.",
    "map": "village",
    "turns": 3,
    "medals": 2,
    "orders": 2,
    "armies": [
        {"name": "Reds", "units": {"infantry": {"A": "0000"}}},
        {"name": "Blues", "units": {"Mark IV male": {"B": "0101"}}},
    ],
}


@pytest.mark.parametrize(
    ("name", "least", "most"), [("turns", 1, 200), ("medals", 1, 30), ("orders", 1, 30), ("first", 0, 1)]
)
def test_gw_a_scenario_file_has_its_bounds(name: str, least: int, most: int) -> None:
    for value in (least, most):
        assert getattr(GreatWarScenario.model_validate(SAID | {name: value}), name) == value
    for value in (least - 1, most + 1):
        with pytest.raises(ValidationError):
            GreatWarScenario.model_validate(SAID | {name: value})
    assert Army.model_validate(SAID["armies"][0]).tokens == 0


@pytest.mark.parametrize(
    ("units", "why"),
    [
        ({"Mark IV male": {"B": "0807"}}, "no ground for it"),
        ({"field artillery": {"B": "0807"}}, "no ground for it"),
        ({"infantry": {"B": "0806", "C": "1103"}}, "no ground for it"),
        ({"infantry": {"B": "0000"}}, "appears twice"),
        ({"infantry": {"a": "0101"}}, "appears twice"),
    ],
)
def test_gw_faults_of_armies_are_reported(units: dict[str, dict[str, str]], why: str) -> None:
    data = SAID | {"armies": [SAID["armies"][0], {"name": "Blues", "units": units}]}
    scenario = GreatWarScenario.model_validate(data)
    assert any(why in fault for fault in scenario.faults())
    assert not [*GreatWarScenario.model_validate(SAID).faults()]


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("germans infantry 0403", "Infantry: 87.5% to hit, 42.1% to drive back"),
        ("germans infantry 0403 figures:1", "Infantry: 87.5% to destroy, 8.8% to drive back"),
        ("germans male 0403 bogged", "Male: 8.1% to destroy"),
    ],
)
def test_gw_button_tells_only_possible_results_of_a_battle(target: str, text: str) -> None:
    state = field(OPEN, "british mg 0203 ordered", target)
    assert button_labels(state)[0] == f"Mg fire at {text}"


def test_gw_battle_and_retreat_tell_the_state_of_both_units() -> None:
    state = field(OPEN, "british male 0203 ordered", "germans mg 0303")
    after, report = act(state, "melee", (SOLDIER, HQ, HQ, FLAG), unit="male", target="mg")
    assert "Mg: 2 figures left, in 0303." in report.whole_outcome
    _, back = act(after, "retreat", (HQ,), unit="mg", to="0403")
    assert back.whole_outcome == "Mg: 2 figures left, in 0403. Male: 1 token left, in 0303."
