"""What has to hold before a release is tagged; `make release-check` runs it.

    python tools/release_check.py [--quick]

Versions and dates agree; lint, documentation and tests pass; source archive and wheel build; twine
and abi3audit find nothing; the wheel, installed into an empty environment of each Python that is
found, passes the suite; and the installed size of each package is printed. `--quick` leaves out
lint, documentation and tests.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")
MOST_MEGABYTES = 7  # of our own installed package, without bytecode
LIGHT = {"numpy"}  # what `import segscore` may load beside the standard library


def main() -> int:
    """Each check in turn; the first that fails ends the run."""
    quick = "--quick" in sys.argv[1:]
    check_versions()
    check_links()
    if not quick:
        run("make", "lint")
        run("make", "docs")
        run("make", "test")
    with tempfile.TemporaryDirectory(prefix="segscore-release-") as folder:
        wheel = build(Path(folder))
        for python in PYTHONS:
            found = shutil.which(python)
            works = (
                found
                and not subprocess.run(
                    [found, "-c", ""], check=False, capture_output=True
                ).returncode
            )
            if not works:
                say(f"{python}: not on this machine, not tried")
                continue
            try_wheel(str(found), wheel, Path(folder), quick)
    check_address()  # last: all else can be tried without it
    say("release check: all passed")
    return 0


def say(text: str) -> None:
    """One line, at once."""
    print(text, flush=True)


def fail(text: str) -> None:
    """End with the reason."""
    sys.exit(f"release check: {text}")


def run(*command: str, cwd: Path = ROOT) -> None:
    """A command that has to succeed."""
    say(f"$ {' '.join(command)}")
    if subprocess.run(command, cwd=cwd, check=False).returncode:
        fail(f"failed: {' '.join(command)}")


def check_versions() -> None:
    """Package, citation and changelog speak of one version, and the changelog has a date for it."""
    text = (ROOT / "src/segscore/_version.py").read_text(encoding="utf-8")
    version = text.partition('__version__ = "')[2].partition('"')[0]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    if f"version: {version}\n" not in citation:
        fail(f"CITATION.cff does not say version {version}")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$", changelog, re.MULTILINE):
        fail(f"CHANGELOG.md has no heading '## {version} (YYYY-MM-DD)'")
    recipe = (ROOT / "packaging/conda/recipe.yaml").read_text(encoding="utf-8")
    if f'version: "{version}"' not in recipe:
        fail(f"packaging/conda/recipe.yaml does not say version {version}")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = sorted(each.replace(">=", " >=") for each in project["dependencies"])
    listed = re.findall(r"^    - (\S+ >=\S+)$", recipe.partition("  run:")[2], re.MULTILINE)
    if sorted(each for each in listed if not each.startswith("python ")) != wanted:
        fail("packaging/conda/recipe.yaml has other dependencies than pyproject.toml")
    say(f"version {version}: package, citation, changelog and recipe agree")


def check_links() -> None:
    """Relative links of README exist; the registry's page needs the address of the repository."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", readme):
        if not (ROOT / link).exists():
            fail(f"README.md links to {link}, which does not exist")


def check_address() -> None:
    """The repository has an address, in the two places where only its owner can fill it in."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    if "Repository" not in project.get("urls", {}) or "\nrepository-code: " not in citation:
        fail(
            "no address of the repository: add [project.urls] Repository to pyproject.toml, and "
            "repository-code to CITATION.cff"
        )


def build(folder: Path) -> Path:
    """Source archive and wheel, as clean tools see them."""
    run(sys.executable, "-m", "build", "--outdir", str(folder / "dist"))
    dist = sorted((folder / "dist").iterdir())
    run(sys.executable, "-m", "twine", "check", "--strict", *map(str, dist))
    [wheel] = (file for file in dist if file.suffix == ".whl")
    if "abi3" in wheel.name:
        run(sys.executable, "-m", "abi3audit", "--strict", str(wheel))
    say(f"{wheel.name}: {wheel.stat().st_size / 2**20:.1f} MB")
    return wheel


def try_wheel(python: str, wheel: Path, folder: Path, quick: bool) -> None:
    """Install the wheel into an empty environment, look at what it brought, run the suite."""
    place = folder / Path(python).name
    run(python, "-m", "venv", str(place))
    inside = str(place / "bin" / "python")
    pip = (inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, str(wheel))
    run(inside, str(Path(__file__).resolve()), "--sizes", cwd=folder)
    if not quick:
        run(*pip, "pip>=25.1")  # which knows groups
        run(*pip, f"{wheel}[all]", "--group", f"{ROOT / 'pyproject.toml'}:test")
        run(inside, str(ROOT / "tools" / "test_installed.py"), "-q")


def sizes() -> int:
    """Inside an environment: what each package takes, and what `import segscore` loads."""
    total = 0.0
    for package in sorted(metadata.distributions(), key=lambda package: package.name.lower()):
        if package.name.lower() in ("pip", "setuptools", "wheel"):
            continue
        files = package.files or []
        paths = (Path(str(file.locate())) for file in files if file.suffix != ".pyc")
        size = sum(path.stat().st_size for path in paths if path.is_file())
        total += size
        say(f"  {package.name:<20}{size / 2**20:8.1f} MB")
        if package.name == "segscore" and size > MOST_MEGABYTES * 2**20:
            fail(f"segscore takes more than {MOST_MEGABYTES} MB")
    say(f"  {'all':<20}{total / 2**20:8.1f} MB")
    import segscore  # noqa: F401

    heavy = {name.partition(".")[0] for name in sys.modules} & {
        "scipy", "typer", "rich", "click", "jinja2", "snowballstemmer", "pandas", "polars",
        "matplotlib",
    }  # fmt: skip
    if heavy - LIGHT:
        fail(f"import segscore loads {', '.join(sorted(heavy))}")
    return 0


if __name__ == "__main__":
    sys.exit(sizes() if "--sizes" in sys.argv[1:] else main())
