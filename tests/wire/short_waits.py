"""The bot with short waits for its database and frequent reminders: `python -m tests.wire.short_waits`."""

import sys
from functools import partial

from bot.__main__ import main
from bot.runtime import client
from bot.store import Store, outages
from cogs import extension
from cogs.kit import outage

PATIENCE, REST, REMINDERS_EVERY, LOOK_EVERY = 1.5, 0.5, 0.2, 2.0

if __name__ == "__main__":
    outages.REST = REST
    outage.SEARCH_INTERVAL = LOOK_EVERY
    extension.REMINDER_INTERVAL = REMINDERS_EVERY
    client.Store = partial(Store, patience=PATIENCE)  # type: ignore[assignment, misc]
    sys.exit(main())
