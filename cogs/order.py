"""`/order`: give a unit any order that it can carry out now."""

import asyncio
from collections.abc import Iterable

from bot.errors import UserError
from bot.journal.game import Game
from rules.core.state import Action
from rules.core.wording import as_identifier, as_words

from .actions import field_values, further_fields_completer, kinds_in_words, read_action_fields, typed_action_kind
from .kit import game_actions
from .kit.command_traits import offer_in_servers
from .kit.lookup import completion, legal_now, name_lookup
from .kit.option_types import Name, Words
from .kit.request import Interaction, game_of
from .shared_options import Option, Options, command_with_options, shared_option


def unit_action_kinds(game: Game) -> tuple[str, ...]:
    """Return the kinds of action that units of the game's system can do."""
    actions = game.ruleset.actions.items()
    return tuple(sorted(kind for kind, action in actions if action.is_unit_action and not action.umpire_only))


def find_action_kind(_: Interaction, game: Game, words: str) -> str:
    """Return the kind of action that `words` name. Raises UserError, which lists the existing kinds."""
    kind = as_identifier(words)
    if kind in unit_action_kinds(game):
        return kind
    raise UserError(f"There is no order “{words[:60]}” here. There are: {kinds_in_words(unit_action_kinds(game))}.")


async def legal_actions_of_typed_unit(interaction: Interaction) -> tuple[Game, list[Action]]:
    """Return the game and the legal actions of the typed unit."""
    game = await game_of(interaction)
    viewer = game.viewer(interaction.user.id)
    typed_unit = completion.typed_option(interaction, "unit") or ""
    unit_id = name_lookup.find_unit_id(game.ruleset.roster(game.state, viewer), typed_unit)
    legal = await asyncio.to_thread(lambda: [*legal_now.legal_actions(game, viewer)])
    return game, [action for action in legal if action.unit == unit_id]


def typed_action_values(interaction: Interaction, actions: Iterable[Action], field: str) -> list[str]:
    """Return the different values of `field` in actions of the typed kind. Without a typed kind, use all actions."""
    kind = typed_action_kind(interaction)
    return field_values((action for action in actions if kind in ("", action.kind)), field)


@completion.safe_completer
async def complete_kinds(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `action` with the legal actions of the typed unit."""
    game, actions = await legal_actions_of_typed_unit(interaction)
    kinds = unit_action_kinds(game)
    names = dict.fromkeys(as_words(action.kind) for action in actions if action.kind in kinds)
    return completion.match_values(current, names)


@completion.safe_completer
async def complete_targets(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `target` with legal targets of the action."""
    game, actions = await legal_actions_of_typed_unit(interaction)
    names = {card.id: card.name for card in game.ruleset.roster(game.state, game.viewer(interaction.user.id))}
    targets = typed_action_values(interaction, actions, "target")
    return completion.match_choices(current, ((target, names.get(target, target)) for target in targets))


@completion.safe_completer
async def complete_places(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `to` with the places to which the typed unit can go now."""
    _, actions = await legal_actions_of_typed_unit(interaction)
    return completion.match_values(current, typed_action_values(interaction, actions, "to"))


@offer_in_servers
@command_with_options(
    shared_option("unit", is_required=True),
    Option("action", Name, "What it is to do: offers what this unit can do now", complete_kinds, is_required=True),
    shared_option("target", complete=complete_targets, complete_for=None),
    shared_option("to", complete=complete_places),
    "with",
    Option(
        "more",
        Words,
        "What else the order says, such as “hexes: 2”, several by comma",
        further_fields_completer(find_action_kind),
    ),
    kind=typed_action_kind,
)
async def order(interaction: Interaction, options: Options) -> None:
    """Orders a unit to do anything that it can do now."""
    action, fields = options["action"], read_action_fields(options)
    await game_actions.perform_action(interaction, lambda game: find_action_kind(interaction, game, action), fields)
