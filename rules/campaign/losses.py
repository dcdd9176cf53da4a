"""Figures that columns lose on the march and to hunger, and get back (CA-2.6, CA-4.3, CA-6.8)."""

from collections.abc import Callable

from .columns import Column, Troops
from .model import CampaignPlay, CampaignState


def share_lost(figures: int, share: int) -> int:
    """Return one figure in `share`, rounded up, but never the last figure."""
    return min(-(-figures // share), max(figures - 1, 0))


def lose_a_share(play: CampaignPlay, column: Column, die: int, *, straggle: bool) -> int:
    """Take one figure in twelve off each unit, if the die counts for it; return the figures lost.

    Units that began small lose on a 1 only. Stragglers can come back.
    """
    power = play.state.power_of(column.side).id
    share, small = play.state.value(power, "straggling"), play.state.value(power, "small_unit")

    def after(unit: Troops) -> Troops:
        losses = share_lost(unit.figures, share) if die == 1 or unit.start >= small else 0
        return unit.model_copy(
            update={"figures": unit.figures - losses, "stragglers": unit.stragglers + (losses if straggle else 0)}
        )

    return _change_units(play, column, after)


def return_stragglers(play: CampaignPlay, column: Column) -> int:
    """Bring a resting column's stragglers back; return how many."""

    def after(unit: Troops) -> Troops:
        return unit.model_copy(update={"figures": unit.figures + unit.stragglers, "stragglers": 0})

    return -_change_units(play, column, after)


def replace_losses(play: CampaignPlay, column: Column) -> int:
    """Give each unit of a resting column its replacements; return how many figures came."""

    def after(unit: Troops) -> Troops:
        return unit.model_copy(update={"figures": unit.figures + replacements(play.state, column, unit)})

    return -_change_units(play, column, after)


def replacements(state: CampaignState, column: Column, unit: Troops) -> int:
    """Return the figures that a unit gets on a day of rest: one in twelve of its start, up to nine tenths of it."""
    power = state.power_of(column.side).id
    most = unit.start * state.value(power, "replaced_up_to") // 100
    return max(0, min(-(-unit.start // state.value(power, "replaced")), most - unit.figures))


def _change_units(play: CampaignPlay, column: Column, after: Callable[[Troops], Troops]) -> int:
    """Change every unit of a column; return how many figures fewer it has."""
    now = play.state.unit(column.id)
    play.change(column.id, troops=tuple(map(after, now.troops)))
    return now.figures - play.state.unit(column.id).figures
