"""Every refusal of a move names the rule that refuses it."""

from typing import Any

import pytest

from rules.empire.model import EmpireUnit

from .field import BLUE, contact_of, unit
from .marches import FOE, movable, refusal

FOOT = "british-regulars"
NEAR = unit("zulus", "b", BLUE, at=(36, 30, 180))


@pytest.mark.parametrize(
    ("mover", "to", "words", "fields", "rule"),
    [
        (movable(FOOT, 9), "forward 12", (), {}, "BE-6.2"),
        (movable(FOOT, 0), "forward 3", (), {}, "BE-6.2"),
        (movable(FOOT, 9, turn={"spent": 9.0}), "forward 3", (), {}, "BE-6.2"),
        (unit(FOOT, at=(36, 40)), "forward 3", (), {}, "BE-6.2"),
        (movable(FOOT, 9), "forward 9", ("square",), {}, "BE-M.2"),
        (movable(FOOT, 9, turn={"spent": 6.0}), "forward 1", ("square",), {}, "BE-M.2"),
        (movable(FOOT, 9, turn={"spent": 6.0}), "face south", (), {}, "BE-M.2"),
        (movable(FOOT, 9), "36,40", (), {}, "BE-M.1"),
        (movable(FOOT, 9, at=(36, 44)), "back 9", (), {}, "BE-M.1"),
        (movable(FOOT, 20), "36,20", (), {"others": (NEAR,)}, "BE-M.1"),
        (movable("field-gun", 9, at=(36, 33)), "towards b", (), {"others": (NEAR,)}, "BE-M.3"),
        (
            movable(FOOT, 9, at=(36, 31)),
            "forward 3",
            (),
            {"others": (NEAR,), "contacts": (contact_of("a", "b"),)},
            "BE-M.3",
        ),
    ],
)
def test_be_the_rule_that_refuses_a_move_is_named(
    mover: EmpireUnit, to: str, words: tuple[str, ...], fields: dict[str, Any], rule: str
) -> None:
    refused = refusal(mover, to, *words, **{"others": (FOE,), **fields})
    assert refused.cite is not None
    assert refused.cite.rule == rule, str(refused)
