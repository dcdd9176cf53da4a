"""Sealed texts: everyone knows a text's hash before the text itself becomes readable."""

import hashlib
from typing import NamedTuple


class SealedText(NamedTuple):
    """A sealed text: subject, seal and content. `content` is None while the viewer may not read the text."""

    about: str
    seal: str
    content: str | None

    @property
    def has_true_seal(self) -> bool:
        """Whether the seal is the hash of the content."""
        return self.content is not None and make_seal(self.content) == self.seal


def make_seal(content: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(content.encode()).hexdigest()
