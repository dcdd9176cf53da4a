"""A browser, and the local table as a process of its own."""

import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from .table import CHROMIUM, FLAGS, LocalTable, Tab, free_ports


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium here; .ci/run installs it")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def table(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalTable]:
    """One that is open for several tests, each in a channel of its own."""
    running = LocalTable(tmp_path_factory.mktemp("home"), free_ports(4), UMPIRE_WORKERS="0").opened()
    yield running
    assert running.stop() == 0, "".join(running.lines)


@pytest.fixture
def tab(browser: Browser) -> Iterator[Callable[..., Tab]]:
    """Opens tabs. None outlives the test."""
    yield partial(Tab, browser)
    for context in browser.contexts:
        context.close()


@pytest.fixture
def open_table(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., LocalTable]]:
    """Starts the program; each time with the same database and at the same address."""
    started: list[LocalTable] = []
    port = free_ports(4)

    def start(**settings: str) -> LocalTable:
        started.append(LocalTable(tmp_path, port, **settings))
        return started[-1].opened()

    yield start
    for table in started:
        table.stop(signal.SIGKILL)
