"""Complete the circumstances of an action, a list with commas. Each choice shows a meaning and an effect."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from cogs.kit.request import Interaction, game_of
from rules.core.parsing import BEFORE_MEANING, find_contradiction
from rules.core.refusal import Refused
from rules.core.typed_text import normalize_text, simplify_signs

from . import name_lookup
from .completion import (
    MOST_LETTERS,
    Choice,
    Completer,
    Kind,
    find_typed_system,
    make_choice,
    match_choices,
    resolve_kind,
    safe_completer,
    typed_option,
)


async def _meanings_with_effects(
    interaction: Interaction, kind: str, chosen: Sequence[str], meanings: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the meaning of each circumstance, with its effect on the typed action and its `chosen` circumstances."""
    game = await game_of(interaction)
    viewer = game.viewer(interaction.user.id)
    view, explanations = game.ruleset.view(game.state, viewer), dict(meanings)
    typed = {option: typed_option(interaction, option) for option in ("unit", "to")}
    for name, meaning in meanings.items():
        fields = {**typed, "with": ", ".join((*chosen, name))}
        with suppress(Refused):
            args = name_lookup.resolve_names(game, viewer, kind, fields)
            if effect := game.ruleset.effect_on_move(view, game.ruleset.parse(kind, args)):
                explanations[name] = f"{meaning}; {effect}"
    return explanations


def circumstance_completer(kind: Kind) -> Completer:
    """Return a completer for `with`, a list of circumstances with commas. It completes the list's last circumstance."""

    @safe_completer
    async def complete_circumstances(interaction: Interaction, current: str) -> list[Choice]:
        current_kind = resolve_kind(kind, interaction)
        of_unit = typed_option(interaction, "unit") is not None
        system = (await game_of(interaction)).ruleset if of_unit else await find_typed_system(interaction, current_kind)
        if not of_unit and (typed_option(interaction, "troop") or typed_option(interaction, "rules")):
            names: Sequence[str] = system.ad_hoc.circumstances(current_kind)
        else:
            names = system.actions[current_kind].circumstance_names if current_kind in system.actions else ()
        earlier, _, word = simplify_signs(current).rpartition(",")
        chosen = [name.strip() for name in earlier.split(",") if name.strip()]
        taken = {normalize_text(name) for name in chosen}
        others = (name for name in names if name not in taken)
        free = [name for name in others if not find_contradiction(system.circumstances, (*taken, name))]
        meanings = {name: system.circumstances[name].meaning for name in free if name in system.circumstances}
        if of_unit and current_kind in system.actions:
            meanings |= await _meanings_with_effects(interaction, current_kind, chosen, meanings)
        start = ", ".join(chosen) + (", " if chosen else "")
        labels = {name: f"{start}{name}{BEFORE_MEANING}{meaning}" for name, meaning in meanings.items()}
        matches = (match.value for match in match_choices(word, ((name, name) for name in free)))
        lists = ((name, start + name) for name in matches)
        return [make_choice(labels.get(name, text), text) for name, text in lists if len(text) <= MOST_LETTERS]

    return complete_circumstances
