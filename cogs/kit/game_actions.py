"""Carry out actions in the channel's game, and show them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

from bot.games.act import BatchResult
from bot.journal.game import Game, Played
from bot.order_sheets.store import SheetResult
from rules.core.hidden_troops import acts_unseen
from rules.core.phases import PASS
from rules.core.refusal import MissingField, Refused
from rules.core.state import Action

from . import automatic_play, errors, outage, reply
from .action_reply import add_picture_and_follow_ups, send_reports, show_actions
from .controls import measurement_form
from .lookup import name_lookup, systems
from .order_sheets import display
from .request import Interaction, actor_of, channel_of, game_of, request_of

Arguments: TypeAlias = Mapping[str, Any] | Callable[[Game], Mapping[str, Any]]
"""A command's options, or a function that returns the options for a game."""


async def perform_action(
    interaction: Interaction,
    kind: str | Callable[[Game], str],
    args: Arguments,
    *,
    private: bool = False,
    opens_form: bool = False,
) -> None:
    """Do an action of this kind in the channel's game, and answer with its report.

    An action for a later phase goes on the player's order sheet. With `opens_form`, a form asks for missing facts, such
    as a range. Raises UserError and Refused; IdleTurnRefusal if a pass would end an idle turn.
    """

    def make_action(game: Game) -> Action:
        arguments = args(game) if callable(args) else args
        return parse_action(game, interaction.user.id, kind(game) if callable(kind) else kind, arguments)

    games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
    work = games.actions.act(channel, actor, make_action, interaction=interaction.id, warn_if_idle=kind == PASS)
    secret = not callable(args) and bool(args.get("secret"))
    thinks_privately = private or secret or await _may_act_unseen(interaction, args)
    try:
        played = await await_action(interaction, work, private=thinks_privately)
    except Refused as refused:
        if await add_to_sheet_if_later(interaction, lambda game: (make_action(game),)):
            return
        if opens_form and isinstance(refused, MissingField):
            game = await game_of(interaction)
            if await measurement_form.open_form(interaction, game, make_action(game), only_if_required=True):
                return
        raise
    await show_actions(interaction, *played)


def parse_action(game: Game, user: int, kind: str, args: Mapping[str, Any]) -> Action:
    """Return the action that a user asks for by a command's options. Names of units are understood. Raises Refused."""
    viewer, unit = game.viewer(user), None
    if "unit" in args:
        unit = name_lookup.resolve_names(game, viewer, kind, {"unit": args["unit"]})["unit"]
        args = {**args, "unit": unit}
    kind_meant_now = game.ruleset.kind_meant_now(game.state, kind, unit)
    systems.require_action(game.ruleset, kind_meant_now)
    return game.ruleset.parse(kind_meant_now, name_lookup.resolve_names(game, viewer, kind_meant_now, args))


async def await_action(
    interaction: Interaction,
    work: Awaitable[Played],
    *,
    private: bool = False,
    quietly: bool = False,
    sheets_follow: bool = True,
) -> Sequence[Played]:
    """Await the action `work`. Return its entry, followed by the entries of due order sheets.

    If another process has done the action for this interaction, return the entry from the database. Without
    `sheets_follow`, order sheets wait until after the answer.
    """

    async def await_single_action() -> Sequence[Played]:
        return (await work,)

    options = {"private": private, "quietly": quietly, "sheets_follow": sheets_follow}
    return await await_actions(interaction, await_single_action(), all_entries=False, **options)


async def await_actions(
    interaction: Interaction,
    work: Awaitable[Sequence[Played]],
    *,
    private: bool = False,
    quietly: bool = False,
    all_entries: bool = True,
    sheets_follow: bool = True,
) -> Sequence[Played]:
    """Await `work`, which does several actions of one interaction, like `await_action`.

    If another process has done the actions, return their entries; without `all_entries`, only the first entry.
    """
    async with reply.thinking_if_slow(interaction, private=private, quietly=quietly):
        try:
            played = await work
        except errors.USER_ERRORS as error:
            played = await outage.find_result_elsewhere(interaction, error, all_entries=all_entries)
        request_of(interaction).is_done = True
        return await automatic_play.continue_with_due_sheets(interaction, *played) if sheets_follow else played


async def perform_actions(
    interaction: Interaction,
    make: Callable[[Game], Sequence[Action]],
    *,
    all_or_nothing: bool = True,
    hides_command: bool = False,
) -> None:
    """Do the actions that `make` returns, and show them in one message. Raises the errors of the first action.

    With `all_or_nothing`, one refused action cancels all actions. Otherwise, the actions before the refused one are
    done. With `hides_command`, the public message does not show the name of the command.
    """
    request_of(interaction).hides_command = hides_command
    games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
    work = games.actions.act_all(channel, actor, make, all_or_nothing=all_or_nothing, interaction=interaction.id)
    async with reply.thinking_if_slow(interaction, private=hides_command):
        try:
            result = await work
        except errors.USER_ERRORS as error:
            result = BatchResult(tuple(await outage.find_result_elsewhere(interaction, error, all_entries=True)))
        request_of(interaction).is_done = True
        played = await automatic_play.continue_with_due_sheets(interaction, *result.played)
    if result.refused is None:
        await show_actions(interaction, *played)
        return
    public = await send_reports(interaction, *played)
    await reply.send(interaction, await errors.error_card(interaction, result.refused), private=True)
    await add_picture_and_follow_ups(interaction, public, *played)


async def add_to_sheet_if_later(interaction: Interaction, make: Callable[[Game], Sequence[Action]]) -> bool:
    """Put the actions on the player's order sheet if they are for a later phase. Return whether that was done."""
    games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
    work = games.planned_actions.put_actions_on_sheet(channel, actor, make, interaction=interaction.id)
    result = await reply.wait_for(interaction, work, private=True)
    if result is not None:
        await show_sheet_result(interaction, result)
    return result is not None


async def show_sheet_result(interaction: Interaction, result: SheetResult) -> None:
    """Tell everyone in one message which orders of a sheet were done. Show the owner the orders that remain."""
    if not result.played:
        await display.show_sheet(interaction, display.remaining_sheet(result))
        return
    request_of(interaction).is_done = True
    played = await automatic_play.continue_with_due_sheets(interaction, *result.played)
    public = await send_reports(interaction, *played)
    went_on = len(played) > len(result.played)
    sheet = display.load_own_sheet(interaction, result.game.id) if went_on else display.remaining_sheet(result)
    await display.show_sheet(interaction, sheet)
    await add_picture_and_follow_ups(interaction, public, *played)


async def _may_act_unseen(interaction: Interaction, args: Arguments) -> bool:
    """Whether the acting unit may be hidden from other sides. Then even "thinking…" must be private."""
    try:
        game = await interaction.client.games.cached_running_game(channel_of(interaction))
    except errors.USER_ERRORS:
        return False
    unit_name = "" if callable(args) else str(args.get("unit") or "")
    view = game.ruleset.view(game.state, game.viewer(interaction.user.id))
    troops = game.ruleset.hidden_troops
    if troops is None or not game.state.can_have_hidden_units:
        return False
    return acts_unseen(troops, view, name_lookup.find_unit_exactly(view, unit_name) or "")
