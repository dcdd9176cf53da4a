"""Measure turn messages on a telephone: lines of 40 characters, and buttons.

    python -m benchmarks.turn_messages [SYSTEM …] [--games N] [--turns N] [--keep FOLDER] [--show N]

The bot plays both sides of every game at level easy. Each game is then posted three times: for a person on the first
side, for a person on the second, and for onlookers while the bot holds both seats. All text before *Details* counts,
including small print, without Markdown marks. `--keep` stores the games to measure them again; `--show` prints so many
messages of each system, spread over its games.
"""

import argparse
import pickle
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from cogs.kit.cards.telephone import wrap_lines
from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker
from rules.core.automaton.own_dice import SeededDice
from rules.core.ruleset import Ruleset
from rules.registry import rulesets
from tests.recorded_channel import RecordedAction, RecordedChannel, count_buttons

MOST_ACTIONS = 6000


@dataclass(frozen=True)
class MeasuredMessage:
    """A turn message: text, lines on a telephone, and number of buttons without *Details*."""

    words: str
    lines: int
    buttons: int


def play_game(system: Ruleset[Any], scenario: str, seed: int, turns: int | None) -> list[RecordedAction]:
    """Return the actions of a game of the bot against itself, to the end or for `turns` turns."""
    dice, state = SeededDice(f"game {seed}"), system.setup(scenario, {}, SeededDice(f"setup {seed}"))
    choosers = {side.id: DecisionMaker(system, side.id, Level.EASY, "") for side in state.sides}
    acts: list[RecordedAction] = []
    while state.over is None and len(acts) < MOST_ACTIONS and (turns is None or state.turn <= turns):
        action, side = system.next_automatic_action(state), ""
        if action is None:
            owing_sides = [prompt.side for prompt in system.open_prompts(state) if prompt.required]
            side = (owing_sides or sorted(system.awaited_viewers(state)))[0]
            chooser = choosers[side]
            chooser.seed = f"{seed}:{len(acts)}"
            thought = chooser.decide(state)
            action = (
                thought.action
                if thought is not None
                else next(iter(system.legal_actions(system.view(state, side), side)))
            )
        after, report = system.act(state, action, dice)
        acts.append(RecordedAction(state, action, report, after, side))
        state = after
    return acts


def get_recorded_game(
    system: Ruleset[Any], number: int, turns: int | None, folder: Path | None
) -> list[RecordedAction]:
    """Return game `number` of a system, played or read from `folder`. Its scenario follows from the number.

    The folder keeps the actions; they are done again, so that reports are those of the present rules.
    """
    scenario = [*system.scenarios][number % len(system.scenarios)]
    file = None if folder is None else folder / f"{system.id}-{number}-{turns}.pickle"
    if file is None or not file.exists():
        acts = play_game(system, scenario, number, turns)
        if file is not None:
            file.write_bytes(
                pickle.dumps([(act.action.kind, act.action.model_dump(mode="json"), act.side) for act in acts])
            )
        return acts
    dice, state = SeededDice(f"game {number}"), system.setup(scenario, {}, SeededDice(f"setup {number}"))
    acts = []
    for kind, args, side in pickle.loads(file.read_bytes()):
        action = system.parse(
            kind, {name: value for name, value in args.items() if name != "kind" and value is not None}
        )
        after, report = system.act(state, action, dice)
        acts.append(RecordedAction(state, action, report, after, side))
        state = after
    return acts


def measure(system: Ruleset[Any], games: int, turns: int | None, folder: Path | None) -> list[MeasuredMessage]:
    """Return the turn messages of `games` games."""
    messages = []
    for number in range(games):
        acts = get_recorded_game(system, number, turns, folder)
        sides = [side.id for side in acts[0].before.sides if side.id != system.played_by_bot]
        for people in (*([side] for side in sides), []):
            for card in RecordedChannel(system, acts, people).messages():
                messages.append(MeasuredMessage(card.words, len(wrap_lines(card.words)), count_buttons(card)))
    return messages


def main() -> None:
    """Print a line for each system, and the messages to show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", nargs="*")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--turns", type=int)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    for name, system in rulesets().items():
        if options.system and name not in options.system:
            continue
        messages = measure(system, options.games, options.turns, options.keep)
        for message in messages[:: max(len(messages) // options.show, 1)] if options.show else ():
            print(f"--- {message.lines} lines, {message.buttons} buttons", *wrap_lines(message.words), sep="\n")
        lines, buttons = [message.lines for message in messages], [message.buttons for message in messages]
        print(
            f"{name}: {len(messages)} messages, lines median {median(lines):g}, most {max(lines)}; "
            f"over 25 {sum(count > 25 for count in lines)}; buttons median {median(buttons):g}, "
            f"most {max(buttons)}",
            flush=True,
        )


if __name__ == "__main__":
    main()
