"""Reports as cards: headline, picture, a line for each throw, the outcome, and the open prompts.

`calculation_paragraphs` writes the full calculation, rule by rule: for *Details*, the log, and games with full details.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from itertools import chain, count, islice
from typing import NamedTuple

from bot.games.game_settings import FULL
from bot.games.open_prompts import filter_visible_prompts
from bot.games.rights import can_act_for, can_answer_prompt
from bot.journal.game import BOT_ACTOR, Game, Played
from rules.core import glance
from rules.core.dice import Throw
from rules.core.model import UMPIRE, Viewer
from rules.core.phases import PASS
from rules.core.report import CountedDie, Offer, Prompt, Report, Standing, Step
from rules.core.state import State
from rules.core.wording import split_at_verdict, sum_line

from .card import Button, Card, Picture, colour_by_index, safe
from .offer_buttons import details_button, offer_button, prompt_buttons

MOST_BESIDE = 5
"""Maximum number of prompts that have their button beside the line. With more prompts, all buttons come below."""
SHORT_OUTCOME = 120
"""Maximum characters of the outcome in a shortened message. A longer outcome is omitted."""


class OpenPrompts(NamedTuple):
    """A game's open prompts, to be shown on the card of an action.

    `add` adds the prompts and their buttons to a card. `free_buttons` is the number of further buttons that fit into
    the message.
    """

    prompts: Sequence[Prompt]
    add: Callable[[Card], Card]
    free_buttons: int


def deadline_in_words(moment: datetime) -> str:
    """Return a deadline: `until Friday, 18:00 (in 2 days)`. Discord shows the moment in each reader's time zone."""
    seconds = int(moment.timestamp())
    return f"until <t:{seconds}:f> (<t:{seconds}:R>)"


def beginning_in_words(begins: datetime, now: datetime) -> str:
    """Return `from 24 December, 18:00 ` with a final space. If `begins` is in the past, return an empty string."""
    return "" if begins <= now else f"from <t:{int(begins.timestamp())}:f> "


def side_colour(state: State | None, side: str) -> int:
    """Return the colour of a side. The umpire and unknown sides have the neutral colour."""
    if state is None or side == UMPIRE:
        return colour_by_index(None)
    return colour_by_index(next((candidate.index for candidate in state.sides if candidate.id == side), None))


def turn_colour(state: State) -> int:
    """Return the colour of the acting side; the neutral colour if several sides act."""
    return side_colour(state, state.acting_sides[0]) if len(state.acting_sides) == 1 else colour_by_index(None)


def step_line(step: Step) -> str:
    """Return a step with its rule and calculation: `• Morale (MM-5.6): 2D6 [4][3] = 7 …`."""
    head = f"• {safe(step.text)} ({safe(str(step.cite))})"
    if step.counted:
        before, after = split_at_verdict(step)
        return f"{head}: {safe(before)}: {dice_with_bold_hits(step.counted)}{safe(after)}"
    line = sum_line(step)
    only_chance = step.chance is not None and line == split_at_verdict(step)[1].strip()
    return f"{head}{' ' if only_chance else ': ' if line else ''}{safe(line)}"


def short_step_line(step: Step) -> str:
    """Return a step as `2D6 4 5, +1 British = 10 against 2 casualties (92% to hold) · MM-5.6`, with hits in bold."""
    before, after = glance.split_at_counted_dice(step)
    return f"{safe(before)}{dice_with_bold_hits(step.counted)}{safe(after)}"


def dice_with_bold_hits(dice: Iterable[CountedDie]) -> str:
    """Return the values of dice, `4 **7** 2`. Dice that hit or kill are bold."""
    return " ".join(f"**{die.value}**" if die.hits else str(die.value) for die in dice)


def prompt_line(prompt: Prompt) -> str:
    """Return a prompt with its rule: `▸ 1st Berkshires: morale under fire (MM-5.2)`."""
    return f"▸ {safe(prompt.text)} ({safe(str(prompt.cite))})"


def short_prompt_line(prompt: Prompt) -> str:
    """Return a prompt without its rule: `▸ 1st Berkshires: morale under fire`. `/turn status` shows the rule."""
    return f"▸ {safe(prompt.text)}"


def footer_line(report: Report, state: State | None, legend: str = "") -> str:
    """Return the last line: the numbers of the throws (to verify the dice), the turn, and the legend."""
    throws = _throws_in_words(report)
    turn = state.turn_title if state and state.over is None else ""
    parts = [part for part in (throws, turn if turn not in report.headline else "", legend) if part]
    return f"-# {safe(' · '.join(parts))}" if parts else ""


def _throws_in_words(report: Report) -> str:
    """Return `throw 4`, `throws 4-7`, or `throws graham-h1-h3, wood-h2` if sides have hidden throws of their own."""
    groups: dict[Viewer | None, list[Throw]] = {}
    for throw in report.throws:
        groups.setdefault(throw.hidden, []).append(throw)
    spans = []
    for throws in groups.values():
        first = throws[0].shown_number if len(groups) == 1 else throws[0].name
        spans.append(first if len(throws) == 1 else f"{first}-{throws[-1].shown_number}")
    return f"throw{'' if len(report.throws) == 1 else 's'} {', '.join(spans)}" if spans else ""


def full_paragraphs(report: Report) -> Iterable[str]:
    """Yield the whole text of a report: headline, steps, outcome, warnings."""
    yield f"### {safe(report.headline)}"
    yield from calculation_paragraphs(report)


def short_paragraphs(report: Report, before: Collection[Standing] = (), most_steps: int | None = None) -> Iterable[str]:
    """Yield the short text of a report: the most important steps, the outcome and the warnings.

    `before` holds the units' conditions before the action. With `most_steps`, omit further steps, and a long outcome.
    """
    lines = [short_step_line(step) for step in glance.short_steps(report)]
    yield limit_lines([f"• {line}" if len(lines) > 1 else line for line in lines], most_steps)
    outcome = glance.outcome_to_tell(report, before)
    yield f"**{safe(outcome)}**" if outcome and (most_steps is None or len(outcome) <= SHORT_OUTCOME) else ""
    yield warning_lines(report.warnings)


def limit_lines(lines: Sequence[str], most: int | None) -> str:
    """Return at most `most` lines (None means all), and a last line with the number of omitted lines."""
    first = lines[:most]
    last_line = [f"-# … and {len(lines) - len(first)} more: *Details*"] if len(first) < len(lines) else []
    return "\n".join((*first, *last_line))


def calculation_paragraphs(report: Report) -> Iterable[str]:
    """Yield the whole text below the headline: steps, outcome, warnings."""
    if report.steps:
        yield "\n".join(step_line(step) for step in report.steps)
    if report.whole_outcome:
        yield f"**{safe(report.whole_outcome)}**"
    if report.warnings:
        yield warning_lines(report.warnings)


def warning_lines(warnings: Iterable[str]) -> str:
    """Return a line `⚠ The range given, …` for each warning."""
    return "\n".join(f"⚠ {safe(warning)}" for warning in warnings)


def add_prompts(card: Card, prompts: Iterable[tuple[str, Sequence[Button]]]) -> None:
    """Add a line for each prompt, with a single button beside it, or several buttons below it.

    If more than MOST_BESIDE prompts have a single button, put those buttons below the lines, too: Discord limits
    components.
    """
    rows = list(prompts)
    singles = [(line, buttons[0]) for line, buttons in rows if len(buttons) == 1]
    if len(singles) > MOST_BESIDE:
        card.text("\n".join(line for line, _ in singles)).buttons([button for _, button in singles])
        rows = [(line, buttons) for line, buttons in rows if len(buttons) != 1]
    for line, buttons in rows:
        if len(buttons) == 1:
            card.add_line_with_button(line, buttons[0])
        else:
            card.text(line).buttons(buttons)


def add_private_prompts(card: Card, game: Game, viewer: Viewer, prompts: Iterable[Prompt]) -> None:
    """Add the visible prompts to the viewer's private card, with buttons for prompts that the viewer may answer.

    A prompt of another side ends with the name of that side.
    """

    def prompt_with_buttons(prompt: Prompt) -> tuple[str, Sequence[Button]]:
        buttons = prompt_buttons(game.id, prompt) if can_answer_prompt(game, viewer, prompt) else ()
        if can_act_for(game, viewer, prompt.side):
            return prompt_line(prompt), buttons
        owner = "the umpire" if prompt.side == UMPIRE else game.name_of(prompt.side)
        return f"{prompt_line(prompt)} · {safe(owner)}", buttons

    add_prompts(card, map(prompt_with_buttons, filter_visible_prompts(game, viewer, prompts)))


def action_card(
    played: Played,
    report: Report,
    picture: Picture | None = None,
    *,
    waiting: OpenPrompts | None = None,
    turn_follows: bool = False,
    most_steps: int | None = None,
) -> Card:
    """Return the card of an action's report, with buttons for the offers.

    Unless the game shows full details, the card has at most `most_steps` steps. With `waiting`, these open prompts
    replace the report's prompts and its offers to pass. With `turn_follows`, the card omits the name of the turn.
    """
    game, entry = played.game, played.entry.name
    brief, before = game.detail != FULL, conditions_before_action(played, report)
    card = Card(side_colour(game.state, report.side)).text(f"### {safe(report.headline)}").picture(picture)
    card.paragraphs(short_paragraphs(report, before, most_steps) if brief else calculation_paragraphs(report))
    numbers = count()

    def make_offer_buttons(offers: Iterable[Offer]) -> list[Button]:
        return [offer_button(game.id, entry, next(numbers), offer) for offer in offers]

    line = short_prompt_line if brief else prompt_line
    prompt_rows = [(line(prompt), make_offer_buttons(prompt.offers)) for prompt in report.prompts]
    offer_buttons = zip(report.offers, make_offer_buttons(report.offers), strict=True)
    if waiting is None:
        add_prompts(card, prompt_rows)
        card.buttons([button for _, button in offer_buttons])
    else:
        waiting.add(card)
        card.buttons([*islice((button for offer, button in offer_buttons if offer.kind != PASS), waiting.free_buttons)])
    state = None if turn_follows else game.state
    if brief:
        legend = glance.mark_legend(chain.from_iterable(map(glance.cites_of_step, glance.short_steps(report))))
        card.add_footer(footer_line(report, state, legend), details_button(game.id, entry) if report.steps else None)
    else:
        card.text(footer_line(report, state))
    return card.text("-# The bot decided so: `/opponent why`") if BOT_ACTOR.id < played.entry.actor.id < 0 else card


def remove_offers(report: Report) -> Report:
    """Return the report without prompts and offers, to make a card without buttons."""
    return report.model_copy(update={"prompts": (), "offers": ()})


def conditions_before_action(played: Played, report: Report) -> Collection[Standing]:
    """Return the condition that each unit in the report's `standing` had before the action."""
    units = [standing.unit for standing in report.standing]
    return played.game.ruleset.unit_standings(played.before, [unit for unit in units if unit in played.before.units])
