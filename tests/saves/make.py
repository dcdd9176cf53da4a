"""Makes the saved games of a version with the version's own code: `python -m tests.saves.make`.

    python -m tests.saves.make                      all systems, by the last commit and its version
    python -m tests.saves.make empire               one system
    python -m tests.saves.make --commit b01fa5d --as 1

The commit is checked out in a temporary folder, without uncommitted changes. A saved game is kept for ever: make it
again only before its version is released.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from rules.registry import rulesets

SAVES = Path(__file__).parent
GAMES = {
    "magdala": ("atbara-1898", 2),
    "empire": ("isandlwana-1879", 2),
    "tanga": ("initial-assault", 3),
    "charge": ("convoy", 51),
    "great_war": ("village", 3),
    "campaign": ("suakin-1884", 3),
}
"""Scenario and seed of the random player for each system."""
ACTIONS = 76
"""Number of actions, enough for every part of a turn but few enough for a small file."""


def make_saves(systems: list[str], commit: str, version: int | None) -> None:
    """Play a game of each system with the code of the commit."""
    root = SAVES.parent.parent
    with TemporaryDirectory() as temporary:
        code = Path(temporary) / "code"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", code, commit], cwd=root, check=True)
        try:
            for system in systems:
                _play(code, system, rulesets()[system].version if version is None else version)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", code], cwd=root, check=True)


def _play(code: Path, system: str, version: int) -> None:
    scenario, seed = GAMES[system]
    directory = SAVES / system
    directory.mkdir(exist_ok=True)
    arguments = (system, scenario, str(version), directory, str(seed), str(ACTIONS))
    environment = {**os.environ, "PYTHONPATH": str(code)}
    subprocess.run([sys.executable, SAVES / "play.py", *arguments], cwd=code, env=environment, check=True)


def main() -> None:
    """Parse the command line and make the saves."""
    parser = argparse.ArgumentParser(description="Make the saved games of a version with its own code.")
    parser.add_argument("systems", nargs="*", default=list(GAMES), metavar="system")
    parser.add_argument("--commit", default="HEAD")
    parser.add_argument("--as", type=int, dest="version", help="the version, if the number in the code is wrong")
    options = parser.parse_args()
    make_saves(options.systems, options.commit, options.version)


if __name__ == "__main__":
    main()
