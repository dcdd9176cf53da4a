"""Read the file `.env`, in UTF-8 or UTF-16."""

import codecs
import os
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import parse_stream

from bot.errors import BadSettings

BYTE_ORDER_MARKS: Mapping[bytes, str] = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
"""Byte order marks and their encodings. Windows PowerShell's `>` writes UTF-16."""
AS_TEXT = "Save it as plain text in UTF-8, in the Windows Notepad by “Save as …”, Encoding: UTF-8."


def read_env_file(file: Path) -> dict[str, str]:
    """Return the variables that the file sets and the environment does not set.

    A missing file sets nothing. Raises BadSettings if the file cannot be read, or if a line is not `NAME=value`.
    """
    text = _read_text(file)
    _require_valid_lines(file, text)
    settings = {name: value for name, value in dotenv_values(stream=StringIO(text)).items() if value}
    environment_names = {name.casefold() for name, value in os.environ.items() if value}
    return {name: value for name, value in settings.items() if name.casefold() not in environment_names}


def _read_text(file: Path) -> str:
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return ""
    except IsADirectoryError:
        raise BadSettings(f"{file} is a folder. Remove it, and write the settings into a file of that name.") from None
    except OSError as error:
        if file.is_dir():  # Windows reports a folder as a permission error
            raise BadSettings(f"{file} is a folder. Remove it, and write the settings into a file.") from None
        raise BadSettings(f"{file} cannot be read: {error.strerror}. Let this user read it.") from None
    mark = next((mark for mark in BYTE_ORDER_MARKS if data.startswith(mark)), b"")
    try:
        text = data[len(mark) :].decode(BYTE_ORDER_MARKS.get(mark, "utf-8"))
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise BadSettings(f"{file} is no plain text. {AS_TEXT}")
    return text


def _require_valid_lines(file: Path, text: str) -> None:
    """Raise BadSettings if a line is not `NAME=value`. The error omits the line, because it may contain the token."""
    for line in parse_stream(StringIO(text)):
        if line.error or (line.key is not None and line.value is None):
            number = line.original.line + len(line.original.string) - len(line.original.string.lstrip("\r\n"))
            raise BadSettings(f"Line {number} of {file} sets nothing. Write it as NAME=value, such as DISCORD_TOKEN=….")
