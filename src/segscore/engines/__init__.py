"""Engines: the same numbers computed where the data already are, up to a billion documents.

- `arrow`: what all others use: columns of a table become Pairs, batch by batch;
- `score_frame`: `ss.score_frame`, for frames in memory;
- `parquet`: files that do not fit in memory, with pyarrow;
- `polars`, `duckdb`, `spark`: expressions and functions for these engines, each imported by name.
"""
