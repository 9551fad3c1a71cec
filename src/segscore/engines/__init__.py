"""Engines: the same numbers computed where the data already are, up to a billion documents.

Statistics add up, so an engine can add them: `score_frame` makes a row per document, the engine
groups and sums, and `ss.Result.from_sums` and `ss.compare` read the small table of sums.

- `score_frame`: `ss.score_frame`, also over lazy frames of Polars and over Spark, and the
  map from a batch of rows to its new columns;
- `duckdb`: the same map as a function in SQL;
- `parquet`: over files of columns, in bounded memory.
"""
