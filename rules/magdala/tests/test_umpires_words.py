"""Who may say what: a player claims nothing that the table knows better, or the umpire rules."""

import pytest

from rules.core.dice import NoDice
from rules.core.model import UMPIRE
from rules.core.ruleset import Refused
from rules.magdala.firing.fire import Fire, fire
from rules.magdala.model import Debt, MagdalaUnit, Works
from rules.magdala.model import Test as Owing
from rules.magdala.ruleset import Magdala

from .field import BLUE, RED, field, unit

SYSTEM = Magdala()
HERE = unit("british-breechloaders", at=(36, 30))
THERE = unit("mahdist-rifles", "b", BLUE, at=(36, 16, 180))
SOMEWHERE = unit("british-breechloaders")
ELSEWHERE = unit("mahdist-rifles", "b", BLUE)


def doer(one: MagdalaUnit, other: MagdalaUnit, kind: str, said: str, **more) -> str:
    args = {"unit": "a", "with": said, **({"target": "b"} if kind in ("fire", "melee") else {})}
    return SYSTEM.doer(field(one, other, **more), SYSTEM.order(kind, args))


@pytest.mark.parametrize(
    ("rule", "kind", "said"),
    [
        ("MM-2.9", "move", "good going"),
        ("MM-5.1", "move", "not advancing"),
        ("MM-4.2", "move", "in the flank"),
        ("MM-3.4", "fire", "target in the open"),
        ("MM-7", "build", "rocky ground"),
        ("MM-4.2", "melee", "flank"),
        ("MM-4.4", "melee", "overlapped one flank"),
    ],
)
def test_mm_2_to_7_where_places_are_known_the_umpire_says_otherwise(rule: str, kind: str, said: str) -> None:
    assert SYSTEM.circumstances[said].rule == rule
    assert doer(HERE, THERE, kind, said) == UMPIRE
    assert doer(SOMEWHERE, ELSEWHERE, kind, said) == RED


def test_mm_7_known_works_are_not_talked_away() -> None:
    behind = ELSEWHERE.model_copy(update={"works": Works.EARTHWORKS})
    assert doer(SOMEWHERE, behind, "fire", "target in the open") == UMPIRE
    assert doer(SOMEWHERE, behind, "fire", "half effect") == RED


def test_mm_4_1_defensive_fire_is_owed_or_the_umpires_word() -> None:
    assert doer(SOMEWHERE, ELSEWHERE, "fire", "defensive fire", active=BLUE) == UMPIRE
    owed = (Debt(key="k", unit="a", test=Owing.DEFENSIVE_FIRE, by="b"),)
    assert doer(SOMEWHERE, ELSEWHERE, "fire", "defensive fire", active=BLUE, debts=owed) == RED


def test_mm_3_10_the_last_volley_waits_for_a_real_charge() -> None:
    empty = SOMEWHERE.model_copy(update={"ammunition": 0})
    order = Fire(unit="a", target="b", range=10, circumstances=("defensive fire",))
    with pytest.raises(Refused, match="keeps one last volley"):
        fire(field(empty, ELSEWHERE, active=BLUE), order, NoDice())
