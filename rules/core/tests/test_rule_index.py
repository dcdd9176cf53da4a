"""The index that finds rules by players' words: stems, synonyms, misspellings, phrases."""

import pytest

from rules.core.book import Book, Rule
from rules.core.model import Mark
from rules.core.rule_index import RuleIndex
from rules.core.rule_words import RuleWords, SearchWords, find_similar_words, stem_word

WORDS = SearchWords(
    [
        RuleWords(
            skipped=("how", "do", "i", "the", "a", "can", "what", "is", "my"),
            weak=("after", "again"),
            same=(
                ("ammunition", "ammo", "rounds left"),
                ("fire", "shoot", "shot"),
                ("melee", "hand to hand"),
                ("dice", "die"),
            ),
            beside=(("far", "shoot", "range"),),
        )
    ]
)


def rule(number: str, title: str, text: str, *words: str, **fields: str) -> Rule:
    return Rule(number=number, title=title, mark=Mark.TEXT, text=text, words=words, **fields)


BOOK = Book(
    rules=(
        rule("SK-1", "Firing", "Every company fires once, at the foe it sees.", "fire"),
        rule("SK-1.1", "Dice of a volley", "A die for three men. Halve it after a march.", "how many dice", "volley"),
        rule("SK-1.2", "Ammunition", "Six volleys and no more.", "empty pouches", rulings="A mule brings more."),
        rule("SK-2", "Melee", "Die against die.", "fight"),
        rule("SK-2.1", "Flight", "The loser runs, and his square is broken.", "charge home", "fire after moving"),
    )
)
INDEX = RuleIndex(BOOK, {}, WORDS)


def first(question: str, elsewhere: frozenset[str] = frozenset()) -> str:
    hits = INDEX.find_rules(question, elsewhere)
    return hits[0].rule.number if hits else ""


@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        (("move", "moves", "moved", "moving", "movement"), "move"),
        (("lose", "loses", "losing"), "lose"),
        (("los",), "los"),
        (("march", "marches", "marched", "marching"), "march"),
        (("skirmish", "skirmishers", "skirmishing"), "skirmish"),
        (("cavalry", "cavalries"), "cavalri"),
        (("pass", "passes", "passing"), "pass"),
        (("kill", "kills", "killing", "killed"), "kill"),
        (("runs", "running", "run"), "run"),
        (("formation", "form", "forming"), "form"),
        (("us",), "us"),
        (("5",), "5"),
    ],
)
def test_forms_of_a_word_have_one_stem(forms: tuple[str, ...], expected: str) -> None:
    assert {stem_word(word) for word in forms} == {expected}


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("ammo", "SK-1.2"),
        ("how is the ammo", "SK-1.2"),
        ("rounds left", "SK-1.2"),
        ("amunitoin", "SK-1.2"),
        ("shooting", "SK-1"),
        ("hand-to-hand", "SK-2"),
        ("how many dice do I shoot", "SK-1.1"),
        ("mule", "SK-1.2"),
        ("voley", "SK-1.1"),
        ("vol", "SK-1.1"),
        ("can I fire after moving", "SK-2.1"),
        ("FIRE!", "SK-1"),
        ("square", "SK-2.1"),
    ],
)
def test_a_question_finds_its_rule_first(question: str, number: str) -> None:
    assert first(question) == number


@pytest.mark.parametrize("question", ["", "?!", "how do I", "zzzz qqqq", "hello", "the weather", "after", "5"])
def test_question_without_keywords_finds_nothing(question: str) -> None:
    assert INDEX.find_rules(question) == []


def test_most_of_a_question_must_be_in_the_rule() -> None:
    assert first("mule train elephants howdah") == ""
    assert first("mule elephants") == "SK-1.2"


def test_word_known_to_another_system_is_not_corrected() -> None:
    assert first("squire") == "SK-2.1"
    assert first("squire", frozenset({"squire"})) == ""


def test_unknown_word_stands_for_a_longer_or_similar_word() -> None:
    words = ("volley", "volleys", "valley", "square")
    assert find_similar_words("vol", words) == ["volley", "volleys"]
    assert find_similar_words("vallez", words) == ["valley"]
    assert find_similar_words("squrae", words) == ["square"]
    assert find_similar_words("xquare", words) == ["square"]
    assert find_similar_words("unsquare", words) == ["square"]
    assert find_similar_words("vo", words) == []
    assert find_similar_words("cannon", words) == []


def test_sub_rule_ranks_before_its_heading_for_longer_questions() -> None:
    numbers = [hit.rule.number for hit in INDEX.find_rules("fire volley")]
    assert numbers.index("SK-1.1") < numbers.index("SK-1") if "SK-1" in numbers else numbers[0] == "SK-1.1"


def test_own_words_of_a_system_come_before_those_of_all() -> None:
    own = RuleWords(same=(("flight", "melee"),))
    table = SearchWords([own, RuleWords(same=(("melee", "fight"),))])
    assert table.question_terms(["melee"]) == ["flight"]
    assert table.question_terms(["fight"]) == [stem_word("melee")]


def test_prefix_that_is_a_form_of_another_word_means_both() -> None:
    words = SearchWords([RuleWords(weak=("more",), same=(("more", "mores"),))])
    index = RuleIndex(Book(rules=(rule("SK-1", "Morale", "It fails."), rule("SK-2", "Firing", "Fire."))), {}, words)
    assert [hit.rule.number for hit in index.find_rules("mor")] == ["SK-1"]


def test_a_word_means_something_else_beside_another_one() -> None:
    assert WORDS.question_terms(["far", "march"]) == ["far", "march"]
    assert WORDS.question_terms(["far", "shooting"]) == ["rang", "fire"]


def test_a_guessed_word_counts_for_less() -> None:
    (right,), (guessed,) = INDEX.find_rules("broken"), INDEX.find_rules("brokne")
    assert guessed.rule == right.rule
    assert guessed.covered < right.covered == 1


def test_the_whole_question_as_a_phrase_names_a_rule() -> None:
    assert [hit.is_named for hit in INDEX.find_rules("charge home")] == [True]
    assert not any(hit.is_named for hit in INDEX.find_rules("broken square"))
    assert INDEX.find_rules("charge home")[0].told_by == 2
