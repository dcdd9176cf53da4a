"""Names in scripts that the typefaces lack are numbers on the picture, and the message explains them."""

import pytest

from bot.jobs.pictures import _draw_scene
from cogs.kit.cards.card import Card, Picture, picture_legend_line
from render.foreign_names import (
    number_foreign_words,
    number_foreign_words_in_scenes,
    replace_foreign_words,
    replace_foreign_words_in_scene,
)
from render.geometry import Box
from render.odds import draw_odds, explain_foreign_words
from render.replay import draw_replay
from rules.core.odds import Odds, Outcome
from rules.core.scene import Symbol
from tests.render.hex_samples import SCENE

from .pictures import record_texts
from .samples import BATTLE, create_base

TITLE = "天津 1900 — turn 3, British"
FOREIGN = BATTLE.model_copy(
    update={
        "title": TITLE,
        "bases": (
            create_base("義和団 第1隊", "mahdist", Symbol.INFANTRY, 20, 20, 0, "12"),
            create_base("Guards 🐘", "british", Symbol.INFANTRY, 60, 40, 0, "9"),
        ),
    }
)


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("Ma Yü-k'un", "Ma Yü-k'un"),
        ("Łódź, Ђорђе and Ωmega: ½ → № “1st”…", "Łódź, Ђорђе and Ωmega: ½ → № “1st”…"),
        ("天津", "#1"),
        ("天津 1900 — turn 1 of 10, Allies", "#1 1900 — turn 1 of 10, Allies"),
        ("Guards 🐘, 第1連隊 大隊 (from turn 2)", "Guards #1, #2 (from turn 2)"),
        ("جيش المهدي", "#1"),
        ("天津 and 天津", "#1 and #1"),
    ],
)
def test_only_words_that_cannot_be_written_become_numbers(text: str, replaced: str) -> None:
    assert replace_foreign_words(text, number_foreign_words([text])) == replaced


def test_names_of_a_table_are_written_as_numbers_that_are_explained() -> None:
    with record_texts() as records:
        drawing = _draw_scene(FOREIGN, None)
    texts = [text for text, _ in records]
    assert {"#2", "Guards #3"} <= {*texts}
    assert all(ord(letter) < 0x2E80 for text in texts for letter in text)
    assert drawing.numbers == (("#1", "天津"), ("#2", "義和団 第1隊"), ("#3", "🐘"))
    part = _draw_scene(FOREIGN, Box(10, 10, 30, 30))
    assert part.numbers == (("#1", "天津"), ("#2", "義和団 第1隊"))
    assert _draw_scene(BATTLE, Box(10, 10, 30, 30)).numbers == ()


def test_the_message_explains_the_numbers() -> None:
    key = picture_legend_line(_draw_scene(FOREIGN, Box(10, 10, 30, 30)).numbers)
    assert (
        Card().picture(Picture("table.png", b"", "", key)).words == "-# On the picture: #1 = 天津 · #2 = 義和団 第1隊"
    )
    assert Card().picture(Picture("table.png", b"", "")).words == ""
    assert picture_legend_line([("#1", "*天津*")]) == r"-# On the picture: #1 = \*天津\*"


def test_names_of_a_hex_map_are_numbers_too() -> None:
    cells = tuple(cell.model_copy(update={"name": "天津" if cell.name else ""}) for cell in SCENE.board.cells)
    scene = SCENE.model_copy(update={"board": SCENE.board.model_copy(update={"cells": cells})})
    names = {
        cell.name for cell in replace_foreign_words_in_scene(scene, number_foreign_words_in_scenes([scene])).board.cells
    }  # type: ignore[union-attr]
    assert names == {"", "#1"}
    assert replace_foreign_words_in_scene(SCENE, number_foreign_words_in_scenes([SCENE])) is SCENE


def test_a_name_has_one_number_in_all_frames_of_a_replay() -> None:
    later = FOREIGN.model_copy(update={"bases": FOREIGN.bases[1:]})
    with record_texts() as texts:
        draw_replay([FOREIGN, later])
    assert sum(text == "Guards #3" for text, _ in texts) == 1  # the plate of the first frame serves the second


def test_odds_number_words_too() -> None:
    odds = Odds(question="義和団 fire?", outcomes=(Outcome(label="天津 falls", chance="1"),))  # type: ignore[arg-type]
    with record_texts() as texts:
        draw_odds(odds)
    assert {"#1 fire?", "#2 falls"} <= {text for text, _ in texts}
    assert explain_foreign_words(odds) == (("#1", "義和団"), ("#2", "天津"))
