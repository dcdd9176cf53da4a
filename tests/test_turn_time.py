"""Deadlines of turns: hours, a fixed hour, and a stopped clock."""

from datetime import UTC, datetime, time, timedelta

import pytest

from bot.errors import UserError
from bot.games.daily_end import DailyTurnEnd, parse_days
from bot.games.missed_turns_setting import parse_missed_turns_setting
from bot.games.time_zones import parse_zone
from bot.games.turn_time import (
    ClockStop,
    Deadline,
    add_running_time,
    compute_deadline,
    intersect_stops,
    limit_absences,
    merge_stops,
)

BEGAN = datetime(2026, 11, 27, 12, tzinfo=UTC)
"""A Friday noon."""


def add_hours(hours: float) -> datetime:
    """Return the moment `hours` after the turn began."""
    return BEGAN + timedelta(hours=hours)


def create_stop(begins: float, ends: float | None) -> ClockStop:
    return ClockStop(add_hours(begins), None if ends is None else add_hours(ends))


@pytest.mark.parametrize(
    ("stops", "ends"),
    [
        ((), 10),
        ((create_stop(2, 5),), 13),
        ((create_stop(-5, 3),), 13),
        ((create_stop(2, 5), create_stop(4, 8)), 16),
        ((create_stop(2, 5), create_stop(13, 14)), 13),
        ((create_stop(2, 5), create_stop(12, 20)), 21),
        ((create_stop(-5, -2),), 10),
        ((create_stop(2, None),), None),
        ((create_stop(11, None),), 10),
    ],
)
def test_ten_hours_do_not_pass_while_the_clock_stands(stops: tuple[ClockStop, ...], ends: float | None) -> None:
    assert add_running_time(BEGAN, timedelta(hours=10), stops) == (None if ends is None else add_hours(ends))


def test_the_fixed_hour_is_the_first_after_the_minimum_hours() -> None:
    london = DailyTurnEnd(time(20), parse_zone("London"))
    assert compute_deadline(BEGAN, 6, london, ()) == add_hours(8)
    assert compute_deadline(BEGAN, 8, london, ()) == add_hours(8)
    assert compute_deadline(BEGAN, 9, london, ()) == add_hours(32)
    working = DailyTurnEnd(time(20), parse_zone("London"), parse_days("mon-fri"))
    assert compute_deadline(BEGAN, 9, working, ()) == add_hours(80), "on Monday"
    assert compute_deadline(BEGAN, 6, london, (create_stop(7, 100),)) == add_hours(104), "not within a pause"
    assert compute_deadline(BEGAN, 6, london, (create_stop(7, None),)) is None


def test_reminders_depend_on_elapsed_time() -> None:
    deadline = Deadline("red", 1, BEGAN, add_hours(16), (create_stop(4, 10),))
    assert [deadline.moment_after_share(share) for share in (0.3, 0.5, 0.9, 1)] == [
        add_hours(3),
        add_hours(11),
        add_hours(15),
        add_hours(16),
    ]


def test_absences_count_up_to_a_limit_while_all_players_are_away() -> None:
    assert limit_absences((create_stop(0, 30), create_stop(40, 60)), timedelta(hours=40)) == (
        create_stop(0, 30),
        create_stop(40, 50),
    )
    assert limit_absences((create_stop(0, None),), timedelta(hours=40)) == (create_stop(0, 40),)
    assert limit_absences((create_stop(0, 60), create_stop(70, 80)), timedelta(hours=40)) == (create_stop(0, 40),)
    assert intersect_stops((create_stop(0, 10), create_stop(20, None)), (create_stop(5, 30),)) == (
        create_stop(5, 10),
        create_stop(20, 30),
    )
    assert merge_stops((create_stop(5, 7), create_stop(0, 5), create_stop(9, None), create_stop(12, 13))) == (
        create_stop(0, 7),
        create_stop(9, None),
    )


@pytest.mark.parametrize(
    ("words", "canonical"),
    [
        ("2 bot", "2 bot"),
        ("after 2 missed turns, the bot plays", "2 bot"),
        ("After two missed turns: bot", "2 bot"),
        ("3: the seat is offered to others", "3 offer"),
        ("1 substitute", "1 offer"),
        ("1 another player of the side is called", "1 fellow"),
        ("none", ""),
    ],
)
def test_consequences_of_missed_turns_are_parsed(words: str, canonical: str) -> None:
    assert str(parse_missed_turns_setting(words) or "") == canonical


@pytest.mark.parametrize(
    "words", ["10 bot", "0 bot", "bot", "2", "2 whatever", "the bot plays the seat after 2", "2 bot or seat"]
)
def test_unclear_consequences_of_missed_turns_are_refused(words: str) -> None:
    with pytest.raises(UserError, match="2 bot, 1 fellow, 3 offer"):
        parse_missed_turns_setting(words)
