"""Time zones as people name them: by city, country, abbreviation or offset from UTC."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo, available_timezones

from pydantic import BaseModel, ConfigDict

from rules.core import naming
from rules.core.refusal import Refused
from rules.core.typed_text import simplify_signs, without_accents

REGIONS = (
    *("Africa", "America", "Antarctica", "Arctic", "Asia"),
    *("Atlantic", "Australia", "Europe", "Indian", "Pacific"),
)
"""Regions whose zones are suggested. Zones outside these regions, such as `US/Eastern`, are accepted when typed."""
NO_PLACES = {"localtime", "Factory", "posixrules"}
"""Zone names that are not places: the machine's own clock, and placeholders."""
EARLIEST, LATEST = timedelta(hours=-12), timedelta(hours=14)
"""Bounds of the offsets from UTC."""
HOW = "Write a large city, as London or New York, or the hours from UTC, as UTC+2."
LONGEST = 60
MONTHS_COMPARED = 24
"""Number of months in which the clocks of two zones must agree to count as one zone."""
_OFFSET = re.compile(r"(?:utc|gmt|z)?([+-])(\d{1,2})(?::?([0-5]\d))?", re.IGNORECASE)
_OFFSET_BEGUN = re.compile(r"(?:utc|gmt)?(?:[+-]\d{0,2}(?::\d{0,2})?)?", re.IGNORECASE)
_INVERTED = re.compile(r"Etc/GMT([+-])(\d{1,2})", re.IGNORECASE)
"""IANA names whose sign is the opposite of the usual one: `Etc/GMT+2` is two hours behind UTC."""
_TIME = re.compile(r"\s+(?:(?:standard|daylight|summer|winter|local)\s+)?time$", re.IGNORECASE)


class _ZoneNames(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    usual: Sequence[str]
    words: Mapping[str, Sequence[str]]


NAMES = _ZoneNames.model_validate(
    tomllib.loads(files(__package__).joinpath("time_zones.toml").read_text(encoding="utf-8"))
)


@dataclass(frozen=True)
class Zone:
    """A time zone: its clocks, and a name that `parse_zone` parses."""

    name: str
    clocks: tzinfo


def parse_zone(words: str) -> Zone:
    """Parse a typed zone. Raises Refused, with the possible zones or the nearest names, if the zone is unclear."""
    text = _remove_time_word(words)
    if len(text) > LONGEST:
        raise Refused(f"There is no time zone “{text[:LONGEST]}…”. {HOW}")
    if offset := _OFFSET.fullmatch(text.replace(" ", "")):
        return _zone_by_offset(*offset.groups(default="0"))
    if match := _INVERTED.fullmatch(text):
        return _zone_by_offset("-" if match[1] == "+" else "+", match[2], "0")
    names = NAMES.words.get(without_accents(text)) or naming.find_matches(text, iana_zones())
    if names:
        return _make_zone(_choose_zone(text, names))
    return _make_zone(naming.resolve_name(text, iana_zones(), f"There is no time zone {{}}. {HOW}"))


def _remove_time_word(words: str) -> str:
    """Return typed words without a final `time` or `standard time`: `Eastern Standard Time` becomes `Eastern`."""
    return _TIME.sub("", " ".join(simplify_signs(words).split()))


def parse_stored_zone(name: str) -> Zone:
    """Return the zone with a stored name, even if the name would be ambiguous when typed. Raises Refused."""
    return _make_zone(name) if name in iana_zones() else parse_zone(name)


def match_offsets(words: str) -> Sequence[str]:
    """Return the offsets from UTC that complete the typed words: `gmt+1` gives `UTC+1`, `UTC+10` and so on."""
    bare = simplify_signs(words).replace(" ", "").casefold()
    if not bare or not _OFFSET_BEGUN.fullmatch(bare):
        return ()
    return tuple(dict.fromkeys(_offsets_with_prefix(bare.removeprefix("utc").removeprefix("gmt"))))


def match_zone_names(words: str) -> Sequence[str]:
    """Return the zones of countries, towns and abbreviations whose names start with `words`.

    The zones of an exact match come first.
    """
    prefix = without_accents(_remove_time_word(words))
    names = sorted((name for name in NAMES.words if prefix and name.startswith(prefix)), key=len)
    return tuple(dict.fromkeys(zone for name in names for zone in NAMES.words[name]))


@cache
def list_suggested_zones() -> Sequence[str]:
    """Return UTC and every zone named by region and city, the most used first."""
    zones = sorted(zone for zone in iana_zones() if zone.split("/")[0] in REGIONS)
    return tuple(dict.fromkeys((*(zone for zone in NAMES.usual if zone in iana_zones()), *zones)))


@cache
def iana_zones() -> naming.Names:
    """Return the IANA zones by name, without placeholders and misleading names such as `Etc/GMT+2`."""
    names = sorted(available_timezones() - NO_PLACES)
    return naming.Names({zone: zone for zone in names if not _INVERTED.fullmatch(zone)})


def _make_zone(name: str) -> Zone:
    if name not in iana_zones():
        raise Refused(f"This machine knows no time zone “{name}”. {HOW}")
    return Zone(name, ZoneInfo(name))


def _zone_by_offset(sign: str, hours: str, minutes: str) -> Zone:
    """Return the zone of an offset from UTC. Raises Refused for an impossible offset."""
    offset = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
    if not EARLIEST <= offset <= LATEST:
        raise Refused("Time zones lie from UTC-12 to UTC+14.")
    if not offset:
        return _make_zone("UTC")
    return Zone(f"UTC{sign}{int(hours)}{f':{minutes}' if int(minutes) else ''}", timezone(offset))


def _offsets_with_prefix(prefix: str) -> Iterable[str]:
    """Yield the offsets from UTC that begin with `prefix`: a sign, or a sign and digits."""
    if prefix in ("", "+", "-"):
        yield "UTC"
    match = _OFFSET.fullmatch(prefix)
    if match is not None:
        try:
            yield _zone_by_offset(*match.groups(default="0")).name
        except Refused:
            return
    for sign, most in (("+", LATEST), ("-", -EARLIEST)):
        for hours in range(1, int(most / timedelta(hours=1)) + 1):
            if f"{sign}{hours}".startswith(prefix) and f"{sign}{hours}" != prefix:
                yield f"UTC{sign}{hours}"


def _choose_zone(text: str, names: Sequence[str]) -> str:
    """Return one of `names` if the clocks of all these zones agree. Raises Refused if the clocks differ."""
    by_clocks: dict[tuple[timedelta | None, ...], str] = {}
    for name in sorted(names, key=lambda name: name.split("/")[0] not in REGIONS):
        by_clocks.setdefault(_monthly_offsets(name), name)
    different = [*by_clocks.values()]
    if len(different) == 1:
        return different[0]
    name_list = naming.join_names(different, naming.MOST_LISTED)
    raise Refused(
        f"“{text}” may be the time of any of these: {name_list}. Write one of them, or the hours from UTC, as UTC+2."
    )


@cache
def _monthly_offsets(name: str) -> tuple[timedelta | None, ...]:
    """Return the zone's offset from UTC in each of MONTHS_COMPARED months, from this January on."""
    year = datetime.now(UTC).year
    months = ((year + month // 12, month % 12 + 1) for month in range(MONTHS_COMPARED))
    return tuple(datetime(*month, 15, tzinfo=UTC).astimezone(ZoneInfo(name)).utcoffset() for month in months)
