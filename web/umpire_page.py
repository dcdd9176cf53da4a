"""The umpire's tools on the page: views of all sides, corrections with a preview, and undo."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.errors import NotAllowed, Stale, UserError
from bot.games.correction_actions import describe_move
from bot.games.map_previews import NO_CHANGE, Preview
from bot.games.rights import require_umpire
from bot.games.terrain_changes import list_terrain_changes
from bot.journal.game import Game
from bot.page.channel_announcer import ChannelAnnouncer
from bot.services import Games
from rules.core import fields
from rules.core.dice import NoDice
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.refusal import Refused
from rules.core.state import Action
from rules.core.tabletop.battle import TableState
from rules.core.tabletop.hidden_units import is_unit_hidden
from rules.core.umpire import PLACE
from rules.core.wording import as_words

from .orders import RequestBody, Word
from .sessions import PageSeat
from .table_changes import ChangeRequest, GroundChange, PreviewRequest, UnitCorrection, is_in_set_up
from .terrain_json import list_paint_kinds, terrain_change_json

Json = Mapping[str, Any]
MOVED_ON = "The table has changed since this page showed it, so nothing was done. The page shows it as it is now."
CHANGED = "What you were shown has changed since, so nothing was done. Try again to see it as it is now."
NOT_SEEN = "This page can confirm only what it has shown."
ONE_VIEW = "Only an umpire who sees all sides can look at the table as one of them."
UNKNOWN = "There is no such unit on this page."


class UndoRequest(RequestBody):
    """Request to undo the newest action. `progress` must be the game's present progress."""

    progress: Word


class PageChanges:
    """Carries out requests of pages: changes of the table by hand, and undos."""

    def __init__(self, games: Games, announcer: ChannelAnnouncer) -> None:
        self._games, self._announcer = games, announcer

    async def preview_change(self, seat: PageSeat, request: PreviewRequest) -> Json:
        """Return a change in words, with a tag by which the user confirms it. Raises NotAllowed, Refused."""
        return await asyncio.to_thread(preview_json, seat, request)

    async def change_table(self, seat: PageSeat, request: ChangeRequest) -> None:
        """Make a change, and tell the channel. Raises NotAllowed, Refused; Stale if the table has changed meanwhile."""
        if not request.tag and not request.progress:
            raise UserError(NOT_SEEN)
        user = seat.session.user

        def make(game: Game) -> Sequence[Action]:
            if game.id != seat.game.id or (request.progress and game.progress_for(seat.viewer) != request.progress):
                raise Stale(MOVED_ON)
            actions = _requested_actions(replace(seat, game=game), request)
            if request.tag and Preview.create(game, user, actions[0]).tag != request.tag:
                raise Stale(CHANGED)
            return actions

        result = await self._games.actions.act_all(seat.game.channel, user, make, all_or_nothing=True, interaction=0)
        self._announcer.announce_and_continue(result.played[-1].game)

    async def preview_undo(self, seat: PageSeat) -> Json:
        """Return the entries that an undo of one action would take back. Raises UserError if there is no action."""
        preview = await self._games.undo.preview(seat.game, seat.session.user, 1)
        headlines = [f"{entry.shown_number}. {entry.report.headline}" for entry in preview.entries]
        return {"entries": headlines, "free": preview.free, "needs": preview.needs, "progress": seat.progress}

    async def undo_newest_action(self, seat: PageSeat, request: UndoRequest) -> None:
        """Take back the newest action, and tell the channel. Raises Stale, NotAllowed, UserError."""
        user = seat.session.user
        played = await self._games.undo.undo_actions(seat.game.channel, user, 1, progress=request.progress)
        self._announcer.announce_undo(played, await self._games.undo.load_changed_entries(played, user))


def with_viewer(seat: PageSeat, viewer: str) -> PageSeat:
    """Return an umpire's seat with the view of `viewer`, or unchanged if `viewer` is empty.

    Raises NotAllowed if `viewer` is unknown, or the seat does not see all sides.
    """
    if viewer in ("", seat.viewer):
        return seat
    if seat.viewer != UMPIRE or viewer not in {PUBLIC, *(side.id for side in seat.state.sides)}:
        raise NotAllowed(ONE_VIEW)
    return replace(seat, viewer=viewer)


def umpire_tools_json(seat: PageSeat, shown_viewer: Viewer) -> Json | None:
    """Return an umpire's tools for changes by hand, and the views he may choose. Return None for other users."""
    game = seat.game
    if not game.is_umpire(seat.session.user.id) or game.ended is not None:
        return None
    views = [{"id": UMPIRE, "name": "All sides"}, *({"id": side.id, "name": side.name} for side in seat.state.sides)]
    return {
        "views": [*views, {"id": PUBLIC, "name": "Onlookers"}] if seat.viewer == UMPIRE else [],
        "shown": shown_viewer,
        "draws": ("terrain_add" in game.ruleset.actions and game.state.keeps_positions) or bool(list_paint_kinds(game)),
        "corrects": "set" in game.ruleset.actions,
    }


def tools_for_set_up_json(seat: PageSeat) -> Json | None:
    """Return a side's tools for the set-up. Return None for onlookers, and once the battle has begun."""
    state = seat.state
    if not is_in_set_up(seat.game) or not seat.has_sheet or not isinstance(state, TableState):
        return None
    present = (unit for unit in seat.view.every_unit.values() if unit.id not in state.arrivals)
    own = [unit for unit in present if seat.order_side in (UMPIRE, unit.side)]
    return {
        "side": seat.order_side,
        "hides": state.options.hidden_troops,
        "places": state.keeps_positions,
        "unplaced": [unit.id for unit in own if unit.place is None],
        "hidden": [unit.id for unit in own if is_unit_hidden(state, unit.id)],
    }


def correctable_fields_json(seat: PageSeat, unit: str) -> Json:
    """Return the fields of a unit that the umpire can correct, with their values. Raises NotAllowed."""
    game = seat.game
    require_umpire(game, seat.session.user, "correct units")
    model = seat.view.every_unit.get(unit)
    if model is None:
        return {"unit": unit, "fields": []}
    open_fields = [_field_json(game, model, name, field) for name, field in game.ruleset.editable_fields.items()]
    if seat.viewer == UMPIRE:
        open_fields += [
            {**_field_json(game, model, name, field), "secret": True}
            for name, field in game.ruleset.secret_fields.items()
        ]
    return {"unit": unit, "fields": open_fields}


def _field_json(game: Game, unit: Any, name: str, field: Any) -> Json:
    value = getattr(unit, name)
    names = {side.id: side.name for side in game.state.sides} if name == "side" else {}
    if name in unit.refers_to:
        names = {other.id: other.name for other in game.state.units.values() if other.id != unit.id}
    return {
        "name": name,
        "words": as_words(name),
        "value": names.get(value, fields.value_in_words(value)),
        "values": [*names.values(), *fields.allowed_values(field)],
    }


def preview_json(seat: PageSeat, request: PreviewRequest) -> Json:
    """Return a change in words with its effects, and the tag that confirms it. Raises NotAllowed, Refused."""
    game, user = seat.game, seat.session.user
    first, *_ = _requested_actions(seat, request)
    preview = Preview.create(game, user, first)
    if preview.after == preview.before:
        raise Refused(NO_CHANGE)
    _, report = game.ruleset.act(preview.before, first, NoDice())
    changes = list_terrain_changes(preview) if isinstance(preview.after, TableState) else ()
    words, lines = report.headline, [step.verdict or step.text for step in report.steps]
    if isinstance(request.change, UnitCorrection) and request.change.field == PLACE:
        before, after = (_find_unit_or_marker(state, request.change.unit) for state in (preview.before, preview.after))
        words, lines = describe_move(before, after), []
    return {
        "words": words,
        "lines": [*(line for line in lines if line not in words), *filter(None, [report.outcome])],
        "pieces": [terrain_change_json(game, change) for change in changes],
        "tag": preview.tag,
    }


def _requested_actions(seat: PageSeat, request: PreviewRequest | ChangeRequest) -> Sequence[Action]:
    """Return the actions of a requested change. Raises NotAllowed; Refused for a unit that the user does not know."""
    game, user = seat.game, seat.session.user
    if isinstance(request.change, GroundChange):
        require_umpire(game, user, "change the ground")
    unit = getattr(request.change, "unit", None)
    if unit is not None and _find_unit_or_marker(game.ruleset.view(game.state, game.viewer(user.id)), unit) is None:
        raise Refused(UNKNOWN)
    return request.change.make_actions(seat)


def _find_unit_or_marker(state: Any, unit: str) -> Any:
    """Return the unit or marker with this id, or None."""
    return state.every_unit.get(unit) or getattr(state, "markers", {}).get(unit)
