"""Modules are joined into one script: dependencies first, and nothing that is not understood."""

import re
from pathlib import Path

import pytest

from segscore.pages.script_joining import SCRIPTS, ScriptError, joined, modules

ENTRIES = ["report.js", "annotate.js", "adjudicate.js"]


def written(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text, "utf-8")
    return folder


def test_dependencies_come_first_and_once(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        page='import { b } from "./left.js";\nimport {\n  c,\n} from "./right.js";\nb(c);\n',
        left='import { a } from "./base.js";\n\nexport function b(x) { return a + x; }\n',
        right='import { a } from "./base.js";\n\nexport const c = a;\n',
        base='/** @import { T } from "./page.js" */\nexport const a = 1;\nexport async function d() {}\n',
    )
    assert modules("page.js", folder) == ["base.js", "left.js", "right.js", "page.js"]
    text = joined("page.js", folder)
    assert text.startswith('"use strict";\n(() => {\n')
    assert text.endswith("b(c);\n})();\n")
    assert text.count("const a = 1;") == 1
    assert "import" not in text
    assert "export" not in text
    assert text.index("const a") < text.index("function b") < text.index("const c")


def test_comments_at_the_start_of_lines_stay_in_the_modules(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        page="// @ts-check\n/** What. @param {T} a\n * @returns {T} */\nexport const f = (a) => a;\n"
        "/** inside */ f(1);\n  // why\nf(/** @type {T} */ (2)); // too\n/** last */\n",
    )
    inside = joined("page.js", folder).split("// ---- page.js ----\n")[1]
    assert inside == (
        "const f = (a) => a;\n/** inside */ f(1);\n  // why\nf(/** @type {T} */ (2)); // too\n})();\n"
    )


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (
            'import { a } from "./base.js";\nconst a = 2;\n',
            r"page\.js.*base\.js",
        ),
        ('import { a, z } from "./base.js";\n', r"page\.js: base\.js does not export z"),
        ('import { hidden } from "./base.js";\n', r"page\.js: base\.js does not export hidden"),
        ('import { a } from "./none.js";\n', r"none\.js.*page\.js"),
        (
            'import { p } from "./circle.js";\n',
            r"page\.js → circle\.js → page\.js: modules import each",
        ),
        ('import * as all from "./base.js";\n', "form that is known"),
        ('import one from "./base.js";\n', "form that is known"),
        ('import { a as b } from "./base.js";\n', "form that is known"),
        ('import "./base.js";\n', "form that is known"),
        ('import { a } from "https://example.org/a.js";\n', "form that is known"),
        ("export default function f() {}\n", "form that is known"),
        ("export { f };\n", "form that is known"),
        ("export let changing = 1;\n", "form that is known"),
        ("const { a } = window;\n", "declared by itself"),
    ],
)
def test_what_is_refused(page: str, message: str, tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        page=page,
        base="export const a = 1;\nconst hidden = 2;\n",
        circle='import { q } from "./page.js";\nexport const p = 1;\n',
    )
    with pytest.raises(ScriptError) as found:
        joined("page.js", folder)
    assert re.search(message, str(found.value))


@pytest.mark.parametrize("entry", ENTRIES)
def test_no_two_modules_of_a_page_declare_a_name(entry: str) -> None:
    assert joined(entry).startswith('"use strict";')


def test_every_module_belongs_to_a_page() -> None:
    used = {name for entry in ENTRIES for name in modules(entry)}
    assert used == {path.name for path in SCRIPTS.iterdir() if path.name.endswith(".js")}
