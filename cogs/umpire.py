"""`/umpire`: the umpire's tools for appointment, options, hidden qualities and corrections. The log shows every use."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import BadFile, UserError
from bot.games.correction_actions import corrected_value
from bot.games.hidden_troops_notice import describe_who_sees_all
from bot.journal.game import Actor, Game
from render.photograph import MOST_BYTES
from rules.core.fields import cite_of, value_in_words
from rules.core.relative_values import resolve_relative_value
from rules.core.umpire import BY_UMPIRE, LONGEST_EVENT
from rules.core.wording import as_words

from .game import rooms
from .kit import corrections, reply, turn_message
from .kit.action_reply import show_actions
from .kit.cards.card import Card, safe
from .kit.command_traits import mark_action_kinds, offer_in_servers
from .kit.game_actions import await_action, perform_action
from .kit.lookup import completion, field_completion, name_lookup
from .kit.lookup.notes import strip_note
from .kit.lookup.unit_selection import select_units
from .kit.option_types import Name, Words
from .kit.request import Interaction, actor_of, can_manage_channel, channel_of, game_of
from .kit.rooms import members


@offer_in_servers
class UmpireCog(commands.GroupCog, group_name="umpire", group_description="The umpire's tools"):
    """The umpire's commands."""

    @app_commands.command()
    @app_commands.describe(user="The new umpire")
    async def appoint(self, interaction: Interaction, user: discord.User) -> None:
        """Make another person the umpire."""
        if user.bot:
            raise UserError("A bot cannot umpire for you. Name a person.")
        chosen = Actor(id=user.id, name=user.display_name)
        channel, actor, manages = channel_of(interaction), actor_of(interaction), can_manage_channel(interaction)
        appoint = interaction.client.games.seats.appoint_umpire
        work = appoint(channel, actor, chosen, manages=manages, interaction=interaction.id)
        game = await reply.carry_out(interaction, work)
        text = f"**{safe(game.umpire.name)}** is the umpire of **{safe(game.name)}** now."
        sees = safe(describe_who_sees_all(game)) if game.state.can_have_hidden_units else ""
        call = await interaction.client.games.mentions.make_umpire_call(game, present=interaction.user.id)
        card = Card().text(text).mention(call.users, turn_message.WAITS_FOR_YOU).text(sees)
        card.text("-# `/help topic:umpire` shows the first steps.")
        await reply.send(interaction, card)
        members.update_members(interaction, game, actor_of(interaction), chosen)

    @app_commands.command(name="rooms")
    async def rooms(self, interaction: Interaction) -> None:
        """Open a private thread for each side, where its own map, reports and sheets are posted."""
        await reply.send_privately_when_ready(interaction, rooms.open_rooms(interaction))

    @app_commands.command()
    @app_commands.describe(name="The option; leave it out to see them all", value="Its new value")
    @app_commands.autocomplete(
        name=field_completion.complete_game_options, value=field_completion.complete_option_values
    )
    async def option(self, interaction: Interaction, name: Name | None = None, value: Words | None = None) -> None:
        """See or change an option of this game: a ruling or a house value."""
        if name is not None and value is not None:
            option, text = strip_note(name), value

            def make_option_args(game: Game) -> dict[str, str]:
                fields = game.ruleset.option_fields
                return {"name": option, "value": resolve_relative_value(game.state.options, fields, option, text)}

            await perform_action(interaction, "option", make_option_args)
            return
        game = await reply.wait_for(interaction, game_of(interaction), private=True)
        await reply.send(interaction, options_card(game, name and strip_note(name)), private=True)

    @mark_action_kinds("event")
    @app_commands.command()
    @app_commands.describe(
        text="What happens, as the log and the report tell it", picture="A picture of it: JPEG, PNG or WebP"
    )
    async def event(
        self,
        interaction: Interaction,
        text: app_commands.Range[str, 1, LONGEST_EVENT],
        picture: discord.Attachment | None = None,
    ) -> None:
        """Tell everyone of something that happens; nothing on the table changes."""
        if picture is None:
            await perform_action(interaction, "event", {"text": text})
            return
        if picture.size > MOST_BYTES:
            raise BadFile(f"That file has {picture.size:,} bytes; the limit is {MOST_BYTES:,}. Nothing was changed.")
        games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
        work = games.events.tell_event(channel, actor, text, picture.read, interaction=interaction.id)
        await show_actions(interaction, *await await_action(interaction, work))

    @app_commands.command()
    @app_commands.describe(unit="The unit", value="Its hidden value", field="Which of its hidden qualities")
    @app_commands.autocomplete(
        unit=completion.complete_units, value=field_completion.secret_values, field=field_completion.secrets
    )
    async def secret(self, interaction: Interaction, unit: Name, value: Words, field: Name | None = None) -> None:
        """Give a unit a hidden quality; players do not see it until you reveal it."""

        def make_secret_args(game: Game) -> dict[str, str]:
            user, name = interaction.user.id, field or next(iter(game.ruleset.secret_fields), None)
            if name is None:
                raise UserError(f"{game.ruleset.title} has no hidden qualities. /umpire set corrects open ones.")
            unit_id = select_units(game, user, unit)[0]
            return {"unit": unit_id, "field": name, "value": corrected_value(game, user, unit_id, name, value)}

        await perform_action(interaction, "secret", make_secret_args, private=True)

    @app_commands.command()
    @app_commands.describe(unit="The unit")
    @app_commands.autocomplete(unit=completion.complete_units)
    async def reveal(self, interaction: Interaction, unit: Name) -> None:
        """Tell everyone a unit's hidden quality."""
        await perform_action(interaction, "reveal", {"unit": unit})

    @app_commands.command(name="set")
    @corrections.add_correction_options
    async def set_(self, interaction: Interaction, unit: Words, field: Name, value: Words) -> None:
        """Correct a field of units; the log shows the correction."""
        await corrections.correct_units(interaction, unit, field, value)


def options_card(game: Game, name: str | None) -> Card:
    """Return the card of the game's options with their values, or of the option `name` with its meaning."""
    card = Card().text(f"### Options of {safe(game.name)}")
    fields = game.ruleset.option_fields
    chosen = None if name is None else name_lookup.match_name({key: as_words(key) for key in fields}, name, "option")
    lines = [
        f"{as_words(key)}: **{safe(value_in_words(getattr(game.state.options, key)))}** ({cite_of(field, BY_UMPIRE)})"
        for key, field in fields.items()
        if chosen in (None, key)
    ]
    card.text("\n".join(lines))
    if chosen is not None:
        card.text(safe(fields[chosen].description or ""))
        return card.text(f"-# The umpire changes it with `/umpire option name:{as_words(chosen)} value:…`.")
    return card.text("-# `/umpire option name:…` says what an option settles; with `value:…` the umpire changes it.")
