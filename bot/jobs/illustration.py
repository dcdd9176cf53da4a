"""Pictures of the umpire's events, converted for storage with an entry."""

from typing import NamedTuple

from render import photograph

__all__ = ["Illustration", "convert_picture"]


class Illustration(NamedTuple):
    """The JPEG picture of entry `seq`."""

    seq: int
    jpeg: bytes


def convert_picture(data: bytes) -> bytes:
    """Convert a picture file to the stored JPEG. Raises Unfit with the fault."""
    return photograph.convert_illustration(data)
