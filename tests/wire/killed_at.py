"""The bot, which is killed at a named moment of a turn it plays: `python -m tests.wire.killed_at`, `KILL_AT=sent`.

With `REMINDS=often` it looks for reminders at once, and a reminder that a killed process claimed is free soon.
"""

import os
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any

import cogs.game
from bot.__main__ import main
from bot.channel import reminders
from bot.games.announcements import Announcements
from bot.games.missed_turns import MissedTurns
from bot.opponent.decide import BotDecisions
from cogs.game import overdue
from cogs.kit import automatic_play
from cogs.kit.rooms import messages

POINTS = ("decided", "turn ended", "claimed", "sent", "roomed", "noted")
"""After a decision is stored; after the last of a turn is; after its message is claimed, sent, sent to rooms, noted."""

REMINDER_POINTS = ("reminder claimed", "missed", "reminded", "reminder noted")
"""After a reminder is claimed; after the missed turn is stored; after the reminder is sent, and noted as sent."""
DAY_POINTS = ("deadlines read", "day ended")
"""After the clock has found that a turn is over for all; after the turn's end is stored."""
REMINDERS_EVERY, LEASE = 0.2, timedelta(seconds=3)


def die() -> None:
    """Ends the process as a power cut does."""
    os.kill(os.getpid(), signal.SIGKILL)


def after(owner: Any, name: str, dies: Callable[[Any], bool] = bool) -> None:
    """Has the process die after that function, if its result `dies`."""
    function: Callable[..., Awaitable[Any]] = getattr(owner, name)

    async def followed(*args: Any, **options: Any) -> Any:
        result = await function(*args, **options)
        if dies(result):
            die()
        return result

    setattr(owner, name, followed)


def ends_turn(played: Any) -> bool:
    """Whether a decision ended the turn."""
    return played is not None and played.before.active != played.game.state.active


def arm(point: str) -> None:
    """Puts the end of the process where the point says."""
    tell, follow = automatic_play.tell_channel, messages.tell_rooms

    async def told(where: Any, played: Sequence[Any], since: Any = None) -> None:
        await tell(where, played, since)
        if played[-1].entry.actor.id < 0:
            die()

    def followed(*args: Any, **options: Any) -> Any:
        result = follow(*args, **options)
        if args[-1].entry.actor.id < 0:
            die()
        return result

    match point:
        case "decided":
            after(BotDecisions, "decide_next")
        case "turn ended":
            after(BotDecisions, "decide_next", ends_turn)
        case "claimed":
            after(Announcements, "claim", lambda found: found and found.played[-1].entry.actor.id < 0)
        case "sent":
            automatic_play.tell_channel = told
        case "roomed":
            messages.tell_rooms = followed
        case "reminder claimed":
            after(reminders.Reminders, "claim")
        case "missed":
            after(MissedTurns, "record", lambda _: True)
        case "reminded":
            after(overdue, "tell_reminder")
        case "reminder noted":
            after(reminders.Reminders, "mark_sent", lambda _: True)
        case "deadlines read":
            after(MissedTurns, "_load_late", lambda late: late.known.is_late)
        case "day ended":
            after(MissedTurns, "end_turn")
        case "noted":
            after(Announcements, "remove_sent", lambda _: True)


if __name__ == "__main__":
    arm(os.environ.get("KILL_AT", ""))
    if os.environ.get("REMINDS") == "often":
        cogs.game.REMINDERS_EVERY, reminders.LEASE = REMINDERS_EVERY, LEASE
    sys.exit(main())
