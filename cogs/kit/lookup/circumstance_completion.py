"""Complete the circumstances of an action, a list with commas. Each choice shows a meaning and an effect."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from cogs.kit.request import Interaction, game_of
from rules.core.parsing import BEFORE_MEANING, contradiction
from rules.core.refusal import Refused
from rules.core.typed_text import exact_form, fold

from . import name_lookup
from .completion import (
    MOST_LETTERS,
    Choice,
    Completer,
    Kind,
    choice,
    kind_now,
    match_choices,
    never_fails,
    option,
    system_of,
)


async def _with_effects(
    interaction: Interaction, kind: str, chosen: Sequence[str], meanings: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the meanings, each with the effect that the circumstance adds to the typed action and those chosen."""
    game = await game_of(interaction)
    viewer = game.viewer(interaction.user.id)
    view, explanations = game.ruleset.view(game.state, viewer), dict(meanings)
    for name, meaning in meanings.items():
        fields = {
            "unit": option(interaction, "unit"),
            "to": option(interaction, "to"),
            "with": ", ".join((*chosen, name)),
        }
        with suppress(Refused):
            args = name_lookup.resolve_names(game, viewer, kind, fields)
            if effect := game.ruleset.effect(view, game.ruleset.parse(kind, args)):
                explanations[name] = f"{meaning}; {effect}"
    return explanations


def circumstances(kind: Kind) -> Completer:
    """Return a completer for `with`, a list of circumstances with commas. It completes the last one in the list."""

    @never_fails
    async def complete(interaction: Interaction, current: str) -> list[Choice]:
        current_kind = kind_now(kind, interaction)
        of_unit = option(interaction, "unit") is not None
        system = (await game_of(interaction)).ruleset if of_unit else await system_of(interaction, current_kind)
        if not of_unit and (option(interaction, "troop") or option(interaction, "rules")):
            names: Sequence[str] = system.ad_hoc.circumstances(current_kind)
        else:
            names = system.actions[current_kind].circumstance_names if current_kind in system.actions else ()
        earlier, _, word = fold(current).rpartition(",")
        chosen = [name.strip() for name in earlier.split(",") if name.strip()]
        taken = {exact_form(name) for name in chosen}
        free = [name for name in names if name not in taken and not contradiction(system.circumstances, (*taken, name))]
        meanings = {name: system.circumstances[name].meaning for name in free if name in system.circumstances}
        if of_unit and current_kind in system.actions:
            meanings |= await _with_effects(interaction, current_kind, chosen, meanings)
        start = ", ".join(chosen) + (", " if chosen else "")
        labels = {name: f"{start}{name}{BEFORE_MEANING}{meaning}" for name, meaning in meanings.items()}
        words = (match.value for match in match_choices(word, ((name, name) for name in free)))
        return [choice(labels.get(name, value), value) for name in words if len(value := start + name) <= MOST_LETTERS]

    return complete
