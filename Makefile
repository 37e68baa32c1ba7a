# Set-up and the usual jobs. Another Python: make run PYTHON=python3.12

PYTHON ?= python3
SPLITS ?= 300
MODE ?= --resume

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: help run figure1 calibrate check test soak bench docs lint release
.DELETE_ON_ERROR:

help: ## Show this list
	@grep -hE '^[a-z0-9]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9]+):.*## /  make \1\t/' | expand -t 20

run: $(VENV)/.installed ## Set up; the paper's fifteen curves from fewer splits, in about two minutes
	$(BIN)/gdcurves run --config ng_jordan.yaml --splits $(SPLITS) --out results/quick --fresh
	$(BIN)/gdcurves plot results/quick
	@echo "The figure is in results/quick: figure1.png and figure1.pdf. All 1000 splits: make figure1"

figure1: $(VENV)/.installed ## The same from all 1000 splits; goes on where it was stopped, or MODE=--fresh
	$(BIN)/gdcurves run --config ng_jordan.yaml --out results/ng_jordan $(MODE)
	$(BIN)/gdcurves plot results/ng_jordan
	@echo "The figure is in results/ng_jordan: figure1.png and figure1.pdf"

calibrate: $(VENV)/.installed ## The sampler against chains ten times longer; DATA=DIR as for --data-dir
	$(BIN)/python scripts/calibrate.py --out results/reference/ng_jordan/calibration.csv \
	  $(if $(DATA),--data-dir $(DATA))

check: lint $(VENV)/.test ## The short loop: lint, and the tests that are quick; a minute or two of CPU
	$(BIN)/python -m pytest -m "not process and not network and not slow"

test: $(VENV)/.test ## Every test, in two processes; five to fifteen minutes
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

soak: $(VENV)/.test ## Twenty kills, 100,000 splits, a large data set; the outcome goes to tests/README.md
	$(BIN)/python tests/soak.py

bench: $(VENV)/.test ## Speed, growth, memory; RECORD=1 keeps them in results/ and docs/; DATA=DIR
	$(BIN)/python scripts/bench.py $(if $(RECORD),--record) $(if $(DATA),--data-dir $(DATA))
	$(BIN)/python scripts/costs.py results/$(if $(RECORD),reference/)costs $(if $(RECORD),--record)

docs: $(VENV)/.docs ## The pages of docs/ as a site in site/, those made from the code anew, links checked
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The site is in site: open site/index.html, or for its search: python3 -m http.server -d site"

lint: $(VENV)/.lint ## Check style, types, and that no module imports one above it
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

release: $(VENV)/.release $(VENV)/.docs ## Wheel and source archive in dist/, installed and tried, lowest and newest versions
	$(BIN)/python scripts/release.py

# Empty files in .venv that say what is installed there already.

$(VENV)/.pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Error: Python 3.11 or newer is needed, and $(PYTHON) is none; name one: make PYTHON=python3.12" >&2; \
	  exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip
	@touch $@

$(VENV)/.installed: pyproject.toml $(VENV)/.pip
	@echo "Installing gdcurves and the packages it needs into $(VENV)"
	$(PIP) install --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.installed
	$(PIP) install --group test
	@touch $@

$(VENV)/.docs: $(VENV)/.installed
	$(PIP) install --group docs
	@touch $@

$(VENV)/.release: $(VENV)/.installed
	$(PIP) install --group release
	@touch $@

$(VENV)/.lint: $(VENV)/.installed
	$(PIP) install --group lint
	@touch $@
