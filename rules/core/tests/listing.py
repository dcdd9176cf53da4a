"""A system's options and the bounds of what it stores as lines of text, compared with those a test prints."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from rules.core.fields import cite_of
from rules.core.model import Cite
from rules.core.ruleset import Ruleset
from rules.core.state import Options

BOUNDS = (
    ("minimum", "maximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)

OF_CORE = ("AddUnit", "Cite", "Marker", "Objective", "Place", "Side", "TerrainPiece")
"""What systems have of the core, which is listed there."""


def listed(options: type[Options]) -> str:
    """A line an option of its own: its rule and mark, its name, its usual value, from what to what a number may be."""
    lines = []
    for name, field in options.model_fields.items():
        if name in Options.model_fields:
            continue
        cite = cite_of(field, Cite(rule="none"))
        found = (getattr(one, kind, None) for kind in ("ge", "le") for one in field.metadata)
        bounds = [str(bound) for bound in found if bound is not None]
        lines.append(" ".join((cite.rule, cite.mark.value, name, str(field.default), " to ".join(bounds))).rstrip())
    return "\n".join(lines)


def stored(system: Ruleset[Any]) -> str:
    """The bounds of what a system keeps, its states and actions, but for its options, names and what is the core's."""
    lines = dict.fromkeys(bounds(system.state_type, *system.actions.values()))
    elsewhere = (*OF_CORE, system.options_type.__name__)
    return "\n".join(line for line in lines if line.split()[0] not in elsewhere and not line.endswith(" to 80"))


def bounds(*types: type[BaseModel]) -> Iterator[str]:
    """A line a field of these, and of what they are made of, with a number: its bounds and its usual one."""
    parts: dict[str, Mapping[str, Any]] = {}
    for each in types:
        schema = each.model_json_schema()
        parts |= {each.__name__: schema, **schema.get("$defs", {})}
    for name, part in parts.items():
        for field, described in part.get("properties", {}).items():
            yield from _bounded(f"{name} {field}", described)


def _bounded(name: str, described: Mapping[str, Any]) -> Iterator[str]:
    for shape in (described, *described.get("anyOf", ()), described.get("items", {})):
        said = [f"{shape.get(low, '')} to {shape.get(high, '')}" for low, high in BOUNDS if {low, high} & {*shape}]
        usual = shape.get("default")
        if isinstance(usual, int | float) and not isinstance(usual, bool):
            said.append(f"usually {usual}")
        if said:
            yield f"{name} {' '.join(said)}".replace("  ", " ").rstrip()
