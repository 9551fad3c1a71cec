"""`make fuzz`: draw and check cases for FUZZ_MINUTES (2), from FUZZ_SEED (0).

What fails is written to the corpus and printed; the exit code is 1 then.
"""

import hashlib
import os
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random

from fuzz.families import FAMILIES, Case, check, text_of

CORPUS = Path(__file__).parent / "corpus"
_MOST_OF_A_KIND = 3  # failures with the same cause that are kept


def main() -> int:
    """Run all families, in turn, until time is up."""
    minutes = float(os.environ.get("FUZZ_MINUTES") or 2)
    seed = int(os.environ.get("FUZZ_SEED") or 0)
    end = time.monotonic() + 60 * minutes
    counts: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    messages: dict[str, str] = {}  # the first message of each cause
    randoms = {name: Random(f"{seed} {name}") for name in FAMILIES}
    while time.monotonic() < end:
        for name, family in FAMILIES.items():
            for _ in range(family.share):
                case = family.draw(randoms[name])
                counts[name] += 1
                cause, message = _cause(name, case)
                if cause:
                    failures[cause] += 1
                    messages.setdefault(cause, message)
                    if failures[cause] <= _MOST_OF_A_KIND:
                        _keep(name, case)
    for cause, count in failures.most_common():
        print(f"{count} × {cause}: {messages[cause]}")
    listed = ", ".join(f"{name} {count}" for name, count in counts.items())
    total, failed = sum(counts.values()), sum(failures.values())
    print(f"fuzz: seed {seed}, {minutes:g} minutes, {total} cases ({listed}), {failed} failures")
    return 1 if failures else 0


def _cause(name: str, case: Case) -> tuple[str, str]:
    """What went wrong and where in our code, and its message; both empty if nothing did."""
    try:
        check(name, case)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [
            frame for frame in frames if "segscore" in frame.filename or "fuzz" in frame.filename
        ]
        place = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "?"
        return f"{name}: {type(error).__name__} at {place}", repr(str(error)[:200])
    return "", ""


def _keep(name: str, case: Case) -> None:
    text = text_of(name, case)
    path = CORPUS / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
    path.write_text(text, "utf-8")
    print(f"failed: {path}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
