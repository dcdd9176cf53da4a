"""Compute the minimum text size that stays legible on a phone."""

TELEPHONE = 400
"""Width in pixels of a picture as shown on a phone."""
LEAST = 9
"""Minimum text size in pixels on a phone."""


def least(width: int) -> int:
    """Return the minimum text size for a picture `width` pixels wide, in pixels."""
    return -(-width * LEAST // TELEPHONE)
