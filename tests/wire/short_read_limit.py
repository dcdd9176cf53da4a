"""The bot with a limit of 0.1 seconds to read an uploaded file: `python -m tests.wire.short_read_limit`."""

import sys
from dataclasses import replace

from bot.__main__ import main
from bot.runtime import client
from bot.workers import inspections

SECONDS = 0.1

if __name__ == "__main__":
    client.LIMITS = replace(inspections.LIMITS, seconds=SECONDS)  # type: ignore[misc]
    sys.exit(main())
