"""A subject without names: people and documents are numbered, texts, labels and groups left out.

Systems keep their names: they are what a comparison is about.
"""

from dataclasses import replace

from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.coefficients import Agreement
from segscore.corpus.corpus import Corpus
from segscore.pages.subject import ShownDocument, Subject, documents_of


def anonymous(subject: Subject) -> Subject:
    """The same numbers under other names."""
    comparison, agreement = subject.comparison, subject.agreement
    whole = comparison or agreement
    assert whole is not None  # noqa: S101  # a subject has one or the other
    documents = _numbered("document", [one.name for one in documents_of(whole)])
    coders = _numbered("coder", [key for key, kind in subject.names.items() if kind == "person"])
    if comparison is not None:
        comparison = comparison.renamed(documents, coders)
    if agreement is not None:
        agreement = _renamed_agreement(agreement, documents, coders)
    renamed = {one.name: one for one in documents_of(comparison or agreement or whole)}
    return replace(
        subject,
        comparison=comparison,
        agreement=agreement,
        people=agreement.corpus if agreement is not None else None,
        documents=tuple(_unlabelled(renamed[documents[one.name]]) for one in subject.documents),
        anonymous=True,
    )


def _unlabelled(document: ShownDocument) -> ShownDocument:
    rows = (
        one._replace(segmentation=one.segmentation.with_segment_labels(None))
        for one in document.codings
    )
    return document._replace(codings=tuple(rows))


def _numbered(what: str, names: list[str]) -> dict[str, str]:
    """A number for each name, with as many digits as the largest, so that they sort well."""
    width = len(str(len(names)))
    return {name: f"{what} {number:0{width}}" for number, name in enumerate(names, 1)}


def _renamed_agreement(
    found: Agreement, documents: dict[str, str], coders: dict[str, str]
) -> Agreement:
    assert found.corpus is not None  # noqa: S101  # a subject has the whole
    codings = {
        documents[name]: {coders.get(coder, coder): one for coder, one in document.items()}
        for name, document in found.corpus.items()
        if name in documents
    }
    kinds = {
        coders.get(coder, coder): kind
        for document in found.corpus.values()
        for coder, kind in document.kinds.items()
    }
    corpus = Corpus.from_dict(codings, found.corpus.coder_scope, kinds=kinds)
    before = len(CoderPairs(found.corpus).remarks())
    return replace(
        found,
        documents={
            documents[name]: replace(one, name=documents[name])
            for name, one in found.documents.items()
        },
        groups={},
        notes=(*CoderPairs(corpus).remarks(), *found.notes[before:]),
        corpus=corpus,
    )
