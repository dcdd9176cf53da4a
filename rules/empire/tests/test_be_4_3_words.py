"""Words about a target, and their effect on the fire of rifles and guns (BE-4.3)."""

from typing import Any

import pytest

from rules.core import parsing
from rules.core.ruleset import Refused
from rules.empire.firing.targeting import FIRE_WORDS, apply_fire_circumstances, umpire_circumstances
from rules.empire.model import Cover, EmpireUnit, Nation
from rules.empire.options import EmpireOptions
from rules.empire.ruleset import Empire

from .field import BLUE, unit, with_memory
from .firing_field import die_modifiers, fire_action, fire_shot, plan_shot, table

RIFLES, GUN = unit("european-regulars"), unit("field-gun")
CLAIMS_ADD_UP = EmpireOptions(covers_add_up=True)
"""Option by which all claims of cover add up."""
SKIRMISHING = {"formation": "skirmish order"}
IN_SKIRMISH_ORDER = {"target in skirmish order": -1}

CANCELLING_WORDS = {"target in the open", "target skirmishing", "target moved"}
"""Words that cancel a target's cover."""
IN_DEPTH = {"target in column", "target deep massed"}

Noted = dict[str, Any]
Counted = dict[str, int]


def zulus(noted: Noted) -> EmpireUnit:
    """Return a massed target with the stored facts `noted`."""
    remembered = {name: value for name, value in noted.items() if name == "moved"}
    fields = {name: value for name, value in noted.items() if name != "moved"}
    return with_memory(unit("zulus", "b", BLUE, **fields), **remembered)


def umpires_words(noted: Noted) -> set[str]:
    """Return the words about the target reserved for the umpire."""
    words = umpire_circumstances(table(RIFLES, zulus(noted)), fire_action())
    return {word for word in words if word.startswith("target ")}


WORDS: list[tuple[str, Noted, Counted, Counted]] = [
    # A word, the stored facts of the target, the modifiers without the word, and with it.
    ("target in the open", {}, {}, {}),
    ("target in the open", {"cover": "soft cover"}, {"target in soft cover": -1}, {}),
    ("target in the open", {"cover": "hard cover"}, {"target in hard cover": -1}, {}),
    ("target in the open", {"cover": "a sangar"}, {"target in a sangar": -1}, {}),
    ("target in the open", {"gone_to_ground": True}, {"target gone to ground": -1}, {}),
    ("target in the open", SKIRMISHING, IN_SKIRMISH_ORDER, IN_SKIRMISH_ORDER),
    ("target in cover", {}, {}, {"target in soft cover": -1}),
    ("target in cover", {"moved": 6.0}, {}, {"target in soft cover": -1}),
    ("target in cover", {"cover": "hard cover", "moved": 6.0}, {}, {"target in soft cover": -1}),
    ("target in cover", SKIRMISHING, IN_SKIRMISH_ORDER, {**IN_SKIRMISH_ORDER, "target in soft cover": -1}),
    ("target in hard cover", {}, {}, {"target in hard cover": -1}),
    ("target in hard cover", {"moved": 6.0}, {}, {}),
    ("target in hard cover", {"cover": "soft cover", "moved": 6.0}, {"target in soft cover": -1}, {}),
    ("target in hard cover", SKIRMISHING, IN_SKIRMISH_ORDER, IN_SKIRMISH_ORDER),
    ("target in hard cover", {**SKIRMISHING, "nation": "Boer"}, IN_SKIRMISH_ORDER, IN_SKIRMISH_ORDER),
    ("target in a sangar", {}, {}, {"target in a sangar": -1}),
    ("target in a sangar", {"moved": 6.0}, {}, {}),
    ("target in a sangar", SKIRMISHING, IN_SKIRMISH_ORDER, IN_SKIRMISH_ORDER),
    (
        "target in a sangar",
        {**SKIRMISHING, "nation": "Boer"},
        IN_SKIRMISH_ORDER,
        {**IN_SKIRMISH_ORDER, "target in a sangar": -1},
    ),
    ("target gone to ground", {}, {}, {"target gone to ground": -1}),
    ("target gone to ground", {"moved": 6.0}, {}, {"target gone to ground": -1}),
    ("target gone to ground", SKIRMISHING, IN_SKIRMISH_ORDER, IN_SKIRMISH_ORDER),
    ("target gone to ground", {**SKIRMISHING, "nation": "Pathan"}, IN_SKIRMISH_ORDER, IN_SKIRMISH_ORDER),
    ("target skirmishing", {}, {}, IN_SKIRMISH_ORDER),
    ("target skirmishing", {"cover": "hard cover"}, {"target in hard cover": -1}, IN_SKIRMISH_ORDER),
    ("target skirmishing", {"gone_to_ground": True}, {"target gone to ground": -1}, IN_SKIRMISH_ORDER),
    ("target skirmishing", {"formation": "column"}, {"target in column": 1}, IN_SKIRMISH_ORDER),
    ("target in column", {}, {}, {"target in column": 1}),
    ("target in column", SKIRMISHING, IN_SKIRMISH_ORDER, {"target in column": 1}),
    (
        "target in column",
        {"cover": "hard cover"},
        {"target in hard cover": -1},
        {"target in hard cover": -1, "target in column": 1},
    ),
    ("target deep massed", {}, {}, {"target deep massed": 1}),
    ("target deep massed", SKIRMISHING, IN_SKIRMISH_ORDER, {"target deep massed": 1}),
    ("target moved", {}, {}, {}),
    ("target moved", {"cover": "hard cover"}, {"target in hard cover": -1}, {}),
    ("target moved", {"cover": "a sangar"}, {"target in a sangar": -1}, {}),
    ("target moved", {"cover": "soft cover"}, {"target in soft cover": -1}, {"target in soft cover": -1}),
    ("target moved", {"gone_to_ground": True}, {"target gone to ground": -1}, {"target gone to ground": -1}),
    ("target pathan or boer", {"cover": "hard cover"}, {"target in hard cover": -1}, {"target in hard cover": -1}),
    (
        "target pathan or boer",
        {**SKIRMISHING, "cover": "a sangar"},
        IN_SKIRMISH_ORDER,
        {**IN_SKIRMISH_ORDER, "target in a sangar": -1},
    ),
    ("target pathan or boer", {**SKIRMISHING, "cover": "hard cover"}, IN_SKIRMISH_ORDER, IN_SKIRMISH_ORDER),
    ("target pathan or boer", {**SKIRMISHING, "gone_to_ground": True}, IN_SKIRMISH_ORDER, IN_SKIRMISH_ORDER),
]


@pytest.mark.parametrize("firer", [RIFLES, GUN], ids=["rifles", "gun"])
@pytest.mark.parametrize(("word", "noted", "without", "expected"), WORDS)
def test_be_4_3_effect_of_each_word(
    firer: EmpireUnit, word: str, noted: Noted, without: Counted, expected: Counted
) -> None:
    target = zulus(noted)
    assert die_modifiers(plan_shot(firer, target=target, options=CLAIMS_ADD_UP)) == without
    assert die_modifiers(plan_shot(firer, word, target=target, options=CLAIMS_ADD_UP)) == expected


def test_be_4_3_list_covers_every_word_about_the_target() -> None:
    """The word of contact is an exception: it changes the firer's dice, not the target (BE-4)."""
    of_target = {word for word in FIRE_WORDS if word.startswith("target ")}
    assert {word for word, *_ in WORDS} == of_target - {"target in contact"}


@pytest.mark.parametrize("nation", [Nation.PATHAN, Nation.BOER])
def test_be_4_3_word_does_not_change_a_pathan_or_boer(nation: Nation) -> None:
    target = unit("zulus", "b", BLUE, nation=nation)
    assert apply_fire_circumstances(target, target, ("target pathan or boer",)) == (target, target)


def test_be_4_3_word_counts_for_one_shot_and_is_not_stored() -> None:
    words = ("target in hard cover", "target gone to ground", "target in column", "target pathan or boer")
    target = zulus({})
    after, _ = fire_shot(RIFLES, 1, 1, 1, 1, words=words, target=target)
    assert after.unit("b") == target


@pytest.mark.parametrize(
    ("noted", "others"),
    [
        (Cover.SOFT, {"target in hard cover", "target in a sangar"}),
        (Cover.HARD, {"target in cover", "target in a sangar"}),
        (Cover.SANGAR, {"target in cover", "target in hard cover"}),
    ],
)
def test_be_4_3_only_the_umpire_cancels_stored_cover(noted: Cover, others: set[str]) -> None:
    assert umpires_words({"cover": noted}) == {*CANCELLING_WORDS, *others, *IN_DEPTH}


def test_be_4_3_player_may_claim_cover_if_none_is_stored() -> None:
    assert umpires_words({}) == IN_DEPTH


def test_be_4_3_only_the_umpire_cancels_gone_to_ground() -> None:
    assert umpires_words({"gone_to_ground": True}) == {*CANCELLING_WORDS, *IN_DEPTH}


@pytest.mark.parametrize("memory", [{"moved": 3.0}, {"recoiled": True}])
def test_be_4_3_player_may_say_that_a_target_moved_if_it_did(memory: dict[str, Any]) -> None:
    moved = with_memory(zulus({"cover": "hard cover"}), **memory)
    assert "target moved" not in umpire_circumstances(table(RIFLES, moved), fire_action())
    assert "target in the open" in umpire_circumstances(table(RIFLES, moved), fire_action())


def test_be_4_3_only_the_umpire_claims_depth_that_is_not_stored() -> None:
    assert umpires_words({"formation": "deep massed"}) == set()


@pytest.mark.parametrize(
    "words",
    [
        *(("target in the open", word) for word in ("target in cover", "target in hard cover", "target in a sangar")),
        ("target in the open", "target gone to ground"),
        ("target in cover", "target in hard cover"),
        ("target in cover", "target in a sangar"),
        ("target in hard cover", "target in a sangar"),
        ("target skirmishing", "target in column"),
        ("target skirmishing", "target deep massed"),
        ("target in column", "target deep massed"),
    ],
)
def test_be_4_3_words_that_contradict_each_other_are_refused(words: tuple[str, str]) -> None:
    for sequence in (words, words[::-1]):
        with pytest.raises(Refused, match="contradict each other"):
            parsing.parse_circumstances(FIRE_WORDS, ", ".join(sequence), Empire().circumstances)
