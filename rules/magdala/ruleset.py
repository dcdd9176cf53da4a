"""Magdala to Mafeking, assembled: one deed a kind of action."""

from collections.abc import Mapping
from importlib import import_module
from importlib.resources import files
from types import ModuleType
from typing import Any

from typing_extensions import override

from rules.core.assembled import Assembled
from rules.core.book import load_book
from rules.core.chart import load_charts
from rules.core.deed import Deed
from rules.core.dice import Dice
from rules.core.model import Viewer
from rules.core.report import Owed
from rules.core.ruleset import Refused, Troop
from rules.core.scene import TableScene
from rules.core.state import Action, UnitCard

from . import roster, scene, victory, views
from .chair import CHAIR
from .choose import Choose, open_choices, owed_choices
from .model import MagdalaState
from .options import MagdalaOptions
from .scenarios import scenarios
from .troops import troops

DATA = files(__package__) / "data"
MODULES = (
    "movement",
    "fire",
    "ammunition",
    "works",
    "bug_out",
    "melee",
    "morale",
    "reaction",
    "generals",
    "pursuit",
    "retreat",
    "turn",
    "choose",
    "detach",
)


def _module(name: str) -> ModuleType | None:
    try:
        return import_module(f"{__package__}.{name}")
    except ImportError:
        return None


def _deeds() -> list[Deed[MagdalaState]]:
    found: dict[str, Deed[MagdalaState]] = {}
    for name in MODULES:
        module = _module(name)
        if module is not None:
            for value in vars(module).values():
                for deed in value if isinstance(value, tuple | list) else (value,):
                    if isinstance(deed, Deed):
                        found[deed.action.kind] = deed
    return [*found.values(), *CHAIR.deeds]


class Magdala(Assembled[MagdalaState]):
    """Magdala to Mafeking."""

    id = "magdala"
    title = "Magdala to Mafeking"
    version = 1
    state_type = MagdalaState
    options_type = MagdalaOptions

    def __init__(self) -> None:
        super().__init__(_deeds())
        self.scenarios = {scenario.id: scenario.listed for scenario in scenarios().values()}
        self.charts = {
            chart.id: chart
            for file in DATA.iterdir()
            if file.name.endswith("charts.toml")
            for chart in load_charts(file).values()
        }
        self.book = load_book(DATA / "book.toml")
        self.troops = {troop.id: Troop(id=troop.id, name=troop.name) for troop in troops().values()}
        self.circumstances = {}

    @override
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> MagdalaState:
        """The state a scenario starts from. Raises Refused on an unknown scenario or choice."""
        if scenario not in scenarios():
            names = ", ".join(scenarios())
            raise Refused(f"{self.title} has no scenario “{scenario[:40]}”. It has: {names}.")
        return scenarios()[scenario].setup(choices)

    def settled(self, state: MagdalaState) -> MagdalaState:
        """An army breaks, or the last turn ends (house)."""
        return state.model_copy(update={"over": victory.verdict(state)}) if state.over is None else state

    def doer(self, state: MagdalaState, action: Action) -> Viewer:
        """The side whose business `action` is: of a choice, the side whose army it is about."""
        if isinstance(action, Choose):
            return next((choice.side for choice in open_choices(state) if choice.name == action.name), state.active)
        return super().doer(state, action)

    def view(self, state: MagdalaState, viewer: Viewer) -> MagdalaState:
        """What that viewer may know."""
        return views.view(state, viewer)

    def owed(self, state: MagdalaState) -> tuple[Owed, ...]:
        """Every test, retreat and choice now owed or open, with the offers that settle each."""
        module = _module("owed")
        return (*owed_choices(state), *(module.owed(state) if module else ()))

    def roster(self, state: MagdalaState, viewer: Viewer) -> tuple[UnitCard, ...]:
        """The units in order of battle."""
        return roster.roster(state, viewer)

    @override
    def scene(self, state: MagdalaState, viewer: Viewer, before: MagdalaState | None = None) -> TableScene:
        """The table as that viewer may see it, with arrows for what moved since `before`."""
        listed = self.scenarios.get(state.scenario)
        return scene.scene(state, before, listed.title if listed else self.title)

    @override
    def ad_hoc(self, kind: str, args: Mapping[str, Any]) -> tuple[MagdalaState, Action]:
        """A throwaway state and action for a question asked without a game. Raises Refused."""
        raise Refused(f"{self.title} cannot be asked for {kind} without a game yet.")

    @override
    def ad_hoc_circumstances(self, kind: str) -> tuple[str, ...]:
        """The circumstances the ad hoc form of `kind` knows."""
        return ()
