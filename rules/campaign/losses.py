"""Figures lost on forced marches and to hunger, stragglers and replacements (CA-2.6, CA-4.3, CA-6.8)."""

from collections.abc import Callable

from .columns import Column, Troops
from .model import CampaignPlay, CampaignState


def count_loss(figures: int, share: int) -> int:
    """Return the loss of one figure in `share`, rounded up; one figure always remains."""
    return min(-(-figures // share), max(figures - 1, 0))


def subtract_share(play: CampaignPlay, column: Column, die: int, *, straggle: bool) -> int:
    """Subtract a share of each unit affected by the `die`; return the number of figures lost.

    Units with few figures at the start lose only on a 1. With `straggle` the figures are stragglers, who can return.
    """
    power = play.state.power_of(column.side).id
    share, small = play.state.value(power, "straggling"), play.state.value(power, "small_unit")

    def after(unit: Troops) -> Troops:
        losses = count_loss(unit.figures, share) if die == 1 or unit.start >= small else 0
        return unit.model_copy(
            update={"figures": unit.figures - losses, "stragglers": unit.stragglers + (losses if straggle else 0)}
        )

    return _replace_units(play, column, after)


def return_stragglers(play: CampaignPlay, column: Column) -> int:
    """Put a resting column's stragglers back into their units; return the number of stragglers."""

    def after(unit: Troops) -> Troops:
        return unit.model_copy(update={"figures": unit.figures + unit.stragglers, "stragglers": 0})

    return -_replace_units(play, column, after)


def replace_losses(play: CampaignPlay, column: Column) -> int:
    """Add replacements to each unit of a resting column; return the number of figures added."""

    def after(unit: Troops) -> Troops:
        return unit.model_copy(update={"figures": unit.figures + count_replacements(play.state, column, unit)})

    return -_replace_units(play, column, after)


def count_replacements(state: CampaignState, column: Column, unit: Troops) -> int:
    """Return a unit's replacements on a day of rest: a share of its starting figures, up to a maximum strength."""
    power = state.power_of(column.side).id
    most = unit.start * state.value(power, "replaced_up_to") // 100
    return max(0, min(-(-unit.start // state.value(power, "replaced")), most - unit.figures))


def _replace_units(play: CampaignPlay, column: Column, after: Callable[[Troops], Troops]) -> int:
    """Replace every unit of a column; return the number of figures by which the column shrinks."""
    now = play.state.unit(column.id)
    play.change(column.id, troops=tuple(map(after, now.troops)))
    return now.figures - play.state.unit(column.id).figures
