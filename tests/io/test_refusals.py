"""Files that are wrong: each is refused with its name, and with the tokens of the table.

Add a row per mistake: the format, the name of the file, what it holds (what is no text is written
as JSON), the tokens of the message, and the options of `read`.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from io_reading_tools import written
from segscore.io import convert, read_columns

LINE = b'{"document":"a","coder":"b","masses":[1,2]}\n'
BAR = b"==========\n"
TURN = {"utterance": "a", "segmentation_label": 0}
SECTION = {"begin": 0, "length": 4, "sectionHeading": "H", "sectionLabel": "l"}


def super_of(turns: object) -> dict:
    return {"dial_data": {"s": [{"dial_id": "d", "turns": turns}]}}


def meeting(topics: object, turns: object = ({"speaker": "p", "content": "a"},)) -> dict:
    return {"topic_list": topics, "meeting_transcripts": turns, "id": "d"}


def article(*sections: object, text: object = "One.") -> list:
    return [{"id": "d", "text": text, "annotations": list(sections)}]


def bad(form: str, file: str, content: Any, tokens: str, **options: Any) -> Any:
    return pytest.param(form, file, content, tokens, options, id=f"{form} {tokens[:40]}")


REFUSED = [
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1,2', r"x\.jsonl.*line 1.*JSON.*Expecting ','.*column 42"),
    bad("jsonl", "x.jsonl", LINE + b'{"document":"a"', r"x\.jsonl.*line 2.*JSON.*Expecting ','.*column 16"),
    bad("jsonl", "x.jsonl", LINE + b"[1, 2]\n", r"x\.jsonl.*line 2.*1.*2.*object"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1,"2"]}', r"line 1.*document 'a'.*coder 'b'.*masses\[1\] is '2'"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1,2.0]}', r"line 1.*document 'a'.*coder 'b'.*masses\[1\] is 2\.0"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1,true]}', r"line 1.*document 'a'.*coder 'b'.*masses\[1\] is True"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1,0]}', r"line 1.*document 'a'.*coder 'b'.*masses\[1\] is 0"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1,-1]}', r"line 1.*document 'a'.*coder 'b'.*masses\[1\] is -1"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[9007199254740992,1]}', r"line 1.*document 'a'.*coder 'b'.*masses\[1\] is 1"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1' + b"0" * 30 + b"]}", r"line 1.*document 'a'.*coder 'b'.*masses\[0\] is 1000000000000000000000000000000"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1' + b"0" * 9999 + b"]}", r"x\.jsonl.*line 1.*number is too long"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[]}', "line 1.*document 'a'.*coder 'b'.*masses is empty"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":5}', "line 1.*document 'a'.*coder 'b'.*masses is 5"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[NaN]}', r"x\.jsonl.*line 1.*NaN.*JSON"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","boundaries":[3],"n_units":3}', "line 1.*document 'a'.*coder 'b'.*boundary 3.*outside the document.*3 units"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","boundaries":[2,2],"n_units":3}', "line 1.*document 'a'.*coder 'b'.*boundary 2.*listed twice"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","boundaries":[2]}', "line 1.*document 'a'.*coder 'b'.*n_units.*missing"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","boundaries":[],"n_units":0}', r"line 1.*document 'a'.*coder 'b'.*n_units is 0.*2\*\*53"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1,2],"n_units":4}', "line 1.*document 'a'.*coder 'b'.*n_units is 4.*coding says"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[3],"boundaries":[1],"n_units":3}', "line 1.*document 'a'.*coder 'b'.*boundaries and masses"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b"}', "line 1.*document 'a'.*coder 'b'.*coder.*no coding"),
    bad("jsonl", "x.jsonl", b'{"document":"a"}', r"x\.jsonl.*line 1.*document 'a'.*no coding.*expected masses"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1]}\n{"coder":"b","masses":[1]}\n', r"x\.jsonl.*line 2.*document is missing"),
    bad("jsonl", "x.jsonl", b'{"document":7,"coder":"b","masses":[1]}', r"x\.jsonl.*line 1.*document is 7.*name"),
    bad("jsonl", "x.jsonl", b'{"document":"","coder":"b","masses":[1]}', r"x\.jsonl.*line 1.*document.*name"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"","masses":[1]}', r"x\.jsonl.*line 1.*coder.*name"),
    bad("jsonl", "x.jsonl", b'{"document":"a","document":"a","coder":"b","masses":[1]}', r"x\.jsonl.*line 1.*'document'.*twice.*key once"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","mases":[1]}', r"x\.jsonl.*line 1.*field is called 'mases'"),
    bad("jsonl", "x.jsonl", b'{"document":"\\ud800","coder":"b","masses":[1]}', r"x\.jsonl.*line 1.*document holds '\\ud800'.*half a surrogate pair"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1,1],"types":[["\\ud800"]]}', r"line 1.*document 'a'.*coder 'b'.*types holds '\\ud800'"),
    bad("jsonl", "x.jsonl", b'{"document":"\xe9","coder":"b","masses":[1]}', r"x\.jsonl.*line 1.*byte 0xe9.*UTF-8"),
    bad("jsonl", "x.jsonl", b'{"document":"a\x00","coder":"b","masses":[1]}', r"x\.jsonl.*line 1.*JSON.*Invalid.*column 15"),
    bad("jsonl", "x.jsonl", LINE + b"\x00\x00\x00\n", r"x\.jsonl.*line 2.*JSON.*Expecting.*column 1"),
    bad("jsonl", "x.jsonl", LINE.decode().encode("utf-16"), r"x\.jsonl: the file is UTF-16: expected UTF-8"),
    bad("jsonl", "x.jsonl", b"[" * 100_000, r"x\.jsonl.*line 1.*nested too deeply"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":' + b"[" * 100_000, r"x\.jsonl.*line 1.*nested too deeply"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[2],"types":5}', "line 1.*document 'a'.*coder 'b'.*types is 5.*entry per boundary"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1,1],"types":[[["x"]]]}', r"line 1.*document 'a'.*coder 'b'.*types\[0\].*'x'.*set of them"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1,1],"ranks":[0]}', r"line 1.*document 'a'.*coder 'b'.*ranks\[0\] is 0.*per boundary"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1,1],"units":["x"]}', "line 1.*document 'a'.*coder 'b'.*1 units.*text.*coding"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1,1],"units":["x",3]}', r"line 1.*document 'a'.*coder 'b'.*units\[1\] is 3.*text"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1,1],"labels":["x"]}', "line 1.*document 'a'.*coder 'b'.*labels has 1"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1,1],"labels":["x",["y","y"]]}', r"line 1.*document 'a'.*coder 'b'.*labels\[1\].*'y'.*'y'"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1],"kind":"dog"}', "line 1.*document 'a'.*coder 'b'.*kind is 'dog'"),
    bad("jsonl", "x.jsonl", b'{"document":"a","coder":"b","masses":[1],"coders":"here"}', r"x\.jsonl.*line 1.*coders is 'here'"),
    bad("jsonl", "x.jsonl", LINE + LINE, "line 2.*document 'a'.*coder 'b'.*second coding"),
    bad("jsonl", "x.jsonl", LINE + b'{"document":"a","coder":"c","masses":[1,1]}\n', "document 'a'.*coder 'c'.*2 units.*where coder 'b' has 3"),
    bad("jsonl", "x.jsonl", b'{"document":"a","units":["x"]}\n' + LINE, "line 2.*document 'a'.*coder 'b'.*3 units.*text has 1"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"linear","items":{"a":{"b":[1,2', r"x\.json.*line 1.*JSON.*Expecting ','.*column 53"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"linear",\n"items":{"a":{"b":[1 2]}}}', r"x\.json.*line 2.*JSON.*Expecting ','.*column 22"),
    bad("segeval-json", "x.json", b"[]", r'x\.json.*object.*"items"'),
    bad("segeval-json", "x.json", b'{"items":{"a":{"b":[1]}}}', r"x\.json.*segmentation_type is None"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"hierarchical","items":{}}', r"x\.json: segmentation_type is 'hierarchical' \(str\): expected.*linear"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"linear"}', r"x\.json.*items is None.*NoneType"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"linear","items":{"a":[1]}}', r"x\.json: a is \[1\]"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"linear","items":{"a":{"b":[1,0]}}}', r"x\.json.*document 'a'.*coder 'b'.*masses\[1\] is 0"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"linear","items":{"a":{"b":[1,"2"]}}}', r"x\.json.*document 'a'.*coder 'b'.*masses\[1\] is '2'"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"linear","items":{"a":{"b":"12"}}}', r"x\.json.*document 'a'.*coder 'b'.*coding is '12'"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"linear","items":{"a":{"b":[]}}}', r"x\.json.*document 'a'.*coder 'b'.*masses is empty"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"linear","items":{"a":{"b":[[],1]}}}', r"x\.json.*document 'a'.*coder 'b'.*\[1\] is 1.*list of types"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"linear","items":{"a":{"b":[1],"b":[1]}}}', r"x\.json.*'b'.*twice.*key once"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"linear","items":{"a":{"b":[1]},"a":{"c":[1]}}}', r"x\.json.*'a'.*twice.*key once"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"linear","items":{"a":{"b":[1],"c":[2]}}}', "document 'a'.*coder 'c'.*2 units.*where coder 'b' has 1"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"linear","items":{"":{"b":[1]}}}', r"x\.json.*document is ''.*name"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"linear","boundary_format":"x","items":{"a":{"b":[1]}}}', r"x\.json.*document 'a'.*coder 'b'.*boundary_format is 'x'"),
    bad("segeval-json", "x.json", b'{"segmentation_type":"linear","items":{"\xe9":{"b":[1]}}}', r"x\.json.*line 1.*byte 0xe9.*utf-8"),
    bad("segeval-json", "x.json", b'{"segmentation_type":\n"linear\x00"}', r"x\.json.*line 2.*NUL byte"),
    bad("segeval-json", "x.json", b'\xff\xfe{\x00', r"x\.json.*file is UTF-16"),
    bad("segeval-json", "x.json", b'{"items":' + b"[" * 100_000, r"x\.json.*nested too deeply"),
    bad("segeval-json", "x.json", b'{"items":' + b"1" * 5000 + b"}", r"x\.json.*number is too long"),
    bad("segeval-json", "x.json", b"", r"x\.json.*line 1.*JSON.*Expecting.*column 1"),
    bad("segeval-tsv", "x.tsv", b"", r"x\.tsv.*file is empty"),
    bad("segeval-tsv", "x.tsv", b"1\t2\t3\n", r"x\.tsv.*line 1.*'1, 2, 3'.*header of this format"),
    bad("segeval-tsv", "x.tsv", b"Coder\tBoundaries\nb\t2\t3\n", r"x\.tsv.*line 1.*'Coder, Boundaries'"),
    bad("segeval-tsv", "x.tsv", b"Coder\tMasses\nb\t1\tx\n", "line 2.*document 'x'.*coder 'b'.*cell 3.*'x'.*whole number"),
    bad("segeval-tsv", "x.tsv", b"Coder\tMasses\nb\t1\t2.0\n", r"line 2.*document 'x'.*coder 'b'.*cell 3.*'2\.0'.*whole number"),
    bad("segeval-tsv", "x.tsv", b"Coder\tMasses\nb\t1\t" + "٣".encode() + b"\n", "line 2.*document 'x'.*coder 'b'.*cell 3.*'٣'.*whole number"),
    bad("segeval-tsv", "x.tsv", b"Coder\tMasses\nb\t" + b"9" * 99 + b"\n", "line 2.*document 'x'.*coder 'b'.*cell 2.*'99999999999999999999999999999999999999….*whole number"),
    bad("segeval-tsv", "x.tsv", b"Coder\tMasses\nb\t1\t0\n", r"line 2.*document 'x'.*coder 'b'.*masses\[1\] is 0"),
    bad("segeval-tsv", "x.tsv", b"Coder\tMasses\nb\n", "line 2.*document 'x'.*coder 'b'.*masses is empty"),
    bad("segeval-tsv", "x.tsv", b"Coder\tMasses\nb\t1\nb\t1\n", "line 3.*document 'x'.*coder 'b'.*second coding"),
    bad("segeval-tsv", "x.tsv", b"Coder\tMasses\nb\t1\nc\t2\n", "document 'x'.*coder 'c'.*2 units.*where coder 'b' has 1"),
    bad("segeval-tsv", "x.tsv", b"Coder\tMasses\rb\t1\r\x00", r"x\.tsv.*line 3.*NUL byte"),
    bad("segeval-tsv", "x.tsv", b"Coder\tMasses\nb\xe9\t1\n", r"x\.tsv.*line 2.*byte 0xe9.*utf-8"),
    bad("segeval-tsv", "x.tsv", b'Coder\tMasses\n"b\t1\n', r"x\.tsv.*line 2.*unexpected end of data"),
    bad("choi", "x.ref", b"", r"x\.ref.*line 1.*document 'x'.*'=' before the first segment"),
    bad("choi", "x.ref", b"a\n" + BAR, r"x\.ref.*line 1.*document 'x'.*'=' before the first segment"),
    bad("choi", "x.ref", BAR + b"a\nb\n", r"x\.ref.*line 3.*document 'x'.*not a separator"),
    bad("choi", "x.ref", BAR, r"x\.ref.*document 'x'.*empty"),
    bad("choi", "x.ref", BAR + b"a\n" + BAR + BAR, r"x\.ref.*line 4.*document 'x'.*empty segment"),
    bad("choi", "x.ref", BAR + b"a\n========\nb\n" + BAR, r"x\.ref.*line 3.*document 'x'.*'========'.*unit.*'='"),
    bad("choi", "x.ref", BAR + b"a\n\nb\n" + BAR, r"x\.ref.*line 3.*document 'x'.*'='.*lenient=True"),
    bad("choi", "x.ref", BAR + b"a\x00\n" + BAR, r"x\.ref.*line 2.*NUL byte"),
    bad("ranked-text", "x.tok", b"", r"x\.tok.*document 'x'.*no unit.*lines of text"),
    bad("ranked-text", "x.tok", b"==== 1 ====\n", r"x\.tok.*document 'x'.*no unit.*lines of text"),
    bad("ranked-text", "x.tok", b"a\n==== 1939 The first\nb\n", r"x\.tok.*line 2.*'==== 1939.*begins like"),
    bad("ranked-text", "x.tok", b"a\n== 0 ==\nb\n", r"x\.tok.*document 'x'.*ranks\[0\] is 0.*per boundary"),
    bad("ranked-text", "x.tok", b"a\n==1234567890==\nb\n", r"x\.tok.*line 2.*rank.*10 digits"),
    bad("gaps", "x.gaps", b"", r"x\.gaps.*file is empty"),
    bad("gaps", "x.gaps", b"a\tb\t012\n", r"line 1.*document 'a'.*coder 'b'.*gaps\[2\] is '2'.*symbols"),
    bad("gaps", "x.gaps", b"a\tb\t01\na\t01\n", r"x\.gaps.*line 2.*2 cells.*gap string are separated"),
    bad("gaps", "x.gaps", b"a\tb\tc\t01\n", r"x\.gaps.*line 1.*4 cells.*gap string are separated"),
    bad("gaps", "x.gaps", b"\tb\t01\n", r"x\.gaps.*line 1.*document.*name"),
    bad("gaps", "x.gaps", b"01\n\n01\n", "line 2.*document '2'.*coder 'x'.*gaps is empty"),
    bad("gaps", "x.gaps", b"a\tb\t01\na\tb\t01\n", "line 2.*document 'a'.*coder 'b'.*second coding"),
    bad("gaps", "x.gaps", b"a\tb\t01\na\tc\t0\n", "document 'a'.*coder 'c'.*2 units.*where coder 'b' has 3"),
    bad("gaps", "x.gaps", b"a\tb\t0\x001\n", r"x\.gaps.*line 1.*NUL byte"),
    bad("gaps", "x.gaps", b"a\xe9\tb\t01\n", r"x\.gaps.*line 1.*byte 0xe9.*utf-8"),
    # ---- a list of dialogues ----
    bad("dialogues", "x.json", [], r"x\.json.*file is empty"),
    bad("dialogues", "x.json", [3], r"x\.json.*\[0\].*3.*list of dialogues"),
    bad("dialogues", "x.json", [{"dial_id": "d", "utterances": ["a"], "segments": [2]}], r"x\.json.*\[0\].*document 'd'.*coder 'x'.*segments add up.*2"),
    bad("dialogues", "x.json", [{"dial_id": "d", "utterances": ["a", 3], "segments": [2]}], r"x\.json.*\[0\].*document 'd'.*coder 'x'.*utterances\[1\] is 3"),
    bad("dialogues", "x.json", [{"dial_id": "d", "utterances": [], "segments": [2]}], r"x\.json.*\[0\].*document 'd'.*coder 'x'.*utterances"),
    bad("dialogues", "x.json", [{"dial_id": "d", "utterances": ["a"], "segments": [0, 1]}], r"x\.json.*\[0\].*document 'd'.*coder 'x'.*masses\[0\] is 0"),
    bad("dialogues", "x.json", [{"dial_id": True, "utterances": ["a"], "segments": [1]}], r"x\.json.*\[0\].*dial_id is True"),
    bad("dialogues", "x.json", '[{"dial_id": "d", "utterances": ["a"', r"x\.json.*line 1.*JSON.*Expecting ','.*column 37"),
    # ---- SuperDialseg ----
    bad("superdialseg", "x.json", {"dial_data": []}, r"x\.json.*dial_data"),
    bad("superdialseg", "x.json", {"dial_data": {"s": []}}, r"x\.json.*is empty.*dialogues"),
    bad("superdialseg", "x.json", super_of([]), r"x\.json.*document 'd'.*coder 'x'.*turns has 0"),
    bad("superdialseg", "x.json", super_of([TURN, {"utterance": "b"}]), r"x\.json.*document 'd'.*coder 'x'.*'utterance'.*'b'"),
    bad("superdialseg", "x.json", super_of([TURN, {**TURN, "segmentation_label": 2}]), r"x\.json.*document 'd'.*coder 'x'.*turns\[1\].*segmentation_label is 2"),
    # ---- TIAGE ----
    bad("tiage", "x.json", {}, r'x\.json.*dialogues.*"1".*"hello"'),
    bad("tiage", "x.json", {"d": []}, r"x\.json.*document 'd'.*coder 'x'.*expected a list of"),
    bad("tiage", "x.json", {"d": [["a", "-1"], ["b", "-1"]]}, r"x\.json.*document 'd'.*coder 'x'.*\[1\].*'b'.*'-1'.*first utterance"),
    bad("tiage", "x.json", {"d": [["a", "-1"], ["b"]]}, r"x\.json.*document 'd'.*coder 'x'.*\[1\].*'b'.*first utterance"),
    # ---- TADAM ----
    bad("tadam", "x.txt", "", r"x\.txt.*file is empty"),
    bad("tadam", "x.txt", "0 a\ncall_id_0\n", r"x\.txt.*line 1.*'0 a'.*topic's number"),
    bad("tadam", "x.txt", "call_id_0\n0 a\nb\n", r"x\.txt.*line 3.*'b'.*topic's number"),
    bad("tadam", "x.txt", "call_id_0\ncall_id_1\n0 a\n", r"x\.txt.*line 1.*document 'call_id_0'.*no utterance.*expected some below it"),
    bad("tadam", "x.txt", "call_id_0\n0 a\ncall_id_0\n0 b\n", "line 3.*document 'call_id_0'.*coder 'x'.*text differs.*unit 1"),
    # ---- lines of = ----
    bad("separated-text", "x.txt", "", r"x\.txt.*document 'x'.*file is empty"),
    bad("separated-text", "x.txt", "========\na\n", r"x\.txt.*line 1.*document 'x'.*empty segment"),
    bad("separated-text", "x.txt", "a\n========\n", r"x\.txt.*line 2.*document 'x'.*line is a separator"),
    bad("separated-text", "x.txt", "a\n\nb\n", r"x\.txt.*line 2.*document 'x'.*''"),
    # ---- QMSum ----
    bad("qmsum", "x.json", [], r"x\.json.*file is empty"),
    bad("qmsum", "x.json", meeting([], []), r"x\.json.*document 'd'.*coder 'x'.*meeting_transcripts"),
    bad("qmsum", "x.json", meeting([]), r"x\.json.*document 'd'.*coder 'x'.*topic_list"),
    bad("qmsum", "x.json", meeting([{"topic": "A", "relevant_text_span": [["0", "1"]]}]), r"x\.json.*document 'd'.*coder 'x'.*topic_list\[0\].*'0'.*'1'"),
    bad("qmsum", "x.json", meeting([{"topic": "A", "relevant_text_span": [["0"]]}]), r"x\.json.*document 'd'.*coder 'x'.*topic_list\[0\].*'0'"),
    bad("qmsum", "x.json", meeting([{"topic": "A", "relevant_text_span": [["a", "0"]]}]), r"x\.json.*document 'd'.*coder 'x'.*topic_list\[0\].*'a'.*'0'"),
    bad("qmsum", "x.json", meeting([{"relevant_text_span": []}]), r"x\.json.*document 'd'.*coder 'x'.*topic_list\[0\].*topic is None"),
    bad("qmsum", "x.json", meeting([{"topic": "A"}], [{"speaker": "p"}]), r"x\.json.*document 'd'.*coder 'x'.*'speaker'.*'p'"),
    # ---- WikiSection ----
    bad("wikisection", "x.json", article(), r"x\.json.*\[0\].*document 'd'.*coder 'x'.*annotations", units="words"),
    bad("wikisection", "x.json", article(SECTION, text=" "), r"x\.json.*\[0\].*document 'd'.*coder 'x'.*text is ' '.*article's text", units="words"),
    bad("wikisection", "x.json", article({**SECTION, "length": 5}), r"x\.json.*\[0\].*document 'd'.*coder 'x'.*section ends.*5", units="words"),
    bad("wikisection", "x.json", article({**SECTION, "begin": -1}), r"x\.json.*\[0\].*document 'd'.*coder 'x'.*annotations\[0\].*begin is -1", units="words"),
    bad("wikisection", "x.json", article({**SECTION, "sectionLabel": 3}), r"x\.json.*\[0\].*document 'd'.*coder 'x'.*annotations\[0\].*sectionLabel is 3", units="words"),
    bad("wikisection", "x.json", article(SECTION, SECTION, text="One. Two."), r"x\.json.*document 'd'.*coder 'x'.*unit 2.*no span.*spans that fit", units="words"),
    # ---- sentences with labels ----
    bad("sentence-labels", "x.jsonl", {"id": "d", "sentences": ["a", "b"], "labels": [1]}, "line 1.*document 'd'.*coder 'x'.*labels has 1"),
    bad("sentence-labels", "x.jsonl", {"id": "d", "sentences": ["a"], "labels": [2]}, r"line 1.*document 'd'.*coder 'x'.*labels\[0\] is 2"),
    bad("sentence-labels", "x.jsonl", {"id": "d", "sentences": ["a"], "labels": [1], "levels": [-1]}, r"line 1.*document 'd'.*coder 'x'.*levels\[0\] is -1"),
    bad("sentence-labels", "x.jsonl", {"id": "d", "sentences": ["a"], "labels": [1], "section_topic_labels": []}, "line 1.*document 'd'.*coder 'x'.*section_topic_labels has 0"),
    bad("ytseg", "x.json", [{"video_id": "d", "text": ["a", "b"], "targets": "0"}], r"x\.json.*\[0\].*document 'd'.*coder 'x'.*targets has 1"),
    bad("ytseg", "x.json", [{"video_id": "d", "text": ["a", "b"], "targets": "0x"}], r"x\.json.*\[0\].*document 'd'.*coder 'x'.*targets\[1\] is 'x'"),
    bad("ytseg", "x.json", [{"video_id": "d", "text": ["a", "b"], "targets": "01", "chapters": ["A"]}], r"x\.json.*\[0\].*document 'd'.*coder 'x'.*chapters has 1"),
    # ---- annotation tools ----
    bad("prodigy", "x.jsonl", {"text": "a", "_input_hash": 1, "spans": [{"start": 0, "end": 2, "label": "A"}]}, r"line 1.*document '1'.*coder 'x'.*spans\[0\].*offset 2", units="words"),
    bad("prodigy", "x.jsonl", {"text": "a", "_input_hash": 1, "spans": [{"start": 0, "end": "1", "label": "A"}]}, r"line 1.*spans\[0\].*start, end and label", units="words"),
    bad("prodigy", "x.jsonl", {"_input_hash": 1, "spans": []}, r"line 1.*document '1'.*text is None", units="words"),
    bad("argilla", "x.json", [{"id": "d", "fields": {"a": "x", "b": "y"}, "responses": {}}], r"x\.json.*\[0\].*document 'd'.*one text", units="words"),
    bad("argilla", "x.json", [{"id": "d", "fields": {"a": "x"}, "responses": {"p": [], "q": []}}], r"document 'd'.*layer is None.*'p'.*'q'", units="words"),
    bad("argilla", "x.json", [{"id": "d", "fields": {"a": "x"}, "responses": {"q": [{"value": []}]}}], r"document 'd'.*user_id is None", units="words"),
    bad("argilla", "x.json", [{"id": "d", "fields": {"a": "x"}, "responses": {"q": [{"user_id": "b", "value": [[0, 9, "A"]]}]}}], r"document 'd'.*value\[0\].*offset 9", units="words"),
    bad("chat", "x.json", {"messages": []}, r"x\.json.*document '1'.*messages has 0"),
    bad("chat", "x.json", {"messages": [{"role": "user"}]}, r"x\.json.*document '1'.*'content'"),
    bad("chat", "x.json", {"messages": [{"role": "user", "content": 3}]}, r"document '1'.*content\[0\] is 3"),
    bad("label-studio", "x.json", [{"data": {"dialogue": ["a"]}, "predictions": []}], r"task 1.*document is None"),
    bad("label-studio", "x.json", [{"data": {"document": "d", "dialogue": ["a"]}, "predictions": [{"result": []}]}], r"document 'd'.*model_version is None"),
    # ---- chapters of videos ----
    bad("vidchapters", "x.json", {"d": 3}, r"x\.json.*document 'd'.*coder 'x'.*3.*videos", units="seconds:1"),
    bad("vidchapters", "x.json", {"d": {"duration": 9, "timestamps": [[0, 9]], "sentences": []}}, r"x\.json.*document 'd'.*coder 'x'.*sentences has 0", units="seconds:1"),
    bad("vidchapters", "x.json", {"d": {"duration": 9, "timestamps": [[5, 2]], "sentences": ["A"]}}, r"x\.json.*document 'd'.*coder 'x'.*timestamps\[0\].*end is 2", units="seconds:1"),
    bad("vidchapters", "x.json", {"d": {"duration": "x", "timestamps": [[0, 2]], "sentences": ["A"]}}, r"x\.json.*document 'd'.*coder 'x'.*duration is 'x'", units="seconds:1"),
    bad("vidchapters", "x.json", {"d": {"duration": 9, "timestamps": [[0, 12]], "sentences": ["A"]}}, r"x\.json.*document 'd'.*coder 'x'.*chapter ends.*12 s", units="seconds:1"),
    bad("chapter-llama", "x.json", {"d": {"duration": 9, "chapters": {}}}, r"x\.json.*document 'd'.*coder 'x'.*chapters.*expected", units="seconds:1"),
    bad("chapter-llama", "x.json", {"d": {"duration": 9, "chapters": {"0:00:00": "A", "0:00:12": "B"}}}, r"x\.json.*document 'd'.*coder 'x'.*chapter starts.*12 s", units="seconds:1"),
    bad("chapter-llama", "x.json", {"d": {"duration": 9, "chapters": {"0:00": "A", "0:00:00": "B"}}}, r"x\.json.*document 'd'.*coder 'x'.*each start once", units="seconds:1"),
    bad("chapter-llama", "x.json", {"d": {"duration": 9, "chapters": {"soon": "A"}}}, r"x\.json.*document 'd'.*coder 'x'.*start is 'soon'", units="seconds:1"),
    # ---- chunkseg ----
    bad("chunkseg", "x.jsonl", "", r"x\.jsonl.*file is empty", units="seconds:1"),
    bad("chunkseg", "x.jsonl", {"id": "d", "hypothesis": [3], "reference": 3, "duration": 9}, "line 1.*document 'd'.*coder 'reference'.*reference is 3", units="seconds:1"),
    bad("chunkseg", "x.jsonl", {"id": "d", "hypothesis": [3], "reference": [12], "duration": 9}, "line 1.*document 'd'.*coder 'reference'.*reference has 12", units="seconds:1"),
    bad("chunkseg", "x.jsonl", {"id": "d", "hypothesis": [], "reference": [3, 3], "duration": 9}, "line 1.*document 'd'.*coder 'reference'.*reference has a time", units="seconds:1"),
    bad("chunkseg", "x.jsonl", {"id": "d", "hypothesis": "[CSTART] A", "reference": [], "duration": 9}, r"line 1.*document 'd'.*coder 'hypothesis'.*hypothesis is '\[CSTART\] A'", units="seconds:1"),
    bad("chunkseg", "x.jsonl", {"id": "d", "hypothesis": [], "reference": [3], "duration": 9, "reference_titles": [["A", 5]]}, r"line 1.*document 'd'.*coder 'reference'.*reference_titles\[0\].*'A'.*5", units="seconds:1"),
    bad("superdialseg", "x.json", super_of([TURN]), "turns of a dialogue", units="words"),
    bad("superdialseg", "x.json", super_of([TURN]), "layer is 'x': expected 'topics' or 'speakers'", layer="x"),
    bad("qmsum", "x.json", meeting([{"topic": "A", "relevant_text_span": [[0, 0]]}]), "turns of a dialogue", units="words"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "file", "content", "tokens", "options"), REFUSED)
def test_malformed_files_are_refused_with_the_place(
    form: str, file: str, content: Any, tokens: str, options: dict[str, Any], tmp_path: Path
) -> None:
    path = written(tmp_path, file, content)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(ss.SegmentationError) as error:
        ss.read(path, form, **options)
    assert re.search(tokens, str(error.value))
    assert str(path.parent) in str(error.value) or "units" in str(error.value)
    if form == "jsonl":  # which has ways of its own
        for reader in (read_columns, lambda path: convert(path, tmp_path / "y.jsonl")):
            with pytest.raises(ss.SegmentationError) as error:
                reader(path)
            assert re.search(tokens, str(error.value))
    assert sorted(tmp_path.iterdir()) == before


FILES = json.loads(Path(__file__).with_name("refused_files.json").read_text("utf-8"))


@pytest.mark.parametrize("case", FILES, ids=lambda case: f"{case['format']} {case['tokens']}")
def test_other_files_are_refused_with_the_place(case: dict[str, Any], tmp_path: Path) -> None:
    if case["format"] in ("elan", "uima-xmi"):
        pytest.importorskip("defusedxml")
    path = written(tmp_path, case["file"], case["content"].encode())
    with pytest.raises(ss.SegmentationError) as error:
        ss.read(path, case["format"], **case["options"])
    assert str(error.value).startswith(str(path))
    assert all(token in str(error.value) for token in case["tokens"])
