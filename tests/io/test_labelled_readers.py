"""Each format that has labels gives them to the segments, and metrics of labels take them."""

from pathlib import Path

import pytest

import segscore as ss


@pytest.mark.parametrize("suffix", ["txt", "tsv", "csv"])
@pytest.mark.parametrize(
    ("text", "masses"),  # by marks start, end, gaps and ids
    [
        ("0\n1\n0\n0\n1\n", {"x": ([1, 3, 1], [2, 3], [2, 3, 1], [1, 1, 2, 1])}),
        ("0100\n001\n", {"1": ([1, 3], [2, 2], [2, 3], [1, 1, 2]), "2": ([2, 1], [3], [3, 1], [2, 1])}),
        ("0 1 0 0\n", {"1": ([1, 3], [2, 2], [2, 3], [1, 1, 2])}),
        ("0,1,0,0\n", {"1": ([1, 3], [2, 2], [2, 3], [1, 1, 2])}),
        ("d\t0100\n", {"d": ([1, 3], [2, 2], [2, 3], [1, 1, 2])}),
        ("d\t0\nd\t1\ne\t0\ne\t0\n", {"d": ([1, 1], [2], [2, 1], [1, 1]), "e": ([2], [2], [3], [2])}),
    ],
)  # fmt: skip
def test_zeros_and_ones_are_what_marks_says(
    tmp_path: Path, suffix: str, text: str, masses: dict[str, tuple[list[int], ...]]
) -> None:
    path = tmp_path / f"x.{suffix}"
    path.write_text(text)
    with pytest.raises(ss.SegmentationError, match=r"marks.*start.*end.*gaps") as error:
        ss.read(path)
    first = next(iter(masses.values()))
    for marks, reading in zip(("start", "end", "gaps"), first, strict=False):
        assert f"{marks} gives masses {', '.join(map(str, reading))}" in str(error.value)
    for at, marks in enumerate(("start", "end", "gaps", "ids")):
        corpus = ss.read(path, marks=marks)  # type: ignore[arg-type]
        assert {name: corpus[name]["x"].masses.tolist() for name in corpus} == {
            name: readings[at] for name, readings in masses.items()
        }
    if " " not in text and "," not in text and "d\t0\n" not in text:
        assert ss.read(path, "gaps")  # who names the format needs no marks


def test_cells_of_zeros_and_ones_need_names(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text("0\t1\t0\n1\t0\t0\n")
    for marks in (None, "start"):
        with pytest.raises(ss.SegmentationError, match="names the columns"):
            ss.read(tmp_path / "x.tsv", marks=marks)  # type: ignore[arg-type]
