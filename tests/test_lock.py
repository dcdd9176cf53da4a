"""Lock files: every installed package is pinned by hash and fits pyproject.toml."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BOT: Sequence[str] = PROJECT["project"]["dependencies"]
LOCAL: Sequence[str] = PROJECT["project"]["optional-dependencies"]["local"]
DEV = [
    requirement for requirement in PROJECT["project"]["optional-dependencies"]["dev"] if requirement != "umpire[local]"
]
WANTED = {
    "build": PROJECT["build-system"]["requires"],
    "bot": BOT,
    "local": [*BOT, *LOCAL],
    "dev": [*BOT, *LOCAL, *DEV],
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")


def list_pinned(name: str) -> list[Requirement]:
    """Return the requirements of a lock file. Fails on other lines, such as the URL of an index."""
    requirements: list[Requirement] = []
    hashes = 1
    for line in (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        if HASH.fullmatch(line):
            hashes += 1
            continue
        assert hashes, f"{requirements[-1]} has no hash"
        requirements.append(Requirement(line.removesuffix(" \\")))
        assert re.fullmatch(r"==[^,*]+", str(requirements[-1].specifier)), line
        assert requirements[-1].url is None
        hashes = 0
    assert hashes
    return requirements


@pytest.mark.parametrize("name", WANTED)
def test_every_requirement_is_pinned_on_every_python(name: str) -> None:
    pinned = list_pinned(name)
    for python in PYTHONS:
        environment = {
            "python_version": python,
            "python_full_version": f"{python}.0",
            "sys_platform": "linux",
            "extra": "",
        }
        chosen = [
            requirement
            for requirement in pinned
            if requirement.marker is None or requirement.marker.evaluate(environment)
        ]
        versions = {
            canonicalize_name(requirement.name): str(requirement.specifier).removeprefix("==") for requirement in chosen
        }
        assert len(versions) == len(chosen), "each once"
        for requirement in map(Requirement, WANTED[name]):
            assert requirement.specifier.contains(versions[canonicalize_name(requirement.name)]), (
                f"{requirement}: make lock"
            )


def test_all_files_pin_the_same_releases() -> None:
    releases = {str(requirement) for requirement in list_pinned("dev")}
    for name in ("build", "bot", "local"):
        assert {str(requirement) for requirement in list_pinned(name)} <= releases, "make lock"
