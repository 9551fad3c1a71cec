"""`segscore agree` gives the answer first: a verdict and the totals on one screen, whoever coded."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import segscore as ss
from command_line import segscore
from panels import NAMES, joined, panel
from segscore.coders.coefficients import BY_CHANCE, TABLES
from segscore.significance import resampling

LINES, COLUMNS = 30, 80


def long_names() -> ss.Corpus:
    """People and documents with long names, some of whom did not code everything."""
    people = panel(3, 12, 6, times={"eve": 4})
    return ss.Corpus.from_dict({
        f"interview with person number {i} on the second of May": {
            f"{coder} of the second group, room 12": coding
            for coder, coding in document.items()
            if coder != "bob" or i % 2
        }
        for i, document in enumerate(people.values())
    })  # fmt: skip


def labelled(n_documents: int = 8) -> ss.Corpus:
    rng = np.random.default_rng(5)
    names = np.array(["story", "talk", "end"])
    return ss.Corpus.from_dict({
        name: {
            coder: coding.with_segment_labels(rng.choice(names, len(coding.masses)).tolist())
            for coder, coding in document.items()
        }
        for name, document in panel(5, n_documents, 3).items()
    })  # fmt: skip


def ranked() -> ss.Corpus:
    rng = np.random.default_rng(7)
    return ss.Corpus.from_dict({
        name: {
            coder: ss.Segmentation.from_boundaries(
                coding.boundaries, coding.n_units, ranks=rng.integers(1, 3, len(coding.boundaries))
            )
            for coder, coding in document.items()
        }
        for name, document in panel(5, 6, 3).items()
    })  # fmt: skip


def grouped(n_groups: int) -> ss.Corpus:
    people = panel(2, 12, 4)
    groups = {name: f"group {i % n_groups}" for i, name in enumerate(people)}
    return people.with_details(groups=groups)


PANELS = {
    "two coders": lambda: panel(1, 12, 2),
    "six coders": lambda: panel(1, 12, 6),
    "thirty documents": lambda: panel(1, 30, 3),
    "one document": lambda: panel(1, 1, 4),
    "somebody deviates": lambda: panel(1, 12, 6, times={"eve": 5, "fay": 4, "ann": 0.1}),
    "labels": labelled,
    "levels": ranked,
    "two groups": lambda: grouped(2),
    "six groups": lambda: grouped(6),
    "long names": long_names,
    "some codings missing": lambda: joined(panel(1, 6, 4), panel(2, 6, 2, prefix="e")),
    "local names": lambda: ss.Corpus.from_dict(dict(panel(1, 6, 3).items()), coders="local"),
}


@pytest.mark.parametrize("name", PANELS)
def test_the_answer_fits_a_screen(name: str, tmp_path: Path) -> None:
    corpus = PANELS[name]()
    ss.write(corpus, tmp_path / "people.jsonl")
    done = segscore(
        "agree", tmp_path / "people.jsonl", "--draws", 50, "--no-check", columns=COLUMNS
    )
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert len(lines) <= LINES, done.stdout
    assert max(map(len, lines)) <= COLUMNS
    found = ss.agreement(ss.read(tmp_path / "people.jsonl"), draws=50)
    assert f"Corrected agreement is {found.corrected:.3f}" in lines[1]
    words = " ".join(done.stdout.split())
    assert f"{found.observed:.3f}" in words
    assert f"{found.chance:.3f}" in words
    contested = ss.coders.contested(corpus, None)
    assert f"Contested: {contested.n_all} places" in words
    assert "--per-document" in words
    if len(corpus) > 1:
        worst = min(found.documents.values(), key=lambda document: document.corrected)
        assert f"Lowest agreement: {worst.name[:10]}" in words


def test_those_who_deviate_are_named(tmp_path: Path) -> None:
    ss.write(PANELS["somebody deviates"](), tmp_path / "people.jsonl")
    text = segscore("agree", tmp_path / "people.jsonl", "--draws", 50, "--no-check").stdout
    found = ss.coders.who_deviates(ss.read(tmp_path / "people.jsonl"), draws=50).coders
    lower = [coder.name for coder in found if coder.ci.low > 0]
    assert lower
    assert re.search(rf"^{lower[0]}.* lowers? agreement \(by 0\.", text, re.M)
    assert "times as many boundaries" in text
    two = panel(1, 12, 2)
    assert "With two coders, neither can be said to deviate." in str(ss.agreement(two).summary())


def test_the_answer_takes_one_bootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ss.write(panel(1, 12, 4), tmp_path / "people.jsonl")
    calls, draw = [], resampling.bootstraps
    monkeypatch.setattr(resampling, "bootstraps", lambda *a, **k: calls.append(1) or draw(*a, **k))
    segscore("agree", tmp_path / "people.jsonl")
    assert calls == [1]


def test_many_coders_are_not_left_out_one_by_one() -> None:
    cut = ss.Segmentation.from_boundaries
    rng = np.random.default_rng(0)
    people = {f"c{i}": cut(np.flatnonzero(rng.random(29) < 0.2) + 1, 30) for i in range(41)}
    summary = ss.agreement(ss.Corpus.from_dict({"d": people}), draws=5).summary()
    assert summary.deviating is None
    assert "Who deviates is not looked for among more than 40 coders." in summary.verdict


def test_chance_is_told() -> None:
    """Codings at random: no verdict says that people agree."""
    rng = np.random.default_rng(0)
    cut = ss.Segmentation.from_boundaries
    codings = {
        f"d{i}": {coder: cut(np.flatnonzero(rng.random(49) < 0.1) + 1, 50) for coder in NAMES[:3]}
        for i in range(8)
    }
    verdict = ss.agreement(ss.Corpus.from_dict(codings), draws=200).summary().verdict[0]
    assert "no more than chance" in verdict
    none = ss.agreement(ss.Corpus.from_dict(codings), draws=0).summary()
    assert none.verdict[0].startswith("Observed agreement is 0.")
    assert "agreement by chance was not computed" in none.verdict[0]
    assert "random coders" not in str(none)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    ss.write(grouped(2), tmp_path / "people.jsonl")
    return tmp_path / "people.jsonl"


def test_a_line_per_document_is_asked_for(people: Path) -> None:
    usual = ("agree", people, "--draws", 20, "--no-check")
    assert not re.search(r"^d11 ", segscore(*usual).stdout, re.M)
    long = segscore(*usual, "--per-document").stdout
    assert long.startswith("Agreement: 4 coders, 12 documents")
    assert re.search(r"^d11 ", long, re.M)
    rows = json.loads(segscore(*usual, "--per-document", "-f", "json").stdout)
    assert [row["name"] for row in rows][-1] == "all"
    by_window = segscore("agree", people, "--no-check", "-m", "wd", "--per-document").stdout
    assert by_window.startswith("Pairs of coders\nPairs of coders reach 0.")
    assert re.search(r"^d11 ", by_window, re.M)


def test_machines_may_ask_for_the_answer(people: Path) -> None:
    shown = segscore("agree", people, "--show", "answer", "-f", "json", "--draws", 20).stdout
    rows = {row["measure"]: row for row in json.loads(shown)}
    found = ss.agreement(ss.read(people), draws=20)
    assert rows["corrected agreement"]["value"] == found.corrected
    assert rows["corrected agreement"]["value_low"] == found.corrected_ci.low
    assert rows["… in group group 1"]["value"] == found.groups["group 1"].corrected
    assert rows["observed agreement, by b"]["value"] == found.observed
    assert rows["observed agreement of random coders"]["value"] == found.chance
    assert rows["π*, as papers report it"]["value"] == found.pi
    alpha = ss.coders.krippendorff_alpha(ss.read(people))
    assert rows["Krippendorff's α, boundary or not at each position"]["value"] == alpha.value
    places = ss.coders.contested(ss.read(people), None)
    assert rows["contested places"]["value"] == places.n_all
    assert rows["contested places that one coder marks alone"]["value"] == places.n_alone


def test_a_part_has_no_summary() -> None:
    found = ss.agreement(panel(1, 3, 3), draws=2)
    with pytest.raises(ss.SegmentationError, match="not hold its codings"):
        found.documents["d0"].summary()


# ---- which options change which tables ----

OTHERWISE = {
    "metric": "b(n_t=5)", "null": "lengths", "draws": "7", "seed": "9",
}  # fmt: skip
BESIDE = {
    "system": ("--system", "ann"),
    "document": ("--document", "d0"), "plan": ("--plan-width", "0.1"),
}  # fmt: skip


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("labels") / "people.jsonl"
    ss.write(labelled(5), path)
    return path


DRAWN = {*BY_CHANCE, "clusters", "granularity"}
USED_BY = {
    "metric": {*DRAWN, "pairwise", "matrix", "tree", "misses"},
    "null": BY_CHANCE,
    "draws": DRAWN,
    "seed": {*DRAWN, "decisions", "labels"},
}
"""The tables that each setting changes."""
USED = [(part, setting) for setting, used in USED_BY.items() for part in TABLES if part in used]


def command(part: str, setting: str, labels: Path) -> tuple[list[object], list[str]]:
    """A command that shows a table, and an option that changes one of its settings."""
    called = "chance" if setting == "null" else setting.replace("_", "-")
    option, value = f"--{called}", OTHERWISE[setting]
    few_draws = part in USED_BY["draws"] and setting != "draws"
    shown = ["agree", labels, "--show", part, "-f", "json", *BESIDE.get(part, ())]
    return [*shown, *(["--draws", "5"] if few_draws else [])], [option, value]


@pytest.mark.parametrize(("part", "setting"), USED)
def test_an_option_changes_the_tables_that_depend_on_it(
    part: str, setting: str, labels: Path
) -> None:
    usual, given = command(part, setting, labels)
    done, before = segscore(*usual, *given), segscore(*usual)
    assert (done.returncode, before.returncode) == (0, 0), done.stderr
    assert before.stdout != done.stdout


def test_chance_of_tables_without_chance_is_refused(labels: Path) -> None:
    done = segscore("agree", labels, "--show", "support", "--chance", "lengths")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--chance" in done.stderr


@pytest.mark.parametrize(("metric", "told"), [("b", True), ("t-measure", False), ("e-b", False)])
def test_levels_that_are_not_used_are_mentioned(tmp_path: Path, metric: str, told: bool) -> None:
    path = tmp_path / "levels.jsonl"
    rows = [
        {"document": "x", "coder": coder, "masses": masses, "ranks": [1, 2]}
        for coder, masses in {"ann": [2, 3, 4], "bob": [2, 4, 3]}.items()
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    assert ("have levels" in segscore("agree", path, "-m", metric).stdout) is told
    path.write_text(path.read_text().replace(', "ranks": [1, 2]', ""))
    assert "have levels" not in segscore("agree", path).stdout
