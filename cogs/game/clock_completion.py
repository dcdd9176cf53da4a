"""Completions of `/game clock` and `/game away`. Every choice can be typed as well."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from functools import partial
from itertools import islice

from bot.errors import UserError
from bot.games.daily_end import format_days, parse_days
from bot.games.hour_words import parse_hour, split_zone
from bot.games.missed_turns_setting import WORDS, MissedTurnsRemedy, MissedTurnsSetting
from bot.games.moments import MONTHS, parse_moment, remove_prepositions
from bot.games.quiet_hours import parse_quiet_hours, suggest_hours
from bot.games.time_zones import list_suggested_zones, match_offsets, match_zone_names, parse_zone
from cogs.kit.lookup import completion
from cogs.kit.lookup.notes import add_note, strip_note
from cogs.kit.request import Interaction, game_of
from rules.core.refusal import Refused

NO_QUIET, NO_QUIET_NAME = "none", "none: remind at any hour"
NO_HOUR, NO_HOUR_NAME = "none", "none · a turn has its hours, and ends at any time"
NO_MISSED, NO_MISSED_NAME = "none", "none · missed turns are counted, and the table decides"
BACK, BACK_NAME = "now", "now · I am back"
OPEN, OPEN_NAME = "further notice", "further notice · until somebody resumes"
USUAL_HOURS = ("20:00", "21:00", "18:00", "12:00", "22:00", "8:00")
USUAL_MOMENTS = ("tomorrow", "3 days", "1 week", "2 weeks", "4 weeks")
UNITS = ("days", "weeks", "hours", "months")
BEGUN = re.compile(r"(?P<number>[1-9]\d{0,2})\s*(?P<word>[a-z]*)")
USUAL_COUNTS = (2, 1, 3)
SENDING_TIME = timedelta(minutes=1)
"""Time that the user may take to send the command."""


@completion.safe_completer
async def complete_quiet_hours(_interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `quiet` with the typed hours, in each time zone that the typed words may mean."""
    hours, words = suggest_hours(current)
    values = filter(make_word_filter(parse_quiet_hours), (f"{hours} {zone}" for zone in matching_zones(words)))
    choices = [completion.make_choice(value, value) for value in islice(values, completion.MOST - 1)]
    return [*choices, completion.make_choice(NO_QUIET_NAME, NO_QUIET)]


@completion.safe_completer
async def complete_zones(_interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `zone` with the time zones that the typed words may mean."""
    values = filter(make_word_filter(parse_zone), matching_zones(current))
    return [completion.make_choice(value, value) for value in islice(values, completion.MOST)]


@completion.safe_completer
async def complete_fixed_hours(_interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `at` with the typed hour in each time zone that may be meant. Without an hour, offer usual hours."""
    hour, zone = split_zone(current)
    parsed = parse_hour(hour) if make_word_filter(parse_hour)(hour) else None
    if parsed and zone:
        zones = islice(filter(make_word_filter(parse_zone), matching_zones(zone)), completion.MOST - 1)
        values = [f"{parsed:%H:%M} {zone_name}" for zone_name in zones]
    else:
        values = [f"{parsed:%H:%M}"] if parsed else [time for time in USUAL_HOURS if time.startswith(current.strip())]
    return [*(completion.make_choice(value, value) for value in values), completion.make_choice(NO_HOUR_NAME, NO_HOUR)]


@completion.safe_completer
async def complete_days(_interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `days` with the typed days, else with usual days."""
    if current.strip() and make_word_filter(parse_days)(current):
        days = format_days(parse_days(current))
        return [completion.make_choice(days, days)]
    return completion.match_values(current, ("daily", "mon-fri", "weekends", "mon,wed,fri", "sun"))


@completion.safe_completer
async def complete_missed_turns(_interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `missed` with numbers of missed turns, each with a consequence."""
    counts = [int(letter) for letter in current if letter in "123456789"][:1]
    rules = [MissedTurnsSetting(count, remedy) for count in counts or USUAL_COUNTS for remedy in MissedTurnsRemedy]
    pairs = [(str(rule), f"{rule.count}: {WORDS[rule.then]}") for rule in rules]
    choices = [completion.make_choice(name, value) for value, name in pairs]
    matching = completion.match_choices(current, pairs) or choices
    return [*matching[: completion.MOST - 1], completion.make_choice(NO_MISSED_NAME, NO_MISSED)]


@completion.safe_completer
async def complete_pause_end(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `pause` with the typed moment, usual moments, and `further notice`."""
    return [*await _moment_choices(interaction, current), completion.make_choice(OPEN_NAME, OPEN)]


@completion.safe_completer
async def complete_absence_end(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete the end of an absence with the typed moment, usual moments, and `now` for a player who is back."""
    back = [completion.make_choice(BACK_NAME, BACK)] if BACK.startswith(current.strip().casefold()) else []
    return [*(choice for choice in await _moment_choices(interaction, current) if choice.value != BACK), *back]


@completion.safe_completer
async def complete_absence_begin(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete the beginning of an absence with the typed moment and usual moments."""
    return await _moment_choices(interaction, current, begins=True)


def matching_zones(words: str) -> Sequence[str]:
    """Return the time zones whose names match or begin with the words, an exact match first."""
    by_offset = match_offsets(words)
    if by_offset:
        return by_offset
    matches = completion.match_values(words, list_suggested_zones())
    return tuple(dict.fromkeys((*match_zone_names(words), *(match.value for match in matches))))


def make_word_filter(read: Callable[[str], object]) -> Callable[[str], bool]:
    """Return a predicate: whether `read` accepts the typed words without an error and returns a value."""

    def is_accepted(words: str) -> bool:
        try:
            return read(words) is not None
        except (UserError, Refused):
            return False

    return is_accepted


async def _moment_choices(interaction: Interaction, current: str, *, begins: bool = False) -> list[completion.Choice]:
    """Return choices for a moment: the typed words if valid, then usual moments, each with date and hour.

    With `begins`, the moment begins an absence; otherwise it ends an absence or a pause.
    """
    pauses, game = interaction.client.games.pauses, await game_of(interaction)
    zone = await pauses.find_zone(game, completion.typed_option(interaction, "zone"))
    now, text = interaction.client.games.clocks.now() + SENDING_TIME, " ".join(current.split())
    bare = remove_prepositions(text.casefold())
    usual: Iterable[str] = (usual_moment for usual_moment in USUAL_MOMENTS if bare in usual_moment)
    start = None if begins else completion.typed_option(interaction, "from")
    read = partial(parse_moment, now=now, zone=zone, begins=True)
    since = read(strip_note(start)) if start and make_word_filter(read)(strip_note(start)) else None
    choices = list[completion.Choice]()
    for words in dict.fromkeys((*((text,) if text else ()), *moments_starting_with(bare), *usual)):
        try:
            moment = parse_moment(words, now, zone, begins=begins, since=since).astimezone(zone.clocks)
        except UserError:
            continue
        choices.append(completion.make_choice(add_note(words, f"{moment:%a} {moment.day} {moment:%b, %H:%M}"), words))
    return choices


def moments_starting_with(words: str) -> Iterable[str]:
    """Yield durations and dates that begin with the typed words: `2 weeks` for `2 we`, `24 December` for `24 d`."""
    match = BEGUN.fullmatch(words)
    if match is None:
        return
    number, word = int(match["number"]), match["word"]
    units = [unit.removesuffix("s") if number == 1 else unit for unit in UNITS if unit.startswith(word)]
    yield from (f"{number} {unit}" for unit in units)
    yield from (f"{number} {month.capitalize()}" for month in MONTHS if word and month.startswith(word))
