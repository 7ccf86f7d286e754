# Everything a contributor runs.  `make` alone lists the targets; each makes first what it needs.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.installed

# Peers of the benchmarks, pinned so that figures can be compared from one run to the next.
PEERS := torch==2.13.0 jax==0.10.2

.DEFAULT_GOAL := help
.PHONY: help venv demo test test-hook test-torch test-versions lint format types check fuzz soak bench picture page vsix test-editors test-page clean

help:  ## list the targets
	@grep -hE '^[a-z-]+: .*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 18

venv: $(READY)  ## make .venv and install the project with its development tools

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "nst-lsp needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.11"; exit 1; }
	@echo 'Installing into .venv; this takes one to three minutes'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -qq --disable-pip-version-check -e '.[dev]'
	@test -e nst_lsp/page/dist/index.html || echo 'WARNING: the graph page is not built. Once npm can be reached: make page'
	@touch $@

demo: venv  ## check examples/ and print two of its graphs
	@echo '$$ nst check examples/ --fail-on never'
	@$(BIN)/nst check examples/ --fail-on never
	@echo
	@echo '$$ nst graph examples/attention.py::attention'
	@$(BIN)/nst graph examples/attention.py::attention
	@echo
	@echo '$$ nst graph examples/layers.py::softmax'
	@$(BIN)/nst graph examples/layers.py::softmax

test: venv  ## run every test but those that need an editor with a screen
	$(BIN)/python -m pytest -n auto --dist loadfile  # what a module's tests share is made once

test-hook: venv  ## let pre-commit install and run the hook nst-check
	$(BIN)/python -m pytest tests/hook

# The PyTorch of test-torch, where it is not the peers'; others have environments of their own.
TORCH ?=
TORCH_ENV := .venv-torch$(addprefix -,$(TORCH))
TORCH_AS := $(if $(TORCH),torch==$(TORCH),$(filter torch%,$(PEERS)))
test-torch: $(TORCH_ENV)/.installed  ## run the tests that need PyTorch, in an environment that has it, or has TORCH=2.6.0
	$(TORCH_ENV)/bin/python -m pytest tests/torch

$(TORCH_ENV)/.installed: pyproject.toml
	test -x $(TORCH_ENV)/bin/python || $(PYTHON) -m venv $(TORCH_ENV)
	$(TORCH_ENV)/bin/python -m pip install -qq --disable-pip-version-check -e '.[dev]' $(TORCH_AS) expecttest  # what torch.testing imports
	@touch $@

test-versions: venv  ## run the tracer's tests in several Pythons with several NumPys, or in one: ONLY=3.10-1.26
	$(BIN)/python -m tests.versions $(ONLY)

lint: venv  ## ruff
	$(BIN)/ruff check .

format: venv  ## let ruff lay out the sources
	$(BIN)/ruff format .

types: venv  ## mypy --strict
	$(BIN)/mypy

check: lint types test  ## lint, types and test

SECONDS ?= 60
SEED ?= 0
fuzz: venv  ## hold random programs against their functions: make fuzz SECONDS=60 SEED=0
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --seed $(SEED) --jobs 2

STEPS ?= 10000
FILES ?= 50
soak: venv  ## hold a long day with the server against fresh runs: make soak STEPS=10000 FILES=50 SEED=0
	$(BIN)/python -m tests.soak --steps $(STEPS) --files $(FILES) --seed $(SEED)

bench: .venv-bench/.installed  ## measure, side by side with JAX and PyTorch
	OPENBLAS_NUM_THREADS=1 .venv-bench/bin/python -m benchmarks  # CPU time is measured: threads that wait would count

.venv-bench/.installed: pyproject.toml
	test -x .venv-bench/bin/python || $(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install -qq --disable-pip-version-check -e '.[dev]' $(PEERS)
	@touch $@

picture: venv  ## draw docs/images/check.svg from a real run, and take page.png of a real page
	$(BIN)/python docs/images/make.py
	PYTHON=$(CURDIR)/$(BIN)/python tests/page/run pictures

page: venv  ## build the graph page
	PYTHON=$(CURDIR)/$(BIN)/python $(MAKE) --no-print-directory -C nst_lsp/page/web build

vsix: venv  ## build the Visual Studio Code extension
	PYTHON=$(CURDIR)/$(BIN)/python $(MAKE) --no-print-directory -C editors/vscode vsix

test-editors: venv  ## drive a real Emacs, and a real Visual Studio Code (code-server in Chromium) with the extension installed
	PYTHON=$(CURDIR)/$(BIN)/python tests/editors/others
	PYTHON=$(CURDIR)/$(BIN)/python tests/editors/run

test-page: venv  ## open the graph page in a real Chromium and use it
	PYTHON=$(CURDIR)/$(BIN)/python tests/page/run

clean:  ## remove everything that make made
	rm -rf .venv .venv-bench .venv-torch .venv-torch-* .venv-versions build dist artefacts *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -rf nst_lsp/page/dist nst_lsp/page/web/node_modules editors/vscode/node_modules editors/vscode/out editors/vscode/bundled editors/vscode/*.vsix
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
