"""The log. UMPIRE_LOG chooses plain text for people, or one JSON object per line for machines."""

import json
import logging
import sys
from datetime import UTC, datetime


class JsonLineFormatter(logging.Formatter):
    """Formats a record as a JSON object: `at`, `level`, `logger`, `message`, and `error` with the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a JSON line, without a line break."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up_logs(style: str) -> None:
    """Write messages of level INFO and above to standard error. `style` is "plain" or "json"."""
    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("{asctime} {levelname:<7} {name}: {message}", style="{")
    handler.setFormatter(JsonLineFormatter() if style == "json" else plain)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.INFO)
    logging.getLogger("alembic").setLevel(logging.WARNING)
