"""The package as a whole: what it exports, and that importing it stays light."""

import subprocess
import sys
import types

import segscore as ss


def test_all_names_exist_and_none_is_a_module() -> None:
    assert sorted(ss.__all__) == sorted(set(ss.__all__))
    for name in ss.__all__:
        assert not isinstance(getattr(ss, name), types.ModuleType)


def test_import_pulls_in_nothing_heavy() -> None:
    heavy = "{'scipy', 'pandas', 'polars', 'typer', 'rich'}"
    heavy += " | {'json', 'html', 'numpy.random', 'segscore.tables.table'}"  # wanted later, if ever
    code = f"""if True:
        import sys, numpy; before = set(sys.modules)
        import segscore; print(sorted(({heavy}) & (set(sys.modules) - before)))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
