"""The addresses of the local table's pages. A stored key keeps them equal at every start, and hard to guess."""

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

from bot.store.private_files import OWNER_ALONE

KEY_FILE = "local-table.key"
KEY_BYTES = 32


def load_or_create_key(database: Path | None) -> bytes:
    """Return the key from which the addresses of the pages are made.

    The key is in a file beside the database; the first start creates this file. Without a database file, or if the
    key's file cannot be created, each start has a new key.
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
    """Return the secret part of the address of a channel's page."""
    return urlsafe_b64encode(hmac.new(key, channel.encode(), sha256).digest()).decode().rstrip("=")
