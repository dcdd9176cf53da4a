"""Packaging: the wheel, the Dockerfile, the compose file, the Makefile."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from bot.program import LOCAL_TABLE_MODULES

ROOT = Path(__file__).parents[1]
PACKAGES = ("bot", "cogs", "render", "rules", "web")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from copied sources like in the Dockerfile."""
    source, wheels = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheels")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(wheels), "."]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    return next(wheels.glob("umpire-*.whl"))


def test_the_version_is_that_of_the_changelog() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    assert project["version"] == newest[1]


def test_the_wheel_has_every_file_that_the_program_reads(wheel: Path) -> None:
    shipped = set(zipfile.ZipFile(wheel).namelist())
    own_files = {
        path.relative_to(ROOT).as_posix()
        for name in PACKAGES
        for path in (ROOT / name).rglob("*")
        if path.is_file() and not {"__pycache__", "tests"} & set(path.parts)
    }
    assert sorted(own_files - shipped) == []
    assert any(re.match(r"bot/migrations/versions/\w+\.py", name) for name in shipped)


@pytest.mark.soak
def test_the_wheel_plays_from_an_empty_directory(wheel: Path, tmp_path: Path) -> None:
    site, home = tmp_path / "site", tmp_path / "home"
    home.mkdir()
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        "--target",
        str(site),
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("DISCORD_", "UMPIRE_"))}
    env = {
        **inherited,
        "PYTHONPATH": str(site),
        "UMPIRE_LOCAL_PORT": "0",
        "UMPIRE_WEB_PORT": "0",
        "UMPIRE_OPEN_BROWSER": "false",
    }
    command = [sys.executable, "-c", "import bot; print(bot.__file__)"]
    assert str(site) in subprocess.run(command, cwd=home, env=env, text=True, capture_output=True, check=True).stdout
    program = subprocess.Popen([sys.executable, "-m", "bot"], cwd=home, env=env, text=True, stdout=subprocess.PIPE)
    assert program.stdout is not None
    with program, program.stdout as output:
        lines = []
        for line in output:
            lines.append(line)
            if "Ctrl-C" in line:
                program.send_signal(signal.SIGTERM)
    assert program.returncode == 0
    assert any("http://127.0.0.1:" in line for line in lines)
    assert (home / "umpire.db").exists()


def test_requirements_of_the_local_table_are_an_extra(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        metadata = packed.read(next(name for name in packed.namelist() if name.endswith("METADATA"))).decode()
    needs = re.findall(r"^Requires-Dist: ([\w.-]+)[^;\n]*(?:; (.+))?$", metadata, re.MULTILINE)
    assert ("pillow", "") in needs
    extra = {name for name, when in needs if when == 'extra == "local"'}
    assert extra == {"simcord", "linkify-it-py", "regex"}
    assert extra & {name for name, when in needs if not when} == set()


@pytest.mark.parametrize(
    "missing",
    [LOCAL_TABLE_MODULES[0], *(pytest.param(module, marks=pytest.mark.soak) for module in LOCAL_TABLE_MODULES[1:])],
)
def test_the_program_without_token_and_extra_says_what_to_add(missing: str, tmp_path: Path) -> None:
    hidden = f"import sys; sys.modules[{missing!r}] = None; from bot.__main__ import main; sys.exit(main())"
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("DISCORD_", "UMPIRE_"))}
    env = {
        **inherited,
        "PYTHONPATH": str(ROOT),
        "UMPIRE_LOCAL_PORT": "0",
        "UMPIRE_WEB_PORT": "0",
        "UMPIRE_OPEN_BROWSER": "false",
    }
    process = subprocess.run(
        [sys.executable, "-c", hidden], cwd=tmp_path, env=env, text=True, capture_output=True, timeout=60
    )
    first, *message = process.stderr.splitlines()
    assert (process.returncode, first) == (2, "Umpire cannot start.")
    assert message == [
        "Set DISCORD_TOKEN to serve Discord, or install what the local table needs: pip install 'umpire[local]'"
    ]
    assert not (tmp_path / "umpire.db").exists()


def test_the_image_copies_existing_files_that_docker_sees() -> None:
    visible = {
        line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")
    }
    copied = {
        word for line in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE) for word in line.split()
    }
    assert copied == visible
    assert all((ROOT / name).exists() for name in copied)
    assert set(PACKAGES) <= copied


def test_the_image_goes_without_the_local_table() -> None:
    assert re.search(r"^RUN pip wheel .* --no-deps .* \.$", DOCKERFILE, re.MULTILINE)
    assert re.findall(r"requirements/(\w+)\.txt", DOCKERFILE) == ["build", "bot"]
    assert re.search(r"^ +pip install .* umpire \\$", DOCKERFILE, re.MULTILINE)
    assert "[local]" not in DOCKERFILE


def test_make_installs_the_local_table_to_play_and_to_test() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert "umpire[local]" in extras["dev"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.findall(r"@\$\(LOCKED\)/(\w+)\.txt", makefile) == ["local", "dev"]
    assert re.findall(r"PIP\) install (.+?) -", makefile) == ["--require-hashes", "--no-deps"]


def test_the_image_runs_unprivileged_with_a_volume_and_a_health_check() -> None:
    final = DOCKERFILE.split("\nFROM ")[-1]
    assert re.search(r"^USER umpire$", final, re.MULTILINE)
    assert re.search(r"^VOLUME /data$", final, re.MULTILINE)
    assert "sqlite:////data/" in final
    assert re.search(r'^HEALTHCHECK .*"bot\.runtime\.health"', final, re.MULTILINE)
    assert "UMPIRE_HEARTBEAT=" in final
    assert re.search(r'^CMD \["python", "-m", "bot"\]$', final, re.MULTILINE)


def test_the_image_has_a_supported_python() -> None:
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    floor = tuple(map(int, re.findall(r"\d+", needs)))
    (version,) = re.findall(r"^ARG PYTHON_IMAGE=python:(\d+\.\d+\.\d+)-slim-\w+$", DOCKERFILE, re.MULTILINE)
    assert tuple(map(int, version.split("."))) >= floor
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["${PYTHON_IMAGE}"] * 2


def test_the_database_of_compose_is_an_exact_release() -> None:
    image = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]["database"]["image"]
    assert re.fullmatch(r"\$\{POSTGRES_IMAGE:-postgres:\d+\.\d+-alpine\d+\.\d+\}", image)


def test_compose_waits_for_a_healthy_database_and_holds_no_secret() -> None:
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    services = yaml.safe_load(text)["services"]
    assert services["bot"]["depends_on"]["database"]["condition"] == "service_healthy"
    assert "pg_isready" in services["database"]["healthcheck"]["test"]
    assert services["database"]["volumes"][0].split(":")[0] in yaml.safe_load(text)["volumes"]
    for service in services.values():
        for name, value in service["environment"].items():
            assert not re.search("TOKEN|PASSWORD", name) or str(value).startswith("${"), name
    assert "@database/umpire" in services["bot"]["environment"]["UMPIRE_DATABASE_URL"]


def test_compose_publishes_the_live_map_locally_only() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    assert [port for service in services.values() for port in service.get("ports", ())] == [
        "127.0.0.1:${UMPIRE_WEB_PORT:-8430}:8430"
    ]
    settings = services["bot"]["environment"]
    assert (settings["UMPIRE_WEB_HOST"], settings["UMPIRE_WEB_PORT"]) == ("0.0.0.0", 8430)
    assert services["bot"]["env_file"] == ".env", "UMPIRE_WEB_URL comes from there"


@pytest.mark.parametrize("python", ["false", "/nowhere/python3"])
def test_make_says_which_python_it_needs(python: str, tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "requirements").mkdir()
    for name in ("pyproject.toml", "requirements/local.txt"):
        (tmp_path / name).touch()
    process = subprocess.run(["make", f"PYTHON={python}", "play"], cwd=tmp_path, text=True, capture_output=True)
    assert process.returncode != 0
    assert "needs Python 3.11" in process.stdout
    assert not (tmp_path / ".venv").exists()
