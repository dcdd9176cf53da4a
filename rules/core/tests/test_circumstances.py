"""The words for `with:`, and words that contradict each other."""

from typing import ClassVar

import pytest

from rules.core import parsing
from rules.core.parsing import find_contradiction, read_circumstances
from rules.core.ruleset import Refused
from rules.registry import rulesets

from .drill import Drill

COVER = """
[hold]
"in cover" = { meaning = "behind a wall", rule = "D-1", excludes = ["in square"] }
"in square" = { meaning = "on all sides", rule = "D-2" }
general = { meaning = "he is there", rule = "D-3" }
"""
AGAIN = """
[stop]
"in cover" = { meaning = "behind a wall", rule = "D-1", excludes = ["general"] }
"""


@pytest.mark.parametrize("words", [("in cover", "in square"), ("in square", "in cover"), ("general", "in cover")])
def test_contradiction_may_be_declared_by_either_word(words: tuple[str, str]) -> None:
    assert find_contradiction(read_circumstances((COVER, AGAIN)), words) == words


@pytest.mark.parametrize("words", [(), ("in cover",), ("general", "in square"), ("unheard of", "in cover")])
def test_words_that_go_together_are_no_contradiction(words: tuple[str, ...]) -> None:
    assert find_contradiction(read_circumstances((COVER, AGAIN)), words) is None


def test_exclusion_must_name_a_known_word() -> None:
    with pytest.raises(ValueError, match="excludes “asleep”, which is no circumstance"):
        read_circumstances((COVER.replace('"in square"]', '"asleep"]'),))


class Precise(Drill):
    circumstances: ClassVar = read_circumstances((COVER,))


def test_refusal_names_both_contradicting_words() -> None:
    with pytest.raises(Refused) as refused:
        Precise().parse("hold", {"unit": "a", "with": "general, in cover, in square"})
    assert str(refused.value) == "“in cover” and “in square” contradict each other. Say one of them. (D-1)"


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ("magdala", ("inferior", "at its best")),
        ("magdala", ("inferior", "extremely inferior")),
        ("magdala", ("second round lost", "fourth round lost")),
        ("magdala", ("engaged", "not engaged")),
        ("magdala", ("poor quality", "at its best")),
        ("magdala", ("routing", "retreating")),
        ("magdala", ("umpire -1", "umpire +1")),
        ("magdala", ("second round", "third round")),
        ("magdala", ("overlapped both flanks", "overlapped one flank")),
        ("magdala", ("half effect", "full effect")),
        ("magdala", ("target in the open", "target in cover")),
        ("magdala", ("skirmish order", "close order")),
        ("magdala", ("form square", "leave square")),
        ("magdala", ("limber", "unlimber")),
        ("magdala", ("lie down", "stand up")),
        ("magdala", ("good going", "bad going")),
        ("magdala", ("not advancing", "in the flank")),
        ("magdala", ("form square", "into contact")),
        ("magdala", ("lie down", "in the rear")),
        ("magdala", ("charge", "take cover")),
        ("magdala", ("lie down", "form square")),
        ("empire", ("line the works", "leave the defences")),
        ("empire", ("square", "into contact")),
        ("empire", ("go to ground", "in the flank")),
        ("empire", ("heavy gun", "light gun")),
        ("empire", ("elite", "fragile")),
        ("empire", ("target in cover", "target in the open")),
        ("empire", ("target in column", "target skirmishing")),
        ("empire", ("column", "square")),
        ("empire", ("limber", "unlimber")),
        ("empire", ("in column", "in mass")),
        ("empire", ("one support", "two supports")),
        ("empire", ("one kill", "three kills")),
        ("empire", ("sudan", "zulu war")),
        ("empire", ("imperial column", "in square")),
        ("empire", ("imperial column", "in company square")),
        ("empire", ("imperial column", "skirmishing")),
        ("empire", ("flank", "opponent in square")),
        ("empire", ("flanked", "in square")),
        ("empire", ("flank", "flanked")),
        ("empire", ("flank", "defending terrain")),
        ("empire", ("flank", "later round")),
        ("empire", ("flanked", "later round")),
        ("empire", ("flanked", "opponent defending an obstacle")),
        ("empire", ("defending an obstacle", "opponent defending terrain")),
    ],
)
def test_no_system_takes_words_that_contradict_each_other(system: str, words: tuple[str, str]) -> None:
    ruleset = rulesets()[system]
    with pytest.raises(Refused, match="contradict each other") as refused:
        parsing.parse_circumstances(tuple(ruleset.circumstances), ", ".join(words), ruleset.circumstances)
    assert all(f"“{word}”" in str(refused.value) for word in words)


@pytest.mark.parametrize(
    ("system", "text"),
    [
        ("magdala", "in square, lost a melee, second round lost"),
        ("magdala", "leave square, skirmish order"),
        ("magdala", "charge, into contact, in the flank"),
        ("magdala", "enter rough going, into contact"),
        ("magdala", "target in rough going, target skirmishing, target prone"),
        ("empire", "target in cover, target skirmishing, target gone to ground"),
        ("empire", "flank, opponent defending an obstacle, one support"),
    ],
)
def test_words_that_go_together_are_taken(system: str, text: str) -> None:
    ruleset = rulesets()[system]
    assert ", ".join(parsing.parse_circumstances(tuple(ruleset.circumstances), text, ruleset.circumstances)) == text
