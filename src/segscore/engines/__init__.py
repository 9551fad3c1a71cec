"""Engines: the same numbers where the data already are, from a hundred to a billion documents.

- `arrow`: the door that all the others use: columns of a table into Pairs, batch by batch;
- `score_frame`: `ss.score_frame`, for frames in memory;
- `parquet`: files that do not fit in memory, with pyarrow;
- `polars`, `duckdb`, `spark`: expressions and functions for these engines, each imported by name.
"""
