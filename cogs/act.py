"""`/do`: any action of the rule system without a separate command."""

from collections.abc import Container

from bot.errors import UserError
from bot.journal.game import Game
from rules.core.wording import as_identifier, as_words

from .actions import further_fields_completer, kinds_in_words, read_action_fields, typed_action_kind
from .kit import game_actions
from .kit.command_traits import commands_by_kind, offer_in_servers
from .kit.lookup import completion
from .kit.option_types import Name, Words
from .kit.request import Interaction, game_of
from .shared_options import Option, Options, command_with_options, shared_option


def kinds_without_command(game: Game, with_command: Container[str]) -> tuple[str, ...]:
    """Return the players' kinds of action that have no command of their own."""
    actions = game.ruleset.actions.items()
    return tuple(sorted(kind for kind, action in actions if not action.umpire_only and kind not in with_command))


def find_action_kind(interaction: Interaction, game: Game, words: str) -> str:
    """Return the kind of action that `words` name. Raises UserError for unknown words; the error lists all kinds."""
    kind, own = as_identifier(words), commands_by_kind(interaction)
    further = kinds_without_command(game, own)
    if kind in further:
        return kind
    if kind in own:
        raise UserError(f"“{as_words(kind)}” has a command of its own: {own[kind]}.")
    raise UserError(f"There is no action “{words[:60]}” for /do here. There are: {kinds_in_words(further)}.")


@completion.safe_completer
async def complete_actions(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `action` with the kinds of action without a separate command."""
    game = await game_of(interaction)
    kinds = kinds_without_command(game, commands_by_kind(interaction))
    return completion.match_choices(current, ((as_words(kind), as_words(kind)) for kind in kinds))


@offer_in_servers
@command_with_options(
    Option(
        "action", Name, "What to do: offers the other actions of the game's rules", complete_actions, is_required=True
    ),
    "unit",
    shared_option("target", description="The unit it is done to, or with: friend or enemy"),
    shared_option("to", type=Name),
    "with",
    Option(
        "more",
        Words,
        "What else the action asks for, such as “figures: 6”, several by comma",
        further_fields_completer(find_action_kind),
    ),
    "secret",
    kind=typed_action_kind,
)
async def do(interaction: Interaction, options: Options) -> None:
    """Does any action of the game's rules that has no command of its own."""
    action, fields = options["action"], read_action_fields(options)
    await game_actions.perform_action(
        interaction, lambda game: find_action_kind(interaction, game, action), fields, opens_form=True
    )
