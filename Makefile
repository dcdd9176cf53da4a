# make play: open a table. make test: everything CI runs. make soak: the long part, before a release.
# They need only Python >= 3.11 and make.
FITS := -c 'import sys; sys.exit(sys.version_info < (3, 11))'
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python $(FITS) 2>/dev/null && echo $$python && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: play test pytest soak lint types layers benchmark clean

play: $(VENV)/.play
	@$(BIN)/python -m bot

# The checks take one core while the tests begin. Each process reads what another has compiled, whatever the shell says.
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.test
	@$(MAKE) --no-print-directory --jobs=2 pytest lint types layers

pytest: $(VENV)/.test
	$(BIN)/pytest -n 4 --dist loadfile

# Whole games of every scenario and seed, waits as long as they are, a thousand examples of each property, and whether
# small faults in the rules are noticed.
soak: $(VENV)/.test
	$(BIN)/pytest -n 2 -m 'soak or hypothesis' --hypothesis-profile=soak
	$(BIN)/python -m tests.mutants

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

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

$(VENV)/.play: pyproject.toml | $(BIN)/python
	@$(PIP) install -e '.[local]'
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	@$(PIP) install -e '.[dev]'
	@touch $@ $(VENV)/.play

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
