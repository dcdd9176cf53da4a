"""`/army`: put whole armies on a table measured in inches: printed lists, typed armies, or the user's own armies."""

import asyncio
from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.games.stored_armies import LONGEST_NAME, StoredArmy, normalize_name
from bot.journal.game import Game
from rules.core import naming as names
from rules.core.own_battles import require_army_book
from rules.core.state import Action
from rules.registry import rulesets

from .kit import game_actions, reply
from .kit.cards.card import Card, safe
from .kit.command_traits import mark_action_kinds, mark_as_look_up, offer_in_servers
from .kit.game_actions import perform_action
from .kit.lookup import completion, name_lookup
from .kit.lookup.notes import add_note, strip_note
from .kit.option_types import Name
from .kit.panels import army_choices
from .kit.panels.army import ArmyForm, add_unit_lines, fit_unit_lines, keep_army, show_army_preview
from .kit.request import Interaction, actor_of, channel_of, game_of, storage_key_of

OWN_PREFIX = "kept "
"""Prefix that marks the key of a user's own army in a mapping. Keys of printed lists have no prefix."""
ArmyName = app_commands.Range[str, 1, LONGEST_NAME]


async def list_kept_armies(interaction: Interaction, ruleset: str | None = None) -> Sequence[StoredArmy]:
    """Return the armies that the user keeps in this server, for one rule system or all."""
    return await interaction.client.armies.list(storage_key_of(interaction), interaction.user.id, ruleset)


@completion.game_completer
def complete_army_lists(game: Game) -> completion.NamedValues:
    """Complete `list` with the printed lists of the game's system."""
    return require_army_book(game.ruleset).army_list_titles.items()


@completion.safe_completer
async def complete_own_and_printed_armies(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `list` with the user's own armies and the printed lists of the game's system."""
    game = await game_of(interaction)
    own = ((army.name, add_note(army.name, "yours")) for army in await list_kept_armies(interaction, game.ruleset.id))
    return completion.match_choices(current, (*own, *require_army_book(game.ruleset).army_list_titles.items()))


@completion.safe_completer
async def complete_own_armies(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `name` with the user's own armies for the game's system."""
    game = await game_of(interaction)
    own = await list_kept_armies(interaction, game.ruleset.id)
    return completion.match_values(current, (army.name for army in own))


@completion.safe_completer
async def complete_own_armies_of_all_systems(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `name` with all of the user's own armies in this server."""
    own = await list_kept_armies(interaction)
    return completion.match_choices(current, ((army.key, army_title(army)) for army in own))


def army_title(army: StoredArmy) -> str:
    """Return the army's name with its rule system: `The Camel Corps · Magdala to Mafeking`."""
    system = rulesets().get(army.ruleset)
    return add_note(army.name, system.title if system is not None else army.ruleset)


def find_army_list(game: Game, name: str) -> str:
    """Return the key of the printed list named `name`. Raises Refused with the nearest names."""
    return names.resolve_name(
        strip_note(name), require_army_book(game.ruleset).army_list_titles, "There is no list {}."
    )


def find_kept_army(armies: Sequence[StoredArmy], name: str) -> StoredArmy:
    """Return the user's own army named `name`. Raises Refused with the nearest names."""
    unknown = "You keep no force {} here." if armies else "You keep no force {} here: /army save keeps one."
    key = names.resolve_name(strip_note(name), {army.key: army.name for army in armies}, unknown)
    return next(army for army in armies if army.key == key)


@offer_in_servers
class ArmyCog(commands.GroupCog, group_name="army", group_description="Whole armies put on the table"):
    """The commands `/army`."""

    @mark_as_look_up
    @app_commands.command(name="list")
    async def list_(self, interaction: Interaction) -> None:
        """The printed lists of this game's rules, and the forces that you keep."""
        game = await reply.wait_for(interaction, game_of(interaction), private=True)
        lines = "\n".join(f"- {safe(name)}" for name in require_army_book(game.ruleset).army_list_titles.values())
        card = Card().text(f"### Armies of {safe(game.ruleset.title)}").text(lines)
        own = await list_kept_armies(interaction, game.ruleset.id)
        if own:
            own_lines = fit_unit_lines((f"- {safe(army.name)}" for army in own), "of them")
            card.text("**Yours, which you alone see**").text(own_lines)
        card.text(
            "-# `/army show` tells one, `/army add` puts a printed one on, `/army load` one of yours, `/army write` "
            "one in your own lines."
        )
        await reply.send(interaction, card, private=True)

    @mark_as_look_up
    @app_commands.command()
    @app_commands.describe(list="The printed list, or a force that you keep")
    @app_commands.autocomplete(list=complete_own_and_printed_armies)
    async def show(self, interaction: Interaction, list: Name) -> None:  # noqa: A002
        """The units, the strength and the choices of an army."""
        game = await reply.wait_for(interaction, game_of(interaction), private=True)
        book, armies = require_army_book(game.ruleset), await list_kept_armies(interaction, game.ruleset.id)
        own = {f"{OWN_PREFIX}{army.key}": army for army in armies}
        name = strip_note(list)
        own_key = next((key for key, army in own.items() if normalize_name(army.name) == normalize_name(name)), None)
        all_armies = {**{key: army.name for key, army in own.items()}, **book.army_list_titles}
        key = own_key or names.resolve_name(name, all_armies, "There is no army {}.")
        if key in own:
            summary = await asyncio.to_thread(book.summarize_lines, own[key].lines)
            card = add_unit_lines(Card().text(f"### {safe(own[key].name)}"), summary)
            if summary.doubts:
                card.text(f"⚠ {len(summary.doubts)} of its lines are no longer clear: `/army load` shows them.")
            await reply.send(interaction, card, private=True)
            return
        card = add_unit_lines(Card().text(f"### {safe(book.army_list_titles[key])}"), book.summarize_list(key))
        card.text("\n".join(army_choices.army_choice_lines(game, key)))
        await reply.send(interaction, card, private=True)

    @mark_action_kinds("muster")
    @app_commands.command()
    @app_commands.describe(list="The printed list", side="The side of this game that gets it")
    @app_commands.autocomplete(list=complete_army_lists, side=completion.complete_sides)
    async def add(self, interaction: Interaction, list: Name, side: Name) -> None:  # noqa: A002
        """Put a printed list on the table, drawn up before its side's edge."""
        game = await reply.wait_for(interaction, game_of(interaction))
        key = find_army_list(game, list)
        if require_army_book(game.ruleset).choices_of_list(key):
            card = army_choices.army_list_card(game, name_lookup.find_side_id(game.state, side), key)
            await reply.send(interaction, card, private=True)
            return
        await perform_action(interaction, "muster", lambda game: {"side": side, "battle": find_army_list(game, list)})

    @app_commands.command()
    @app_commands.describe(side="The side whose units are removed, all of them")
    @app_commands.autocomplete(side=completion.complete_sides)
    async def remove(self, interaction: Interaction, side: Name) -> None:
        """Remove all units of a side, as if they had never been there; undo restores them."""

        def make_removal_actions(game: Game) -> Sequence[Action]:
            _ = require_army_book(game.ruleset)  # raises on systems without an army book
            side_id = name_lookup.find_side_id(game.state, side)
            kind = game.ruleset.kind_meant_now(game.state, "remove_unit")
            cards = game.ruleset.roster(game.state, game.viewer(interaction.user.id))
            units = [card.id for card in cards if card.side == side_id and card.id in game.state.every_unit]
            if not units:
                raise UserError(f"{game.state.side(side_id):The} have no units to remove.")
            return [game.ruleset.parse(kind, {"unit": unit}) for unit in units]

        await game_actions.perform_actions(interaction, make_removal_actions)

    @app_commands.command()
    @app_commands.describe(side="The side of this game that gets it")
    @app_commands.autocomplete(side=completion.complete_sides)
    async def write(self, interaction: Interaction, side: Name) -> None:
        """Write an army in plain lines, such as “24 British regulars, breechloaders: 1st Berkshires”."""
        game = await game_of(interaction)
        await ArmyForm(game, name_lookup.find_side_id(game.state, side)).open(interaction)

    @app_commands.command()
    @app_commands.describe(name="What to call it; the same name again replaces it", side="The side whose force it is")
    @app_commands.autocomplete(name=complete_own_armies, side=completion.complete_sides)
    async def save(self, interaction: Interaction, name: ArmyName, side: Name) -> None:
        """Keep what a side has on the table, for yourself and this server."""

        async def write_army() -> tuple[Game, str]:
            games = interaction.client.games
            game = await games.running_or_last_game(channel_of(interaction))
            side_id = name_lookup.find_side_id(game.state, side)
            return game, await games.table_exports.write_army_lines(game, actor_of(interaction), side_id)

        game, lines = await reply.wait_for(interaction, write_army(), private=True)
        await keep_army(interaction, game, name, lines)

    @app_commands.command()
    @app_commands.describe(name="The force that you keep", side="The side of this game that gets it")
    @app_commands.autocomplete(name=complete_own_armies, side=completion.complete_sides)
    async def load(self, interaction: Interaction, name: ArmyName, side: Name) -> None:
        """Put a force that you keep on the table, drawn up before its side's edge."""
        game = await game_of(interaction)
        side_id, book = name_lookup.find_side_id(game.state, side), require_army_book(game.ruleset)
        army = find_kept_army(await list_kept_armies(interaction, game.ruleset.id), name)
        if (await asyncio.to_thread(book.summarize_lines, army.lines)).doubts:
            await show_army_preview(interaction, game, side_id, army.lines)
            return
        await perform_action(interaction, "muster", {"side": side_id, "lines": army.lines})

    @app_commands.command()
    @app_commands.describe(name="The force that you keep")
    @app_commands.autocomplete(name=complete_own_armies_of_all_systems)
    async def forget(self, interaction: Interaction, name: Name) -> None:
        """Take away a force that you keep."""

        async def forget_army() -> StoredArmy:
            army = find_kept_army(await list_kept_armies(interaction), name)
            await interaction.client.armies.delete_army(storage_key_of(interaction), interaction.user.id, army)
            return army

        army = await reply.carry_out(interaction, forget_army(), private=True)
        await reply.send(interaction, Card().text(f"You no longer keep **{safe(army_title(army))}**."), private=True)
