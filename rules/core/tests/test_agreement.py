"""Words that agree with a unit's name."""

import pytest

from rules.core.agreement import NounForm, inflect_words
from rules.core.state import Unit


@pytest.mark.parametrize(
    ("words", "many", "man", "thing"),
    [
        ("fire at Arteiga", "X fire at Arteiga", "X fires at Arteiga", "X fires at Arteiga"),
        ("are pinned", "X are pinned", "X is pinned", "X is pinned"),
        ("have moved", "X have moved", "X has moved", "X has moved"),
        ("do not fire", "X do not fire", "X does not fire", "X does not fire"),
        ("try to rally", "X try to rally", "X tries to rally", "X tries to rally"),
        ("stay", "X stay", "X stays", "X stays"),
        ("reach", "X reach", "X reaches", "X reaches"),
        ("may move", "X may move", "X may move", "X may move"),
        ("they hold", "they hold", "he holds", "it holds"),
        ("They go", "They go", "He goes", "It goes"),
        ("they may", "they may", "he may", "it may"),
        ("their", "their", "his", "its"),
        ("them", "them", "him", "it"),
        ("themselves", "themselves", "himself", "itself"),
    ],
)
def test_words_agree_with_many_a_man_and_a_thing(words: str, many: str, man: str, thing: str) -> None:
    assert [inflect_words("X", noun, words) for noun in NounForm] == [many, man, thing]


def test_a_unit_is_many() -> None:
    unit = Unit(id="a", name="Amarar", side="m")
    assert f"{unit:fire}" == "Amarar fire"
    assert f"{unit:they are}; {unit:their} spears" == "they are; their spears"
    assert f"{unit}" == "Amarar"


def test_verbs_of_one_unit_are_joined() -> None:
    unit = Unit(id="a", name="Amarar", side="m")
    assert unit.describe_actions(("mount", 'move 12"')) == 'Amarar mount, move 12"'
    assert unit.verb("lie down") == "lie down"
