# Everything runs from a machine that has only Python 3.11+ and make: each target first builds .venv.
# Another interpreter: make PYTHON=python3.12 test.  One process, for a debugger: make WORKERS=0 test.

PYTHON ?= python3
WORKERS ?= 2
ARGS ?=
MINUTES ?= 30

BIN := .venv/bin
STAMP := .venv/.installed-dev
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input --retries 10
PYTEST := $(BIN)/python -m pytest -n $(WORKERS)

DEMO := $(BIN)/fieldwise score examples/receipts/receipts.jsonl --evaluator json_match \
	--option depth=leaves --option list_aggregator=average --option lists.items=same_elements

export PIP_ROOT_USER_ACTION := ignore
export PYTHONUTF8 := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint check laws fuzz bench peers coverage docs pictures sizes check-release format clean

help: ## print this list
	@echo "usage: make TARGET"
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)$$/  \1|\2/p' Makefile | awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'

demo: $(STAMP) ## score the example receipts: see where a model's answers are wrong
	$(DEMO)

test: $(STAMP) ## run the tests (ARGS="tests/core -k parse" narrows them)
	$(PYTEST) $(ARGS)

lint: $(STAMP) ## check formatting, lint rules and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

check: lint test ## all that a change must pass: lint, then test

laws: $(STAMP) ## run the property tests with 1,000 examples each
	HYPOTHESIS_PROFILE=laws $(PYTEST) --timeout 3600 tests/laws $(ARGS)

fuzz: $(STAMP) ## feed random data and options to everything public, for MINUTES (30)
	$(BIN)/python -m tests.fuzz.run --minutes $(MINUTES) $(ARGS)

bench: .venv/.installed-bench ## print CPU time ratios against installed peers
	$(BIN)/python tests/benchmarks/run.py $(ARGS)

peers: .venv/.installed-bench .venv/.installed-langchain ## print what installed peers return where scores go wrong
	$(BIN)/python -m tests.benchmarks.behaviour

coverage: $(STAMP) ## run the tests with branch coverage; the core must reach 98 %
	$(PYTEST) --cov --cov-report= $(ARGS)
	$(BIN)/coverage report
	$(BIN)/coverage report --include='src/fieldwise/core/*' --fail-under=98

docs: .venv/.installed-docs ## build the site into build/docs; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "build/docs/index.html"

pictures: $(STAMP) ## draw the pictures of the README anew; the page needs Chromium
	$(BIN)/python docs/pictures.py

sizes: $(STAMP) ## list functions over 60 lines and files over 400
	$(BIN)/python -m tests.release.sizes

check-release: .venv/.installed-docs .venv/.installed-release ## the slow half: docs, wheel and sdist, types, versions
	$(BIN)/python -m tests.release.run $(ARGS)

format: $(STAMP) ## rewrite files: formatting and the fixes ruff is sure of
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

clean: ## remove .venv, caches and build results
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.* htmlcov build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp inside .venv, so that an environment made by hand is completed, not replaced.
$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "fieldwise needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "preparing .venv (once; a minute or two)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) install --editable '.[dev]'
	@touch $@

.venv/.installed-%: $(STAMP)
	@$(PIP) install --editable '.[$*]'
	@touch $@
