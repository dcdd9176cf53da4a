"""Write names, numbers, modifiers and sums as text, in one style for chat, log and web page."""

from collections.abc import Iterable
from fractions import Fraction

from .report import CountedDie, Modifier, Step
from .typed_text import normalize_text

SIMPLE = {
    Fraction(1, 2): "½",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
}


def as_words(name: str) -> str:
    """Return an identifier as people write it: `bug out` for `bug_out`."""
    return name.replace("_", " ")


def as_identifier(words: str) -> str:
    """Return words as an identifier: `bug_out` for `Bug out` or `bug-out`."""
    return "_".join(normalize_text(words).replace("-", " ").split())


def number_text(value: Fraction) -> str:
    """Return a number as `3`, `½`, `7⅔`, `1.2` or `22/7`: a common fraction or exact decimal if possible."""
    if value.denominator == 1:
        return str(value.numerator)
    whole, part = divmod(abs(value), 1)
    if part in SIMPLE:
        return f"{'-' if value < 0 else ''}{whole or ''}{SIMPLE[part]}"
    text = format(float(value), "f").rstrip("0")
    return text if Fraction(text) == value else f"{value.numerator}/{value.denominator}"


def decimal_text(length: float) -> str:
    """Return a length or angle with at most one decimal: `10`, `7.5`."""
    return f"{length:.1f}".removesuffix(".0")


def inches(length: float) -> str:
    """Return a length in inches: `10"`, `7.5"`."""
    return f'{decimal_text(length)}"'


def percent(chance: Fraction, places: int = 1) -> str:
    """Return a chance in percent: `91.7%`. A chance that only rounds to 0 or 1 becomes `<0.1%` or `>99.9%`."""
    if chance in (0, 1):
        return f"{int(chance) * 100}%"
    least = Fraction(1, 10 ** (places + 2))
    sign, value = ("<", least) if chance < least else (">", 1 - least) if chance > 1 - least else ("", chance)
    return f"{sign}{float(value * 100):.{places}f}%"


def percent_in_words(chance: Fraction, places: int = 1) -> str:
    """Return a chance in percent for a sentence: `91.7%`, `under 0.1%`, `over 99.9%`."""
    return percent(chance, places).replace("<", "under ").replace(">", "over ")


def modifier_with_rule(item: Modifier) -> str:
    """Return a modifier in words: `+1 British (MM-5.4)`. Omit the value of a secret modifier of zero."""
    return value_with_reason(item, f"{item.reason} ({item.cite})")


def value_with_reason(item: Modifier, reason: str) -> str:
    """Return a modifier's value followed by `reason`. Omit the value of a secret modifier of zero."""
    if item.secret and not item.value:
        return reason
    return f"{'× ' if item.times else '+' if item.value >= 0 else '-'}{number_text(abs(item.value))} {reason}"


def sum_line(step: Step) -> str:
    """Return a step's sum: `2D6 [4][3] = 7, +1 British (MM-5.4) = 8 against 5 casualties: holds (91.7% to hold)`."""
    before, after = split_at_verdict(step)
    verdict = step.verdict if step.verdict != step.text else ""
    return f"{before}{': ' if before and verdict else ''}{verdict}{after}".strip()


def split_at_verdict(step: Step) -> tuple[str, str]:
    """Return a step's sum in two parts, before and after the verdict: `2D6 [4][3] = 7`, ` (91.7% to hold)`."""
    parts = []
    if step.throws:
        dice = ", ".join(str(throw) for throw in step.throws)
        parts.append(f"{dice} = {number_text(step.start)}" if step.start is not None else dice)
    elif step.start is not None:
        parts.append(number_text(step.start))
    parts.extend(modifier_with_rule(item) for item in step.modifiers)
    line = ", ".join(parts)
    if step.score is not None and (step.modifiers or step.start is None):
        line += f" = {number_text(step.score)}"
    if step.needed:
        line += f"{_separator_before_needed(step)}{step.needed}"
    chance = "" if step.chance is None else f" ({' '.join(filter(None, (percent_in_words(step.chance), step.hope)))})"
    return line, chance


def _separator_before_needed(step: Step) -> str:
    """Return the separator before a step's `needed`: `2D6 [4][6], hits on 6`, `= 4: up to 4 inches`."""
    if step.score is None:
        return ", " if step.throws else " "
    return " " if step.throws else ": "


def counted_dice_in_words(dice: Iterable[CountedDie]) -> str:
    """Return the values of counted dice, with hits between asterisks: `4 *7* 2`."""
    return " ".join(f"*{die.value}*" if die.hits else str(die.value) for die in dice)


def count_of(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 hit`, `3 hits`. `many` is an irregular plural: `8 dice`."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def face_range(least: int, sides: int = 6) -> str:
    """Return the range of faces from `least` upwards: `5-6`, or `6`."""
    return f"{least}-{sides}" if least < sides else f"{sides}"


def join_with_and(names: Iterable[str]) -> str:
    """Join names: `A, B and Leader 1`; an empty string without names."""
    *others, last = (*names,) or ("",)
    return f"{', '.join(others)} and {last}" if others else last
