"""A system's options and the bounds of what it stores as lines of text, compared with those a test prints."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from rules.core.fields import cite_of
from rules.core.model import Cite
from rules.core.state import Options

BOUNDS = (
    ("minimum", "maximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)


def listed(options: type[Options]) -> str:
    """A line an option: its rule and mark, its name, its usual value, and from what to what a number may be."""
    lines = []
    for name, field in options.model_fields.items():
        cite = cite_of(field, Cite(rule="none"))
        found = (getattr(one, kind, None) for kind in ("ge", "le") for one in field.metadata)
        bounds = [str(bound) for bound in found if bound is not None]
        lines.append(" ".join((cite.rule, cite.mark.value, name, str(field.default), " to ".join(bounds))).rstrip())
    return "\n".join(lines)


def bounds(*types: type[BaseModel]) -> Iterator[str]:
    """A line a field of these, and of what they are made of, that has any: from what to what, and its usual number."""
    parts: dict[str, Mapping[str, Any]] = {}
    for each in types:
        schema = each.model_json_schema()
        parts |= {**schema.get("$defs", {}), each.__name__: schema}
    for name, part in parts.items():
        for field, described in part.get("properties", {}).items():
            yield from _bounded(f"{name} {field}", described)


def _bounded(name: str, described: Mapping[str, Any]) -> Iterator[str]:
    for shape in (described, *described.get("anyOf", ()), described.get("items", {})):
        said = [f"{shape.get(low, '')} to {shape.get(high, '')}" for low, high in BOUNDS if {low, high} & {*shape}]
        if said and isinstance(shape.get("default"), int | float):
            said.append(f"usually {shape['default']}")
        if said:
            yield f"{name} {' '.join(said)}".replace("  ", " ").rstrip()
