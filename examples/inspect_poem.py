"""A model against each of nine readers of Kubla Khan, a sample per reader; the poem is in segscore.

inspect eval examples/inspect_poem.py --model …
"""

from inspect_ai import Task, task
from inspect_ai.solver import generate

import segscore as ss
from segscore.adapters.inspect import samples, segmentation


@task
def kubla_khan() -> Task:
    """The lines of the poem, and who cut them where."""
    lines = (ss.datasets.find("kubla_khan") / "poem.txt").read_text("utf-8").splitlines()
    people = ss.datasets.load("kubla_khan")["kubla_khan"]
    codings = {f"reader {name}": {"gold": coding} for name, coding in people.items()}
    corpus = ss.Corpus.from_dict(codings, units=dict.fromkeys(codings, lines))
    scorer = segmentation(["windowdiff", "b"], shape="starts", base=0)
    return Task(dataset=samples(corpus), solver=generate(), scorer=scorer)
