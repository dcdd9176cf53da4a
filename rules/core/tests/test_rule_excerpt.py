"""The passages of a rule that answer a question: few lines, the right sentence, rulings marked."""

import pytest

from rules.core.book import Rule
from rules.core.chart import Cell, Chart, Row
from rules.core.model import Mark
from rules.core.naming import words_of
from rules.core.rule_excerpt import Excerpt, choose_excerpt
from rules.core.rule_tables import LINE, count_lines_of_row, count_lines_with_label, count_phone_lines, row_in_words

LONG = "; ".join(f"the {name} company marches so many inches in its own turn" for name in ("first", "second", "third"))
RULE = Rule(
    number="SK-1",
    title="Marching and drums",
    mark=Mark.TEXT,
    text=f"Companies march. Drums beat at noon (ruling, option “noon”). {LONG}. Carts follow the road (option “road”).",
    rulings="A mule is a wagon. Elephants stay at home.",
    charts=("rates",),
)
RATES = Chart(
    id="rates",
    title="Rates",
    rule="SK-1",
    columns=("road", "field"),
    rows=(
        Row(label="camels", rule="SK-1", cells=(Cell(text="9"), Cell(text="—"))),
        Row(label="oxen", rule="SK-1", mark=Mark.HOUSE, cells=(Cell(text="4"), Cell(text="2"))),
    ),
)


def make_excerpt(*terms: str, room: int = 4, rule: Rule = RULE) -> Excerpt:
    return choose_excerpt(rule, {"rates": RATES}, dict.fromkeys(terms, 3.0), words_of, room=room)


def texts(excerpt_: Excerpt) -> list[tuple[str, str]]:
    return [(passage.mark.value, passage.text) for passage in excerpt_.passages]


def test_excerpt_without_a_term_starts_at_the_beginning() -> None:
    assert texts(make_excerpt())[0][1].startswith("Companies march. Drums beat at noon (ruling).")


def test_a_term_finds_its_sentence_and_names_no_option() -> None:
    assert texts(make_excerpt("road", room=2))[0] == ("text", "Carts follow the road.")


def test_a_ruling_stands_apart() -> None:
    assert ("ruling", "A mule is a wagon. Elephants stay at home.") in texts(make_excerpt("elephants"))


def test_a_part_of_a_long_sentence_has_dots() -> None:
    ((_, text),) = texts(make_excerpt("second", room=2))
    assert text == "… the second company marches so many inches in its own turn …"


def test_terms_in_two_places_are_both_told() -> None:
    passages = texts(make_excerpt("road", "elephants", room=3))
    assert [mark for mark, _ in passages] == ["text", "ruling"]
    assert "road" in passages[0][1]
    assert "Elephants" in passages[1][1]


def test_a_row_of_a_table_answers_in_words() -> None:
    excerpt_ = make_excerpt("camels")
    assert [row.text for row in excerpt_.rows] == ["camels: road 9"]
    assert row_in_words(RATES, RATES.rows[1]) == "oxen: road 4 · field 2 (house)"


def test_a_column_of_a_table_answers_in_words() -> None:
    assert [row.text for row in make_excerpt("field").rows] == ["field: oxen: 2"]


def test_a_small_table_stands_under_a_short_text() -> None:
    short = RULE.model_copy(update={"text": "By the table.", "rulings": ""})
    short = Rule(**short.model_dump())
    assert [row.text for row in make_excerpt(rule=short).rows] == ["camels: road 9; oxen: road 4 · field 2 (house)"]
    assert make_excerpt(rule=short, room=1).rows == ()


@pytest.mark.parametrize("room", [2, 3, 4, 6, 60])
@pytest.mark.parametrize("terms", [(), ("road",), ("second",), ("elephants", "noon"), ("camels", "third")])
def test_passages_fit_the_room(terms: tuple[str, ...], room: int) -> None:
    excerpt_ = make_excerpt(*terms, room=room)
    used = sum(map(count_lines_with_label, excerpt_.passages)) + sum(map(count_lines_of_row, excerpt_.rows))
    assert used <= room
    assert excerpt_.is_whole is (room == 60)
    assert excerpt_.passages


def test_lines_are_those_of_a_telephone() -> None:
    assert count_phone_lines("x" * LINE) == 1
    assert count_phone_lines("x" * (LINE + 1)) == 2
    assert count_phone_lines("a\n\nb") == 3
