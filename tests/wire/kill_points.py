"""The bot, which kills itself at a named point of its turn: `KILL_AT=sent python -m tests.wire.kill_points`.

With `REMINDS=often` it checks for due reminders every 0.2 seconds, and the lease of a claimed reminder is short.
"""

import os
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any

from bot.__main__ import main
from bot.channel import reminders
from bot.games.announcements import Announcements
from bot.games.missed_turns import MissedTurns
from bot.opponent.decide import BotDecisions
from cogs import extension
from cogs.game import overdue
from cogs.kit import automatic_play
from cogs.kit.rooms import messages

POINTS = ("decided", "turn ended", "claimed", "sent", "roomed", "noted")
"""Points: decision stored; last decision of the turn stored; message claimed, sent, sent to rooms, marked as sent."""
REMINDER_POINTS = ("reminder claimed", "missed", "reminded", "reminder noted")
"""Points: reminder claimed; missed turn stored; reminder sent; reminder marked as sent."""
DAY_POINTS = ("deadlines read", "day ended")
"""Points: deadlines of the turn found to be over; end of the turn stored."""
REMINDERS_EVERY, LEASE = 0.2, timedelta(seconds=3)


def die() -> None:
    """Kill this process, like a power cut."""
    os.kill(os.getpid(), signal.SIGKILL)


def die_after(owner: Any, name: str, condition: Callable[[Any], bool] = bool) -> None:
    """Make the process die after the method `name` of `owner` if its result fulfils `condition`."""
    function: Callable[..., Awaitable[Any]] = getattr(owner, name)

    async def call_and_die(*args: Any, **options: Any) -> Any:
        result = await function(*args, **options)
        if condition(result):
            die()
        return result

    setattr(owner, name, call_and_die)


def ends_turn(played: Any) -> bool:
    """Whether the decision ended the turn."""
    return played is not None and played.before.active != played.game.state.active


def arm(point: str) -> None:
    """Make the process die at this point."""
    tell, follow = automatic_play.announce_in_channel, messages.tell_rooms

    async def tell_and_die(channel: Any, played: Sequence[Any], since: Any = None) -> None:
        await tell(channel, played, since)
        if played[-1].entry.actor.id < 0:
            die()

    def follow_and_die(*args: Any, **options: Any) -> Any:
        result = follow(*args, **options)
        if args[-1].entry.actor.id < 0:
            die()
        return result

    match point:
        case "decided":
            die_after(BotDecisions, "decide_next")
        case "turn ended":
            die_after(BotDecisions, "decide_next", ends_turn)
        case "claimed":
            die_after(Announcements, "claim", lambda claim: claim and claim.played[-1].entry.actor.id < 0)
        case "sent":
            automatic_play.announce_in_channel = tell_and_die
        case "roomed":
            messages.tell_rooms = follow_and_die
        case "reminder claimed":
            die_after(reminders.Reminders, "claim")
        case "missed":
            die_after(MissedTurns, "record", lambda _: True)
        case "reminded":
            die_after(overdue, "send_reminder")
        case "reminder noted":
            die_after(reminders.Reminders, "mark_sent", lambda _: True)
        case "deadlines read":
            die_after(MissedTurns, "_load_late", lambda late: late.known.is_late)
        case "day ended":
            die_after(MissedTurns, "end_turn")
        case "noted":
            die_after(Announcements, "delete_sent_announcements", lambda _: True)


if __name__ == "__main__":
    arm(os.environ.get("KILL_AT", ""))
    if os.environ.get("REMINDS") == "often":
        extension.REMINDER_INTERVAL, reminders.LEASE = REMINDERS_EVERY, LEASE
    sys.exit(main())
