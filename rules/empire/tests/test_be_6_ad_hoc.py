"""Questions of conduct, rallying and critical hits without a game (BE-6, BE-7)."""

from fractions import Fraction

import pytest

from rules.core.parsing import load_circumstances
from rules.core.ruleset import Refused
from rules.core.tests.scripted import ScriptedDice
from rules.empire.conduct.testing import ConductTest, Rally
from rules.empire.ruleset import Empire
from rules.empire.shared import make_fighter

from .field import TYPES, act, odds

EMPIRE = Empire()
WORDS = {kind: TYPES[kind].question_circumstances for kind in ("conduct", "rally", "critical")}


def chances(kind: str, *words: str, **fields) -> dict[str, Fraction]:
    state, action = EMPIRE.ad_hoc.set_up(kind, {**fields, "with": words})
    return {outcome.label: outcome.chance for outcome in odds(state, action).outcomes}


def report(kind: str, faces, *words: str, **fields):
    state, action = EMPIRE.ad_hoc.set_up(kind, {**fields, "with": words})
    return act(state, action, ScriptedDice(faces))[1]


def refusal(kind: str, *words: str, **fields) -> str:
    with pytest.raises(Refused) as refused:
        report(kind, [], *words, **fields)
    return str(refused.value)


def test_be_6_example_4_as_a_question() -> None:
    words = ("two kills", "disordered", "in melee")
    assert chances("rally", *words, troop="Zulu impi") == {
        "destroyed": Fraction(1, 2),
        "stay shaken, recoil": Fraction(1, 3),
        "stay shaken, hold": Fraction(1, 6),
    }


def test_be_6_example_5_as_a_question() -> None:
    assert chances("conduct", "commander attached", troop="British regulars, elite") == {
        "may move 6 inches": Fraction(2, 6),
        "may move 9 inches": Fraction(1, 6),
        "may move 9 inches, no penalty for changing formation or facing": Fraction(3, 6),
    }


def test_be_6_question_assumes_a_steady_unit_without_the_word_shaken() -> None:
    assert "may move 6 inches" in chances("conduct", troop="Egyptian regulars", state="steady")
    assert chances("conduct", troop="Egyptian regulars", state="Shaken") == chances("rally", troop="Egyptian regulars")


def test_be_6_the_ashanti_are_massed_fickle() -> None:
    """Shaken Ashanti never hold, and rally on a 4. The Pathans read the same column."""
    step = report("rally", [4], troop="Ashanti warriors").steps[1]
    assert step.text == "Conduct, shaken: all types, massed fickle"
    assert chances("rally", troop="Ashanti warriors") == {
        "stay shaken, not in melee to recoil": Fraction(3, 6),
        "rally, may move 3 inches": Fraction(1, 6),
        "rally, may move 6 inches": Fraction(2, 6),
    }
    assert chances("rally", troop="Ashanti warriors") == chances("rally", troop="Pathan tribesmen")


@pytest.mark.parametrize(
    ("people", "conduct"),
    [
        ("Zulu impi", "massed assault"),
        ("Native contingent, few rifles", "massed assault"),
        ("Dervish spearmen", "massed assault"),
        ("Ghazis", "massed assault"),
        ("Boxers", "massed assault"),
        ("Pathan tribesmen", "massed fickle"),
        ("Ashanti warriors", "massed fickle"),
        ("Boer commando", "loose Boers"),
        ("Irregular horse and volunteers", "irregular horse"),
        ("British regulars", "drilled European"),
        ("Egyptian regulars", "European-trained"),
        ("Indian regulars", "European-trained"),
    ],
)
def test_be_6_list_has_every_nation_of_the_charts(people: str, conduct: str) -> None:
    assert make_fighter(people, "a").conduct == conduct


def test_be_6a_the_theatre_is_a_word() -> None:
    assert "destroyed" in chances("rally", troop="Egyptian regulars")
    assert "destroyed" not in chances("rally", "sudan", troop="Egyptian regulars")
    step = report("rally", [4], "north west frontier", troop="Pathan tribesmen").steps[1]
    assert step.text == "Conduct, shaken: North West Frontier and Afghanistan, massed fickle"
    assert "Zulu War" in report("rally", [4], "zulu war", troop="Zulu impi").steps[1].text


def test_be_6a_afghans_chinese_and_indians_abroad_read_the_charts_of_all_types() -> None:
    for troop, word in (
        ("Afghan regulars", "north west frontier"),
        ("Chinese Imperial regulars", "sudan"),
        ("Indian regulars", "sudan"),
    ):
        assert chances("rally", word, troop=troop) == chances("rally", troop=troop)
    assert "all types" in report("rally", [4], "north west frontier", troop="Afghan regulars").steps[1].text


@pytest.mark.parametrize(
    ("troop", "words", "ends"),
    [
        ("Zulu impi", ("mounted opponent",), "stay shaken, recoil, destroyed unless their enemy is held"),
        ("Zulu impi", ("massed opponent",), "stay shaken, recoil"),
        ("Zulu impi", ("massed opponent", "skirmishing"), "stay shaken, recoil, destroyed unless their enemy is held"),
        ("Field gun", ("in melee",), "destroyed at once"),
        ("Egyptian regulars", ("in melee", "in company square", "three kills"), "destroyed at once"),
    ],
)
def test_be_6_1_the_enemy_and_the_formation_are_words(troop: str, words: tuple[str, ...], ends: str) -> None:
    assert ends in chances("rally", *words, troop=troop)


def test_be_7_a_critical_hit_needs_nothing_but_may_name_a_piece() -> None:
    assert chances("critical") == chances("critical", troop="Ammunition mules")
    assert report("critical", [1, 2]).headline == "Critical hit: Army commander is killed."
    assert report("critical", [3, 4], troop="leader").headline == "Critical hit: Leader is unhurt."


@pytest.mark.parametrize(
    ("kind", "fields", "words", "why"),
    [
        ("conduct", {}, (), "needs “troop”"),
        ("rally", {}, (), "needs “troop”"),
        ("rally", {"troop": "Zulu impi", "state": "steady"}, (), "Test their conduct instead"),
        ("conduct", {"troop": "Zulu impi", "state": "wobbly"}, (), "neither steady nor shaken"),
        ("conduct", {"troop": "Field gun"}, (), "without a test"),
        ("conduct", {"troop": "Zulu impi"}, ("in melee",), "they fight on"),
        ("rally", {"troop": "Field gun"}, ("in square",), "crews keep to their guns"),
        ("rally", {"troop": "British regular cavalry"}, ("in company square",), "only foot forms square"),
        ("conduct", {"troop": "Leader"}, (), "does not fire or fight"),
        ("conduct", {"troop": "Zoulous"}, (), "The nearest"),
        ("critical", {"troop": "Zulu impi"}, (), "no commander"),
        ("critical", {"troop": "Ammunition wagon"}, (), "no commander"),
    ],
)
def test_be_6_invalid_questions_are_refused(kind: str, fields, words, why: str) -> None:
    assert why in refusal(kind, *words, **fields)


@pytest.mark.parametrize(("kind", "word"), [(kind, word) for kind in WORDS for word in WORDS[kind]])
def test_be_6_every_word_is_understood_and_explained(kind: str, word: str) -> None:
    state, action = EMPIRE.ad_hoc.set_up(kind, {"troop": "Zulu impi", "state": "shaken", "with": (word,)})
    odds(state, action)
    assert word in load_circumstances("rules.empire")
    assert word == word.casefold()


def test_be_6_the_forms_are_of_these_kinds() -> None:
    assert [TYPES[kind].question_fields for kind in WORDS] == [("troop", "state"), ("troop", "state"), ("troop",)]
    for action in (ConductTest, Rally):
        assert set(action.circumstance_names) < set(WORDS[action.kind])
