# Needs python3 (3.11 or newer, with venv), pip and make; everything else goes into $(VENV).
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?=

.PHONY: help demo test test-all bench lint format docs-check examples clean

help:
	@echo "make demo        the worked example: digits network, Burgers viscosity, one picture"
	@echo "make test        the tests, on every core"
	@echo "make test-all    the slow ones too (every program, also under Numba; other packages)"
	@echo "make bench       speed tables against hand-written gradients and other packages"
	@echo "make lint        ruff (rules and format) and mypy"
	@echo "make format      ruff, changing files"
	@echo "make examples    every script under examples/"
	@echo "make docs-check  the code and the printed output in README.md and docs/"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# The stamps make the second run quick: pip is asked again only when pyproject.toml changes.
$(VENV)/.stamp-demo: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[demo]'
	@touch $@

$(VENV)/.stamp-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.stamp-demo

demo: $(VENV)/.stamp-demo
	$(BIN)/python examples/demo.py

test: $(VENV)/.stamp-dev
	$(BIN)/python -m pytest -n auto -m "not slow" $(PYTEST_ARGS)

test-all: $(VENV)/.stamp-dev
	$(BIN)/python -m pytest -n auto $(PYTEST_ARGS)

bench: $(VENV)/.stamp-dev
	$(BIN)/python -m tests.benchmarks $(BENCH_ARGS)

lint: $(VENV)/.stamp-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.stamp-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

examples: $(VENV)/.stamp-dev
	$(BIN)/python -m pytest -m examples tests/test_examples.py $(PYTEST_ARGS)

docs-check: $(VENV)/.stamp-dev
	$(BIN)/python -m pytest -m docs tests/test_docs.py $(PYTEST_ARGS)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
