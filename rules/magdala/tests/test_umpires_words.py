"""Rights to circumstances: a player may not claim facts that the table knows, or that the umpire decides."""

import pytest

from rules.core.dice import NoDice
from rules.core.model import UMPIRE
from rules.core.ruleset import Refused
from rules.magdala.firing.fire import FIRE, Fire
from rules.magdala.model import MagdalaUnit, StoredPrompt, Works
from rules.magdala.model import Test as Owing
from rules.magdala.ruleset import Magdala

from .field import BLUE, RED, field, unit

SYSTEM = Magdala()
HERE = unit("british-breechloaders", at=(36, 30))
THERE = unit("mahdist-rifles", "b", BLUE, at=(36, 16, 180))
SOMEWHERE = unit("british-breechloaders")
ELSEWHERE = unit("mahdist-rifles", "b", BLUE)


def side_of(actor: MagdalaUnit, target: MagdalaUnit, kind: str, words: str, **fields) -> str:
    args = {"unit": "a", "with": words, **({"target": "b"} if kind in ("fire", "melee") else {})}
    return SYSTEM.side_of(field(actor, target, **fields), SYSTEM.parse(kind, args))


@pytest.mark.parametrize(
    ("rule", "kind", "words"),
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
def test_mm_2_to_7_only_the_umpire_contradicts_known_places(rule: str, kind: str, words: str) -> None:
    assert SYSTEM.circumstances[words].rule == rule
    assert side_of(HERE, THERE, kind, words) == UMPIRE
    assert side_of(SOMEWHERE, ELSEWHERE, kind, words) == RED


def test_mm_7_only_the_umpire_ignores_known_works() -> None:
    behind = ELSEWHERE.model_copy(update={"works": Works.EARTHWORKS})
    assert side_of(SOMEWHERE, behind, "fire", "target in the open") == UMPIRE
    assert side_of(SOMEWHERE, behind, "fire", "half effect") == RED


def test_mm_4_1_defensive_fire_must_be_owed_or_umpired() -> None:
    assert side_of(SOMEWHERE, ELSEWHERE, "fire", "defensive fire", active=BLUE) == UMPIRE
    prompts = (StoredPrompt(key="k", unit="a", test=Owing.DEFENSIVE_FIRE, by="b"),)
    assert side_of(SOMEWHERE, ELSEWHERE, "fire", "defensive fire", active=BLUE, prompts=prompts) == RED


def test_mm_3_10_the_last_volley_waits_for_a_real_charge() -> None:
    empty = SOMEWHERE.model_copy(update={"ammunition": 0})
    order = Fire(unit="a", target="b", range=10, circumstances=("defensive fire",))
    with pytest.raises(Refused, match="keep one last volley"):
        FIRE.execute(field(empty, ELSEWHERE, active=BLUE), order, NoDice())


@pytest.mark.parametrize(
    ("kind", "words", "fields"),
    [
        ("morale", "in square", {"in_square": True}),
        ("morale", "behind defences", {"works": Works.ZAREBA}),
        ("morale", "advancing", {"this_turn": {"advanced": True}}),
        ("morale", "fanatic", {"fanatic": True}),
        ("morale", "inferior", {"quality": -1}),
        ("morale", "extremely inferior", {"quality": -2}),
        ("reaction", "under fire", {"this_turn": {"under_fire": True}}),
        ("reaction", "poor quality", {"quality": -1}),
    ],
)
def test_mm_5_4_and_5_10_only_the_umpire_contradicts_a_units_state(
    kind: str, words: str, fields: dict[str, object]
) -> None:
    assert side_of(SOMEWHERE, ELSEWHERE, kind, words) == UMPIRE
    assert side_of(unit("british-breechloaders", **fields), ELSEWHERE, kind, words) == RED


def test_mm_5_10_player_cannot_call_a_unit_under_fire_not_engaged() -> None:
    shot_at = unit("british-breechloaders", this_turn={"under_fire": True})
    assert side_of(shot_at, ELSEWHERE, "reaction", "not engaged") == UMPIRE
    assert side_of(SOMEWHERE, ELSEWHERE, "reaction", "not engaged") == RED


@pytest.mark.parametrize(("words", "routing"), [("routing", True), ("retreating", False)])
def test_mm_5_10_test_knows_whether_friends_routed(words: str, routing: bool) -> None:
    prompts = (StoredPrompt(key="k", unit="a", test=Owing.REACTION, by="x", routing=routing),)
    other_prompts = (prompts[0].model_copy(update={"routing": not routing}),)
    assert side_of(SOMEWHERE, ELSEWHERE, "reaction", words, prompts=prompts) == RED
    assert side_of(SOMEWHERE, ELSEWHERE, "reaction", words, prompts=other_prompts) == UMPIRE


def test_mm_a_2_player_may_claim_an_imam_only_if_the_side_has_one() -> None:
    order = SYSTEM.parse("morale", {"unit": "a", "with": "imam"})
    pathans, imam = unit("pathan-swordsmen"), unit("imam", "i")
    assert SYSTEM.side_of(field(pathans, imam), order) == RED
    assert SYSTEM.side_of(field(pathans), order) == UMPIRE
    assert SYSTEM.side_of(field(unit("pathan-swordsmen", at=(20, 20)), imam), order) == UMPIRE


@pytest.mark.parametrize("kind", ["morale", "reaction"])
def test_mm_5_4_only_the_umpire_says_that_troops_are_at_their_best(kind: str) -> None:
    assert side_of(unit("egyptian-conscripts"), ELSEWHERE, kind, "at its best") == UMPIRE


def test_mm_4_player_cannot_contradict_rounds_and_works() -> None:
    assert side_of(SOMEWHERE, ELSEWHERE, "melee", "second round") == UMPIRE
    assert side_of(SOMEWHERE, ELSEWHERE, "melee", "against fieldworks") == UMPIRE
    behind = ELSEWHERE.model_copy(update={"works": Works.EARTHWORKS})
    assert side_of(SOMEWHERE, behind, "melee", "against fieldworks") == RED
