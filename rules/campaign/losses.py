"""Figures lost on forced marches and to hunger, stragglers and replacements (CA-2.6, CA-4.3, CA-6.8)."""

from collections.abc import Sequence

from .columns import Column, ColumnUnit
from .model import CampaignPlay


def count_loss(figures: int, share: int) -> int:
    """Return the loss of one figure in `share`, rounded up; one figure always remains."""
    return min(-(-figures // share), max(figures - 1, 0))


def subtract_share(play: CampaignPlay, column: Column, die: int, *, straggle: bool) -> int:
    """Remove a share of each unit's figures, and return the number of figures removed.

    Units with few figures at the start lose only on a `die` of 1. With `straggle` the lost figures can return.
    """
    power = play.state.power_of(column.side).id
    share, small = play.state.option_value(power, "straggling"), play.state.option_value(power, "small_unit")
    units = []
    for unit in column.troops:
        loss = count_loss(unit.figures, share) if die == 1 or unit.start >= small else 0
        stragglers = unit.stragglers + (loss if straggle else 0)
        units.append(unit.model_copy(update={"figures": unit.figures - loss, "stragglers": stragglers}))
    return -_replace_units(play, column, units)


def return_stragglers(play: CampaignPlay, column: Column) -> int:
    """Put a resting column's stragglers back into their units; return the number of stragglers."""
    units = [
        unit.model_copy(update={"figures": unit.figures + unit.stragglers, "stragglers": 0}) for unit in column.troops
    ]
    return _replace_units(play, column, units)


def replace_losses(play: CampaignPlay, column: Column) -> int:
    """Add replacements to each unit of a resting column; return the number of figures added.

    Replacements are a share of the unit's starting figures, up to a maximum strength.
    """
    power = play.state.power_of(column.side).id
    share, percentage = (play.state.option_value(power, option) for option in ("replaced", "replaced_up_to"))
    units = []
    for unit in column.troops:
        missing = unit.start * percentage // 100 - unit.figures
        added = max(0, min(-(-unit.start // share), missing))
        units.append(unit.model_copy(update={"figures": unit.figures + added}))
    return _replace_units(play, column, units)


def _replace_units(play: CampaignPlay, column: Column, units: Sequence[ColumnUnit]) -> int:
    """Replace every unit of a column; return the number of figures by which the column grows."""
    play.change(column.id, troops=tuple(units))
    return play.state.unit(column.id).figures - column.figures
