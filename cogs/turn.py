"""`/turn next` and `/turn status`: passing the turn on, and what stands in its way."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import Stale
from bot.games import Game, Played
from bot.rights import require_umpire
from rules.core.model import UMPIRE, Viewer
from rules.core.report import Owed
from rules.core.ruleset import Refused

from .kit import answer, buttons, completion, errors, presenter
from .kit.card import Card, safe
from .kit.interaction import Interaction, actor_of, at_table, channel_of
from .kit.press import Press

if TYPE_CHECKING:
    from bot.client import UmpireBot

KIND = "turn_next"
WAIVE: Mapping[str, Any] = {"waive": True}
MOST_LISTED = 25


class WaiveButton(Press, action="waive", fields=("game", "seq")):
    """Passes the turn on over what is owed, as it stood when the umpire was shown it."""

    async def pressed(self, interaction: Interaction) -> None:
        """Waives the debts, unless the game has moved on since."""
        await buttons.spend(interaction)
        await answer.show(interaction, await self._pass_on(interaction))

    async def _pass_on(self, interaction: Interaction) -> Played:
        games, channel = interaction.client.games, channel_of(interaction)
        game = await games.running(channel)
        if (game.id, str(game.seq)) != (self.fields["game"], self.fields["seq"]):
            raise Stale("The game has moved on since. Give /turn next again to see what is owed now.")
        require_umpire(game, actor_of(interaction), "pass the turn on over what is owed")
        return await games.order(channel, actor_of(interaction), KIND, WAIVE, interaction=interaction.id)


def visible(owed: Iterable[Owed], known: Mapping[str, str]) -> tuple[Owed, ...]:
    """What is owed by units that the viewer knows of, or by no unit."""
    return tuple(one for one in owed if not one.unit or one.unit in known)


def yet_to_act(game: Game, viewer: Viewer) -> Mapping[str, set[str]]:
    """Kinds of action still open to each unit of the side whose turn it is, by unit id, as `viewer` may know."""
    seen = game.ruleset.view(game.state, viewer)
    found: dict[str, set[str]] = {}
    for action in game.ruleset.legal(seen, seen.active):
        if action.unit is not None and not action.umpire_only:
            found.setdefault(action.unit, set()).add(action.kind.replace("_", " "))
    return found


def status(game: Game, viewer: Viewer) -> Card:
    """The turn, what each unit owes with buttons, and which units can still do what."""
    known = {card.id: card.name for card in game.ruleset.roster(game.state, viewer)}
    card = Card(presenter.side_colour(game.state, game.state.active)).text(f"### {safe(game.state.turn_title)}")
    owed = visible(game.ruleset.owed(game.state), known)
    blocking = [one for one in owed if one.blocks_turn]
    card.text(f"**Owed before the turn can pass: {len(blocking)}**" if blocking else "**Nothing is owed.**")
    for one in owed:
        presenter.add_owed(card, one, buttons.OwedButton.all_of(game.id, one))
    able = [(known[unit], kinds) for unit, kinds in yet_to_act(game, viewer).items() if unit in known]
    if able:
        lines = [f"▸ {safe(name)}: {', '.join(sorted(kinds))}" for name, kinds in able[:MOST_LISTED]]
        if len(able) > MOST_LISTED:
            lines.append(f"… and {len(able) - MOST_LISTED} more")
        card.text("**Can still act**\n" + "\n".join(lines))
    return card


@at_table
class Turn(commands.GroupCog, group_name="turn", group_description="Whose turn it is, what is owed, and passing it on"):
    """Turn keeping."""

    @app_commands.command(name="next")
    async def next_(self, interaction: Interaction) -> None:
        """Passes the turn on, once nothing is owed any more."""
        try:
            await answer.perform(interaction, KIND, {})
        except Refused as refused:
            card = await errors.refusal(interaction, refused)
            if refused.owed:
                game = await completion.game_of(interaction)
                if game.viewer(interaction.user.id) == UMPIRE:
                    style = discord.ButtonStyle.danger
                    card.buttons([WaiveButton("Pass on anyway", style, game=game.id, seq=game.seq)])
            await answer.send(interaction, card, private=True)

    @app_commands.command()
    async def status(self, interaction: Interaction) -> None:
        """Shows what each unit still owes, and who has yet to act."""

        async def work() -> Card:
            game = await completion.game_of(interaction)
            return await asyncio.to_thread(status, game, game.viewer(interaction.user.id))

        await answer.send(interaction, await answer.in_time(interaction, work(), private=True), private=True)


async def setup(bot: "UmpireBot") -> None:
    """Loads the cog and its button."""
    bot.add_dynamic_items(WaiveButton)
    await bot.add_cog(Turn())
