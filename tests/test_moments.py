"""Hours, weekdays and moments as people write them: read as meant, or asked."""

from datetime import UTC, datetime, time

import pytest

from bot.errors import UserError
from bot.games.daily_end import DailyTurnEnd, format_days, parse_daily_end, parse_days
from bot.games.hour_words import parse_hour, split_zone
from bot.games.moments import parse_moment
from bot.games.time_zones import parse_zone

LONDON = parse_zone("London")
NOW = datetime(2026, 11, 27, 13, 0, tzinfo=UTC)
"""A Friday."""


@pytest.mark.parametrize(
    ("words", "hour"),
    [
        ("20:00", time(20)),
        ("8pm", time(20)),
        ("8 p.m.", time(20)),
        ("20h", time(20)),
        ("at 20.30", time(20, 30)),
        ("noon", time(12)),
        ("midnight", time(0)),
        ("２０:００", time(20)),
        ("20", time(20)),
        ("8 am", time(8)),
        ("eight pm", time(20)),
        ("8 in the evening", time(20)),
        ("half past eight in the evening", time(20, 30)),
        ("quarter to nine pm", time(20, 45)),
        ("a quarter past 12 am", time(0, 15)),
        ("quarter to 1 pm", time(12, 45)),
        ("seven in the morning", time(7)),
        ("11 at night", time(23)),
    ],
)
def test_hours_of_the_day(words: str, hour: time) -> None:
    assert parse_hour(words) == hour


@pytest.mark.parametrize(
    ("words", "hour", "zone"),
    [
        ("20:00 London", time(20), "London"),
        ("8 pm New York", time(20), "New York"),
        ("at 20:00, UTC+2", time(20), "UTC+2"),
        ("20 Uhr Berlin", time(20), "Berlin"),
        ("noon EST", time(12), "EST"),
        ("8 p.m.", time(20), ""),
        ("20h", time(20), ""),
    ],
)
def test_a_zone_may_stand_behind_the_hour(words: str, hour: time, zone: str) -> None:
    hour_words, zone_words = split_zone(words)
    assert (parse_hour(hour_words), zone_words) == (hour, zone)


@pytest.mark.parametrize("words", ["half past eight", "2 at night", "8", "25:00", "20:70", "soon", "", "14am"])
def test_invalid_and_ambiguous_hours_are_refused(words: str) -> None:
    with pytest.raises(UserError, match="20:00 or 8pm"):
        parse_hour(words)


@pytest.mark.parametrize(
    ("words", "formatted"),
    [
        ("mon-fri", "mon-fri"),
        ("Mon – Fri", "mon-fri"),
        ("Monday to Friday", "mon-fri"),
        ("weekdays", "mon-fri"),
        ("every monday", "mon"),
        ("on saturdays", "sat"),
        ("each weekday", "mon-fri"),
        ("weekends", "sat-sun"),
        ("Sat, Sun", "sat-sun"),
        ("fri-mon", "mon,fri-sun"),
        ("mon wed fri", "mon,wed,fri"),
        ("Tuesdays and Thursdays", "tue,thu"),
        ("daily", "daily"),
        ("every day", "daily"),
        ("weds", "wed"),
    ],
)
def test_days_of_the_week(words: str, formatted: str) -> None:
    assert format_days(parse_days(words)) == formatted
    assert parse_days(formatted) == parse_days(words), "what is shown can be typed"


@pytest.mark.parametrize("words", ["t", "someday", "mon-", "32"])
def test_an_invalid_day_is_refused(words: str) -> None:
    with pytest.raises(UserError, match="mon-fri"):
        parse_days(words)


@pytest.mark.parametrize("words", ["none", "No", "never"])
def test_no_days_is_ambiguous_and_asked_about(words: str) -> None:
    with pytest.raises(UserError, match=r"days:daily; .* at:none"):
        parse_days(words)


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        ("now", NOW),
        ("2 weeks", datetime(2026, 12, 11, 13, tzinfo=UTC)),
        ("in 36 hours", datetime(2026, 11, 29, 1, tzinfo=UTC)),
        ("1 week 2 days", datetime(2026, 12, 6, 13, tzinfo=UTC)),
        ("a week", datetime(2026, 12, 4, 13, tzinfo=UTC)),
        ("tomorrow", datetime(2026, 11, 28, tzinfo=UTC)),
        ("tomorrow 8pm", datetime(2026, 11, 28, 20, tzinfo=UTC)),
        ("until Monday", datetime(2026, 11, 30, tzinfo=UTC)),
        ("mon 8 pm", datetime(2026, 11, 30, 20, tzinfo=UTC)),
        ("22:00", datetime(2026, 11, 27, 22, tzinfo=UTC)),
        ("8am", datetime(2026, 11, 28, 8, tzinfo=UTC)),
        ("24 Dec", datetime(2026, 12, 24, tzinfo=UTC)),
        ("Dec 24th", datetime(2026, 12, 24, tzinfo=UTC)),
        ("24.12.", datetime(2026, 12, 24, tzinfo=UTC)),
        ("3.4.2027", datetime(2027, 4, 2, 23, tzinfo=UTC)),
        ("3 Jan", datetime(2027, 1, 3, tzinfo=UTC)),
        ("29 Feb 2028", None),
        ("2026-12-24", datetime(2026, 12, 24, tzinfo=UTC)),
        ("2026-12-24 20:00", datetime(2026, 12, 24, 20, tzinfo=UTC)),
        ("2027-04-03", datetime(2027, 4, 2, 23, tzinfo=UTC)),
        ("24/12", datetime(2026, 12, 24, tzinfo=UTC)),
        ("5/5", datetime(2027, 5, 4, 23, tzinfo=UTC)),
        ("3/4", None),
        ("friday", None),
        ("next monday", None),
        ("yesterday", None),
        ("1 Nov 2026", None),
        ("5", None),
        ("May", None),
        ("christmas", None),
        ("8pm on 24 Dec", datetime(2026, 12, 24, 20, tzinfo=UTC)),
        ("20:00 Monday", datetime(2026, 11, 30, 20, tzinfo=UTC)),
        ("8pm, tomorrow", datetime(2026, 11, 28, 20, tzinfo=UTC)),
        ("24 Dec 20:00 EST", None),
        ("May 5th 20h", datetime(2027, 5, 5, 19, tzinfo=UTC)),
        ("the day after tomorrow", datetime(2026, 11, 29, tzinfo=UTC)),
        ("the 24th", datetime(2026, 12, 24, tzinfo=UTC)),
        ("31st", datetime(2026, 12, 31, tzinfo=UTC)),
        ("32nd", None),
        ("in a month", datetime(2026, 12, 27, 13, tzinfo=UTC)),
        ("a fortnight", datetime(2026, 12, 11, 13, tzinfo=UTC)),
        ("ten days from now", datetime(2026, 12, 7, 13, tzinfo=UTC)),
        ("in 3 days", datetime(2026, 11, 30, 13, tzinfo=UTC)),
        ("I'm back", NOW),
        ("Thursday 24 Dec", datetime(2026, 12, 24, tzinfo=UTC)),
        ("Monday 24 Dec", None),
        ("today", None),
        ("tonight", None),
        ("27 Nov", None),
        ("", None),
    ],
)
def test_moments_are_read_as_meant_or_asked(words: str, moment: datetime | None) -> None:
    if moment is None:
        with pytest.raises(UserError, match=r"Write|date"):
            parse_moment(words, NOW, LONDON)
    else:
        assert parse_moment(words, NOW, LONDON) == moment


@pytest.mark.parametrize("words", ["today", "27 Nov", "now", "from today"])
def test_a_period_from_today_begins_now(words: str) -> None:
    assert parse_moment(words, NOW, LONDON, begins=True) == NOW


def test_an_hour_without_a_day_means_tomorrow_across_a_clock_change() -> None:
    evening = datetime(2027, 3, 27, 21, tzinfo=UTC)
    assert parse_moment("8pm", evening, LONDON) == datetime(2027, 3, 28, 19, tzinfo=UTC)


def test_the_fixed_hour_follows_daylight_saving() -> None:
    end = DailyTurnEnd(time(20), LONDON)
    assert end.next_turn_end(datetime(2027, 3, 27, 12, tzinfo=UTC)) == datetime(2027, 3, 27, 20, tzinfo=UTC)
    assert end.next_turn_end(datetime(2027, 3, 28, 12, tzinfo=UTC)) == datetime(2027, 3, 28, 19, tzinfo=UTC)
    assert end.next_turn_end(datetime(2027, 10, 30, 12, tzinfo=UTC)) == datetime(2027, 10, 30, 19, tzinfo=UTC)
    assert end.next_turn_end(datetime(2027, 10, 31, 12, tzinfo=UTC)) == datetime(2027, 10, 31, 20, tzinfo=UTC)


def test_skipped_and_repeated_hours_of_clock_changes_are_resolved() -> None:
    skipped = DailyTurnEnd(time(1, 30), LONDON)
    assert skipped.next_turn_end(datetime(2027, 3, 28, tzinfo=UTC)) == datetime(2027, 3, 28, 1, 30, tzinfo=UTC), "2:30"
    assert skipped.next_turn_end(datetime(2027, 10, 30, 23, tzinfo=UTC)) == datetime(2027, 10, 31, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "at", "after", "end"),
    [
        ("Auckland", time(20), datetime(2027, 4, 3, 9, tzinfo=UTC), datetime(2027, 4, 4, 8, tzinfo=UTC)),
        ("Auckland", time(2, 30), datetime(2027, 9, 25, tzinfo=UTC), datetime(2027, 9, 25, 14, 30, tzinfo=UTC)),
        ("Auckland", time(2, 30), datetime(2027, 4, 3, tzinfo=UTC), datetime(2027, 4, 3, 13, 30, tzinfo=UTC)),
        ("Lord Howe", time(2, 15), datetime(2027, 10, 2, tzinfo=UTC), datetime(2027, 10, 2, 15, 45, tzinfo=UTC)),
        ("Santiago", time(), datetime(2027, 9, 4, 5, tzinfo=UTC), datetime(2027, 9, 5, 4, tzinfo=UTC)),
        ("Kathmandu", time(20), datetime(2027, 6, 1, tzinfo=UTC), datetime(2027, 6, 1, 14, 15, tzinfo=UTC)),
        ("St John's", time(20), datetime(2027, 6, 1, tzinfo=UTC), datetime(2027, 6, 1, 22, 30, tzinfo=UTC)),
    ],
)
def test_the_fixed_hour_in_the_south_and_in_zones_of_half_hours(
    zone: str, at: time, after: datetime, end: datetime
) -> None:
    assert DailyTurnEnd(at, parse_zone(zone)).next_turn_end(after) == end


def test_turns_end_on_the_chosen_days_alone() -> None:
    end = DailyTurnEnd(time(20), LONDON, parse_days("mon-fri"))
    assert end.next_turn_end(NOW) == datetime(2026, 11, 27, 20, tzinfo=UTC)
    assert end.next_turn_end(datetime(2026, 11, 27, 20, tzinfo=UTC)) == datetime(2026, 11, 27, 20, tzinfo=UTC)
    assert end.next_turn_end(datetime(2026, 11, 27, 20, 1, tzinfo=UTC)) == datetime(2026, 11, 30, 20, tzinfo=UTC)
    assert parse_daily_end(str(end)) == end
    assert parse_daily_end("") is None
