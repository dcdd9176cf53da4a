# make play: open a table. make test: everything CI runs. make soak: the slow tests, before a release. make lock: pin
# newer releases of the dependencies by hash in requirements/.
# They need only Python >= 3.11 and make.
FITS := -c 'import sys; sys.exit(sys.version_info < (3, 11))'
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python $(FITS) 2>/dev/null && echo $$python && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# Install the dependencies by hash, then the program itself without downloads.
LOCKED := $(PIP) install --require-hashes -r requirements/build.txt -r requirements
ITSELF := $(PIP) install --no-deps --no-build-isolation --editable .
UV ?= uv
LOCK := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --upgrade \
	--custom-compile-command 'make lock'

.PHONY: play test pytest soak lint types layers benchmark lock clean

play: $(VENV)/.play
	@$(BIN)/python -m bot

# The checks use one core while the tests start. All processes share compiled bytecode, whatever the shell sets.
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.test
	@$(MAKE) --no-print-directory --jobs=2 pytest lint types layers

pytest: $(VENV)/.test
	$(BIN)/pytest --processes 5

# Complete games of every scenario and seed, real waits, a thousand examples of each property, and whether the tests
# notice small faults in the rules.
soak: $(VENV)/.test
	$(BIN)/pytest --processes 2 -m 'soak or hypothesis' --hypothesis-profile=soak
	$(BIN)/python -m tests.mutants
	$(BIN)/python -m tests.mutants.cells

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	nice $(BIN)/mypy

layers: $(VENV)/.test
	$(BIN)/lint-imports

benchmark: $(VENV)/.test
	$(BIN)/python -m benchmarks.answer

$(BIN)/python:
	@$(or $(PYTHON),false) $(FITS) 2>/dev/null || { \
		echo "Umpire needs Python 3.11 or newer. Install it, or name it: make PYTHON=/path/to/python3.12 play"; exit 1; }
	@echo "Making $(VENV) with $(PYTHON); the first time this takes a minute."
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "This Python cannot make environments. On Debian and Ubuntu: apt install python3-venv"; exit 1; }

$(VENV)/.play: pyproject.toml requirements/local.txt | $(BIN)/python
	@$(LOCKED)/local.txt
	@$(ITSELF)
	@touch $@

$(VENV)/.test: pyproject.toml requirements/dev.txt | $(BIN)/python
	@$(LOCKED)/dev.txt
	@$(ITSELF)
	@touch $@ $(VENV)/.play

# Lock the newest releases that pyproject.toml allows, for every platform and Python. Needs uv (pip install uv).
lock:
	$(LOCK) requirements/build.in --output-file requirements/build.txt
	$(LOCK) pyproject.toml --extra dev --output-file requirements/dev.txt
	$(LOCK) pyproject.toml --extra local --output-file requirements/local.txt
	$(LOCK) pyproject.toml --output-file requirements/bot.txt

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
