"""What is shown of a game: views, cards, the table as a scene, and what the umpire does to it."""

import pytest

from rules.core import fields
from rules.core.dice import NoDice
from rules.core.model import PUBLIC, UMPIRE, Cite
from rules.core.odds import Odds
from rules.core.ruleset import Refused
from rules.core.scene import ALT_LIMIT, Marker, Symbol
from rules.core.tabletop.battle import Place
from rules.core.tests.scripted import ScriptedDice
from rules.magdala.model import MagdalaState, Morale, Order, StoredPrompt
from rules.magdala.model import Test as Owing
from rules.magdala.morale.flight import flee
from rules.magdala.placement import size
from rules.magdala.ruleset import Magdala
from rules.magdala.stored_prompts import call_for

from .field import played

SYSTEM = Magdala()
BERKS = "berkshires"


def suakin() -> MagdalaState:
    return SYSTEM.setup("suakin-1885", {}, NoDice())


def changed(state: MagdalaState, unit: str, **update) -> MagdalaState:
    return state.with_unit(state.unit(unit).model_copy(update=update))


def done(state: MagdalaState, kind: str, **args) -> MagdalaState:
    return SYSTEM.act(state, SYSTEM.parse(kind, args), NoDice())[0]


def refusal(state: MagdalaState, kind: str, **args) -> str:
    with pytest.raises(Refused) as refused:
        done(state, kind, **args)
    return str(refused.value)


def line(state: MagdalaState, unit: str, viewer: str = PUBLIC) -> str:
    return next(card.line for card in SYSTEM.roster(state, viewer) if card.id == unit)


def details(state: MagdalaState, unit: str, viewer: str = PUBLIC) -> dict[str, str]:
    return dict(next(card.details for card in SYSTEM.roster(state, viewer) if card.id == unit))


def test_a_card_says_strength_order_state_and_ammunition() -> None:
    state = changed(suakin(), BERKS, casualties=3, morale=Morale.PINNED, works="in the open")
    state = done(state, "set", unit=BERKS, field="ammunition", value="4½")
    assert line(state, BERKS) == "24 figures, 3 lost · close order · pinned · 4½ rounds"


@pytest.mark.parametrize(
    ("unit", "update", "said"),
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
def test_a_card_says_what_matters_of_each_kind(unit: str, update: dict, said: str) -> None:
    assert line(changed(suakin(), unit, **update), unit) == said


def test_units_are_listed_by_side_those_gone_last() -> None:
    cards = SYSTEM.roster(changed(suakin(), BERKS, morale=Morale.OFF_TABLE), PUBLIC)
    sides = [card.side for card in cards]
    assert sides == sorted(sides)
    assert [card.id for card in cards if card.side == "british"][-1] == BERKS


def test_mm_2_a_unit_may_be_sent_as_far_as_it_goes_or_towards_another() -> None:
    state = SYSTEM.setup("suakin-1885", {}, NoDice())
    unit = next(one for one in state.of_side(state.active) if any(SYSTEM.places(state, one.side, one.id)))
    places = SYSTEM.places(state, unit.side, unit.id)
    assert any(place.startswith("forward") for place in places)
    assert any(place.startswith("towards") for place in places)


def test_mm_3_9_the_enemys_ammunition_lies_open() -> None:
    assert "6 rounds" in line(suakin(), BERKS, "mahdists")


def test_mm_5_4_a_secret_quality_is_the_umpires_alone() -> None:
    state = done(suakin(), "secret", unit=BERKS, field="secret quality", value="-2")
    for viewer in ("british", "mahdists", PUBLIC):
        seen = SYSTEM.view(state, viewer)
        assert seen == changed(seen, BERKS, secret_quality=0)
        assert "-2" not in str(SYSTEM.roster(state, viewer))
    assert SYSTEM.view(state, UMPIRE) == state
    assert details(state, BERKS, UMPIRE)["Secret quality"] == "-2"


def test_mm_5_4_the_report_of_a_secret_is_the_umpires_alone() -> None:
    order = SYSTEM.parse("secret", {"unit": BERKS, "field": "secret_quality", "value": "-1"})
    _, report = SYSTEM.act(suakin(), order, NoDice())
    assert report.seen_by(PUBLIC) is None
    assert report.seen_by("british") is None
    assert report.seen_by(UMPIRE) == report


def hidden_test(state: MagdalaState) -> tuple[MagdalaState, Odds]:
    state = changed(state, BERKS, casualties=5)
    return state, SYSTEM.odds(state, SYSTEM.parse("morale", {"unit": BERKS, "with": "umpire's call"}))


def test_mm_5_4_a_secret_modifier_shows_neither_in_a_sum_nor_in_odds() -> None:
    state, odds = hidden_test(done(suakin(), "secret", unit=BERKS, field="secret_quality", value="-2"))
    assert odds.seen_by("british") is None
    order = SYSTEM.parse("morale", {"unit": BERKS, "with": "umpire's call"})
    _, report = SYSTEM.act(state, order, ScriptedDice([3, 3]))
    seen = report.seen_by("british")
    assert seen is not None
    assert seen.steps[0].score is None
    assert "umpire's modifier" in [modifier.reason for modifier in seen.steps[0].modifiers]
    assert [int(m.value) for m in report.steps[0].modifiers if m.secret] == [-2]


def test_mm_5_4_revealed_it_is_known_to_all_and_undoing_is_no_longer_free() -> None:
    state = done(suakin(), "secret", unit=BERKS, field="secret_quality", value="-2")
    after, report = SYSTEM.act(state, SYSTEM.parse("reveal", {"unit": BERKS}), NoDice())
    assert report.showed_hidden
    assert report.seen_by(PUBLIC) == report
    assert "-2" in report.steps[0].text
    assert SYSTEM.view(after, "british") == after
    assert details(after, BERKS)["Umpire's modifier"] == "-2"
    assert hidden_test(after)[1].seen_by("british") is not None


def test_nothing_secret_nothing_to_reveal() -> None:
    assert "/umpire secret" in refusal(suakin(), "reveal", unit=BERKS)


def test_the_scene_has_title_sides_and_everyone_on_the_table() -> None:
    state = suakin()
    scene = SYSTEM.scene(state, PUBLIC)
    assert scene.title == "Suakin 1885 — turn 1 of 12, Army of Osman Digna"
    assert [side.index for side in scene.sides] == [0, 1]
    assert {base.unit for base in scene.bases} == set(state.units)
    berkshires = next(base for base in scene.bases if base.unit == BERKS)
    assert (berkshires.frontage, berkshires.depth) == size(state.unit(BERKS))
    assert (berkshires.at, berkshires.strength, berkshires.symbol) == ((29.0, 32.4), "24", Symbol.INFANTRY)


def test_the_boat_is_drawn_as_one_and_camels_as_camels() -> None:
    atbara = SYSTEM.scene(SYSTEM.setup("atbara-1898", {}, NoDice()), PUBLIC)
    drawn = {base.unit: base.symbol for base in atbara.bases}
    assert drawn["melik-gun"] is Symbol.BOAT
    assert drawn["camels-1"] is Symbol.CAMELRY
    assert drawn["kitchener"] is Symbol.GENERAL


def test_a_general_is_drawn_behind_the_unit_he_is_with() -> None:
    scene = SYSTEM.scene(suakin(), PUBLIC)
    at = {base.unit: base.at for base in scene.bases}
    assert at["mcneill"][0] == at["marines"][0]
    assert at["mcneill"][1] > at["marines"][1] + 1, "the marines face north"


@pytest.mark.parametrize(
    ("update", "marker"),
    [
        ({"morale": Morale.PINNED}, Marker.PINNED),
        ({"morale": Morale.HALTED}, Marker.HALTED),
        ({"morale": Morale.ROUTED}, Marker.ROUTED),
        ({"morale": Morale.RETREATING}, Marker.RETREATING),
        ({"morale": Morale.PURSUING}, Marker.PURSUING),
        ({"ammunition": 0}, Marker.NO_AMMUNITION),
        ({"ammunition": 1}, Marker.LOW_AMMUNITION),
        ({"jammed": True}, Marker.JAMMED),
        ({"in_square": True}, Marker.SQUARE),
        ({"melee_with": "amarar"}, Marker.MELEE),
        ({"order": Order.SKIRMISH}, Marker.SKIRMISH),
    ],
)
def test_markers(update: dict, marker: Marker) -> None:
    scene = SYSTEM.scene(changed(suakin(), BERKS, **update), PUBLIC)
    assert next(base.markers for base in scene.bases if base.unit == BERKS) == (marker,)


def test_who_owes_a_test_is_marked() -> None:
    prompt = StoredPrompt(key="k", unit=BERKS, test=Owing.UNDER_FIRE)
    scene = SYSTEM.scene(suakin().model_copy(update={"prompts": (prompt,)}), PUBLIC)
    assert next(base.markers for base in scene.bases if base.unit == BERKS) == (Marker.OWES_TEST,)


def test_an_arrow_from_the_old_place_of_whoever_moved() -> None:
    before = suakin()
    after = changed(before, BERKS, place=Place(x=29.0, y=26.0))
    (arrow,) = SYSTEM.scene(after, PUBLIC, before).arrows
    assert (arrow.start, arrow.end, arrow.kind, arrow.side) == ((29.0, 32.4), (29.0, 26.0), "move", "british")
    fled = changed(after, BERKS, morale=Morale.ROUTED)
    assert SYSTEM.scene(fled, PUBLIC, before).arrows[0].kind == "retreat"


def test_who_has_gone_is_named_beside_the_table() -> None:
    scene = SYSTEM.scene(changed(suakin(), BERKS, morale=Morale.OFF_TABLE), PUBLIC)
    assert scene.off_table == ("1st Berkshires",)
    assert BERKS not in {base.unit for base in scene.bases}


def test_units_without_places_are_not_drawn() -> None:
    assert BERKS not in {base.unit for base in SYSTEM.scene(changed(suakin(), BERKS, place=None), PUBLIC).bases}


def test_alt_text_says_who_stands_where_and_how() -> None:
    alt = SYSTEM.scene(changed(suakin(), BERKS, morale=Morale.PINNED), PUBLIC).alt
    assert alt.startswith("Suakin 1885 — turn 1 of 12, Army of Osman Digna.")
    assert "1st Berkshires C3 24 pinned" in alt
    assert "Ashraf E1 30" in alt


@pytest.mark.parametrize("scenario", SYSTEM.scenarios)
def test_alt_text_is_never_too_long(scenario: str) -> None:
    assert len(SYSTEM.scene(SYSTEM.setup(scenario, {}, NoDice()), PUBLIC).alt) <= ALT_LIMIT


def test_the_umpire_corrects_a_field_and_the_report_says_from_what_to_what() -> None:
    order = SYSTEM.parse("set", {"unit": BERKS, "field": "Works", "value": "Behind Earthworks"})
    after, report = SYSTEM.act(suakin(), order, NoDice())
    assert after.unit(BERKS).works == "behind earthworks"
    assert report.steps[0].text == "Works: behind a zareba → behind earthworks."


def test_the_umpire_moves_a_unit_and_its_general_with_it() -> None:
    after = done(suakin(), "set", unit="marines", field="place", value="45, 28, 90")
    assert after.unit("marines").place == Place(x=45, y=28, facing=90) == after.unit("mcneill").place


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({"unit": "berkshire", "field": "works", "value": "none"}, "1st Berkshires"),
        ({"unit": BERKS, "field": "wroks", "value": "none"}, "works"),
        ({"unit": BERKS, "field": "works", "value": "a wall"}, "behind a zareba"),
        ({"unit": BERKS, "field": "figures", "value": "0"}, "at least 1"),
        ({"unit": BERKS, "field": "figures", "value": "two"}, "a whole number"),
        ({"unit": BERKS, "field": "casualties", "value": "25"}, "cannot have lost 25"),
        ({"unit": BERKS, "field": "side", "value": "french"}, "There are: British, Army of Osman Digna"),
        ({"unit": BERKS, "field": "general", "value": "nobody"}, "No other unit"),
        ({"unit": BERKS, "field": "general", "value": "osman-digna"}, "their own side"),
        ({"unit": BERKS, "field": "parent", "value": BERKS}, "No other unit"),
        ({"unit": BERKS, "field": "melee_with", "value": "marines"}, "same side"),
        ({"unit": BERKS, "field": "place", "value": "43,32"}, "Royal Marine"),
        ({"unit": BERKS, "field": "place", "value": "90,32"}, "off the table"),
        ({"unit": BERKS, "field": "secret_quality", "value": "1"}, "no field"),
        ({"unit": BERKS, "field": "id", "value": "x"}, "no field"),
        ({"unit": BERKS, "field": "ammunition", "value": "lots"}, "4½"),
    ],
)
def test_a_correction_that_cannot_be_is_refused_with_what_can(args: dict, said: str) -> None:
    assert said in refusal(suakin(), "set", **args)


def test_a_melee_set_by_hand_has_two_sides_and_so_has_its_end() -> None:
    state = done(suakin(), "set", unit="amarar", field="melee_with", value=BERKS)
    assert state.unit(BERKS).melee_with == "amarar"
    over = done(state, "set", unit="amarar", field="melee_with", value="none")
    assert over.unit(BERKS).melee_with is None
    assert over.unit("amarar").melee_round == 0


@pytest.mark.parametrize(("unit", "enemy"), [("amarar", BERKS), (BERKS, "amarar")])
def test_mm_4_5_no_melee_is_set_with_who_has_left_the_table(unit: str, enemy: str) -> None:
    gone = done(suakin(), "set", unit="amarar", field="morale", value="off table")
    assert "left the table" in refusal(gone, "set", unit=unit, field="melee_with", value=enemy)


@pytest.mark.parametrize(
    ("unit", "parent", "said"),
    [
        (BERKS, "amarar", "side and kind"),
        (BERKS, "5th-lancers", "side and kind"),
        (BERKS, "mcneill", "no detachments"),
        (BERKS, BERKS, "No other unit"),
        (BERKS, "marines", "themselves a detachment"),
        ("shropshires", "marines", "themselves a detachment"),
        (BERKS, "shropshires", "a detachment of their own"),
    ],
)
def test_mm_1_nobody_is_made_a_detachment_of_who_could_not_have_sent_it(unit: str, parent: str, said: str) -> None:
    state = done(suakin(), "set", unit="marines", field="parent", value=BERKS)
    assert state.unit("marines").parent == BERKS
    assert said in refusal(state, "set", unit=unit, field="parent", value=parent)
    assert done(state, "set", unit="marines", field="parent", value="none").unit("marines").parent is None


def test_a_unit_set_off_the_table_is_out_of_its_melee() -> None:
    state = done(suakin(), "set", unit="amarar", field="melee_with", value=BERKS)
    gone = done(state, "set", unit="amarar", field="morale", value="off table")
    assert gone.unit(BERKS).melee_with is None


def test_an_option_is_changed_in_words_and_the_report_has_its_rule() -> None:
    after, report = SYSTEM.act(suakin(), SYSTEM.parse("option", {"name": "poor shots", "value": "½"}), NoDice())
    assert float(after.options.poor_shots) == 0.5
    assert report.steps[0].cite.rule == "MM-3.6"
    assert "¾ → ½" in report.steps[0].text


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("pour shots", "1", "poor shots"),
        ("risk_hits", "some", "a whole number"),
        ("lancer_bonus", "perhaps", "yes or no"),
    ],
)
def test_an_option_that_cannot_be_is_refused(name: str, value: str, said: str) -> None:
    assert said in refusal(suakin(), "option", name=name, value=value)


def test_a_unit_of_named_troops_is_brought_on() -> None:
    state = done(suakin(), "add_unit", troop="Rocket battery", side="british", name="Naval Rockets", x=36, y=40)
    unit = state.unit("naval-rockets")
    assert (unit.figures, unit.place, unit.this_turn.figures_at_start) == (3, Place(x=36, y=40), 3)
    again = done(state, "add_unit", troop="rockets", side="british", name="Naval: Rockets", figures=2)
    assert again.unit("naval-rockets-2").place is None


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({"troop": "hussars of fame"}, "nearest"),
        ({"side": "french"}, "british, mahdists"),
        ({"x": 3}, "both x and y"),
        ({"x": 29, "y": 32}, "Berkshires"),
        ({"x": 0, "y": 0}, "off the table"),
        ({"figures": 501}, "500"),
        ({"figures": 0}, "1"),
    ],
)
def test_a_unit_that_cannot_be_brought_on_is_refused(args: dict, said: str) -> None:
    given = {"troop": "rockets", "side": "british", "name": "Rockets", **args}
    assert said in refusal(suakin(), "add_unit", **given)


def test_a_unit_may_lose_all_its_figures_and_no_more() -> None:
    assert "cannot have lost 25" in refusal(suakin(), "set", unit=BERKS, field="casualties", value="25")
    assert done(suakin(), "set", unit=BERKS, field="casualties", value="24").unit(BERKS).morale is Morale.OFF_TABLE


def test_a_general_is_with_one_unit_and_leads_his_own_side() -> None:
    assert suakin().unit("marines").general == "mcneill"
    state = done(suakin(), "set", unit=BERKS, field="general", value="mcneill")
    assert (state.unit(BERKS).general, state.unit("marines").general) == ("mcneill", None)
    for unit, leader in (("amarar", "mcneill"), ("marines", BERKS)):
        assert "Name a general of their own side" in refusal(suakin(), "set", unit=unit, field="general", value=leader)


def test_a_leader_brought_on_finds_room_among_his_troops() -> None:
    given = {"troop": "general", "side": "british", "name": "Sir Gerald Graham", "x": 29, "y": 32}
    assert done(suakin(), "add_unit", **given).unit("sir-gerald-graham").place == Place(x=29, y=32)


def test_mm_1_an_army_has_two_generals_at_most() -> None:
    general = {"troop": "general", "side": "british"}
    state = done(suakin(), "add_unit", name="Sir Gerald Graham", **general)
    third = refusal(state, "add_unit", name="Lord Chelmsford", **general)
    assert "has Sir John McNeill and Sir Gerald Graham" in third
    assert "MM-1" in third
    more = done(state, "option", name="most_generals", value="3")
    assert done(more, "add_unit", name="Lord Chelmsford", **general).unit("lord-chelmsford").on_table
    fallen = done(state, "set", unit="mcneill", field="morale", value="off table")
    assert done(fallen, "add_unit", name="Lord Chelmsford", **general).unit("lord-chelmsford").on_table


def test_a_unit_taken_out_leaves_nothing_behind() -> None:
    state = done(suakin(), "set", unit="amarar", field="melee_with", value=BERKS)
    state = state.model_copy(
        update={"prompts": (StoredPrompt(key="k", unit=BERKS, test=Owing.DEFENSIVE_FIRE, by="amarar"),)}
    )
    state = call_for(call_for(state, "marines", Owing.UNDER_FIRE), "amarar", Owing.UNDER_FIRE)
    state = done(state, "remove_unit", unit="amarar")
    assert "amarar" not in state.units
    assert state.unit(BERKS).melee_with is None
    assert [(prompt.unit, prompt.test) for prompt in state.prompts] == [("marines", Owing.UNDER_FIRE)]
    state = done(state, "remove_unit", unit="mcneill")
    assert state.unit("marines").general is None


def test_mm_5_4_a_new_secret_after_a_reveal_is_secret_again() -> None:
    state = done(suakin(), "secret", unit=BERKS, field="secret_quality", value="-1")
    state = done(done(state, "reveal", unit=BERKS), "secret", unit=BERKS, field="secret_quality", value="-2")
    assert SYSTEM.view(state, "british").unit(BERKS).secret_quality == 0
    card = next(card for card in SYSTEM.roster(state, "british") if card.id == BERKS)
    assert not [value for label, value in card.details if label in ("Secret quality", "Umpire's modifier")]
    assert SYSTEM.view(state, UMPIRE).unit(BERKS).secret_quality == -2


def in_rout(state: MagdalaState) -> MagdalaState:
    return played(flee, state, BERKS, "", Cite(rule="MM-5.8"), Morale.ROUTED)[0]


@pytest.mark.parametrize("morale", ["steady", "halted"])
def test_mm_5_8_a_unit_that_the_umpire_rallies_flees_no_more(morale: str) -> None:
    state = done(in_rout(suakin()), "set", unit=BERKS, field="morale", value=morale)
    unit = state.unit(BERKS)
    assert (unit.morale.value, unit.leaving, unit.flight_seen_by) == (morale, False, ())
    assert [prompt for prompt in state.prompts if prompt.unit == BERKS] == []


def test_mm_5_10_a_steady_unit_set_halted_still_owes_its_reaction() -> None:
    state = done(call_for(suakin(), BERKS, Owing.REACTION), "set", unit=BERKS, field="morale", value="halted")
    assert [prompt.test for prompt in state.prompts] == [Owing.REACTION]


def test_mm_5_8_a_unit_set_in_rout_is_out_of_its_melee() -> None:
    state = done(suakin(), "set", unit="amarar", field="melee_with", value=BERKS)
    assert done(state, "set", unit=BERKS, field="morale", value="routed").unit("amarar").melee_with is None


def test_mm_4_no_melee_of_a_leader_is_set_by_hand() -> None:
    assert "cannot fight" in refusal(suakin(), "set", unit="osman-digna", field="melee_with", value="mcneill")


def test_the_umpires_deeds_are_the_umpires() -> None:
    kinds = ("set", "option", "secret", "reveal", "add_unit", "remove_unit")
    assert all(SYSTEM.actions[kind].umpire_only for kind in kinds)
    order = SYSTEM.parse("set", {"unit": BERKS, "field": "works", "value": "in cover"})
    assert SYSTEM.side_of(suakin(), order) == UMPIRE


@pytest.mark.parametrize(
    ("kind", "args"),
    [
        ("morale", {"unit": BERKS, "with": "umpire's call"}),
        ("morale", {"unit": BERKS, "with": "umpire +1"}),
        ("melee", {"unit": BERKS, "target": "amarar", "with": "target -1"}),
        ("turn_next", {"waive": True}),
    ],
)
def test_mm_4_3_the_umpires_words_are_the_umpires(kind: str, args: dict) -> None:
    assert SYSTEM.side_of(suakin(), SYSTEM.parse(kind, args)) == UMPIRE


@pytest.mark.parametrize("name", SYSTEM.editable)
def test_every_field_that_may_be_set_takes_back_what_it_shows(name: str) -> None:
    unit = suakin().unit(BERKS)
    shown = fields.in_words(getattr(unit, name))
    assert getattr(fields.with_field(unit, name, shown), name) == getattr(unit, name)
