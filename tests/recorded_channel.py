"""Turn messages of a recorded game, built as the bot would send them, without Discord or database."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from discord import ui

from bot.games.turn_mentions import MOST_LINES, TurnCall, sides_to_call, users_to_mention
from bot.journal.game import Actor, Entry, Game, Played
from bot.journal.seats import Seat, bot_user_id
from cogs.kit import turn_message
from cogs.kit.bot_turns import ends_turn
from cogs.kit.cards.card import Card
from rules.core.automaton.levels import Level
from rules.core.model import PUBLIC
from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State

UMPIRE, PERSON = Actor(1, "Gordon"), 2


@dataclass(frozen=True)
class RecordedAction:
    """A recorded action: state before and after, report, and the deciding side; "" if no side decided."""

    before: State
    action: Action
    report: Report
    after: State
    side: str


def count_buttons(card: Card) -> int:
    """Return the number of a card's buttons, *Details* among them."""
    items = (getattr(item, "item", item) for item in card.view().walk_children())
    return sum(isinstance(item, ui.Button) for item in items)


class RecordedChannel:
    """A recorded game posted to a channel, where people hold the seats `people` and the bot all others."""

    def __init__(self, system: Ruleset[Any], acts: Sequence[RecordedAction], people: Sequence[str]) -> None:
        """Seat the bot and the people."""
        state = acts[0].before
        bots = [side.id for side in state.sides if side.id not in people and side.id != system.played_by_bot]
        seats = [Seat(bot_user_id(state, side), "the bot", side, Level.EASY) for side in bots]
        seats += [Seat(PERSON + number, f"Player {number}", side) for number, side in enumerate(people)]
        now = datetime(2026, 1, 1, tzinfo=UTC)
        begun = Game("0", 1, 1, "game", system, UMPIRE, tuple(seats), 1, state, "", now, None)
        self.played: list[Played] = []
        for number, act in enumerate(acts, 2):
            before = replace(begun, state=act.before)
            after = replace(begun, state=act.after, seq=number, state_seq=number)
            actor = Actor(bot_user_id(state, act.side), "the bot") if act.side in bots else UMPIRE
            action = act.action.model_dump(mode="json", by_alias=True, exclude_none=True)
            side = system.side_of(act.before, act.action)
            entry = Entry(number, now, actor, act.action.kind, action, act.report, undone=False, side=side)
            entry = replace(entry, turn=act.after.turn, number=number, base=number - 1)
            self.played.append(Played(after, entry, act.before, before.awaited_viewers, after.awaited_viewers))

    def messages(self) -> Iterator[Card]:
        """Yield the public turn messages: one per turn of the bot, and one per other reply that reports a turn."""
        waiting: list[Played] = []
        for latest in self.played:
            waiting.append(latest)
            grows = latest.entry.actor.id < 0 and latest.game.due_bot_seats and not ends_turn(latest)
            if grows and latest.game.ruleset.next_automatic_action(latest.game.state) is None:
                continue
            yield from self._message(waiting)
            waiting = []

    def _message(self, played: Sequence[Played]) -> Iterator[Card]:
        public = [action for action in played if action.entry.report.view_for(PUBLIC) is not None]
        if not public:
            return
        content = turn_message.public_card(self._call(played), *played)
        if content.tells_turn or played[0].entry.actor.id < 0:
            yield content.build(turn_message.ANY_PICTURE)

    def _call(self, played: Sequence[Played]) -> TurnCall:
        """Return the call as the database would give it."""
        sides, game = sides_to_call(*played), played[-1].game
        if not sides:
            return TurnCall()
        before = self.played[: played[-1].entry.seq - 2]
        last = next((earlier.entry.seq for earlier in reversed(before) if earlier.waits & {*sides}), 0)
        actions = game.ruleset.actions
        reported = [
            earlier
            for earlier in self.played[: played[-1].entry.seq - 1]
            if earlier.entry.seq > last
            and actions[earlier.entry.kind].is_unit_action
            and earlier.entry.report.audience is None
        ]
        reported.sort(
            key=lambda earlier: ("target" not in actions[earlier.entry.kind].model_fields, -earlier.entry.seq)
        )
        lines = sorted(reported[:MOST_LINES], key=lambda earlier: earlier.entry.seq)
        headlines = tuple(earlier.entry.report.headline for earlier in lines)
        return TurnCall(sides, users_to_mention(game, sides), headlines, max(len(reported) - MOST_LINES, 0))
