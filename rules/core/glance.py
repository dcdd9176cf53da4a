"""What a report says at a glance: one line a throw, what happened without dice, and no number twice."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import groupby

from .dice import Throw
from .model import MARK_WORDS, Cite, Mark
from .report import Modifier, Report, Step
from .wording import likely, number, valued

SIGNS = {Mark.RULING: "ʳ", Mark.FOUND: "ᶠ", Mark.HOUSE: "ʰ"}
"""Signs after rule numbers and reasons absent from the printed source."""
MANY = 4
"""Minimum number of similar tests to merge into one line."""
SENTENCES = re.compile(r".+?(?:(?<!\bNo)(?<!\d)\. |$)", re.DOTALL)
"""Sentences of an outcome. `No. 8 Mountain Battery` and `17. FK` are names: their stops end nothing."""
PRONOUN = re.compile(r"^(?:They|It|He|She) ")
PARTS = re.compile(r"[:,] ")
DICE_AS_ADJUSTED = re.compile(r"\*?-?\d+\*?( \*?-?\d+\*?)*")
"""A verdict that shows the dice as they count, those that kill between asterisks."""


def cited(cite: Cite) -> str:
    """`MM-3.6`, `BE-1ʰ`."""
    return f"{cite.rule}{SIGNS.get(cite.mark, '')}"


def legend(cites: Iterable[Cite]) -> str:
    """Return the legend for the cited marks: `ʳ ruling, ʰ house rule`."""
    marks = {cite.mark for cite in cites}
    return ", ".join(f"{sign} {MARK_WORDS[mark]}" for mark, sign in SIGNS.items() if mark in marks)


def rounded(chance: Fraction) -> str:
    """`96%`; `under 1%` and `over 99%` are possible and not certain."""
    return likely(chance, places=0)


def dice_in_words(throw: Throw) -> str:
    """`2D6 4 3`: dice as they fell."""
    return f"{len(throw.dice) if len(throw.dice) > 1 else ''}D{throw.sides} {' '.join(map(str, throw.dice))}"


def modifier(item: Modifier) -> str:
    """Return a modifier in words: `+1 British`, `× ½ half effectʳ`; secret zero modifiers omit the value."""
    return valued(item, f"{item.reason}{SIGNS.get(item.cite.mark, '')}")


def steps(report: Report) -> Iterable[Step]:
    """The steps to tell; where many units take the same test, or fare alike, a line for each end that it has."""
    told = [*_alike_together([*_one_by_one(report)])]
    kinds = Counter(_kind(step) for step in told)
    ends: dict[tuple[str, str, str], list[Step]] = {}
    for step in told:
        if kinds[_kind(step)] >= MANY and _kind(step):
            ends.setdefault((_kind(step), step.needed, step.verdict), []).append(step)
    for step in told:
        alike = ends.get((_kind(step), step.needed, step.verdict), [step])
        if step is alike[0]:
            yield step if len(alike) == 1 else _together(alike)


def _alike_together(told: Sequence[Step]) -> Iterable[Step]:
    """Merge consecutive units with equal results into one line: `Rallied: Arteiga, Ashraf`."""
    for _, run in groupby(told, lambda step: (step.verdict, step.cite) if _is_plain(step) else id(step)):
        alike = [*run]
        if len(alike) < MANY or not _is_plain(alike[0]):
            yield from alike
            continue
        first = alike[0]
        names = ", ".join(dict.fromkeys(step.text for step in alike))
        yield Step(text=f"{first.verdict[0].upper()}{first.verdict[1:]}", cite=first.cite, verdict=names)


def _is_plain(step: Step) -> bool:
    """Whether the step only names a unit with its result, without numbers."""
    reckoned = step.throws or step.modifiers or step.needed or step.start is not None or step.score is not None
    return bool(step.text and step.verdict) and not reckoned and ": " not in step.text


def _kind(step: Step) -> str:
    """`reaction` of `Arteiga: reaction`, thrown against a score; nothing of any other step."""
    name, _, kind = step.text.rpartition(": ")
    return kind if name and step.throws and step.score is not None and step.verdict else ""


def _together(alike: Sequence[Step]) -> Step:
    """`Reaction against 4, they carry on: Arteiga 6, Ashraf 4`: the same test of several units with the same end."""
    first = alike[0]
    scores = (f"{step.text.rpartition(': ')[0]} {number(step.score or Fraction(0))}" for step in alike)
    kind = _kind(first)
    text = f"{' '.join(filter(None, (f'{kind[0].upper()}{kind[1:]}', first.needed)))}, {first.verdict}"
    return Step(text=text, cite=first.cite, verdict=", ".join(scores))


def _one_by_one(report: Report) -> Iterable[Step]:
    """The steps to tell: what only reckons is left out, and what headline and outcome say already.

    A throw that is the only one is told with what was added just before: to each die, or to what it is held against.
    """
    said = f"{report.headline} {report.outcome}"
    for place, step in enumerate(report.steps):
        if not step.tells or (not step.throws and says(said, step.text) and says(said, step.verdict)):
            continue
        alone = step.throws and len(report.throws) == len(step.throws) and not step.modifiers
        yield with_what_was_added(step, report.steps[place - 1]) if alone and place else step


def with_what_was_added(step: Step, before: Step) -> Step:
    """Return the throw including modifiers calculated directly before; modifiers of dice numbers are excluded."""
    added = tuple(each for each in before.modifiers if not each.times)
    if before.tells or not added:
        return step
    if step.score is None:
        return step.model_copy(update={"modifiers": added})
    if before.start is None or before.score is None:
        return step
    if not (step.needed.startswith("against ") and step.needed.endswith(number(before.score))):
        return step
    parts = ", ".join((number(before.start), *map(modifier, added)))
    return step.model_copy(update={"needed": f"{step.needed} ({parts})"})


def outcome(report: Report, known: Collection[str] = ()) -> str:
    """Return the outcome without sentences in `known` and without repetitions of the headline."""
    left = report.outcome
    for sentence in known:
        left = left.replace(sentence, "")
    said = (one for one in SENTENCES.findall(left) if not says(report.headline, PRONOUN.sub("", one).strip(" .")))
    return " ".join(one.strip() for one in said if one.strip(" .")).strip()


def line(step: Step, headline: str = "") -> str:
    """Return a step's line, such as `2D6 4 5, +1 British = 10 against 2 casualties: they hold`."""
    shown = shows_dice_as_adjusted(step)
    named = all(says(headline, part) for part in PARTS.split(step.text))
    about = "" if step.throws and not shown and named else step.text
    told = _adjusted_dice(step) if shown else _sum(step, headline)
    return f"{': '.join(filter(None, (about, told)))} · {cited(step.cite)}"


def cites(step: Step) -> Iterable[Cite]:
    """Return the rules cited in the step's line."""
    return (step.cite, *(each.cite for each in step.modifiers))


def shows_dice_as_adjusted(step: Step) -> bool:
    """Whether the verdict consists of the adjusted dice."""
    thrown = sum(len(throw.dice) for throw in step.throws)
    return (
        DICE_AS_ADJUSTED.fullmatch(step.verdict) is not None
        and step.start is None
        and (len(step.verdict.split()) == thrown)
    )


def says(words: str, text: str) -> bool:
    """Whether those words say the text already."""
    return text.casefold() in words.casefold()


def _adjusted_dice(step: Step) -> str:
    """Dice that only count as they are shown: `4 *7* 2, +1 Mahdists`."""
    return ", ".join((step.verdict, *map(modifier, step.modifiers)))


def _sum(step: Step, headline: str) -> str:
    several = sum(len(throw.dice) for throw in step.throws) > 1
    total = step.start if step.score is None else step.score
    summed = total is not None and (several or bool(step.modifiers) or not step.throws)
    last = f" = {number(total)}" if total is not None and summed else ""
    text = ", ".join((*map(dice_in_words, step.throws), *map(modifier, step.modifiers))) + last
    if step.needed:
        text += f"{', ' if step.score is None and step.throws else ' '}{step.needed}"
    if step.verdict and step.verdict != step.text and not (step.score is not None and says(headline, step.verdict)):
        text += f": {step.verdict}" if text else step.verdict
    if step.chance is not None and not (step.chance == 1 and not step.throws):
        text += f" ({rounded(step.chance)} {step.hope})".replace(" )", ")")
    return text.strip()
