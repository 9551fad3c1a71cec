"""Writes docs/examples: the files that the guides read. Run again, it writes the same files.

Twenty-four talks, simulated: what one person marked (reference.jsonl), what two systems found
(ours.jsonl, baseline.jsonl), what three people marked (people.jsonl), what they marked in a second
round, when the guidelines were better (round2.jsonl), and what they called segments (labels.jsonl).
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
        name: ss.simulate.references(sizes, int(random.integers(5, 11)), rng=number)[0]
        for number, name in enumerate(names)
    }
    people = ss.simulate.coders(
        list(gold.values()),
        ss.simulate.Errors(misses=0.2, near_misses=0.25, false_positives=0.12),
        n=3,
        rng=7,
    )
    files = {"reference": ss.Corpus.from_dict({name: {"gold": gold[name]} for name in names})}
    for seed, (system, errors) in enumerate(SYSTEMS.items()):
        pairs = ss.simulate.hypotheses(list(gold.values()), errors, rng=seed)
        files[system] = ss.Corpus.from_dict(
            {name: {system: pairs.hypothesis(row)} for row, name in enumerate(names)}
        )
    files["people"] = ss.Corpus.from_dict(
        {
            name: dict(zip(("ann", "bob", "eve"), codings.values(), strict=True))
            for name, codings in zip(names, people.values(), strict=True)
        }
    )
    better = ss.simulate.Errors(misses=0.12, near_misses=0.12, false_positives=0.08)
    again = ss.simulate.coders(list(gold.values()), better, n=3, rng=8)
    files["round2"] = ss.Corpus.from_dict(
        {
            name: dict(zip(("ann", "bob", "eve"), codings.values(), strict=True))
            for name, codings in zip(names, again.values(), strict=True)
        }
    )
    files["labels"] = labelled({name: gold[name] for name in names[:8]}, files["round2"])
    return files


def labelled(gold: dict[str, ss.Segmentation], people: ss.Corpus) -> ss.Corpus:
    """What three people call their segments of some talks; one of them in words of her own."""
    random = np.random.default_rng(6)
    labels = ["dialogue", "narration", "comment"]
    own = {"dialogue": "Dialog", "narration": "Récit", "comment": "Comments"}
    codings: dict[str, dict[str, ss.Segmentation]] = {}
    for name, reference in gold.items():
        meant = np.repeat(random.choice(labels, reference.n_segments), reference.masses)
        codings[name] = {}
        for coder, cut in people[name].items():
            middles = np.cumsum(cut.masses) - (cut.masses + 1) // 2
            other = random.random(cut.n_segments) < 0.2
            drawn = random.choice(labels, cut.n_segments)
            given = np.where(other, drawn, meant[middles]).tolist()
            words = [own[label] for label in given] if coder == "eve" else given
            codings[name][coder] = cut.with_segment_labels(words)
    return ss.Corpus.from_dict(codings)


if __name__ == "__main__":
    for name, corpus in corpora().items():
        ss.write(corpus, EXAMPLES / f"{name}.jsonl")
