"""Compute the minimum text size that stays legible on a phone."""

TELEPHONE = 300
"""Width in pixels at which Discord shows a picture on a phone: 400 less the avatar and padding."""
LEAST = 8
"""Minimum text size in pixels of that phone picture."""


def minimum_text_size(width: int) -> int:
    """Return the minimum text size in pixels for a picture that is `width` pixels wide."""
    return -(-width * LEAST // TELEPHONE)


def maximum_picture_width(size: int) -> int:
    """Return the maximum width in pixels of a picture with text of `size` pixels."""
    return size * TELEPHONE // LEAST
