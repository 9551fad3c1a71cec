"""Small files of every format to start from: name of the file, options of `read`, content."""

import json
from typing import Any, NamedTuple

SECONDS, WORDS = "seconds:1:60", "words"


class Sample(NamedTuple):
    """A file that is read without complaint."""

    name: str
    content: str
    units: str | None = None
    marks: str | None = None


HASH = "sha256:" + 8 * "0123abcd"
SAMPLES: dict[str, Sample] = {
    "jsonl": Sample("x.jsonl", '{"document":"x","coder":"b","masses":[1,2]}\n{"document":"y","coder":"ü",'
                    '"boundaries":[1,3],"n_units":5,"types":[["a"],[1]],"ranks":[1,2]}\n\n{"document":"z",'
                    '"gaps":"0100","units":["a","b","c","d","e"],"segment_labels":["p",null],"kind":"person","group":"g"}\n'
                    '{"document":"w","coder":"b","boundaries":[1],"n_units":3,"kind":"person","annotation":{"finished":true,'
                    '"seconds":12,"unsure":[2],"comments":[{"after":1,"text":"é?"}],"prefilled":null,"practice":false,"page":"p1",'
                    f'"exported":"2026-05-04T12:03:00Z","units":"{HASH}"}}}}\n'
                    '{"document":"u","coder":"gold","kind":"consensus","boundaries":[2],"n_units":4,"annotation":{"finished":true,'
                    '"adjudication":{"within":1,"accept":1,"reject":0.5,"decisions":[{"place":[1,2],"decision":2,"by":"adjudicator"},'
                    '{"place":[3],"decision":"drop","by":"rule"}],"added":[]}}}\n'
                    f'{{"document":"v","coder":"b","masses":[2],"annotation":{{"finished":false,"units":"{HASH}"}}}}\n'),
    "segeval-json": Sample("x.json", '{\n "items": {"x": {"b": [1, 2], "c": [[], ["a", 2]]}},\n'
                           ' "segmentation_type": "linear"}\n'),
    "csv": Sample("x.csv", 'document,coder,mass,labels,types,rank\nx,b,1,"[""p""]","[""t""]",1\nx,b,2,[],[],0\n'),
    "sheet": Sample("x.csv", "segscore:start,unit,text (x in a row: …),b,c [system]\nx,1,'=a,(start),0\nx,2,ü,x,0\n"
                    "y,1,c,(start),(start)\ny,2,d,,ja\n"),
    "segeval-tsv": Sample("x.tsv", "Coder\tMasses\nb\t1\t2\nc\t3\n"),
    "wide": Sample("x.csv", "paragraph,b,c,d\n1,1,1,\n2,2,1,\n3,2,2,\n"),
    "levels": Sample("x-b.csv", "par,level1,level2\n1,0,1\n2,0,0\n3,1,1\n"),
    "ranked-text": Sample("x.tok", "==== 1 ====\nx\n==== 2 ====\ny\n=====3=====\nz\n"),
    "choi": Sample("x.ref", "==========\nx\n==========\ny\nz\n==========\n"),
    "gaps": Sample("x.gaps", "x\tb\t10\ny\tb\t\nz\tc\t0001\n"),
    "chunks": Sample("x.jsonl", '{"document": "x", "text": "One. “Two.” One.", "chunks": ["One.", "\\"Two.\\" One."]}\n'
                     '{"document": "y", "coder": "b", "text": "One. Two.", "offsets": [[0, 5], [3, 9]]}\n'),
    "dialogues": Sample("x.json", '[{"dial_id": 0, "utterances": ["a", "b ü", "c"], "segments": [2, 1], "set": "dev"},\n'
                        ' {"dial_id": "y", "utterances": ["d"], "segments": [1]}]'),
    "superdialseg": Sample("x.json", '{"dial_data": {"s": [{"dial_id": "a", "turns": [{"role": "user", "utterance": "a", "topic_id": 0,'
                           ' "segmentation_label": 1}, {"role": "agent", "utterance": "b", "topic_id": 1, "segmentation_label": 0}]}]}}'),
    "tiage": Sample("x.json", '{"1": [["hello", "-1"], ["so", "0"], ["bye", "1"]], "2": [["x", "-1"]]}'),
    "tadam": Sample("x.txt", "call_id_0\n0 hello\n0 you\n1 bye\ncall_id_1\n0 x\n"),
    "separated-text": Sample("x.txt", "hello\nyou\n================\nbye\n"),
    "qmsum": Sample("x.json", '{"topic_list": [{"topic": "A", "relevant_text_span": [["0", "1"]]}, {"topic": "B", '
                    '"relevant_text_span": [[2, 2]]}], "meeting_transcripts": [{"speaker": "p", "content": "a"}, '
                    '{"speaker": "q", "content": "b"}, {"speaker": "q", "content": "c"}]}'),
    "wikisection": Sample("x.json", '[{"id": "u", "text": "One. 😀 Two.", "annotations": [{"begin": 0, "length": 5, "sectionHeading": '
                          '"H", "sectionLabel": "l"}, {"begin": 5, "length": 6, "sectionHeading": "I", "sectionLabel": "m"}]}]', WORDS),
    "sentence-labels": Sample("x.jsonl", '{"id": "1", "sentences": ["a", "b", "c"], "labels": [0, 1, 1], "levels": [1, 1, 2], '
                              '"titles_mask": [1, 0, 1]}\n{"id": "2", "sentences": ["a", "b"], "labels": [-100, 1], "levels": [1, 1]}\n'),
    "ytseg": Sample("x.json", '[{"text": ["a", "b", "c"], "targets": "001", "video_id": "v", "channel_id": "c"}]'),
    "vidchapters": Sample("x.json", '{"v": {"duration": 9, "timestamps": [[0, 4], [4, 9.0]], "sentences": ["A", "B"]}}', SECONDS),
    "chapter-llama": Sample("x.json", '{"v": {"duration": 9, "chapters": {"0:00:00": "A", "0:00:04": "B"}}}', SECONDS),
    "chunkseg": Sample("x.jsonl", '{"hypothesis": [3], "reference": [4, 6.0], "duration": 9, "reference_titles": [["A", 0]]}\n', SECONDS),
    "rttm": Sample("x.rttm", "SPEAKER t 1 0.00 6.00 <NA> <NA> a <NA> <NA>\nSPEAKER t 1 6.00 6.00 <NA> <NA> b <NA>\n", SECONDS),
    "ctm": Sample("x.ctm", "t A 0.00 0.35 hello 0.98\nt A 0.40 .2 world\n"),
    "transcript": Sample("x.json", '{"segments": [{"start": 0.0, "end": 6.0, "text": "Hi.", "words": [{"word": "Hi.", '
                         '"start": 0.5, "end": 1}]}, {"start": 6, "end": 9, "words": [{"word": "Bye", "start": 7, "end": 8}]}]}'),
    "labels": Sample("x.json", '{"x": {"b": [0, 1, 0], "c": [1, 0, 0]}, "y": {"b": "0101"}}', None, "end"),
    "json": Sample("x.json", '[\n {"document": "x", "coder": "b", "masses": [1, 2]},\n {"document": "y", "boundaries": [2], "n_units": 5}]'),
    "table": Sample("x.csv", 'doc_id;annotator;sentence_id;boundary;text\nx;b;1;0;a\nx;b;2;1,0;"b;b"\nx;c;1;1.0;a\nx;c;2;0;"b;b"\n',
                    None, "end"),
    "wiki-727k": Sample("x.wiki", "========,1,preface.\nText.\n========,2,A, b.\nMore.\n"),
    "markdown": Sample("x.md", "# Title\n\nText.\n\nTwo\n---\n```\n# x\n```\n"),
    "text": Sample("x.txt", "Text. More.\n\nText.\n"),
    "webvtt": Sample("x.vtt", "WEBVTT\n\nNOTE x\n\na\n00:00.000 --> 00:06.000 x:y\n<b>Intro</b>\n", SECONDS),
    "srt": Sample("x.srt", "1\n00:00:00,000 --> 00:00:06,000\nIntro\n\n2\n00:00:06,000 --> 00:00:09,000\nB\n", SECONDS),
    "youtube": Sample("x.txt", "0:00 Intro\n- [0:12] Middle\n0:30 End\n", SECONDS),
    "yt-dlp": Sample("x.info.json", '{"id": "a", "duration": 9, "chapters": [{"start_time": 0, "end_time": 6.5, '
                     '"title": "x"}]}', SECONDS),
    "chapters": Sample("x.json", '[{"start": 0, "end": 6.5, "title": "x"},\n {"start": "0:06.5", "end": 9, "document": "x"}]', SECONDS),
    "label-studio": Sample("x.json", '[{"id": 1, "data": {"text": "a 😀"}, "annotations": [{"completed_by": {"id": 3}, '
                           '"result": [{"type": "labels", "value": {"start": 0, "end": "4", "text": "a 😀", "labels": '
                           '["A"]}}]}]}, {"id": 2, "data": {"d": [{"text": "a"}, {"text": "b"}]}, "annotations": '
                           '[{"completed_by": 1, "result": [{"type": "paragraphlabels", "value": {"start": "0", '
                           '"end": "1", "startOffset": 0, "endOffset": 1, "paragraphlabels": ["B"]}}]}]}]', "paragraphs"),
    "chat": Sample("x.jsonl", '{"id": "c", "messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": '
                   '[{"type": "text", "text": "b"}, {"type": "image_url"}]}, {"role": "tool", "content": null}]}\n'),
    "prodigy": Sample("x.jsonl", '{"text": "a 😀 b", "_input_hash": -7, "spans": [{"start": 0, "end": 1, "label": "A"}, {"start": 2, '
                      '"end": 5, "label": "B"}], "answer": "accept", "_annotator_id": "t-b", "_session_id": "t-b"}\n{"text": "a", '
                      '"_input_hash": 8, "spans": [], "answer": "reject", "_session_id": "t-c"}\n', WORDS),
    "argilla": Sample("x.json", '[{"id": "u", "fields": {"text": "a b"}, "metadata": {}, "suggestions": {"q": {"value": [], "score": '
                      'null, "agent": "m"}}, "responses": {"q": [{"value": [{"start": 0, "end": 3, "label": "A"}], "user_id": "b1"}]}}]',
                      WORDS),
    "doccano": Sample("x.jsonl", '{"id": 1, "text": "a 😀", "label": [[0, 4, "A"]]}\n{"id": 2, "text": "b", "entities": '
                      '[{"label": "A", "start_offset": 0, "end_offset": 1}]}\n', WORDS),
    "brat": Sample("x.ann", "T1\tSegment 0 1;2 3\ta b\nA1\tLevel T1 2\n", WORDS),
    "textgrid": Sample("x.TextGrid", 'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = 9\n'
                       'tiers? <exists>\nsize = 2\nitem []:\n item [1]:\n class = "IntervalTier"\n name = "t"\n xmin = 0\n'
                       ' xmax = 9\n intervals: size = 1\n intervals [1]:\n xmin = 0\n xmax = 9\n text = "a ""b"""\n'
                       'item [2]:\n "TextTier"\n "p"\n 0\n 9\n 1\n 3\n "m"\n', SECONDS),
    "elan": Sample("x.eaf", '<ANNOTATION_DOCUMENT><TIME_ORDER><TIME_SLOT TIME_SLOT_ID="s1" TIME_VALUE="0"/><TIME_SLOT '
                   'TIME_SLOT_ID="s2" TIME_VALUE="9000"/></TIME_ORDER><TIER TIER_ID="t"><ANNOTATION><ALIGNABLE_ANNOTATION '
                   'ANNOTATION_ID="a" TIME_SLOT_REF1="s1" TIME_SLOT_REF2="s2"><ANNOTATION_VALUE>x</ANNOTATION_VALUE>'
                   '</ALIGNABLE_ANNOTATION></ANNOTATION></TIER><TIER TIER_ID="u"><ANNOTATION><REF_ANNOTATION '
                   'ANNOTATION_ID="b" ANNOTATION_REF="a"/></ANNOTATION></TIER></ANNOTATION_DOCUMENT>', SECONDS),
    "audacity": Sample("x.txt", "0.000000\t12.500000\tintro\n\\\t1.0\t2.0\n12.5\t13.0\tb\n", SECONDS),
    "lab": Sample("x.lab", "0.0 12.5 intro\n12.5 13 b # c\n", SECONDS),
    "webanno-tsv": Sample("x.tsv", "#FORMAT=WebAnno TSV 3.3\n#T_SP=c.S|label\n\n#Text=a b\n1-1\t0-1\ta\tA[1]|B\t\n"
                          "1-2\t2-3\tb\tA[1]\t\n"),
    "uima-xmi": Sample("x.xmi", '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:c="http:///c.ecore" xmlns:cas='
                       '"http:///uima/cas.ecore"><cas:Sofa xmi:id="1" sofaString="abc"/><c:S sofa="1" begin="0" end="3" '
                       'label="A"/></xmi:XMI>', WORDS),
    "uima-json": Sample("x.json", '{"%TYPES": {}, "%FEATURE_STRUCTURES": [{"%ID": 1, "%TYPE": "uima.cas.Sofa", '
                        '"sofaString": "abc"}, {"%ID": 2, "%TYPE": "c.S", "@sofa": 1, "begin": 0, "end": 3, "label": "A"}]}',
                        WORDS),
    "llm": Sample("x.jsonl", "".join(json.dumps({"document": name, "output": text}) + "\n" for name, text in {
        "a": '```json\n{"segments": [{"title": "Rain", "start": 0}, {"title": "Bus", "start": 2}]}\n```',
        "b": "[[0, 1], [2, 3]]", "c": '["It rains.", "The bus is late."]', "d": "Ends: 1, 3",
        "e": "It rains. It pours.\n---\nThe bus was late. We went home.", "f": "1. It rains.\n2. We go home.",
        "g": "I'm sorry, I cannot do that.", "h": "0, 2, 3", "i": "[0] B\n[1] I\n[2] B\n[3] I",
    }.items())),
}  # fmt: skip

# The units of the documents that the sample "llm" is about.
UNITS_OF_ANSWERS = "".join(
    json.dumps(
        {"document": name, "units": ["It rains.", "It pours.", "The bus is late.", "We go home."]}
    )
    + "\n"
    for name in "abcdefghi"
)

# Values that no parameter should choke on.
HOSTILE: list[Any] = [
    None, True, False, 0, 1, -1, 2, 7, 2**31, 2**53, 2**53 + 1, 2**63, -(2**63), 10**30, 10**5000, 0.5, -0.0, 1e308,
    float("nan"), float("inf"), 1j, "", "a", "auto", "3", "\x1b[31m", "\0", "\ud800", "x" * 500, b"", b"x", [], [0],
    [1], [2, 3], [3, 2], [-1], [1, 1], [0.5], ["a"], [None], [True], [[1]], [2**63], [10**5000], (1, 2), (), {}, {"a": 1}, {1},
    range(3), object,
]  # fmt: skip
