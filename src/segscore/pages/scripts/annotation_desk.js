// @ts-check
// The work of one coder on the page: which document is open, where one is in it, and what happens
// when something is changed. Everything that changes is in one object, the desk.
import { applyChange, documentOrder, firstWork, hasLabels, isWhole, keepAlone, packedWork, placeAt, samePlace, unlabelled, unpackedWork } from "./annotation_state.js";
import { closeNotice, showNotice } from "./annotation_notice.js";
import { drawText, drawGap, labelWord } from "./annotation_view.js";
import { drawEntry, drawProgress, newShelf } from "./annotation_shelf.js";
import { drawStrip, moveNow, newStrip } from "./annotation_strip.js";
import { isUntouched } from "./annotation_files.js";
import { practiceFeedback, practiceWords } from "./annotation_feedback.js";
import { boundaries, byId, counted, el, named, visible } from "./elements.js";
import { keepChanges, newHistory, recordChange, redoneChange, undoneChange } from "./history.js";
import { keepWork, keptWork, recalled, remember, unexported } from "./keeping.js";

/** @import { AnnotationData, Place, Replacement, TextDocument, Work, WorkChange } from "./annotation_state.js" */
/** @import { TextView } from "./annotation_view.js" */
/** @import { Shelf } from "./annotation_shelf.js" */
/** @import { History } from "./history.js" */
/** @import { Keeping } from "./keeping.js" */
/** @import { NoticeButton } from "./annotation_notice.js" */
/**
 * @typedef {{data: AnnotationData, coder: string, order: number[], works: Work[], keeping: Keeping,
 *   history: History<WorkChange>, open: number, at: number, places: number[], hinted: Set<number>, view: TextView,
 *   strip: {box: HTMLElement, picture: SVGElement}, shelf: Shelf, moved: () => void}} Desk
 *   (works: by the number of the document; open: the document that is shown; at: the position in it;
 *   places: where one was in each document; hinted: documents of which it was said that labels are
 *   missing; moved: called when the place, or what is there, changed)
 */

/** The desk of a coder, with what the browser has kept of their work.
 * @param {AnnotationData} data @param {string} coder @param {Keeping} keeping
 * @param {() => void} moved @returns {Desk} */
export function newDesk(data, coder, keeping, moved) {
  const order = documentOrder(data, coder);
  const works = data.documents.map((doc) => workFrom(doc, keptWork(keeping, workId(doc),
    packedWork(firstWork(doc), doc), (work) => isWhole(doc, work))));
  /** @type {Desk} */
  const desk = { data, coder, order, works, keeping, history: newHistory(), open: order[0], at: 1,
    places: [], hinted: new Set(), view: { gaps: [], verdicts: new Map() },
    strip: newStrip((p) => goTo(desk, p, { center: true })),
    shelf: newShelf(need("shelf"), data, order, (i) => openDocument(desk, i)), moved };
  need("strip").replaceChildren(desk.strip.box);
  works.forEach((_, i) => drawShelfEntry(desk, i));
  drawProgress(desk.shelf, works);
  const last = recalled(data.page, `open ${coder}`);
  const open = data.documents.findIndex((doc) => workId(doc) === last);
  const unfinished = order.find((i) => !works[i].finished);
  openDocument(desk, open >= 0 ? open : unfinished ?? order[0], false);
  return desk;
}

/** The work that was kept, or none yet. @param {TextDocument} doc @param {any} kept */
export const workFrom = (doc, kept) => unpackedWork(doc, kept) ?? firstWork(doc);

/** Save the work on a document. @param {Desk} desk @param {number} i */
export function saveWork(desk, i) {
  const doc = desk.data.documents[i];
  keepWork(desk.keeping, workId(doc), packedWork(desk.works[i], doc));
}

/** What the storage calls a document: texts that changed are others. @param {TextDocument} doc */
export const workId = (doc) => `${doc.hash} ${doc.name}`;

/** @param {string} id */
export function need(id) {
  const found = byId(id);
  if (!found) throw new Error(`no element #${id}`);
  return found;
}

/** Tell screen readers what happened. @param {string} words */
export function say(words) {
  const box = need("said");
  box.textContent = box.textContent === words ? `${words}\u00a0` : words; // the same twice is told twice
}

/** Tell everyone what happened: in sight, too. @param {string} words @param {NoticeButton[]} [buttons] */
export function tell(words, buttons = []) {
  showNotice(words, buttons);
  say(words);
}

/** @param {Desk} desk */
export const openWork = (desk) => desk.works[desk.open];

/** @param {Desk} desk */
export const openText = (desk) => desk.data.documents[desk.open];

// ---- drawing ----

/** @param {Desk} desk @param {number} i */
export function drawShelfEntry(desk, i) {
  const begun = !isUntouched(desk.data.documents[i], desk.works[i]);
  drawEntry(desk.shelf, desk.data, i, desk.works[i], begun, i === desk.open);
}

/** Open a document, where one was in it. @param {Desk} desk @param {number} i
 * @param {boolean} [focus] */
export function openDocument(desk, i, focus = true) {
  const before = desk.open;
  if (desk.view.gaps.length) desk.places[before] = desk.at; // or nothing was open yet
  desk.open = i;
  const doc = openText(desk);
  desk.at = Math.min(desk.places[i] ?? (hasLabels(desk.data) ? 0 : 1), doc.units.length - 1);
  drawShelfEntry(desk, before);
  remember(desk.data.page, `open ${desk.coder}`, workId(doc));
  drawDocument(desk);
  desk.shelf.entries[i].scrollIntoView({ block: "nearest" });
  if (!focus) return;
  window.scrollTo({ top: 0 });
  if (desk.places[i] === undefined) focusGap(desk);
  else goTo(desk, desk.at, { center: true });
  say(`${doc.name}, ${counted(doc.units.length, "unit")}`);
}

/** Draw the open document from new. @param {Desk} desk */
export function drawDocument(desk) {
  const [doc, work] = [openText(desk), openWork(desk)];
  const number_ = desk.order.indexOf(desk.open) + 1;
  need("document-heading").replaceChildren(named(doc.name, 80),
    el("span", { class: "small" }, ` ${number_} of ${desk.order.length}`));
  const judged = practiceFeedback(doc, work);
  desk.view = drawText(need("text"), desk.data, doc, work, judged?.at ?? new Map());
  need("practice").replaceChildren(...practiceWords(doc, judged), ...remarksOn(doc));
  drawAround(desk);
  markHere(desk, desk.at, desk.at);
}

/** Feedback as it is after a change. @param {Desk} desk */
function drawFeedback(desk) {
  const [doc, work] = [openText(desk), openWork(desk)];
  const judged = practiceFeedback(doc, work);
  const before = desk.view.verdicts;
  desk.view.verdicts = judged?.at ?? new Map();
  for (const p of new Set([...before.keys(), ...desk.view.verdicts.keys()])) {
    drawGap(desk.view, desk.data, work, p);
  }
  need("practice").replaceChildren(...practiceWords(doc, judged), ...remarksOn(doc));
}

/** @param {TextDocument} doc */
function remarksOn(doc) {
  const said = [];
  if (doc.units.length < 2) said.push("This document has one unit: there is nothing to mark. Press “Done”.");
  if (doc.prefill) {
    const n = doc.prefill.boundaries.length;
    said.push(`${boundaries(n)} ${n === 1 ? "was" : "were"} suggested by ${visible(doc.prefill.by)}: ` +
      `correct ${n === 1 ? "it" : "them"}.`);
  }
  return said.map((one) => el("p", { class: "practice" }, one));
}

/** What stands around the text: strip, list, buttons. @param {Desk} desk */
function drawAround(desk) {
  const [doc, work] = [openText(desk), openWork(desk)];
  drawStrip(desk.strip, work, doc.units.length, desk.at, desk.data.levels,
    doc.gold && work.finished ? doc.gold : null);
  need("strip").hidden = doc.units.length < 2;
  drawShelfEntry(desk, desk.open);
  drawProgress(desk.shelf, desk.works);
  const done = need("done");
  done.setAttribute("aria-pressed", `${work.finished}`);
  done.replaceChildren(work.finished ? "✓ Done" : "Done", el("kbd", { "aria-hidden": "true" }, "d"));
  const place = desk.order.indexOf(desk.open);
  need("previous").setAttribute("aria-disabled", `${place === 0}`);
  need("next").setAttribute("aria-disabled", `${place === desk.order.length - 1}`);
  drawAllDone(desk);
  desk.moved();
}

/** Whether there is nothing left to do but to export. @param {Desk} desk */
export function drawAllDone(desk) {
  need("all-done").hidden = !unexported(desk.keeping).length || !desk.works.every((one) => one.finished);
}

/** Another tab has saved work on a document: it is drawn here, too. An import that replaced it can no
 * longer be undone. @param {Desk} desk @param {number} i @param {any} kept */
export function followOther(desk, i, kept) {
  desk.works[i] = workFrom(desk.data.documents[i], kept);
  closeNotice(true);
  keepChanges(desk.history, (change) => change.at !== "all" || change.all.every((one) => one.document !== i));
  drawShelfEntry(desk, i);
  const focused = need("text").contains(document.activeElement);
  drawDocument(desk);
  if (focused) focusGap(desk);
}

/** The current gap can be reached by Tab; the others by arrows. @param {Desk} desk
 * @param {number} before @param {number} now */
function markHere(desk, before, now) {
  desk.view.gaps[before]?.classList.remove("here");
  desk.view.gaps[before]?.setAttribute("tabindex", "-1");
  desk.view.gaps[now]?.classList.add("here");
  desk.view.gaps[now]?.setAttribute("tabindex", "0");
}

/** @param {Desk} desk */
export function focusGap(desk) {
  desk.view.gaps[desk.at]?.focus({ preventScroll: true });
}

// ---- moving ----

/** Go to a position. @param {Desk} desk @param {number} p
 * @param {{center?: boolean, stay?: boolean}} [how] stay: do not scroll */
export function goTo(desk, p, { center = false, stay = false } = {}) {
  const least = hasLabels(desk.data) ? 0 : 1;
  const to = Math.max(least, Math.min(p, openText(desk).units.length - 1));
  markHere(desk, desk.at, to);
  desk.at = to;
  const gap = desk.view.gaps[to];
  if (gap !== document.activeElement) gap?.focus({ preventScroll: true }); // costs a layout
  if (!stay) gap?.scrollIntoView({ block: center ? "center" : "nearest" });
  moveNow(desk.strip, to);
  desk.moved();
}

/** The next boundary, or the one before. @param {Desk} desk @param {number} step */
export function goToBoundary(desk, step) {
  const work = openWork(desk);
  const last = openText(desk).units.length - 1;
  for (let p = desk.at + step; p >= 1 && p <= last; p += step) {
    if (placeAt(work, p).level) {
      goTo(desk, p);
      return;
    }
  }
  say(step > 0 ? "There is no boundary below." : "There is no boundary above.");
}

/** The next document, or the one before. @param {Desk} desk @param {number} step */
export function stepDocument(desk, step) {
  const next = desk.order[desk.order.indexOf(desk.open) + step];
  if (next === undefined) say(step > 0 ? "This is the last document." : "This is the first document.");
  else openDocument(desk, next);
}

// ---- changing ----

/** @param {Desk} desk @param {WorkChange} change */
function afterChange(desk, change) {
  closeNotice(true);
  if (change.at === "all") {
    change.all.forEach(({ document }) => saveWork(desk, document));
    drawReplaced(desk, change.all);
    return;
  }
  const doc = desk.data.documents[change.document];
  saveWork(desk, change.document);
  if (change.document !== desk.open) {
    drawShelfEntry(desk, change.document);
    openDocument(desk, change.document); // undo of what was done elsewhere shows it
  }
  if (doc.gold) drawFeedback(desk);
  if (change.at !== null) drawGap(desk.view, desk.data, openWork(desk), change.at);
  drawAround(desk);
}

/** @param {Desk} desk @param {Replacement[]} all */
function drawReplaced(desk, all) {
  all.forEach(({ document }) => drawShelfEntry(desk, document));
  drawDocument(desk);
  focusGap(desk);
}

/** Put another place where one is, or elsewhere in the open document. @param {Desk} desk
 * @param {Place} after @param {string} words @param {number} [at] */
export function changePlace(desk, after, words, at = desk.at) {
  const before = placeAt(openWork(desk), at);
  if (samePlace(before, after) || !desk.view.gaps[at]) return;
  /** @type {WorkChange} */
  const change = { document: desk.open, at, before, after };
  applyChange(desk.works, change, false);
  recordChange(desk.history, change);
  afterChange(desk, change);
  say(words);
}

/** Put other work in place of that on some documents. @param {Desk} desk
 * @param {Map<number, Work>} works by the number of the document @param {string} words what it is */
export function replaceWork(desk, works, words) {
  const all = [...works].map(([document, after]) =>
    ({ document, before: structuredClone(desk.works[document]), after: structuredClone(after) }));
  if (!all.length) return;
  /** @type {WorkChange} */
  const change = { document: all[0].document, at: "all", all, words };
  applyChange(desk.works, change, false);
  recordChange(desk.history, change);
  all.forEach(({ document }) => saveWork(desk, document));
  drawReplaced(desk, all);
}

/** The level of the boundary that was removed where one is, if one was: it comes back with it.
 * @param {Desk} desk @returns {number} */
export function levelBefore(desk) {
  const changes = desk.history.done;
  for (let i = changes.length - 1; i >= 0; i -= 1) {
    const one = changes[i];
    if (one.at === null || one.at === "all" || one.document !== desk.open || one.at !== desk.at) continue;
    if (one.before.level > 0) return one.before.level;
  }
  return 1;
}

/** Done, or not done after all. @param {Desk} desk */
export function toggleDone(desk) {
  const before = openWork(desk).finished;
  /** @type {WorkChange} */
  const change = { document: desk.open, at: null, before, after: !before };
  applyChange(desk.works, change, false);
  keepAlone(openText(desk), openWork(desk));
  recordChange(desk.history, change);
  afterChange(desk, change);
  const left = desk.works.filter((one) => !one.finished).length;
  say(before ? "Not done any more." : `Done. ${left ? `${counted(left, "document")} left.` : "All documents are done: export your work."}`);
  if (!before) hintAtLabels(desk);
}

/** Say once of a document that segments have no label; it stays done. @param {Desk} desk */
function hintAtLabels(desk) {
  const missing = hasLabels(desk.data) ? unlabelled(openWork(desk)) : [];
  if (!missing.length || desk.hinted.has(desk.open)) return;
  desk.hinted.add(desk.open);
  const open = desk.open;
  tell(`Done. ${counted(missing.length, "segment")} of ${visible(openText(desk).name)} ` +
    `${missing.length === 1 ? "has" : "have"} no ${labelWord(desk.data)} yet.`,
  [{ words: missing.length === 1 ? "Go to it" : "Go to the first", act: () => {
    if (desk.open !== open) openDocument(desk, open);
    goTo(desk, missing[0], { center: true });
  } }]);
}

/** @param {Desk} desk */
export function undo(desk) {
  replay(desk, undoneChange(desk.history), true, "Nothing to undo.", "Undone");
}

/** @param {Desk} desk */
export function redo(desk) {
  replay(desk, redoneChange(desk.history), false, "Nothing to redo.", "Done again");
}

/** @param {Desk} desk @param {WorkChange|null} change @param {boolean} back @param {string} none
 * @param {string} words */
function replay(desk, change, back, none, words) {
  if (!change) {
    say(none);
    return;
  }
  applyChange(desk.works, change, back);
  afterChange(desk, change);
  if (change.at === "all") {
    tell(`${words}: ${change.words}.`);
    return;
  }
  if (change.at !== null) goTo(desk, change.at);
  say(`${words}: ${change.at === null ? "done" : change.at ? `after unit ${change.at}` : "start of the document"}.`);
}
