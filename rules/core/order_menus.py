"""What menus and forms show of a system's orders: headings, orders in force, and forms with fields to fill in."""

from collections.abc import Iterable
from typing import Generic, TypeVar

from .model import Model
from .state import Action, State

S = TypeVar("S", bound=State)


class FormField(Model):
    """A field of a form: free text, one or `several` of its choices, or a place that is pointed at on the map."""

    name: str
    words: str
    choices: tuple[str, ...] = ()
    several: bool = False
    is_place: bool = False


class OrderForm(Model):
    """A form for an order of a unit that no menu can list. `kind` is the kind of action, `words` name the form."""

    kind: str
    words: str
    heading: str = ""
    fields: tuple[FormField, ...]


class OrderMenus(Generic[S]):
    """Support for menus of orders. Systems override what they have."""

    end_words = "end my turn"
    """What a side does when it has given its orders, as a command to itself."""

    def heading(self, action: Action) -> str:  # noqa: ARG002
        """Return the heading under which a menu lists an action; empty for the usual one of its kind."""
        return ""

    def is_in_force(self, state: S, action: Action) -> bool:  # noqa: ARG002
        """Whether an order would change nothing, because its unit has it already."""
        return False

    def forms(self, state: S, unit: str) -> Iterable[OrderForm]:  # noqa: ARG002
        """Yield the forms for orders of a unit (by id)."""
        return ()
