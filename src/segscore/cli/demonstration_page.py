"""The page of the demonstration: readers of a poem, judges of an article, and simulated systems."""

from pathlib import Path

from segscore import simulate
from segscore.cli.demonstration import SEED
from segscore.coders.consensus_coding import consensus
from segscore.coding.segmentation import Segmentation
from segscore.comparison import Comparison, compare
from segscore.corpus.corpus import Corpus
from segscore.corpus.record import Labels
from segscore.datasets import load
from segscore.pages import report

N_SIMULATED = 60
_POEM = """\
In Xanadu did Kubla Khan
A stately pleasure-dome decree:
Where Alph, the sacred river, ran
Through caverns measureless to man
Down to a sunless sea.
So twice five miles of fertile ground
With walls and towers were girdled round;
And there were gardens bright with sinuous rills,
Where blossomed many an incense-bearing tree;
And here were forests ancient as the hills,
Enfolding sunny spots of greenery.
But oh! that deep romantic chasm which slanted
Down the green hill athwart a cedarn cover!
A savage place! as holy and enchanted
As e’er beneath a waning moon was haunted
By woman wailing for her demon-lover!
And from this chasm, with ceaseless turmoil seething,
As if this earth in fast thick pants were breathing,
A mighty fountain momently was forced:
Amid whose swift half-intermitted burst
Huge fragments vaulted like rebounding hail,
Or chaffy grain beneath the thresher’s flail:
And mid these dancing rocks at once and ever
It flung up momently the sacred river.
Five miles meandering with a mazy motion
Through wood and dale the sacred river ran,
Then reached the caverns measureless to man,
And sank in tumult to a lifeless ocean;
And ’mid this tumult Kubla heard from far
Ancestral voices prophesying war!
The shadow of the dome of pleasure
Floated midway on the waves;
Where was heard the mingled measure
From the fountain and the caves.
It was a miracle of rare device,
A sunny pleasure-dome with caves of ice!
A damsel with a dulcimer
In a vision once I saw:
It was an Abyssinian maid
And on her dulcimer she played,
Singing of Mount Abora.
Could I revive within me
Her symphony and song,
To such a deep delight ’twould win me,
That with music loud and long,
I would build that dome in air,
That sunny dome! those caves of ice!
And all who heard should see them there,
And all should cry, Beware! Beware!
His flashing eyes, his floating hair!
Weave a circle round him thrice,
And close your eyes with holy dread
For he on honey-dew hath fed,
And drunk the milk of Paradise.
"""  # Samuel Taylor Coleridge, 1816


def write(path: Path) -> Path:
    """Write the page."""
    return report(demonstrated(), path, title="segscore: a demonstration", command="segscore demo")


def demonstrated() -> Comparison:
    """Three simulated systems on a poem, an article and simulated documents."""
    corpus = _corpus()
    agreed = [consensus(document) for document in corpus.values()]
    kinds = {
        "cuts one off": simulate.Errors(near_misses=0.6),
        "misses": simulate.Errors(misses=0.4),
        "invents": simulate.Errors(false_positives=0.4),
    }
    systems = {
        name: dict(zip(corpus, (one["1"] for one in coded.values()), strict=True))
        for name, coded in (
            (name, simulate.coders(agreed, errors, 1, seed=SEED)) for name, errors in kinds.items()
        )
    }
    return compare(corpus, systems=systems, n_resamples=2000)


def _corpus() -> Corpus:
    """Two documents that people coded, and some by chance; each coder has a name of their own."""
    codings: dict[str, dict[str, Segmentation]] = {}
    labels: dict[str, dict[str, Labels]] = {}
    for title, file, who in (
        ("Kubla Khan (poem, 54 lines)", "kubla_khan", "reader"),
        ("Stargazers (article, 21 paragraphs)", "stargazer", "judge"),
    ):
        (document,) = load(file).values()
        codings[title] = {f"{who} {coder}": one for coder, one in document.items()}
        labels[title] = {f"{who} {coder}": one for coder, one in document.labels.items()}
    poem = next(iter(codings))
    references = simulate.references(simulate.UniformSizes(5, 15), 8, n=N_SIMULATED, seed=SEED)
    for number, one in enumerate(references, 1):
        codings[f"simulated {number:02}"] = {"simulated": one}
    groups = {name: "simulated" if name.startswith("simulated") else "real" for name in codings}
    return Corpus.from_dict(codings, units={poem: _POEM.splitlines()}, labels=labels, groups=groups)
