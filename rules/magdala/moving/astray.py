"""What the umpire is warned of after a move: detachments on too long a leash (MM-2.8), a riverboat in two (MM-A)."""

from rules.core.model import Cite, Mark
from rules.core.tabletop import table
from rules.core.wording import inches
from rules.magdala import placement
from rules.magdala.model import MagdalaState, MagdalaUnit

from . import allowance

LEASH = Cite(rule="MM-2.8", mark=Mark.RULING)
BOAT = Cite(rule="MM-A", mark=Mark.RULING)


def warnings(state: MagdalaState, unit: MagdalaUnit) -> tuple[str, ...]:
    """After a move of `unit`: whoever is now too far from whom."""
    parent = state.units.get(unit.parent or "")
    pairs = [(unit, parent)] if parent is not None and parent.on_table else []
    pairs += [(sent, unit) for sent in state.of_side(unit.side) if sent.parent == unit.id]
    leashes = (_leash(state, sent, whole) for sent, whole in pairs)
    return (*(said for said in leashes if said), *_boat(state, unit))


def _leash(state: MagdalaState, sent: MagdalaUnit, parent: MagdalaUnit) -> str:
    """A detachment beyond two moves of its parent: the umpire decides (MM-2.8)."""
    reach = float(allowance.leash(sent, state.options))
    far = placement.gap(sent, parent)
    if far is None:
        return f"A detachment: keep {sent.name} within {inches(reach)} of {parent.name} ({LEASH})."
    if far <= reach + table.CLOSE:
        return ""
    beyond = f"{sent.name} is {inches(far)} from {parent.name}; a detachment works within {inches(reach)}"
    return f"{beyond} ({LEASH}). The umpire decides."


def _boat(state: MagdalaState, unit: MagdalaUnit) -> tuple[str, ...]:
    """The guns of the riverboat are aboard one vessel."""
    if not unit.afloat:
        return ()
    return tuple(
        f"{other.name} is aboard the same boat and {inches(far)} away: move it alongside ({BOAT})."
        for other in state.of_side(unit.side)
        if other.afloat and other.id != unit.id
        if (far := placement.gap(unit, other)) is not None and far > state.options.at_hand
    )
