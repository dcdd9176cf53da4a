"""A game on a desk, with no chat and no database: its order sheets are opened, filled from their menus and done."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import discord

from bot.carrying import carry_out, may_pass
from bot.counts import Counts
from bot.game import Actor, Game, Seat
from bot.prospect import Prospect
from bot.series import Series
from bot.sheet import EMPTY, Kept, Sheet
from cogs import orders
from cogs.kit.pick import MOST_OPTIONS
from cogs.kit.sheet_card import ALL, MORE, SheetView
from cogs.kit.sheets import as_text, written
from rules.core.model import UMPIRE, Viewer
from rules.core.ruleset import Ruleset
from rules.core.sealed import SealedDice
from rules.core.state import State

UMPIRE_SEAT = Actor(1, "Anna")
FIRST_PLAYER = 2


class DeskLedger:
    """The only thing that a series of actions asks of the store: dice."""

    def dice(self, game: Game, interaction: int, *, secret_of: Viewer | None = None) -> SealedDice:
        """Return dice of a fixed seed, numbered on from those thrown before."""
        seed, counts = bytes(32), game.counts
        hidden = (bytes([1] * 32), game.id)
        return SealedDice(
            seed,
            game.id,
            interaction,
            counts.throws + 1,
            hidden=hidden,
            counted=counts.hidden_throws,
            secret_of=secret_of,
        )


def seated(system: Ruleset[Any], state: State, *, bots: Iterable[str] = ()) -> Game:
    """Return a game in which a player sits on every side that people may play, and Anna umpires."""
    sides = [side.id for side in state.sides if side.id != system.played_by_bot]
    seats = tuple(Seat(FIRST_PLAYER + number, side, side) for number, side in enumerate(sides))
    return Game(
        id="desk",
        channel=1,
        guild=None,
        name="desk",
        ruleset=system,
        umpire=UMPIRE_SEAT,
        seats=seats,
        seq=1,
        state=state,
        seal="",
        started=datetime.now(UTC),
        ended=None,
        counts=Counts(),
        state_seq=1,
    )


def people(game: Game) -> tuple[Actor, ...]:
    """Return everybody who may have an order sheet: the players, and the umpire."""
    return (*(Actor(seat.user, seat.name) for seat in game.seats), game.umpire)


@dataclass
class Desk:
    """One person's sheet of a game."""

    game: Game
    actor: Actor
    sheet: Sheet = EMPTY
    done: list[Any] = field(default_factory=list)

    @property
    def side(self) -> Viewer:
        """Whose units stand on the sheet."""
        return self.game.orders_for(self.actor.id)

    @property
    def kept(self) -> Kept:
        """The sheet as it is stored."""
        return Kept(self.game.id, self.actor.id, self.side, 1, self.sheet)

    @property
    def prospect(self) -> Prospect:
        """What is foreseen of its orders."""
        return Prospect.of(self.game, self.side, self.sheet.orders)

    def shown(self) -> Mapping[str, Mapping[str, str]]:
        """Show the sheet; return its menus by what they ask: labels by value. Fails beyond Discord's limits."""
        view = SheetView(self.game, self.kept, self.prospect).card().view()
        found: dict[str, Mapping[str, str]] = {}
        for item in view.walk_children():
            if isinstance(item, discord.ui.Select):
                assert 1 <= len(item.options) <= MOST_OPTIONS
                labels = {one.value: one.label for one in item.options}
                assert len(labels) == len(item.options), "two options are one and the same"
                found[item.custom_id.split(":")[2]] = labels
        assert view.to_components()
        return found

    def choose(self, menu: str, *values: str) -> None:
        """Choose in a menu that is shown."""
        shown = self.shown()
        assert menu in shown, f"no menu “{menu}”: {[*shown]}"
        assert {*values} <= shown[menu].keys(), f"{values} not among {[*shown[menu]]}"
        self.sheet = orders.CHOICES[menu](self.prospect, self.sheet, [*values])
