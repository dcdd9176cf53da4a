"""Tests that every refusal of a German move names the rule."""

import pytest

from rules.core.hexboard.hexes import Hex
from rules.core.ruleset import Refused
from rules.tanga.german.move import Move
from rules.tanga.model import GERMAN, Phase

from .acting import act
from .field import dice, formation, state_of

FK = "17.FK"
WALL = [f"13 {letter} {hex_.label}" for letter, hex_ in zip("ABCDEF", Hex.from_label("2810").neighbours(), strict=True)]


@pytest.mark.parametrize(
    ("lines", "to", "rule", "words"),
    [
        ((f"{FK} 1 2510",), "2705", "TA-H.2, house", "17.FK 1 cannot enter 2705: it is sea"),
        ((f"{FK} 1 2510", "13 A 2610"), "2610", "TA-H.3, house", "17.FK 1 cannot enter 2610: British combat units"),
        ((f"{FK} 1 2510", *WALL), "2810", "TA-H.3, house", "No way leads 17.FK 1 to 2810: British combat units"),
        ((f"{FK} 1 2510",), "3010", "TA-H.3, house", "3010 costs"),
        ((f"{FK} 1 2510", "16.FK 1 2511"), "2511", "TA-H.3, house", "2511 has no room"),
        ((f"{FK} 1 2510",), "2510", "TA-H.3, house", "17.FK 1 is in 2510 already"),
        ((f"{FK} 1 2510 disrupted",), "2511", "TA-H.0, house", "is disrupted and cannot move"),
    ],
)
def test_ta_h_the_rule_that_refuses_a_move_is_named(lines: tuple[str, ...], to: str, rule: str, words: str) -> None:
    on = {"*": "open", "2705": "sea"}
    state = state_of(*lines, on=on, phase=Phase.MOVE.value, active=GERMAN)
    with pytest.raises(Refused) as refused:
        act(state, Move(unit="17.fk-1", to=to), dice())
    why = str(refused.value)
    assert words in why
    assert f"({rule}" in why


def test_ta_h_9_refusal_of_a_collapsed_formation_cites_the_rule() -> None:
    fled = formation(FK, collapsed=True)
    state = state_of(f"{FK} 1 2510", on={"*": "open"}, phase=Phase.MOVE.value, active=GERMAN, formations=(fled,))
    with pytest.raises(Refused, match=r"TA-H\.9"):
        act(state, Move(unit="17.fk-1", to="2511"), dice())
