"""The bot, which waits less for a database that is away, and reminds at once: `python -m tests.wire.hasty`."""

import sys
from functools import partial

import cogs.game
from bot import client
from bot.__main__ import main
from bot.store import Store, watch
from cogs.kit import afterwards

PATIENCE, REST, REMINDERS_EVERY, LOOK_EVERY = 1.5, 0.5, 0.2, 2.0

if __name__ == "__main__":
    watch.REST = REST
    afterwards.LOOK_EVERY = LOOK_EVERY
    cogs.game.REMINDERS_EVERY = REMINDERS_EVERY
    client.Store = partial(Store, patience=PATIENCE)  # type: ignore[assignment, misc]
    sys.exit(main())
