"""Write a report in short: one line for each throw or event, and no number twice."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import groupby

from .dice import Throw
from .model import MARK_WORDS, Cite, Mark
from .report import Modifier, Report, Standing, Step
from .wording import counted_dice_in_words, number_text, percent_in_words, value_with_reason

SIGNS = {Mark.RULING: "ʳ", Mark.FOUND: "ᶠ", Mark.HOUSE: "ʰ"}
"""Superscript letters after rule numbers and reasons that are not in the printed source."""
MANY = 4
"""Minimum number of similar tests to merge into one line."""


def short_citation(cite: Cite) -> str:
    """Return a citation in short: `MM-3.6`, `BE-1ʰ`."""
    return f"{cite.rule}{SIGNS.get(cite.mark, '')}"


def mark_legend(cites: Iterable[Cite]) -> str:
    """Return the legend for the cited marks: `ʳ ruling, ʰ house rule`."""
    marks = {cite.mark for cite in cites}
    return ", ".join(f"{sign} {MARK_WORDS[mark]}" for mark, sign in SIGNS.items() if mark in marks)


def dice_in_words(throw: Throw) -> str:
    """Return the dice as they fell: `2D6 4 3`."""
    return f"{len(throw.dice) if len(throw.dice) > 1 else ''}D{throw.sides} {' '.join(map(str, throw.dice))}"


def modifier_in_words(item: Modifier) -> str:
    """Return a modifier in words: `+1 British`, `× ½ half effectʳ`. Omit the value of a secret modifier of zero."""
    return value_with_reason(item, f"{item.reason}{SIGNS.get(item.cite.mark, '')}")


def short_steps(report: Report) -> Iterable[Step]:
    """Yield the steps of the short report. Merge equal results if MANY units have them or take one kind of test."""
    told_steps = [*_merge_equal_results([*_steps_to_tell(report)])]
    kinds = Counter(_test_kind(step) for step in told_steps)
    ends: dict[tuple[str, str, str], list[Step]] = {}
    for step in told_steps:
        if kinds[_test_kind(step)] >= MANY and _test_kind(step):
            ends.setdefault((_test_kind(step), step.needed, step.verdict), []).append(step)
    for step in told_steps:
        similar_steps = ends.get((_test_kind(step), step.needed, step.verdict), [step])
        if step is similar_steps[0]:
            yield step if len(similar_steps) == 1 else _merge_tests(similar_steps)


def _merge_equal_results(told_steps: Sequence[Step]) -> Iterable[Step]:
    """Yield the steps, with MANY or more consecutive equal results merged: `Rallied: Arteiga, Ashraf`."""
    for _, run in groupby(told_steps, lambda step: (step.verdict, step.cite) if _has_only_result(step) else id(step)):
        similar_steps = [*run]
        if len(similar_steps) < MANY or not _has_only_result(similar_steps[0]):
            yield from similar_steps
            continue
        first = similar_steps[0]
        names = ", ".join(dict.fromkeys(step.subject for step in similar_steps))
        yield Step(text=f"{first.verdict[0].upper()}{first.verdict[1:]}", cite=first.cite, verdict=names)


def _has_only_result(step: Step) -> bool:
    """Whether the step only names a unit with its result, without numbers."""
    return bool(step.subject and step.verdict) and not (step.kind or step.throws)


def _test_kind(step: Step) -> str:
    """Return the kind of a test against a score; an empty string for any other step."""
    return step.kind if step.subject and step.throws and step.score is not None and step.verdict else ""


def _merge_tests(similar_steps: Sequence[Step]) -> Step:
    """Return one step for tests with equal results: `Reaction against 4, they carry on: Arteiga 6, Ashraf 4`."""
    first = similar_steps[0]
    scores = (f"{step.subject} {number_text(step.score or Fraction(0))}" for step in similar_steps)
    text = f"{' '.join(filter(None, (f'{first.kind[0].upper()}{first.kind[1:]}', first.needed)))}, {first.verdict}"
    return Step(text=text, cite=first.cite, verdict=", ".join(scores))


def _steps_to_tell(report: Report) -> Iterable[Step]:
    """Yield the steps for the short report, without calculations and steps that the headline already states.

    If only one step has throws, it includes the modifiers of the previous step.
    """
    for place, step in enumerate(report.steps):
        if not step.reports_event or step.is_in_headline:
            continue
        is_alone = step.throws and len(report.throws) == len(step.throws) and not step.modifiers
        yield add_previous_modifiers(step, report.steps[place - 1]) if is_alone and place else step


def add_previous_modifiers(step: Step, before: Step) -> Step:
    """Return a throw's step with the modifiers of the step `before`, except those that multiply the dice."""
    added = tuple(term for term in before.modifiers if not term.times)
    if before.reports_event or not added:
        return step
    if step.score is None:
        return step.model_copy(update={"modifiers": added})
    if before.start is None or before.score is None or step.against != before.score:
        return step
    parts = ", ".join((number_text(before.start), *map(modifier_in_words, added)))
    return step.model_copy(update={"needed": f"{step.needed} ({parts})"})


def outcome_to_tell(report: Report, known_standing: Collection[Standing] = ()) -> str:
    """Return the report's `whole_outcome`, but omit the unit conditions in `known_standing`."""
    standing = tuple(standing for standing in report.standing if standing not in known_standing)
    return report.model_copy(update={"standing": standing}).whole_outcome


def step_in_words(step: Step) -> str:
    """Return a step's line, such as `2D6 4 5, +1 British = 10 against 2 casualties: they hold`.

    Dice that are counted one by one are listed with the hits between asterisks: `4 *7* 2, +1 Mahdists`.
    """
    before, after = split_at_counted_dice(step)
    return f"{before}{counted_dice_in_words(step.counted)}{after}"


def split_at_counted_dice(step: Step) -> tuple[str, str]:
    """Return the parts of a step's line before and after its counted dice. Without them, the second is empty."""
    rule = f" · {short_citation(step.cite)}"
    if step.counted:
        return f"{step.text}: ", f"{''.join(f', {modifier_in_words(term)}' for term in step.modifiers)}{rule}"
    text = "" if step.throws and step.text_in_headline else step.text
    return f"{': '.join(filter(None, (text, _sum_in_words(step))))}{rule}", ""


def cites_of_step(step: Step) -> Iterable[Cite]:
    """Return the citations of the rules that a step's line names."""
    return (step.cite, *(term.cite for term in step.modifiers))


def _sum_in_words(step: Step) -> str:
    has_several_dice = sum(len(throw.dice) for throw in step.throws) > 1
    total = step.start if step.score is None else step.score
    is_sum = total is not None and (has_several_dice or bool(step.modifiers) or not step.throws)
    last = f" = {number_text(total)}" if total is not None and is_sum else ""
    text = ", ".join((*map(dice_in_words, step.throws), *map(modifier_in_words, step.modifiers))) + last
    if step.needed:
        text += f"{', ' if step.score is None and step.throws else ' '}{step.needed}"
    if step.verdict and step.verdict != step.text and not (step.score is not None and step.verdict_in_headline):
        text += f": {step.verdict}" if text else step.verdict
    if step.chance is not None and not (step.chance == 1 and not step.throws):
        text += f" ({percent_in_words(step.chance, places=0)} {step.hope})".replace(" )", ")")
    return text.strip()
