"""Magdala to Mafeking, put together: its action types, and everything shown of a game."""

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from rules.core.action_type import ActionType
from rules.core.book import load_books
from rules.core.circumstances import load_circumstances
from rules.core.dice import Dice
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.report import Prompt
from rules.core.ruleset import Refused, Ruleset
from rules.core.scene import TableScene
from rules.core.state import UnitCard

from . import prompts
from .armies import roster, scene, soundness, victory
from .armies.chair import UMPIRE_TOOLS
from .armies.choose import CHOOSE, prompt_choices
from .armies.detach import DETACH
from .armies.rejoin import REJOIN
from .armies.scenarios import scenarios
from .armies.troops import troops
from .fighting.melee import MELEE
from .fighting.pursuit import PURSUIT
from .firing.clearing import CLEAR
from .firing.fire import FIRE
from .firing.mishaps import STRAY
from .firing.refill import REFILL
from .fleeing.retreat import RETIRE, RETREAT
from .model import MagdalaState
from .morale.generals import DECLINE, REROLL, RISK
from .morale.morale import MORALE
from .morale.reaction import REACTION
from .moving.bug_out import BUG_OUT
from .moving.movement import MOVE, towards
from .moving.works import BUILD
from .options import MagdalaOptions
from .tables import TABLES
from .turn import TURN
from .upgrades import UPGRADES

ACTION_TYPES: tuple[ActionType[MagdalaState, Any, Any], ...] = (
    MOVE,
    FIRE,
    CLEAR,
    STRAY,
    MELEE,
    MORALE,
    REACTION,
    REROLL,
    DECLINE,
    RISK,
    PURSUIT,
    RETREAT,
    RETIRE,
    REFILL,
    BUILD,
    BUG_OUT,
    DETACH,
    REJOIN,
    CHOOSE,
    TURN,
    *UMPIRE_TOOLS.action_types,
)


class Magdala(Ruleset[MagdalaState]):
    """Magdala to Mafeking."""

    id = "magdala"
    title = "Magdala to Mafeking"
    upgrades = UPGRADES
    state_type = MagdalaState
    options_type = MagdalaOptions

    def __init__(self) -> None:
        super().__init__(ACTION_TYPES)
        self.scenarios = {scenario.id: scenario.listed for scenario in scenarios().values()}
        self.charts = TABLES.charts
        self.book = load_books("rules.magdala")
        self.troops = troops()
        self.circumstances = load_circumstances("rules.magdala")

    @override
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> MagdalaState:
        """The state a scenario starts from. Raises Refused on an unknown scenario or choice."""
        if scenario not in scenarios():
            names = ", ".join(scenarios())
            raise Refused(f"{self.title} has no scenario “{scenario[:40]}”. It has: {names}.")
        return scenarios()[scenario].setup(choices)

    @override
    def settled(self, state: MagdalaState) -> MagdalaState:
        """An army breaks, or the last turn ends (MM-V)."""
        return state.model_copy(update={"over": victory.verdict(state)}) if state.over is None else state

    @override
    def check(self, state: MagdalaState) -> None:
        """Raises Refused with the place of what contradicts itself."""
        super().check(state)
        soundness.check(state)

    @override
    def view(self, state: MagdalaState, viewer: Viewer) -> MagdalaState:
        """What that viewer may know: all that is on the table, but no secret quality before it is revealed (MM-5.4)."""
        secret = [unit for unit in state.units.values() if unit.secret_quality and not unit.secret_known]
        if viewer == UMPIRE or not secret:
            return state
        return state.with_unit(*(unit.model_copy(update={"secret_quality": 0}) for unit in secret))

    @override
    def places(self, state: MagdalaState, viewer: Viewer, unit: str) -> tuple[str, ...]:
        """Where it may go as far as it may, and every other unit it may go towards."""
        return (*super().places(state, viewer, unit), *towards(state, unit))

    @override
    def prompts(self, state: MagdalaState) -> tuple[Prompt, ...]:
        """Every test, retreat and choice now owed or open, and the offers that settle each, as all may know them."""
        return (*prompt_choices(state), *prompts.prompts(self.view(state, PUBLIC)))

    @override
    def roster(self, state: MagdalaState, viewer: Viewer) -> tuple[UnitCard, ...]:
        """The units in order of battle."""
        return roster.roster(state, viewer)

    @override
    def scene(self, state: MagdalaState, viewer: Viewer, before: MagdalaState | None = None) -> TableScene:
        """The table, which lies open to all, with arrows for what moved since `before`."""
        listed = self.scenarios.get(state.scenario)
        return scene.scene(state, before, listed.title if listed else self.title)
