"""The chapter on movement agrees with its tables, options and words (BE-6.2, BE-M)."""

import tomllib
from importlib.resources import files

from rules.core.book import Book
from rules.core.data_files import read_model
from rules.core.model import Mark
from rules.core.state import Circumstance
from rules.empire.moving.movement import Move
from rules.empire.options import EmpireOptions
from rules.empire.tables import TABLES

DATA = files("rules.empire") / "data"
BOOK = read_model(Book, DATA / "2_movement_book.toml")


def test_the_chapter_has_every_number_of_movement_with_its_mark() -> None:
    assert {rule.number: rule.mark for rule in BOOK.rules} == {
        "BE-6.2": Mark.TEXT,
        **{f"BE-M.{number}": Mark.HOUSE for number in range(1, 7)},
    }


def test_every_word_of_a_move_has_a_meaning_and_a_rule_of_the_chapter() -> None:
    words = tomllib.loads((DATA / "moving_circumstances.toml").read_text(encoding="utf-8"))["move"]
    assert set(words) == set(Move.circumstance_names)
    for name, fields in words.items():
        assert BOOK.get(Circumstance(name=name, **fields).rule)


def test_tables_and_options_of_movement_stand_in_the_chapter() -> None:
    options = {option for rule in BOOK.rules for option in rule.options}
    assert options <= set(EmpireOptions.model_fields)
    for name, option in EmpireOptions.model_fields.items():
        if option.json_schema_extra["rule"].startswith("BE-M"):
            assert name in BOOK.get(option.json_schema_extra["rule"]).options
    charts = {chart for rule in BOOK.rules for chart in rule.charts}
    assert charts == {"gun-moves", "formations", "ground"}
    assert charts <= set(TABLES.charts)
    assert not any(option in rule.whole_text for rule in BOOK.rules for option in options if "_" in option)
