"""Scripts of the live map: no user text is interpreted as HTML or code."""

import gzip
import re

import pytest

from web.page_files import FOLDER

MOST_GZIPPED = 60_000
"""Maximum bytes of all scripts together, compressed."""
AS_HTML = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|document\.write|DOMParser|createContextualFragment|srcdoc"
    r"|\beval\(|new Function|javascript:|import\((?!\")"
)
IN_LINE = re.compile(r"<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=")


@pytest.mark.parametrize("name", sorted(file.name for file in FOLDER.iterdir() if file.name.endswith((".js", ".html"))))
def test_no_text_is_read_as_html(name: str) -> None:
    text = (FOLDER / name).read_text()
    assert not AS_HTML.search(text)
    assert not (name.endswith(".html") and IN_LINE.search(text))
    assert not re.search(r"https?://(?!www\.w3\.org/)", text), "from another site"


def test_the_scripts_are_small() -> None:
    scripts = b"".join(file.read_bytes() for file in FOLDER.iterdir() if file.name.endswith(".js"))
    assert len(gzip.compress(scripts)) <= MOST_GZIPPED
