"""The suffixes of tables; `table_files` reads them."""

EXCEL = (".xlsx", ".xlsm")
ARROW = (".parquet", ".pq", ".feather", ".arrow", ".ipc")
TABLES = (*EXCEL, *ARROW)


def is_table(suffix: str) -> bool:
    """Whether files with this suffix are tables, and not text."""
    return suffix in TABLES
