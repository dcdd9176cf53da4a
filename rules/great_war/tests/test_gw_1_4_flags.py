"""Hits, tokens, flags and retreats, and their odds (GW-1.4)."""

import icepool
import pytest

from rules.core.scene import DieFace
from rules.core.standing_answers import StandingAnswer, StandingReply, decide_by_answers
from rules.great_war.battle_dice import Volley
from rules.great_war.battle_strength import Target, Thrower, count_battle_dice, make_volley
from rules.great_war.ground import terrain_named
from rules.great_war.model import Flags
from rules.great_war.options import GreatWarOptions
from rules.great_war.tables import die_faces

from .field import (
    BRITISH,
    DEADLY,
    FLAG,
    GERMANS,
    HQ,
    OPEN,
    SOLDIER,
    SYSTEM,
    act,
    button_labels,
    field,
    ground_with,
    hex_at,
    label_at,
    refusal,
    text_of,
    unit,
)

OPTIONS = GreatWarOptions()


def test_gw_1_4_hits_and_tokens() -> None:
    state = field(OPEN, "british infantry 0203 ordered", "germans infantry 0303")
    after, report = act(state, "melee", (SOLDIER, DEADLY, HQ), unit="infantry", target="infantry-2")
    assert after.unit("infantry-2").figures == 2
    assert after.tokens == {BRITISH: 1}
    assert "1 HQ token to the British" in text_of(report)


def test_gw_1_4_no_tokens_from_bog_and_recovery_dice() -> None:
    state = field(OPEN, "british male 0203 ordered", phase="moves")
    assert not act(state, "move", (HQ,), unit="male", to="0402")[0].tokens
    state = field(OPEN, "british male 0203 ordered bogged", phase="orders")
    assert not act(state, "recover", (HQ,), unit="male")[0].tokens


@pytest.mark.parametrize(
    ("side", "place", "back"),
    [
        ("british", "0403", {"0302", "0303"}),
        ("british", "0303", {"0203", "0204"}),
        ("germans", "0403", {"0502", "0503"}),
        ("germans", "0303", {"0403", "0404"}),
    ],
)
def test_gw_1_4_either_hex_nearer_the_owners_edge(side: str, place: str, back: set[str]) -> None:
    enemy_side = "germans" if side == "british" else "british"
    state = field(OPEN, f"{side} infantry {place}", f"{enemy_side} mg 0006", flags=flags("infantry", "mg", 1))
    assert {action.to for action in SYSTEM.legal_actions(state, side, "retreat")} == back
    after, _ = act(state, "retreat", unit="infantry", to=min(back))
    assert label_at(after, "infantry") == min(back)
    assert after.unit("infantry").figures == 4


def flags(of: str, by: str, number: int, may_ignore: int = 0, may_gain: bool = False) -> dict:
    """Return the fields of flags that wait for an answer."""
    return {"unit": of, "by": by, "flags": number, "may_ignore": may_ignore, "may_gain": may_gain}


def field_with_flags(*lines: str, ground: str = OPEN, **fields):
    """Return a field on which flags wait for an answer."""
    return field(ground, *lines, flags=flags(**fields))


def test_gw_1_4_never_fewer_hexes_than_a_free_way_allows() -> None:
    state = field_with_flags("germans infantry 0403", "british mg 0303", of="infantry", by="mg", number=2)
    ends = {action.to for action in SYSTEM.legal_actions(state, GERMANS, "retreat")}
    assert ends == {"0602", "0603", "0604"}


def test_gw_1_4_each_missing_retreat_hex_costs_a_figure() -> None:
    lines = ("germans infantry 0703", "british mg 0603")
    state = field_with_flags(*lines, of="infantry", by="mg", number=3)
    after, _ = act(state, "retreat", unit="infantry", to="0803")
    assert (label_at(after, "infantry"), after.unit("infantry").figures) == ("0803", 2)


def test_gw_1_4_a_tank_with_no_way_back_loses_its_token() -> None:
    state = field_with_flags("germans male 0803", "british gun 0603", of="male", by="gun", number=1)
    after, _ = act(state, "retreat", unit="male", to="0803")
    assert label_at(after, "male") == "gone"
    assert after.medals == {BRITISH: 2}


def test_gw_1_4_wire_and_terrain_do_not_stop_a_retreat() -> None:
    ground = ground_with("f", "0502", "0503")
    state = field_with_flags(
        "germans infantry 0403", "british mg 0303", ground=ground, of="infantry", by="mg", number=2
    )
    state = state.model_copy(update={"wire": frozenset(map(hex_at, ("0602", "0603", "0604")))})
    after, _ = act(state, "retreat", unit="infantry", to="0603")
    assert label_at(after, "infantry") == "0603"
    assert len(after.wire) == 3


def test_gw_1_4_owner_may_choose_a_dead_end_and_lose_a_figure() -> None:
    lines = ("germans infantry 0403", "british mg 0303", "germans mortar 0602", "germans gun 0603")
    state = field_with_flags(*lines, of="infantry", by="mg", number=2)
    labels = button_labels(state, "flags")
    assert labels == ["Infantry: retreat to 0604", "Infantry: retreat to 0502, lose 1 figure"]


def test_gw_1_4_only_the_owner_answers_and_other_actions_wait() -> None:
    state = field_with_flags(
        "germans infantry 0403", "british mg 0303 ordered", of="infantry", by="mg", number=1, may_ignore=1
    )
    assert not [*SYSTEM.legal_actions(state, BRITISH)]
    assert {action.kind for action in SYSTEM.legal_actions(state, GERMANS)} == {"retreat"}
    assert SYSTEM.side_of(state, SYSTEM.parse("retreat", {"unit": "infantry", "to": "0403"})) == GERMANS
    assert "First the Germans answer" in refusal(state, "melee", unit="mg", target="infantry")
    assert "cannot go on yet" in refusal(state, "turn_next")
    assert button_labels(state, "flags")[0] == "Infantry: stand fast"
    assert "no answer to the flags" in refusal(state, "retreat", unit="infantry", to="0403")
    after, _ = act(state, "retreat", unit="infantry", to="0403", ignores=1)
    assert (label_at(after, "infantry"), after.flags) == ("0403", None)


def test_gw_1_4_stuck_tanks_are_not_made_to_retreat() -> None:
    for stuck in ("bogged", "ditched"):
        state = field(OPEN, "british infantry 0203 ordered", f"germans a7v 0303 {stuck}")
        after, report = act(state, "melee", (FLAG, FLAG, FLAG), unit="infantry", target="a7v")
        assert after.flags is None
        assert "flags do not move it" in text_of(report)


def volley_at(word: str, target: str, hexes: int, terrain: str) -> Volley:
    """Return the volley of a unit at a target in this terrain."""
    thrower = Thrower(unit(f"british {word} 0000").arm)
    number, _ = count_battle_dice(thrower, hexes, OPTIONS)
    at_ = Target(unit(f"germans {target} 0000").arm, terrain_named(terrain))
    return make_volley(thrower, at_, hexes, number, OPTIONS)[0]


def count_by_face(volley: Volley, fell: tuple[DieFace, ...]) -> tuple[int, int]:
    """Count hits and flags of a throw, face by face."""
    hits = [face for face in fell if face is DieFace.BURST or (face is DieFace.DEADLY and volley.deadly)]
    soldiers = 0 if volley.at_tank else max(fell.count(DieFace.SOLDIER) - volley.soldiers_ignored, 0)
    return len(hits) + soldiers, max(fell.count(DieFace.FLAG) - volley.must_ignore, 0) if volley.retreats else 0


@pytest.mark.parametrize("target", ["infantry", "gun", "male"])
@pytest.mark.parametrize("terrain", ["countryside", "trench", "building"])
@pytest.mark.parametrize(("word", "hexes"), [("infantry", 1), ("gun", 2), ("male", 1), ("female", 2)])
def test_gw_1_4_chances_are_those_of_icepool(word: str, hexes: int, target: str, terrain: str) -> None:
    volley = volley_at(word, target, hexes, terrain)

    def counted(*numbers: int) -> tuple[int, int]:
        return count_by_face(volley, tuple(die_faces()[die - 1] for die in numbers))

    exact = icepool.map(counted, *[icepool.d6] * volley.dice)
    if volley.confirmed is not None:
        sure = icepool.d6 >= volley.confirmed
        exact = exact.map(lambda hits, flags: icepool.tupleize(hits @ sure if hits else 0, flags))
    ours = {pair: chance for pair, chance in volley.distribution.items() if chance}
    assert sum(ours.values()) == 1
    assert ours == {pair: exact.probability(pair) for pair in exact}


def test_gw_1_4_player_may_set_the_answer_to_flags_beforehand() -> None:
    state = field(ground_with("t", "0504"), "british infantry 0404", "germans infantry 0504")
    flags = Flags(unit="infantry-2", by="infantry", flags=1, may_ignore=1, may_gain=False)
    state = state.model_copy(update={"flags": flags})
    (prompt,) = (prompt for prompt in SYSTEM.prompts(state) if prompt.occasion == "flags")

    def label(reply: StandingReply) -> str:
        decision = decide_by_answers(
            SYSTEM, state, GERMANS, prompt, lambda _: StandingAnswer(occasion="flags", reply=reply)
        )
        assert decision is not None
        assert decision.action is not None
        return SYSTEM.label(state, decision.action)

    assert label(StandingReply.YES) == "Infantry 2: stand fast"
    assert label(StandingReply.NO).startswith("Infantry 2: retreat to 06"), "away from the British"
