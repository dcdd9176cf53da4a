"""Reports as cards: the headline, every step with its sum and rule number, the outcome, and what the game waits for."""

from collections.abc import Iterable, Sequence
from itertools import count

from bot.games import Game
from bot.rights import acts_for, may_settle
from rules.core.model import UMPIRE, Viewer
from rules.core.report import Offer, Prompt, Report, Step
from rules.core.state import State
from rules.core.wording import sum_line

from .card import Button, Card, Picture, colour_of, safe
from .offers import offer_button, prompt_buttons

MOST_BESIDE = 5
"""Prompts with a button beside the line; where there are more, the buttons come together."""


def side_colour(state: State | None, side: str) -> int:
    """The accent of a side; the umpire's and nobody's is neutral."""
    if state is None or side == UMPIRE:
        return colour_of(None)
    return colour_of(next((one.index for one in state.sides if one.id == side), None))


def turn_colour(state: State) -> int:
    """The accent of the side that acts; where several do, nobody's."""
    return side_colour(state, state.acting[0]) if len(state.acting) == 1 else colour_of(None)


def step_line(step: Step) -> str:
    """`• Morale (MM-5.6): 2D6 [4][3] = 7 …`; a chance alone stands without the colon."""
    line = sum_line(step)
    mark = "" if not line else " " if line.startswith("(") else ": "
    return f"• {safe(step.text)} ({safe(str(step.cite))}){mark}{safe(line)}"


def prompt_line(prompt: Prompt) -> str:
    """`▸ 1st Berkshires: morale under fire (MM-5.2)`."""
    return f"▸ {safe(prompt.text)} ({safe(str(prompt.cite))})"


def footer(report: Report, state: State | None) -> str:
    """The numbers of the throws, by which anyone can verify them, and the turn."""
    numbers = [throw.number for throw in report.throws]
    thrown = f"throw {numbers[0]}" if len(numbers) == 1 else f"throws {numbers[0]}-{numbers[-1]}" if numbers else ""
    turn = state.turn_title if state else ""
    parts = [part for part in (thrown, turn if turn not in report.headline else "") if part]
    return f"-# {safe(' · '.join(parts))}" if parts else ""


def paragraphs(report: Report) -> Iterable[str]:
    """The text of a report: headline, steps, outcome, warnings."""
    yield f"### {safe(report.headline)}"
    yield from body(report)


def body(report: Report) -> Iterable[str]:
    """The text under the headline."""
    if report.steps:
        yield "\n".join(step_line(step) for step in report.steps)
    if report.outcome:
        yield f"**{safe(report.outcome)}**"
    if report.warnings:
        yield warning_lines(report.warnings)


def warning_lines(warnings: Iterable[str]) -> str:
    """`⚠ The range given, …`: a line each."""
    return "\n".join(f"⚠ {safe(warning)}" for warning in warnings)


def add_prompts(card: Card, prompts: Iterable[tuple[str, Sequence[Button]]]) -> None:
    """A line for each prompt with its buttons: a single button beside the line, several below it.

    Where many prompts have a single button, their lines come first and the buttons below: so a message holds more.
    """
    listed = list(prompts)
    ones = [(line, buttons[0]) for line, buttons in listed if len(buttons) == 1]
    if len(ones) > MOST_BESIDE:
        card.text("\n".join(line for line, _ in ones)).buttons([button for _, button in ones])
        listed = [(line, buttons) for line, buttons in listed if len(buttons) != 1]
    for line, buttons in listed:
        if len(buttons) == 1:
            card.beside(line, buttons[0])
        else:
            card.text(line).buttons(buttons)


def visible(game: Game, viewer: Viewer, prompts: Iterable[Prompt]) -> tuple[Prompt, ...]:
    """The prompts of units that the viewer knows of, and those of no unit."""
    known = {card.id for card in game.ruleset.roster(game.state, viewer)}
    return tuple(one for one in prompts if not one.unit or one.unit in known)


def add_all_prompts(card: Card, game: Game, prompts: Iterable[Prompt]) -> None:
    """Prompts on a card for everyone: each with all its buttons."""
    add_prompts(card, ((prompt_line(one), prompt_buttons(game.id, one)) for one in prompts))


def add_own_prompts(card: Card, game: Game, viewer: Viewer, prompts: Iterable[Prompt]) -> None:
    """Prompts on a card for the viewer alone: their own with buttons, those of others with the name of the side.

    A button stands where the viewer may press it: for what has no choice in it anybody at the table may.
    """

    def shown(one: Prompt) -> tuple[str, Sequence[Button]]:
        buttons = prompt_buttons(game.id, one) if may_settle(game, viewer, one) else ()
        if acts_for(game, viewer, one.side):
            return prompt_line(one), buttons
        whose = "the umpire" if one.side == UMPIRE else game.name_of(one.side)
        return f"{prompt_line(one)} · {safe(whose)}", buttons

    add_prompts(card, map(shown, visible(game, viewer, prompts)))


def report_card(
    report: Report,
    state: State | None = None,
    *,
    game: str | None = None,
    seq: int | None = None,
    picture: Picture | None = None,
    last: Sequence[Button] = (),
) -> Card:
    """The card of a report; with `game` and `seq`, its journal entry, the offers are buttons, prompts first.

    `last` are buttons that stand behind them.
    """
    card = Card(side_colour(state, report.side))
    for paragraph in paragraphs(report):
        card.text(paragraph)
    card.picture(picture)
    if game is None or seq is None:
        card.text("\n".join(map(prompt_line, report.prompts)))
        return card.text(footer(report, state))
    numbers = count()

    def offered(offers: Iterable[Offer]) -> list[Button]:
        return [offer_button(game, seq, next(numbers), offer) for offer in offers]

    add_prompts(card, [(prompt_line(prompt), offered(prompt.offers)) for prompt in report.prompts])
    return card.buttons([*offered(report.offers), *last]).text(footer(report, state))
