"""`/game new scenario:own`: a bare table, described in a form of five inputs."""

from collections.abc import Mapping
from typing import Any

from bot.errors import UserError
from bot.games.new_game import clean_game_name
from cogs.kit import reply
from cogs.kit.cards.card import WARNING, Card, safe
from cogs.kit.controls.control import PersistentButton
from cogs.kit.controls.form import BETWEEN, Form, read_first_input
from cogs.kit.panels.army import code_block, read_army_lines
from cogs.kit.panels.lay_out import LayOutButton
from cogs.kit.request import Interaction, actor_of, channel_of, require_no_room
from rules.core.own_battles import require_bare_tables
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.tabletop.battle import NONE
from rules.core.tabletop.own_table import FIELDS, ID, OWN, TITLE
from rules.registry import rulesets

from . import opening_message, real_table

__all__ = ["OWN", "ReopenFormButton", "open_table_form"]

BARE = "bare"
MOST_TYPED = 200
MAP_INPUTS = ("size", "ground")
"""Inputs that describe the map. Games without positions omit these inputs."""
NAME, NAMED = "name", "Name of the game"
ASKED: Mapping[str, tuple[str, str]] = {
    "size": ("Size of the table", "In inches, feet or centimetres, such as 72 x 48 inches or 6 x 4 feet"),
    "ground": ("Ground", "desert, veld, hills or green"),
    "sides": ("Sides and their edges", "Two, one a line, each with its edge: north, east, south or west"),
    "first": ("Who begins", "One of the two sides; the first of them if you leave it empty"),
    "turns": ("Turns", "How many the battle has, from 1 to 99"),
}
NEXT = (
    "**Set-up.** Nothing counts yet and nothing is thrown. *Write ground and armies* takes all of it in one form, a "
    "line each; or `/terrain add` puts ground on, `/army add` or `/army write` an army, `/unit add` a unit. `/move "
    "unit: to:C3 NW facing south` puts units anywhere, `/unit remove` takes them off, `/game undo` takes back. Players "
    "sit down by the buttons and move their own side. `/turn next` looks over the table and begins the battle."
)
NO_SYSTEM = "There is no such rule system any more. Give /game new again."
NO_SIDE = "Leave “side” out: the form asks for the sides, and you sit down by the buttons under the table."


class OwnTableForm(Form, action=BARE, title="A table of your own"):
    """The form for a bare table: five inputs, each with a default value."""

    def __init__(self, rules: str, positions: str, name: str, inputs: Mapping[str, str] | None = None) -> None:
        """Create the form with the `inputs` typed before, or with default values.

        A game without positions gets no inputs for size and ground.
        """
        super().__init__()
        texts = default_inputs(rulesets()[rules]) if inputs is None else inputs
        for field, (label, description) in ASKED.items():
            if positions == NONE and field in MAP_INPUTS:
                continue
            key, is_long = BETWEEN.join((field, rules, positions, name)), "\n" in FIELDS[field]
            text = texts.get(field, "")
            self.add_text(key, label, description, most=MOST_TYPED, text=text, is_long=is_long, is_required=False)

    @classmethod
    async def submit(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Start the game with its set-up. If an input is wrong, say why and offer the form again."""
        (_, rules, positions, name), _ = read_first_input(words, 4)
        system = rulesets().get(rules)
        if system is None:
            raise UserError(NO_SYSTEM)
        inputs = {key.split(BETWEEN, 1)[0]: text for key, text in words.items()}
        try:
            document = require_bare_tables(system).make_document(inputs, name or TITLE)
        except Refused as refused:
            lines = [f"{NAMED}: {name}"] if name else []
            lines += [f"{ASKED[field][0]}: {text}" for field, text in inputs.items() if field in ASKED]
            card = Card(WARNING).text(safe(str(refused))).text("You wrote:").text(code_block("\n".join(lines)))
            button = ReopenFormButton("Write it again", rules=rules, positions=positions)
            await reply.send(interaction, card.buttons([button]), private=True)
            return
        await start_bare_table(interaction, system.id, name, document, positions)


class ReopenFormButton(PersistentButton, action=BARE, fields=("rules", "positions")):
    """The button that opens the form again with the earlier inputs."""

    async def handle(self, interaction: Interaction) -> None:
        """Open the form with the earlier inputs. Raises Stale, and UserError if the rule system is unknown."""
        if self.fields["rules"] not in rulesets():
            raise UserError(NO_SYSTEM)
        inputs = parse_input_lines(read_army_lines(interaction.message))
        form = OwnTableForm(self.fields["rules"], self.fields["positions"], inputs.get(NAME, ""), inputs)
        await form.open(interaction)


def parse_input_lines(lines: str) -> Mapping[str, str]:
    """Parse lines such as `Ground: veld` into the form's inputs and the game's name.

    A refusal shows the typed text as such lines, so that the form can be opened again with it.
    """
    keys = {label: field for field, (label, _) in ASKED.items()} | {NAMED: NAME}
    words: dict[str, str] = {}
    last = ""
    for line in lines.splitlines():
        label, colon, text = line.partition(":")
        if colon and label in keys and keys[label] not in words:
            last = keys[label]
            words[last] = text.strip()
        elif last:
            words[last] = f"{words[last]}\n{line}".strip()
    return words


def default_inputs(system: Ruleset[Any]) -> Mapping[str, str]:
    """Return the default values of the form's inputs. The sides are those of the system's first battle."""
    south, north = next(iter(system.scenarios.values())).sides[:2]
    return {**FIELDS, "sides": f"{south}, south\n{north}, north", "first": ""}


async def open_table_form(
    interaction: Interaction, system: Ruleset[Any], side: str | None, name: str | None, positions: str
) -> None:
    """Open the form. Raises Refused if the system has no tables in inches, UserError if `side` is given."""
    require_bare_tables(system).make_document({}, TITLE)
    if side is not None:
        raise UserError(NO_SIDE)
    await OwnTableForm(system.id, positions, clean_game_name(name or "")).open(interaction)


async def start_bare_table(interaction: Interaction, rules: str, name: str, document: bytes, positions: str) -> None:
    """Start the game, and show everyone the bare table."""
    require_no_room(interaction, "Give /game new")
    work = interaction.client.games.starter.start(
        channel_of(interaction),
        interaction.guild_id,
        actor_of(interaction),
        rules,
        ID,
        name=name or TITLE,
        choices=real_table.scenario_choices_for_positions(positions),
        title=name or TITLE,
        document=document,
        interaction=interaction.id,
    )
    played = await reply.carry_out(interaction, work)
    words = real_table.NEXT if positions == NONE else NEXT
    button = LayOutButton("Write ground and armies", game=played.game.id)
    await opening_message.send_opening_message(interaction, played.game, words, buttons=(button,))
