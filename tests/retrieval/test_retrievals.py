"""What was fetched: how much of it counts, and by what questions are called."""

import segscore as ss

TEXT = "Cats purr. Dogs bark. It rains."
CHUNKS = [(0, 10), (11, 21), (22, 31)]
ASKED = [{"id": "a", "question": "Who barks?", "evidence": ["Dogs bark."]},
         {"id": "b", "question": "And the weather?", "evidence": ["It rains."]}]  # fmt: skip


def test_a_curve_ends_where_no_more_was_fetched():
    scores = ss.evidence(CHUNKS, ASKED, TEXT, [[1, 0], [0]], k=10**12)
    assert list(scores.curve) == [1, 2]
    assert scores.values["recall"].pooled == scores.curve[2]["recall"].pooled == 10 / 19
    assert "|k:1000000000000|" in scores.values["recall"].pooled.signature
