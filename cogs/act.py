"""`/do`: any action of the rule system without a separate command."""

from collections.abc import Container

from bot.errors import UserError
from bot.journal.game import Game
from rules.core.wording import as_name, as_words

from .actions import action_fields, action_names, complete_more, typed_kind
from .kit import game_actions
from .kit.command_traits import at_table, commands_by_kind
from .kit.lookup import completion
from .kit.option_types import Name, Words
from .kit.request import Interaction, game_of
from .shared_options import Option, Options, shared, takes


def further_kinds(game: Game, own: Container[str]) -> tuple[str, ...]:
    """Return the system's kinds of action without a command of their own. `own` holds the kinds that have one."""
    actions = game.ruleset.actions.items()
    return tuple(sorted(kind for kind, action in actions if not action.umpire_only and kind not in own))


def kind_of(interaction: Interaction, game: Game, words: str) -> str:
    """Return the kind of action that `words` name. Raises UserError, which lists the existing kinds."""
    kind, own = as_name(words), commands_by_kind(interaction)
    further = further_kinds(game, own)
    if kind in further:
        return kind
    if kind in own:
        raise UserError(f"“{as_words(kind)}” has a command of its own: {own[kind]}.")
    raise UserError(f"There is no action “{words[:60]}” for /do here. There are: {action_names(further)}.")


@completion.never_fails
async def complete_actions(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `action` with the kinds of action without a separate command."""
    game = await game_of(interaction)
    kinds = further_kinds(game, commands_by_kind(interaction))
    return completion.match_choices(current, ((as_words(kind), as_words(kind)) for kind in kinds))


@at_table
@takes(
    Option(
        "action", Name, "What to do: offers the other actions of the game's rules", complete_actions, is_required=True
    ),
    "unit",
    shared("target", description="The unit it is done to, or with: friend or enemy"),
    shared("to", type=Name),
    "with",
    Option(
        "more", Words, "What else the action asks for, such as “figures: 6”, several by comma", complete_more(kind_of)
    ),
    "secret",
    kind=typed_kind,
)
async def do(interaction: Interaction, options: Options) -> None:
    """Does any action of the game's rules that has no command of its own."""
    action, fields = options["action"], action_fields(options)
    await game_actions.perform(interaction, lambda game: kind_of(interaction, game, action), fields, opens_form=True)
