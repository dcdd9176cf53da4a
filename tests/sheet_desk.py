"""Order sheets of a game without Discord or database: opened, filled from their menus and executed."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import discord

from bot.games.action_batch import ActionBatch
from bot.journal.drafts import NewEntry
from bot.journal.game import Actor, Game
from bot.journal.seats import Seat
from bot.order_sheets import menu_options
from bot.order_sheets.execute import execute_sheet
from bot.order_sheets.forecast import OrderForecast
from bot.order_sheets.model import EMPTY, Sheet, StoredSheet
from bot.order_sheets.preview import Prospect
from bot.order_sheets.sheet_changes import make_order_addition
from cogs import sheet_controls
from cogs.kit.cards.card import PREFIX
from cogs.kit.cards.menu import MOST_OPTIONS
from cogs.kit.order_sheets.display import sheet_text_and_examples
from cogs.kit.order_sheets.sheet_card import MORE, PICK, SheetView, option_tag
from rules.core.model import Viewer
from rules.core.ruleset import Ruleset
from rules.core.sealed_dice import SealedDice
from rules.core.state import State

UMPIRE_SEAT = Actor(1, "Anna")
FIRST_PLAYER = 2


class DeskLedger:
    """The part of the ledger that action batches need: dice with a fixed seed."""

    def make_dice(self, game: Game, interaction: int, *, secret_of: Viewer | None = None) -> SealedDice:
        """Return dice whose numbers continue those of the game."""
        first, hidden_count = game.counts.throws + 1, game.counts.hidden_throws
        hidden = (bytes([1] * 32), game.id)
        return SealedDice(
            bytes(32), game.id, interaction, first, hidden=hidden, dice_counts=hidden_count, secret_of=secret_of
        )


def create_game(system: Ruleset[Any], state: State) -> Game:
    """Return a game with a player on every side that people may play, and Anna as umpire."""
    sides = [side.id for side in state.sides if side.id != system.played_by_bot]
    return Game(
        id="desk",
        channel=1,
        guild=None,
        name="desk",
        ruleset=system,
        umpire=UMPIRE_SEAT,
        seats=tuple(Seat(FIRST_PLAYER + number, side, side) for number, side in enumerate(sides)),
        seq=1,
        state=state,
        seal="",
        started=datetime.now(UTC),
        ended=None,
        state_seq=1,
    )


def list_people(game: Game) -> tuple[Actor, ...]:
    """Return the players and the umpire: each may have an order sheet."""
    return (*(Actor(seat.user, seat.name) for seat in game.seats), game.umpire)


@dataclass
class Desk:
    """One person's order sheet. `check` is called with the forecast of each order chosen in menus."""

    game: Game
    actor: Actor
    check: Callable[[OrderForecast], None] = lambda _: None
    sheet: Sheet = EMPTY
    entries: list[NewEntry] = field(default_factory=list)
    orders_chosen: int = 0
    """Number of orders chosen in menus."""

    @property
    def side(self) -> Viewer:
        """The viewer whose units the sheet lists."""
        return self.game.sheet_viewer(self.actor.id)

    @property
    def prospect(self) -> Prospect:
        """The forecast of the sheet's orders."""
        return Prospect.for_sheet(self.game, self.side, self.sheet.orders)

    def get_stored(self) -> StoredSheet:
        """Return the sheet as stored in the database."""
        return StoredSheet(self.game.id, self.actor.id, self.side, 1, self.sheet)

    def show_menus(self) -> Mapping[str, Mapping[str, str]]:
        """Build the sheet's card. Return its menus by name, as labels by value. Fails beyond Discord's limits."""
        view = SheetView(self.game, self.get_stored(), self.prospect).card().view()
        assert view.to_components()
        menus: dict[str, Mapping[str, str]] = {}
        for item in view.walk_children():
            if isinstance(item, discord.ui.Select):
                prefix, pick, menu, *_ = item.custom_id.split(":")
                assert (prefix, pick) == (PREFIX, PICK)
                menus[menu] = {option.value: option.label for option in item.options}
                assert 1 <= len(menus[menu]) == len(item.options) <= MOST_OPTIONS
        return menus

    def choose(self, menu: str, *values: str) -> None:
        """Choose values in a menu of the card."""
        options = self.show_menus().get(menu, {})
        assert {*values} <= options.keys(), f"{values} not offered by “{menu}”: {[*options]}"
        self.sheet = sheet_controls.CHOICES[menu](self.prospect, self.sheet, [*values])

    def fill(self, *, thoroughly: bool) -> None:
        """Choose in every menu: each phase, then units, then their orders.

        `thoroughly`: also single units, further pages, and an order of each kind; else the first order for all units.
        """
        for when in self.show_menus().get("when", {"": ""}):
            if when:
                self.choose("when", when)
            for place in (0, 1, -1) if thoroughly else (0,):
                self.sheet = self.sheet.with_choice(units=())
                if units := [*self.show_menus().get("units", {})]:
                    self.choose("units", units[min(place, len(units) - 1)])
                    self._order(thoroughly=thoroughly)

    def _order(self, *, thoroughly: bool) -> None:
        """Give the chosen units the first order of each kind in the menu, or only the first order."""
        units, tried = self.sheet.chosen.units, set[str]()
        while units and (menu := self.show_menus().get("do")):
            if thoroughly and not tried and MORE in menu:
                self.choose("do", MORE)
                menu = self.show_menus()["do"]
            options = menu_options.list_order_options(
                self.prospect, units, self.prospect.phase_for_menu(self.sheet.chosen.phase)
            )
            kinds = {
                option.order.kind: option_tag(option) for option in reversed(options) if option_tag(option) in menu
            }
            kind = next((kind for kind in kinds if kind not in tried), None)
            if kind is None or len(self.sheet.orders) > MAX_ORDERS:
                return
            tried.add(kind)
            self.choose("do", kinds[kind])
            self.orders_chosen += 1
            self.check(
                [forecast for forecast in self.prospect.forecasts if forecast.order == self.sheet.orders[-1]][-1]
            )
            if not thoroughly:
                return
            self.sheet = self.sheet.with_choice(
                units=tuple(unit for unit in units if unit in self.prospect.book.own_names)
            )

    def rewrite(self) -> None:
        """Parse the sheet's own text. Check that each executable order keeps its phase, kind and units."""
        text = sheet_text_and_examples(self.game, self.get_stored())[0]
        rewritten = make_order_addition(self.actor.id, text, anew=True)(self.game, self.sheet)
        assert not rewritten.wrong, rewritten.wrong
        executable = {(order.phase, order.kind, order.units) for order in rewritten.orders}
        for forecast in self.prospect.forecasts:
            assert (
                forecast.prevented or (forecast.order.phase, forecast.order.kind, forecast.order.units) in executable
            ), forecast.words

    def do_all(self, *, through: int = 0) -> None:
        """Press *Do all*; with a turn number `through`, press *Do all and end my turn*."""
        changes = {"given": True, **({"through": through} if through else {})}
        self._execute(self.sheet.model_copy(update=changes), automatic=False)
        self.show_menus()

    def continue_in(self, game: Game) -> bool:
        """Continue the sheet automatically in `game`. Return whether an entry was made."""
        self.game, before = game, len(self.entries)
        self._execute(self.sheet, automatic=True)
        return len(self.entries) > before

    def _execute(self, sheet: Sheet, *, automatic: bool) -> None:
        ledger: Any = DeskLedger()
        series = ActionBatch(ledger, self.game, self.actor, 1)
        self.sheet = execute_sheet(series, replace(self.get_stored(), sheet=sheet), automatic=automatic)
        self.game = series.game
        self.entries += series.entries


MAX_ORDERS = 30
"""Maximum number of orders on a sheet filled from menus."""


def play_phases(game: Game, limit: int, play: Callable[[Game], Game]) -> Iterator[Game]:
    """Yield the game at the start of each phase. `play` may act in the phase; then the phase is passed."""
    system = game.ruleset
    for _ in range(limit):
        while game.state.over is None and (action := system.next_automatic_action(game.state)) is not None:
            game = do_action(game, action)
        if game.state.over is not None:
            return
        yield game
        moment = get_moment(game)
        game = play(game)
        while game.state.over is None and get_moment(game) == moment:
            game = pass_on(game)


def get_moment(game: Game) -> tuple[Any, ...]:
    """Return the turn, phase and sides, which together identify a phase."""
    state = game.state
    return state.turn, state.phase, state.active, state.acting_sides, state.is_being_set_up


def pass_on(game: Game) -> Game:
    """Answer the first required prompt, or else pass the phase."""
    system, state = game.ruleset, game.state
    for prompt in system.open_prompts(state):
        if prompt.required and prompt.offers:
            return do_action(game, system.parse(prompt.offers[0].kind, prompt.offers[0].args))
    kind = system.kind_meant_now(state, "turn_next")
    for side in state.acting_sides:
        for action in system.legal_actions(state, side, kind):
            return do_action(game, action)
    raise AssertionError(f"nobody can pass on from {get_moment(game)}")


def do_action(game: Game, action: Any) -> Game:
    """Execute an action without a check of rights."""
    ledger: Any = DeskLedger()
    series = ActionBatch(ledger, game, game.umpire, 1)
    series.perform(action, check_right=False)
    return series.game
