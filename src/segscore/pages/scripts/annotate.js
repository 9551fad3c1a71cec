// The annotation page: a person marks where segments start. No framework, no network; names and
// texts are set as text, never as markup.

/** @param {AnnotationData} data */
function startAnnotation(data) {
  /** @type {{desk: Desk|null}} */
  const page = { desk: null };
  const current = () => {
    if (!page.desk) throw new Error("nobody is here yet");
    return page.desk;
  };
  const parts = keepingParts();
  const tools = newTools(current, data, parts.line);
  drawBar(page, data);
  need("below").prepend(parts.notices); // always in view
  const nameOf = (/** @type {string} */ id) => data.documents[numberOf(data, id)].name;

  /** @param {string} coder */
  const sitDown = (coder) => {
    page.desk?.keeping.stop();
    remember(data.page, "coder", coder, "sessionStorage"); // another tab may be another person's
    remember(data.page, "title", document.title);
    need("who").replaceChildren(named(coder, 40));
    const keeping = startKeeping(data.page, coder, () => {
      if (!page.desk) return;
      drawKeeping(parts, page.desk.keeping, nameOf);
      drawAllDone(page.desk);
    }, (id, work) => { if (page.desk) followOther(page.desk, numberOf(data, id), work); });
    page.desk = null;
    closeNotice();
    page.desk = newDesk(data, coder, keeping, () => { if (page.desk) drawTools(tools, page.desk); });
    drawTools(tools, page.desk);
    drawKeeping(parts, keeping, nameOf);
    need("desk").hidden = need("tools").hidden = false;
    offerElsewhere(page.desk);
  };

  warnOnClosing(() => page.desk?.keeping ?? null);
  countActivity((seconds) => { if (page.desk) openWork(page.desk).seconds += seconds; });
  for (const [target, kind] of /** @type {[EventTarget, string][]} */ ([[document, "visibilitychange"], [window, "pagehide"]])) {
    target.addEventListener(kind, () => { if (page.desk) keepSeconds(page.desk); });
  }
  listenToText(current);
  const keys = annotationKeys(current, data);
  actOnKeys(keys);
  listenToButtons(current, keys);
  foldWhereNarrow();
  measureBars();
  printWhole();

  const known = data.coder ?? recalled(data.page, "coder", "sessionStorage");
  if (known) sitDown(known);
  else askName("", codersKept(data.page), true, sitDown);
  need("change-name").addEventListener("click", () => {
    if (page.desk && onlyHere(page.desk)) {
      tellInDialog("Export your work first", "Some of it is kept in this window only, and would be lost.");
    } else askName(page.desk?.coder ?? "", codersKept(data.page), false, sitDown);
  });
}

/** @param {AnnotationData} data @param {string} id what the storage calls a document */
const numberOf = (data, id) => data.documents.findIndex((doc) => workId(doc) === id);

/** Whether work would be lost if its coder left: it is not in the storage, and in no file.
 * @param {Desk} desk */
function onlyHere({ keeping }) {
  return keeping.trouble !== null && unexported(keeping).length > 0;
}

/** Save the seconds with changes that are not exported; looking alone is no change.
 * @param {Desk} desk */
function keepSeconds(desk) {
  desk.data.documents.forEach((doc, i) => {
    const entry = desk.keeping.entries.get(workId(doc));
    const same = Math.round(entry?.work.seconds ?? 0) === Math.round(desk.works[i].seconds);
    if (entry && entry.exported === null && !same) saveWork(desk, i);
  });
}

/** Name, export and import. @param {{desk: Desk|null}} page @param {AnnotationData} data */
function drawBar(page, data) {
  /** @param {string} words @param {string} look @param {(desk: Desk) => void} act */
  const button = (words, look, act) => {
    const made = el("button", { type: "button", class: look, id: words.toLowerCase().replaceAll(" ", "-") }, words);
    made.addEventListener("click", () => { if (page.desk) act(page.desk); });
    return made;
  };
  const change = el("button", { type: "button", id: "change-name", class: "quiet", hidden: data.coder !== null }, "not you?");
  const keys = el("button", { type: "button", id: "show-keys" }, "Keys", el("kbd", { "aria-hidden": "true" }, "?"));
  need("bar").replaceChildren(
    el("span", { class: "coder" }, "Coder: ", el("b", { id: "who" }), " ", change),
    button("Export", "primary", (desk) => exportWork(desk, "jsonl")),
    button("Export CSV", "", (desk) => exportWork(desk, "csv")),
    button("Import", "", importWork), button("Start over", "", startOver), keys);
}

/** @param {() => Desk} current @param {KeyRow[]} keys */
function listenToButtons(current, keys) {
  need("previous").addEventListener("click", () => stepDocument(current(), -1));
  need("next").addEventListener("click", () => stepDocument(current(), 1));
  need("done").addEventListener("click", once(() => toggleDone(current())));
  need("export-all").addEventListener("click", () => exportWork(current(), "jsonl"));
  need("show-keys").addEventListener("click", () => showKeys(keys));
}

/** A click on a gap sets or removes its boundary, and nothing scrolls; on a label or a comment, it asks
 * for another one. A double click is one click. @param {() => Desk} current */
function listenToText(current) {
  const box = need("text");
  /** @param {Event} event */
  const gapOf = (event) => (event.target instanceof Element ? event.target.closest(".gap") : null);
  box.addEventListener("click", (event) => {
    const gap = gapOf(event);
    if (!gap || event.detail > 1) return;
    goTo(current(), Number(gap.getAttribute("data-p")), { stay: true });
    const chip = /** @type {Element} */ (event.target).closest(".chip");
    if (chip?.matches(".none, .label")) nameHere(current());
    else if (chip?.matches(".note")) commentHere(current());
    else toggleHere(current());
  });
  box.addEventListener("focusin", (event) => { // a screen reader may go anywhere
    const gap = gapOf(event);
    const p = Number(gap?.getAttribute("data-p"));
    if (gap && p !== current().at) goTo(current(), p, { stay: true });
  });
}

/** @param {() => Desk} current @param {AnnotationData} data @returns {KeyRow[]} */
function annotationKeys(current, data) {
  const word = labelWord(data);
  /** @param {number} by @returns {(event: KeyboardEvent) => void} */
  const step = (by) => (event) => {
    if (event.shiftKey) goToBoundary(current(), by);
    else goTo(current(), current().at + by);
  };
  const rows = [
    keyRow(["ArrowDown", "j"], "next place; with Shift next boundary", step(1), ["↓", "j"]),
    keyRow(["ArrowUp", "k"], "previous place; with Shift previous boundary", step(-1), ["↑", "k"]),
    keyRow(["Home"], "first place", () => goTo(current(), 0)),
    keyRow(["End"], "last place", () => goTo(current(), openText(current()).units.length - 1)),
    keyRow([" ", "Enter"], "set or remove the boundary", once(() => toggleHere(current())), ["Space", "Enter"]),
    keyRow(["1", "2", "3", "4", "5", "6"], "set the boundary with this level", (event) =>
      levelHere(current(), Number(/[1-6]/.exec(event.key)?.[0] ?? event.code.slice(-1))), ["1", "…", `${data.levels}`]),
    keyRow(["l"], `${word} of the segment that starts here`, () => nameHere(current())),
    keyRow(["u"], "unsure, or not", once(() => unsureHere(current()))),
    keyRow(["c"], "comment", () => commentHere(current())),
    keyRow(["d"], "the document is done, or not", once(() => toggleDone(current()))),
    keyRow(["n"], "next document", () => stepDocument(current(), 1)),
    keyRow(["p"], "previous document", () => stepDocument(current(), -1)),
    keyRow(["Escape"], "close the message", () => closeNotice(), ["Esc"]),
    keyRow(["Ctrl+z"], "undo", () => undo(current()), ["Ctrl+Z"]),
    keyRow(["Ctrl+y", "Ctrl+Shift+z", "Ctrl+Shift+Z"], "redo", () => redo(current()), ["Ctrl+Y"]),
  ];
  return rows.filter((row) => (data.levels > 1 || !row.keys.includes("1")) &&
    (data.labels.length > 0 || data.titles || !row.keys.includes("l")));
}

/** Where there is room the list of documents and the guidelines are open; where there is none, the list
 * goes when a document is chosen, before that is opened and scrolled to. */
function foldWhereNarrow() {
  const wide = window.matchMedia("(min-width: 62rem)");
  const fold = () => document.querySelectorAll("#shelf, #guidelines").forEach((box) => box.toggleAttribute("open", wide.matches));
  wide.addEventListener("change", fold);
  need("shelf").addEventListener("click", (event) => {
    if (!wide.matches && event.target instanceof Element && event.target.closest(".entry")) fold();
  }, true);
  fold();
}

/** The lists, and the places to which one goes, keep clear of what stands above and below. */
function measureBars() {
  const bars = [".top", "#below"].flatMap((one) => document.querySelector(one) ?? []);
  const watch = new ResizeObserver(() => bars.forEach((bar, i) => document.documentElement.style.setProperty(
    i ? "--below" : "--above", `${Math.ceil(bar.getBoundingClientRect().height)}px`)));
  bars.forEach((bar) => watch.observe(bar));
}

/** On paper the whole document is laid out, and the guidelines are open. */
function printWhole() {
  window.addEventListener("beforeprint", () => byId("guidelines")?.toggleAttribute("open", true));
}

loadData().then(startAnnotation).catch((error) => {
  need("problem").hidden = false;
  need("problem").textContent = `The documents cannot be shown in this browser (${error}).`;
}).finally(() => document.documentElement.setAttribute("data-ready", ""));
