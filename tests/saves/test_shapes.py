"""What a system stores has the shape that its version had when it was first written down."""

import json

import pytest

from rules.registry import rulesets

from .conftest import EVERY, SAVES
from .shape import shape

WHAT_TO_DO = """
What {title} stores is not of the shape of version {version} any more: {fields}.
Games that run now, and were exported, are stored in the old shape, so
1. add an `Upgrade` to rules/{system}/upgrades.py, which turns the plain data of version {version} into the new shape:
   a changed default writes the old value into old games;
2. commit that, run `python -m tests.saves.make {system}`, which plays and saves a game of the new version;
3. commit the three files that it makes. Those of older versions stay as they are, for good.
"""


@pytest.mark.parametrize("system", rulesets().values(), ids=list(rulesets()))
def test_a_changed_shape_has_a_new_version(system):
    file = SAVES / system.id / f"{system.version}.shape.json"
    assert file.exists(), f"Version {system.version} has no shape: run `python -m tests.saves.make {system.id}`."
    then, now = json.loads(file.read_text(encoding="utf-8")), shape(system)
    other = sorted(field for field in {*then, *now} if then.get(field) != now.get(field))
    told = {"title": system.title, "system": system.id, "version": system.version, "fields": ", ".join(other)}
    assert not other, WHAT_TO_DO.format(**told)


def test_there_is_a_game_of_every_version():
    for system in rulesets().values():
        saved = {save.version for save in EVERY if save.system == system.id}
        missing = {*range(min(saved, default=system.version), system.version + 1)} - saved
        assert not missing, (
            f"{system.title} has no saved game of version {missing}. Commit the code that writes this version, run "
            f"`python -m tests.saves.make {system.id}`, and commit the three files that it makes."
        )
