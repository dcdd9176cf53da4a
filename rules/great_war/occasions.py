"""The answer to flags that a side may give in advance: its units stand fast or retreat (GW-1.4)."""

from collections.abc import Mapping, Sequence

from rules.core.standing_answers import Occasion, YesNoActions
from rules.core.state import Action

from .ground import board_of
from .model import GreatWarState
from .retreats import FLAGS, OCCASION, RETREAT, Retreat
from .shared import distance_to_enemy


def _sort_retreats(state: GreatWarState, actions: Sequence[Action]) -> YesNoActions:
    """Return the answers that mean yes (most flags ignored) and no (fewest flags ignored), each best first.

    The best retreat loses the fewest figures, then ends farthest from the nearest enemy, then in the lowest hex.
    """

    def key(retreat: Retreat) -> tuple[int, int, str]:
        end = board_of(state).parse_hexes(retreat.to)[-1]
        gap = distance_to_enemy(state, state.unit(retreat.unit).side, end)
        return RETREAT.plan(state, retreat).missed, -gap, end.label

    retreats = sorted((action for action in actions if isinstance(action, Retreat)), key=key)
    ignored = {retreat.ignores for retreat in retreats}
    most, fewest = ([one for one in retreats if one.ignores == pick(ignored)] for pick in (max, min))
    return YesNoActions(most, fewest)


OCCASIONS: Mapping[str, Occasion[GreatWarState]] = {
    OCCASION: Occasion(
        title="Flags at a unit",
        yes="stand fast if the unit can",
        no="retreat",
        cite=FLAGS,
        sort=_sort_retreats,
    ),
}
