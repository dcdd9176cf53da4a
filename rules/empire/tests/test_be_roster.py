"""Units on cards and lines (BE-U)."""

from rules.empire.model import Health, Reserve
from rules.empire.options import EmpireOptions
from rules.empire.ruleset import Empire
from rules.empire.scenarios import BATTLES
from rules.empire.scene import unit_summary
from rules.empire.tests.field import contact_of, field, unit, with_memory

roster = Empire().roster


def card(state, unit_id: str):
    return next(card for card in roster(state, "red") if card.id == unit_id)


def detail(state, unit_id: str) -> dict[str, str]:
    return dict(card(state, unit_id).details)


def test_be_u_line_tells_arm_formation_and_effects() -> None:
    assert unit_summary(unit("zulus")) == "8 stands of foot · massed"
    worn = unit("zulus", kills=2, shaken=True, disordered=True)
    assert unit_summary(worn) == "8 stands of foot · massed · 2 of 4 kills · shaken · disordered"
    assert unit_summary(unit("maxim", stands=2)) == "2 Maxims · unlimbered"
    assert unit_summary(unit("field-gun", kills=1, limbered=True)) == "field gun · limbered · 1 of 2 kills"
    assert unit_summary(unit("maxim", jammed=True)) == "Maxim · unlimbered · jammed"
    assert unit_summary(unit("field-gun", stands=4, weapon="rifles")) == "artillery with rifles · unlimbered"
    assert unit_summary(unit("zulus", stands=1)) == "1 stand of foot · massed"


def test_be_u_line_tells_terrain_bayonets_and_shortages() -> None:
    worn = unit(
        "british-regulars",
        bayonets="fixed",
        cover="hard cover",
        defending="field works",
        low_ammo=True,
        gone_to_ground=True,
    )
    assert unit_summary(worn) == (
        "4 stands of foot · close order · bayonets fixed · in hard cover · defending field works · "
        "low on ammunition · gone to ground"
    )
    assert unit_summary(with_memory(unit("ghazis"), fanatic=True)) == "6 stands of foot · massed · in fanatic charge"


def test_be_u_line_tells_kills_out_of_the_limit_by_options() -> None:
    assert "1 of 6 kills" in unit_summary(unit("zulus", kills=1), EmpireOptions(kills_foot_mounted=6))


def test_be_u_line_tells_the_state_of_pieces_reserves_and_destroyed_units() -> None:
    assert unit_summary(unit("leader")) == "leader · well"
    assert unit_summary(unit("army-commander", health=Health.KILLED)) == "army commander · killed"
    assert unit_summary(unit("zulus", destroyed=True, kills=4)) == "8 stands of foot · destroyed"
    assert unit_summary(unit("zulus", reserve=Reserve(turn=3, score=4, x=0, y=0))) == (
        "8 stands of foot · to arrive from turn 3 on 4+"
    )
    assert unit_summary(unit("zulus", reserve=Reserve(turn=3, x=0, y=0))).endswith("to arrive from turn 3")


def test_be_u_card_tells_class_rate_kills_and_attached_pieces() -> None:
    state = field(
        unit("egyptians", kills=1, shaken=True, brigade="Hicks", at=(10, 10, 90)),
        unit("leader", "chief", attached_to="a"),
        unit("dervishes", "b", side="blue"),
        contacts=(contact_of("b", "a"),),
    )
    assert detail(state, "a") == {
        "Kind": "4 stands of foot",
        "Brigade": "Hicks",
        "Conduct": "European-trained, Egyptian, fragile",
        "Fires": "rifles, 3rd rate",
        "Formation": "close order",
        "Bayonets": "unfixed",
        "Kills": "1 of 4 kills",
        "State": "shaken",
        "In melee with": "B",
        "Place": "A1 SE facing east (10,10 facing 90°)",
        "Attached": "Chief",
    }
    assert detail(state, "chief")["With"] == "A"
    assert detail(state, "b")["Fires"] == "nothing"


def test_be_u_a_machine_gun_has_no_rate() -> None:
    assert detail(field(unit("maxim")), "a")["Fires"] == "Maxim"


def test_be_6_a_card_tells_this_turns_conduct_and_the_inches_left() -> None:
    tested = with_memory(unit("zulus"), tested=True, score=6, result="fast", allowed=12.0, spent=4.5)
    assert detail(field(tested), "a")["This turn"] == '6: fast, 7.5" left'
    zulus = with_memory(unit("zulus"), tested=True, score=0, result="no move", allowed=0.0)
    assert detail(field(zulus), "a")["This turn"] == "0: no move"


def test_be_7_a_card_tells_how_long_a_commander_is_out() -> None:
    state = field(unit("leader", health=Health.OUT, out_until=3))
    assert detail(state, "a")["Health"] == "out for a turn (turn 3)"


def test_roster_is_in_order_of_battle_with_arrivals_and_gone_units_last() -> None:
    state = BATTLES.all["isandlwana-1879"].setup({})
    gone = state.unit("e-company").model_copy(update={"destroyed": True})
    cards = roster(state.with_unit(gone), "public")
    british = [card.id for card in cards if card.side == "british"]
    assert british[0] == "f-company"
    assert british[-2:] == ["g-company", "e-company"]
    assert {card.side for card in cards[: len(british)]} == {"british"}
