"""Reports as cards: the headline, every step with its sum and rule number, the outcome, and what is owed next."""

from collections.abc import Iterable, Sequence

from bot.games import Game
from bot.rights import sees_to
from rules.core.model import UMPIRE, Viewer
from rules.core.report import Owed, Report, Step
from rules.core.state import State
from rules.core.wording import sum_line

from .card import Button, Card, Picture, colour_of, safe
from .offers import offer_button, owed_buttons


def side_colour(state: State | None, side: str) -> int:
    """The accent of a side; the umpire's and nobody's is neutral."""
    if state is None or side == UMPIRE:
        return colour_of(None)
    return colour_of(next((one.index for one in state.sides if one.id == side), None))


def turn_colour(state: State) -> int:
    """The accent of the side that acts; where several do, nobody's."""
    return side_colour(state, state.acting[0]) if len(state.acting) == 1 else colour_of(None)


def step_line(step: Step) -> str:
    """`• Morale (MM-5.6): 2D6 [4][3] = 7 …`."""
    line = sum_line(step)
    return f"• {safe(step.text)} ({safe(str(step.cite))}){': ' + safe(line) if line else ''}"


def owed_line(owed: Owed) -> str:
    """`▸ 1st Berkshires: morale under fire (MM-5.2)`."""
    return f"▸ {safe(owed.text)} ({safe(str(owed.cite))})"


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
        yield "\n".join(f"⚠ {safe(warning)}" for warning in report.warnings)


def add_owed(card: Card, owed: Owed, choices: Sequence[Button]) -> None:
    """A debt with its buttons: one stands beside it, several below."""
    if len(choices) == 1:
        card.beside(owed_line(owed), choices[0])
    else:
        card.text(owed_line(owed)).buttons(choices)


def visible(game: Game, viewer: Viewer, owed: Iterable[Owed]) -> tuple[Owed, ...]:
    """What is owed by units that the viewer knows of, or by no unit."""
    known = {card.id for card in game.ruleset.roster(game.state, viewer)}
    return tuple(one for one in owed if not one.unit or one.unit in known)


def add_all_owed(card: Card, game: Game, owed: Iterable[Owed]) -> None:
    """Debts on a card for everyone: each with all its buttons."""
    for one in owed:
        add_owed(card, one, owed_buttons(game.id, one))


def add_debts(card: Card, game: Game, viewer: Viewer, owed: Iterable[Owed]) -> None:
    """Debts on a card for the viewer alone: theirs with a button for each way to settle them, others' by side."""
    for one in visible(game, viewer, owed):
        if sees_to(game, viewer, one.side):
            add_all_owed(card, game, [one])
        else:
            whose = "the umpire" if one.side == UMPIRE else game.name_of(one.side)
            card.text(f"{owed_line(one)} · {safe(whose)}")


def report_card(
    report: Report,
    state: State | None = None,
    *,
    game: str | None = None,
    seq: int | None = None,
    picture: Picture | None = None,
) -> Card:
    """The card of a report; with `game` and `seq`, its journal entry, the offers are buttons (owed first)."""
    card = Card(side_colour(state, report.side))
    for paragraph in paragraphs(report):
        card.text(paragraph)
    card.picture(picture)
    index = 0
    for owed in report.owed:
        if game is None or seq is None:
            card.text(owed_line(owed))
            continue
        choices = [offer_button(game, seq, index + n, offer) for n, offer in enumerate(owed.offers)]
        index += len(choices)
        add_owed(card, owed, choices)
    if game is not None and seq is not None:
        card.buttons([offer_button(game, seq, index + n, offer) for n, offer in enumerate(report.offers)])
    return card.text(footer(report, state))
