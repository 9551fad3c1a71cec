// The annotation page: a person marks where segments start. No framework, no network; names and
// texts are set as text, never as markup.

/** @param {AnnotationData} data */
function startAnnotation(data) {
  /** @type {{desk: Desk|null}} */
  const page = { desk: null };
  const nameOf = (/** @type {string} */ id) => data.documents[numberOf(data, id)].name;
  const told = () => {
    if (!page.desk) return;
    drawKeeping(page.desk.keeping, nameOf);
    drawAllDone(page.desk);
  };

  /** @param {string} coder */
  const sitDown = (coder) => {
    page.desk?.keeping.stop();
    page.desk = null;
    remember(data.page, "coder", coder, "sessionStorage"); // another tab may be another person's
    remember(data.page, "title", document.title);
    need("who").replaceChildren(named(coder, 40));
    closeNotice();
    const keeping = startKeeping(data.page, coder, told, (id, work) => { if (page.desk) followOther(page.desk, numberOf(data, id), work); });
    page.desk = newDesk(data, coder, keeping);
    told();
    need("desk").hidden = need("tools").hidden = false;
    offerElsewhere(page.desk);
  };

  const askAgain = () => {
    if (page.desk && onlyHere(page.desk)) {
      askWhich("Export your work first", ["Some of it is kept in this window only, and would be lost."]);
    } else askName(page.desk?.coder ?? "", codersKept(data.page), false, sitDown);
  };
  warnOnClosing(() => page.desk?.keeping ?? null);
  countActivity((seconds) => { if (page.desk) openWork(page.desk).seconds += seconds; });
  for (const [target, kind] of /** @type {[EventTarget, string][]} */ ([[document, "visibilitychange"], [window, "pagehide"]])) {
    target.addEventListener(kind, () => { if (page.desk) keepSeconds(page.desk); });
  }
  /** @type {(act: (desk: Desk, event: any) => void) => (event: Event) => void} */
  const atDesk = (act) => (event) => { if (page.desk) act(page.desk, event); };
  listenToText(atDesk);
  const keys = annotationKeys(data).map(([keys, words, act, shown]) => /** @type {KeyRow} */ ([keys, words, atDesk(act), shown]));
  actOnKeys(keys);
  listenToButtons(atDesk);
  need("show-keys").addEventListener("click", () => showKeys(keys));
  need("change-name").addEventListener("click", askAgain);
  foldWhereNarrow();
  measureBars();
  window.addEventListener("beforeprint", () => byId("guidelines")?.toggleAttribute("open", true));

  const known = data.coder ?? recalled(data.page, "coder", "sessionStorage");
  if (known) sitDown(known);
  else askName("", codersKept(data.page), true, sitDown);
}

/** Another tab has saved work on a document: it is drawn here, too. @param {Desk} desk @param {number} i
 * @param {any} kept */
function followOther(desk, i, kept) {
  closeNotice(true);
  putWorks(desk, [[i, workFrom(desk.data.documents[i], kept)]], false);
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

/** @typedef {(act: (desk: Desk, event: any) => void) => (event: Event) => void} AtDesk   (once somebody is there) */

/** @param {AtDesk} atDesk */
function listenToButtons(atDesk) {
  /** @type {Record<string, (desk: Desk) => void>} */
  const acts = { export: (desk) => exportWork(desk, "jsonl"), "export-all": (desk) => exportWork(desk, "jsonl"),
    "export-csv": (desk) => exportWork(desk, "csv"), import: importWork, "start-over": startOver,
    previous: (desk) => stepDocument(desk, -1), next: (desk) => stepDocument(desk, 1), label: nameHere,
    comment: commentHere, undo: (desk) => step(desk, true), redo: (desk) => step(desk, false) };
  for (const [id, act] of Object.entries(acts)) byId(id)?.addEventListener("click", atDesk(act));
  for (const [id, act] of Object.entries({ done: toggleDone, set: toggleHere, unsure: unsureHere })) {
    need(id).addEventListener("click", atDesk((desk, event) => once(() => act(desk))(event)));
  }
  document.querySelectorAll("#levels button").forEach((one, i) =>
    one.addEventListener("click", atDesk((desk) => levelHere(desk, i + 1))));
}

/** A click on a gap sets or removes its boundary, and nothing scrolls; on a label or a comment, it asks
 * for another one. A double click is one click. @param {AtDesk} atDesk */
function listenToText(atDesk) {
  need("text").addEventListener("click", atDesk((desk, { target, detail }) => {
    const gap = target.closest(".gap");
    if (!gap || detail > 1) return;
    goTo(desk, Number(gap.getAttribute("data-p")), { stay: true });
    const chip = target.closest(".chip");
    if (chip?.matches(".none, .label")) nameHere(desk);
    else if (chip?.matches(".note")) commentHere(desk);
    else toggleHere(desk);
  }));
  need("text").addEventListener("focusin", atDesk((desk, { target }) => { // a screen reader may go anywhere
    const p = Number(target.closest(".gap")?.getAttribute("data-p") ?? desk.at);
    if (p !== desk.at) goTo(desk, p, { stay: true });
  }));
}

/** @param {AnnotationData} data */
function annotationKeys(data) {
  /** @param {number} by @returns {(desk: Desk, event: KeyboardEvent) => void} */
  const move = (by) => (desk, event) => {
    if (event.shiftKey) goToBoundary(desk, by);
    else goTo(desk, desk.at + by);
  };
  /** @param {(desk: Desk) => void} act @returns {(desk: Desk, event: KeyboardEvent) => void} */
  const oneTime = (act) => (desk, event) => once(() => act(desk))(event);
  /** @type {[string[], string, (desk: Desk, event: KeyboardEvent) => void, string[]?][]} */
  const rows = [
    [["ArrowDown", "j"], "next place; with Shift next boundary", move(1), ["↓", "j"]],
    [["ArrowUp", "k"], "previous place; with Shift previous boundary", move(-1), ["↑", "k"]],
    [["Home"], "first place", (desk) => goTo(desk, 0)],
    [["End"], "last place", (desk) => goTo(desk, Infinity)],
    [[" ", "Enter"], "set or remove the boundary", oneTime(toggleHere), ["Space", "Enter"]],
    [["1", "2", "3", "4", "5", "6"], "set the boundary with this level", (desk, event) =>
      levelHere(desk, Number(/[1-6]/.exec(event.key)?.[0] ?? event.code.slice(-1))), ["1", "…", `${data.levels}`]],
    [["l"], `${labelWord(data)} of the segment that starts here`, nameHere],
    [["u"], "unsure, or not", oneTime(unsureHere)],
    [["c"], "comment", commentHere],
    [["d"], "the document is done, or not", oneTime(toggleDone)],
    [["n"], "next document", (desk) => stepDocument(desk, 1)],
    [["p"], "previous document", (desk) => stepDocument(desk, -1)],
    [["Escape"], "close the message", () => closeNotice(), ["Esc"]],
    [["Ctrl+z"], "undo", (desk) => step(desk, true), ["Ctrl+Z"]],
    [["Ctrl+y", "Ctrl+Shift+z", "Ctrl+Shift+Z"], "redo", (desk) => step(desk, false), ["Ctrl+Y"]],
  ];
  return rows.filter(([[key]]) => (data.levels > 1 || key !== "1") && (hasLabels(data) || key !== "l"));
}

/** Where there is room the list of documents and the guidelines are open; where there is none, the list
 * goes when a document is chosen, before that is opened and scrolled to. */
function foldWhereNarrow() {
  const wide = window.matchMedia("(min-width: 62rem)");
  const fold = () => document.querySelectorAll("#shelf, #guidelines").forEach((box) => box.toggleAttribute("open", wide.matches));
  wide.addEventListener("change", () => { if (!window.matchMedia("print").matches) fold(); });
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

loadData().then(startAnnotation).catch((error) => {
  need("problem").hidden = false;
  need("problem").textContent = `The documents cannot be shown in this browser (${error}).`;
}).finally(() => document.documentElement.setAttribute("data-ready", ""));
