"""The bot, which gives a database that is away less time: `python -m tests.wire.hasty`."""

import sys
from functools import partial

from bot import client
from bot.__main__ import main
from bot.store import Store, watch

PATIENCE, REST = 1.5, 0.5

if __name__ == "__main__":
    watch.REST = REST
    client.Store = partial(Store, patience=PATIENCE)  # type: ignore[assignment, misc]
    sys.exit(main())
