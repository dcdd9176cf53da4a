"""A game never waits without a mentioned player: random play with order sheets and the bot, checked step by step."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

import pytest
import simcord

from bot.errors import NoGame
from bot.journal.game import Game
from tests.daily_choice import one_a_day
from tests.fuzz import get_daily_seed

from .sheet import PlayersSheet, menus
from .table import Answer, Message, Table, labels, text

BATTLES = {
    "great_war": ("trench", "british", "germans"),
    "charge": ("bridge", "prussians", "austrians"),
    "empire": ("el-teb-1884", "british", "mahdists"),
    "magdala": ("suakin-1885", "british", "mahdists"),
    "tanga": ("initial-assault", "german", ""),
}
FEW_STEPS, MANY_STEPS = 10, 40


def sides_that_can_act(game: Game) -> frozenset[str]:
    """Return the sides of people that can act now. Skip sides blocked by prompts of others."""
    system, state = game.ruleset, game.state
    owing = {prompt.side for prompt in system.open_prompts(state) if prompt.required}
    legal = {
        side: next(iter(system.legal_actions(system.view(state, side), side)), None) for side in game.awaited_viewers
    }
    return frozenset(side for side, action in legal.items() if side in owing or not owing or action is not None)


@dataclass
class Watch:
    """A table of random players.

    `knows` lists the users of each side who know that their side can act.
    """

    table: Table
    chance: random.Random
    players: dict[str, simcord.MemberActor]
    knows: dict[str, set[int]] = field(default_factory=dict)
    last: frozenset[str] = frozenset()
    events: list[str] = field(default_factory=list)

    async def game(self) -> Game:
        return await self.table.env.bot.games.running_game(self.table.channel.id)

    async def play(self, steps: int) -> None:
        """Take random steps until the game is over.

        After each, require that every side that can act has an informed player.
        """
        self.last = sides_that_can_act(await self.game())
        self.knows = {side: {player.id} for side, player in self.players.items()}  # they have just joined
        for _ in range(steps):
            before = {message.id for message in self.table.channel.history()}
            try:
                actor = await self.act_randomly(await self.game())
                await self.table.env.settle()
                game = await self.game()
            except NoGame:
                return
            if game.state.over is not None:
                return
            self.check_mentions(
                game, actor, [message for message in self.table.channel.history() if message.id not in before]
            )

    def check_mentions(self, game: Game, actor: simcord.MemberActor, new: Iterable[Message]) -> None:
        """Record the mentions in new messages. Fail if a side can act and none of its players knows."""
        reply = "\n".join(map(text, new))
        now = sides_that_can_act(game)
        for side in now:
            holders = {seat.user for seat in game.players(side) if not seat.is_bot} or {game.umpire.id}
            knowing = self.knows.get(side, set()) if side in self.last else set()
            self.knows[side] = knowing | {user for user in holders if user == actor.id or f"<@{user}>" in reply}
            assert self.knows[side], f"{side} is waited for, and nobody knows: {self.events[-4:]}\n{reply}"
        assert now or game.bot_seats, f"nobody is waited for: {self.events[-4:]}"
        assert now or game.is_bot_resting, f"the bot does not go on: {self.events[-4:]}"
        self.last = now

    async def act_randomly(self, game: Game) -> simcord.MemberActor:
        """Let a random person act and return this person."""
        owed = [
            prompt
            for prompt in game.ruleset.open_prompts(game.state)
            if prompt.required and prompt.side in self.players
        ]
        if owed:
            prompt = self.chance.choice(owed)
            return await self.answer(self.players[prompt.side], [offer.label for offer in prompt.offers])
        acting = [side for side in self.players if side in game.state.acting_sides]
        resting = [side for side in self.players if side not in game.state.acting_sides]
        if resting and self.chance.random() < 0.4:
            return await self.give_orders(self.players[self.chance.choice(resting)])
        if not acting:
            return await self.play_on(self.table.umpire)
        player = self.players[self.chance.choice(acting)]
        if self.chance.random() < 0.1:
            return await self.take_back(player)
        return await (self.pass_on if self.chance.random() < 0.4 else self.give_orders)(player)

    async def answer(self, player: simcord.MemberActor, offered_labels: list[str]) -> simcord.MemberActor:
        """Press an offered button of the newest message that has one."""
        for message in reversed(self.table.channel.history()):
            if labels_pressed := [label for label in labels(message) if label in offered_labels]:
                self.events.append(f"answers {labels_pressed[0]}")
                await self.table.press(player, message, self.chance.choice(labels_pressed))
                return player
        return await self.pass_on(player)

    async def pass_on(self, player: simcord.MemberActor) -> simcord.MemberActor:
        """Pass on, confirming the end of an idle turn."""
        self.events.append("passes on")
        await self.confirm_end(player, await self.table.give(player, "turn next"))
        return player

    async def confirm_end(self, player: simcord.MemberActor, answer: Answer) -> None:
        """Confirm the end of an idle turn, if the answer asks."""
        for message in answer.private:
            if labels_pressed := [label for label in labels(message) if "nyway" in label]:
                await self.table.press(player, message, labels_pressed[0])

    async def play_on(self, player: simcord.MemberActor) -> simcord.MemberActor:
        """Press a button that continues automatic play."""
        for message in reversed(self.table.channel.history()):
            if labels_pressed := [
                label for label in labels(message) if label.startswith(("Let the bot", "Play", "End the"))
            ]:
                self.events.append(labels_pressed[0])
                await self.table.press(player, message, labels_pressed[0])
                return player
        return player

    async def take_back(self, player: simcord.MemberActor) -> simcord.MemberActor:
        """Undo the last action, with the umpire's consent if needed."""
        self.events.append("takes back")
        preview = await self.table.give(player, "game undo")
        labels_shown = labels(preview.private[0]) if preview.private else []
        if "Take it back" in labels_shown:
            await self.table.press(player, preview.private[0], "Take it back")
        elif "Ask the table" in labels_shown:
            question = await self.table.press(player, preview.private[0], "Ask the table")
            await self.table.press(self.table.umpire, question.announced, "Consent")
            return self.table.umpire
        return player

    async def give_orders(self, player: simcord.MemberActor) -> simcord.MemberActor:
        """Choose random orders in the sheet's menus and run them, now or in their phase."""
        sheet = PlayersSheet(self.table, player)
        await sheet.open()
        for _ in range(self.chance.randint(1, 3)):
            for menu in ("Which units?", "Do what?"):
                if menu in menus(sheet.message):
                    labels_shown = [option["label"] for option in menus(sheet.message)[menu]["options"]]
                    await sheet.choose(menu, self.chance.choice(labels_shown))
        if self.chance.random() < 0.3:
            await sheet.press(self.chance.choice([label for label in sheet.labels if label[0] in "☐☑"]))
        press = [label for label in sheet.labels if label.startswith(("Do all", "Pass on"))]
        self.events.append(f"orders {sheet.text[:300]} {press}")
        if press:
            await self.confirm_end(player, await sheet.press(self.chance.choice(press)))
        return player


async def begin_watch(table: Table, name: str, seed: int, *, bot: bool) -> Watch:
    """Return a game with both players seated, or with the bot on the second side."""
    scenario, first, second = BATTLES[name]
    await table.give(table.umpire, "game new", rules=name, scenario=scenario)
    players = {first: table.british}
    if first == "german":
        await table.give(table.umpire, "game leave")
    await table.give(table.british, "game join", side=first)
    if second and bot:
        await table.give(table.umpire, "opponent side", side=second, level="easy")
    elif second:
        await table.give(table.mahdist, "game join", side=second)
        players[second] = table.mahdist
    await table.env.settle()
    return Watch(table, random.Random(f"{name} {seed}"), players)


@pytest.mark.parametrize("name", one_a_day([*BATTLES]))
@pytest.mark.parametrize("bot", [False, pytest.param(True, marks=pytest.mark.soak)])
async def test_a_player_who_may_act_always_knows(table: Table, name: str, bot: bool) -> None:
    watch = await begin_watch(table, name, get_daily_seed(), bot=bot)
    await watch.play(FEW_STEPS)
    assert watch.events


@pytest.mark.soak
@pytest.mark.parametrize("name", [*BATTLES])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("bot", [False, True])
async def test_a_player_who_may_act_knows_through_many_turns(table: Table, name: str, seed: int, bot: bool) -> None:
    watch = await begin_watch(table, name, get_daily_seed() + seed, bot=bot)
    await watch.play(MANY_STEPS)
    assert watch.events
