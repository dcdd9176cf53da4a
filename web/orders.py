"""Change and carry out a seat's order sheet from the page, and answer prompts, like the chat's buttons."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field

from bot.errors import NotAllowed, Stale
from bot.games.open_prompts import filter_visible_prompts, hash_offer
from bot.games.rights import can_answer_prompt, require_right_to_act
from bot.journal.game import Game
from bot.order_sheets.idle_sheets import require_no_idle_turn
from bot.order_sheets.model import Sheet, SheetOrder, StoredSheet
from bot.order_sheets.order_phases import add_prerequisites, assign_phase
from bot.order_sheets.preview import Prospect
from bot.order_sheets.sheet_changes import clear_orders, make_order_addition, make_understood_order_addition
from bot.page.channel_announcer import ChannelAnnouncer
from bot.services import Games
from rules.core.model import Model, Viewer
from rules.core.order_book import OrderBook
from rules.core.orders import HOLD, LONGEST, Order, actions_by_unit, kinds_for_orders
from rules.core.refusal import Refused
from rules.core.state import Action

from .sessions import PageSeat
from .sheet_json import added_order_json

MOST_FIELDS, MOST_UNITS, LONGEST_WORD = 12, 200, 400
MOST_ARGUMENTS = 2000
"""Maximum characters of an order's arguments as JSON."""
ANSWERED = "That was answered already. The page shows the game as it is now."
Json = Mapping[str, Any]
Word = Annotated[str, Field(max_length=LONGEST_WORD)]


def _require_unique_units(units: tuple[str, ...]) -> tuple[str, ...]:
    """Return `units` unchanged. Raises ValueError if a unit is named twice."""
    if len({*units}) < len(units):
        raise ValueError("a unit is named twice")
    return units


def _require_short_arguments(args: dict[str, Any]) -> dict[str, Any]:
    """Return `args` unchanged. Raises ValueError if their JSON is longer than MOST_ARGUMENTS."""
    if len(json.dumps(args)) > MOST_ARGUMENTS:
        raise ValueError("an order's arguments are too long")
    return args


Units = Annotated[tuple[Word, ...], Field(min_length=1, max_length=MOST_UNITS), AfterValidator(_require_unique_units)]
Arguments = Annotated[dict[Word, Any], Field(max_length=MOST_FIELDS), AfterValidator(_require_short_arguments)]


class RequestBody(Model):
    """The body of a request. Unknown fields are forbidden."""


class OrderRequest(RequestBody):
    """Request for an order: kind of action, units and arguments."""

    units: Units
    kind: Word
    args: Arguments = Field(default_factory=dict)
    phase: Word = ""

    def make_order(self, prospect: Prospect) -> Order:
        """Return the requested order. Raises Refused for other players' units, and for invalid arguments."""
        for unit in self.units:
            if unit not in prospect.book.own_names:
                raise Refused("That is no unit of yours.")
        if self.kind not in (HOLD, *kinds_for_orders(prospect.system)):
            raise Refused("Units cannot be ordered to do that.")
        order = Order(kind=self.kind, units=self.units, args=self.args, phase=self.phase)
        if self.kind != HOLD:
            list(actions_by_unit(prospect.system, prospect.state, order))
        return order


class SheetRequest(RequestBody):
    """Request to change the order sheet at revision `revision`. One of the other fields holds the change."""

    revision: Annotated[int, Field(ge=0)]
    add: OrderRequest | None = None
    lines: Annotated[str, Field(max_length=LONGEST)] | None = None
    remove: Annotated[int, Field(ge=0)] | None = None
    move: tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]] | None = None
    clear: bool = False
    take: bool = False
    """Whether to add the understood orders of the sheet's unreadable lines."""
    go_on: bool | None = None


class DoRequest(RequestBody):
    """Request to carry out the order sheet at revision `revision`.

    With `end`, end the turn afterwards; with `anyway`, even if units have done nothing.
    """

    revision: Annotated[int, Field(ge=0)]
    end: bool = False
    anyway: bool = False


class ActionRequest(RequestBody):
    """Request for one action in the seat's game."""

    too_late: ClassVar[str]
    """Text of the refusal if the channel has another game by now."""

    def make_action(self, seat: PageSeat) -> Action:
        """Return the requested action. Raises NotAllowed, Refused, or Stale if the action is no longer possible."""
        raise NotImplementedError


class AnswerRequest(ActionRequest):
    """Request to answer the prompt whose key is `key` by the offer whose hash is `offer`."""

    too_late = ANSWERED
    key: Word
    offer: Word

    def make_action(self, seat: PageSeat) -> Action:
        """Return the action of the chosen offer. Raises NotAllowed, or Stale if the prompt is no longer open."""
        game, user = seat.game, seat.session.user
        viewer = game.viewer(user.id)
        for prompt in filter_visible_prompts(game, viewer, game.ruleset.open_prompts(game.state)):
            for offer in prompt.offers if prompt.key == self.key else ():
                if hash_offer(offer) == self.offer:
                    action = game.ruleset.parse(offer.kind, offer.args)
                    if not can_answer_prompt(game, viewer, prompt):
                        require_right_to_act(game, user, action)
                    return action
        raise Stale(ANSWERED)


class BattleRequest(RequestBody):
    """Request for a link to the game of a battle, by the battle's id."""

    battle: Word


class PageOrders:
    """Carries out requests of pages: changes of order sheets, execution of sheets, and single actions."""

    def __init__(self, games: Games, announcer: ChannelAnnouncer) -> None:
        self._games, self._announcer = games, announcer

    async def find_own_sheet(self, seat: PageSeat) -> StoredSheet | None:
        """Return the seat's order sheet, or None for an onlooker."""
        return await self._games.sheets.load_own_sheet(seat.game, seat.session.user) if seat.has_sheet else None

    async def require_own_sheet(self, seat: PageSeat) -> StoredSheet:
        """Return the seat's order sheet. Raises NotAllowed for an onlooker, or if the game has ended."""
        stored = await self.find_own_sheet(seat)
        if stored is None:
            raise NotAllowed("Orders are for the players and the umpire of a running game.")
        return stored

    async def change_sheet(self, seat: PageSeat, request: SheetRequest) -> StoredSheet:
        """Change the seat's sheet. Raises OldSheet, NotAllowed, Refused, SheetFull."""
        change = make_sheet_change(seat, request)
        result = await self._games.sheets.revise(
            seat.game.channel, seat.session.user, seat.game.id, request.revision, change
        )
        return result.stored

    async def carry_out_sheet(self, seat: PageSeat, request: DoRequest) -> StoredSheet:
        """Carry out the seat's sheet, and post the result. Raises OldSheet, IdleTurnRefusal, NotAllowed, Refused."""
        if not request.anyway:
            stored = await self._games.sheets.load_own_sheet(seat.game, seat.session.user)
            await require_no_idle_turn(
                self._games.idle_turns, seat.game, stored, seat.session.user, through=request.end
            )
        result = await self._games.sheets.execute(
            seat.game.channel, seat.session.user, seat.game.id, request.revision, ends_turn=request.end, interaction=0
        )
        if result.played:
            self._announcer.announce_and_continue(result.game)
        return result.stored

    async def do_action(self, seat: PageSeat, request: ActionRequest) -> None:
        """Do the requested action, and post the result. Raises NotAllowed, Refused, or Stale if no longer possible."""

        def make_action(game: Game) -> Action:
            if game.id != seat.game.id:
                raise Stale(request.too_late)
            return request.make_action(replace(seat, game=game))

        played = await self._games.actions.act(seat.game.channel, seat.session.user, make_action)
        self._announcer.announce_and_continue(played.game)


def forecast_request(seat: PageSeat, stored: StoredSheet, request: OrderRequest) -> Json:
    """Return the forecast of a requested order, as if the order were on the sheet. Raises Refused."""
    prospect = Prospect.for_sheet(seat.game, stored.side, stored.sheet.orders)
    return added_order_json(seat.game, prospect, _remove_unable_units(prospect, request.make_order(prospect)))


def _remove_unable_units(prospect: Prospect, order: Order) -> Order:
    """Return the order without units that cannot obey the order in its phase, like the chat's menus."""
    if len(order.units) == 1 or order.kind == HOLD:
        return order
    table = prospect.prepared_table(assign_phase(prospect, order).phase, order.units[0])
    return OrderBook(prospect.system, table, prospect.viewer).without_unable_units(order)


def make_sheet_change(seat: PageSeat, request: SheetRequest) -> Callable[[Game, Sheet], Sheet]:
    """Return a function that makes the requested change to a sheet. The function raises Refused, SheetFull."""
    user = seat.session.user.id

    def change_sheet(game: Game, sheet: Sheet) -> Sheet:
        if request.clear:
            return clear_orders(game, sheet)
        if request.take:
            return make_understood_order_addition(user)(game, sheet)
        if request.go_on is not None:
            return sheet.model_copy(update={"go_on": request.go_on})
        if request.remove is not None or request.move is not None:
            prospect = Prospect.for_sheet(game, game.sheet_viewer(user), sheet.orders)
            return sheet.with_orders(_rearrange_orders([forecast.order for forecast in prospect.forecasts], request))
        changed = sheet if request.lines is None else make_order_addition(user, request.lines)(game, sheet)
        return changed if request.add is None else _add_order(game, game.sheet_viewer(user), changed, request.add)

    return change_sheet


def _add_order(game: Game, viewer: Viewer, sheet: Sheet, request: OrderRequest) -> Sheet:
    """Return the sheet with the requested order and the order's prerequisites. Raises Refused, SheetFull."""
    prospect = Prospect.for_sheet(game, viewer, sheet.orders)
    order = _remove_unable_units(prospect, request.make_order(prospect))
    add_prerequisites(prospect, order)
    prospect.add_order(assign_phase(prospect, order))
    return sheet.with_orders(forecast.order for forecast in prospect.forecasts)


def _rearrange_orders(orders: list[SheetOrder], request: SheetRequest) -> list[SheetOrder]:
    """Return the orders after the requested removal or move of one order. Raises Refused."""
    places = [place for place in (request.remove, *(request.move or ())) if place is not None]
    if any(place >= len(orders) for place in places):
        raise Refused("There is no such order on the sheet.")
    if request.remove is not None:
        del orders[request.remove]
    elif request.move is not None:
        orders.insert(request.move[1], orders.pop(request.move[0]))
    return orders
