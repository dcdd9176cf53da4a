"""A system's options as a table of text, to be compared with the one that a test prints."""

from rules.core.fields import cite_of
from rules.core.model import Cite
from rules.core.state import Options


def listed(options: type[Options]) -> str:
    """A line an option: its rule and mark, its name, its usual value, and from what to what a number may be."""
    lines = []
    for name, field in options.model_fields.items():
        cite = cite_of(field, Cite(rule="none"))
        found = (getattr(one, kind, None) for kind in ("ge", "le") for one in field.metadata)
        bounds = [str(bound) for bound in found if bound is not None]
        lines.append(" ".join((cite.rule, cite.mark.value, name, str(field.default), " to ".join(bounds))).rstrip())
    return "\n".join(lines)
