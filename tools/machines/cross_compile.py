"""Compile every kernel for machines and systems that we do not have, with Clang as Zig ships it.

    python tools/machines/cross_compile.py FOLDER [TARGET…]        (make cross)

It proves that sources compile (all of them, without a warning that is an error elsewhere), not that
they run; webassembly.py and aarch64.py beside it do that. FOLDER keeps the compiler. Python's
headers are those of this Python; only `pyconfig.h`, which says how large types are, is written here
for systems where they are different.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from compiling import KERNELS, translated, zig_python

FLAGS = ["-O2", "-g0", "-ffp-contract=off", "-DPy_LIMITED_API=0x030B0000"]

# The number of bytes of long, void * and wchar_t. None: as on a 64-bit Linux.
SIZES: dict[str, tuple[int, int, int] | None] = {
    "x86_64-windows-gnu": (4, 8, 2),
    "aarch64-linux-gnu": None,
    "aarch64-macos": None,
    "riscv64-linux-musl": None,
    "powerpc64le-linux-musl": None,
    "wasm32-wasi": (4, 4, 4),
}


def pyconfig(target: str, sizes: tuple[int, int, int]) -> str:
    """What Python's headers ask about a system, as far as extensions need it."""
    long, pointer, character = sizes
    lines = [
        f"#define SIZEOF_LONG {long}", f"#define SIZEOF_VOID_P {pointer}",
        f"#define SIZEOF_SIZE_T {pointer}", f"#define SIZEOF_WCHAR_T {character}",
        "#define SIZEOF_INT 4", "#define SIZEOF_SHORT 2", "#define SIZEOF_LONG_LONG 8",
        "#define SIZEOF_FLOAT 4", "#define SIZEOF_DOUBLE 8", "#define SIZEOF_TIME_T 8",
        "#define SIZEOF_FPOS_T 8", "#define SIZEOF_OFF_T 8", "#define SIZEOF_PID_T 4",
        "#define HAVE_STDINT_H 1", "#define HAVE_INTTYPES_H 1", "#define WITH_THREAD 1",
        "#define ALIGNOF_SIZE_T SIZEOF_SIZE_T", "#define ALIGNOF_LONG SIZEOF_LONG",
    ]  # fmt: skip
    if "windows" in target:
        lines += ["#define MS_WINDOWS 1", "#define MS_WIN64 1", "#define NT_THREADS 1"]
        lines += ["#define HAVE_PY_SSIZE_T 1", "typedef long long Py_ssize_t;"]
        lines += ["#define PY_SSIZE_T_MAX 9223372036854775807LL"]
    else:
        lines += ["#define HAVE_SSIZE_T 1", "#define HAVE_PTHREAD_H 1", "#define HAVE_UNISTD_H 1"]
    return "\n".join(lines) + "\n"


def headers(target: str, folder: Path) -> Path:
    """Python's headers for a target: a copy, because they look for pyconfig.h beside themselves."""
    place = folder / target
    shutil.copytree(sysconfig.get_paths()["include"], place)
    sizes = SIZES[target]
    if sizes is not None:
        (place / "pyconfig.h").write_text(pyconfig(target, sizes), encoding="utf-8")
    return place


def compile_kernel(zig: Path, target: str, source: Path, place: Path) -> str:
    """What the compiler says against a kernel; "" if it compiles."""
    includes = [f"-I{folder}" for folder in (place, KERNELS.parents[1], KERNELS)]
    made = ["-c", str(source), "-o", str(place / f"{source.stem}.o")]
    command = [zig, "-m", "ziglang", "cc", "-target", target, *FLAGS, *includes, *made]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stderr[-2000:] or "the compiler failed") if done.returncode else ""


def compile_all(zig: Path, target: str) -> int:
    """Compile all kernels for a target; the number that failed."""
    sources = translated()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        place = headers(target, Path(folder))
        complaints = list(
            pool.map(lambda source: compile_kernel(zig, target, source, place), sources)
        )
    for source, words in zip(sources, complaints, strict=True):
        if words:
            print(f"{target}, {source.name}:\n{words}")
    failed = sum(map(bool, complaints))
    print(f"{target}: {len(sources) - failed} of {len(sources)} kernels compile")
    return failed


def main() -> int:
    """0 if all kernels compile for all targets."""
    zig = zig_python(Path(sys.argv[1]).resolve())
    return int(sum(compile_all(zig, target) for target in sys.argv[2:] or SIZES) > 0)


if __name__ == "__main__":
    sys.exit(main())
