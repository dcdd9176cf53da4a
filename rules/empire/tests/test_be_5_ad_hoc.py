"""Questions about melee without a game (BE-5)."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from rules.core.ruleset import Refused
from rules.empire.fighting.melee import FIGHT, Melee
from rules.empire.model import EmpireState
from rules.empire.ruleset import Empire

from .field import act as fight
from .field import dice, odds

EMPIRE = Empire()

REGULARS, ZULUS, PLAIN = "British regulars", "Zulu impi", "Chinese Imperial regulars"


def ask(*words: str, troop: str = REGULARS, against: str = PLAIN, **fields: Any) -> EmpireState:
    state, action = EMPIRE.ad_hoc.set_up("melee", {"troop": troop, "against": against, "with": words, **fields})
    assert isinstance(action, Melee)
    assert (action.unit, action.target) == ("unit", "target")
    odds(state, action)
    return state


def dice_and_modifiers(*words: str, **fields: Any) -> dict[str, tuple[int, dict[str, int]]]:
    """Return the dice and modifiers of each unit."""
    state = ask(*words, **fields)
    _, report = fight(state, Melee(unit="unit", target="target"), dice(*(1,) * 40))
    throws = {}
    for step in report.steps:
        for throw in step.throws:
            throws[throw.label.removesuffix(", melee")] = (
                len(throw.dice),
                {modifier.reason: int(modifier.value) for modifier in step.modifiers},
            )
    return throws


FIRST = "steady mounted or massed foot, first round"
UNFIXED = "bayonets not fixed against massed opponents"
EASY = "opponent in skirmish order or a crew"


def test_be_5_worked_example_6_as_a_question() -> None:
    throws = dice_and_modifiers("flank", "one support", against=REGULARS)
    assert [count for count, _ in throws.values()] == [8, 2, 4]
    assert list(throws) == [REGULARS, f"{REGULARS} (support 1)", f"{REGULARS} (opponent)"]


def test_be_5_worked_example_7_as_a_question() -> None:
    throws = dice_and_modifiers(
        "skirmishing opponent", troop="British regular cavalry", against="Boer riflemen, dismounted"
    )
    (count, gains), _ = throws.values()
    assert (count, gains) == (4, {FIRST: 1, EASY: 2})


@pytest.mark.parametrize(
    ("words", "ours", "theirs"),
    [
        ((), (4, {}), (4, {})),
        (("fanatic charge",), (4, {"fanatic charge": 1}), (4, {})),
        (("fanatic opponent",), (4, {}), (4, {"fanatic charge": 1})),
        (("shaken",), (4, {"shaken": -1}), (4, {})),
        (("shaken opponent",), (4, {}), (4, {"shaken": -1})),
        (("defending an obstacle",), (4, {"defending an obstacle": 1}), (4, {})),
        (("opponent defending an obstacle",), (4, {}), (4, {"defending an obstacle": 1})),
        (("defending terrain",), (4, {"defending terrain": 1}), (4, {})),
        (("opponent defending terrain",), (4, {}), (4, {"defending terrain": 1})),
        (("in column",), (2, {}), (4, {})),
        (("opponent in column",), (4, {}), (2, {})),
        (("massed in depth",), (2, {FIRST: 1}), (4, {UNFIXED: -1})),
        (("massed in depth", "later round"), (2, {}), (4, {UNFIXED: -1})),
        (("massed opponent",), (4, {UNFIXED: -1}), (4, {FIRST: 1})),
        (("massed opponent", "later round"), (4, {UNFIXED: -1}), (4, {})),
        (("opponent massed in depth",), (4, {UNFIXED: -1}), (2, {FIRST: 1})),
        (("massed opponent", "fixed bayonets"), (4, {}), (4, {FIRST: 1})),
        (("in mass",), (4, {FIRST: 1}), (4, {UNFIXED: -1})),
        (("in mass", "shaken"), (4, {"shaken": -1}), (4, {UNFIXED: -1})),
        (("in mass", "opponent with fixed bayonets"), (4, {FIRST: 1}), (4, {})),
        (("skirmishing opponent",), (4, {EASY: 2}), (4, {})),
        (("skirmishing",), (4, {}), (4, {EASY: 2})),
        (("flank",), (8, {}), (4, {})),
        (("flanked",), (4, {}), (8, {})),
    ],
)
def test_be_5_effects_of_words(words: tuple[str, ...], ours: tuple[int, dict], theirs: tuple[int, dict]) -> None:
    assert list(dice_and_modifiers(*words).values()) == [ours, theirs]


def test_be_5_impi_is_in_its_first_round_unless_words_say_otherwise() -> None:
    assert dice_and_modifiers(troop=ZULUS, against=REGULARS)[ZULUS] == (4, {FIRST: 1})
    assert dice_and_modifiers("later round", troop=ZULUS, against=REGULARS)[ZULUS] == (4, {})


def test_be_5_question_ignores_phases() -> None:
    _, report = fight(ask(), Melee(unit="unit", target="target"), dice(6, 1, 1, 1, 1, 1, 1, 1))
    assert report.outcome == ""
    assert report.steps[-1].verdict == f"{PLAIN} beaten, 1 kill and shaken"


@pytest.mark.parametrize(
    ("word", "ours", "theirs"),
    [
        ("one support", 2, 1),
        ("two supports", 3, 1),
        ("three supports", 4, 1),
        ("opponent with one support", 1, 2),
        ("opponent with two supports", 1, 3),
        ("opponent with three supports", 1, 4),
    ],
)
def test_be_5_supports_by_words_are_on_the_table(word: str, ours: int, theirs: int) -> None:
    state = ask(word)
    assert [len(state.fighters(side)) for side in ("ours", "theirs")] == [ours, theirs]
    assert {support.unit for support in state.supports} == {*state.units} - {"unit", "target"}
    assert all(state.unit(support.unit).side == state.unit(support.friend).side for support in state.supports)


def test_be_5_word_shaken_applies_to_the_primary() -> None:
    assert [fighter.shaken for fighter in ask("shaken", "one support").fighters("ours")] == [True, False]


def test_be_5_opponents_may_have_fixed_bayonets() -> None:
    throws = dice_and_modifiers("opponent with fixed bayonets", troop=ZULUS, against=REGULARS)
    assert throws[REGULARS] == (4, {})
    assert dice_and_modifiers(troop=ZULUS, against=REGULARS)[REGULARS] == (4, {UNFIXED: -1})


@pytest.mark.parametrize(
    ("fields", "words", "why"),
    [
        ({"troop": REGULARS, "against": ZULUS, "figures": 8}, (), "Leave out “figures”"),
        ({"troop": REGULARS, "against": ZULUS, "against_figures": 8}, (), "Leave out “against_figures”"),
        ({"troop": REGULARS}, (), "against whom"),
        ({"against": REGULARS}, (), "which troops"),
        ({"troop": REGULARS, "against": ZULUS, "range": 3}, (), "Leave out “range”"),
        ({"troop": "Ammunition mules", "against": ZULUS}, (), "Name troops that fight"),
        ({"troop": "Martians", "against": ZULUS}, (), "No troops are called"),
        ({"troop": ZULUS, "against": REGULARS}, ("fixed bayonets",), "no bayonets"),
        ({"troop": "Maxim", "against": REGULARS}, ("in column",), "keep to their guns"),
        ({"troop": "British regular cavalry", "against": REGULARS}, ("in square",), "only foot forms square"),
    ],
)
def test_be_5_invalid_questions_are_refused(fields: dict[str, Any], words: tuple[str, ...], why: str) -> None:
    with pytest.raises(Refused, match=why):
        EMPIRE.ad_hoc.set_up("melee", {**fields, "with": words})


def test_be_5_every_word_has_a_meaning_and_every_meaning_is_used() -> None:
    file = Path(__file__).parent.parent / "data" / "melee_circumstances.toml"
    explained = tomllib.loads(file.read_text(encoding="utf-8"))
    assert {*explained["melee"], *explained["opponent"]} == {*FIGHT.question_circumstances, *Melee.circumstance_names}
    assert len(set(FIGHT.question_circumstances)) == len(FIGHT.question_circumstances)
    assert FIGHT.question_fields == ("troop", "against")
