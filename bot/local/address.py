"""The addresses of the local table's pages: stable across starts, and known only to the database's owner."""

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

from bot.store.private_files import OWNER_ALONE

KEY_FILE = "local-table.key"
KEY_BYTES = 32


def read_key(database: Path | None) -> bytes:
    """Return the key of the addresses. It is kept in a file beside the database, which is created if missing.

    Without a database file, or in a folder that cannot be written, every start makes a new key.
    """
    new = secrets.token_bytes(KEY_BYTES)
    if database is None:
        return new
    file = database.with_name(KEY_FILE)
    try:
        with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ALONE), "wb") as stream:
            stream.write(new)
    except FileExistsError:
        stored_key = file.read_bytes()
        return stored_key if len(stored_key) == KEY_BYTES else new
    except OSError:
        pass
    return new


def page_token(key: bytes, channel: str) -> str:
    """Return the secret part of a channel's address."""
    return urlsafe_b64encode(hmac.new(key, channel.encode(), sha256).digest()).decode().rstrip("=")
