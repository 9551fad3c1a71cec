"""Writes docs/examples: the files that the guides read. Run again, it writes the same files.

Twenty-four talks, simulated: what one person marked (reference.jsonl), what two systems found
(ours.jsonl, baseline.jsonl), and what three people marked (people.jsonl).
"""

from pathlib import Path

import numpy as np

import segscore as ss

EXAMPLES = Path(__file__).resolve().parent / "examples"
SYSTEMS = {
    "ours": ss.simulate.Errors(misses=0.15, near_misses=0.35, false_positives=0.15),
    "baseline": ss.simulate.Errors(misses=0.4, near_misses=0.3, false_positives=0.3),
}


def corpora() -> dict[str, ss.Corpus]:
    """The contents of each file, by its name."""
    random = np.random.default_rng(5)
    names = [f"talk{number:02}" for number in range(1, 25)]
    sizes = ss.simulate.UniformSizes(5, 16)
    gold = {
        name: ss.simulate.references(sizes, int(random.integers(5, 11)), seed=number)[0]
        for number, name in enumerate(names)
    }
    people = ss.simulate.coders(
        list(gold.values()),
        ss.simulate.Errors(misses=0.2, near_misses=0.25, false_positives=0.12),
        n=3,
        seed=7,
    )
    files = {"reference": ss.Corpus.from_dict({name: {"gold": gold[name]} for name in names})}
    for seed, (system, errors) in enumerate(SYSTEMS.items()):
        pairs = ss.simulate.hypotheses(list(gold.values()), errors, seed=seed)
        files[system] = ss.Corpus.from_dict(
            {name: {system: pairs.hypothesis(row)} for row, name in enumerate(names)}
        )
    files["people"] = ss.Corpus.from_dict(
        {
            name: dict(zip(("ann", "bob", "eve"), codings.values(), strict=True))
            for name, codings in zip(names, people.values(), strict=True)
        }
    )
    return files


if __name__ == "__main__":
    for name, corpus in corpora().items():
        ss.write(corpus, EXAMPLES / f"{name}.jsonl")
