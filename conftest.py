"""For every test: seeds that are the day's, and hypothesis without time limits, since the machine may be busy.

While tests are collected no garbage is: what is made then stays to the end, and would be looked through in vain.

What takes longest is begun first. What is marked `soak` takes longer still and is left out unless it is asked for
(`make soak`, or `pytest -m soak`).
"""

import gc
import os
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, settings

SEED = "FUZZ_SEED"
"""The setting that names the day's seed: the date in UTC, as 20260131, unless it is given."""

FIRST = ("tests/browser/", "tests/wire/", "tests/saves/")
"""Folders whose files take longest, much of it in waiting: were they last, all processes but one would stand idle."""

gc.disable()
CHECKS_LEFT_OUT = (HealthCheck.too_slow, HealthCheck.filter_too_much)
"""What hangs on how busy the machine is, or on the day's luck."""
settings.register_profile("umpire", deadline=None, max_examples=40, suppress_health_check=CHECKS_LEFT_OUT)
settings.register_profile("soak", deadline=None, max_examples=1000, suppress_health_check=CHECKS_LEFT_OUT)
settings.load_profile("umpire")


def pytest_configure(config: pytest.Config) -> None:
    """Fixes the seed for this run: every worker process inherits it, and midnight does not change it.

    Has xdist give the files out in the order they have here, not by how many tests are in each.
    """
    os.environ.setdefault(SEED, f"{datetime.now(UTC):%Y%m%d}")
    config.option.loadscopereorder = False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the longest first; all else keeps its order."""
    items.sort(key=lambda item: not item.nodeid.startswith(FIRST))


def pytest_collection_finish() -> None:
    """From here on garbage is collected, without what the collection has made."""
    gc.enable()
    gc.freeze()


def pytest_report_header() -> str:
    """Says the seed, and how to play the same games again."""
    seed = os.environ[SEED]
    return f"random games: of seed {seed}; to play the same again: {SEED}={seed} pytest …"
