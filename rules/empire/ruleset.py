"""Battles for Empire put together: an action type for each kind of action, and everything shown of a game."""

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from rules.core.action_type import ActionType
from rules.core.book import load_books
from rules.core.circumstances import load_circumstances
from rules.core.dice import Dice
from rules.core.model import Viewer
from rules.core.report import Prompt, Report
from rules.core.ruleset import Refused, Ruleset
from rules.core.scene import TableScene
from rules.core.state import Action, UnitCard

from . import prompts
from .armies import roster, scene, soundness, victory
from .armies.chair import UMPIRE_TOOLS
from .armies.scenarios import scenarios
from .armies.troops import troops
from .conduct import critical, testing
from .fighting import melee, supporting
from .firing import clearing, fire
from .model import EmpireState
from .moving import attaching, movement
from .options import EmpireOptions
from .tables import TABLES
from .turning import bayonets, first, turn, walk
from .upgrades import UPGRADES

ACTION_TYPES: tuple[ActionType[EmpireState, Any, Any], ...] = (
    testing.TEST_CONDUCT,
    testing.RALLY,
    movement.MOVE,
    attaching.ATTACH,
    fire.FIRE,
    clearing.CLEAR,
    melee.FIGHT,
    supporting.SUPPORT,
    critical.HIT,
    bayonets.FIX,
    first.MOVE_FIRST,
    turn.THROUGH,
    *UMPIRE_TOOLS.action_types,
)


class Empire(Ruleset[EmpireState]):
    """Battles for Empire, the quick reference."""

    id = "empire"
    title = "Battles for Empire"
    upgrades = UPGRADES
    state_type = EmpireState
    options_type = EmpireOptions

    def __init__(self) -> None:
        super().__init__(ACTION_TYPES)
        self.scenarios = {scenario.id: scenario.listed for scenario in scenarios().values()}
        self.charts = TABLES.charts
        self.book = load_books("rules.empire")
        self.troops = troops()
        self.circumstances = load_circumstances("rules.empire")

    @override
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> EmpireState:
        """The state a scenario starts from. Raises Refused on an unknown scenario or choice."""
        if scenario not in scenarios():
            names = ", ".join(scenarios())
            raise Refused(f"{self.title} has no scenario “{scenario[:40]}”. It has: {names}.")
        return walk.opened(scenarios()[scenario].setup(choices))

    @override
    def settled(self, state: EmpireState) -> EmpireState:
        """An army breaks, or the last turn ends (BE-V)."""
        return state.model_copy(update={"over": victory.verdict(state)}) if state.over is None else state

    @override
    def check(self, state: EmpireState) -> None:
        """Raises Refused with the place of what contradicts itself."""
        super().check(state)
        soundness.check(state)

    @override
    def act(self, state: EmpireState, action: Action, dice: Dice) -> tuple[EmpireState, Report]:
        """Does it; below stands the button by which its side is through with the phase, where nothing holds it up.

        Of a side that has said so, those of the sides that the phase still waits for.
        """
        after, report = super().act(state, action, dice)
        if not state.scenario or action.umpire_only or report.offers:
            return after, report
        whose = after.acting if isinstance(action, turn.TurnNext) else (report.side,)
        free = [side for side in whose if not prompts.blocking(after, (side,))]
        told = {item.key for item in report.prompts}
        passes = (item for item in turn.open_passes(after) if item.side in free and item.key not in told)
        return after, report.model_copy(update={"offers": tuple(offer for item in passes for offer in item.offers)})

    @override
    def view(self, state: EmpireState, viewer: Viewer) -> EmpireState:
        """The table lies open to all."""
        return state

    @override
    def places(self, state: EmpireState, viewer: Viewer, unit: str) -> tuple[str, ...]:
        """Where it may go as far as it may, and every other unit it may go towards."""
        return (*super().places(state, viewer, unit), *movement.towards(state, unit))

    @override
    def prompts(self, state: EmpireState) -> tuple[Prompt, ...]:
        """Every test and choice that the game waits for or that is open, and the way on to the next phase."""
        return (*prompts.prompts(state), *turn.open_passes(state))

    @override
    def roster(self, state: EmpireState, viewer: Viewer) -> tuple[UnitCard, ...]:
        """The units in order of battle."""
        return roster.roster(state, viewer)

    @override
    def scene(self, state: EmpireState, viewer: Viewer, before: EmpireState | None = None) -> TableScene:
        """The table, which lies open to all, with arrows for what moved and what fire landed since `before`."""
        listed = self.scenarios.get(state.scenario)
        return scene.scene(state, before, listed.title if listed else self.title)
