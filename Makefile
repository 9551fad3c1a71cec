# Each target sets up what it needs in $(VENV); stamp files keep a second run from doing it again.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
KERNELS := $(wildcard src/segscore/_kernels/*.pyx src/segscore/_kernels/*.pxd src/segscore/_kernels/*.h)
SETTINGS := pyproject.toml setup.py
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test coverage test-core core-tests browser lint fuzz bench bench-compare reproduce sanitize portable cross wasm neon page-pictures annotation-pictures gallery segmenters-table benchmarks-today evidence-table docs docs-open docs-outputs docs-links install release-check clean

demo: $(VENV)/core
	@$(BIN)/segscore demo
	@command -v segscore > /dev/null || echo "First, so that this terminal finds segscore: . $(BIN)/activate"

# Tests start Python some hundred times, which takes twice as long without compiled modules: they are
# kept even where the shell asks for none.
test: export PYTHONDONTWRITEBYTECODE :=
test: install $(if $(findstring --adapters,$(ARGS)),$(VENV)/adapters)
	$(BIN)/python -m pytest -n auto --dist loadfile $(ARGS)

# The same, with the lines and branches of the package that no test runs; below 92 % it fails.
coverage:
	@$(MAKE) --no-print-directory test ARGS="--cov --cov-report=term --cov-report=xml:build/coverage.xml $(ARGS)"

# All tests that need no extra (tests/needs.py), in an environment of their own that has none.
CORE ?= .venv-core
test-core:
	@$(MAKE) --no-print-directory VENV=$(CORE) core-tests
core-tests: export PYTHONDONTWRITEBYTECODE :=
core-tests: $(VENV)/core
	@$(PIP) 'pip>=25.1' && $(PIP) --group test-core
	$(BIN)/python -m pytest -n auto --dist loadfile $(ARGS)

# Chromium, for the tests of pages (tests/browser): make test ARGS=--browser. Whichever they would
# find is enough: SEGSCORE_CHROMIUM, or one of several names on the path.
browser: install
	@PYTHONPATH=tests $(BIN)/python -c "import sys, browser_pages; sys.exit(browser_pages.executable() is None)" || \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; \
	  then apt-get update -qq; apt-get install -qq -y --no-install-recommends chromium-headless-shell || \
	    apt-get install -qq -y --no-install-recommends chromium; \
	  else echo "Please install Chromium, or set SEGSCORE_CHROMIUM to where it is." >&2; exit 1; fi

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.stub_check
	$(BIN)/python -m tests.type_completeness
	$(BIN)/lint-imports --no-cache --no-logo

# Seeded fuzzing for FUZZ_MINUTES from FUZZ_SEED; what fails is kept in tests/fuzz/corpus.
fuzz: export FUZZ_MINUTES ?= 2
fuzz: install
	PYTHONPATH=tests $(BIN)/python -W error -m fuzz

# Tables of peers side by side, also kept in benchmarks/history.jsonl; ARGS: some of them.
bench: install
	$(BIN)/python -m benchmarks $(ARGS)

# What papers print, recomputed (reproduction/README.md); ARGS: some papers, --full, --page.
reproduce: install
	@$(BIN)/python -m reproduction $(ARGS)

# What became slower by more than noise since the commit measured before; ARGS: two commits.
bench-compare: install
	@$(BIN)/python -m benchmarks.compare $(ARGS)

# Kernels that stop at the first access outside of their memory and at the first undefined
# behaviour (GCC or Clang on Linux), in a build of their own; minutes. ARGS: other tests.
SANITIZED := build/sanitized
sanitize: install
	SEGSCORE_SANITIZE=1 $(BIN)/python setup.py --quiet build --build-base build/sanitizing --build-lib $(SANITIZED)
	LD_PRELOAD="$$($${CC:-cc} -print-file-name=libasan.so)" PYTHONPATH=$(SANITIZED):tests:. PYTHONMALLOC=malloc \
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
	$(BIN)/python -m tests.kernels.sanitized $(ARGS)

# Kernels as compilers without GCC's vectors make them (MSVC, RISC-V, WebAssembly …), in a build of
# their own, and their tests. ARGS: other tests.
PORTABLE := build/portable
portable: install
	SEGSCORE_NO_VECTORS=1 $(BIN)/python setup.py --quiet build --build-base build/portable-objects --build-lib $(PORTABLE)
	PYTHONPATH=$(PORTABLE):tests:. $(BIN)/python -c "import segscore._kernels.one_pass as kernel; assert not kernel.bits_in_use(), kernel"
	PYTHONPATH=$(PORTABLE):tests:. $(BIN)/python -m pytest -n auto --dist loadfile -p no:cacheprovider $(or $(ARGS),tests/kernels tests/metrics tests/significance)

# Kernels for machines that we do not have; what is fetched and built for it stands in MACHINES.
# cross: they compile, for six. wasm: they load in Pyodide (node, npm) and compute what native ones
# do. neon: the same on arm64 under QEMU, and their tests.
MACHINES := build/machines
cross: install
	$(BIN)/python tools/machines/cross_compile.py $(MACHINES) $(ARGS)

wasm: install
	$(BIN)/python tools/machines/webassembly.py $(MACHINES)

neon: install
	$(BIN)/python tools/machines/aarch64.py $(MACHINES)

# The tables of docs/segmenters.md; VECTORS: a folder with vectors of an encoder (tools/segmenters_table.py).
segmenters-table: install
	$(BIN)/python tools/segmenters_table.py $(if $(VECTORS),--vectors $(VECTORS))

# The tables of docs/benchmarks_today.md, of corpora that are on this machine; ARGS: some of them.
benchmarks-today: install
	$(BIN)/python tools/benchmarks_today.py $(ARGS)

evidence-table: install
	$(BIN)/python tools/evidence_table.py

# Pictures of pages, taken in Chromium (docs/pictures)
page-pictures: browser
	$(BIN)/python docs/make_page_pictures.py

# docs/gallery.md and its pictures
gallery: install
	$(BIN)/python docs/make_gallery.py

# The pictures and files of docs/annotating.md; needs Chromium (`make browser`)
annotation-pictures: install
	$(BIN)/python docs/make_annotation_pictures.py

# The documentation site, in build/docs; a warning is an error.
SITE := build/docs
docs: install
	$(BIN)/python -m sphinx -b html -j auto -W --keep-going -q -d build/doctrees docs $(SITE)
	@echo "The documentation is in $(SITE)/index.html"

docs-open: docs
	$(BIN)/python -m webbrowser "file://$(CURDIR)/$(SITE)/index.html"

# Writes the outputs of examples into the pages anew, after a change that is meant. ARGS: pages.
docs-outputs: install
	$(BIN)/python tests/docs/pages.py $(ARGS)

# Addresses of other sites that no longer answer. Without a network it says so, and passes.
docs-links: install
	$(BIN)/python tools/check_links.py

# What has to hold before a tag is pushed: versions, lint, tests, wheel, sizes.
release-check: install
	$(PIP) --group release
	$(BIN)/python tools/release_check.py $(ARGS)

install: $(VENV)/ready

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "segscore needs Python 3.11 or newer; try: make PYTHON=python3.11 …")'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python cannot create a virtual environment (Debian, Ubuntu: apt install python3-venv)." >&2; exit 1; }

# The library and its command, with the few packages they need and nothing else. A change of the
# settings installs anew; a changed kernel alone is only compiled.
$(VENV)/core: $(SETTINGS) $(KERNELS) | $(BIN)/python
	@echo "Installing segscore into $(VENV): NumPy, SciPy, Typer, Rich, Jinja2, and kernels to compile (about a minute) …"
	@$(if $(filter $(SETTINGS),$?),$(PIP) --editable .,$(PIP) cython setuptools && $(BIN)/python setup.py --quiet build_ext --inplace)
	@touch $@

# The same with all that tests, checks and benchmarks need.
$(VENV)/ready: $(SETTINGS) $(KERNELS) | $(BIN)/python
	$(if $(filter $(SETTINGS),$?),$(PIP) 'pip>=25.1' && $(PIP) --editable '.[all]' --group dev,$(BIN)/python setup.py --quiet build_ext --inplace)
	@touch $(VENV)/core $@

# What `make test ARGS=--adapters` needs besides: the extra `adapters`, and lm-eval. On Linux pip takes the torch
# that has CUDA, gigabytes; a CPU build of it that stands in $(VENV) already is left as it is.
$(VENV)/adapters: $(SETTINGS) | $(VENV)/ready
	@echo "Installing torch and other packages that the adapters are for (gigabytes) …"
	$(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['adapters'], 'lm-eval>=0.4.9')" | xargs $(PIP)
	@touch $@

clean:
	rm -rf .venv .venv-core build dist src/*.egg-info src/segscore/_kernels/*.c src/segscore/_kernels/*.so
