"""Files that are wrong, format by format, with the whole message (the folder cut off)."""

from pathlib import Path

import pytest

import segscore as ss
from segscore.io import convert, read_columns
from segscore.io import files as files_module

LINE = b'{"document":"a","coder":"b","masses":[1,2]}\n'
WHOLE = "segment lengths, whole numbers of at least 1"

JSONL: list[tuple[bytes, str]] = [
    (b'{"document":"a","coder":"b","masses":[1,2', "x.jsonl, line 1: not JSON (Expecting ',' "
     "delimiter at column 42): expected one object per line"),
    (LINE + b'{"document":"a"', "x.jsonl, line 2: not JSON (Expecting ',' delimiter at column 16): "
     "expected one object per line"),
    (LINE + b"[1, 2]\n", "x.jsonl, line 2: [1, 2] (list): expected an object {…}"),
    (b'{"document":"a","coder":"b","masses":[1,"2"]}', "x.jsonl, line 1: document 'a', coder 'b': "
     f"masses[1] is '2' (str): expected {WHOLE}"),
    (b'{"document":"a","coder":"b","masses":[1,2.0]}', "x.jsonl, line 1: document 'a', coder 'b': "
     f"masses[1] is 2.0 (float): expected {WHOLE}"),
    (b'{"document":"a","coder":"b","masses":[1,true]}', "x.jsonl, line 1: document 'a', coder 'b': "
     f"masses[1] is True: expected {WHOLE}"),
    (b'{"document":"a","coder":"b","masses":[1,0]}', "x.jsonl, line 1: document 'a', coder 'b': "
     f"masses[1] is 0: expected {WHOLE}, 2**53 in all"),
    (b'{"document":"a","coder":"b","masses":[1,-1]}', "x.jsonl, line 1: document 'a', coder 'b': "
     f"masses[1] is -1: expected {WHOLE}, 2**53 in all"),
    (b'{"document":"a","coder":"b","masses":[9007199254740992,1]}', "x.jsonl, line 1: document 'a',"
     f" coder 'b': masses[1] is 1: expected {WHOLE}, 2**53 in all"),
    (b'{"document":"a","coder":"b","masses":[1' + b"0" * 30 + b"]}", "x.jsonl, line 1: document 'a'"
     f", coder 'b': masses[0] is 1000000000000000000000000000000: expected {WHOLE}"),
    (b'{"document":"a","coder":"b","masses":[1' + b"0" * 9999 + b"]}",
     "x.jsonl, line 1: a number is too long: expected whole numbers up to 2**53"),
    (b'{"document":"a","coder":"b","masses":[]}', "x.jsonl, line 1: document 'a', coder 'b': "
     f"masses is empty: expected {WHOLE}"),
    (b'{"document":"a","coder":"b","masses":5}', "x.jsonl, line 1: document 'a', coder 'b': "
     f"masses is 5: expected {WHOLE}"),
    (b'{"document":"a","coder":"b","masses":[NaN]}', "x.jsonl, line 1: NaN is not JSON: expected "
     "whole numbers"),
    (b'{"document":"a","coder":"b","boundaries":[3],"n_units":3}', "x.jsonl, line 1: document 'a', "
     "coder 'b': boundary 3 is outside the document: with 3 units expected 1 … 2"),
    (b'{"document":"a","coder":"b","boundaries":[2,2],"n_units":3}', "x.jsonl, line 1: document "
     "'a', coder 'b': boundary 2 is listed twice: expected each once"),
    (b'{"document":"a","coder":"b","boundaries":[2]}', "x.jsonl, line 1: document 'a', coder 'b': "
     "n_units is missing: expected the number of units, for boundaries"),
    (b'{"document":"a","coder":"b","boundaries":[],"n_units":0}', "x.jsonl, line 1: document 'a', "
     "coder 'b': n_units is 0: expected 1 … 2**53"),
    (b'{"document":"a","coder":"b","masses":[1,2],"n_units":4}', "x.jsonl, line 1: document 'a', "
     "coder 'b': n_units is 4: expected 3, as the coding says"),
    (b'{"document":"a","coder":"b","masses":[3],"boundaries":[1],"n_units":3}', "x.jsonl, line 1: "
     "document 'a', coder 'b': boundaries and masses are given: expected one of them"),
    (b'{"document":"a","coder":"b"}', "x.jsonl, line 1: document 'a', coder 'b': coder is given, "
     "but no coding: expected masses, or boundaries and n_units"),
    (b'{"document":"a"}', "x.jsonl, line 1: document 'a': there is no coding: expected masses, or "
     "boundaries and n_units"),
    (b'{"document":"a","coder":"b","masses":[1]}\n{"coder":"b","masses":[1]}\n', "x.jsonl, line 2: document is missing: "
     "expected its name, as in {\"document\": \"ch1\", …}, because the file has several codings; only a single coding gets the name of the file"),
    (b'{"document":7,"coder":"b","masses":[1]}', "x.jsonl, line 1: document is 7: expected a name, "
     "a text"),
    (b'{"document":"","coder":"b","masses":[1]}', "x.jsonl, line 1: document is '' (str): expected "
     "a name, a text"),
    (b'{"document":"a","coder":"","masses":[1]}', "x.jsonl, line 1: coder is '' (str): expected a "
     "name, a text"),
    (b'{"document":"a","document":"a","coder":"b","masses":[1]}', "x.jsonl, line 1: 'document' "
     "(str) is given twice: expected each key once"),
    (b'{"document":"a","coder":"b","mases":[1]}', "x.jsonl, line 1: no field is called 'mases' "
     "(str): expected some of document, coder, masses, gaps, segment_ids, spans, boundaries, "
     "levels, n_units, types, ranks, candidates, units, segment_labels, labels, kind, group, coders, "
     "failure, annotation"),
    (b'{"document":"\\ud800","coder":"b","masses":[1]}', "x.jsonl, line 1: document holds '\\ud800'"
     ", half a surrogate pair: expected Unicode text"),
    (b'{"document":"a","coder":"b","masses":[1,1],"types":[["\\ud800"]]}', "x.jsonl, line 1: "
     "document 'a', coder 'b': types holds '\\ud800', half a surrogate pair: expected Unicode "
     "text"),
    (b'{"document":"\xe9","coder":"b","masses":[1]}', "x.jsonl, line 1: byte 0xe9 is not UTF-8: "
     "expected JSON in UTF-8"),
    (b'{"document":"a\x00","coder":"b","masses":[1]}', "x.jsonl, line 1: not JSON (Invalid control "
     "character at at column 15): expected one object per line"),
    (LINE + b"\x00\x00\x00\n", "x.jsonl, line 2: not JSON (Expecting value at column 1): expected "
     "one object per line"),
    (LINE.decode().encode("utf-16"), "x.jsonl: the file is UTF-16: expected UTF-8"),
    (b"[" * 100_000, "x.jsonl, line 1: lists nested too deeply: expected a flat object"),
    (b'{"document":"a","coder":"b","masses":' + b"[" * 100_000, "x.jsonl, line 1: lists nested "
     "too deeply: expected a flat object"),
    (b'{"document":"a","coder":"b","masses":[2],"types":5}', "x.jsonl, line 1: document 'a', coder "
     "'b': types is 5: expected a list of 0, one entry per boundary"),
    (b'{"document":"a","coder":"b","masses":[1,1],"types":[[["x"]]]}', "x.jsonl, line 1: document "
     "'a', coder 'b': types[0] is [['x']] (list): expected a str, an int or a set of them"),
    (b'{"document":"a","coder":"b","masses":[1,1],"ranks":[0]}', "x.jsonl, line 1: document 'a', "
     "coder 'b': ranks[0] is 0: expected 1 ranks of at least 1, one per boundary"),
    (b'{"document":"a","coder":"b","masses":[1,1],"units":["x"]}', "x.jsonl, line 1: document 'a', "
     "coder 'b': 1 units of text: expected 2, as the coding has"),
    (b'{"document":"a","coder":"b","masses":[1,1],"units":["x",3]}', "x.jsonl, line 1: document "
     "'a', coder 'b': units[1] is 3: expected a text"),
    (b'{"document":"a","coder":"b","masses":[1,1],"labels":["x"]}', "x.jsonl, line 1: document 'a',"
     " coder 'b': labels has 1: expected a list of 2, one entry per segment"),
    (b'{"document":"a","coder":"b","masses":[1,1],"labels":["x",["y","y"]]}', "x.jsonl, line 1: "
     "document 'a', coder 'b': labels[1] is ['y', 'y'] (list): expected a text, or a list of "
     "distinct texts"),
    (b'{"document":"a","coder":"b","masses":[1],"kind":"dog"}', "x.jsonl, line 1: document 'a', "
     "coder 'b': kind is 'dog' (str): expected 'person', 'system' or 'consensus'"),
    (b'{"document":"a","coder":"b","masses":[1],"coders":"here"}', "x.jsonl, line 1: coders is "
     "'here' (str): expected 'global' or 'local'"),
]  # fmt: skip

# What only a whole corpus shows.
CORPUS: list[tuple[bytes, str]] = [
    (LINE + LINE, "x.jsonl, line 2: document 'a', coder 'b': a second coding: expected one per "
     "coder and document; when files are read, duplicates= keeps the first or the last"),
    (LINE + b'{"document":"a","coder":"c","masses":[1,1]}\n', "x.jsonl, line 2: document 'a', coder"
     " 'c': 2 units, where coder 'b' has 3: expected the same number in all codings of a document"),
    (b'{"document":"a","units":["x"]}\n' + LINE, "x.jsonl, line 2: document 'a', coder 'b': 3 "
     "units, where the text has 1: expected the same number in all codings of a document"),
]  # fmt: skip

SEGEVAL_JSON: list[tuple[bytes, str]] = [
    (b'{"segmentation_type":"linear","items":{"a":{"b":[1,2', "x.json, line 1: not JSON (Expecting "
     "',' delimiter at column 53): expected segeval's JSON"),
    (b'{"segmentation_type":"linear",\n"items":{"a":{"b":[1 2]}}}', "x.json, line 2: not JSON "
     "(Expecting ',' delimiter at column 22): expected segeval's JSON"),
    (b"[]", 'x.json: [] (list): expected an object with "items"'),
    (b'{"items":{"a":{"b":[1]}}}', "x.json: the file does not say what its lists hold: expected "
     '"segmentation_type": "linear" beside "items", if they are masses (segment lengths); for 0 and 1 per unit '
     'expected {document: {coder: [0, 1, …]}} without "items"'),
    (b'{"segmentation_type":"hierarchical","items":{}}', "x.json: segmentation_type is "
     "'hierarchical' (str): expected 'linear'"),
    (b'{"segmentation_type":"linear"}', "x.json: items is None (NoneType): expected {document: "
     "{coder: masses}}"),
    (b'{"segmentation_type":"linear","items":{"a":[1]}}', "x.json: document 'a' is [1] (list): "
     "expected coder: masses"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":[1,0]}}}', "x.json: document 'a', coder 'b':"
     f" masses[1] is 0: expected {WHOLE}, 2**53 in all"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":[1,"2"]}}}', "x.json: document 'a', coder "
     f"'b': masses[1] is '2' (str): expected {WHOLE}"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":"12"}}}', "x.json: document 'a', coder 'b': "
     "the coding is '12' (str): expected a list of masses"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":[]}}}', "x.json: document 'a', coder 'b': "
     f"masses is empty: expected {WHOLE}"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":[[],1]}}}', "x.json: document 'a', coder "
     "'b': [1] is 1: expected a list of types for each of N-1 positions"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":[1],"b":[1]}}}', "x.json: 'b' (str) is given"
     " twice: expected each key once"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":[1]},"a":{"c":[1]}}}', "x.json: 'a' (str) is"
     " given twice: expected each key once"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":[1],"c":[2]}}}', "x.json: document 'a', "
     "coder 'c': 2 units, where coder 'b' has 1: expected the same number in all codings of a "
     "document"),
    (b'{"segmentation_type":"linear","items":{"":{"b":[1]}}}', "x.json: document '', coder 'b': "
     "document is '' (str): expected a name, a text"),
    (b'{"segmentation_type":"linear","boundary_format":"x","items":{"a":{"b":[1]}}}', "x.json: "
     "document 'a', coder 'b': boundary_format is 'x' (str): expected mass, sets, position or "
     "nltk"),
    (b'{"segmentation_type":"linear","items":{"\xe9":{"b":[1]}}}', "x.json, line 1: byte 0xe9 is "
     "not utf-8: expected text in UTF-8, or in the encoding that encoding= names"),
    (b'{"segmentation_type":\n"linear\x00"}', "x.json, line 2: a NUL byte: expected text"),
    (b'\xff\xfe{\x00', "x.json: the file is UTF-16: expected UTF-8, or encoding='utf-16'"),
    (b'{"items":' + b"[" * 100_000, "x.json: lists nested too deeply: expected document: coder: "
     "masses"),
    (b'{"items":' + b"1" * 5000 + b"}", "x.json: a number is too long: expected whole numbers up to"
     " 2**53"),
    (b"", "x.json, line 1: not JSON (Expecting value at column 1): expected segeval's JSON"),
]  # fmt: skip

SEGEVAL_TSV: list[tuple[bytes, str]] = [
    (b"", "x.tsv: the file is empty: expected a header and rows"),
    (b"1\t2\t3\n", "x.tsv, line 1: '1, 2, 3' is not a header of this format: expected 'Coder<TAB>Masses' "
     "or 'Coder<TAB>Positions' (the segment of each unit), then a coder per row"),
    (b"Coder\tBoundaries\nb\t2\t3\n", "x.tsv, line 1: 'Coder, Boundaries' is not a header of this format: "
     "expected 'Coder<TAB>Masses' or 'Coder<TAB>Positions' (the segment of each unit), then a coder per row"),
    (b"Coder\tMasses\nb\t1\tx\n", "x.tsv, line 2: document 'x', coder 'b': cell 3 is 'x' (str): "
     "expected a whole number from 1 on"),
    (b"Coder\tMasses\nb\t1\t2.0\n", "x.tsv, line 2: document 'x', coder 'b': cell 3 is '2.0' (str):"
     " expected a whole number from 1 on"),
    (b"Coder\tMasses\nb\t1\t" + "٣".encode() + b"\n", "x.tsv, line 2: document 'x', coder 'b': cell"
     " 3 is '٣' (str): expected a whole number from 1 on"),
    (b"Coder\tMasses\nb\t" + b"9" * 99 + b"\n", "x.tsv, line 2: document 'x', coder 'b': cell 2 is "
     "'99999999999999999999999999999999999999… (str): expected a whole number from 1 on"),
    (b"Coder\tMasses\nb\t1\t0\n", "x.tsv, line 2: document 'x', coder 'b': masses[1] is 0: expected"
     f" {WHOLE}, 2**53 in all"),
    (b"Coder\tMasses\nb\n", f"x.tsv, line 2: document 'x', coder 'b': masses is empty: expected "
     f"{WHOLE}"),
    (b"Coder\tMasses\nb\t1\nb\t1\n", "x.tsv, line 3: document 'x', coder 'b': a second coding: "
     "expected one per coder and document; when files are read, duplicates= keeps the first or the last"),
    (b"Coder\tMasses\nb\t1\nc\t2\n", "x.tsv, line 3: document 'x', coder 'c': 2 units, where coder "
     "'b' has 1: expected the same number in all codings of a document"),
    (b"Coder\tMasses\rb\t1\r\x00", "x.tsv, line 3: a NUL byte: expected text"),
    (b"Coder\tMasses\nb\xe9\t1\n", "x.tsv, line 2: byte 0xe9 is not utf-8: expected text in UTF-8, "
     "or in the encoding that encoding= names"),
    (b'Coder\tMasses\n"b\t1\n', "x.tsv, line 2: unexpected end of data: expected cells separated by "
     "'\\t', quotes in pairs"),
]  # fmt: skip

CSV: list[tuple[bytes, str]] = [
    (b"document,coder,mass\na,b,0\n", f"x.csv, line 2: document 'a', coder 'b': masses[0] is 0: "
     f"expected {WHOLE}, 2**53 in all"),
    (b"document,coder,mass\na,b,x\n", "x.csv, line 2: document 'a', coder 'b': mass is 'x' (str): "
     "expected a whole number from 1 on"),
    (b"document,coder,mass\na,b\n", "x.csv, line 2: 2 cells: expected 3, as the header has"),
    (b"document,coder,mass\n,b,1\n", "x.csv, line 2: document is '' (str): expected a name, a "
     "text"),
    (b"document,coder,mass\na,b,1\na,c,1\na,b,1\n", "x.csv, line 4: document 'a', coder 'b': a "
     "second coding: expected one per coder and document; when files are read, duplicates= keeps the first or the last"),
    (b"document,coder,mass\na,b,1\na,c,2\n", "x.csv, line 3: document 'a', coder 'c': 2 units, "
     "where coder 'b' has 1: expected the same number in all codings of a document"),
    (b"document,coder,mass,x\na,b,1,2\n", "x.csv, line 1: the header is 'document,coder,mass,x': "
     "expected document,coder,mass and some of labels (or label),types,rank,group,kind; or "
     "document,coder,unit,segment and some of text,group,kind; each once"),
    (b"document,coder,mass,rank\na,b,1,1\na,b,1,1\n", "x.csv, line 3: document 'a', coder 'b': "
     "ranks at the end of the document: expected 0"),
    (b"document,coder,mass,rank\na,b,1,\na,b,1,0\n", "x.csv, line 2: document 'a', coder 'b': rank "
     "is '' (str): expected a whole number"),
    (b'document,coder,mass,types\na,b,1,"[""t""]"\na,b,1,"[""t""]"\n', "x.csv, line 3: document "
     "'a', coder 'b': types at the end of the document: expected []"),
    (b"document,coder,mass,types\na,b,1,t\na,b,1,[]\n", "x.csv, line 2: document 'a', coder 'b': "
     'types is \'t\' (str): expected a list, as in ["a", "b"]'),
    (b"document,coder,mass,types\na,b,1," + b"[" * 100_000 + b"\n", "x.csv, line 2: document 'a', "
     "coder 'b': types is '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[… (str): expected a list, as in "
     '["a", "b"]'),
    (b"document,coder,mass,kind\na,b,1,person\na,b,1,system\n", "x.csv, line 3: document 'a', coder"
     " 'b': kind is 'system': expected 'person', as in the row before"),
    (b"document,coder,unit,segment\na,b,1,1\na,b,3,1\n", "x.csv, line 3: document 'a', coder 'b': "
     "unit is '3' (str): expected 2, units count from 1"),
    (b"document,coder,unit,segment\na,b,1,1\na,b,2,3\n", "x.csv, line 3: document 'a', coder 'b': "
     "segment is 3: expected 1 or 2"),
    (b'document,coder,mass\na,"b\nb,1\n', "x.csv, line 3: unexpected end of data: expected cells "
     "separated by ',', quotes in pairs"),
    (b"document,coder,mass\na,b,1" + b"x" * 200_000, "x.csv, line 2: field larger than field limit "
     "(131072): expected cells separated by ',', quotes in pairs"),
    (b"document,coder,mass\r\na,\x00,1\r\n", "x.csv, line 2: a NUL byte: expected text"),
]  # fmt: skip

WIDE: list[tuple[bytes, str]] = [
    (b"unit,b\n1,1\n2,3\n", "x.csv, line 3: document 'x', coder 'b': segment is 3: expected 1 "
     "or 2"),
    (b"unit,b\n1,1\n2,\n", "x.csv, line 3: document 'x', coder 'b': segment is '' (str): expected "
     "1 or 2; a column that belongs to no coder is left out by ignore_columns="),
    (b"unit,b\n1,2\n", "x.csv, line 2: document 'x', coder 'b': segment is 2: expected 1, the first"
     " segment"),
    (b"unit,b\n1,0\n", "x.csv, line 2: document 'x', coder 'b': segment is 0: expected segments that "
     "count from 1; for 0 and 1, marks: end (1 is the last unit of a segment), start (1 is the "
     "first unit) or gaps (one symbol less than units)"),
    (b"unit,b,c\n1,1,\n2,1,1\n", "x.csv, line 3: document 'x', coder 'c': '1' below empty cells: "
     "expected a value in all rows, or in none; if 1 is a mark, marks: start (a mark "
     "is in the first unit of a segment) or end (in its last unit)"),
    (b"unit,b\n1,1\n2\n", "x.csv, line 3: 1 cells: expected 2, as the header has"),
    (b"unit,b\n1,1\n3,1\n", "x.csv, line 3: unit is '3' (str): expected 2, units count from 1"),
    (b"unit,b,b\n1,1,1\n", "x.csv, line 1: two columns are called 'b': expected each once"),
    (b"unit,b,\n1,1,1\n", "x.csv, line 1: column 3 has no name: expected one"),
    (b"unit\n1\n", "x.csv, line 1: no coders: expected a header 'unit,coder,coder…'"),
    (b"unit,b\n", "x.csv, line 1: no rows below the header: expected one per unit"),
    (b"unit,b\r1,1\r2,x\r", "x.csv: '1' is a mark in 'b': expected marks: start (a mark "
     "is in the first unit of a segment) or end (in its last unit)"),
    (b"unit,b\r1,1\r2,z\r", "x.csv, line 3: document 'x', coder 'b': segment is 'z' (str): expected"
     " 1 or 2; a column that belongs to no coder is left out by ignore_columns="),
]  # fmt: skip

LEVELS: list[tuple[bytes, str]] = [
    (b"par,level1\r1,0\r2,2\r", "x-b.csv, line 3: document 'x', coder 'b': level1 is '2': expected "
     "0 or 1"),
    (b"par,level1,level2\r1,0,1\r2,0,1\r", "x-b.csv, line 3: document 'x', coder 'b': the last unit"
     " has no 1 at every level: expected the end of the document, so the file may be cut off"),
    (b"par,level1\r", "x-b.csv, line 1: document 'x', coder 'b': the last unit has no 1 at every "
     "level: expected the end of the document, so the file may be cut off"),
    (b"par,level2,level1\r1,1,1\r", "x-b.csv, line 1: the header is 'par,level2,level1': expected "
     "unit,level1,level2…"),
    (b"par,level1\r1,0\r3,1\r", "x-b.csv, line 3: par is '3' (str): expected 2, units count from "
     "1"),
    (b"par,level1\r1\r", "x-b.csv, line 2: 1 cells: expected 2, as the header has"),
    (b"par,level1\n1,\x00\n", "x-b.csv, line 2: a NUL byte: expected text"),
]  # fmt: skip

BAR = b"==========\n"
CHOI: list[tuple[bytes, str]] = [
    (b"", "x.ref, line 1: document 'x': expected a line of ten '=' before the first segment"),
    (b"a\n" + BAR, "x.ref, line 1: document 'x': expected a line of ten '=' before the first "
     "segment"),
    (BAR + b"a\nb\n", "x.ref, line 3: document 'x': the last line is not a separator: expected ten '='"
     ", so the file may be cut off"),
    (BAR, "x.ref, line 1: document 'x': the last line is not a separator: expected ten '=', so the "
     "file may be cut off"),
    (BAR + b"a\n" + BAR + BAR, "x.ref, line 4: document 'x': an empty segment: expected a unit "
     "first, or lenient=True"),
    (BAR + b"a\n========\nb\n" + BAR, "x.ref, line 3: document 'x': '========': expected a unit, or"
     " ten '='"),
    (BAR + b"a\n\nb\n" + BAR, "x.ref, line 3: document 'x': '': expected a unit, or ten '=', or lenient=True"),
    (BAR + b"a\x00\n" + BAR, "x.ref, line 2: a NUL byte: expected text"),
]  # fmt: skip

RANKED: list[tuple[bytes, str]] = [
    (b"", "x.tok: document 'x' has no unit: expected lines of text"),
    (b"==== 1 ====\n", "x.tok: document 'x' has no unit: expected lines of text"),
    (b"a\n==== 1939 The first\nb\n", "x.tok, line 2: '==== 1939 The first' begins like a mark and goes "
     "on: expected '==== 2 ====' alone, or lenient=True, which reads it as a mark "
     "without its text, as EvalHDS does"),
    (b"a\n== 0 ==\nb\n", "x.tok: document 'x': ranks[0] is 0: expected 1 ranks of at least 1, one per boundary"),
    (b"a\n==1234567890==\nb\n", "x.tok, line 2: a rank of 10 digits: expected a small number"),
]  # fmt: skip

GAPS: list[tuple[bytes, str]] = [
    (b"", "x.gaps: the file is empty: expected a gap string per line"),
    (b"a\tb\t012\n", "x.gaps, line 1: document 'a', coder 'b': gaps[2] is '2' (str): expected "
     "symbols 0 or 1"),
    (b"a\tb\t01\na\t01\n", "x.gaps, line 2: 2 cells: expected 3 on every line; document, coder and "
     "gap string are separated by tabs"),
    (b"a\tb\tc\t01\n", "x.gaps, line 1: 4 cells: expected 3 on every line; document, coder and gap "
     "string are separated by tabs"),
    (b"\tb\t01\n", "x.gaps, line 1: document is '' (str): expected a name, a text"),
    (b"01\n\n01\n", "x.gaps, line 2: document '2', coder 'x': gaps is empty: expected N-1 symbols 0"
     " or 1 (one unit alone is from_masses([1]))"),
    (b"a\tb\t01\na\tb\t01\n", "x.gaps, line 2: document 'a', coder 'b': a second coding: expected "
     "one per coder and document; when files are read, duplicates= keeps the first or the last"),
    (b"a\tb\t01\na\tc\t0\n", "x.gaps, line 2: document 'a', coder 'c': 2 units, where coder 'b' has"
     " 3: expected the same number in all codings of a document"),
    (b"a\tb\t0\x001\n", "x.gaps, line 1: a NUL byte: expected text"),
    (b"a\xe9\tb\t01\n", "x.gaps, line 1: byte 0xe9 is not utf-8: expected text in UTF-8, or in the "
     "encoding that encoding= names"),
]  # fmt: skip

ASK = (
    "each value is 0 or 1: expected marks: end (1 is the last unit of a segment), start (1 is the "
    "first unit) or gaps (one symbol less than units)"
)
LABELS: list[tuple[bytes, str]] = [
    (b'{"a": [0, 1]}', f"x.json: document 'a', coder 'x': {ASK}"),
    (b'{"a": {"b": [0, 1]}}', f"x.json: document 'a', coder 'b': {ASK}"),
    (b'{"a": [true, false]}', f"x.json: document 'a', coder 'x': {ASK}"),
    (b'{"a": []}', f"x.json: document 'a', coder 'x': {ASK}"),
    (b'{"a": [1, 1, 2]}', "x.json: document 'a', coder 'x': the values are numbers such as 1: expected marks: "
     "ids (the segment of each unit) or masses (lengths)"),
    (b'{"a": {}}', "x.json: document 'a' is empty: expected {coder: [0, 1, …]}"),
    (b'{"a": 5}', "x.json: document 'a', coder 'x': 5: expected a list, an entry per unit"),
    (b'{"": [0]}', "x.json: document is '' (str): expected a name, a text"),
    (b"{}", "x.json: the object is empty: expected labels per unit, as in {document: [0, 1, …]} or {document: "
     "{coder: [0, 1, …]}}"),
    (b"3", "x.json: 3: expected labels per unit, as in {document: [0, 1, …]} or {document: {coder: [0, 1, …]}}"),
    (b'[{"labels": [0, 1]}]', f"x.json: document '1', coder 'x': {ASK}"),
    (b'[{"x": 1}]', "x.json: no key holds labels: there is 'x': expected columns=, as in labels=NAME"),
    (b'[{"labels": [0], "masses": [1]}]', "x.json: 'masses', 'labels' each hold a coding: expected one, named in "
     "columns="),
    (b'{"labels": [0]}\n{"labels": 3, "doc": true}', f"x.json, line 1: document '1', coder 'x': {ASK}"),
    (b'{"a": [0', "x.json, line 1: not JSON (Expecting ',' delimiter at column 9): expected labels per unit, as in "
     "{document: [0, 1, …]} or {document: {coder: [0, 1, …]}}"),
    (b'{"a": [[0]]}', "x.json: document 'a', coder 'x': the values are numbers such as [0] (list): expected marks: "
     "ids (the segment of each unit) or masses (lengths)"),
]  # fmt: skip

TABLE: list[tuple[bytes, str]] = [
    (b"", "x.csv: the file is empty: expected a header and rows"),
    (b"doc,boundary\na,0\n", f"x.csv, line 2: document 'a', coder 'x': {ASK}"),
    (b"doc,boundary\n", "x.csv, line 1: no rows below the header: expected one per unit"),
    (b"doc,boundary\na,\n", "x.csv, line 2: document 'a', coder 'x': boundary is empty: expected a value"),
    (b"doc,boundary\n,1\n", "x.csv, line 2: document is empty: expected a name in each row"),
    (b"doc,boundary\na\n", "x.csv, line 2: 1 cells: expected 2, as the header has"),
    (b"doc,boundary,segment\na,1,1\n", "x.csv, line 1: the columns 'boundary', 'segment' each hold a coding: "
     "expected one, named in columns="),
    (b"doc,doc\na,1\n", "x.csv, line 1: two columns are called 'doc': expected each name once"),
    (b"doc,unit,segment\na,1,1\na,1,1\n", "x.csv, line 2: document 'a', coder 'x': unit 1 is listed twice: "
     "expected each unit once"),
    (b"doc,unit,segment\na,1,1\na,3,1\n", "x.csv, line 2: document 'a', coder 'x': unit 2 is missing: the next is "
     "3: expected a row for each"),
    (b"doc,unit,segment\na,5,1\n", "x.csv, line 2: document 'a', coder 'x': the first unit is 5: expected units "
     "that count from 0 or 1"),
    (b"doc,unit,segment\na,,1\n", "x.csv, line 2: document 'a', coder 'x': a unit has no number: expected one in "
     "each row"),
    (b"doc,x\na,7\n", "x.csv, line 1: no column holds boundaries: there is 'doc', 'x': expected columns= "
     "with boundary=NAME or segment=NAME (a row per unit), masses=NAME, starts=NAME or labels=NAME (a row per coding), or "
     "unit=NAME (then each other column is a coder)"),
    (b"doc,masses\na,x\n", "x.csv, line 2: document 'a', coder 'x': masses is 'x' (str): expected a list, as in "
     "[2, 3, 6] or 2, 3"),
    (b"doc,masses\na,\n", "x.csv, line 2: document 'a', coder 'x': masses is empty: expected a list"),
    (b'doc,masses\na,"[1,0]"\n', "x.csv, line 2: document 'a', coder 'x': masses[1] is 0: expected "
     f"{WHOLE}, 2**53 in all"),
    (b'doc;boundaries;n_units\na;[3];3\n', "x.csv, line 2: document 'a', coder 'x': boundary 3 is outside the "
     "document: with 3 units expected 1 … 2"),
    (b"doc;start;end\na;x;2\n", "x.csv, line 2: start is 'x': expected a time in seconds, from 0"),
    (b"doc;start;end\na;3;2\n", "x.csv, line 2: end is 2: expected it after the start"),
    (b"doc;start;end\na;3;4\n", "x.csv: document 'a', coder 'x': the file does not say what a unit of time is: expected units= in "
     "seconds, as in 'seconds:6'"),
    (b"doc,kind,segment\na,person,1\na,system,1\n", "x.csv, line 3: document 'a', coder 'x': kind is 'system' "
     "(str): expected 'person' (str), as in the rows before"),
]  # fmt: skip

ALL = [
    (name, kind, content, message)
    for name, kind, cases in (
        ("x.jsonl", "jsonl", JSONL + CORPUS),
        ("x.json", "segeval-json", SEGEVAL_JSON),
        ("x.tsv", "segeval-tsv", SEGEVAL_TSV),
        ("x.csv", "csv", CSV),
        ("x.csv", "wide", WIDE),
        ("x-b.csv", "levels", LEVELS),
        ("x.ref", "choi", CHOI),
        ("x.tok", "ranked-text", RANKED),
        ("x.gaps", "gaps", GAPS),
        ("x.json", "labels", LABELS),
        ("x.csv", "table", TABLE),
    )
    for content, message in cases
]


@pytest.mark.parametrize(("name", "kind", "content", "message"), ALL)
def test_malformed_files_are_refused_with_the_place(
    name: str, kind: str, content: bytes, message: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ss.SegmentationError) as error:
        ss.read(path, kind)
    assert str(error.value) == f"{tmp_path}/{message}"


@pytest.mark.parametrize(("content", "message"), JSONL)
def test_columns_are_read_as_strictly(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(ss.SegmentationError) as error:
        read_columns(path)
    assert str(error.value) == f"{tmp_path}/{message}"


@pytest.mark.parametrize(("content", "message"), CORPUS)
def test_conversion_checks_what_only_the_whole_shows(
    content: bytes, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(ss.SegmentationError) as error:
        convert(path, tmp_path / "y.jsonl")
    assert str(error.value) == f"{tmp_path}/{message}"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("x.jsonl", ['{"document":"x","coder":"b","masses":[1,2]}', "",
                     '{"document":"x","coder":"c","masses":[3]}']),
        ("x.json", ['{"segmentation_type":"linear",', '"items":{"x":{"b":[1,2],"c":[3]}}}']),
        ("x.tsv", ["Coder\tMasses", "b\t1\t2", "c\t3"]),
        ("x.csv", ["document,coder,mass", "x,b,1", "x,b,2", "x,c,3"]),
        ("x.csv", ["unit,b,c", "1,1,1", "2,2,1", "3,2,1"]),
        ("x.gaps", ["x\tb\t10", "x\tc\t00"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("last", [True, False])
def test_all_line_ends_and_a_byte_order_mark(
    name: str, lines: list[str], end: str, mark: bytes, last: bool, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(mark + end.join([*lines, ""] if last else lines).encode())
    masses = {"b": ss.Segmentation.from_masses([1, 2]), "c": ss.Segmentation.from_masses([3])}
    assert ss.read(path) == ss.Corpus.from_dict({"x": masses})
    columns = read_columns(path)
    assert [columns.segmentation(row) for row in range(2)] == list(masses.values())


def test_a_file_too_large_to_be_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b'{"items": 1}' + b" " * 2**20)
    monkeypatch.setattr(files_module, "MOST_BYTES", 2**20)
    with pytest.raises(ss.SegmentationError, match="more than 1 MiB: .* JSON Lines has no limit"):
        ss.read(path)


def test_a_line_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(LINE + LINE.strip() + b" " * 2**22)
    monkeypatch.setattr(files_module, "LONGEST_LINE", 2**21)
    for reader in (ss.read, read_columns):
        with pytest.raises(ss.SegmentationError, match="a line of more than 2 MiB"):
            reader(path)


def test_encodings(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_bytes("Coder\tMasses\nÉva\t2\t1\n".encode("cp1252"))
    with pytest.raises(ss.SegmentationError, match="line 2: byte 0xc9 is not utf-8"):
        ss.read(path)
    assert list(ss.read(path, encoding="cp1252")["x"]) == ["Éva"]
    path.write_bytes("Coder\tMasses\nÉva\t2\t1\n".encode("utf-16"))
    assert list(ss.read(path, "segeval-tsv", encoding="utf-16")["x"]) == ["Éva"]
    with pytest.raises(ss.SegmentationError, match="no encoding is called 'klingon'"):
        ss.read(path, encoding="klingon")
    (tmp_path / "y.ref").write_bytes(BAR + "é\n".encode("latin-1") + BAR)
    assert ss.read(tmp_path / "y.ref")["y"].units == ("é",)
    (tmp_path / "y.ref").write_bytes(BAR + "é\n".encode() + BAR)
    assert ss.read(tmp_path / "y.ref")["y"].units == ("é",)
    (tmp_path / "z.jsonl").write_bytes(LINE)
    with pytest.raises(ss.SegmentationError, match="expected none, JSON Lines is UTF-8"):
        ss.read(tmp_path / "z.jsonl", encoding="latin-1")
    assert len(ss.read(tmp_path / "z.jsonl", encoding="utf_8")) == 1
