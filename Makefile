# make demo: a readable report on a real model zoo.   make test: formatting, lint, types and tests.
# Both set up .venv first; nothing outside this folder is touched.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TORCH := 2.13.0
TIMM := 1.0.31
EINOPS := 0.8.2
CACHE := .cache

.DELETE_ON_ERROR:
.PHONY: demo test check format types tests clean

demo: $(CACHE)/demo/timm $(VENV)/.installed
	@echo
	@echo "== fxlint check timm $(TIMM): the first findings, in full"
	@cd $(CACHE)/demo && ../../$(BIN)/fxlint check timm --exit-zero > ../demo-report.txt
	@awk '/^$$/ { seen++ } seen < 5' $(CACHE)/demo-report.txt
	@echo "..."
	@tail -n 1 $(CACHE)/demo-report.txt
	@echo
	@echo "== by rule"
	@grep -oE '(error|warning|info)\[FX[0-9]+\]' $(CACHE)/demo-report.txt | sort | uniq -c | sort -rn
	@echo
	@echo "== fxlint models timm"
	@cd $(CACHE)/demo && ../../$(BIN)/fxlint models timm --summary
	@echo
	@echo "The whole report: $(CACHE)/demo-report.txt"

test: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest

# What test does, on an environment that is set up already.
check: test

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet -e .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet -e '.[dev]' torch==$(TORCH)
	@touch $@ $(VENV)/.installed

$(CACHE)/demo/timm: | $(VENV)/bin/python
	@mkdir -p $(CACHE)/wheels $(CACHE)/demo
	$(BIN)/pip download --quiet --no-deps --only-binary :all: --dest $(CACHE)/wheels timm==$(TIMM) einops==$(EINOPS)
	$(BIN)/python -m zipfile -e $(CACHE)/wheels/einops-$(EINOPS)-py3-none-any.whl $(CACHE)/demo
	$(BIN)/python -m zipfile -e $(CACHE)/wheels/timm-$(TIMM)-py3-none-any.whl $(CACHE)/demo

clean:
	rm -rf $(VENV) $(CACHE) .mypy_cache .ruff_cache .pytest_cache .hypothesis
