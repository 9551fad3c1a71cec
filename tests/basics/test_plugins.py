"""Metrics, readers and segmenters of another package, which is built and installed here."""

import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import segscore as ss
from command_line import segscore
from segscore.basics import user_functions as plugins
from segscore.io import format as registry
from segscore.metrics import names
from segscore.segmenters import by_name

EXAMPLE = Path(__file__).parents[1] / "plugin_example"
CACHES = (names.all_metrics, names._read, registry.all_formats, by_name.all_segmenters)


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example package, installed as pip installs any package."""
    folder = tmp_path_factory.mktemp("plugin")
    source = folder / "source"
    shutil.copytree(EXAMPLE, source)  # building leaves files behind
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps",
         "--no-index", "--disable-pip-version-check", "--target", folder / "site", source],
        check=True,
    )  # fmt: skip
    return folder / "site"


@pytest.fixture
def installed(target: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package can be imported, and nobody has looked for plug-ins yet."""
    monkeypatch.syspath_prepend(target)
    for cache in CACHES:
        cache.cache_clear()
    yield target
    for cache in CACHES:
        cache.cache_clear()


def quiet(call: object) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", plugins.PluginWarning)
        return call()  # type: ignore[operator]


@pytest.mark.usefixtures("installed")
def test_a_metric_is_found_by_name_and_broken_ones_are_warnings() -> None:
    with pytest.warns(plugins.PluginWarning) as caught:
        found = ss.metric("count-error(power=2)")
    assert str(found) == "count-error(power=2)"
    assert found == ss.metric(found.signature())
    texts = sorted(str(warning.message) for warning in caught)
    left_out = ["B", "breaks", "no-metric", "no-such-module", "windowdiff"]
    assert [text.split("'")[1] for text in texts] == left_out
    assert all("of package 'segscore-example'" in text for text in texts)
    assert ss.metric("windowdiff") == ss.WindowDiff()
    assert ss.metric("Count-Error") == ss.metric("count-error")
    with pytest.raises(ss.SegmentationError, match="did you mean 'count-error'"):
        ss.metric("count-eror")


@pytest.mark.usefixtures("installed")
def test_a_metric_scores_as_ours_do() -> None:
    cut = ss.Segmentation.from_masses
    refs, hyps = [cut([2, 3, 6]), cut([4, 4])], [cut([5, 6]), cut([4, 4])]
    result = quiet(lambda: ss.score(refs, hyps, ["count-error", "windowdiff"]))
    assert result["count-error"].micro == 0.2  # type: ignore[index]
    found = quiet(lambda: ss.compare(dict(zip("ab", refs, strict=True)), systems={
        "x": dict(zip("ab", hyps, strict=True))}, metrics="count-error", n_resamples=100))  # fmt: skip
    assert found["x", "count-error"].value == 0.2  # type: ignore[index]


def test_our_own_names_cost_no_search(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "load_plugins", None)
    monkeypatch.setattr(by_name, "load_plugins", None)
    monkeypatch.setattr(registry, "load_plugins", None)
    file = installed.parent / "a.jsonl"
    file.write_text(json.dumps({"document": "d", "coder": "c", "masses": [2, 3]}) + "\n")
    assert ss.metric("wd(k=4)").name == "windowdiff"
    assert by_name.segmenter_named("c99").name == "c99"  # type: ignore[attr-defined]
    assert list(ss.read(file)) == ["d"]


@pytest.mark.usefixtures("installed")
def test_a_reader_is_found_by_name_suffix_and_content(tmp_path: Path) -> None:
    folder = tmp_path / "codings"
    folder.mkdir()
    (folder / "a.stars").write_text("*..*.\n*....\n")
    other = tmp_path / "a.unknown"
    other.write_text("*..*.\n")
    for path, name, form in (
        (folder / "a.stars", "1", None), (folder, "1", None), (other, "1", None),
        (other, "1", "stars"),
    ):  # fmt: skip
        assert ss.read(path, format=form)[name][
            "codings" if path == folder else "a"
        ].masses.tolist() == [3, 2]


@pytest.mark.usefixtures("installed")
def test_a_mistake_of_a_reader_names_it(tmp_path: Path) -> None:
    (tmp_path / "a.stars").write_text("*..*.\n*.x..\n")
    with pytest.raises(
        ss.SegmentationError, match=r"a.stars: reader 'stars' of package 'segscore-example' failed"
    ):
        ss.read(tmp_path / "a.stars")


@pytest.mark.usefixtures("installed")
def test_a_segmenter_is_found_by_name() -> None:
    found = by_name.segmenter_named("every(n=2)")
    assert found(["a", "b", "c", "d", "e"]).masses.tolist() == [2, 2, 1]
    with pytest.raises(ss.SegmentationError, match="parameter is called 'x'"):
        by_name.segmenter_named("every(x=2)")


def test_the_command_line_has_them_in_a_new_process(target: Path, tmp_path: Path) -> None:
    row = {"document": "1", "coder": "gold", "masses": [2, 3, 6]}
    (tmp_path / "ref.jsonl").write_text(json.dumps(row))
    (tmp_path / "hyp.stars").write_text("*....*.....\n")
    (tmp_path / "text.txt").write_text("A cat. A dog. A cow. A pig. A fox.")
    paths = [str(target), *sys.path]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "segscore", *arguments], cwd=tmp_path, env=environment,
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    done = run("score", "ref.jsonl", "hyp.stars", "-m", "count-error", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert re.search("'breaks'.*'segscore-example'", done.stderr)
    assert json.loads(done.stdout)[0]["micro"] == pytest.approx(1 / 3)
    done = run("segment", "text.txt", "--method", "every(n=2)")
    assert done.returncode == 0, done.stderr


@pytest.mark.usefixtures("installed")
def test_a_mistake_in_a_metric_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.stars").write_text("*..*.\n")
    done = segscore("score", "a.stars", "a.stars", "-m", "count-error(power=x)", cwd=tmp_path)
    assert done.returncode == 2
    assert re.search("'segscore_example'", done.stderr.splitlines()[-1])
