"""The date and the time of day of a turn (TA-H.0)."""

from datetime import datetime, timedelta

from .model import TangaState


def begins(state: TangaState) -> datetime | None:
    """When the present turn begins; None where the scenario does not say."""
    hours = state.hours
    if hours is None:
        return None
    days, turns = divmod(state.turn - 1, hours.turns_a_day) if hours.turns_a_day else (0, state.turn - 1)
    return hours.first + timedelta(days=days, minutes=turns * hours.minutes)


def clock(state: TangaState) -> str:
    """`3 November 1914, 07:00`: when the present turn begins; nothing where the scenario does not say."""
    time = begins(state)
    return f"{time.day} {time:%B %Y, %H:%M}" if time else ""
