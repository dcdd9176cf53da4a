"""The bot, which ends whatever is read for longer than a moment: `python -m tests.wire.impatient`."""

import sys
from dataclasses import replace

from bot.__main__ import main
from bot.runtime import client
from bot.workers import inspections

SECONDS = 0.1

if __name__ == "__main__":
    client.LIMITS = replace(inspections.LIMITS, seconds=SECONDS)  # type: ignore[misc]
    sys.exit(main())
