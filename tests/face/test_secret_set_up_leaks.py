"""Secret set-ups: other users receive the same bytes, however often a side changes its own set-up."""

from collections.abc import Callable

import pytest

from bot.runtime.client import UmpireBot
from rules.registry import rulesets
from tests import leaks
from tests.daily_choice import one_a_day

from .test_hidden_leaks import ASKED, SYSTEMS, World, told_in
from .test_own_table import TROOPS, open_battle_form, submit_battle_form
from .test_tanga_leaks import new_bots

pytestmark = pytest.mark.usefixtures("real_maps")

__all__ = ["new_bots"]


class SecretSetUp(World):
    """A bare table set up in secret.

    In a busy world the second side adds and moves more units. The umpire's secret settings of its units differ, too.
    """

    async def play(self) -> None:
        """Deploy the second side.

        The other side and an onlooker give every command before and after the battle begins.
        """
        table = self.table
        await submit_battle_form(table, await open_battle_form(table, rules=self.system))
        await table.env.settle()
        game = await table.env.bot.games.running_game(table.channel.id)
        ours, theirs = (side.id for side in game.state.sides)
        for option in ("hidden troops", "deploy in secret"):
            await self.give(table.umpire, "umpire option", name=option, value="yes")
        await self.give(table.british, "game join", side=ours)
        await self.give(table.mahdist, "game join", side=theirs)
        troop, enemy_troop = TROOPS[self.system]
        await self.unseen(table.umpire, "unit add", troop=troop, side=ours, name="First", at="C4")
        await self.unseen(table.umpire, "unit add", troop=enemy_troop, side=theirs, name="Second", at="C1")
        await self.go_about("Second")
        await self.ask(ours)
        await self.give(table.umpire, "turn next")
        await self.ask(ours)

    async def go_about(self, unit: str) -> None:
        """Deploy hidden units and move a unit to its old place; four times in a busy world."""
        table, times = self.table, 4 if self.busy else 1
        (state,) = [(await table.env.bot.games.running_game(table.channel.id)).state]
        side, troop = state.sides[1].id, TROOPS[self.system][1]
        for number in range(times):
            lurker = f"Lurker {number}"
            await self.unseen(table.umpire, "unit add", troop=troop, side=side, name=lurker, at="F1")
            await self.unseen(table.mahdist, "move", unit=lurker, to=f"{'ABDF'[number]}1")
            await self.unseen(table.mahdist, "unit hide", unit=lurker)
            await self.unseen(table.mahdist, "move", unit=unit, to="C1")
        if self.system == "magdala" and self.busy:
            await self.unseen(table.umpire, "umpire secret", unit=unit, field="secret quality", value="-2")

    async def ask(self, side: str) -> None:
        """Give every command as an opposing player and as an onlooker."""
        for actor in (self.table.british, self.table.onlooker):
            for command, options in ASKED:
                await self.give(actor, command, **options)
            for command, option in (("unit show", "unit"), ("move", "to"), ("fire", "target")):
                await self.table.complete(actor, command, option)
            for name in ("Second", "Lurker 0", "Lurker 3"):
                await self.give(actor, "unit show", unit=name)
                await self.give(actor, "move", unit=name, to="C2")


@pytest.mark.parametrize("system", one_a_day(SYSTEMS))
async def test_others_receive_the_same_bytes_whatever_is_set_up_in_secret(
    system: str, new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert system in rulesets()
    worlds = [await told_in(system, new_bots(), monkeypatch, busy=busy, of=SecretSetUp) for busy in (False, True)]
    assert not leaks.find_first_difference(*worlds), leaks.find_first_difference(*worlds)
    assert len(worlds[0]) > 60
    assert sum("export" in text or place == "a file" for place, text in worlds[0]) > 4
