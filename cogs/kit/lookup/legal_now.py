"""Complete units and targets. Units with a legal action now come first."""

import asyncio
from collections.abc import Callable, Iterable
from itertools import chain

from bot.journal.game import Game
from cogs.kit.request import Interaction, game_of
from rules.core.model import Viewer
from rules.core.state import Action

from . import completion
from .completion import Choice, Completer, Kind


def legal_actions(game: Game, viewer: Viewer, kind: str | None = None) -> Iterable[Action]:
    """Return the viewer's legal actions, and the actions that lack only a measurement to be legal."""
    view = game.ruleset.view(game.state, viewer)
    return chain(game.ruleset.legal_actions(view, viewer, kind), game.ruleset.unmeasured_actions(view, viewer, kind))


def unit_completer(kind: Kind) -> Completer:
    """Return a completer for `unit`. Units with a legal action of the kind come first, then the user's own side."""
    return _make_legal_units_completer(kind, lambda action, _: action.unit, own_first=True)


def target_completer(kind: Kind) -> Completer:
    """Return a completer for `target`. Legal targets of the typed unit come first, whether friends or enemies."""

    def target_for_unit(action: Action, unit: str | None) -> str | None:
        return getattr(action, "target", None) if unit in (None, action.unit) else None

    return _make_legal_units_completer(kind, target_for_unit, own_first=False)


def _make_legal_units_completer(
    kind: Kind, unit_of: Callable[[Action, str | None], str | None], *, own_first: bool
) -> Completer:
    """Return a completer that offers units with a legal action of the kind first.

    `unit_of` takes a legal action and the typed unit, and returns the unit to offer. With `own_first`, the user's own
    units come before enemies.
    """

    @completion.safe_completer
    async def complete_legal_units(interaction: Interaction, current: str) -> list[Choice]:
        game, unit = await game_of(interaction), completion.typed_option(interaction, "unit")
        current_kind, viewer = completion.resolve_kind(kind, interaction), game.viewer(interaction.user.id)
        actions = await asyncio.to_thread(lambda: [*legal_actions(game, viewer, current_kind)])
        legal = filter(None, (unit_of(action, unit) for action in actions))
        return await completion.complete_preferred_units(interaction, current, legal, own_first=own_first)

    return complete_legal_units
