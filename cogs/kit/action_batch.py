"""Several actions of one press: done, and shown in one message to everyone, with what is for the actor alone."""

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any

from bot.games.act import Several
from bot.games.games import Game
from rules.core import naming as rules_naming
from rules.core import orders
from rules.core.orders import OrderBook
from rules.core.refusal import Refused
from rules.core.state import Action, State, UnitCard

from . import answer, errors, game_actions
from .interaction import Interaction, actor_of, channel_of
from .lookup import name_lookup, systems


def whom(game: Game, user: int, text: str, able: tuple[str, Mapping[str, Any]] | None = None) -> Sequence[str]:
    """The units that are meant, by id: the one named, several by comma, `all`, or `all` of a name. Raises Refused.

    Of `all`, only those `able` to do an action of that kind and those arguments, where it is given.
    """
    viewer = game.viewer(user)
    seen = game.ruleset.view(game.state, viewer)
    one = name_lookup.exactly(seen, text)
    if one is not None:
        return (one,)
    roster = game.ruleset.roster(game.state, viewer)
    if not orders.is_list(text):
        return (name_lookup.unit_id(roster, text),)
    if others := no_units(seen, roster, text):
        return others
    book = OrderBook(game.ruleset, seen, viewer)
    units = book.units(text)
    if not units:
        raise Refused("Say whom: a unit, several by comma, or “all”.")
    return book.able(able[0], units, able[1]) if able is not None and orders.is_all(text) else units


def no_units(seen: State, roster: Sequence[UnitCard], text: str) -> Sequence[str]:
    """What a list by comma names, where all of it is listed and none of it are units that stand there: markers."""
    others = {card.id: card.name for card in roster if card.id not in seen.units}
    meant = [rules_naming.meant(part, others) for part in text.split(",")]
    return tuple(ids[0] for ids in meant) if all(len(ids) == 1 for ids in meant) else ()


async def correct(interaction: Interaction, units: str, field: str, value: str) -> None:
    """Sets the same about each of the units, or nothing at all. Raises UserError and Refused."""

    def actions(game: Game) -> Sequence[Action]:
        systems.require(game.ruleset, "set")
        named = whom(game, interaction.user.id, units)
        kinds = ((game.ruleset.meant(game.state, "set", unit), unit) for unit in named)
        return [game.ruleset.parse(kind, {"unit": unit, "field": field, "value": value}) for kind, unit in kinds]

    games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
    await perform(interaction, games.act_all(channel, actor, actions, or_none=True, interaction=interaction.id))


async def perform(interaction: Interaction, work: Awaitable[Several]) -> None:
    """Waits for the work, which does several actions, and shows them. Raises as the first of them does."""
    games = interaction.client.games
    await show(
        interaction, await answer.in_time(interaction, game_actions.once_all(interaction, work, games.all_done, show))
    )


async def show(interaction: Interaction, several: Several) -> None:
    """Shows what was done; and to the user alone why there was no more."""
    shown = await game_actions.tell(interaction, *several.played)
    if several.refused is not None:
        await answer.send(interaction, await errors.card_of(interaction, several.refused), private=True)
    await game_actions.finish(interaction, shown, *several.played)
