"""Compile every kernel in `src/segscore/_kernels`; all other settings stand in pyproject.toml.

With SEGSCORE_SANITIZE in the environment (see `make sanitize`) kernels stop at the first access
outside of their memory and at the first undefined behaviour.
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

# Without symbols for debuggers, which CPython's own flags ask for, files are a fifth as large.
OPTIMISE = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
if os.environ.get("SEGSCORE_SANITIZE"):
    OPTIMISE = ["-O1", "-g", "-fno-omit-frame-pointer", *SANITIZE]

kernels = [
    Extension(
        f"segscore._kernels.{source.stem}",
        [str(source)],
        extra_compile_args=OPTIMISE,
        extra_link_args=SANITIZE if SANITIZE[0] in OPTIMISE else [],
    )
    for source in sorted(Path("src/segscore/_kernels").glob("*.pyx"))
]

setup(
    ext_modules=cythonize(kernels, include_path=["src"]),
    options={"build_ext": {"parallel": True}},  # on all cores
)
