"""Charts and odds as pictures, and the animated replay."""

from fractions import Fraction
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from render.charts import draw_chart
from render.odds import draw_odds
from render.replay import draw_replay
from rules.core.chart import Cell, Chart, Row
from rules.core.model import Mark
from rules.core.odds import Odds, Outcome
from rules.registry import rulesets

from .samples import BATTLE

CHARTS = rulesets()["magdala"].charts
HOLDS = Odds(
    question="Schützenkompanie: under fire with 4 casualties",
    outcomes=(
        Outcome(label="holds", chance=Fraction(2, 3), good=True),
        Outcome(label="fails", chance=Fraction(1, 3), good=False),
    ),
    distribution=tuple((score, Fraction(1, 6)) for score in range(2, 8)),
    score_label="D6 + 1",
    pass_from=4,
)


def open_picture(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


@pytest.mark.parametrize("name", sorted(CHARTS))
def test_every_chart_of_the_rules_is_drawn_to_be_read_in_a_chat(name: str) -> None:
    image = open_picture(draw_chart(CHARTS[name]))
    assert image.mode == "P"
    assert 500 <= image.width <= 1400


def test_a_chart_grows_by_its_rows_and_its_note() -> None:
    def chart(rows: int, note: str = "") -> Chart:
        row = Row(label="a row", rule="X-1", mark=Mark.RULING, cells=(Cell(text="1"), Cell(text="½ – ä")))
        return Chart(id="x", title="Two", rule="X", columns=("one", "two"), rows=(row,) * rows, note=note)

    heights = [
        open_picture(draw_chart(chart(rows, note))).height for rows, note in ((1, ""), (4, ""), (4, "A note. " * 30))
    ]
    assert heights[0] < heights[1] < heights[2]


def test_bars_that_pass_differ_from_bars_that_fail_without_colour() -> None:
    passing = HOLDS.model_copy(update={"pass_from": 2})
    failing = HOLDS.model_copy(update={"pass_from": 9})
    passed, failed = (open_picture(draw_odds(odds)).convert("L") for odds in (passing, failing))
    difference = ImageChops.difference(passed, failed).tobytes()
    assert sum(value > 60 for value in difference) > 20_000


@pytest.mark.parametrize("bars", [1, 2, 30, 90])
def test_odds_of_any_spread_keep_their_size(bars: int) -> None:
    odds = HOLDS.model_copy(update={"distribution": tuple((score, Fraction(1, bars)) for score in range(bars))})
    assert open_picture(draw_odds(odds)).size == open_picture(draw_odds(HOLDS)).size


def test_odds_without_a_spread_are_only_their_outcomes() -> None:
    bare = HOLDS.model_copy(update={"distribution": (), "pass_from": None})
    assert open_picture(draw_odds(bare)).height < open_picture(draw_odds(HOLDS)).height


def test_a_long_outcome_is_wrapped_not_cut() -> None:
    long = Outcome(
        label="fails: halts, and next turn fires back at half effect unless it retreats", chance=Fraction(1, 3)
    )
    odds = HOLDS.model_copy(update={"outcomes": (HOLDS.outcomes[0], long)})
    assert open_picture(draw_odds(odds)).height > open_picture(draw_odds(HOLDS)).height


def test_a_replay_shows_every_scene_and_is_small() -> None:
    later = BATTLE.model_copy(update={"title": "Suakin 1885 — turn 4, British", "off_table": (), "arrows": ()})
    gif = draw_replay([BATTLE, later, BATTLE])
    image = open_picture(gif)
    assert image.format == "GIF"
    assert getattr(image, "n_frames", 1) == 3
    assert len(gif) < 1_000_000


def test_a_replay_of_nothing_says_what_to_do() -> None:
    with pytest.raises(ValueError, match="play a turn"):
        draw_replay([])
