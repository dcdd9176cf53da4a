"""The odds before a battle, compared with icepool and with tables repeated from the rules (GW-1, GW-5, GW-7)."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest

from .field import BURST, DEADLY, FLAG, OPEN, SOLDIER, SOLDIER_2, SYSTEM, field, ground_with

TANKS = ("male", "female", "a7v")
DICE = {
    ("infantry", 1): 3,
    ("infantry", 2): 2,
    ("mg", 2): 3,
    ("gun", 3): 3,
    ("mortar", 4): 2,
    ("male", 1): 4,
    ("male", 2): 3,
    ("female", 1): 4,
    ("female", 2): 3,
    ("a7v", 1): 4,
    ("a7v", 2): 3,
    ("a7v", 3): 2,
}
"""Dice of an attacker at each range in hexes (GW-1.5, GW-2)."""
DEADLY_AT_TWO = ("male", "a7v")
FIGURES = {"infantry": 4, "gun": 2, "male": 1, "a7v": 2}
GROUND = {".": (0, 0), "t": (2, 2), "c": (1, 1), "f": (1, 0), "b": (1, 1)}
"""Soldiers and flags that soldiers may ignore there (GW-7); in a trench one fewer of each in close combat."""
LAST_COLUMN, WELL_BEFORE = 8, 4


def hitting_faces(attacker: str, hexes: int) -> set[int]:
    """Return the faces that always hit, without soldiers (GW-1.4, GW-1.6)."""
    return {BURST, DEADLY} if hexes == 1 or (hexes == 2 and attacker in DEADLY_AT_TWO) else {BURST}


def confirming_score(attacker: str, hexes: int) -> int:
    """Return the lowest D6 score that confirms a hit on a tank (GW-1.6)."""
    if attacker == "gun":
        return 3
    return 5 if hexes == 1 and attacker not in TANKS else 6


def ignored_faces(attacker: str, hexes: int, target: str, ground: str) -> tuple[int, int]:
    """Return ignored soldiers and flags, by terrain, Tankschreken (GW-5.2) and tank (GW-2)."""
    if target in TANKS:
        return 99, 1
    soldiers, flags = GROUND[ground]
    if ground == "t" and hexes == 1:
        soldiers, flags = 1, 1
    afraid = attacker in TANKS and hexes == 1 and target != "gun" and ground != "b"
    return soldiers, 0 if afraid else flags


def expected_odds(
    attacker: str, hexes: int, target: str, ground: str, room: int
) -> tuple[Mapping[str, Fraction], Fraction]:
    """Return the chance of each outcome by name, and the expected hits."""
    hit = hitting_faces(attacker, hexes)
    soldiers_ignored, flags_ignored = ignored_faces(attacker, hexes, target, ground)

    def counted(*fell: int) -> tuple[int, int]:
        soldiers = sum(die in (SOLDIER, SOLDIER_2) for die in fell)
        sure = sum(die in hit for die in fell)
        return sure + max(soldiers - soldiers_ignored, 0), max(fell.count(FLAG) - flags_ignored, 0)

    die: Any = icepool.map(counted, *[icepool.d6] * DICE[attacker, hexes])
    if target in TANKS:
        confirms = icepool.d6 >= confirming_score(attacker, hexes)
        die = die.map(lambda hits, flags: icepool.tupleize(hits @ confirms if hits else 0, flags))
    ends, hits_hoped = Counter[str](), Fraction(0)
    for hits, flags in die:
        chance = die.probability((hits, flags))
        lost = hits + max(flags - room, 0)
        back = "driven back" if flags and room else "hit, and hold" if lost else "they hold"
        ends["destroyed" if lost >= FIGURES[target] else back] += chance
        hits_hoped += hits * chance
    return ends, hits_hoped


@pytest.mark.parametrize("edge", [False, True], ids=["room to retreat", "at the edge"])
@pytest.mark.parametrize(("attacker", "hexes"), DICE)
def test_gw_1_odds_to_destroy_and_to_drive_back_and_hits_are_those_of_icepool(
    attacker: str, hexes: int, edge: bool
) -> None:
    column = LAST_COLUMN if edge else WELL_BEFORE
    place, kind = f"{column:02}03", "melee" if hexes == 1 else "fire"
    for target, ground in product(FIGURES, GROUND):
        state = field(
            ground_with(ground, place), f"british {attacker} {column - hexes:02}03 ordered", f"germans {target} {place}"
        )
        aim = f"{target}-2" if target == attacker else target
        odds = SYSTEM.odds(state, SYSTEM.parse(kind, {"unit": attacker, "target": aim}))
        ends, hits = expected_odds(attacker, hexes, target, ground, 0 if edge else LAST_COLUMN - WELL_BEFORE)
        chances = {end.label: end.chance for end in odds.outcomes if end.chance}
        assert chances == {end: chance for end, chance in ends.items() if chance}, (target, ground)
        (step,) = [step for step in odds.steps if step.text == "Hits to be expected"]
        assert step.needed == f"{float(hits):.2f}"


@pytest.mark.parametrize(("attacker", "target"), [("male", "infantry"), ("female", "gun"), ("a7v", "infantry")])
def test_gw_6_2_odds_to_bog_are_those_of_a_flag(attacker: str, target: str) -> None:
    state = field(OPEN, f"british {attacker} 0303 ordered", f"germans {target} 0403")
    odds = SYSTEM.odds(state, SYSTEM.parse("melee", {"unit": attacker, "target": target}))
    ends, _ = expected_odds(attacker, 1, target, ".", LAST_COLUMN - WELL_BEFORE)
    (bogs,) = [step.chance for step in odds.steps if step.text == "To gain ground and bog there"]
    assert bogs == (ends["destroyed"] + ends["driven back"]) * (icepool.d6 == FLAG).probability(True)
