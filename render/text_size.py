"""Compute the minimum text size that stays legible on a phone."""

TELEPHONE = 400
"""Width in pixels at which a phone shows a picture."""
LEAST = 9
"""Minimum text size in pixels of that phone picture."""


def least(width: int) -> int:
    """Return the minimum text size in pixels for a picture that is `width` pixels wide."""
    return -(-width * LEAST // TELEPHONE)
