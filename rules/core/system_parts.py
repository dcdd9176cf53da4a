"""What a rule system declares: names, data, and the optional parts that only some systems have."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic

from pydantic.fields import FieldInfo

from . import fields
from .action_type import ActionType
from .book import Book
from .catalog import DecisionExplanation, Scenario, Troop
from .chart import Chart
from .hexboard.painting import PaintKind
from .hidden_troops import HiddenTroops
from .model import Viewer
from .opponent_support import OpponentSupport
from .options import Options
from .order_menus import OrderMenus
from .own_battles import OwnBattles
from .phases import Phases
from .places import Places
from .preliminary_tests import PreliminaryTests
from .report import ReportAnnex
from .sealed_texts import SealedText
from .sightings import EnemySighting
from .standing_answers import Occasion
from .state import Action, Circumstance, S, Unit
from .turn_account import TurnAccounts
from .turn_events import Deed, Holding, UnitFacts
from .upgrades import StoredDataFormat
from .value import SideValue

if TYPE_CHECKING:
    from .tabletop.own_battles import BareTable


class SystemParts(StoredDataFormat[S], Generic[S]):
    """The data and the parts of a system. An attribute such as `own_battles` is None in systems without that part."""

    id: str
    title: str
    package: str = ""
    """Package with the system's data, such as `rules.skirmish`."""
    action_types: Sequence[ActionType[S, Any, Any]] = ()
    """All action types of the system."""
    phases: Phases[S] | None = None
    """Phases of a turn; None for systems without phases."""
    scenarios: Mapping[str, Scenario] = {}
    charts: Mapping[str, Chart] = {}
    book: Book = Book()
    troops: Mapping[str, Troop] = {}
    circumstances: Mapping[str, Circumstance] = {}
    values: Sequence[SideValue[S]] = ()
    """Values by which the opponent judges a state; empty for systems without an opponent."""
    played_by_bot: str | None = None
    """Id of the side that the system plays automatically, or None.

    With such a side, even the umpire sees only the view of the first other side.
    """
    ends_turn_at_deadline: bool = False
    """Whether a turn ends for all sides once no awaited side has time left. The end is an action of the umpire."""
    own_battles: OwnBattles[S] | None = None
    """Reads and writes battles that people make as files; None for a system without them."""
    bare_tables: "BareTable | None" = None
    """Makes tables in inches on which people place armies; None for other systems."""
    menus: OrderMenus[S] | None = None
    """Headings and forms in the menus of the system's orders; None for a system with default headings and no forms."""
    end_words: str = "end my turn"
    """Label of a side's button that ends its orders, phrased as a command."""
    class_field: str = ""
    """The unit field with a unit's class, such as `guns`. Orders name groups by class. Empty without classes."""
    formation_names: Callable[[S, Any], tuple[str, ...]] | None = None
    """Return the names by which orders may call a unit's whole formation; None for a system without formations."""
    short_names: Callable[[S], Mapping[str, str]] | None = None
    """Return the short names of units by id, in a viewer's view; None where maps show whole names."""
    why_no_orders: Callable[[S, str], str] | None = None
    """Return why a side cannot be given any order now; an empty string if nothing prevents orders in general."""
    spell_out: Callable[[S, Viewer, str], str] | None = None
    """Return a side's order line with the system's abbreviations written in full; None for a system without any."""
    paint_kinds: Callable[[S], Sequence[PaintKind]] | None = None
    """Return what the umpire may paint on the map of hexes now; None for a system whose maps are printed."""
    hidden_troops: HiddenTroops[S] | None = None
    """What a system hides from sides, and what an undo may restore; None for a system without hidden troops."""
    lacks_hidden_facts: Callable[[S], bool] | None = None
    """Whether the game itself lacks hidden facts, and draws them at random when they are revealed.

    True after the import of a player's file, which omits hidden facts. None for a system whose games know all facts.
    """
    strengths: Callable[[S, Viewer], Mapping[str, str]] | None = None
    """Return each side's strength in a few words, by side id, as the viewer may know it; None if never given."""
    holdings: Callable[[S], Iterable[Holding]] | None = None
    """Return the ground or points that each side holds, for a turn's headline; None for a system without these."""
    tally: Callable[[S], str] | None = None
    """Return the current standing for victory in a sentence; None for a system that counts only at the end."""
    unit_facts: UnitFacts[Any] | None = None
    """Facts about units, such as losses, for a turn's headline. If None, the headline names only actions."""
    describe_unit: Callable[[S, Any, Viewer], tuple[str, Mapping[str, str]]] | None = None
    """Return a unit's condition in short, and its details by label, as the viewer may know them.

    Empty details are not displayed. None for a system whose unit cards show only names.
    """
    enemies_seen: Callable[[S, Viewer], Sequence[EnemySighting]] | None = None
    """Return a side's sightings of enemies; None for a system whose views contain the seen enemies as units."""
    sealed_texts: Callable[[S], Sequence[SealedText]] | None = None
    """Return the sealed texts in a viewer's view; None for a system without seals."""
    turn_accounts: TurnAccounts | None = None
    """Accounts of turns for the sides' players; None for a system that reports each action."""
    annexes: Callable[[S], Sequence[ReportAnnex]] | None = None
    """Return further parts of a game's report for a viewer's view; None for most systems."""
    opens_past: bool = False
    """Whether everyone may read all entries of an ended game, including private entries."""
    occasions: Mapping[str, Occasion[S]] = {}
    """The kinds of prompt that a side may answer in advance, by the ids in `Prompt.occasion`."""
    deeds: Mapping[str, Deed] = {}
    """Phrases that describe the kinds of action in the summary of a turn, by kind."""
    orders_first: Callable[[S, Action], Sequence[Action] | None] | None = None
    """Return the actions that must come before an action of a later phase; None if it cannot be ordered in advance.

    Raises Refused if the earlier actions are impossible. The attribute is None for a system in which no action can be
    ordered in advance.
    """
    enemies_in_contact: Callable[[S, str], Sequence[Unit]] | None = None
    """Return the enemies in contact with a unit (by id), for orders with `if charged`; None without lasting contact."""
    explain: Callable[[S, Viewer, int | None], DecisionExplanation | None] | None = None
    """Explain the automatic side's decision with that number (from 1; None for the last) to a viewer.

    Returns None if there were no decisions; raises Refused for an unknown number. The attribute is None for a system
    without an automatic side.
    """
    preliminary_tests: PreliminaryTests[S] | None = None
    """Tests before moves; None for a system without such tests."""
    opponent: OpponentSupport[S]
    """Support for the bot when it plays a side: candidates and possible enemy attacks."""
    places: Places[S]
    """Names, terrain and destinations of the map, in words."""

    @property
    def editable_fields(self) -> Mapping[str, FieldInfo]:
        """Return the unit fields that the umpire may `set`, by name. `fields.allowed_values` lists their values."""
        return fields.editable_fields(fields.unit_type(self.state_type))

    @property
    def secret_fields(self) -> Mapping[str, FieldInfo]:
        """Return the hidden unit fields that the umpire sets by `secret`, by name."""
        return fields.secret_fields(fields.unit_type(self.state_type))

    @property
    def options_type(self) -> type[Options]:
        """Return the type of the system's options, taken from the state's field `options`."""
        annotation = self.state_type.model_fields["options"].annotation
        return annotation if isinstance(annotation, type) and issubclass(annotation, Options) else Options

    @property
    def option_fields(self) -> Mapping[str, FieldInfo]:
        """Return the options that the umpire may change, by name."""
        return fields.settable_fields(self.options_type)
