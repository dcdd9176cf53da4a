"""Tests of the drawn map, its description and the order of battle: all visible facts, no hidden facts (TA-1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.hexboard.hex_scene import NoteKind
from rules.core.scene import StatusMarker, Symbol
from rules.core.state import Verdict
from rules.core.tests.scripted import ScriptedDice
from rules.tanga.combat.reveal import view
from rules.tanga.maps import house_board
from rules.tanga.model import Condition, TangaState, Trail
from rules.tanga.progress import BritishTurn, March
from rules.tanga.scenarios import SCENARIOS, set_up_house_scenario
from rules.tanga.scene import scene
from rules.tanga.tests.field import formation, hex_at, hexes, marker, state_of
from rules.tanga.tests.own_play import system


def draw(state: TangaState):
    return scene(view(state, "german"))


def stack_at(state: TangaState, label: str):
    return next(stack.counters for stack in draw(state).stacks if stack.hex == hex_at(label))


def marks(state: TangaState, kind: NoteKind) -> dict[str, tuple[str, str]]:
    return {note.hex.label: (note.text, note.side) for note in draw(state).notes if note.kind is kind}


def card(state: TangaState, unit_id: str):
    return next(card for card in system().roster(state, "german") if card.id == unit_id)


@given(st.sampled_from(tuple(SCENARIOS.all)), st.lists(st.integers(1, 4), min_size=8, max_size=8))
def test_ta_1_picture_and_order_of_battle_hide_the_contents_of_markers(scenario, faces):
    dealt, other = (set_up_house_scenario(scenario, {}, ScriptedDice(deal)) for deal in (faces, [1] * 8))
    assert draw(dealt) == draw(other)
    assert system().roster(view(dealt, "german"), "german") == system().roster(view(other, "german"), "german")


def test_ta_1_markers_lie_face_down_under_their_company():
    state = state_of("13 A 3010", "13 B 3010", markers=[marker("13-a", real=True)])
    *units, hidden = stack_at(state, "3010")
    assert [unit.name for unit in units] == ["A", "B"]
    assert hidden.face_down
    assert (hidden.name, hidden.symbol, hidden.left, hidden.right) == ("MG marker", None, "", "")
    assert "MG marker" in card(state, "13-a").line
    assert "MG marker" not in card(state, "13-b").line


def test_ta_1_order_of_battle_places_the_gun_under_one_of_the_markers():
    hidden = state_of("13 A 3010", "13 mg off", markers=[marker("13-a")])
    assert "under one of its formation's MG markers" in card(hidden, "13-mg").line
    disrupted = state_of("13 A 3010", "13 mg off", markers=[marker("13-a")])
    gun = disrupted.units["13-mg"].model_copy(update={"condition": Condition.DISRUPTED})
    assert "under one of its formation's MG markers · disrupted" in card(disrupted.with_unit(gun), "13-mg").line
    assert "aboard" in card(state_of("13 A 3010", "13 mg off"), "13-mg").line


def test_a_counter_has_name_formation_symbol_and_factors():
    (gun, leader) = stack_at(state_of("LNL L1 3010 eb2", "LNL mg 3010"), "3010")
    assert (gun.name, gun.formation, gun.symbol, gun.left, gun.right) == ("mg", "LNL", Symbol.MACHINE_GUN, "7", "3")
    assert (leader.name, leader.symbol, leader.left, leader.right) == ("L1", Symbol.GENERAL, "+2", "6")


def test_stack_order_is_firing_unit_good_order_disrupted_leaders():
    state = state_of("13 L1 3010", "13 A 3010 disrupted cf9", "13 B 3010", "13 C 3010 cf6", "13 mg 3010")
    assert [unit.name for unit in stack_at(state, "3010")] == ["mg", "C", "B", "A", "L1"]


@pytest.mark.parametrize(
    ("line", "lies"),
    [
        ("13 A 3010", ()),
        ("13 A 3010 disrupted", (StatusMarker.DISRUPTED,)),
        ("13 A 3010 disrupted retreating", (StatusMarker.DISRUPTED, StatusMarker.RETREATING)),
        ("13 A 3010 fired", (StatusMarker.FIRED,)),
        ("IS art 3010 rounds0", (StatusMarker.NO_AMMUNITION,)),
    ],
)
def test_markers_on_a_counter(line, lies):
    ((counter,),) = (stack.counters for stack in draw(state_of(line)).stacks)
    assert counter.markers == lies


def test_ta_7_units_of_a_collapsed_formation_are_marked_as_in_rout():
    state = state_of("13 A 3010 retreating", formations=[formation("13", collapsed=True)])
    assert stack_at(state, "3010")[0].markers == (StatusMarker.ROUTED,)
    assert "in rout" in card(state, "13-a").line
    assert "in rout" in draw(state).alt


def test_beaches_entry_hexes_entry_markers_and_works_are_marked():
    state = state_of("13 A 3010", formations=[formation("13", entry=hex_at("2515"))], improved=hexes("2712"))
    assert marks(state, NoteKind.BEACH) == {"4006": ("A", ""), "3903": ("B", ""), "3804": ("C", "")}
    table = {hex_.label: (str(total), "") for total, hex_ in house_board().spec.entries.items()}
    assert marks(state, NoteKind.ENTRY_HEX) == table
    assert marks(state, NoteKind.ENTRY) == {"2515": ("13", "british")}
    assert marks(state, NoteKind.IMPROVED) == {"2712": ("", "")}


def test_ta_h_11_victory_hexes_of_this_game_are_marked_with_who_holds_them():
    state = state_of("13 A 2610", "17.FK 1 2612", "17.FK 2 2613 disrupted", objectives={"embankment": 1})
    marked_hexes = marks(state, NoteKind.VICTORY)
    assert set(marked_hexes) == {hex_.label for hex_ in house_board().victory_hexes["embankment"]}
    assert {label: side for label, (_, side) in marked_hexes.items() if side} == {"2610": "british", "2612": "german"}


def test_paths_shots_and_misses_of_the_last_action_are_drawn():
    way = Trail(hexes=hexes("3010 2909"), kind="move", side="british")
    shots = [Trail(hexes=hexes("2610 2909"), kind="fire", side="german", text=text) for text in ("no hit", "hit")]
    tracks = draw(state_of(trails=(way, *shots))).tracks
    assert [(track.kind, track.text) for track in tracks] == [("move", ""), ("miss", "no hit"), ("fire", "hit")]
    assert tracks[0].hexes == way.hexes


def test_title_tells_turn_phase_and_time_and_subtitle_the_score():
    state = set_up_house_scenario("initial-assault", {}, ScriptedDice([1, 1]))
    assert draw(state).title == "The Initial Assault — turn 1 of 10, British, 3 November 1914, 05:00"
    later = state.model_copy(update={"turn": 3, "active": "german", "phase": "movement"})
    assert draw(later).title == "The Initial Assault — turn 3 of 10, Germans, movement, 3 November 1914, 07:00"
    assert draw(state).subtitle == "The British hold 0 embankment hexes (1 needed), 0 European town hexes (2 needed)."
    over = state.model_copy(update={"over": Verdict(winner="german", why="The Germans win.")})
    assert draw(over).subtitle == "The Germans win."


def test_alt_text_tells_positions():
    state = state_of("13 A 3010", "13 B 3010 disrupted", "13 C 3011", "17.FK mg 2812", "61 A off")
    assert draw(state).alt.endswith(". British: 13 3010 A B disrupted, 3011 C. Germans: 17.FK 2812 mg.")


@pytest.mark.parametrize("scenario", SCENARIOS.all)
def test_alt_text_fits_and_names_every_formation(scenario):
    state = set_up_house_scenario(scenario, {}, ScriptedDice([1] * 8))
    words = draw(state).alt
    assert len(words) <= 1000
    formations = {unit.formation for unit in state.units.values() if unit.on_map}
    assert all(state.formation(formation).short in words for formation in formations)


def test_alt_text_fits_with_every_counter_alone():
    state = set_up_house_scenario("campaign", {}, ScriptedDice([1] * 8))
    land = sorted(house_board().land)
    spread = [unit.model_copy(update={"at": hex_}) for unit, hex_ in zip(state.units.values(), land, strict=False)]
    words = draw(state.with_unit(*spread)).alt
    assert len(words) <= 1000
    assert words.endswith("…")


def test_units_aboard_or_due_are_listed_beside_the_map():
    state = set_up_house_scenario("invasion", {}, ScriptedDice([1] * 4))
    assert draw(state).off_map == (
        "13 Raj: 10 aboard",
        "61 Pio: 10 aboard",
        "2 Kash: 10 aboard",
        "3 Kash: 10 aboard",
        "Imp S: 5 aboard",
        "16. FK: turn 5, from the west",
        "6. FK: turn 6, by train",
        "1. FK: turn 7, by train",
        "6. SchK: turn 8, by train",
    )


def test_ta_h_9_a_card_tells_losses_and_break_number():
    state = state_of("13 A 3010", "13 B 3010 disrupted", "13 C off eliminated", "13 L1 3010")
    assert ("Formation", "13: losses 2, breaks at 5") in card(state, "13-a").details
    assert card(state, "13-a").line == "CF 5, MF 4 · 3010"
    assert card(state, "13-b").line == "CF 5, MF 4 · 3010 · disrupted"
    assert card(state, "13-c").line == "eliminated"
    assert card(state, "13-l1").line == "EB 1, MF 6 · 3010"


def test_order_of_battle_is_by_formation_with_lost_units_last():
    state = state_of("17.FK 1 2812", "61 A 3010", "13 A off eliminated", "13 B 3012")
    assert [card.id for card in system().roster(state, "german")] == ["13-b", "13-a", "61-a", "17.fk-1"]


def test_ta_h_6_a_german_card_tells_the_standing_order_and_the_range():
    details = dict(card(state_of("17.FK 1 2812 bp within3"), "17.fk-1").details)
    assert details["Standing order"] == "fires within 3 hexes"
    assert details["Range"] == "2 hexes"
    assert details["Kind"] == "infantry, black powder"


def test_ta_h_6_path_of_a_paused_stack_is_drawn() -> None:
    march = March(units=("13-a",), goal=hex_at("2411"), left=2, way=hexes("3010 2909"))
    state = state_of("13 A 2909", "17.FK 1 2709", british=BritishTurn(formation="13", march=march))
    (track,) = draw(state).tracks
    assert track.hexes == hexes("3010 2909")
