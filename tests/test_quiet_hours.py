"""Quiet hours: by the time zone of a place, past midnight, across clock changes, as people type them."""

from datetime import UTC, datetime

import pytest

from bot.errors import UserError
from bot.games.quiet_hours import QuietHours, parse_quiet_hours, parse_stored_quiet_hours
from bot.games.time_zones import NAMES, iana_zones, list_suggested_zones, match_offsets, match_zone_names
from rules.core.refusal import Refused
from rules.core.typed_text import without_accents


def parse_hours(words: str) -> QuietHours:
    quiet = parse_quiet_hours(words)
    assert quiet is not None
    return quiet


def parse_moment(moment: str) -> datetime:
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
def test_reminders_in_quiet_hours_wait_for_their_end(words: str, moment: str, over: str) -> None:
    assert parse_hours(words).postpone(parse_moment(moment)) == parse_moment(over)


TYPED = [
    ("22-7", "22-7 UTC"),
    ("23:30 - 8 berlin", "23:30-8 Europe/Berlin"),
    ("10pm-7am Europe/London", "22-7 Europe/London"),
    ("10 p.m. – 7 a.m. (London)", "22-7 Europe/London"),
    ("10.30pm to 7am, London", "22:30-7 Europe/London"),
    ("22:00 - 06:00", "22-6 UTC"),
    ("22—7 New York", "22-7 America/New_York"),
    ("２２－７ New York", "22-7 America/New_York"),
    ("22h-7h Paris", "22-7 Europe/Paris"),
    ("22h30 - 7h15 Paris", "22:30-7:15 Europe/Paris"),
    ("2200-0600 Paris", "22-6 Europe/Paris"),
    ("22 Uhr bis 7 Uhr MEZ", "22-7 Europe/Berlin"),
    ("between 10pm and 7am in London", "22-7 Europe/London"),
    ("Europe/London 22-7", "22-7 Europe/London"),
    ("London, from 10pm until 7am", "22-7 Europe/London"),
    ("UTC+2 22-7", "22-7 UTC+2"),
    ("midnight to 8 UTC", "0-8 UTC"),
    ("noon-1pm UTC", "12-13 UTC"),
    ("12am-12pm UTC", "0-12 UTC"),
    ("0:30-7 UTC", "0:30-7 UTC"),
    ("22pm-7am UTC", "22-7 UTC"),
    ("22-7am UTC", "22-7 UTC"),
    *((f"22-7 {zone}", "22-7 UTC+2") for zone in ("UTC+2", "utc +2", "GMT+2", "gmt+02:00", "+2", "+0200", "Etc/GMT-2")),
    *((f"22-7 {zone}", "22-7 UTC-2") for zone in ("UTC-2", "UTC−2", "GMT–2", "-2", "Etc/GMT+2")),
    *((f"22-7 {zone}", "22-7 UTC+5:30") for zone in ("UTC+5:30", "GMT+0530", "+05:30")),
    *((f"22-7 {zone}", "22-7 UTC") for zone in ("UTC", "GMT", "gmt+0", "Z", "Zulu")),
    *(
        (f"22-7 {zone}", "22-7 Europe/Berlin")
        for zone in ("CEST", "CET", "Central European Time", "Germany", "München")
    ),
    *((f"22-7 {zone}", "22-7 America/New_York") for zone in ("ET", "Eastern Standard Time", "new_york", "EST5EDT")),
    *((f"22-7 {zone}", "22-7 America/New_York") for zone in ("NYC", "new york city")),
    ("10:00-7:00 UTC", "10:00-07:00 UTC"),
    ("10h-7h UTC", "10:00-07:00 UTC"),
    ("1-7 UTC", "1-7 UTC"),
    *((f"22-7 {zone}", "22-7 America/Sao_Paulo") for zone in ("São Paulo", "sao paulo", "BRT")),
    *((f"22-7 {zone}", "22-7 America/St_Johns") for zone in ("St. John’s", "st johns", "NST")),
    *((nothing, "") for nothing in ("none", "None", "", "off", "no", "none: remind at any hour")),
]


@pytest.mark.parametrize(("words", "canonical"), TYPED)
def test_quiet_hours_are_read_as_people_write_them(words: str, canonical: str) -> None:
    quiet = parse_quiet_hours(words)
    assert str(quiet or "") == canonical
    assert parse_quiet_hours(canonical) == parse_stored_quiet_hours(canonical) == quiet


@pytest.mark.parametrize(
    "words",
    [
        "at night",
        "22",
        "0 to 24:00 utc",
        "25-7",
        "22:60-7",
        "22-7-2",
        "15am-3am",
        "10-7am",
        "9-5pm",
        "22-7" * 25,
        "9" * 99,
    ],
)
def test_invalid_hours_are_refused_with_the_format(words: str) -> None:
    with pytest.raises(UserError, match="22-7 Europe/Berlin, 10pm-7am New York or 23:30-8 UTC"):
        parse_quiet_hours(words)


@pytest.mark.parametrize(("words", "night"), [("10-7", "10pm-7am"), ("9 to 5 London", "9pm-5am"), ("12-1", "12am-1am")])
def test_ambiguous_hours_are_asked_about_and_stored_ones_still_count(words: str, night: str) -> None:
    with pytest.raises(UserError, match=rf"may be in the morning or in the evening. Write {night}, or \d+:00-\d:00"):
        parse_quiet_hours(words)
    quiet = parse_stored_quiet_hours("10-7 UTC")
    assert quiet is not None
    assert (quiet.begin.hour, str(quiet)) == (10, "10:00-07:00 UTC")


@pytest.mark.parametrize(
    "zone", ["Atlantis/Town", "x" * 90, "London Berlin", "UTC 2", "\\", "+2+2", "local", "Factory"]
)
def test_unknown_zones_are_refused_with_how_to_write_one(zone: str) -> None:
    with pytest.raises((UserError, Refused), match=r"as London or New York|Write quiet hours"):
        parse_quiet_hours(f"22-7 {zone}")


@pytest.mark.parametrize(
    ("zone", "candidates"),
    [
        ("EST", "America/New_York, Australia/Sydney"),
        ("ist", "Asia/Kolkata, Europe/Dublin, Asia/Jerusalem"),
        ("CST", "America/Chicago, Asia/Shanghai, America/Havana"),
        ("BST", "Europe/London, Asia/Dhaka"),
        ("USA", "America/New_York, America/Chicago, America/Denver, America/Los_Angeles"),
    ],
)
def test_ambiguous_zones_are_asked_about(zone: str, candidates: str) -> None:
    with pytest.raises(Refused, match=f"may be the time of any of these: {candidates}. Write one of them"):
        parse_quiet_hours(f"22-7 {zone}")


def test_one_zone_with_two_names_is_not_asked_about() -> None:
    assert parse_hours("22-7 Istanbul").zone.name.endswith("/Istanbul")
    assert parse_hours("22-7 Hong Kong").zone.name == "Asia/Hong_Kong"


def test_hours_from_utc_end_somewhere() -> None:
    assert str(parse_quiet_hours("22-7 UTC+14")) == "22-7 UTC+14"
    for zone in ("UTC+15", "UTC-13", "GMT+99"):
        with pytest.raises(Refused, match="from UTC-12 to UTC\\+14"):
            parse_quiet_hours(f"22-7 {zone}")


@pytest.mark.parametrize("words", ["22-7 EST", "22-7 MST", "22-7 CET", "22-7 Singapore", "22-7 GMT"])
def test_stored_hours_in_an_ambiguous_zone_still_count(words: str) -> None:
    quiet = parse_stored_quiet_hours(words)
    assert quiet is not None
    assert str(quiet) == words


def test_a_kept_zone_with_its_sign_inverted_means_what_it_meant() -> None:
    quiet = parse_stored_quiet_hours("22-7 Etc/GMT+2")
    assert quiet is not None
    assert quiet.postpone(parse_moment("2026-01-10 23:59")) == parse_moment("2026-01-10 23:59")
    assert quiet.postpone(parse_moment("2026-01-11 00:00")) == parse_moment("2026-01-11 09:00")


def test_every_zone_of_the_table_is_known() -> None:
    assert {zone for zones in NAMES.words.values() for zone in zones} | {*NAMES.usual} <= {*iana_zones()}
    assert all(name == without_accents(name) for name in NAMES.words)


@pytest.mark.parametrize("words", ["gmt+2", "GMT +2", "utc+2", "+2"])
def test_hours_ahead_of_utc_are_never_offered_as_hours_behind_it(words: str) -> None:
    assert match_offsets(words) == ("UTC+2",)


def test_utc_offsets_and_zone_names_are_completed() -> None:
    assert match_offsets("gmt+1") == ("UTC+1", "UTC+10", "UTC+11", "UTC+12", "UTC+13", "UTC+14")
    assert match_offsets("utc-")[:3] == ("UTC", "UTC-1", "UTC-2")
    assert match_offsets("+5:30") == ("UTC+5:30",)
    assert match_offsets("+99") == match_offsets("berlin") == match_offsets("") == ()
    assert match_zone_names("germ") == ("Europe/Berlin",)
    assert match_zone_names("cst") == ("America/Chicago", "Asia/Shanghai", "America/Havana")
    assert list_suggested_zones()[:2] == ("UTC", "Europe/London")
    assert not any(zone.startswith("Etc/") for zone in list_suggested_zones())
