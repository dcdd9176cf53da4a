"""What viewers see of a game: views, cards, and the scene of the table."""

import pytest

from rules.core.dice import NoDice
from rules.core.model import PUBLIC, UMPIRE
from rules.core.odds import Odds
from rules.core.scene import ALT_LIMIT, StatusMarker, Symbol
from rules.core.tabletop.battle import Place
from rules.core.tests.scripted import ScriptedDice
from rules.magdala.model import MagdalaState, Morale, Order, StoredPrompt
from rules.magdala.model import Test as Owing
from rules.magdala.placement import base_size

from .suakin import BERKS, SYSTEM, after_action, refusal, suakin_state


def change_unit(state: MagdalaState, unit: str, **update) -> MagdalaState:
    return state.with_unit(state.unit(unit).model_copy(update=update))


def line(state: MagdalaState, unit: str, viewer: str = PUBLIC) -> str:
    return next(card.line for card in SYSTEM.roster(state, viewer) if card.id == unit)


def details(state: MagdalaState, unit: str, viewer: str = PUBLIC) -> dict[str, str]:
    return dict(next(card.details for card in SYSTEM.roster(state, viewer) if card.id == unit))


def test_a_card_says_strength_order_state_and_ammunition() -> None:
    state = change_unit(suakin_state(), BERKS, casualties=3, morale=Morale.PINNED, works="in the open")
    state = after_action(state, "set", unit=BERKS, field="ammunition", value="4½")
    assert line(state, BERKS) == "24 figures, 3 lost · close order · pinned · 4½ rounds"


@pytest.mark.parametrize(
    ("unit", "update", "expected"),
    [
        ("gatling", {"jammed": True}, "3 crew · behind a zareba · jammed · 6 rounds"),
        ("camels-bisharin", {}, "12 figures · mounted"),
        ("camels-bisharin", {"mounted": False}, "12 figures · close order · dismounted"),
        ("mcneill", {}, "well"),
        (BERKS, {"ammunition": 0}, "24 figures · close order · behind a zareba · out of ammunition"),
        (BERKS, {"in_square": True}, "24 figures · in square · behind a zareba · 6 rounds"),
        (BERKS, {"morale": Morale.OFF_TABLE}, "24 figures · off table"),
    ],
)
def test_card_shows_the_details_of_each_kind(unit: str, update: dict, expected: str) -> None:
    assert line(change_unit(suakin_state(), unit, **update), unit) == expected


def test_roster_lists_units_by_side_and_gone_units_last() -> None:
    cards = SYSTEM.roster(change_unit(suakin_state(), BERKS, morale=Morale.OFF_TABLE), PUBLIC)
    sides = [card.side for card in cards]
    assert sides == sorted(sides)
    assert [card.id for card in cards if card.side == "british"][-1] == BERKS


def test_mm_2_a_unit_may_be_sent_as_far_as_it_goes_or_towards_another() -> None:
    state = SYSTEM.setup("suakin-1885", {}, NoDice())
    unit = next(
        unit for unit in state.units_of(state.active) if any(SYSTEM.places.destinations(state, unit.side, unit.id))
    )
    places = SYSTEM.places.destinations(state, unit.side, unit.id)
    assert any(place.startswith("forward") for place in places)
    assert any(place.startswith("towards") for place in places)


def test_mm_3_9_the_enemys_ammunition_lies_open() -> None:
    assert "6 rounds" in line(suakin_state(), BERKS, "mahdists")


def test_mm_5_4_only_the_umpire_sees_a_secret_quality() -> None:
    state = after_action(suakin_state(), "secret", unit=BERKS, field="secret quality", value="-2")
    for viewer in ("british", "mahdists", PUBLIC):
        view = SYSTEM.view(state, viewer)
        assert view == change_unit(view, BERKS, secret_quality=0)
        assert "-2" not in str(SYSTEM.roster(state, viewer))
    assert SYSTEM.view(state, UMPIRE) == state
    assert details(state, BERKS, UMPIRE)["Secret quality"] == "-2"


def test_mm_5_4_only_the_umpire_reads_the_report_of_a_secret() -> None:
    order = SYSTEM.parse("secret", {"unit": BERKS, "field": "secret_quality", "value": "-1"})
    _, report = SYSTEM.act(suakin_state(), order, NoDice())
    assert report.view_for(PUBLIC) is None
    assert report.view_for("british") is None
    assert report.view_for(UMPIRE) == report


def hidden_test(state: MagdalaState) -> tuple[MagdalaState, Odds]:
    state = change_unit(state, BERKS, casualties=5)
    return state, SYSTEM.odds(state, SYSTEM.parse("morale", {"unit": BERKS, "with": "umpire's call"}))


def test_mm_5_4_a_secret_modifier_shows_neither_in_a_sum_nor_in_odds() -> None:
    state, odds = hidden_test(after_action(suakin_state(), "secret", unit=BERKS, field="secret_quality", value="-2"))
    assert odds.view_for("british") is None
    order = SYSTEM.parse("morale", {"unit": BERKS, "with": "umpire's call"})
    _, report = SYSTEM.act(state, order, ScriptedDice([3, 3]))
    seen = report.view_for("british")
    assert seen is not None
    assert seen.steps[0].score is None
    assert "umpire's modifier" in [modifier.reason for modifier in seen.steps[0].modifiers]
    assert [int(m.value) for m in report.steps[0].modifiers if m.secret] == [-2]


def test_mm_5_4_revealed_it_is_known_to_all_and_undoing_is_no_longer_free() -> None:
    state = after_action(suakin_state(), "secret", unit=BERKS, field="secret_quality", value="-2")
    after, report = SYSTEM.act(state, SYSTEM.parse("reveal", {"unit": BERKS}), NoDice())
    assert report.showed_hidden
    assert report.view_for(PUBLIC) == report
    assert "-2" in report.steps[0].text
    assert SYSTEM.view(after, "british") == after
    assert details(after, BERKS)["Umpire's modifier"] == "-2"
    assert hidden_test(after)[1].view_for("british") is not None


def test_reveal_without_a_secret_is_refused() -> None:
    assert "/umpire secret" in refusal(suakin_state(), "reveal", unit=BERKS)


def test_the_scene_has_title_sides_and_everyone_on_the_table() -> None:
    state = suakin_state()
    scene = SYSTEM.scene(state, PUBLIC)
    assert scene.title == "Suakin 1885 — turn 1 of 6, Army of Osman Digna"
    assert [side.index for side in scene.sides] == [0, 1]
    assert {base.unit for base in scene.bases} == set(state.units)
    berkshires = next(base for base in scene.bases if base.unit == BERKS)
    assert (berkshires.frontage, berkshires.depth) == base_size(state.unit(BERKS))
    assert (berkshires.at, berkshires.strength, berkshires.symbol) == ((29.0, 32.4), "24", Symbol.INFANTRY)


def test_the_boat_is_drawn_as_one_and_camels_as_camels() -> None:
    atbara = SYSTEM.scene(SYSTEM.setup("atbara-1898", {}, NoDice()), PUBLIC)
    symbols = {base.unit: base.symbol for base in atbara.bases}
    assert symbols["melik-gun"] is Symbol.BOAT
    assert symbols["camels-1"] is Symbol.CAMELRY
    assert symbols["kitchener"] is Symbol.GENERAL


def test_a_general_is_drawn_behind_the_unit_he_is_with() -> None:
    scene = SYSTEM.scene(suakin_state(), PUBLIC)
    at = {base.unit: base.at for base in scene.bases}
    assert at["mcneill"][0] == at["marines"][0]
    assert at["mcneill"][1] > at["marines"][1] + 1, "the marines face north"


@pytest.mark.parametrize(
    ("update", "marker"),
    [
        ({"morale": Morale.PINNED}, StatusMarker.PINNED),
        ({"morale": Morale.HALTED}, StatusMarker.HALTED),
        ({"morale": Morale.ROUTED}, StatusMarker.ROUTED),
        ({"morale": Morale.RETREATING}, StatusMarker.RETREATING),
        ({"morale": Morale.PURSUING}, StatusMarker.PURSUING),
        ({"ammunition": 0}, StatusMarker.NO_AMMUNITION),
        ({"ammunition": 1}, StatusMarker.LOW_AMMUNITION),
        ({"jammed": True}, StatusMarker.JAMMED),
        ({"in_square": True}, StatusMarker.SQUARE),
        ({"melee_with": "amarar"}, StatusMarker.MELEE),
        ({"order": Order.SKIRMISH}, StatusMarker.SKIRMISH),
    ],
)
def test_markers(update: dict, marker: StatusMarker) -> None:
    scene = SYSTEM.scene(change_unit(suakin_state(), BERKS, **update), PUBLIC)
    assert next(base.markers for base in scene.bases if base.unit == BERKS) == (marker,)


def test_unit_that_owes_a_test_is_marked() -> None:
    prompt = StoredPrompt(key="k", unit=BERKS, test=Owing.UNDER_FIRE)
    scene = SYSTEM.scene(suakin_state().model_copy(update={"prompts": (prompt,)}), PUBLIC)
    assert next(base.markers for base in scene.bases if base.unit == BERKS) == (StatusMarker.OWES_TEST,)


def test_arrow_starts_at_the_old_place_of_a_moved_unit() -> None:
    before = suakin_state()
    after = change_unit(before, BERKS, place=Place(x=29.0, y=26.0))
    (arrow,) = SYSTEM.scene(after, PUBLIC, before).arrows
    assert (arrow.start, arrow.end, arrow.kind, arrow.side) == ((29.0, 32.4), (29.0, 26.0), "move", "british")
    fled = change_unit(after, BERKS, morale=Morale.ROUTED)
    assert SYSTEM.scene(fled, PUBLIC, before).arrows[0].kind == "retreat"


def test_gone_units_are_named_beside_the_table() -> None:
    scene = SYSTEM.scene(change_unit(suakin_state(), BERKS, morale=Morale.OFF_TABLE), PUBLIC)
    assert scene.off_table == ("1st Berkshires",)
    assert BERKS not in {base.unit for base in scene.bases}


def test_units_without_places_are_not_drawn() -> None:
    assert BERKS not in {
        base.unit for base in SYSTEM.scene(change_unit(suakin_state(), BERKS, place=None), PUBLIC).bases
    }


def test_alt_text_describes_units_and_places() -> None:
    alt = SYSTEM.scene(change_unit(suakin_state(), BERKS, morale=Morale.PINNED), PUBLIC).alt
    assert alt.startswith("Suakin 1885 — turn 1 of 6, Army of Osman Digna.")
    assert "1st Berkshires C3 24 pinned" in alt
    assert "Ashraf E1 30" in alt


@pytest.mark.parametrize("scenario", SYSTEM.scenarios)
def test_alt_text_is_never_too_long(scenario: str) -> None:
    assert len(SYSTEM.scene(SYSTEM.setup(scenario, {}, NoDice()), PUBLIC).alt) <= ALT_LIMIT
