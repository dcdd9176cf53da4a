"""Texts under seal: everyone learned their hash before other players could read them."""

import hashlib
from typing import NamedTuple


class SealedText(NamedTuple):
    """A text under seal: its subject, seal and content; `content` is None while the viewer may not read the text."""

    about: str
    seal: str
    content: str | None

    @property
    def is_true(self) -> bool:
        """Whether the content gives the seal."""
        return self.content is not None and make_seal(self.content) == self.seal


def make_seal(content: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(content.encode()).hexdigest()
