# Each target sets up all it needs in .venv; a stamp file keeps a second run from doing it again.
PYTHON ?= python3
BIN := .venv/bin
KERNELS := $(wildcard src/segscore/_kernels/*.pyx src/segscore/_kernels/*.pxd)

.PHONY: demo test lint fuzz bench sanitize gallery install clean

demo: install
	@$(BIN)/segscore demo

test: install
	$(BIN)/python -m pytest $(ARGS)

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.stub_check
	$(BIN)/lint-imports --no-cache --no-logo

# Seeded fuzzing for FUZZ_MINUTES from FUZZ_SEED; what fails is kept in tests/fuzz/corpus.
fuzz: export FUZZ_MINUTES ?= 2
fuzz: install
	PYTHONPATH=tests $(BIN)/python -W error -m fuzz

bench: install
	$(BIN)/python -m benchmarks $(ARGS)

# Kernels that stop at the first access outside of their memory and at the first undefined
# behaviour (GCC or Clang on Linux), in a build of their own; minutes. ARGS: other tests.
SANITIZED := build/sanitized
sanitize: install
	SEGSCORE_SANITIZE=1 $(BIN)/python setup.py --quiet build --build-base build/sanitizing --build-lib $(SANITIZED)
	LD_PRELOAD="$$($${CC:-cc} -print-file-name=libasan.so)" PYTHONPATH=$(SANITIZED):tests:. PYTHONMALLOC=malloc \
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
	$(BIN)/python -m tests.kernels.sanitized $(ARGS)

# docs/gallery.md and its pictures
gallery: install
	$(BIN)/python docs/make_gallery.py

install: .venv/ready

# A change of the project's settings installs anew; a changed kernel alone is only compiled.
.venv/ready: pyproject.toml setup.py $(KERNELS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "segscore needs Python 3.11 or newer; try: make PYTHON=python3.11 …")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python $(if $(filter pyproject.toml setup.py,$?),-m pip install --quiet --disable-pip-version-check --editable '.[dev]',setup.py --quiet build_ext --inplace)
	touch $@

clean:
	rm -rf .venv build dist src/*.egg-info src/segscore/_kernels/*.c src/segscore/_kernels/*.so
