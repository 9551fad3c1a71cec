"""BibTeX of the papers behind each measure."""

from collections.abc import Iterable

from segscore.metrics import Metric

ENTRIES = {
    "beeferman1997": """@inproceedings{beeferman1997text,
  author = {Beeferman, Doug and Berger, Adam and Lafferty, John},
  title = {Text Segmentation Using Exponential Models},
  booktitle = {Second Conference on Empirical Methods in Natural Language Processing},
  pages = {35--46}, year = {1997}}""",
    "beeferman1999": """@article{beeferman1999statistical,
  author = {Beeferman, Doug and Berger, Adam and Lafferty, John},
  title = {Statistical Models for Text Segmentation},
  journal = {Machine Learning},
  volume = {34}, number = {1--3}, pages = {177--210}, year = {1999}}""",
    "pevzner2002": """@article{pevzner2002critique,
  author = {Pevzner, Lev and Hearst, Marti A.},
  title = {A Critique and Improvement of an Evaluation Metric for Text Segmentation},
  journal = {Computational Linguistics},
  volume = {28}, number = {1}, pages = {19--36}, year = {2002}}""",
    "scaiano2012": """@inproceedings{scaiano2012getting,
  author = {Scaiano, Martin and Inkpen, Diana},
  title = {Getting More from Segmentation Evaluation},
  booktitle = {NAACL-HLT 2012}, pages = {362--366}, year = {2012}}""",
    "fournier2012": """@inproceedings{fournier2012segmentation,
  author = {Fournier, Chris and Inkpen, Diana},
  title = {Segmentation Similarity and Agreement},
  booktitle = {NAACL-HLT 2012}, pages = {152--161}, year = {2012}}""",
    "fournier2013": """@inproceedings{fournier2013evaluating,
  author = {Fournier, Chris},
  title = {Evaluating Text Segmentation using Boundary Edit Distance},
  booktitle = {ACL 2013}, volume = {1}, pages = {1702--1712}, year = {2013}}""",
    "carroll2010": """@inproceedings{carroll2010evaluating,
  author = {Carroll, Lucien},
  title = {Evaluating Hierarchical Discourse Segmentation},
  booktitle = {Human Language Technologies: NAACL 2010}, pages = {993--1001}, year = {2010}}""",
    "kazantseva2012": """@inproceedings{kazantseva2012topical,
  author = {Kazantseva, Anna and Szpakowicz, Stan},
  title = {Topical Segmentation: a Study of Human Performance and a New Measure of Quality},
  booktitle = {NAACL-HLT 2012}, pages = {211--220}, year = {2012}}""",
    "doddington1998": """@inproceedings{doddington1998topic,
  author = {Doddington, George},
  title = {The Topic Detection and Tracking Phase 2 ({TDT2}) Evaluation Plan},
  booktitle = {DARPA Broadcast News Transcription and Understanding Workshop},
  pages = {223--229}, year = {1998}}""",
    "bookstein2002": """@article{bookstein2002generalized,
  author = {Bookstein, Abraham and Kulyukin, Vladimir A. and Raita, Timo},
  title = {Generalized {Hamming} Distance},
  journal = {Information Retrieval},
  volume = {5}, number = {4}, pages = {353--375}, year = {2002}}""",
    "franz2007": """@inproceedings{franz2007user,
  author = {Franz, Martin and McCarley, J. Scott and Xu, Jian-Ming},
  title = {User-Oriented Text Segmentation Evaluation Measure},
  booktitle = {SIGIR 2007}, pages = {701--702}, year = {2007}}""",
    "bredin2017": """@inproceedings{bredin2017pyannote,
  author = {Bredin, Herv{\\'e}},
  title = {pyannote.metrics: a toolkit for reproducible evaluation, diagnostic, and error
    analysis of speaker diarization systems},
  booktitle = {Interspeech 2017}, pages = {3587--3591}, year = {2017}}""",
    "arbelaez2011": """@article{arbelaez2011contour,
  author = {Arbel{\\'a}ez, Pablo and Maire, Michael and Fowlkes, Charless and Malik, Jitendra},
  title = {Contour Detection and Hierarchical Image Segmentation},
  journal = {IEEE Transactions on Pattern Analysis and Machine Intelligence},
  volume = {33}, number = {5}, pages = {898--916}, year = {2011}}""",
    "burg2020": """@misc{burg2020evaluation,
  author = {van den Burg, Gerrit J. J. and Williams, Christopher K. I.},
  title = {An Evaluation of Change Point Detection Algorithms},
  note = {arXiv:2003.06222}, year = {2020}}""",
    "rand1971": """@article{rand1971objective,
  author = {Rand, William M.},
  title = {Objective Criteria for the Evaluation of Clustering Methods},
  journal = {Journal of the American Statistical Association},
  volume = {66}, number = {336}, pages = {846--850}, year = {1971}}""",
    "hubert1985": """@article{hubert1985comparing,
  author = {Hubert, Lawrence and Arabie, Phipps},
  title = {Comparing Partitions},
  journal = {Journal of Classification},
  volume = {2}, number = {1}, pages = {193--218}, year = {1985}}""",
    "turnbull2007": """@inproceedings{turnbull2007supervised,
  author = {Turnbull, Douglas and Lanckriet, Gert and Pampalk, Elias and Goto, Masataka},
  title = {A Supervised Approach for Detecting Boundaries in Music Using
    Difference Features and Boosting},
  booktitle = {ISMIR 2007}, pages = {51--54}, year = {2007}}""",
    "truong2020": """@article{truong2020selective,
  author = {Truong, Charles and Oudre, Laurent and Vayatis, Nicolas},
  title = {Selective Review of Offline Change Point Detection Methods},
  journal = {Signal Processing}, volume = {167}, pages = {107299}, year = {2020}}""",
    "artstein2008": """@article{artstein2008inter,
  author = {Artstein, Ron and Poesio, Massimo},
  title = {Inter-Coder Agreement for Computational Linguistics},
  journal = {Computational Linguistics},
  volume = {34}, number = {4}, pages = {555--596}, year = {2008}}""",
    "fleiss1971": """@article{fleiss1971measuring,
  author = {Fleiss, Joseph L.},
  title = {Measuring Nominal Scale Agreement among Many Raters},
  journal = {Psychological Bulletin},
  volume = {76}, number = {5}, pages = {378--382}, year = {1971}}""",
    "krippendorff2004": """@book{krippendorff2004content,
  author = {Krippendorff, Klaus},
  title = {Content Analysis: An Introduction to Its Methodology},
  edition = {2}, publisher = {Sage}, year = {2004}}""",
    "holm1979": """@article{holm1979simple,
  author = {Holm, Sture},
  title = {A Simple Sequentially Rejective Multiple Test Procedure},
  journal = {Scandinavian Journal of Statistics},
  volume = {6}, number = {2}, pages = {65--70}, year = {1979}}""",
    "noreen1989": """@book{noreen1989computer,
  author = {Noreen, Eric W.},
  title = {Computer-Intensive Methods for Testing Hypotheses: An Introduction},
  publisher = {Wiley}, year = {1989}}""",
    "efron1993": """@book{efron1993introduction,
  author = {Efron, Bradley and Tibshirani, Robert J.},
  title = {An Introduction to the Bootstrap},
  publisher = {Chapman \\& Hall}, year = {1993}}""",
}

OF_METRIC = {
    "pk": ("beeferman1999",), "windowdiff": ("pevzner2002",), "winpr": ("scaiano2012",),
    "s": ("fournier2012",), "b": ("fournier2013",), "multwindowdiff": ("kazantseva2012",),
    "cseg": ("doddington1998",), "pd": ("beeferman1997",), "ghd": ("bookstein2002",),
    "misplaced-units": ("franz2007",), "purity-coverage": ("bredin2017",),
    "covering": ("arbelaez2011",), "rand": ("rand1971", "hubert1985"),
    "multf1": ("burg2020",), "deviation": ("turnbull2007",), "hausdorff": ("truong2020",),
}  # fmt: skip
HIERARCHICAL = ("carroll2010",)
AGREEMENT = ("fournier2012", "artstein2008", "fleiss1971", "krippendorff2004", "kazantseva2012")
TESTING = ("efron1993", "noreen1989", "holm1979")


def papers_of(metric: Metric) -> list[str]:
    """The keys of the papers behind a metric; none where it has no paper (f1).

    >>> from segscore.metrics import metric
    >>> papers_of(metric("e-wd")), papers_of(metric("b.recall")), papers_of(metric("f1"))
    (['carroll2010', 'pevzner2002'], ['fournier2013'], [])
    """
    name = metric.name.partition(".")[0]
    inner = name.removeprefix("e-")
    inner = {"wd": "windowdiff", "pk-prime": "pk"}.get(inner, inner)
    outer = HIERARCHICAL if name.startswith("e-") else ()
    also = ("pevzner2002",) if getattr(metric, "fp_weight", 1) != 1 and inner == "pk" else ()
    return [*outer, *OF_METRIC.get(inner, ()), *also]


def bibtex(keys: Iterable[str]) -> str:
    """The entries, each once, in order."""
    return "\n\n".join(ENTRIES[key] for key in dict.fromkeys(keys))
