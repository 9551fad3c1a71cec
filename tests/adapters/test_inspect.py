"""Answers of models scored in inspect_ai: the real package, a mock of a model, no network."""

import importlib.util
import math
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import segscore as ss

pytest.importorskip("inspect_ai", reason="needs inspect_ai: runs with --adapters")
pytestmark = [pytest.mark.adapters, pytest.mark.filterwarnings("default")]

POEM = Path(__file__).parents[2] / "examples" / "inspect_poem.py"
ANSWERS = [f'{{"starts": [0, {n}, {n + 9}, 36]}}' for n in range(3, 16)]
ANSWERS += ["I'm sorry, I cannot do that.", "[0, 5]", "[0, 99]", "[1]", "[0, 11, 30, 36]"]


def evaluated(folder: Path, answers: list[str], task: Any = None, **options: Any) -> Any:
    from inspect_ai import eval as evaluate
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    if task is None:
        spec = importlib.util.spec_from_file_location("poem", POEM)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        task = module.kubla_khan()
    outputs = [ModelOutput.from_content("mock", answer) for answer in answers]
    for output in outputs:  # without it, mockllm fetches a tokeniser to count it
        output.usage = ModelUsage()
    model = get_model("mockllm/model", custom_outputs=outputs)
    (log,) = evaluate(
        task, model=model, log_dir=str(folder), display="none", max_samples=1, **options
    )
    assert log.status == "success", log.error
    return log


def numbers(log: Any) -> dict[str, float]:
    (score,) = log.results.scores
    return {name: metric.value for name, metric in score.metrics.items()}


def as_scored(log: Any, metrics: list[str]) -> tuple[Any, Any]:
    """The references and the answers of all samples and epochs, read by `answers.read`."""
    people = ss.datasets.load("kubla_khan")["kubla_khan"]
    refs, texts = {}, {}
    for sample in log.samples:
        name = f"{sample.id}, {sample.epoch}"
        refs[name] = people[sample.id.removeprefix("reader ")]
        texts[name] = sample.output.completion
    hyps = ss.answers.read(texts, dict.fromkeys(texts, 54), shape="starts", base=0)
    return refs, hyps


def test_the_log_has_averages_over_samples_and_epochs(tmp_path: Path) -> None:
    log = evaluated(tmp_path, ANSWERS, epochs=2)
    found = numbers(log)
    refs, hyps = as_scored(log, ["windowdiff", "b"])
    expected = ss.score(refs, hyps, ["windowdiff", "b"], missing="none")
    for name in ("windowdiff", "b"):
        assert found[name] == pytest.approx(float(expected[name].micro), abs=1e-12)
        assert found[f"{name}/macro"] == pytest.approx(float(expected[name].macro), abs=1e-12)
        assert found[f"{name}/low"] < found[name] < found[f"{name}/high"]
    assert found["failed"] == pytest.approx(3 / 18)
    failed = [each for each in log.samples if each.scores["segmentation"].explanation]
    assert len(failed) == len(hyps.failures) == 3


def test_the_interval_is_that_of_a_comparison(tmp_path: Path) -> None:
    log = evaluated(tmp_path, ANSWERS[:9])
    refs, hyps = as_scored(log, ["b"])
    entry = ss.compare(refs, systems={"model": hyps}, metrics=["b"], baselines=False)["model", "b"]
    found = numbers(log)
    assert (found["b/low"], found["b/high"]) == pytest.approx((entry.low, entry.high), abs=1e-12)


def test_parts_undefined_values_and_the_worst(tmp_path: Path) -> None:
    from inspect_ai import Task
    from inspect_ai.solver import generate

    from segscore.adapters.inspect import samples, segmentation

    cut, units = ss.Segmentation.from_masses, {name: list("123456") for name in "ab"}
    corpus = ss.Corpus.from_dict({"a": {"x": cut([6])}, "b": {"x": cut([2, 4])}}, units=units)
    scorer = segmentation(["f1", "f1.precision"], shape="starts", base=0, missing="worst")
    task = Task(dataset=samples(corpus), solver=generate(), scorer=scorer)
    found = numbers(evaluated(tmp_path, ["[0]", "no"], task))
    assert (found["f1"], found["f1.precision"]) == (0, pytest.approx(math.nan, nan_ok=True))
    assert found["failed"] == 0.5
    with pytest.raises(ss.SegmentationError, match="document 'a' has 1 codings and no text"):
        samples(ss.Corpus.from_dict({"a": {"x": cut([6])}}))


def test_inspect_ai_finds_the_scorer_by_its_name() -> None:
    (entry,) = [each for each in entry_points(group="inspect_ai") if each.name == "segscore"]
    assert entry.value == "segscore.adapters.inspect"
