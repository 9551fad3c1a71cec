"""Compile every kernel in `src/segscore/_kernels`; all other settings stand in pyproject.toml.

One wheel serves CPython 3.11 and every later one (the stable ABI, "abi3"). Free-threaded Pythons do
not have it: there, and with SEGSCORE_ABI3=0, kernels are built for the one Python that builds them.
With SEGSCORE_SANITIZE (see `make sanitize`) kernels stop at the first access outside of their
memory and at the first undefined behaviour. With SEGSCORE_NO_VECTORS (see `make portable`) they are
what compilers without GCC's vectors make of them: MSVC, and machines other than x86-64 and AArch64.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

from setuptools import Extension, setup

OLDEST = "0x030B0000"  # Python 3.11, as requires-python says
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
ABI3 = not FREE_THREADED and os.environ.get("SEGSCORE_ABI3", "1") != "0"

# Without symbols for debuggers, which CPython's own flags ask for, files are a fifth as large. A
# product and a sum are not joined into one rounding: numbers are the same on every machine.
EXACT = "-ffp-contract=off"
OPTIMISE = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0", EXACT]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
if os.environ.get("SEGSCORE_SANITIZE"):
    OPTIMISE = ["-O1", "-g", "-fno-omit-frame-pointer", EXACT, *SANITIZE]
MACROS = [("Py_LIMITED_API", OLDEST)] if ABI3 else []
if os.environ.get("SEGSCORE_NO_VECTORS"):
    MACROS = [*MACROS, ("SEGSCORE_NO_VECTORS", "1")]


def check_compiler() -> None:
    """Stop at once, in one line, where kernels cannot be compiled."""
    wanted = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if sys.platform != "win32" and shutil.which(wanted.split()[0]) is None:
        sys.exit(
            f"segscore: its sources are compiled with {wanted.split()[0]!r}, which is not "
            "installed. Install a C compiler (Debian, Ubuntu: apt install gcc python3-dev; macOS: "
            "xcode-select --install)."
        )


def description() -> str:
    """The README, its links made absolute for the registry's page, if our address is known."""
    text = Path("README.md").read_text(encoding="utf-8")
    settings = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    home = settings["project"].get("urls", {}).get("Repository")
    if home is None:
        return text
    return re.sub(r"\]\((?!https?:|#)", f"]({home.rstrip('/')}/blob/main/", text)


# Metadata and source archives need no compiled kernel, and should not wait for one.
COMMANDS = {"build", "build_ext", "bdist_wheel", "editable_wheel", "develop", "install"}
BUILDING = bool(COMMANDS & {*sys.argv})

KERNELS = Path("src/segscore/_kernels")
# What Cython writes for every module alike (memoryviews) is compiled once, as a module of its own:
# half the code, a third of the time.
SHARED = "segscore._kernels._cyutility"
DIRECTIVES = {"freethreading_compatible": True}


def kernel(name: str, source: Path) -> Extension:
    """An extension of one source."""
    return Extension(
        name,
        [str(source)],
        depends=[str(header) for header in KERNELS.glob("*.h")],
        extra_compile_args=OPTIMISE,
        extra_link_args=SANITIZE if SANITIZE[0] in OPTIMISE else [],
        define_macros=MACROS,
        py_limited_api=ABI3,
    )


def translated(kernels: list[Extension]) -> list[Extension]:
    """The kernels in C, and what they share."""
    import Cython
    from Cython.Build import cythonize

    shared = KERNELS / "_cyutility.c"
    if not shared.exists() or f"Cython {Cython.__version__} " not in shared.read_text("utf-8")[:99]:
        directives = [f"--directive={name}={value}" for name, value in DIRECTIVES.items()]
        cython = [sys.executable, "-m", "cython", *directives, f"--generate-shared={shared}"]
        subprocess.run(cython, check=True)  # noqa: S603 (our own words)
    made = cythonize(
        kernels,
        include_path=["src"],
        compiler_directives=DIRECTIVES,
        shared_utility_qualified_name=SHARED,
    )
    return [*made, kernel(SHARED, shared)]


kernels = [kernel(f"segscore._kernels.{one.stem}", one) for one in sorted(KERNELS.glob("*.pyx"))]
if BUILDING:
    check_compiler()
    kernels = translated(kernels)

setup(
    long_description=description(),
    long_description_content_type="text/markdown",
    ext_modules=kernels,
    options={
        "build_ext": {"parallel": True},  # on all cores
        **({"bdist_wheel": {"py_limited_api": "cp311"}} if ABI3 else {}),
    },
)
