"""Measure sheets, completion, a turn of the bot and a replay on large tables: 50 and 100 units a side.

python -m benchmarks.crowded_table [SYSTEM …]

Prints the processor seconds of every system played in inches, and the ratio of the larger to the smaller table. A ratio
of 2 means that the time grows with the units; 4 means with pairs of units. Only the replay draws pictures.
"""

import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from time import process_time
from typing import Any

from bot.jobs.replay import ReplayShot, make_animation
from bot.jobs.thinking import ThinkingTask, decide_bot_action
from bot.journal.codec import pack_state
from bot.journal.game import Actor, Game
from bot.journal.seats import Seat
from bot.journal.thinking_record import TurnMemory
from bot.order_sheets.model import EMPTY, Sheet, StoredSheet
from bot.order_sheets.preview import Prospect
from bot.order_sheets.sheet_changes import make_order_addition
from cogs.kit.order_sheets.sheet_card import SheetView
from cogs.move import reachable_places
from render.replay import MOST_FRAMES
from rules.core.automaton.levels import Level
from rules.core.automaton.own_dice import SeededDice
from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.state import State
from tests.large_tables import SCENARIOS, create_crowded_table

SIZES = (50, 100)
LARGEST_FILM = 10_000_000
UNIT_STEP = 2
"""Step between ordered units on a written sheet, up to `MOST_ORDERS` units."""
MOST_ORDERS = 40


class Crowd:
    """A game on a large table, and the requests of its first side."""

    def __init__(self, rules: str, a_side: int) -> None:
        """Set up the table, with nothing cached for it yet."""
        self.system, self.state = create_crowded_table(rules, a_side)
        self.side = self.state.acting_sides[0]
        self.own = self.state.units_of(self.side)
        seat, now = Seat(2, "Baker", self.side), datetime(2026, 1, 1, tzinfo=UTC)
        name = f"{rules} {a_side}"
        self.game = Game(name, 1, 1, name, self.system, Actor(1, "Gordon"), (seat,), 1, self.state, "", now, None)

    def shown(self, sheet: Sheet) -> None:
        """Show a sheet."""
        prospect = Prospect.for_sheet(self.game, self.side, sheet.orders)
        SheetView(self.game, StoredSheet(self.game.id, 2, self.side, 1, sheet), prospect).card()

    def written(self, text: str) -> None:
        """Add orders to a sheet and show it."""
        self.shown(make_order_addition(2, text)(self.game, EMPTY))

    def measures(self) -> dict[str, Callable[[], object]]:
        """Measure every case, in order."""
        orders = "\n".join(f"{unit.name}: forward 3" for unit in self.own[::UNIT_STEP][:MOST_ORDERS])
        return {
            "an empty sheet": lambda: self.shown(EMPTY),
            "one unit chosen": lambda: self.shown(EMPTY.with_choice(units=(self.own[0].id,))),
            "all units chosen": lambda: self.shown(EMPTY.with_choice(units=tuple(unit.id for unit in self.own))),
            "one order for all": lambda: self.written("all: forward 3"),
            "an order each": lambda: self.written(orders),
            "/move completed": lambda: reachable_places(self.game, self.side, self.own[0].id),
            "a turn of the bot's, hard": self.turn,
            f"a replay of {MOST_FRAMES} frames": self.replay,
        }

    def turn(self) -> None:
        """Let the bot play the acting side's turn. If both sides act, the other passes unless it owes a test."""
        state, remembered, dice, base = self.state, dict[str, TurnMemory](), SeededDice("turn"), 0
        while (state.turn, state.active) == (self.state.turn, self.state.active):
            owing_sides = [prompt.side for prompt in self.system.required_prompts(state)]
            passing = [side for side in state.acting_sides if side != self.state.active and not owing_sides]
            if passes := [action for side in passing for action in self.system.legal_actions(state, side, PASS)]:
                state, _ = self.system.act(state, passes[0], dice)
                continue
            sides = dict.fromkeys(owing_sides or state.acting_sides, Level.HARD)
            thought = decide_bot_action(
                ThinkingTask(self.system, pack_state(self.system, state), "crowd", base, sides, remembered)
            )
            remembered[thought.side], base = thought.remembered, base + 1
            state = self.done(state, thought.actions, dice)

    def done(self, state: State, actions: Sequence[tuple[str, dict[str, Any]]], dice: SeededDice) -> State:
        """Return the state after the first allowed action."""
        for kind, args in actions:
            try:
                return self.system.act(state, self.system.parse(kind, args), dice)[0]
            except Refused:
                continue
        raise AssertionError("the bot can do nothing")

    def replay(self) -> None:
        """Draw a replay in which one unit moves in each frame."""
        states = [self.state]
        for unit in self.own[: MOST_FRAMES - 1]:
            place = unit.place.model_copy(update={"y": unit.place.y + 1})
            states.append(states[-1].changed(unit.id, place=place))
        make_animation(self.system, [ReplayShot(pack_state(self.system, state)) for state in states], LARGEST_FILM)


def measure_seconds(measure: Callable[[], object]) -> float:
    """Return the processor time of a call, in seconds."""
    start = process_time()
    measure()
    return process_time() - start


def main() -> None:
    """Run the benchmarks and print the results."""
    for rules in sys.argv[1:] or sorted(SCENARIOS):
        small, large = (
            {name: measure_seconds(work) for name, work in Crowd(rules, size).measures().items()} for size in SIZES
        )
        print(f"{rules:28}{SIZES[0]:>8}{SIZES[1]:>8}{'times':>8}")
        for name in small:
            print(
                f"  {name:26}{small[name]:8.2f}{large[name]:8.2f}{large[name] / max(small[name], 1e-3):8.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
