"""Standing answers in words: answers that a player gives in advance to prompts of one kind (an *occasion*)."""

from collections.abc import Sequence
from typing import Any

from bot.journal.game import Game
from bot.order_sheets.model import Sheet
from cogs.kit.cards.card import safe, shorten
from rules.core.model import Viewer
from rules.core.standing_answers import Occasion, StandingAnswer
from rules.core.state import State
from rules.core.wording import join_with_and

STANDING = "standing"
"""Kind of control: the buttons of the card of standing answers, and the button that opens it."""
MOST_NAMED = 4
"""Maximum number of units that a line names."""
MOST_OF_LINE = 300
"""Maximum length of a line's answers in characters."""


def standing_answer_lines(game: Game, viewer: Viewer, sheet: Sheet) -> list[str]:
    """Return a line for each occasion with standing answers: `Answering fire: always answer; Guards: hold fire`."""
    view, occasions = game.ruleset.view(game.state, viewer), game.ruleset.occasions.items()
    lines = (occasion_line(occasion, answers_for_occasion(sheet, key), view) for key, occasion in occasions)
    return [line for line in lines if line]


def occasion_line(occasion: Occasion[Any], answers: Sequence[StandingAnswer], view: State) -> str:
    """Return a line with the occasion's standing answers, those for the whole side first, or an empty string."""
    if not answers:
        return ""
    parts = []
    for answer in sorted(answers, key=lambda standing_answer: bool(standing_answer.units)):
        names = [view.units[unit].name for unit in answer.units if unit in view.units]
        if answer.units and not names:
            continue
        if len(names) > MOST_NAMED:
            names = [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} more"]
        units = f"{join_with_and(names)}: " if names else ""
        parts.append(units + occasion.describe_answer(answer))
    return f"**{occasion.title}**: {safe(shorten('; '.join(parts), MOST_OF_LINE))}" if parts else ""


def answers_for_occasion(sheet: Sheet, occasion: str) -> list[StandingAnswer]:
    """Return the sheet's standing answers for the occasion with this id."""
    return [answer for answer in sheet.standing if answer.occasion == occasion]
