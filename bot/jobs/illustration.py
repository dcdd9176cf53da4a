"""Pictures of what the umpire tells of: made fit to be kept with an entry."""

from typing import NamedTuple

from render import photograph

__all__ = ["Illustration", "illustrated"]


class Illustration(NamedTuple):
    """The picture of an entry: a JPEG."""

    seq: int
    jpeg: bytes


def illustrated(data: bytes) -> bytes:
    """Return the picture of a file as it is kept. Raises Unfit with what is wrong."""
    return photograph.convert_illustration(data)
