"""The form that asks people for facts of an action, such as the range on a table without positions."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import discord
from discord import ui

from bot.errors import Stale
from bot.games.rights import require_right_to_act
from bot.journal.game import Game
from cogs.kit import reply
from cogs.kit.cards.card import MOST_CUSTOM_ID, shorten
from cogs.kit.cards.menu import MOST_LETTERS, MOST_OPTIONS, make_option
from cogs.kit.controls.control import UNREADABLE
from cogs.kit.controls.form import BETWEEN, Form
from cogs.kit.request import Interaction, actor_of
from rules.core.ad_hoc import FactsToAsk
from rules.core.number_words import with_digits
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.typed_text import NUMBER, read_number, simplify_signs
from rules.core.unit_lookup import TARGET
from rules.core.wording import as_words

SAID = "said"
WORDS = "with"
MOST_TITLE = 45
MOST_TYPED = 100
TO = "to"
LABELS: Mapping[str, tuple[str, str]] = {
    "range": ("Range in inches", "As you measure it on your table: 7 or 7.5"),
    "contact": ("Figures in contact", "Leave empty for as many as possible"),
    "dice": ("Dice that can fire", "Leave empty for all of them"),
    TO: ("How far off, in inches", "They make contact if their move reaches that far"),
}
"""Label and description of each input."""
LENGTH = re.compile(rf"({NUMBER})\s*(?:\"|''|in|inch|inches)?", re.IGNORECASE)


class MeasurementForm(Form, action=SAID, title="Facts only you know"):
    """A form with an input for each question about an action. The inputs' custom ids carry the action."""

    def __init__(self, facts: FactsToAsk, game: Game, title: str, carried: str) -> None:
        """Create the form. `carried` is the action as JSON, for the custom ids.

        Raises ValueError if `carried` is too long for the inputs' custom ids.
        """
        super().__init__()
        self.title = shorten(title, MOST_TITLE)
        for label in _build_inputs(facts, game, carried):
            self.add_item(label)


async def open_form(interaction: Interaction, game: Game, action: Action, *, only_if_required: bool = False) -> bool:
    """Open the form if people may state facts of the action, such as a range. Return whether it opened.

    With `only_if_required`, open it only if a fact is required. The form cannot open after an answer, or if the action
    is too long for the custom ids. Raises NotAllowed if the user may not do the action.
    """
    view = game.ruleset.view(game.state, game.viewer(interaction.user.id))
    facts: FactsToAsk | None = game.ruleset.facts_to_ask(view, action)
    if facts is None or reply.is_answered(interaction) or (only_if_required and not facts.needed):
        return False
    require_right_to_act(game, actor_of(interaction), action)
    args = action.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    carried = json.dumps([game.id, action.kind, args], separators=(",", ":"), ensure_ascii=False)
    unit, target = (unit_name(game, getattr(action, field, None)) for field in ("unit", TARGET))
    try:
        form = MeasurementForm(facts, game, f"{unit}: {as_words(action.kind)} {target}".strip(), carried)
    except ValueError:
        return False
    await form.open(interaction)
    return True


def unit_name(game: Game, unit: str | None) -> str:
    """Return the name of the unit with the id `unit`, or an empty string without such a unit."""
    named_unit = game.state.every_unit.get(unit or "")
    return named_unit.name if named_unit is not None else ""


def read_custom_id_data(words: Mapping[str, str]) -> Any:
    """Return the data in the custom ids of a form's inputs. Raises Stale if the ids cannot be read."""
    parts = sorted((key.split(BETWEEN, 2) for key in words), key=lambda part: part[0])
    try:
        return json.loads("".join(part[2] for part in parts))
    except (ValueError, IndexError):
        raise Stale(UNREADABLE) from None


def read_answers(words: Mapping[str, str], args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the action's arguments `args` with the form's answers. Raises Refused for an invalid number."""
    answers = dict(args)
    for key, text in words.items():
        field = key.split(BETWEEN, 2)[1]
        if field == WORDS:
            answers[WORDS] = [*answers.get(WORDS, ()), *text.splitlines()]
        elif field == TARGET:
            answers[TARGET] = text
        elif text.strip():
            number = parse_inches(text, LABELS[field][0])
            answers[field] = f"{answers.get(TO, '')} {number}".strip() if field == TO else number
    return answers


def parse_inches(text: str, name: str) -> str:
    """Return typed inches (`7`, `7,5`, `7½`, `7"` or `seven`) in digits. Raises Refused, naming the input `name`."""
    match = LENGTH.fullmatch(with_digits(simplify_signs(text).strip()))
    if match is None:
        raise Refused(f"{name}: “{text.strip()[:40]}” is not a number. Write it as 7 or 7.5. Nothing was done.")
    return f"{float(read_number(match[1])):.3f}".rstrip("0").rstrip(".")


def _build_inputs(facts: FactsToAsk, game: Game, carried: str) -> Iterator[ui.Label[MeasurementForm]]:
    """Yield the inputs: target, fields, circumstances. Raises ValueError if `carried` is too long for custom ids."""
    fields = [*([TARGET] if facts.targets else ()), *(field for field in facts.fields if field != TARGET)]
    fields += [WORDS] if facts.words else []
    remaining = carried
    for number, field in enumerate(fields):
        head = f"{number}{BETWEEN}{field}{BETWEEN}"
        part, remaining = remaining[: MOST_CUSTOM_ID - len(head)], remaining[MOST_CUSTOM_ID - len(head) :]
        yield _build_input(facts, game, field, head + part)
    if remaining:
        raise ValueError(remaining)


def _build_input(facts: FactsToAsk, game: Game, field: str, custom_id: str) -> ui.Label[MeasurementForm]:
    if field == TARGET:
        targets = [make_option(unit_name(game, unit), unit) for unit in facts.targets[:MOST_OPTIONS]]
        menu: ui.Select[MeasurementForm] = ui.Select(custom_id=custom_id, options=targets)
        note = f"{len(facts.targets) - MOST_OPTIONS} more do not fit in here: name one as target: of the command"
        return ui.Label(text="Target", description=note if len(facts.targets) > MOST_OPTIONS else None, component=menu)
    if field == WORDS:
        circumstances = game.ruleset.circumstances
        meanings = (
            (word, circumstances[word].meaning if word in circumstances else "") for word in facts.words[:MOST_OPTIONS]
        )
        options = [make_option(word, word, meaning) for word, meaning in meanings]
        words: ui.Select[MeasurementForm] = ui.Select(
            custom_id=custom_id,
            options=options,
            min_values=0,
            max_values=len(options),
            required=False,
            placeholder="Nothing",
        )
        return ui.Label(text="Circumstances", description="As it stands on your table", component=words)
    label, description = LABELS[field]
    text_input: ui.TextInput[MeasurementForm] = ui.TextInput(
        custom_id=custom_id, style=discord.TextStyle.short, required=field in facts.needed, max_length=MOST_TYPED
    )
    return ui.Label(text=label, description=shorten(description, MOST_LETTERS), component=text_input)
