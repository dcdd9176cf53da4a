"""How large writing is, that it can be read where a picture is shown as wide as a telephone."""

TELEPHONE = 400
"""Pixels across at which a picture must still be read."""
LEAST = 9
"""Pixels of the smallest writing there."""


def least(width: int) -> int:
    """Pixels of the smallest writing on a picture of that width."""
    return -(-width * LEAST // TELEPHONE)
