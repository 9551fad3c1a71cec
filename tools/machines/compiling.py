"""What the tools of this folder share: programs that are run, Zig's compiler, kernels in C."""

import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src"
KERNELS = SOURCE / "segscore" / "_kernels"
ZIG = "ziglang==0.15.2"  # Clang for many machines, in one package of the registry


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """What a program prints. If it fails, the end of its complaints ends this program."""
    words = [*map(str, command)]
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        output = (done.stdout + done.stderr)[-3000:]
        sys.exit(f"{' '.join(words[:4])} … failed:\n{output}")
    return done.stdout


def zig_python(folder: Path) -> Path:
    """A Python that has Zig's compiler, in an environment of its own that is made once."""
    python = folder / "zig" / "bin" / "python"
    if not (folder / "zig" / "fetched").exists():
        run(sys.executable, "-m", "venv", folder / "zig")
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ZIG)
        (folder / "zig" / "fetched").touch()
    return python


def translated() -> list[Path]:
    """The kernels, translated to C."""
    sources = sorted(KERNELS.glob("*.c"))
    if not sources:
        sys.exit("No kernel is translated to C: run make install first.")
    return sources
