"""A game on a desk, with no chat and no database: its order sheets are opened, filled from their menus and done."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import discord

from bot.games.action_batch import ActionBatch
from bot.journal.drafts import NewEntry
from bot.journal.game import Actor, Game, Seat
from bot.order_sheets import menu_options
from bot.order_sheets.execute import execute_sheet
from bot.order_sheets.forecast import OrderForecast
from bot.order_sheets.model import EMPTY, Sheet, StoredSheet
from bot.order_sheets.preview import Prospect
from bot.order_sheets.sheet_changes import write_orders
from cogs import sheet_controls
from cogs.kit.cards.card import PREFIX
from cogs.kit.controls.menu import MOST_OPTIONS
from cogs.kit.order_sheets.display import sheet_text
from cogs.kit.order_sheets.sheet_card import MORE, PICK, SheetView, option_tag
from rules.core.model import Viewer
from rules.core.ruleset import Ruleset
from rules.core.sealed_dice import SealedDice
from rules.core.state import State

UMPIRE_SEAT = Actor(1, "Anna")
FIRST_PLAYER = 2


class DeskLedger:
    """All that a series of actions asks of the store: dice of a fixed seed."""

    def dice(self, game: Game, interaction: int, *, secret_of: Viewer | None = None) -> SealedDice:
        """Return dice numbered on from those that the game has thrown."""
        first, counted = game.counts.throws + 1, game.counts.hidden_throws
        hidden = (bytes([1] * 32), game.id)
        return SealedDice(bytes(32), game.id, interaction, first, hidden=hidden, counted=counted, secret_of=secret_of)


def seated(system: Ruleset[Any], state: State) -> Game:
    """Return a game in which a player sits on every side that people may play, and Anna umpires."""
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


def people(game: Game) -> tuple[Actor, ...]:
    """Return everybody who may have an order sheet: the players, and the umpire."""
    return (*(Actor(seat.user, seat.name) for seat in game.seats), game.umpire)


@dataclass
class Desk:
    """One person's sheet of a game. `check` is called with what is foreseen of each order chosen in menus."""

    game: Game
    actor: Actor
    check: Callable[[OrderForecast], None] = lambda _: None
    sheet: Sheet = EMPTY
    made: list[NewEntry] = field(default_factory=list)
    chosen: int = 0
    """Orders that were chosen in menus."""

    @property
    def side(self) -> Viewer:
        """Whose units stand on the sheet."""
        return self.game.sheet_viewer(self.actor.id)

    @property
    def prospect(self) -> Prospect:
        """What is foreseen of its orders."""
        return Prospect.for_sheet(self.game, self.side, self.sheet.orders)

    def kept(self) -> StoredSheet:
        """Return the sheet as it is stored."""
        return StoredSheet(self.game.id, self.actor.id, self.side, 1, self.sheet)

    def shown(self) -> Mapping[str, Mapping[str, str]]:
        """Show the sheet and return its menus by name: labels by value. Fails beyond Discord's limits."""
        view = SheetView(self.game, self.kept(), self.prospect).card().view()
        assert view.to_components()
        found: dict[str, Mapping[str, str]] = {}
        for item in view.walk_children():
            if isinstance(item, discord.ui.Select):
                prefix, pick, menu, *_ = item.custom_id.split(":")
                assert (prefix, pick) == (PREFIX, PICK)
                found[menu] = {one.value: one.label for one in item.options}
                assert 1 <= len(found[menu]) == len(item.options) <= MOST_OPTIONS
        return found

    def choose(self, menu: str, *values: str) -> None:
        """Choose in a menu that is shown."""
        offered = self.shown().get(menu, {})
        assert {*values} <= offered.keys(), f"{values} not offered by “{menu}”: {[*offered]}"
        self.sheet = sheet_controls.CHOICES[menu](self.prospect, self.sheet, [*values])

    def fill(self, *, thoroughly: bool) -> None:
        """Choose in every menu: each time, then units, then what they do.

        `thoroughly`: also single units, further pages, and an order of each kind; else the first order for all units.
        """
        for when in self.shown().get("when", {"": ""}):
            if when:
                self.choose("when", when)
            for place in (0, 1, -1) if thoroughly else (0,):
                self.sheet = self.sheet.with_choice(units=())
                if units := [*self.shown().get("units", {})]:
                    self.choose("units", units[min(place, len(units) - 1)])
                    self._order(thoroughly=thoroughly)

    def _order(self, *, thoroughly: bool) -> None:
        """Give the chosen units the first order of each kind that is shown, or the first of all."""
        units, given = self.sheet.chosen.units, set[str]()
        while units and (offered := self.shown().get("do")):
            if thoroughly and not given and MORE in offered:
                self.choose("do", MORE)
                offered = self.shown()["do"]
            options = menu_options.list_options(
                self.prospect, units, self.prospect.choose_phase(self.sheet.chosen.phase)
            )
            kinds = {one.order.kind: option_tag(one) for one in reversed(options) if option_tag(one) in offered}
            kind = next((kind for kind in kinds if kind not in given), None)
            if kind is None or len(self.sheet.orders) > MOST_GIVEN:
                return
            given.add(kind)
            self.choose("do", kinds[kind])
            self.chosen += 1
            self.check([one for one in self.prospect.forecasts if one.order == self.sheet.orders[-1]][-1])
            if not thoroughly:
                return
            self.sheet = self.sheet.with_choice(units=tuple(one for one in units if one in self.prospect.book.own))

    def write_again(self) -> None:
        """Write the sheet anew from its own text: the orders that can be done stand there for their time."""
        text = sheet_text(self.game, self.kept())[0]
        again = write_orders(self.actor.id, text, anew=True)(self.game, self.sheet)
        assert not again.wrong, again.wrong
        there = {(one.phase, one.kind, one.units) for one in again.orders}
        for one in self.prospect.forecasts:
            assert one.prevented or (one.order.phase, one.order.kind, one.order.units) in there, one.words

    def do_all(self, *, through: int = 0) -> None:
        """Press *Do all*, or *Do all and end my turn* of that turn."""
        given = {"given": True, **({"through": through} if through else {})}
        self._carry(self.sheet.model_copy(update=given), automatic=False)
        self.shown()

    def go_on(self, game: Game) -> bool:
        """Go on by itself in the game as it is now; return whether anything was done."""
        self.game, before = game, len(self.made)
        self._carry(self.sheet, automatic=True)
        return len(self.made) > before

    def _carry(self, sheet: Sheet, *, automatic: bool) -> None:
        ledger: Any = DeskLedger()
        series = ActionBatch(ledger, self.game, self.actor, 1)
        self.sheet = execute_sheet(series, replace(self.kept(), sheet=sheet), automatic=automatic)
        self.game = series.game
        self.made += series.entries


MOST_GIVEN = 30
"""Orders after which no more are chosen."""


def moments(game: Game, most: int, play: Callable[[Game], Game]) -> Iterator[Game]:
    """Walk through the game's phases: each as it begins; `play` does something in it, then it is passed on."""
    system = game.ruleset
    for _ in range(most):
        while game.state.over is None and (action := system.next_by_itself(game.state)) is not None:
            game = acted(game, action)
        if game.state.over is not None:
            return
        yield game
        moment = when(game)
        game = play(game)
        while game.state.over is None and when(game) == moment:
            game = passed(game)


def when(game: Game) -> tuple[Any, ...]:
    """Name the turn, phase and sides of a moment."""
    state = game.state
    return state.turn, state.phase, state.active, state.acting_sides, state.is_being_set_up


def passed(game: Game) -> Game:
    """Settle the first thing that is required, else pass on."""
    system, state = game.ruleset, game.state
    for prompt in system.open_prompts(state):
        if prompt.required and prompt.offers:
            return acted(game, system.parse(prompt.offers[0].kind, prompt.offers[0].args))
    kind = system.meant_kind(state, "turn_next")
    for side in state.acting_sides:
        for action in system.legal(state, side, kind):
            return acted(game, action)
    raise AssertionError(f"nobody can pass on from {when(game)}")


def acted(game: Game, action: Any) -> Game:
    """Do an action without asking whose it is."""
    ledger: Any = DeskLedger()
    series = ActionBatch(ledger, game, game.umpire, 1)
    series.do(action, check_right=False)
    return series.game
