"""Reading a player's scenario: refused with the place of what is wrong, and with what would be right there."""

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from pydantic_core import from_json

from rules.core.hexboard.map_spec import Fault
from rules.core.invalid import why_invalid
from rules.core.refused import Refused
from rules.tanga.maps import OwnMap
from rules.tanga.model import Kind

from .counters import counter_faults
from .document import PATTERNS, OwnScenario
from .ground import block_faults, map_faults, own_map

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

MAX_BYTES = 1024 * 1024
MOST_TOLD = 5
"""Faults that a refusal names."""
SHAPES = {
    "missing": "it is missing",
    "model_type": "it must be an object, as {…}",
    "dict_type": "it must be an object, as {…}",
    "tuple_type": "it must be a list, as […]",
    "string_too_short": "it must not be empty",
    "timezone_naive": "it must be a date and time without a time zone, as 1914-11-03T05:00",
}
SIZES = {"too_short": "there must be at least {min_length}", "too_long": "there may be at most {max_length}"}
MOMENT = "it must be a date and time, as 1914-11-03T05:00, from 1800 to 2099"


def read(document: bytes) -> tuple[OwnScenario, OwnMap]:
    """The scenario and its map, sound as a whole. Raises Refused with the places of the first faults."""
    if len(document) > MAX_BYTES:
        raise Refused(f"The file has {len(document):,} bytes; {MAX_BYTES:,} is the most.")
    document = document.removeprefix(BOM_UTF8)
    try:
        from_json(document, allow_inf_nan=False)
        told = json.loads(document, object_pairs_hook=_Object)
    except ValueError as error:
        raise Refused(f"The file is no JSON: {error}. Correct it there and upload it again.") from None
    _require(_repeated(told))
    try:
        scenario = OwnScenario.model_validate_json(document, strict=True)
    except ValidationError as error:
        raise _refusal(_shape_faults(error.errors(include_url=False, include_input=False))) from None
    _require(block_faults(scenario.map))
    entries = any(formation.kind is Kind.BATTALION for formation in scenario.formations)
    own = own_map(scenario, entries=entries)
    _require(map_faults(own))
    _require(counter_faults(scenario, own))
    _require(_other_faults(scenario, own))
    return scenario, own


def schema() -> Mapping[str, Any]:
    """The JSON Schema of a scenario's document."""
    return OwnScenario.model_json_schema()


def _require(faults: Iterator[Fault]) -> None:
    """Raises Refused with the first faults, if there are any."""
    first = next(faults, None)
    if first is not None:
        raise _refusal(chain((first,), faults))


def _refusal(faults: Iterable[Fault]) -> Refused:
    told = [f"{place or 'the file'}: {why}." for place, why in islice(faults, MOST_TOLD)]
    more = " There may be more." if len(told) == MOST_TOLD else ""
    return Refused(f"The scenario cannot be taken. {' '.join(told)}{more} Correct it and upload it again.")


class _Object(dict[str, Any]):
    """An object of a document, and the names that come twice in it."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated = [name for name, times in Counter(name for name, _ in pairs).items() if times > 1]


def _repeated(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[Fault]:
    """Names that come twice in an object. Documents are not nested so deeply that this could not follow."""
    if isinstance(value, _Object):
        for name in value.repeated:
            yield _path((*place, name)), "it comes twice"
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield from _repeated(part, (*place, key))


def _shape_faults(errors: Sequence["ErrorDetails"]) -> Iterator[Fault]:
    """What pydantic found, in plain words; not what follows from a fault further inside."""
    places = [error["loc"] for error in errors]
    for error in errors:
        loc = error["loc"]
        if not any(len(other) > len(loc) and other[: len(loc)] == loc for other in places):
            yield _path(tuple(part for part in loc if part != "[key]")), _why(error)


def _why(error: "ErrorDetails") -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind == "extra_forbidden":
        known = ", ".join(_known(error["loc"][:-1]))
        return f"nothing is called so here. There are: {known}"
    if kind in SHAPES:
        return SHAPES[kind]
    if kind in SIZES:
        return SIZES[kind].format(**context)
    if kind == "string_pattern_mismatch" and context["pattern"] in PATTERNS:
        return f"it must be {PATTERNS[context['pattern']]}"
    if kind.startswith("datetime") or "begins" in error["loc"]:
        return MOMENT
    said = why_invalid(error).removesuffix(".")
    return said[:1].lower() + said[1:]


def _known(loc: Sequence[str | int]) -> Sequence[str]:
    """What the object at that place may have, by the schema."""
    whole = schema()
    here: Mapping[str, Any] = whole
    for part in loc:
        inside = {**here.get("properties", {})}
        here = inside.get(str(part)) or here.get("items") or _values(here)
        here = next((one for one in here.get("anyOf", ()) if "$ref" in one), here)
        here = whole["$defs"][here["$ref"].rpartition("/")[2]] if "$ref" in here else here
    return tuple(here.get("properties", ()))


def _values(here: Mapping[str, Any]) -> Mapping[str, Any]:
    """What an object with names of its own has under each."""
    found: Mapping[str, Any] = here.get("additionalProperties") or next(
        iter(here.get("patternProperties", {}).values())
    )
    return found


def _path(loc: Sequence[str | int]) -> str:
    """`map.beaches.A`, `formations[2].units[0].cf`."""
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part[:40]}" for part in loc)
    return path.removeprefix(".")


def _other_faults(scenario: OwnScenario, own: OwnMap) -> Iterator[Fault]:
    for kind, number in (scenario.needed.kinds if scenario.needed else {}).items():
        if number > len(own.victory.get(kind, ())):
            yield f"needed.{kind.replace(' ', '_')}", f"the map has {len(own.victory.get(kind, ()))} such hexes"
    for at, hex_ in enumerate(scenario.improved):
        if hex_ not in own.land:
            yield f"improved[{at}]", f"{hex_} is not on the land of the map"
