"""Whether a state from outside hangs together: what it refers to exists, and its table can be played on."""

from rules.core.soundness import must
from rules.core.tabletop.soundness import check_known, check_places, check_references, check_table
from rules.magdala.model import MagdalaState

MOST_PROMPTS = 1000


def check(state: MagdalaState) -> None:
    """Raises Refused with the place of what contradicts itself."""
    check_table(state)
    must(len(state.prompts) <= MOST_PROMPTS, "prompts", f"there are {MOST_PROMPTS} at most")
    for unit in state.units.values():
        named = {"parent": unit.parent, "general": unit.general, "melee_with": unit.melee_with}
        check_references(state.units, unit.id, named)
        check_places(unit.id, {"place": unit.place, "horses_at": unit.horses_at})
    for place, prompt in enumerate(state.prompts):
        check_known(state.units, f"prompts[{place}]", (prompt.unit, prompt.by or prompt.unit))
    sides = {side.id for side in state.sides}
    must(state.home_edges.keys() <= sides, "home_edges", "there is no such side")
    must(state.opened_by in ("", *sides), "opened_by", "there is no such side")
