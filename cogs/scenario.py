"""`/scenario`: list, show, upload, save and remove battles that can be played."""

import asyncio
import json
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import BadFile, UserError
from bot.games.new_game import clean_game_name
from bot.games.save_as_scenario import choose_scenario_id
from bot.games.uploaded_scenarios import MAX_BYTES, UploadedScenario
from bot.jobs.scenario import LONGEST_NAME
from bot.journal.game import Game
from rules.core import naming as names
from rules.core.own_battles import NOT_WRITTEN
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset, Scenario
from rules.registry import rulesets

from .kit import reply
from .kit.cards.card import Card, safe
from .kit.command_traits import mark_as_look_up, offer_everywhere
from .kit.lookup import battles, completion, name_lookup
from .kit.lookup.battles import ListedBattle
from .kit.option_types import Name
from .kit.request import Interaction, actor_of, can_manage_server, channel_of, storage_key_of

STANDS, BEGAN = "stands", "began"
MAP_ALONE = "That file is only a map. Give the campaign it belongs to as `file`. Nothing was changed."
NO_FILE = "{title} has no file that you could upload again. /scenario upload shows how a scenario is written."


@completion.safe_completer
async def complete_removable_uploads(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `scenario` with uploads here that the user may remove."""
    uploads, user = await interaction.client.uploads.list(storage_key_of(interaction)), interaction.user.id
    may_remove_all = can_manage_server(interaction)
    removable = [upload for upload in uploads if may_remove_all or upload.author.id == user]
    titles = ((f"{upload.ruleset} {upload.scenario.id}", upload.scenario.title) for upload in removable)
    return completion.match_choices(current, titles)


@offer_everywhere
class ScenarioCog(commands.GroupCog, group_name="scenario", group_description="The battles that can be played"):
    """The commands `/scenario`."""

    @mark_as_look_up
    @app_commands.command(name="list")
    @app_commands.describe(rules="Only those of this rule system")
    @app_commands.autocomplete(rules=completion.complete_rule_systems)
    async def list_(self, interaction: Interaction, rules: Name | None = None) -> None:
        """All battles, by rule system."""
        system = name_lookup.find_system_by_name(rules) if rules else None
        listed_battles = await battles.list_battles(interaction, system)
        card = Card()
        for title in dict.fromkeys(battle.system.title for battle in listed_battles):
            lines = [listed_battle_line(battle) for battle in listed_battles if battle.system.title == title]
            card.text(f"### {safe(title)}\n" + "\n".join(lines))
        card.text("-# `/scenario show` has the briefing, `/game new` starts one.")
        await reply.send(interaction, card, private=True)

    @mark_as_look_up
    @app_commands.command()
    @app_commands.describe(scenario="The battle", file="Attach its file, too, as a pattern for your own")
    @app_commands.autocomplete(scenario=completion.complete_scenarios)
    async def show(self, interaction: Interaction, scenario: Name, file: bool = False) -> None:
        """The briefing of a battle, its sides and what can be chosen."""
        battle = await battles.find_battle(interaction, scenario)
        system, chosen_scenario = battle.system, battle.scenario
        card = Card().text(f"### {safe(chosen_scenario.title)}\n{safe(system.title)}")
        card.text(safe(chosen_scenario.briefing)).text(scenario_fact_lines(chosen_scenario))
        card.text(start_command_line(system, chosen_scenario))
        if file:
            name, data = await load_scenario_file(interaction, battle)
            card.text(f"-# Change the id, the title and what you like, then `/scenario upload rules:{system.id}`.")
            card.attach(name, data)
        await reply.send(interaction, card, private=True)

    @app_commands.command()
    @app_commands.rename(map_file="map")
    @app_commands.describe(
        rules="Its rule system",
        file="The scenario; leave it out to get the format and an example as files",
        map_file="The campaign's map, if it is a separate text file",
    )
    @app_commands.autocomplete(rules=completion.complete_rule_systems)
    async def upload(
        self,
        interaction: Interaction,
        rules: Name,
        file: discord.Attachment | None = None,
        map_file: discord.Attachment | None = None,
    ) -> None:
        """Keeps a scenario of your own for this server; it is started like any other."""
        system = name_lookup.find_system_by_name(rules)
        if file is None:
            if map_file is not None:
                raise UserError(MAP_ALONE)
            await send_scenario_schema(interaction, system)
            return
        for size in (attachment.size for attachment in (file, map_file) if attachment is not None):
            if size > MAX_BYTES:
                raise BadFile(f"That file has {size:,} bytes; the limit is {MAX_BYTES:,}. Nothing was changed.")

        async def store_upload() -> UploadedScenario:
            uploads, scope = interaction.client.uploads, storage_key_of(interaction)
            map_ = None if map_file is None else await map_file.read()
            return await uploads.store_scenario(scope, actor_of(interaction), system.id, await file.read(), map_)

        await reply.send(interaction, upload_card(await reply.carry_out(interaction, store_upload()), system))

    @app_commands.command()
    @app_commands.describe(scenario="The scenario that was uploaded here")
    @app_commands.autocomplete(scenario=complete_removable_uploads)
    async def remove(self, interaction: Interaction, scenario: Name) -> None:
        """Remove a scenario that you uploaded, or anybody's if you may manage the server."""

        async def remove_upload() -> UploadedScenario:
            uploads, scope = interaction.client.uploads, storage_key_of(interaction)
            uploads_by_key = {f"{upload.ruleset} {upload.scenario.id}": upload for upload in await uploads.list(scope)}
            titles = {key: upload.scenario.title for key, upload in uploads_by_key.items()}
            ids = {key: (upload.scenario.id,) for key, upload in uploads_by_key.items()}
            upload = uploads_by_key[names.resolve_name(scenario, titles, "There is no uploaded scenario {} here.", ids)]
            actor, manages = actor_of(interaction), can_manage_server(interaction)
            return await uploads.remove(scope, actor, upload.ruleset, upload.scenario.id, manages=manages)

        removed = await reply.carry_out(interaction, remove_upload())
        text = f"**{safe(removed.scenario.title)}**, uploaded by {safe(removed.author.name)}, is removed."
        await reply.send(interaction, Card().text(f"{text} Games that were begun with it go on."))

    @app_commands.command()
    @app_commands.rename(stage="as")
    @app_commands.describe(stage="The table as it stands now, or as the battle began", title="What to call it")
    @app_commands.choices(stage=[app_commands.Choice(name=f"it {value}", value=value) for value in (STANDS, BEGAN)])
    async def save(
        self, interaction: Interaction, stage: str = STANDS, title: app_commands.Range[str, 1, 80] | None = None
    ) -> None:
        """Keeps the table of this channel's game as a scenario for this server, and gives you its file."""

        async def store_table() -> tuple[Game, UploadedScenario, bytes, bytes]:
            game = await interaction.client.games.running_or_last_game(channel_of(interaction))
            scenario_title = clean_game_name(title or "") or saved_table_title(game, stage)
            own, open_to_all = await write_scenario_files(interaction, game, scenario_title, began=stage == BEGAN)
            uploads, actor = interaction.client.uploads, actor_of(interaction)
            upload = await uploads.store_scenario(storage_key_of(interaction), actor, game.ruleset.id, open_to_all)
            return game, upload, own, open_to_all

        game, upload, own, open_to_all = await reply.carry_out(interaction, store_table(), private=True)
        card = upload_card(upload, game.ruleset).attach(f"{upload.scenario.id}.toml", own)
        if own != open_to_all:
            card.text("-# What is hidden stands in your file alone. This server keeps the table as everyone sees it.")
        await reply.send(interaction, card, private=True)


def saved_table_title(game: Game, stage: str) -> str:
    """Return the default title for a saved table."""
    if stage == BEGAN:
        return game.name
    moment = ", set-up" if game.state.is_being_set_up else f", turn {game.state.shown_turn}"
    return f"{game.name[: LONGEST_NAME - len(moment)].rstrip()}{moment}"


async def write_scenario_files(interaction: Interaction, game: Game, title: str, *, began: bool) -> tuple[bytes, bytes]:
    """Return the game's table as two scenario files: in the user's view, and in the public view for other users.

    With `began`, they show the beginning of the battle. Raises Refused if the rule system writes no scenario files.
    """
    games, system, actor = interaction.client.games, game.ruleset, actor_of(interaction)
    tables = await games.table_exports.load_views(game, actor, began=began)
    uploads = await interaction.client.uploads.list(storage_key_of(interaction), system.id)
    scenario = system.scenarios.get(game.state.scenario)
    briefing = (
        await interaction.client.uploads.load_briefing(storage_key_of(interaction), system.id, game.state.scenario)
        if scenario is None
        else scenario.briefing
    )

    def write_both_files() -> tuple[bytes, bytes]:
        scenario_id = choose_scenario_id(game, title, actor, uploads)
        battles = system.own_battles
        if battles is None:
            raise Refused(NOT_WRITTEN.format(system=system.title))
        own, open_to_all = (battles.write(table, scenario_id, title, briefing) for table in tables)
        return own, open_to_all

    return await asyncio.to_thread(write_both_files)


async def send_scenario_schema(interaction: Interaction, system: Ruleset[Any]) -> None:
    """Send the schema and an example of the system's scenario files. Raises UserError if the system takes none."""
    if system.own_battles is None:
        titles = ", ".join(other.title for other in rulesets().values() if other.own_battles is not None)
        raise UserError(f"{system.title} takes no scenarios of your own. Those that do: {titles or 'none'}.")
    schema = system.own_battles.schema
    example = system.own_battles.shipped_file(next(iter(system.scenarios)))
    example_note = "" if example is None else " The other is one that ships, to go by."
    card = Card().text(
        f"This file says how a scenario of {safe(system.title)} is written.{example_note} "
        "Give yours as `file` to keep it here."
    )
    data = json.dumps(schema, indent=2, ensure_ascii=False).encode()
    card.attach(f"{system.id}-scenario.schema.json", data)
    if example is not None:
        name, text = example
        card.attach(name, text.encode())
    await reply.send(interaction, card, private=True)


async def load_scenario_file(interaction: Interaction, battle: ListedBattle) -> tuple[str, bytes]:
    """Return the name and content of a battle's file. Raises UserError for a missing or secret file."""
    system, scenario = battle.system, battle.scenario
    if battle.by:
        own = await interaction.client.uploads.list(storage_key_of(interaction), system.id)
        if all((upload.scenario.id, upload.author.id) != (scenario.id, interaction.user.id) for upload in own):
            raise UserError(f"Only {battle.by}, who uploaded it, may read its file: it may hold secrets.")
        document = await battles.load_uploaded_document(interaction, battle)
        return f"{scenario.id}.toml", document or b""
    file = system.own_battles.shipped_file(scenario.id) if system.own_battles is not None else None
    if file is None:
        raise UserError(NO_FILE.format(title=scenario.title))
    return file[0], file[1].encode()


def listed_battle_line(battle: ListedBattle) -> str:
    """Return `- Suakin 1885: British against Mahdists`, with the uploader's name."""
    author_note = f", uploaded by {safe(battle.by)}" if battle.by else ""
    return f"- **{safe(battle.scenario.title)}**: {safe(' against '.join(battle.scenario.sides))}{author_note}"


def upload_card(upload: UploadedScenario, system: Ruleset[Any]) -> Card:
    """Return the card of a stored scenario, with the command that starts it."""
    scenario = upload.scenario
    card = Card().text(f"### {safe(scenario.title)}\n{safe(system.title)}, uploaded by {safe(upload.author.name)}")
    card.text(safe(scenario.briefing)).text(scenario_fact_lines(scenario))
    if upload.holder is not None:
        card.text(f"{safe(upload.holder)} has the id of your file here, so yours is kept as “{safe(scenario.id)}”.")
    if upload.replaced:
        card.text(f"It replaces your earlier “{safe(scenario.id)}”.")
    return card.text(start_command_line(system, scenario))


def start_command_line(system: Ruleset[Any], scenario: Scenario) -> str:
    """Return the command that starts the scenario by its unique id."""
    return f"-# {safe(f'/game new rules:{system.id} scenario:{scenario.id}')} starts it."


def scenario_fact_lines(scenario: Scenario) -> str:
    """Return lines with the scenario's sides, its number of turns, and its choices with their defaults."""
    lines = [f"**Sides:** {safe(', '.join(scenario.sides))}"]
    if scenario.turns is not None:
        lines.append(f"**Turns:** {scenario.turns}")
    for choice in scenario.choices:
        options, default = safe(", ".join(choice.options)), safe(choice.default)
        lines.append(f"**{safe(choice.question)}** {options} (unless chosen: {default})")
    return "\n".join(lines)
