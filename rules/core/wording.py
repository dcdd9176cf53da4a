"""How names, numbers, modifiers and sums are written, the same in chat, log and page."""

from collections.abc import Iterable
from fractions import Fraction

from .report import CountedDie, Modifier, Step

SIMPLE = {
    Fraction(1, 2): "½",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
}


def as_words(name: str) -> str:
    """A name of the program as people say and write it: `bug out` for `bug_out`."""
    return name.replace("_", " ")


def as_name(words: str) -> str:
    """Words as the program has them for a name: `bug_out` for `Bug out` or `bug-out`."""
    return "_".join(words.casefold().replace("-", " ").split())


def number(value: Fraction) -> str:
    """`3`, `½`, `7⅔`, `1.2`, `22/7`: whole, with a common fraction, an exact decimal, else a quotient."""
    if value.denominator == 1:
        return str(value.numerator)
    whole, part = divmod(abs(value), 1)
    if part in SIMPLE:
        return f"{'-' if value < 0 else ''}{whole or ''}{SIMPLE[part]}"
    text = format(float(value), "f").rstrip("0")
    return text if Fraction(text) == value else f"{value.numerator}/{value.denominator}"


def tenths(length: float) -> str:
    """`10`, `7.5`: inches, degrees and the like as they are shown."""
    return f"{length:.1f}".removesuffix(".0")


def inches(length: float) -> str:
    """`10"`, `7.5"`."""
    return f'{tenths(length)}"'


def percent(chance: Fraction, places: int = 1) -> str:
    """`91.7%`; `<0.1%` and `>99.9%` are possible and not certain, but by less than so many decimal places show."""
    if chance in (0, 1):
        return f"{int(chance) * 100}%"
    hardly = Fraction(1, 10 ** (places + 2))
    sign, shown = ("<", hardly) if chance < hardly else (">", 1 - hardly) if chance > 1 - hardly else ("", chance)
    return f"{sign}{float(shown * 100):.{places}f}%"


def likely(chance: Fraction, places: int = 1) -> str:
    """`percent` as it is said in a sentence: `91.7%`, `under 0.1%`, `over 99.9%`."""
    return percent(chance, places).replace("<", "under ").replace(">", "over ")


def modifier(item: Modifier) -> str:
    """Return a modifier in words: `+1 British (MM-5.4)`; secret zero modifiers omit the value."""
    return valued(item, f"{item.reason} ({item.cite})")


def valued(item: Modifier, reason: str) -> str:
    """Return a modifier's value before its reason; a secret zero omits the value."""
    if item.secret and not item.value:
        return reason
    return f"{'× ' if item.times else '+' if item.value >= 0 else '-'}{number(abs(item.value))} {reason}"


def sum_line(step: Step) -> str:
    """`2D6 [4][3] = 7, +1 British (MM-5.4) = 8 against 5 casualties: holds (91.7% to hold)`."""
    before, after = around_verdict(step)
    verdict = step.verdict if step.verdict != step.text else ""
    return f"{before}{': ' if before and verdict else ''}{verdict}{after}".strip()


def around_verdict(step: Step) -> tuple[str, str]:
    """Return the parts of a step's sum before and after the verdict: `2D6 [4][3] = 7`, ` (91.7% to hold)`."""
    parts = []
    if step.throws:
        dice = ", ".join(str(throw) for throw in step.throws)
        parts.append(f"{dice} = {number(step.start)}" if step.start is not None else dice)
    elif step.start is not None:
        parts.append(number(step.start))
    parts.extend(modifier(item) for item in step.modifiers)
    line = ", ".join(parts)
    if step.score is not None and (step.modifiers or step.start is None):
        line += f" = {number(step.score)}"
    if step.needed:
        line += f"{_before_needed(step)}{step.needed}"
    chance = "" if step.chance is None else f" ({' '.join(filter(None, (likely(step.chance), step.hope)))})"
    return line, chance


def _before_needed(step: Step) -> str:
    """`2D6 [4][6], hits on 6`, `= 8 against 5`; a mere sum comes to it: `= 4: up to 4 inches`."""
    if step.score is None:
        return ", " if step.throws else " "
    return " " if step.throws else ": "


def as_adjusted(dice: Iterable[CountedDie]) -> str:
    """Return dice as they count as text: `4 *7* 2`, hits between asterisks."""
    return " ".join(f"*{die.value}*" if die.hits else str(die.value) for die in dice)


def count_of(number: int, one: str, many: str = "") -> str:
    """`1 hit`, `3 hits`; `many` where it is not made by an s: `8 dice`."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def faces(least: int, sides: int = 6) -> str:
    """Return faces from a number upwards: `5-6`, or `6`."""
    return f"{least}-{sides}" if least < sides else f"{sides}"


def in_a_row(names: Iterable[str]) -> str:
    """`A, B and Leader 1`; nothing of none."""
    *others, last = (*names,) or ("",)
    return f"{', '.join(others)} and {last}" if others else last
