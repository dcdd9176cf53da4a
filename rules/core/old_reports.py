"""Upgrade reports of old versions that stored only sentences: extract today's fields from the sentences.

No other code parses sentences of reports. The sentences of old versions never change.
"""

import re
from typing import Any

_PARTS = re.compile(r"[:,] ")
_COUNTED = re.compile(r"\*?-?\d+\*?(?: \*?-?\d+\*?)*")


def add_step_fields(report: dict[str, Any]) -> dict[str, Any]:
    """Add today's fields to each step of an old report, as far as its sentences state them."""
    headline = str(report.get("headline", "")).casefold()
    summary = f"{headline} {str(report.get('outcome', '')).casefold()}"
    for step in report.get("steps", ()):
        throws, verdict = step.get("throws", ()), str(step.get("verdict", ""))
        name, _, kind = str(step.get("text", "")).rpartition(": ")
        if name and throws and step.get("score") is not None and step.get("verdict"):
            step["subject"], step["kind"] = name, kind
        dice, dice_count = verdict.split(), sum(len(throw["dice"]) for throw in throws)
        if step.get("start") is None and dice_count and _COUNTED.fullmatch(verdict) and len(dice) == dice_count:
            step["counted"] = [[int(die.strip("*")), die.startswith("*")] for die in dice]
        text, verdict = str(step.get("text", "")).casefold(), verdict.casefold()
        if throws:
            step["text_in_headline"] = all(part in headline for part in _PARTS.split(text))
            step["verdict_in_headline"] = bool(verdict) and verdict in headline
        elif verdict:
            step["text_in_headline"] = step["verdict_in_headline"] = text in summary and verdict in summary
        needed = str(step.get("needed", ""))
        if needed.startswith("against "):
            last = needed.rpartition(" ")[2]
            step["against"] = last if re.fullmatch(r"-?\d+", last) else None
    return report
