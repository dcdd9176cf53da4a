"""Draw the odds of an action: a bar for each score, and the probability of each outcome."""

from collections.abc import Iterator
from fractions import Fraction

from PIL import Image, ImageDraw

from rules.core.odds import Odds, Outcome
from rules.core.wording import percent

from .fixed_palette import encode_png
from .fonts import Face, font, text_width, wrap_text
from .foreign_names import Explained, number_foreign_words, replace_foreign_words
from .palette import INK, PAPER, RGB, SIDES, WHITE, mix

WIDE, MARGIN = 900, 32
TITLE, TEXT, SMALL = 30, 24, 24
CHART_HIGH = 300
ROW, LINE, STRIP = 46, 30, 200
GOOD, BAD, EITHER = SIDES[1].colour, SIDES[3].colour, RGB(120, 120, 120)
QUIET = mix(PAPER, INK, 0.68)
PERCENT = 96
"""Pixels reserved for a percentage."""
LONGEST_FRACTION = 15
"""Maximum number of characters of a fraction."""
MOST_BARS = 24
"""Maximum number of bars with a score label under each bar."""


def draw_odds(odds: Odds) -> bytes:
    """Return a PNG of the odds; passing scores have hatched bars, to differ without colour."""
    odds = _replace_foreign_words(odds)
    title = wrap_text(odds.question, Face.TITLE, TITLE, WIDE - 2 * MARGIN)
    top = MARGIN + len(title) * (TITLE + 8) + 8
    bars = CHART_HIGH + 76 if odds.distribution else 0
    words = [_wrap_label(outcome) for outcome in odds.outcomes]
    heights = [ROW + LINE * max(len(lines) - 1, 0) for lines in words]
    image = Image.new("RGB", (WIDE, top + bars + sum(heights) + MARGIN), PAPER)
    draw = ImageDraw.Draw(image)
    for number, line in enumerate(title):
        draw.text((MARGIN, MARGIN + number * (TITLE + 8)), line, fill=INK, font=font(Face.TITLE, TITLE))
    if odds.distribution:
        _draw_score_bars(image, odds, top)
    top += bars
    for outcome, lines, height in zip(odds.outcomes, words, heights, strict=True):
        _draw_outcome(image, outcome, lines, top)
        top += height
    return encode_png(image)


def explain_foreign_words(odds: Odds) -> Explained:
    """Return the words that cannot be drawn, each with the number that `draw_odds` writes instead."""
    return tuple((number, words) for words, number in number_foreign_words(_odds_texts(odds)).items())


def _odds_texts(odds: Odds) -> Iterator[str]:
    yield from (odds.question, odds.score_label, *(outcome.label for outcome in odds.outcomes))


def _replace_foreign_words(odds: Odds) -> Odds:
    """Return the odds with numbers in place of words that cannot be drawn."""
    numbers = number_foreign_words(_odds_texts(odds))
    if not numbers:
        return odds
    labels = ((outcome, replace_foreign_words(outcome.label, numbers)) for outcome in odds.outcomes)
    outcomes = tuple(outcome.model_copy(update={"label": label}) for outcome, label in labels)
    changed = {name: replace_foreign_words(getattr(odds, name), numbers) for name in ("question", "score_label")}
    return odds.model_copy(update={**changed, "outcomes": outcomes})


def _draw_score_bars(image: Image.Image, odds: Odds, top: int) -> None:
    """Draw a bar per score; the most probable score has the highest bar."""
    draw = ImageDraw.Draw(image)
    distribution = sorted(odds.distribution)
    highest = max(chance for _, chance in distribution) or Fraction(1)
    span = WIDE - 2 * MARGIN
    step = min(span / len(distribution), 120.0)
    left = MARGIN + (span - step * len(distribution)) / 2
    floor = top + CHART_HIGH
    full = CHART_HIGH - 34
    for part in (0.25, 0.5, 0.75, 1.0):
        y = floor - round(full * part)
        draw.line((MARGIN, y, WIDE - MARGIN, y), fill=mix(PAPER, INK, 0.12))
    longest = max((percent(chance) for _, chance in distribution), key=len)
    has_percentages = text_width(longest, Face.PLAIN, SMALL) <= step - 1
    label_every = max(round(len(distribution) / MOST_BARS), 1)
    for number, (score, chance) in enumerate(distribution):
        x0 = left + number * step
        x1 = x0 + step
        y = floor - round(full * float(chance / highest))
        gap = max(step * 0.1, 1)
        if chance:
            passes = None if odds.pass_from is None else score >= odds.pass_from
            _draw_bar(image, (round(x0 + gap), min(y, floor - 2), round(x1 - gap), floor), passes)
        middle = (x0 + x1) / 2
        if step >= 24 or score % label_every == 0:
            draw.text((middle, floor + 20), str(score), fill=INK, font=font(Face.BOLD, TEXT), anchor="mm")
        if has_percentages:
            draw.text((middle, y - 14), percent(chance), fill=INK, font=font(Face.PLAIN, SMALL), anchor="mm")
    draw.line((MARGIN, floor, WIDE - MARGIN, floor), fill=INK, width=3)
    if odds.pass_from is not None:
        _draw_pass_line(draw, odds.pass_from, [score for score, _ in distribution], left, step, top, floor)
    if odds.score_label:
        draw.text((WIDE / 2, floor + 54), odds.score_label, fill=QUIET, font=font(Face.PLAIN, SMALL), anchor="mm")


def _draw_pass_line(
    draw: ImageDraw.ImageDraw, pass_from: int, scores: list[int], left: float, step: float, top: int, floor: int
) -> None:
    """Draw a dashed line at the first passing score, if some scores pass and some fail."""
    under = sum(score < pass_from for score in scores)
    if not 0 < under < len(scores):
        return
    x = left + under * step
    for y in range(top, floor, 12):
        draw.line((x, y, x, y + 6), fill=INK, width=2)


def _draw_bar(image: Image.Image, box: tuple[int, int, int, int], good: bool | None) -> None:
    """Draw a bar: dark and hatched if `good`, neutral if None."""
    left, top, right, bottom = box
    draw = ImageDraw.Draw(image)
    right = max(right, left + 1)
    colour = EITHER if good is None else GOOD if good else BAD
    draw.rectangle((left, top, right, bottom), fill=colour if good else mix(colour, WHITE, 0.6))
    if good:
        tile = Image.new("RGB", (right - left + 1, bottom - top + 1), colour)
        lines = ImageDraw.Draw(tile)
        for start in range(-tile.height, tile.width, 12):
            lines.line((start, tile.height, start + tile.height, 0), fill=mix(colour, WHITE, 0.4), width=3)
        image.paste(tile, (left, top))
    draw.rectangle((left, top, right, bottom), outline=mix(colour, INK, 0.35), width=2)


def _draw_outcome(image: Image.Image, outcome: Outcome, words: tuple[str, ...], top: int) -> None:
    """Draw an outcome's row: a bar, the label, and the probability as fraction and percentage."""
    draw = ImageDraw.Draw(image)
    middle = top + ROW // 2
    draw.rectangle((MARGIN, middle - 13, MARGIN + STRIP, middle + 13), fill=WHITE, outline=mix(PAPER, INK, 0.3))
    if outcome.chance:
        long = max(round(STRIP * float(outcome.chance)), 3)
        _draw_bar(image, (MARGIN, middle - 13, MARGIN + long, middle + 13), outcome.good)
    for number, line in enumerate(words):
        at = MARGIN + STRIP + 16, middle + number * LINE
        draw.text(at, line, fill=INK, font=font(Face.PLAIN, TEXT), anchor="lm")
    right = WIDE - MARGIN
    draw.text((right, middle), percent(outcome.chance), fill=INK, font=font(Face.BOLD, TEXT), anchor="rm")
    if exact := _format_fraction(outcome.chance):
        draw.text((right - PERCENT, middle), exact, fill=QUIET, font=font(Face.PLAIN, SMALL), anchor="rm")


def _wrap_label(outcome: Outcome) -> tuple[str, ...]:
    """Return the outcome's label in lines that leave space for the fraction and the percentage."""
    figures = PERCENT + text_width(_format_fraction(outcome.chance), Face.PLAIN, SMALL)
    return wrap_text(outcome.label, Face.PLAIN, TEXT, WIDE - 2 * MARGIN - STRIP - 40 - figures)


def _format_fraction(chance: Fraction) -> str:
    """Return a probability such as `11/12`; an empty string for 0, 1 and long fractions."""
    exact = f"{chance.numerator}/{chance.denominator}"
    return "" if chance.denominator == 1 or len(exact) > LONGEST_FRACTION else exact
