"""Quiet hours: by the clocks of a place, over midnight, in the nights in which those change, as people write them."""

from datetime import UTC, datetime

import pytest

from bot.errors import UserError
from bot.games.quiet_hours import QuietHours, parse_quiet_hours
from rules.core.refusal import Refused


def hours(words: str) -> QuietHours:
    quiet = parse_quiet_hours(words)
    assert quiet is not None
    return quiet


def at(moment: str) -> datetime:
    return datetime.fromisoformat(moment).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "moment", "over"),
    [
        ("22-7 UTC", "2026-01-10 21:59", "2026-01-10 21:59"),
        ("22-7 UTC", "2026-01-10 22:00", "2026-01-11 07:00"),
        ("22-7 UTC", "2026-01-11 00:30", "2026-01-11 07:00"),
        ("22-7 UTC", "2026-01-11 07:00", "2026-01-11 07:00"),
        ("9:30-17 UTC", "2026-01-11 12:00", "2026-01-11 17:00"),
        ("9:30-17 UTC", "2026-01-11 18:00", "2026-01-11 18:00"),
        ("22-7 Europe/Berlin", "2026-01-10 21:00", "2026-01-11 06:00"),
        ("22-7 Europe/Berlin", "2026-07-10 20:00", "2026-07-11 05:00"),
        ("22-7 Europe/Berlin", "2026-03-28 21:00", "2026-03-29 05:00"),
        ("22-7 Europe/Berlin", "2026-10-24 20:00", "2026-10-25 06:00"),
        ("1-2:30 Europe/Berlin", "2026-10-25 00:15", "2026-10-25 01:30"),
        ("1-2:30 Europe/Berlin", "2026-10-25 01:15", "2026-10-25 01:30"),
        ("1-2:30 Europe/Berlin", "2026-03-29 00:30", "2026-03-29 01:30"),
        ("20-2 America/New_York", "2026-06-01 03:00", "2026-06-01 06:00"),
    ],
)
def test_what_falls_into_quiet_hours_waits_for_their_end(words: str, moment: str, over: str) -> None:
    assert hours(words).postpone(at(moment)) == at(over)


@pytest.mark.parametrize(
    ("words", "kept"),
    [("22-7", "22-7 UTC"), ("23:30 - 8 berlin", "23:30-8 Europe/Berlin"), ("none", ""), ("", "")],
)
def test_quiet_hours_are_read_as_people_write_them(words: str, kept: str) -> None:
    quiet = parse_quiet_hours(words)
    assert str(quiet or "") == kept
    assert parse_quiet_hours(kept) == quiet


@pytest.mark.parametrize(
    "words", ["at night", "22", "0 to 24:00 utc", "25-7", "22:60-7", "22-7 Atlantis/Town", "22-7 " + "x" * 90]
)
def test_others_are_refused_with_how_to_write_them(words: str) -> None:
    with pytest.raises((UserError, Refused), match="22-7 Europe/Berlin"):
        parse_quiet_hours(words)
