"""Measure the messages of turns as a telephone shows them: lines of 40 characters, and buttons.

    python -m benchmarks.turn_messages [SYSTEM …] [--games N] [--turns N] [--keep FOLDER] [--show N]

The bot plays both sides of every game, at the easy level. Each game is then told three times: to a person on the first
side, to a person on the second, and to onlookers while the bot holds both seats. Counted is all the text above and
beside *Details*, small print too; Markdown marks do not count. `--keep` keeps the games played, for another measuring of
the same games; `--show` prints so many messages of each system, spread over its games.
"""

import argparse
import pickle
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import discord
from discord import ui

from bot.games.turn_mentions import MOST_LINES, Call, seat_holders, sides_to_call
from bot.journal.game import Actor, Entry, Game, Played, Seat, bot_user_id
from cogs.kit import turn_message
from cogs.kit.bot_turns import ends_turn
from cogs.kit.cards.card import Card
from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import Chooser
from rules.core.automaton.own_dice import OwnDice
from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State
from rules.registry import rulesets

ACROSS = 40
"""Characters of a line on a telephone."""
MARKS = re.compile(r"^(?:#+ |-# |\*\*|> )|\*\*|\\|`", re.MULTILINE)
MENTION = re.compile(r"<@\d+>")
MOMENT = re.compile(r"<t:\d+:.>")
ONE_BLANK = "@somebody"
MOST_ACTIONS = 6000
UMPIRE, PERSON = Actor(1, "Gordon"), 2


@dataclass(frozen=True)
class Done:
    """An action of a recorded game: the state before and after it, and the deciding side, empty without a decision."""

    before: State
    action: Action
    report: Report
    after: State
    side: str


@dataclass(frozen=True)
class Measured:
    """A message of a turn: its words, its lines on a telephone, and its buttons without *Details*."""

    words: str
    lines: int
    buttons: int


def lines_of(words: str) -> list[str]:
    """Return the lines of a message's text as a telephone wraps them."""
    plain = MOMENT.sub("27 November", MENTION.sub(ONE_BLANK, MARKS.sub("", words)))
    return [line for paragraph in plain.splitlines() for line in textwrap.wrap(paragraph, ACROSS)]


def buttons_of(card: Card) -> int:
    """Return the number of a card's buttons, without *Details*."""
    items = (getattr(one, "item", one) for one in card.view().walk_children())
    buttons = (one for one in items if isinstance(one, ui.Button | discord.ui.Button))
    return sum(one.label != "Details" for one in buttons)


def play(system: Ruleset[Any], scenario: str, seed: int, turns: int | None) -> list[Done]:
    """Return the actions of a game of the bot against itself, to its end or through so many turns."""
    dice, state = OwnDice(f"game {seed}"), system.setup(scenario, {}, OwnDice(f"setup {seed}"))
    choosers = {side.id: Chooser(system, side.id, Level.EASY, "") for side in state.sides}
    done: list[Done] = []
    while state.over is None and len(done) < MOST_ACTIONS and (turns is None or state.turn <= turns):
        action, side = system.next_by_itself(state), ""
        if action is None:
            owed = [prompt.side for prompt in system.open_prompts(state) if prompt.required]
            side = (owed or sorted(system.waits_for(state)))[0]
            chooser = choosers[side]
            chooser.seed = f"{seed}:{len(done)}"
            thought = chooser.decide(state)
            action = thought.action if thought is not None else next(iter(system.legal(system.view(state, side), side)))
        after, report = system.act(state, action, dice)
        done.append(Done(state, action, report, after, side))
        state = after
    return done


def recorded(system: Ruleset[Any], number: int, turns: int | None, folder: Path | None) -> list[Done]:
    """Return game `number` of a system, played or read from `folder`. Its scenario follows from the number.

    The folder keeps the actions; they are done again, so that reports are those of the present rules.
    """
    scenario = [*system.scenarios][number % len(system.scenarios)]
    kept = None if folder is None else folder / f"{system.id}-{number}-{turns}.pickle"
    if kept is None or not kept.exists():
        done = play(system, scenario, number, turns)
        if kept is not None:
            kept.write_bytes(
                pickle.dumps([(one.action.kind, one.action.model_dump(mode="json"), one.side) for one in done])
            )
        return done
    dice, state = OwnDice(f"game {number}"), system.setup(scenario, {}, OwnDice(f"setup {number}"))
    done = []
    for kind, args, side in pickle.loads(kept.read_bytes()):
        action = system.parse(
            kind, {name: value for name, value in args.items() if name != "kind" and value is not None}
        )
        after, report = system.act(state, action, dice)
        done.append(Done(state, action, report, after, side))
        state = after
    return done


class Telling:
    """A recorded game told to a channel, where people hold the seats `people` and the bot all others."""

    def __init__(self, system: Ruleset[Any], done: Sequence[Done], people: Sequence[str]) -> None:
        """Seat the bot and the people."""
        state = done[0].before
        bots = [side.id for side in state.sides if side.id not in people and side.id != system.played_by_bot]
        seats = [Seat(bot_user_id(state, side), "the bot", side, Level.EASY) for side in bots]
        seats += [Seat(PERSON + number, f"Player {number}", side) for number, side in enumerate(people)]
        now = datetime(2026, 1, 1, tzinfo=UTC)
        begun = Game("0", 1, 1, "game", system, UMPIRE, tuple(seats), 1, state, "", now, None)
        self.played: list[Played] = []
        for number, one in enumerate(done, 2):
            before, after = (
                replace(begun, state=one.before),
                replace(begun, state=one.after, seq=number, state_seq=number),
            )
            actor = Actor(bot_user_id(state, one.side), "the bot") if one.side in bots else UMPIRE
            action = one.action.model_dump(mode="json", by_alias=True, exclude_none=True)
            side = system.side_of(one.before, one.action)
            entry = Entry(
                number,
                now,
                actor,
                one.action.kind,
                action,
                one.report,
                False,
                True,
                side,
                one.after.turn,
                number=number,
            )
            self.played.append(Played(after, entry, one.before, before.waits_for, after.waits_for))

    def messages(self) -> Iterator[Card]:
        """Yield the public messages of turns: each turn of the bot, and each other answer that tells a turn."""
        waiting: list[Played] = []
        for one in self.played:
            waiting.append(one)
            grows = one.entry.actor.id < 0 and one.game.bots_due and not ends_turn(one)
            if grows and one.game.ruleset.next_by_itself(one.game.state) is None:
                continue
            yield from self._message(waiting)
            waiting = []

    def _message(self, played: Sequence[Played]) -> Iterator[Card]:
        public = [one for one in played if one.entry.report.seen_by("public") is not None]
        if not public:
            return
        content = turn_message.public_card(self._call(played), *played)
        if content.tells_turn or played[0].entry.actor.id < 0:
            yield content.build(turn_message.ANY_PICTURE)

    def _call(self, played: Sequence[Played]) -> Call:
        """Return the call as the database would give it."""
        sides, game = sides_to_call(*played), played[-1].game
        if not sides:
            return Call()
        before = self.played[: played[-1].entry.seq - 2]
        last = next((one.entry.seq for one in reversed(before) if one.waits & {*sides}), 0)
        actions = game.ruleset.actions
        told = [
            one
            for one in self.played[: played[-1].entry.seq - 1]
            if one.entry.seq > last and actions[one.entry.kind].by_unit and one.entry.report.audience is None
        ]
        told.sort(key=lambda one: ("target" not in actions[one.entry.kind].model_fields, -one.entry.seq))
        lines = sorted(told[:MOST_LINES], key=lambda one: one.entry.seq)
        headlines = tuple(one.entry.report.headline for one in lines)
        return Call(sides, seat_holders(game, sides), headlines, max(len(told) - MOST_LINES, 0))


def measure(system: Ruleset[Any], games: int, turns: int | None, folder: Path | None) -> list[Measured]:
    """Return the messages of the turns of so many games."""
    found = []
    for number in range(games):
        done = recorded(system, number, turns, folder)
        sides = [side.id for side in done[0].before.sides if side.id != system.played_by_bot]
        for people in (*([side] for side in sides), []):
            for card in Telling(system, done, people).messages():
                found.append(Measured(card.words, len(lines_of(card.words)), buttons_of(card)))
    return found


def main() -> None:
    """Print a line for each system, and the messages to show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", nargs="*")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--turns", type=int)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--show", type=int, default=0)
    given = parser.parse_args()
    for name, system in rulesets().items():
        if given.system and name not in given.system:
            continue
        found = measure(system, given.games, given.turns, given.keep)
        for one in found[:: max(len(found) // given.show, 1)] if given.show else ():
            print(f"--- {one.lines} lines, {one.buttons} buttons", *lines_of(one.words), sep="\n")
        lines = [one.lines for one in found]
        print(
            f"{name}: {len(found)} messages, lines median {median(lines):g}, most {max(lines)}; "
            f"over 25 {sum(one > 25 for one in lines)}; buttons median {median(one.buttons for one in found):g}, "
            f"most {max(one.buttons for one in found)}",
            flush=True,
        )


if __name__ == "__main__":
    main()
