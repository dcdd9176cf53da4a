"""Every refusal of a move names the rule that refuses it."""

import pytest

from rules.magdala.model import MagdalaUnit, Morale

from .field import BLUE, unit, with_memory
from .marches import BRITISH, FOE, refusal

FOOT = unit(BRITISH, at=(36, 40))
NEAR = unit("mahdist-spears", "b", BLUE, at=(36, 9, 180))
FRIEND = unit(BRITISH, "c", at=(36, 38.9))


@pytest.mark.parametrize(
    ("mover", "to", "words", "others", "rule"),
    [
        (FOOT, "forward 99", (), (FOE,), "MM-2.1"),
        (unit("british-cavalry", at=(36, 40)), "forward 13", (), (FOE,), "MM-2.2"),
        (unit("british-mounted-infantry", at=(36, 40)), "forward 7", ("dismount",), (FOE,), "MM-2.3"),
        (unit("field-gun", at=(36, 40)), "forward 4", (), (FOE,), "MM-2.4"),
        (FOOT, "forward 6", ("charge",), (FOE,), "MM-2.2"),
        (FOOT, None, (), (FOE,), "MM-2, ruling"),
        (FOOT, "36,40", (), (FOE,), "MM-2, ruling"),
        (FOOT, "forward 1", (), (FRIEND, FOE), "MM-2, ruling"),
        (unit(BRITISH, at=(36, 44)), "back 6", (), (FOE,), "MM-2, ruling"),
        (unit("general", at=(36, 15)), "towards b", (), (NEAR,), "MM-4.1, ruling"),
        (unit("wagon", at=(36, 12)), "towards b", (), (NEAR,), "MM-4.1, ruling"),
        (FOOT.model_copy(update={"morale": Morale.PINNED}), "forward 6", (), (FOE,), "MM-5.1"),
        (FOOT.model_copy(update={"morale": Morale.ROUTED}), "forward 6", (), (FOE,), "MM-5.8"),
        (FOOT.model_copy(update={"melee_with": "b"}), "forward 6", (), (FOE,), "MM-4.5, ruling"),
        (with_memory(FOOT, marched=True, moved=6.0), "forward 6", (), (FOE,), "MM-2, ruling"),
    ],
)
def test_mm_the_rule_that_refuses_a_move_is_named(
    mover: MagdalaUnit, to: str | None, words: tuple[str, ...], others: tuple[MagdalaUnit, ...], rule: str
) -> None:
    assert refusal(mover, to, *words, others=others).endswith(f"({rule})")
