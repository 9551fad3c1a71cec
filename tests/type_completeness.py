"""How much of what users see has a known type: `python -m tests.type_completeness`, part of
`make lint`.

Pyright's `--verifytypes`, by way of basedpyright, which brings its own Node. Types that other
packages do not tell are not ours, and are not counted.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src"  # it does not follow an editable install
LEAST = 0.97
COMMAND = ["-m", "basedpyright", "--verifytypes", "segscore", "--ignoreexternal", "--outputjson"]


def run() -> int:
    """Zero where at least 97 % of the public symbols have a known type; others are listed."""
    done = subprocess.run(
        [sys.executable, *COMMAND, "--pythonpath", sys.executable],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
    )
    found = json.loads(done.stdout)["typeCompleteness"]
    unknown = [
        symbol["name"]
        for symbol in found["symbols"]
        if symbol["isExported"] and not symbol["isTypeKnown"]
    ]
    share = found["completenessScore"]
    if not share >= LEAST:
        print("\n".join(unknown))  # noqa: T201
    print(f"{share:.1%} of the public symbols have a known type, expected {LEAST:.0%}")  # noqa: T201
    return int(not share >= LEAST)


if __name__ == "__main__":
    sys.exit(run())
