"""Dice by range, the winner, and confirmed hits on tanks (GW-1.5, GW-1.6)."""

import pytest

from rules.great_war.model import Arm
from rules.great_war.tables import chart_number, dice_at_range

from .field import (
    BRITISH,
    BURST,
    GERMANS,
    HQ,
    OPEN,
    SOLDIER,
    act,
    field,
    ground_with,
    hex_at,
    is_allowed,
    label_at,
    refusal,
    text_of,
    unit,
)

RANGES = {
    "infantry": (3, 2, 1, 1),
    "mg": (3, 3, 3, 1, 1),
    "mortar": (2, 2, 2, 2, 2),
    "gun": (3, 3, 3, 2, 2, 1),
    "male": (4, 3, 2, 1),
    "female": (4, 3, 2, 1),
    "a7v": (4, 3, 2, 1),
}


@pytest.mark.parametrize("word", RANGES)
def test_gw_1_5_and_gw_2_dice_by_range(word: str) -> None:
    arm = unit(f"british {word} 0000").arm
    assert tuple(dice_at_range(arm, hexes) for hexes in range(1, 8)) == RANGES[word] + (0,) * (7 - len(RANGES[word]))
    for hexes in range(1, 8):
        state = field(OPEN, f"british {word} 0003 ordered", f"germans mortar {hexes:02}03")
        target = "mortar-2" if word == "mortar" else "mortar"
        distance = hex_at("0003").distance(hex_at(f"{hexes:02}03"))
        assert distance == hexes
        number = dice_at_range(arm, hexes)
        if not number:
            assert f"reach {len(RANGES[word])}" in refusal(state, "fire", unit=word, target=target).replace(
                "reaches", "reach"
            )
        else:
            act(state, "melee" if hexes == 1 else "fire", (HQ,) * number, unit=word, target=target)


def test_gw_1_5_strengths_and_medals() -> None:
    assert [chart_number(arm, "figures") for arm in Arm] == [4, 3, 2, 2, 1, 1, 2]
    assert [chart_number(arm, "medals") for arm in Arm] == [1, 1, 1, 1, 2, 2, 2]
    state = field(OPEN, "british infantry 0203 ordered", "germans mg 0303 figures:1", "germans gun 0803")
    after, report = act(state, "melee", (SOLDIER, HQ, HQ), unit="infantry", target="mg")
    assert after.medals == {BRITISH: 1}
    assert "1 medal to the British" in text_of(report)


def test_gw_1_5_only_a_mortar_fires_over_blocking_hexes() -> None:
    ground = ground_with("h", "0303")
    for word, sees in (("mortar", True), ("infantry", False), ("mg", False), ("gun", False), ("male", False)):
        state = field(ground, f"british {word} 0203 ordered", "germans infantry 0404")
        target = "infantry-2" if word == "infantry" else "infantry"
        assert is_allowed(state, "fire", unit=word, target=target) is sees
        if not sees:
            assert "not see" in refusal(state, "fire", unit=word, target=target)


def test_gw_1_5_winner_has_enough_medals_or_more_after_the_last_turn() -> None:
    lines = ("british infantry 0203 ordered", "germans mg 0303 figures:1", "germans gun 0803")
    after, report = act(field(OPEN, *lines, medals_to_win=1), "melee", (SOLDIER, HQ, HQ), unit="infantry", target="mg")
    assert after.over is not None
    assert after.over.winner == BRITISH
    assert "The game ends" in report.whole_outcome
    last = field(OPEN, *lines, turn=24, medals={GERMANS: 1})
    assert act(last, "turn_next")[0].over.winner == GERMANS
    draw = last.model_copy(update={"medals": {}})
    assert act(draw, "turn_next")[0].over.winner is None
    assert "game is over" in refusal(act(draw, "turn_next")[0], "turn_next")


def test_gw_1_5_only_remaining_side_wins() -> None:
    state = field(OPEN, "british infantry 0203 ordered", "germans mg 0303 figures:1")
    after, _ = act(state, "melee", (SOLDIER, HQ, HQ), unit="infantry", target="mg")
    assert after.over.winner == BRITISH


CONFIRMED = [
    *((arm, hexes, 3) for arm in ("gun",) for hexes in (1, 2)),
    *((arm, 1, 5) for arm in ("infantry", "mg", "mortar")),
    *((arm, 2, 6) for arm in ("infantry", "mg", "mortar")),
    *((arm, hexes, 6) for arm in ("male", "female", "a7v") for hexes in (1, 2)),
]


@pytest.mark.parametrize(("word", "hexes", "needed"), CONFIRMED)
def test_gw_1_6_hits_on_tanks_are_confirmed(word: str, hexes: int, needed: int) -> None:
    kind, number = ("melee" if hexes == 1 else "fire"), RANGES[word][hexes - 1]
    for die in range(1, 7):
        state = field(OPEN, f"british {word} 0203 ordered", f"germans a7v {2 + hexes:02}03", "germans gun 0806")
        target = "a7v-2" if word == "a7v" else "a7v"
        fell = (BURST, *(SOLDIER,) * (number - 1), die)
        after, _ = act(state, kind, fell, unit=word, target=target)
        assert after.unit(target).figures == (1 if die >= needed else 2), die


def test_gw_1_6_the_last_token_destroys() -> None:
    state = field(OPEN, "british gun 0203 ordered", "germans a7v 0403", "germans mg 0806")
    after, _ = act(state, "fire", (BURST, BURST, SOLDIER, 3, 3), unit="gun", target="a7v")
    assert label_at(after, "a7v") == "gone"
    assert after.medals == {BRITISH: 2}
