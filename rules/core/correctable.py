"""What the umpire may correct in the games of a system: fields of units, and options, found from its state's type."""

from collections.abc import Mapping
from typing import Generic, TypeVar

from pydantic.fields import FieldInfo

from . import fields
from .state import Options, State
from .upgrades import Stored

S = TypeVar("S", bound=State)


class Correctable(Stored[S], Generic[S]):
    """The part of a system's contract that follows from its `state_type`."""

    @property
    def editable(self) -> Mapping[str, FieldInfo]:
        """Fields of a unit that the umpire may `set`, by name; `fields.values` has the words each may take."""
        return fields.editable(fields.unit_type(self.state_type))

    @property
    def secrets(self) -> Mapping[str, FieldInfo]:
        """Fields of a unit that only the umpire knows, set by `secret`."""
        return fields.secrets(fields.unit_type(self.state_type))

    @property
    def options_type(self) -> type[Options]:
        """The type of its options, from its state's `options`."""
        found = self.state_type.model_fields["options"].annotation
        return found if isinstance(found, type) and issubclass(found, Options) else Options

    @property
    def option_fields(self) -> Mapping[str, FieldInfo]:
        """Options of a game that the umpire may change, by name."""
        return fields.settable(self.options_type)
