"""Two small sets of real segmentations, to try things on.

- `STARGAZER`: the article "Stargazers" of 21 paragraphs, cut into topics by seven people, as
  segment lengths. Marti A. Hearst (1997): TextTiling. Computational Linguistics 23(1).
- `KUBLA_KHAN`: an excerpt of Coleridge's poem cut by hand and by four imagined programs, each with
  one kind of error. Chris Fournier (2013): Evaluating Text Segmentation using Boundary Edit
  Distance, figs. 4-8. ACL 2013.
"""

STARGAZER = {
    "1": (2, 3, 3, 1, 3, 6, 3),
    "2": (2, 8, 2, 4, 2, 3),
    "3": (2, 1, 2, 3, 1, 3, 1, 3, 2, 2, 1),
    "4": (2, 1, 4, 1, 1, 3, 1, 4, 3, 1),
    "5": (3, 2, 4, 3, 5, 4),
    "6": (2, 3, 4, 2, 2, 5, 3),
    "7": (2, 3, 2, 2, 3, 1, 3, 2, 3),
}

KUBLA_KHAN = {
    "manual": (2, 3, 6),
    "full miss": (5, 6),
    "near miss": (2, 2, 7),
    "one too many": (2, 3, 3, 3),
    "near misses and extra": (1, 1, 3, 1, 5),
}
