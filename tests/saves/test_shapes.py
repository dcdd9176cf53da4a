"""A system's stored data has the recorded shape of its version."""

import json

import pytest

from rules.registry import rulesets

from .conftest import ALL_SAVES, SAVES
from .shape import describe_shape

INSTRUCTIONS = """
The stored data of {title} no longer have the shape of version {version}: {fields}.
Running and exported games have the old shape. So
1. add an `Upgrade` to rules/{system}/upgrades.py that converts the plain data of version {version} to the new shape;
   for a changed default, write the old value into old games;
2. commit, and run `python -m tests.saves.make {system}`, which plays and saves a game of the new version;
3. commit its three files. Never change the files of older versions.
"""


@pytest.mark.parametrize("system", rulesets().values(), ids=list(rulesets()))
def test_a_changed_shape_has_a_new_version(system):
    file = SAVES / system.id / f"{system.version}.shape.json"
    assert file.exists(), f"Version {system.version} has no shape: run `python -m tests.saves.make {system.id}`."
    then, now = json.loads(file.read_text(encoding="utf-8")), describe_shape(system)
    changed = sorted(field for field in {*then, *now} if then.get(field) != now.get(field))
    details = {"title": system.title, "system": system.id, "version": system.version, "fields": ", ".join(changed)}
    assert not changed, INSTRUCTIONS.format(**details)


def test_every_version_has_a_saved_game():
    for system in rulesets().values():
        saved = {save.version for save in ALL_SAVES if save.system == system.id}
        missing = {*range(min(saved, default=system.version), system.version + 1)} - saved
        assert not missing, (
            f"{system.title} has no saved game of version {missing}. Commit the code that writes this version, run "
            f"`python -m tests.saves.make {system.id}`, and commit the three files that it makes."
        )
