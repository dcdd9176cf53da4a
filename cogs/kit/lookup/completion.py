"""Completion of options from the channel's state. Completers never fail; a command checks its options again."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from functools import wraps
from typing import Any

from discord import app_commands
from rapidfuzz import fuzz, process, utils

from bot.errors import NoGame, UnreadableGame
from bot.games.opponents import groups_of_free_sides
from bot.journal.game import Game
from cogs.kit.cards.card import shorten
from cogs.kit.discord_errors import REQUEST_ERRORS, is_answered_elsewhere, is_expired
from cogs.kit.errors import USER_ERRORS
from cogs.kit.request import Interaction, game_of
from rules.core import naming
from rules.core.model import PUBLIC, UMPIRE
from rules.core.naming import Words
from rules.core.ruleset import Ruleset, Troop
from rules.core.state import UnitCard
from rules.core.tabletop.own_table import OWN
from rules.core.typed_text import with_plain_punctuation, without_accents
from rules.registry import rulesets

from . import battles, name_lookup, systems
from .notes import add_note
from .topics import find_answers
from .views import UMPIRE_VIEW

log = logging.getLogger(__name__)

Choice = app_commands.Choice[str]
Completer = Callable[[Interaction, str], Coroutine[Any, Any, list[Choice]]]
NamedValues = Iterable[tuple[str, str]]
"""Pairs of a value and the name that choices show for it."""
Kind = str | Callable[[Interaction], str]
"""A kind of action, or a function that reads the kind from the typed options."""
MOST = 25
MOST_LETTERS = 100
GOOD_ENOUGH = 55.0


def safe_completer(completer: Callable[[Interaction, str], Coroutine[Any, Any, list[Choice]]]) -> Completer:
    """Make a completer that sends the choices of `completer`, or no choices after an error."""

    @wraps(completer)
    async def complete_safely(interaction: Interaction, current: str) -> list[Choice]:
        choices: list[Choice] = []
        try:
            choices = (await completer(interaction, current))[:MOST]
        except USER_ERRORS:
            pass
        except Exception:
            log.exception("completion failed in channel %s", interaction.channel_id)
        await send_choices(interaction, choices)
        return choices

    return complete_safely


def game_completer(find: Callable[[Game], NamedValues]) -> Completer:
    """Make a completer from `find`, which returns choices from a game that everyone may know."""

    @safe_completer
    async def complete_from_game(interaction: Interaction, current: str) -> list[Choice]:
        return match_choices(current, find(await game_of(interaction)))

    return complete_from_game


async def send_choices(interaction: Interaction, choices: list[Choice]) -> None:
    """Send the choices to Discord, or an empty list if Discord does not accept the choices.

    Raises CancelledError if no answer is possible any more: discord.py would log any other error as a fault.
    """
    try:
        await interaction.response.autocomplete(choices)
    except REQUEST_ERRORS as error:
        log.info("interaction %s: nothing could be offered: %s", interaction.id, error)
        if choices and not (is_answered_elsewhere(error) or is_expired(error)):
            await send_choices(interaction, [])
            return
        raise asyncio.CancelledError from error


def make_choice(name: str, value: str) -> Choice:
    """Return a choice, with the name cut to Discord's hundred letters. The value is not cut."""
    return app_commands.Choice(name=shorten(name, MOST_LETTERS) or value, value=value)


def match_choices(current: str, names: NamedValues, known_by: Words | None = None) -> list[Choice]:
    """Return choices for the (value, name) pairs that match the typed text, best first.

    An empty text matches all. `known_by` holds further words by which to find each value.
    """
    labels = {value: name for value, name in names if 0 < len(value) <= MOST_LETTERS}
    prefix = without_accents(current).strip()
    if not prefix:
        return [make_choice(name, value) for value, name in labels.items()][:MOST]
    plain_texts = ((value, (without_accents(name), without_accents(value))) for value, name in labels.items())
    starts = [value for value, texts in plain_texts if any(text.startswith(prefix) for text in texts)]
    ranked = process.extract(
        current, labels, scorer=fuzz.WRatio, processor=utils.default_process, limit=MOST, score_cutoff=GOOD_ENOUGH
    )
    order = dict.fromkeys([*starts, *naming.rank_matches(current, labels, known_by), *(key for _, _, key in ranked)])
    return [make_choice(labels[value], value) for value in order][:MOST]


def match_values(current: str, values: Iterable[str]) -> list[Choice]:
    """Return choices for the values that match the text `current`, best first. Each choice shows its value."""
    return match_choices(current, ((value, value) for value in values))


async def find_typed_system(interaction: Interaction, kind: str | None = None) -> Ruleset[Any]:
    """Return the system of the option `rules`, or the default system for that kind of action."""
    chosen = rulesets().get(typed_option(interaction, "rules") or "")
    return chosen if chosen is not None else await systems.find_system(interaction, kind)


def resolve_kind(kind: Kind, interaction: Interaction) -> str:
    """Return the kind of action. If `kind` is a function, read the kind from the typed options."""
    return kind if isinstance(kind, str) else kind(interaction)


def typed_option(interaction: Interaction, name: str) -> str | None:
    """Return the typed value of another option of the command, or None."""
    value: Any = getattr(interaction.namespace, name, None)
    return value if isinstance(value, str) else None


def _match_units(current: str, cards: Collection[UnitCard]) -> list[Choice]:
    """Return choices for the units whose name, strength or short name on the map matches the typed text."""
    labels = ((card.id, add_note(card.name, card.line)) for card in cards)
    return match_choices(current, labels, {card.id: (card.short,) for card in cards if card.short})


async def _unit_cards(interaction: Interaction, *, own_first: bool) -> list[UnitCard]:
    game = await game_of(interaction)
    viewer = game.viewer(interaction.user.id)
    cards: Sequence[UnitCard] = game.ruleset.roster(game.state, viewer)
    own = game.state.acting_sides if viewer in (UMPIRE, PUBLIC) else (viewer,)
    if not own_first:
        own = next(((card.side,) for card in cards if card.id == typed_option(interaction, "unit")), own)
    return sorted(cards, key=lambda card: (card.side in own) != own_first)


async def complete_preferred_units(
    interaction: Interaction, current: str, ids: Iterable[str], *, own_first: bool
) -> list[Choice]:
    """Complete a unit's name. Units with an id in `ids` come first."""
    cards = {card.id: card for card in await _unit_cards(interaction, own_first=own_first)}
    return _match_units(current, {**{unit: cards[unit] for unit in ids if unit in cards}, **cards}.values())


@safe_completer
async def complete_units(interaction: Interaction, current: str) -> list[Choice]:
    """Complete `unit` with the units and their strengths. Units of the user's side come first."""
    return _match_units(current, await _unit_cards(interaction, own_first=True))


@safe_completer
async def complete_unit_lists(interaction: Interaction, current: str) -> list[Choice]:
    """Complete the last name in `unit`, a list with commas. The last choices are `all` with the name of a side."""
    cards = await _unit_cards(interaction, own_first=True)
    times = Counter(card.name for card in cards)
    names = [card.name if times[card.name] == 1 else card.id for card in cards]
    game = await game_of(interaction)
    viewer = game.viewer(interaction.user.id)
    sides = [side for side in game.state.sides if viewer in (UMPIRE, side.id)]
    names += [f"all {side.id if ',' in side.name else side.name}" for side in sides]
    earlier, comma, word = with_plain_punctuation(current).rpartition(",")
    start = f"{earlier.strip()}, " if comma else ""
    lists = (start + match.value for match in match_values(word, names))
    return [make_choice(text, text) for text in lists if len(text) <= MOST_LETTERS]


@safe_completer
async def complete_targets(interaction: Interaction, current: str) -> list[Choice]:
    """Complete `target`. Enemies of the typed unit, or else of the user, come first."""
    return _match_units(current, await _unit_cards(interaction, own_first=False))


@safe_completer
async def complete_rule_systems(_: Interaction, current: str) -> list[Choice]:
    """Complete `rules` with the rule systems by title."""
    return match_choices(current, ((system.id, system.title) for system in rulesets().values()))


@safe_completer
async def complete_scenarios(interaction: Interaction, current: str) -> list[Choice]:
    """Complete `scenario` with battles of the typed system or of all systems, uploads included."""
    return match_choices(current, await _battle_titles(interaction))


@safe_completer
async def complete_battles_or_bare_table(interaction: Interaction, current: str) -> list[Choice]:
    """Complete `scenario` with battles, and with a bare table if the typed system has one."""
    system = rulesets().get(typed_option(interaction, "rules") or "")
    bare_table = [(OWN, "A bare table of your own")] if system is not None and system.bare_tables is not None else []
    return match_choices(current, (*await _battle_titles(interaction), *bare_table))


async def _battle_titles(interaction: Interaction) -> list[tuple[str, str]]:
    """Return id and title of each battle of the typed system, or of every battle."""
    listed_battles = await battles.list_battles(interaction, rulesets().get(typed_option(interaction, "rules") or ""))
    return [(battle.scenario.id, battle.scenario.title) for battle in listed_battles]


@safe_completer
async def complete_sides(interaction: Interaction, current: str) -> list[Choice]:
    """Complete `side` with the sides of the typed scenario, or else of the channel's game."""
    scenario = typed_option(interaction, "scenario")
    if scenario is not None:
        listed_battles = await battles.list_battles(interaction)
        matches = [battle.scenario for battle in listed_battles if battle.scenario.id == scenario]
        return match_choices(current, ((side, side) for match in matches for side in match.sides))
    game = await game_of(interaction)
    return match_choices(current, ((side.id, side.name) for side in game.state.sides))


@safe_completer
async def complete_views(interaction: Interaction, current: str) -> list[Choice]:
    """Complete `side` with the sides of the channel's game, and for the umpire with the umpire's own view."""
    game = await game_of(interaction)
    own = [(UMPIRE, UMPIRE_VIEW)] if game.viewer(interaction.user.id) == UMPIRE else []
    return match_choices(current, (*own, *((side.id, side.name) for side in game.state.sides)))


@game_completer
def complete_open_sides(game: Game) -> NamedValues:
    """Complete `side` with the sides that people or the bot may play in the channel's game."""
    return ((side.id, side.name) for side in game.open_sides)


@game_completer
def complete_sides_for_opponent(game: Game) -> NamedValues:
    """Complete `side`: first groups of free sides, such as `all: 4 that are free`, then single open sides."""
    groups = ((name, sides) for name, sides in groups_of_free_sides(game).items() if len(sides) > 1)
    group_choices = ((name, f"{name}: {len(sides)} that are free") for name, sides in groups)
    return (*group_choices, *((side.id, side.name) for side in game.open_sides))


@game_completer
def complete_bot_sides(game: Game) -> NamedValues:
    """Complete `side` with the sides of the channel's game that the bot plays in a seat."""
    return ((side, game.name_of(side)) for side in game.bot_seats)


@safe_completer
async def complete_troops(interaction: Interaction, current: str) -> list[Choice]:
    """Complete `troop` with all kinds of troops of the rule system."""
    return _match_troops(current, (await find_typed_system(interaction)).troops.values())


def _match_troops(current: str, troops: Collection[Troop]) -> list[Choice]:
    names = ((troop.id, troop.name) for troop in troops)
    return match_choices(current, names, {troop.id: troop.words for troop in troops})


def troop_completer(kind: Kind) -> Completer:
    """Return a completer for `troop`, with the troops about which the system answers questions without a game."""

    @safe_completer
    async def complete_askable_troops(interaction: Interaction, current: str) -> list[Choice]:
        current_kind = resolve_kind(kind, interaction)
        system = await find_typed_system(interaction, current_kind)
        return _match_troops(current, systems.askable_troops(system, current_kind) or system.troops.values())

    return complete_askable_troops


async def find_system_for_question(interaction: Interaction) -> Ruleset[Any] | None:
    """Return the system named by the option `rules`, or else the system of the channel's game, or None.

    Raises Refused if no system has this name.
    """
    if (name := typed_option(interaction, "rules")) is not None:
        return name_lookup.find_system_by_name(name)
    try:
        return (await game_of(interaction)).ruleset
    except (NoGame, UnreadableGame):
        return None


@safe_completer
async def complete_topics(interaction: Interaction, current: str) -> list[Choice]:
    """Complete `topic` with the asked system's rules by number, name or words. If none fits, search other systems."""
    first = await find_system_for_question(interaction)
    rules = [rule for system in ([first] if first else rulesets().values()) for rule in system.book.rules]
    answers = find_answers(current, first) if current.strip() else []
    if not answers:
        return match_choices(current, ((rule.number, rule.name) for rule in rules))
    return [make_choice(answer.rule.name, answer.choice_value(current, MOST_LETTERS)) for answer in answers[:MOST]]


def word_completer(*words: str) -> Completer:
    """Return a completer that offers the given words."""

    @safe_completer
    async def complete_words(_: Interaction, current: str) -> list[Choice]:
        return match_values(current, words)

    return complete_words
