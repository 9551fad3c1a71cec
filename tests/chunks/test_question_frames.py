"""Questions in frames, as packages read them from files."""

from importlib import import_module

import pytest

import segscore as ss
from needs import needs

TEXT = "Cats purr. Dogs bark. It rains."
CHUNKS = [(0, 16), (16, 31)]


@needs("arrow", "dataframes")
@pytest.mark.parametrize(
    "evidence",
    [
        [{"start": 11, "end": 21}, {"start": 22, "end": 31}],
        [[11, 21], [22, 31]],
        ["Dogs bark.", "It rains."],
    ],
    ids=["objects", "pairs", "texts"],
)
def test_a_parquet_file_by_path_and_by_pandas(tmp_path, evidence):
    pandas = import_module("pandas")
    arrow = import_module("pyarrow")
    parquet = import_module("pyarrow.parquet")
    path = tmp_path / "asked.parquet"
    asked = [{"id": "a", "question": "Who?", "document": "text", "evidence": evidence}]
    parquet.write_table(arrow.Table.from_pylist(asked), path)
    for given in (path, pandas.read_parquet(path)):
        scores = ss.chunks.evidence(CHUNKS, given, TEXT)
        assert scores.parts["whole"] == {"whole_spans": 1.0, "spans": 2.0}
