"""The bot, which gives a database that is away less time, and reminds at once: `python -m tests.wire.hasty`."""

import sys
from functools import partial

import cogs.game
from bot import client
from bot.__main__ import main
from bot.store import Store, watch

PATIENCE, REST, REMINDERS_EVERY = 1.5, 0.5, 0.2

if __name__ == "__main__":
    watch.REST = REST
    cogs.game.REMINDERS_EVERY = REMINDERS_EVERY
    client.Store = partial(Store, patience=PATIENCE)  # type: ignore[assignment, misc]
    sys.exit(main())
