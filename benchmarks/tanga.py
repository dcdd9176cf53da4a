"""A British turn of Tanga's Campaign compared with networkx: `python -m benchmarks.tanga`.

Plays a game between the card and the simple German player to the first turn with every formation ashore. Measures the
turn's decisions with their traces and consequences: moves, opportunity fire, fire, melee, rallying, dice. Beside it
runs as many Dijkstra searches of networkx over the whole map, on a finished graph. Prints medians and their ratio.
"""

import networkx

from rules.registry import rulesets
from rules.tanga.field import board_of, formation_units
from rules.tanga.model import BRITISH, Condition, Phase, TangaState
from tests.fuzz import RandomDice
from tests.selfplay import choose_action

from .hexes import median

SCENARIO = "campaign"
SEED = 1


def is_ashore(state: TangaState) -> bool:
    """Whether the British act with every remaining formation entirely on the map."""
    if state.phase != Phase.BRITISH.value or state.british.done or state.british.formation:
        return False
    landed = (
        all(unit.on_map or unit.condition is Condition.ELIMINATED or _may_be_hidden(unit.id) for unit in units)
        for formation in state.formations.values()
        if formation.side == BRITISH and (units := formation_units(state, formation.id))
    )
    return all(landed)


def _may_be_hidden(unit: str) -> bool:
    """Whether the unit is an MG, which may stay unseen under a marker."""
    return unit.endswith("-mg")


def main() -> None:
    """Play to the turn, measure it and print."""
    system, dice = rulesets()["tanga"], RandomDice(SEED)
    state = system.setup(SCENARIO, {}, dice)
    while not is_ashore(state):
        if state.over is not None:
            raise SystemExit("the game ended before everyone was ashore; take another seed")
        state, _ = system.act(state, choose_action(system, state), dice)

    def turn() -> int:
        """Play the British turn. Return the number of its decisions."""
        now, fall, decided = state, RandomDice(SEED), 0
        while now.phase == Phase.BRITISH.value:
            now, _ = system.act(now, choose_action(system, now), fall)
            decided += len(now.decisions)
        return decided

    board = board_of(state)
    graph = networkx.DiGraph()
    for at in board.land:
        steps = ((at, neighbour, board.cost(neighbour)) for neighbour in at.neighbours() if neighbour in board.land)
        graph.add_weighted_edges_from(steps)
    start, decided = min(board.land), turn()

    def paths() -> None:
        for _ in range(decided):
            networkx.single_source_dijkstra_path_length(graph, start)

    units = sum(unit.side == BRITISH and unit.on_map for unit in state.units.values())
    ours, theirs = median(turn), median(paths)
    print(f"turn {state.turn}: {units} British units ashore, {decided} decisions; milliseconds, medians")
    print(f"the whole British turn {ours:10.1f}")
    print(f"{decided} runs of Dijkstra  {theirs:10.1f}   ratio {theirs / ours:.1f}")


if __name__ == "__main__":
    main()
