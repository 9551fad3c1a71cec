"""What the pages share to keep work: saving, other tabs, a storage that is full or forbidden, undo,
files, keys. A page of its own calls the modules."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from browser_pages import reloaded, until
from segscore.pages.page_frame import asset
from segscore.tables.table import cell_of_text

ENTRY = """
const all = { codersKept, keepWork, keepingWords, keptWork, markExported,
  recalled, remember, startKeeping, unexported, warnOnClosing, keepChanges, newHistory,
  recordChange, redoneChange, undoneChange, csvOf, jsonLines, offerFile, safeFileName, rowsOfLines,
  textOfFile, actOnKeys, keyRow, drawKeeping, keepingParts, named };
const parts = keepingParts();
document.body.append(parts.line, parts.notices);
const nameOf = (name) => `document ${name}`;
window.all = all;
window.keeping = startKeeping("page", "ann", (now) => drawKeeping(parts, now, nameOf),
  (name, work) => { window.work = work; });
window.work = keptWork(window.keeping, "d", {});
drawKeeping(parts, window.keeping, nameOf);
warnOnClosing(() => window.keeping);
"""


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("scripts") / "trial.html"
    script = "".join(asset(f"scripts/{name}.js") for name in ("shared", "marks", "work"))
    path.write_text(
        '<!DOCTYPE html><html lang="en"><title>t</title><body><input id="field">'
        f"<script>(() => {{{script}{ENTRY}}})();</script></body></html>",
        "utf-8",
    )
    return path


@contextmanager
def context_of(browser: Any) -> Iterator[Any]:
    made = browser.new_context(offline=True, accept_downloads=True)
    yield made
    made.close()


def opened(context: Any, path: Path) -> Any:
    page = context.new_page()
    page.asked = []
    page.on("dialog", lambda dialog: (page.asked.append(dialog.type), dialog.accept()))
    page.goto(path.as_uri())
    return page


def keep(page: Any, work: Any, document: str = "d") -> bool:
    return bool(page.evaluate("([d, w]) => all.keepWork(keeping, d, w)", [document, work]))


def said(page: Any) -> str:
    return str(page.locator("#saved").text_content())


def test_saved_at_once_and_there_after_a_reload(browser: Any, page_file: Path) -> None:
    with context_of(browser) as context:
        page = opened(context, page_file)
        assert said(page) == "nothing to save yet"
        assert keep(page, {"cuts": [1, 2]})
        assert keep(page, {"cuts": [3]}, "e")
        assert page.evaluate("/^saved \\d\\d:\\d\\d · not exported yet$/.test(saved.textContent)")
        before = page.evaluate("JSON.stringify(Object.entries(localStorage))")
        assert keep(page, {"cuts": [1]})
        changed = [
            entry
            for entry in json.loads(page.evaluate("JSON.stringify(Object.entries(localStorage))"))
            if entry not in json.loads(before)
        ]  # fmt: skip
        assert len(changed) == 1  # a change of one document writes only that one
        reloaded(page)
        assert page.evaluate("work") == {"cuts": [1]}
        assert said(page).startswith("saved ")
        assert page.evaluate("all.codersKept('page')") == ["ann"]


def test_closing_warns_until_all_is_exported(browser: Any, page_file: Path) -> None:
    with context_of(browser) as context:
        page = opened(context, page_file)
        page.locator("#field").fill("x")  # browsers ask only whoever has touched the page
        reloaded(page)
        assert page.asked == []
        page.locator("#field").fill("x")
        keep(page, {"cuts": [1]})
        assert page.evaluate("all.unexported(keeping)") == ["d"]
        reloaded(page)
        assert page.asked == ["beforeunload"]
        page.evaluate("all.markExported(keeping)")
        assert page.evaluate("all.unexported(keeping)") == []
        page.locator("#field").fill("x")
        reloaded(page)
        assert page.asked == ["beforeunload"]
        assert page.evaluate("all.unexported(keeping)") == []  # it was said before the reload
        keep(page, {"cuts": [1, 4]})
        assert page.evaluate("all.unexported(keeping)") == ["d"]


DEAF = "addEventListener('storage', (event) => event.stopImmediatePropagation(), true);"
UNSEEN = """work => { // as a tab writes that has not seen yet what another one has just written
    const entry = { tab: "x", saved: new Date().toISOString(), exported: null, work };
    localStorage.setItem(Object.keys(localStorage).find((one) => one.endsWith(":work:d")),
        JSON.stringify({ ...entry, after: "none" })); }"""


@pytest.mark.parametrize("case", ["heard", "not heard", "at once"])
def test_two_tabs_are_one_desk(browser: Any, page_file: Path, case: str) -> None:
    base = {"places": {"1": 1, "2": 1, "3": 1}, "added": [1, 2, 3], "finished": False}
    one = {"places": {"1": 1, "2": 2, "5": 1}, "added": [1, 2, 5], "finished": True}
    two = {"places": {"2": 1, "3": 1, "6": 1}, "added": [2, 3, 6], "finished": False}
    both = {"places": {"2": 2, "5": 1, "6": 1}, "added": [2, 5, 6], "finished": True}
    with context_of(browser) as context:
        context.set_default_timeout(5000)
        assert keep(opened(context, page_file), base)
        if case == "not heard":
            context.add_init_script(DEAF)
        page, other = opened(context, page_file), opened(context, page_file)
        for tab in (page, other):
            until(tab, "window.work !== null")
        assert keep(page, one)
        if case == "heard":
            until(other, "window.work.finished")
            assert other.evaluate("window.work") == one
            assert keep(other, both)
        elif case == "not heard":
            assert keep(other, two)
            assert other.evaluate("window.work") == both  # and it is drawn there
            page.evaluate("window.dispatchEvent(new Event('focus'))")  # one comes back to it
        else:
            other.evaluate(UNSEEN, two)
        until(page, "'6' in window.work.places")
        assert page.evaluate("window.work") == both
        until(page, "JSON.parse(localStorage.getItem(Object.keys(localStorage)"
              ".find((one) => one.endsWith(':work:d')))).work.finished")  # fmt: skip
        assert opened(context, page_file).evaluate("window.work") == both
        assert page.locator("#notices").text_content() == ""


@pytest.mark.parametrize("heard", [True, False])
def test_what_is_removed_from_the_storage_is_saved_again(
    browser: Any, page_file: Path, tmp_path: Path, heard: bool
) -> None:
    """All files on a disk may share a storage, and any of them may empty it."""
    (tmp_path / "other.html").write_text("<title>other</title>", "utf-8")
    with context_of(browser) as context:
        page = opened(context, page_file)
        keep(page, {"cuts": [1]})
        keep(page, {"cuts": [5]}, "e")
        stored = "Object.keys(localStorage).filter((one) => one.includes(':work:')).length"
        if heard:
            page.evaluate(
                """window.emptied = false;
                window.addEventListener("storage", (event) => { emptied ||= event.key === null; });"""
            )
            other = opened(context, tmp_path / "other.html")
            while not other.evaluate("localStorage.length"):  # see browser_pages.reloaded
                other.reload()
            other.evaluate("localStorage.clear()")
            until(page, f"emptied && {stored} === 2")
        else:
            page.evaluate("localStorage.clear()")
        assert keep(page, {"cuts": [1, 2]})
        assert page.locator("#notices").text_content() == ""
        reloaded(page)
        assert page.evaluate("work") == {"cuts": [1, 2]}


def test_a_full_storage_is_told_and_work_goes_on(browser: Any, page_file: Path) -> None:
    with context_of(browser) as context:
        page = opened(context, page_file)
        assert keep(page, {"cuts": [1]})
        page.evaluate(
            """for (let size = 4_000_000, i = 0; size >= 1; i += 1) {
              try { localStorage.setItem(`fill${i}`, "x".repeat(size)); } catch { size = Math.floor(size / 2); }
            }"""
        )
        larger = {"cuts": list(range(100))}  # than the room that the smallest entry left
        assert not keep(page, larger)
        assert said(page).startswith("not saved")
        notice = page.locator("#notices").text_content()
        assert "storage of this browser is full" in notice
        assert "Export it before you close" in notice
        assert page.evaluate("keeping.entries.get('d').work") == larger
        page.evaluate("localStorage.removeItem('fill0')")
        assert keep(page, {"cuts": [1, 2, 3, 4]})
        assert page.locator("#notices").text_content() == ""


@pytest.mark.parametrize(
    "script",
    [
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });",
        "Object.defineProperty(window, 'localStorage', { get() { return null; } });",
        "Storage.prototype.setItem = () => { throw new DOMException('no', 'InvalidStateError'); };",
    ],
)
def test_a_forbidden_storage_is_told_and_work_goes_on(
    browser: Any, page_file: Path, script: str
) -> None:
    with context_of(browser) as context:
        context.add_init_script(script)
        page = opened(context, page_file)
        assert "does not let the page save" in page.locator("#notices").text_content()
        assert not keep(page, {"cuts": [1]})
        assert page.evaluate("[all.unexported(keeping), keeping.entries.get('d').work]") == [
            ["d"], {"cuts": [1]},
        ]  # fmt: skip
        page.evaluate("all.markExported(keeping)")
        assert page.evaluate("all.unexported(keeping)") == []
        page.evaluate("all.remember('page', 'coder', 'ann')")
        assert page.evaluate("all.codersKept('page')") == []


def test_files(browser: Any, page_file: Path) -> None:
    cells = [
        "=1+1",
        "'=x",
        "-0.5",
        "+",
        'a "b", c',
        "two\nlines",
        "plain",
        "@x",
        "-",
        "1e5",
        "'tis",
    ]
    with context_of(browser) as context:
        page = opened(context, page_file)
        names = page.evaluate("n => n.map((one) => all.safeFileName(one, '.jsonl'))",
                              ["Ann B./x", "..", "con", "Con.2", "Łódź", "x" * 300, "a\u202eb"])  # fmt: skip
        assert names[:5] == [
            "Ann_B._x.jsonl",
            "_.jsonl",
            "con_.jsonl",
            "Con_.2.jsonl",
            "Łódź.jsonl",
        ]
        assert [len(names[5]), names[6]] == [86, "a_b.jsonl"]
        text = page.evaluate("rows => all.csvOf(rows)", [cells, [1, True, None]])
        quoted = [
            '"' + cell.replace('"', '""') + '"' if set(cell) & set(',"\n') else cell
            for cell in map(cell_of_text, cells)
        ]
        assert text == ",".join(quoted) + "\n1,true,\n"
        with page.expect_download() as waiting:
            page.evaluate(
                "all.offerFile('a.jsonl', all.jsonLines([{ a: 1 }, { b: 'é' }]), 'application/jsonl')"
            )
        assert waiting.value.suggested_filename == "a.jsonl"
        assert Path(waiting.value.path()).read_text("utf-8") == '{"a":1}\n{"b":"é"}\n'


def test_keys(browser: Any, page_file: Path) -> None:
    with context_of(browser) as context:
        page = opened(context, page_file)
        page.evaluate(
            """window.hit = [];
            all.actOnKeys([
              all.keyRow(["n"], "next", () => hit.push("next")),
              all.keyRow(["1"], "first", () => hit.push("1")),
              all.keyRow(["Ctrl+z"], "undo", () => hit.push("undo"), ["Ctrl Z"]),
              all.keyRow(["Ctrl+y", "Ctrl+Shift+z"], "redo", () => hit.push("redo"), ["Ctrl Y"]),
              all.keyRow([" "], "mark", () => hit.push("mark"), ["Space"]),
            ]);"""
        )
        for key in (
            "n",
            "Control+z",
            "Control+Shift+Z",
            "Meta+y",
            "Space",
            "z",
            "Alt+n",
            "Control+n",
        ):
            page.keyboard.press(key)
        assert page.evaluate("hit") == ["next", "undo", "redo", "redo", "mark"]
        page.evaluate(
            """hit.length = 0;
            for (const given of [{ key: "т", code: "KeyN" }, { key: "&", code: "Digit1" }, { key: "N", code: "KeyN" },
              { key: "N", code: "KeyN", shiftKey: true }, { key: "!", code: "Digit1", shiftKey: true },
              { key: "b", code: "KeyN" }, { key: "1", code: "Numpad1" }])
              document.body.dispatchEvent(new KeyboardEvent("keydown", { ...given, bubbles: true }));"""
        )
        assert page.evaluate("hit") == ["next", "1", "next", "1"]  # of Cyrillic, AZERTY, caps lock
        page.evaluate("hit.length = 0")
        page.locator("#field").press("n")
        assert page.evaluate("[hit, field.value]") == [[], "n"]
        page.evaluate("field.blur()")
        page.keyboard.press("?")
        assert page.locator("dialog[open] tr").all_text_contents() == [
            "nnext", "1first", "Ctrl Zundo", "Ctrl Yredo", "Spacemark", "?show or hide this list",
        ]  # fmt: skip
        page.keyboard.press("n")
        assert page.evaluate("hit") == []  # not while the list is open
        page.keyboard.press("?")
        assert page.locator("dialog").count() == 0
        page.keyboard.press("?")
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")
