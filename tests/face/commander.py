"""A simulated player who orders a whole turn on one sheet, and then answers prompts. It counts presses and messages."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import simcord

from bot.journal.game import Game
from bot.order_sheets.model import SheetOrder
from bot.order_sheets.preview import Prospect
from cogs.kit.automatic_play import COULD_NOT
from rules.core.order_book import OrderBook
from rules.core.orders import DEFAULT_KIND
from rules.core.report import Prompt
from rules.core.state import Action

from .sheet import PlayersSheet, menus
from .table import Message, Table, choices, labels, text

NEAR = 14.0
"""Inches from the nearest enemy within which a unit of a defender halts."""
GROUPS = 2
"""Maximum number of goals, and of targets, in the orders of a turn."""
MOST_ANSWERS = 60
"""Maximum number of answers per turn; more means that the game does not end."""
FIRE, ATTACH = "fire", "attach"
NOTICE = COULD_NOT.format("")
"""Words of the message that tells a player of orders that had become impossible."""
REFUSED = "✖"
"""Sign before the reason why an order on a sheet was refused."""
PASS_ON = ("Do all and end my turn", "Pass on")


@dataclass
class Cost:
    """The cost of a turn for a player: presses, public messages they caused, and times the game began to wait for him.

    `choices` are presses that answered a prompt with several offers, or a refused order. `needless` are all other
    presses after his orders.
    """

    presses: int = 0
    messages: int = 0
    waits: int = 0
    choices: list[str] = field(default_factory=list)
    needless: list[str] = field(default_factory=list)


@dataclass
class Commander:
    """A simulated player of a side. If he `attacks`, his units that cannot fire move towards the enemy."""

    table: Table
    player: simcord.MemberActor
    side: str
    attacks: bool
    by_text: bool
    always: Sequence[str] = ()
    """Kinds of action that he orders whenever they are offered."""
    ordered: int = 0
    """Number of the last turn for which he gave orders."""
    costs: dict[int, Cost] = field(default_factory=dict)

    async def answer(self, game: Game, *, anew: bool) -> None:
        """Give this turn's orders, or answer a prompt if they are given.

        `anew`: the game has just begun to wait for him.
        """
        cost = self.costs.setdefault(game.state.turn, Cost())
        cost.waits += anew
        before = self._public()
        if self.ordered < game.state.turn:
            self.ordered = game.state.turn
            await self._order(game, cost)
        else:
            cost.presses += 1
            await self._react(game, cost)
        cost.messages += self._public() - before

    def unanswered_prompts(self, game: Game) -> list[Prompt]:
        """Return his prompts that hold up the game, prompts with a choice first."""
        prompts = game.ruleset.open_prompts(game.state)
        owed = [prompt for prompt in prompts if prompt.required and prompt.side == self.side and prompt.offers]
        return sorted(owed, key=lambda prompt: len(prompt.offers) == 1)

    def _public(self) -> int:
        """Return the number of public messages, except notices that an order could not be done."""
        told = map(text, self.table.channel.history(viewer=self.table.onlooker))
        return sum(NOTICE not in message for message in told)

    async def _order(self, game: Game, cost: Cost) -> None:
        sheet, plan = PlayersSheet(self.table, self.player), [*self._plan(game)]
        book = OrderBook(game.ruleset, game.ruleset.view(game.state, self.side), self.side)
        if self.by_text and plan:
            await sheet.open("; ".join(map(book.write, plan)))
        else:
            await sheet.open()
            for order in plan:
                await self._choose(game, sheet, order, book)
        if not {*PASS_ON} & {*sheet.labels}:
            await sheet.press("☐ End my turn when done")
        for label in PASS_ON:
            if label in sheet.labels:
                await sheet.press(label)
                break
        cost.presses += sheet.presses

    async def _choose(self, game: Game, sheet: PlayersSheet, order: SheetOrder, book: OrderBook[Any]) -> None:
        """Choose the order's units in the menus, then the order itself, or else an order with its verb."""
        await sheet.choose("Which units?", *(game.state.units[unit].name for unit in order.units))
        words = book.write(order.model_copy(update={"units": (), "phase": ""})).lstrip(": ")
        label = words[:1].upper() + words[1:]
        labels_shown = [option["label"] for option in menus(sheet.message)["Do what?"]["options"]]
        like = [name for name in labels_shown if name.split()[0] == label.split()[0]]
        if like:
            await sheet.choose("Do what?", label if label in labels_shown else like[0])

    def _plan(self, game: Game) -> Iterable[SheetOrder]:
        """Yield orders for the whole turn: the kinds in `always`, then moves towards the enemy, then fire."""
        prospect = Prospect.for_sheet(game, self.side)
        times = [(time, prospect.offered_actions(time)) for time in prospect.phases_ahead]
        can_fire = {
            unit
            for _, actions_by_unit in times
            for unit, actions in actions_by_unit.items()
            if filter_by_kind(actions, FIRE)
        }
        for time, actions_by_unit in times:
            for kind in self.always:
                if units := tuple(unit for unit, actions in actions_by_unit.items() if filter_by_kind(actions, kind)):
                    yield SheetOrder(kind=kind, units=units, phase=time)
        for time, actions_by_unit in times:
            movers = (
                unit
                for unit, actions in actions_by_unit.items()
                if filter_by_kind(actions, DEFAULT_KIND) and not filter_by_kind(actions, ATTACH)
            )
            goals = {unit: self._goal(game, unit, fires=unit in can_fire) for unit in movers}
            for goal, units in group_by_goal({unit: goal for unit, goal in goals.items() if goal}).items():
                book = OrderBook(prospect.system, prospect.expected_table(time, units[0]), self.side)
                order = book.without_unable_units(
                    SheetOrder(kind=DEFAULT_KIND, units=tuple(units), args={"to": goal}, phase=time)
                )
                if is_possible(prospect, order):
                    yield order
        for time, actions_by_unit in times:
            shots = {unit: filter_by_kind(actions, FIRE) for unit, actions in actions_by_unit.items()}
            may = {unit: {action.target for action in actions} for unit, actions in shots.items() if actions}
            for target, units in group_by_target(may).items():
                yield SheetOrder(kind=FIRE, units=units, args={"target": target}, phase=time)

    def _goal(self, game: Game, unit: str, *, fires: bool) -> str:
        """Return the unit's goal, or an empty string if it should stay."""
        units: Sequence[Any] = [*game.state.units.values()]
        mine: Any = game.state.units[unit]
        foes = [foe for foe in units if foe.side != self.side and foe.on_table and foe.place is not None]
        if not foes or mine.place is None:
            return ""
        away, nearest = min((math.dist(foe.place.point, mine.place.point), foe.name) for foe in foes)
        if self.attacks and not fires:
            return f"towards {nearest}"
        return "forward 6" if away > NEAR and not getattr(mine, "is_crew", False) else ""

    async def _react(self, game: Game, cost: Cost) -> None:
        for prompt in self.unanswered_prompts(game):
            for label in (offer.label for offer in prompt.offers):
                if message := find_message_with(self.table, label):
                    (cost.choices if len(prompt.offers) > 1 else cost.needless).append(label)
                    await self.table.press(self.player, message, label)
                    return
        sheet = PlayersSheet(self.table, self.player)
        await sheet.open()
        (cost.choices if REFUSED in sheet.text else cost.needless).append(sheet.text)
        await self.table.pass_on(self.player)


def is_possible(prospect: Prospect, order: SheetOrder) -> bool:
    """Whether the preview foresees no refusal of the order."""
    tried = prospect.copy()
    tried.add_order(order)
    return not tried.forecasts[-1].prevented


def filter_by_kind(actions: Sequence[Action], kind: str) -> list[Any]:
    """Return the actions of this kind without arguments other than unit, target and place."""
    return [
        action for action in actions if action.kind == kind and not action.model_fields_set - {"unit", "target", "to"}
    ]


def find_message_with(table: Table, label: str) -> Message | None:
    """Return the newest message with a button or a choice of this label, or None."""
    shown = reversed(table.channel.history())
    return next((message for message in shown if label in labels(message) or label in choices(message)), None)


def group_by_goal(goals: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    """Group units by goal. Use only the most frequent goals, at most `GROUPS`."""
    frequent = [goal for goal, _ in Counter(goals.values()).most_common(GROUPS)]
    groups: dict[str, tuple[str, ...]] = {}
    for unit, goal in goals.items():
        near = goal if goal in frequent else frequent[0]
        groups[near] = (*groups.get(near, ()), unit)
    return groups


def group_by_target(may: Mapping[str, set[str]]) -> Mapping[str, tuple[str, ...]]:
    """Group units by target. Choose up to `GROUPS` targets that most units can hit."""
    remaining, groups = dict(may), dict[str, tuple[str, ...]]()
    while remaining and len(groups) < GROUPS:
        counts = Counter(target for targets in remaining.values() for target in targets)
        best = max(sorted(counts), key=counts.__getitem__)
        groups[best] = tuple(unit for unit, targets in remaining.items() if best in targets)
        remaining = {unit: targets for unit, targets in remaining.items() if best not in targets}
    return groups


async def play(table: Table, commanders: Sequence[Commander], turns: int) -> Game:
    """Play this many turns and return the game.

    The commander who acted last goes on while he owes orders or the first prompt. Otherwise the first commander acts
    who owes orders or a prompt.
    """
    last: Commander | None = None
    acted: set[tuple[int, str]] = set()
    for _ in range(MOST_ANSWERS * turns):
        game: Game = await table.env.bot.games.running_game(table.channel.id)
        if game.state.over is not None or game.state.turn > turns:
            return game
        waited = [commander for commander in commanders if commander.side in game.awaited_viewers]
        fresh = [commander for commander in waited if commander.ordered < game.state.turn]
        owing = sorted(
            (commander for commander in waited if commander.unanswered_prompts(game)),
            key=lambda commander: len(commander.unanswered_prompts(game)[0].offers) == 1,
        )
        due = [*fresh, *owing, *waited]
        now = last if last in (*fresh, *owing[:1]) and last is not None else due[0]
        await now.answer(game, anew=now is not last or (game.state.turn, now.side) not in acted)
        last = now
        acted.add((game.state.turn, now.side))
    raise AssertionError("the game does not end")
