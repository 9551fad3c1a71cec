"""What scoring gives: the numbers of many documents.

- `Scores`: one metric over many documents: values, micro and macro average.
- `Result`: several metrics over the same documents.

Micro-average = value of the summed statistics. Macro-average = mean of the values that are defined.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import Floats
from segscore.basics.exact_sums import exact_mean
from segscore.corpus.provenance import Provenance
from segscore.errors import nearest
from segscore.metrics.base import Metric
from segscore.metrics.statistics import Score, Statistics, micro_score
from segscore.pairing.pairs import Pairs
from segscore.tables import Tabular

if TYPE_CHECKING:
    import pandas
    import polars

    from segscore.tables import Table


class Scores:
    """One metric over many documents.

    metric: the metric; values: the value of each document, NaN if it is undefined.
    statistics: the additive statistics, a row per document; documents: their names.
    micro: the value of the summed statistics; macro: the mean of the defined values.
    n_undefined: how many documents have no value.
    """

    def __init__(self, metric: "Metric", pairs: Pairs, rows: Floats) -> None:
        self.metric = metric
        self._pairs = pairs
        self._rows = rows

    @cached_property
    def values(self) -> Floats:
        """The value of each document; NaN where it is undefined."""
        return self.metric.values(self._rows)

    @property
    def statistics(self) -> Statistics:
        """The additive statistics, a row per document."""
        return Statistics(self.metric, self._rows, self.provenance)

    @property
    def provenance(self) -> Provenance:
        """How the units of these documents were formed."""
        return self._pairs.provenance

    @property
    def signature(self) -> str:
        """Everything that determines the documents' values, to be cited with them."""
        return self.metric.signature(provenance=self.provenance)

    @property
    def documents(self) -> Sequence[str]:
        """Names of the documents."""
        return self._pairs.documents

    @property
    def n_undefined(self) -> int:
        """Documents without a value; they count in no average."""
        return int(np.isnan(self.values).sum())

    @cached_property
    def micro(self) -> Score:
        """The value of all documents' statistics added up."""
        return micro_score(self.statistics)

    @cached_property
    def macro(self) -> Score:
        """The mean of the documents' values, over those that are defined."""
        value = exact_mean(self.values[~np.isnan(self.values)])
        return Score(value, self.metric, None, average="macro", provenance=self.provenance)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, document: int | str) -> Score:
        """The score of one document, by its name or its index."""
        if isinstance(document, str):
            row = list(self.documents).index(document) if document in self.documents else None
            if row is None:
                raise KeyError(f"no document {document!r}")
        else:
            row = range(len(self))[document]
        pairs = self._pairs
        refs: Any = pairs.references(row) if self.metric.many_references else pairs.reference(row)
        pair = (refs, pairs.hypothesis(row))
        value, provenance = float(self.values[row]), self.provenance
        return Score(value, self.metric, self._rows[row], pair, provenance=provenance)

    def __iter__(self) -> Iterator[Score]:
        return (self[row] for row in range(len(self)))

    def _repr_html_(self) -> str:
        return Result({self.metric: self}, self._pairs)._repr_html_()

    def __repr__(self) -> str:
        undefined = f", {self.n_undefined} undefined" if self.n_undefined else ""
        return (
            f"Scores({self.metric}: micro {self.micro:.4f}, macro {self.macro:.4f}, "
            f"{len(self)} documents{undefined})"
        )


class Result(Tabular, Mapping["str | Metric", Scores]):
    """Several metrics over the same documents: a mapping from each metric, as given, to its Scores.

    documents: their names; skipped: documents that were left out because one side does not have
    them; provenance: how the units were formed.

    It prints as the averages of each metric; frames and `to_dicts` have a row per document.
    """

    def __init__(self, scores: Mapping["str | Metric", Scores], pairs: Pairs) -> None:
        self._scores = dict(scores)
        self._pairs = pairs

    @property
    def documents(self) -> Sequence[str]:
        """Names of the documents."""
        return self._pairs.documents

    @property
    def skipped(self) -> tuple[str, ...]:
        """Documents that were skipped because one side does not have them."""
        return self._pairs.skipped

    @property
    def provenance(self) -> Provenance:
        """How the units of these documents were formed."""
        return self._pairs.provenance

    def __getitem__(self, metric: "str | Metric") -> Scores:
        if metric not in self._scores:
            known = list(map(str, self._scores))
            raise KeyError(f"no metric {str(metric)!r} here{nearest(str(metric), known)}")
        return self._scores[metric]

    def __iter__(self) -> Iterator["str | Metric"]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def to_dicts(self) -> list[dict[str, Any]]:
        """A row per document: its name and its value under each metric."""
        columns = {str(key): scores.values.tolist() for key, scores in self._scores.items()}
        rows = zip(self.documents, *columns.values(), strict=True)
        return [dict(zip(("document", *columns), row, strict=True)) for row in rows]

    def summary(self) -> list[dict[str, Any]]:
        """A row per metric: its averages, what it rests on, and its signature."""
        return [
            {
                "metric": str(key),
                "micro": float(scores.micro),
                "macro": float(scores.macro),
                "documents": len(scores),
                "undefined": scores.n_undefined,
                "higher_is_better": scores.metric.higher_is_better,
                "signature": scores.signature,
            }
            for key, scores in self._scores.items()
        ]

    def to_metrics(self, prefix: str = "", *, parts: bool = False) -> dict[str, float]:
        """One flat dict of floats, as experiment trackers log them: `f1.tolerance_1/micro`.

        prefix: put before each name, such as `test/`; parts: also the parts of each
        micro-average (precision, recall and so on). What is undefined is NaN.

        >>> import segscore as ss
        >>> a, b = ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([5, 6])
        >>> ss.score([a, a], [a, b], metrics=["f1(tolerance=1)"]).to_metrics("test/")
        ... # doctest: +NORMALIZE_WHITESPACE
        {'test/f1.tolerance_1/micro': 0.8571428571428571,
         'test/f1.tolerance_1/macro': 0.8333333333333333,
         'test/f1.tolerance_1/undefined': 0.0, 'test/documents': 2.0}
        """
        from segscore.scoring.score_tables import numbers_of_parts
        from segscore.tables.tabular import flat_numbers

        numbers: list[tuple[tuple[str, ...], float]] = []
        for key, one in self._scores.items():
            numbers += [((str(key), "micro"), one.micro), ((str(key), "macro"), one.macro)]
            numbers.append(((str(key), "undefined"), one.n_undefined))
            if parts:
                listed = numbers_of_parts(one.micro.parts)
                numbers += [((str(key), "parts", name), value) for name, value in listed]
        return flat_numbers([*numbers, (("documents",), len(self.documents))], prefix)

    def to_pandas(self) -> "pandas.DataFrame":
        """`to_dicts` as a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self._columns())

    def to_polars(self) -> "polars.DataFrame":
        """`to_dicts` as a Polars DataFrame."""
        import polars

        return polars.DataFrame(self._columns())

    def _columns(self) -> dict[str, Any]:
        values = {str(key): scores.values for key, scores in self._scores.items()}
        return {"document": list(self.documents), **values}

    def to_table(self, per_document: bool = False) -> "Table":
        """The averages of each metric, or each document's values, to be shown in any format.

        >>> import segscore as ss
        >>> a, b = ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([5, 6])
        >>> print(ss.score([a, a], [a, b], metrics=["windowdiff"]).to_table(per_document=True))
        document  windowdiff¹
        ─────────────────────
        0              0.0000
        1              0.2222
        ─────────────────────
        ¹ windowdiff|k:auto|rounding:half-even|min_k:1|k_offset:0|edges:drop|weighted:no|v:0.1.0
        """
        from segscore.scoring.score_tables import scores_table

        return scores_table({"": self}, per_document=per_document)
