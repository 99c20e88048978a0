# Everything a newcomer needs: `make demo`, then `make test`.

CARGO ?= cargo
TARGET = $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)
QUICKSET = $(TARGET)/release/quickset
SHARED = ../shared
# Tests that need what is absent ($(SHARED), a browser) note here that they were skipped, and why.
SKIPPED = $(TARGET)/skipped-tests
# Where the Python package is installed for its tests.
VENV = $(TARGET)/venv

.PHONY: demo test test-rust test-python test-full check bench build browser

build:
	$(CARGO) build --release --locked

# Trains on a built-in set, shows the tree, cross-checks it on rows it has not seen, and says where the model is.
demo: build
	@mkdir -p demo
	@echo "== data: the 625 positions of a balance scale, built in"
	$(QUICKSET) data generate balance-scale --output demo/balance-scale.csv
	@echo "== train"
	$(QUICKSET) train demo/balance-scale.csv --learner c45 --set prune.confidence=0.05 --output demo/balance-scale.json
	@echo "== how good it is on rows it has not seen: 10 runs of 10-fold cross-validation"
	$(QUICKSET) compare demo/balance-scale.csv --learners 'c45[prune.confidence=0.05],c45,cart,id3'
	@echo "== why the first row got its label"
	$(QUICKSET) explain demo/balance-scale.json demo/balance-scale.csv --row 1
	@echo "== the model is in demo/balance-scale.json: '$(QUICKSET) show demo/balance-scale.json --format rules' prints it as rules"

# All tests: unit, property, documentation, end-to-end, pages in a browser where there is one (`make browser`), exactness
# against Weka where $(SHARED) is there, and those of the Python package.
test:
	@mkdir -p $(TARGET) && rm -f $(SKIPPED)
	@$(MAKE) --no-print-directory test-rust test-python
	@if [ -s $(SKIPPED) ]; then \
	  echo; echo "!!! $$(wc -l < $(SKIPPED)) tests were SKIPPED:"; sed 's/^/!!!   /' $(SKIPPED); \
	else echo "no test was skipped"; fi

test-rust:
	QUICKSET_SKIPPED=$(SKIPPED) $(CARGO) test --all-features --locked

# Makes the source distribution, installs it as users do, into an environment of its own, and tests what is installed there.
PIP = $(VENV)/bin/python -m pip --quiet --disable-pip-version-check
test-python:
	python3 -m venv $(VENV)
	$(PIP) install build
	rm -rf $(TARGET)/sdist
	$(VENV)/bin/python -m build --sdist --outdir $(TARGET)/sdist . > $(TARGET)/sdist.log 2>&1 || { cat $(TARGET)/sdist.log; exit 1; }
	@# All files of the archive are from 2006: unpacked as of now, cargo sees which are new.
	tar -x -z -m -f $(TARGET)/sdist/*.tar.gz -C $(TARGET)/sdist --strip-components=1
	CARGO_TARGET_DIR=$(TARGET) $(PIP) install '$(TARGET)/sdist[test]'
	cd python && $(VENV)/bin/ruff format --check --quiet && $(VENV)/bin/ruff check --quiet && $(VENV)/bin/mypy
	$(CARGO) build --all-features --locked
	QUICKSET_SKIPPED=$(SKIPPED) QUICKSET_COMMAND=$(TARGET)/debug/quickset $(VENV)/bin/python -m pytest -q python/tests

# The browser that tests of pages drive: Debian's Chromium with its driver and letters to write with, if absent.
browser:
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || { \
	  as="$$([ "$$(id -u)" = 0 ] || echo sudo) env DEBIAN_FRONTEND=noninteractive"; \
	  $$as apt-get -o Acquire::Retries=3 update -qq && \
	  $$as apt-get -o Acquire::Retries=3 install -y -qq chromium chromium-driver fonts-dejavu-core; }

# As `test`, with every fold of every set: 3,400 trees and 6,800 naive Bayes models against Weka's, in many minutes.
test-full:
	QUICKSET_FULL=1 $(MAKE) test

check:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --all-features --locked -- -D warnings

# Ratios beside Weka, scikit-learn, LightGBM and polars; writes experiments/runs/. BENCH passes options on.
bench: build
	$(CARGO) build --release --locked --example serve
	python3 experiments/bench/run.py $(BENCH)
