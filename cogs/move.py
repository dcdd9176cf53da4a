"""`/move`: move units, measured in games with positions."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from bot.journal.game import Game
from bot.order_sheets.preview import Prospect
from rules.core.model import UMPIRE, Viewer
from rules.core.orders import prerequisites
from rules.core.refusal import MissingField, Refused
from rules.core.state import Action
from rules.core.typed_text import normalize_text

from .kit import game_actions
from .kit.command_traits import mark_action_kinds, offer_in_servers
from .kit.controls import measurement_form
from .kit.lookup import completion, name_lookup, systems
from .kit.lookup.unit_selection import select_units
from .kit.request import Interaction, game_of
from .shared_options import Options, command_with_options, shared_option


def reachable_places(game: Game, viewer: Viewer, unit_id: str, text: str = "") -> list[str]:
    """Return the places to which the unit can move, now or else in a later phase, as text for the option `to`.

    Units of other sides have none. The typed `text` comes first if it is a legal place and does not begin a listed one.
    """
    view = game.ruleset.view(game.state, viewer)
    kind = game.ruleset.kind_meant_now(game.state, "move", unit_id)
    if not any(viewer in (UMPIRE, card.side) for card in game.ruleset.roster(view, viewer, (unit_id,))):
        return []
    destinations = game.ruleset.places.destinations(view, viewer, unit_id)
    places = list(destinations or places_in_later_phase(game, viewer, kind, unit_id))
    prefix = normalize_text(text)
    if not prefix or any(place.casefold().startswith(prefix) for place in places):
        return places
    with suppress(Refused):
        args = name_lookup.resolve_names(game, viewer, kind, {"unit": unit_id, "to": text})
        if game.ruleset.allows(view, game.ruleset.parse(kind, args)):
            places.insert(0, text)
    return places


def places_in_later_phase(game: Game, viewer: Viewer, kind: str, unit_id: str) -> Sequence[str]:
    """Return the places to which the unit is expected to be able to move in a later phase of the turn."""
    view = game.ruleset.view(game.state, viewer)
    with suppress(Refused):
        if prerequisites(game.ruleset, view, game.ruleset.parse(kind, {"unit": unit_id})) is not None:
            prospect = Prospect.for_sheet(game, viewer)
            phases = prospect.phases_ahead[1:]
            later = (action for phase in phases for action in prospect.offered_actions(phase).get(unit_id, ()))
            return [str(to) for action in later if action.kind == kind and (to := getattr(action, "to", None))]
    return ()


@completion.safe_completer
async def complete_places(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `to` with the places that the typed unit can move to."""
    game = await game_of(interaction)
    viewer = game.viewer(interaction.user.id)
    roster = game.ruleset.roster(game.state, viewer)
    unit_id = name_lookup.find_unit_id(roster, completion.typed_option(interaction, "unit") or "")
    places = await asyncio.to_thread(reachable_places, game, viewer, unit_id, current)
    return completion.match_values(current, places)


@mark_action_kinds("move", "deploy", "move_marker")
@offer_in_servers
@command_with_options(
    shared_option("unit", is_required=True), shared_option("to", complete=complete_places), "with", kind="move"
)
async def move(interaction: Interaction, options: Options) -> None:
    """Moves units, turns them or changes their formation: one, several by comma, or all."""
    user, args = interaction.user.id, {"to": options.get("to"), "with": options.get("with")}

    def parse_moves(game: Game) -> Sequence[Action]:
        usual = game.ruleset.kind_meant_now(game.state, "move")
        systems.require_action(game.ruleset, usual)
        units = select_units(game, user, options["unit"], (usual, args))
        return [game_actions.parse_action(game, user, "move", {**args, "unit": unit}) for unit in units]

    try:
        await game_actions.perform_actions(interaction, parse_moves, all_or_nothing=False)
    except MissingField:
        game = await game_of(interaction)
        first, *rest = parse_moves(game)
        if rest or not await measurement_form.open_form(interaction, game, first, only_if_required=True):
            raise
    except Refused:
        if not await game_actions.add_to_sheet_if_later(interaction, parse_moves):
            raise
