"""Run the kernels of 64-bit ARM, with their NEON instructions, where there is no such machine.

    python tools/machines/aarch64.py FOLDER        (make neon)

Zig's compiler builds the kernels, QEMU runs Debian's Python for arm64 with the registry's wheels of
NumPy and SciPy, and in it the results of results.py, which are compared with native ones, then the
tests of kernels against their oracles. FOLDER keeps what is fetched and built; nothing is installed
on the system. Debian's `qemu-user-static` and `dpkg` must be there.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from compiling import KERNELS, SOURCE, run, translated, zig_python

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
QEMU = "qemu-aarch64-static"
NEEDED = (QEMU, "dpkg", "apt-get")
PYTHON = "3.11"  # of Debian 12
DEBIAN = (
    f"python{PYTHON}-minimal", f"libpython{PYTHON}-minimal", f"libpython{PYTHON}-stdlib", "libc6",
    "zlib1g", "libexpat1", "libgcc-s1", "libcrypt1", "libssl3", "libffi8", "libbz2-1.0",
    "liblzma5", "libuuid1", "libstdc++6",
)  # fmt: skip
WHEELS = ("numpy", "scipy", "pytest", "hypothesis", "typer", "rich", "snowballstemmer")
FLAGS = ["-shared", "-O3", "-g0", "-ffp-contract=off", "-fPIC", "-DPy_LIMITED_API=0x030B0000"]
IN_USE = """from segscore._kernels import one_pass, sums
print(one_pass.bits_in_use(), sums.vectors_in_use())"""
TESTS = ("lanes", "sums", "ratios", "one_pass", "drawing")


def system(folder: Path) -> Path:
    """Debian's Python for arm64 with its libraries, unpacked; apt's settings stay as they are."""
    root, state = folder / "root", folder / "apt"
    if not (root / "unpacked").exists():
        root.mkdir(parents=True, exist_ok=True)
        for name in ("lists/partial", "archives/partial"):
            (state / name).mkdir(parents=True, exist_ok=True)
        apt = (
            "apt-get", "-q", "-o", "APT::Architecture=arm64", "-o", "APT::Architectures=arm64",
            "-o", f"Dir::State={state}", "-o", f"Dir::State::lists={state / 'lists'}",
            "-o", f"Dir::Cache={state}", "-o", "Dir::State::status=/dev/null",
            "-o", "APT::Sandbox::User=root",
        )  # fmt: skip
        run(*apt, "update")
        run(*apt, "download", *DEBIAN, cwd=folder)
        for package in folder.glob("*_arm64.deb"):
            run("dpkg", "-x", package, root)
        (root / "unpacked").touch()
    return root


def packages(folder: Path) -> Path:
    """The wheels for arm64 that tests need."""
    site = folder / "site"
    if not (site / "fetched").exists():
        platforms = [f"--platform=manylinux_2_{minor}_aarch64" for minor in (28, 27, 17)]
        only = ("--only-binary=:all:", f"--python-version={PYTHON}", "--target", site)
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        run(*pip, *platforms, "--platform=manylinux2014_aarch64", *only, *WHEELS)
        (site / "fetched").touch()
    return site


def built(folder: Path) -> Path:
    """Segscore with kernels for arm64."""
    package = folder / "package"
    shutil.rmtree(package, ignore_errors=True)
    ignored = shutil.ignore_patterns("*.so", "*.c", "__pycache__")
    shutil.copytree(SOURCE / "segscore", package / "segscore", ignore=ignored)
    zig, place = zig_python(folder), package / "segscore" / "_kernels"
    includes = [f"-I{path}" for path in (sysconfig.get_paths()["include"], SOURCE, KERNELS)]
    compiler = (zig, "-m", "ziglang", "cc", "-target", "aarch64-linux-gnu.2.28", *FLAGS, *includes)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [
            pool.submit(run, *compiler, source, "-o", place / f"{source.stem}.abi3.so")
            for source in translated()
        ]
        for job in jobs:
            job.result()
    print(f"{len(jobs)} kernels for arm64")
    return package


def compare(python: tuple[str | Path, ...]) -> bool:
    """Whether all results are those of this machine."""
    native = run(sys.executable, HERE / "results.py").splitlines()
    found = run(*python, HERE / "results.py").splitlines()
    same = sum(line in native for line in found[1:])
    print(f"{found[0][2:]}, under QEMU: {same} of {len(native) - 1} hashes as native")
    return same == len(native) - 1


def main() -> int:
    """0 if NEON is in use, and computes what this machine does and what the oracles say."""
    missing = [program for program in NEEDED if shutil.which(program) is None]
    if missing:
        print(f"Skipped: {', '.join(missing)} is missing (Debian: apt install qemu-user-static).")
        return 0
    folder = Path(sys.argv[1]).resolve()
    root, site, package = system(folder), packages(folder), built(folder)
    path = f"PYTHONPATH={package}:{site}:{ROOT / 'tests'}:{ROOT}"
    python = (QEMU, "-L", root, "-E", path, root / f"usr/bin/python{PYTHON}")
    if run(*python, "-c", IN_USE).split() != ["True", "True"]:
        sys.exit("The kernels for arm64 do not use NEON.")
    same = compare(python)
    tests = [ROOT / "tests" / "kernels" / f"test_{name}.py" for name in TESTS]
    command = (*python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    tested = subprocess.run([*map(str, command)], cwd=ROOT, check=False)
    return int(not same or tested.returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
