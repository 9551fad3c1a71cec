"""Chunkers side by side: averages, intervals and tests over questions in documents."""

import json
from pathlib import Path

import numpy as np
import pytest

import segscore as ss
from needs import needs
from segscore.cli import run
from segscore.metrics.base import ratio
from segscore.significance import resampling as sig

N_DOCUMENTS, SENTENCE = 8, 10


def sample(seed=0):
    """Texts of sentences of ten characters, questions about one or two of them, two chunkers."""
    rng = np.random.default_rng(seed)
    texts = {f"d{i}": "Abcdefgh. " * 40 for i in range(N_DOCUMENTS)}
    questions = []
    for name in texts:
        for _ in range(int(rng.integers(2, 6))):
            first = int(rng.integers(0, 38)) * SENTENCE
            questions.append({"question": f"q{len(questions)}", "document": name,
                              "evidence": [[first, first + SENTENCE * int(rng.integers(1, 3))]]})  # fmt: skip
    coarse = {name: [(i, i + 40) for i in range(0, 400, 40)] for name in texts}
    odd = {name: [(i, min(i + 35, 400)) for i in range(0, 400, 35)] for name in texts}
    return texts, questions, {"coarse": coarse, "odd": odd}


def test_letters_follow_the_tests_of_their_own_measure():
    """Chunks of 5 characters break every span, and lose nothing."""
    texts, questions, _ = sample()
    chunkers = {
        "one": {name: [(0, 400)] for name in texts},
        "tiny": {name: [(i, i + 5) for i in range(0, 400, 5)] for name in texts},
    }
    both = ss.chunks.compare(chunkers, questions, texts, n_resamples=500)
    assert {pair.metric: pair.significant for pair in both.pairs}["whole"]
    assert [both[name, "whole"].letters for name in chunkers] == ["a", "b"]
    assert [both[name, "lost"].letters for name in chunkers] == ["a", "a"]


def test_documents_are_drawn_with_all_their_questions():
    texts, questions, chunkers = sample()
    both = ss.chunks.compare(chunkers, questions, texts, n_resamples=500, rng=3)
    rows = [np.zeros((N_DOCUMENTS, 2)) for _ in chunkers]
    for table, chunks in zip(rows, chunkers.values(), strict=True):
        scores = ss.chunks.evidence(chunks, questions, texts)
        np.add.at(table, [int(q["document"][1:]) for q in questions], scores.rows["whole"])
        alone = scores.intervals(n_resamples=500, rng=3)["whole"]
        assert alone[:2] == pytest.approx(
            (both[scores_name(chunkers, chunks), "whole"].low,
             both[scores_name(chunkers, chunks), "whole"].high)
        )  # fmt: skip

    def share(sums):
        return ratio(sums[:, 0].copy(), sums[:, 1].copy())

    made = sig.bootstrap_interval(rows[0], share, n_resamples=500, seed=3)
    assert (both["coarse", "whole"].low, both["coarse", "whole"].high) == pytest.approx(made[:2])
    (p,) = sig.randomisations([(np.stack(rows, axis=1), share)], [(0, 1)], n_resamples=500, seed=3)
    pair = next(pair for pair in both.pairs if pair.metric == "whole")
    assert pair.p == pytest.approx(p[0])
    assert both.n_drawn == N_DOCUMENTS
    by_question = ss.chunks.compare(chunkers, questions, texts, cluster="question", n_resamples=200)
    assert by_question.n_drawn == len(questions)


def scores_name(chunkers, chunks):
    return next(name for name, own in chunkers.items() if own is chunks)


def test_one_document_has_no_interval_and_says_so():
    texts, questions, chunkers = sample()
    asked = [question for question in questions if question["document"] == "d0"]
    own = {name: {"d0": chunks["d0"]} for name, chunks in chunkers.items()}
    both = ss.chunks.compare(own, asked, {"d0": texts["d0"]}, n_resamples=200)
    assert np.isnan(both["odd", "whole"].low)
    assert np.isnan(both.pairs[0].p)
    assert any("one document" in warning for warning in both.warnings)
    assert any('cluster="question"' in warning for warning in both.warnings)


@needs("dataframes")
def test_tables_have_both_averages():
    texts, questions, chunkers = sample()
    fetched = {name: [[(q["document"], 0)] for q in questions] for name in chunkers}
    both = ss.chunks.compare(chunkers, questions, texts, fetched, 1, n_resamples=200)
    rows = both.to_dicts()
    assert [row["measure"] for row in rows[::2]] == both.metrics
    for row in rows:
        averages = both.scores[row["chunker"]].values[row["measure"]]
        for name in ("pooled", "mean"):
            assert row[name] == pytest.approx(float(getattr(averages, name)), nan_ok=True)
    assert "odd" in both.verdict[0]
    assert "system" not in both.summary()
    first, *others = both.scores.values()
    assert len(first.curve_table(*others).records()) == 2
    assert len(first.questions_table(*others).records()) == 2 * len(questions)
    cut = first.cut_table(*others).records()
    assert {row["chunker"] for row in cut} == {"coarse", "odd"}
    assert len(both.to_pandas()) == len(rows)


# ---- the command ----


def test_gate(tmp_path, monkeypatch, capsys):
    texts, questions, chunkers = sample()
    monkeypatch.chdir(tmp_path)
    Path("texts").mkdir()
    for name, text in texts.items():
        Path("texts", f"{name}.txt").write_text(text)
    Path("q.jsonl").write_text("\n".join(map(json.dumps, questions)))
    for name, chunks in chunkers.items():
        lines = [json.dumps({"document": d, "offsets": own}) for d, own in chunks.items()]
        Path(f"{name}.jsonl").write_text("\n".join(lines))
    command = ["chunks", "texts", "coarse.jsonl", "odd.jsonl", "--questions", "q.jsonl"]
    command += ["--resamples", "200"]
    assert run([*command, "--fail-under", "whole=0.1", "--fail-over", "lost=0.5"]) == 0
    for average in ("pooled", "mean"):
        assert run([*command, "--fail-under", "whole=0.99", "--average", average]) == 1
        failed = capsys.readouterr().err
        assert f"coarse: whole ({average}) is" in failed
        assert f"odd: whole ({average}) is" in failed
