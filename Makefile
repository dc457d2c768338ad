# A thin layer over the CMake presets (cmake --list-presets). `make help` lists the targets.
# On Debian and its relatives whatever is missing is installed first, with apt-get.

PRESET ?= release
PREFIX ?= /usr/local
STORE  ?= demo.db
REPORT ?= report.html
SHARD  ?= 1/20
JOBS   ?= $(shell nproc)
# Some tests wait, for a disk or a clock: one more than cores, so that none of these stands still.
TEST_JOBS ?= $(shell expr $(JOBS) + 1)
FUZZ_SECONDS ?= 10
SOAK ?= 100000
SEED ?= 1
# make itself has LINT = lint, which ?= would leave as it is.
ifeq ($(origin LINT),default)
LINT :=
endif
PYTHON ?= python3
PYTHON_CUDA ?= auto
# Where build/ has the libraries as the wheel needs them, they are not compiled again (empty: they are).
PYTHON_LIBRARIES ?= $(if $(filter auto,$(PYTHON_CUDA)),$(CURDIR)/build)
DEB_CUDA ?= off
# A build folder that has the programs as the package needs them (empty: they are compiled in build-deb/).
DEB_BUILD ?=

PACKAGES := g++ cmake ninja-build pkg-config libfmt-dev libcli11-dev nlohmann-json3-dev \
  libtomlplusplus-dev libsqlite3-dev libxxhash-dev libzstd-dev libgtest-dev librandom123-dev \
  nettle-dev libevent-dev \
  python3 python3-numpy python3-scipy python3-pandas python3-matplotlib python3-jinja2
ARM64_PACKAGES := g++-aarch64-linux-gnu qemu-user
ifneq ($(shell command -v nvcc),)
PACKAGES += python3-pip  # for the disassemblers
endif
DEB_PACKAGES := dpkg-dev file binutils man-db
PYTHON_PACKAGES := python3-venv python3-dev openmpi-bin
DEVELOP_PACKAGES := clang-format-14 clang-tidy-14 clang-14 libclang-rt-14-dev ccache git \
  mandoc zsh fish mkdocs mkdocs-material python3-pygments doxygen chromium chromium-driver \
  python3-selenium

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := build
.PHONY: build programs demo test nightly lint format debug tsan fuzz sanitize soak arm64 cuda-on \
  cuda-off cuda-emulated cuda-emulated-asan disassembler install deb python bench report papers site packages \
  device-kit develop-packages browser-test clean help

build: packages ## the program build/playproof (PRESET=release)
	cmake --preset $(PRESET)
	cmake --build --preset $(PRESET) -j $(JOBS)

programs: packages ## playproof and playproof-check alone, without the tests
	cmake --preset $(PRESET)
	cmake --build --preset $(PRESET) -j $(JOBS) --target playproof playproof-check

demo: programs ## a twentieth of the P-game experiment (SHARD=1/1: all), three solved positions, report.html, proof.html
	bench/demo.sh $(STORE) $(REPORT) $(SHARD)

test: build disassembler ## every test
	ctest --preset $(PRESET) -j $(TEST_JOBS) --output-junit tests.xml

disassembler: packages ## nvdisasm and cuobjdump from PyPI, if nvcc is here without them: count instructions of kernels
	python3 -B tests/kernels/disassembler.py

# PLAYPROOF_NIGHTLY is read by the tests whose product is too large for every run.
nightly: develop-packages build disassembler ## hours: full products, every planted fault, all of lint and sanitizers, soak
	PLAYPROOF_NIGHTLY=1 ctest --preset $(PRESET) -j $(JOBS) --output-junit nightly.xml
	.ci/lint build $(JOBS) all
	cmake --preset fuzz
	cmake --build --preset sanitize-all -j $(JOBS)
	ctest --preset sanitize-all -j $(JOBS)
	tests/fuzz/run.sh build-fuzz 120 $(JOBS)
	$(MAKE) tsan cuda-off deb device-kit
	PLAYPROOF_NIGHTLY=1 $(MAKE) cuda-emulated cuda-emulated-asan
	PLAYPROOF_NIGHTLY=1 PLAYPROOF_NEED_WHEEL=1 $(MAKE) python browser-test PYTHON_LIBRARIES=
	$(MAKE) soak

lint: develop-packages packages ## clang-format; clang-tidy of what changed, and of a file that includes it (LINT=all: everything)
	cmake --preset $(PRESET)
	.ci/lint build $(JOBS) $(LINT)

format: develop-packages ## clang-format every C++ file in place
	git ls-files '*.h' '*.inc' '*.cpp' '*.cuh' '*.cu' | xargs clang-format-14 -i

debug: packages ## build-debug/ with asserts, AddressSanitizer, UBSan; the quick tests
debug tsan cuda-on cuda-off cuda-emulated cuda-emulated-asan:
	cmake --preset $@
	cmake --build --preset $@ -j $(JOBS)
	ctest --preset $@ -j $(JOBS)

tsan: packages ## build-tsan/ with asserts and ThreadSanitizer; the tests that have threads

fuzz: develop-packages packages ## build-fuzz/ with clang; FUZZ_SECONDS=10 of libFuzzer for each reader
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS)
	tests/fuzz/run.sh build-fuzz $(FUZZ_SECONDS) $(JOBS)

sanitize: develop-packages packages ## the same build, the quick tests in it, then `fuzz`
	cmake --preset sanitize
	cmake --build --preset sanitize -j $(JOBS)
	ctest --preset sanitize -j $(JOBS)
	tests/fuzz/run.sh build-fuzz $(FUZZ_SECONDS) $(JOBS)

soak: build ## SOAK=100000 random sequences of calls (SEED=1); 20,000 positions and their best moves
	PLAYPROOF_POSITIONS=20000 build/host_test --gtest_filter='BestMoves.*'
	PLAYPROOF_FAIL_ALLOCATION=$(CURDIR)/build/tests/libfail_allocation.so \
	  python3 -B tests/adversary/adversary.py --seed $(SEED) --count $(SOAK) --log 1000 --jobs $(JOBS)

cuda-on: packages disassembler ## build-cuda-on/, an error without nvcc; the quick tests

cuda-off: packages ## build-cuda-off/, as on a machine without CUDA; the quick tests

cuda-emulated: packages ## build-cuda-emulated/: the CUDA kernels themselves, run on the CPU; their tests

cuda-emulated-asan: packages ## the same with AddressSanitizer and UBSan: the kernels alone

arm64: programs ## build-arm64/, cross compiled, run by qemu-user: same tallies and signature as here
	@$(call install_missing,$(ARM64_PACKAGES))
	.ci/arm64 build/playproof $(JOBS)

# Tests and bench are built from the kit's own sources, in its own folder; what cannot run without a
# device is skipped. Then the whole evidence in its dry form.
device-kit: programs ## build-device-kit/device-kit.tar.gz: programs, tests and bench for a machine with a GPU
	bench/device_kit/pack.sh build-device-kit/device-kit build/playproof
	cmake -S build-device-kit/device-kit -B build-device-kit/build -DCMAKE_BUILD_TYPE=Release
	cmake --build build-device-kit/build -j $(JOBS) --target kernels_test device_bench
	strip -o build-device-kit/device-kit/bin/kernels_test build-device-kit/build/kernels_test
	strip -o build-device-kit/device-kit/bin/device_bench build-device-kit/build/device_bench
	env -i PATH=/usr/bin:/bin build-device-kit/device-kit/run.sh
	rm -rf build-device-kit/device-kit/results build-device-kit/state
	env -i PATH=/usr/bin:/bin EVIDENCE_STATE=build-device-kit/state \
	  build-device-kit/device-kit/evidence.sh build-device-kit/dry --dry >build-device-kit/dry.txt
	tar -C build-device-kit -czf build-device-kit/device-kit.tar.gz device-kit
	@[ $$(stat -c %s build-device-kit/device-kit.tar.gz) -le 32000000 ] || \
	  { echo "device-kit.tar.gz is larger than 32 MB" >&2; exit 1; }

install: programs ## programs, libraries, headers, plans (PREFIX=/usr/local, DESTDIR)
	cmake --install build --prefix $(PREFIX)

deb: packages ## build-deb/playproof_VERSION_ARCHITECTURE.deb, unpacked and used (DEB_CUDA=off)
	@$(call install_missing,$(DEB_PACKAGES))
	$(if $(DEB_BUILD),,cmake --preset deb -DPLAYPROOF_CUDA=$(DEB_CUDA))
	cmake --build $(or $(DEB_BUILD),build-deb) -j $(JOBS) --target playproof playproof-check playproof_share
	rm -f build-deb/*.deb
	cpack --config $(or $(DEB_BUILD),build-deb)/CPackConfig.cmake -B build-deb
	packaging/debian/check.sh build-deb/playproof_*.deb

# The wheel is installed from where auditwheel put what it needs into it. Where that cannot be done, or
# there is no open_spiel, the package is tested without; with PLAYPROOF_NEED_WHEEL (.ci/run) either is an
# error. The tests compare with build/playproof if it is there. CXX: under the name that the other builds
# call it by, ccache knows what they compiled.
go_on = { echo "$(1)" >&2; [ -z "$$PLAYPROOF_NEED_WHEEL" ]; }
PIP = build-python/venv/bin/python -m pip --disable-pip-version-check -q
# Files that have the hashes of the requirements; and nothing that runs a program to be installed.
PINNED = --require-hashes --only-binary=:all:
python: packages $(if $(PYTHON_LIBRARIES),programs) ## the Python package: a wheel in build-python/dist, in build-python/venv, tested (PYTHON_CUDA=auto)
	@$(call install_missing,$(PYTHON_PACKAGES))
	rm -rf build-python/venv build-python/wheel build-python/dist
	$(PYTHON) -m venv build-python/venv
	$(PIP) install $(PINNED) -r tests/python/requirements.txt
	$(PIP) install $(PINNED) -r tests/python/openspiel.txt || $(call go_on,open_spiel: not for this Python)
	PATH="$(CURDIR)/build-python/venv/bin:$$PATH" CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) CXX=$${CXX:-c++} \
	  $(PIP) wheel . --no-build-isolation --no-deps --wheel-dir build-python/wheel \
	  --config-settings=cmake.define.PLAYPROOF_CUDA=$(PYTHON_CUDA) \
	  --config-settings=cmake.define.PLAYPROOF_LIBRARIES=$(PYTHON_LIBRARIES)
	PATH="$(CURDIR)/build-python/venv/bin:$$PATH" auditwheel repair --wheel-dir build-python/dist \
	  build-python/wheel/playproof-*.whl || { rm -rf build-python/dist; \
	    $(call go_on,auditwheel has failed: the wheel is of this machine alone) && \
	    cp -r build-python/wheel build-python/dist; }
	$(PIP) install --no-deps build-python/dist/playproof-*.whl
	PLAYPROOF=$${PLAYPROOF:-build/playproof} build-python/venv/bin/python -B -m pytest -q -p no:cacheprovider \
	  --durations 5 -n $(JOBS) --dist loadfile tests/python

# The system's Python: Debian's python3-selenium is its.
browser-test: develop-packages programs ## the pages of `view` and `report` in headless Chromium, driven by Selenium
	export PLAYPROOF=$${PLAYPROOF:-build/playproof}; \
	  printf '%s\n' view report | xargs -P $(JOBS) -I{} /usr/bin/python3 -B tests/browser/{}.py

bench: programs ## the speed table of bench/README.md
	python3 bench/speed.py build/playproof

report: programs ## a page from the experiments in a store (STORE=demo.db REPORT=report.html)
	build/playproof report $(STORE) --output $(REPORT)

papers: programs ## papers.html: every table and figure of the papers, judged by the stored results
	build/playproof report --papers --output papers.html

site: develop-packages programs ## build-site/html: the documents, manual pages and API as a site; its links are checked
	python3 -B packaging/site/build.py build/playproof build/playproof-check build-site

packages: ## install what building and testing need, if anything is missing
	@$(call install_missing,$(PACKAGES))

develop-packages: ## install what lint, format, fast rebuilds, the tests of packaging/ and the site need, if anything is missing
	@$(call install_missing,$(DEVELOP_PACKAGES))

clean: ## remove every build folder
	rm -rf build build-*/

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 25

# $(call install_missing,PACKAGES): apt-get as root or through sudo, and only if something is
# missing. On other systems: say what is needed and go on; CMake names what it does not find.
define install_missing
if ! command -v dpkg-query >/dev/null; then \
  echo "not a Debian system: please see to it that these are there: $(1)" >&2; exit 0; fi; \
missing=; \
for package in $(1); do \
  case "$$(dpkg-query -W -f='$${db:Status-Status}' $$package 2>/dev/null)" in \
    installed*) ;; *) missing="$$missing $$package" ;; esac; done; \
[ -z "$$missing" ] && exit 0; \
root=; [ "$$(id -u)" = 0 ] || root=sudo; \
if [ -n "$$root" ] && ! command -v sudo >/dev/null; then \
  echo "missing, and neither root nor sudo to install them: $$missing" >&2; exit 1; fi; \
echo "installing:$$missing"; \
$$root env DEBIAN_FRONTEND=noninteractive apt-get update -q && \
$$root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing
endef
