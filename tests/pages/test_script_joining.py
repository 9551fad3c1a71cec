"""Modules are joined into one script: dependencies first, each once."""

import re
from pathlib import Path

import pytest

from segscore.pages.page_frame import SCRIPTS, joined, modules

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
    assert list(modules("page.js", folder)) == ["base.js", "left.js", "right.js", "page.js"]
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


@pytest.mark.parametrize("entry", ENTRIES)
def test_no_two_modules_of_a_page_declare_a_name(entry: str) -> None:
    """They are joined into one function, where the last of them would win."""
    declared = [
        name for text in modules(entry).values()
        for name in re.findall(r"^(?:export )?(?:(?:async )?function ?\*? ?|class |const |let |var )"
                               r"([\w$]+)", text, re.MULTILINE)
    ]  # fmt: skip
    assert len(declared) == len(set(declared)) > 100
    assert not re.search(r"^\s*(?:import|export)\b", joined(entry), re.MULTILINE)


def test_every_module_belongs_to_a_page() -> None:
    used = {name for entry in ENTRIES for name in modules(entry)}
    assert used == {path.name for path in SCRIPTS.iterdir() if path.name.endswith(".js")}
