"""What needs an extra says which, in the same words everywhere; nothing else needs one."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from segscore.io import replacing
from segscore.metrics.segment_matching import TitleMatch, _rouge_scorer
from segscore.significance import classical

UNITS = ["It rains all day.", "It pours.", "Cats purr."]
TITLED = ss.Segmentation.from_masses([2, 1], segment_labels=["Heavy rain", "Cats"])


class Arrow:
    """A frame of some other library."""

    def __arrow_c_stream__(self) -> object:
        raise AssertionError("pyarrow is looked for first")


def result() -> Any:
    return ss.score([[2, 1]], [[3]], metrics="b", encoding="masses")


def read(path: Path) -> Any:
    path.write_bytes(b"x")
    return ss.read(path)


def compress(path: Path) -> None:
    with replacing(path):
        pass


NEEDED: list[tuple[str, str, str, Callable[[Path], Any]]] = [
    ("pandas", "dataframes", "pandas", lambda _: result().to_pandas()),
    ("polars", "dataframes", "Polars", lambda _: result().to_polars()),
    ("pyarrow", "arrow", "frame", lambda _: ss.Result.from_sums(Arrow())),
    ("pyarrow", "arrow", "frame", lambda _: ss.score_frame(Arrow(), "r", "h")),
    ("pyarrow", "arrow", "frame", lambda _: ss.Corpus.from_frame(Arrow(), coding="masses")),
    ("pyarrow", "arrow", "x.parquet", lambda folder: read(folder / "x.parquet")),
    ("defusedxml", "readers", "x.eaf", lambda folder: read(folder / "x.eaf")),
    ("zstandard", "zstd", "x.csv.zst", lambda folder: read(folder / "x.csv.zst")),
    ("zstandard", "zstd", "/x.csv.zst needs", lambda folder: compress(folder / "x.csv.zst")),
    (
        "xlsxwriter", "excel", "s.xlsx",
        lambda folder: ss.pages.sheet({"d": UNITS}, folder / "s.xlsx", coders=["a"]),
    ),
    ("scikit_posthocs", "stats", "rank", lambda _: classical.friedman_pairs([[1, 2], [3, 5]])),
    ("rapidfuzz", "align", "words", lambda _: ss.corpus.align(UNITS, UNITS[::-1], TITLED)),
    ("rouge_score", "titles", "ROUGE", lambda _: TitleMatch(similarity="rouge-l")(TITLED, TITLED)),
]  # fmt: skip


@pytest.mark.parametrize(("package", "extra", "token", "call"), NEEDED)
def test_a_missing_package_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, extra: str, token: str, call: Any
) -> None:
    monkeypatch.setitem(sys.modules, "compression", None)
    for module in {package} | {name for name in sys.modules if name.startswith(f"{package}.")}:
        monkeypatch.setitem(sys.modules, module, None)
    _rouge_scorer.cache_clear()
    with pytest.raises(ss.SegmentationError) as raised:
        call(tmp_path)
    message = str(raised.value)
    assert token in message
    assert f"needs {package}: pip install 'segscore[{extra}]'" in message


@pytest.mark.parametrize(
    ("package", "extra", "code"),
    [
        ("matplotlib", "plot", "import segscore.plot"),
        ("torch", "adapters", "import segscore.adapters.torchmetrics"),
        ("evaluate", "adapters", "import segscore.adapters.evaluate"),
        ("inspect_ai", "adapters", "import segscore.adapters.inspect"),
    ],
)
def test_a_module_says_which_extra_it_needs(package: str, extra: str, code: str) -> None:
    whole = f"import sys; sys.modules[{package!r}] = None\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", whole], capture_output=True, text=True, check=False
    )
    assert f"needs {package}: pip install 'segscore[{extra}]'" in done.stderr


def test_an_answer_that_needs_a_package_is_a_failure_and_the_others_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in {"rapidfuzz", *(name for name in sys.modules if name.startswith("rapidfuzz."))}:
        monkeypatch.setitem(sys.modules, module, None)
    answers = {
        "a": "I'm sorry, I cannot do that.",
        "b": "As an AI model, I can't.",
        "c": json.dumps(UNITS[::2]),
        "d": '["It rains all day!", "Cats do purr."]',
    }
    units = {"a": ["Hi.", "Bye."], "b": UNITS * 40, "c": UNITS, "d": UNITS}
    read = ss.answers.read(answers, units, shape="quotations")
    assert list(read) == ["c"]
    assert all("a refusal" in read.failures[name] for name in "ab")
    assert "segscore[align]" in read.failures["d"]
