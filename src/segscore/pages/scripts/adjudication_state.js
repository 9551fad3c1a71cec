// What was decided of each place, and everything that follows from it. Nothing is drawn here.
import { withoutHalves } from "./form_controls.js";
import { keepWork } from "./keeping.js";
import { recordChange, redoneChange, undoneChange } from "./history.js";

/** @import { Keeping } from "./keeping.js" */
/** @import { History } from "./history.js" */

// What the data holds (pages/adjudicate_page.py writes it):
/**
 * @typedef {number|"drop"} Choice   (a position of the place, or none of them)
 * @typedef {{at: number[], who: number[][], most: number, ruling: Choice|null}} Place
 *   (at: its positions; who: who marks each, as numbers of coders; most: the number of the position
 *   that most of them mark; ruling: what the rule decides)
 * @typedef {{name: string, key: string, units: number, hash: string|null, coders: string[],
 *   codings: {masses: number[], ranks?: number[]}[], places: Place[], text?: string[],
 *   group?: string, ranks?: Record<string, number>, least?: number,
 *   said?: [number, number, string|null][]}} Doc
 *   (key: by what its work is kept; ranks: those of gold, by position; least: of boundaries that
 *   nobody marked; said: position, coder and comment of what people told; null: they were unsure)
 * @typedef {{page: string, coder: string, blind: boolean,
 *   rule: {within: number, accept: number, reject: number}, first: Record<string, any>,
 *   file: string, documents: Doc[]}} AdjudicationData
 *   (first: what the first line of an export has besides; file: how exports are called)
 */
// What a person does:
/**
 * @typedef {{decisions: Record<string, Choice|"open">, comments: Record<string, string>,
 *   added: number[]}} Work   (by the first position of the place; comments also by what was added)
 * @typedef {{document: string, before: Work, after: Work, at: number|null}} WorkChange
 * @typedef {{data: AdjudicationData, documents: Map<string, Doc>, places: Map<string, Map<number, Place>>,
 *   works: Map<string, Work>, history: History<WorkChange>, keeping: Keeping, open: Doc,
 *   at: number|null, commenting: Work|null}} State
 *   (places: by document and position; at: after which unit one is; commenting: the work before the
 *   comment that one is writing)
 */

/** @returns {Work} */
export function emptyWork() {
  return { decisions: {}, comments: {}, added: [] };
}

/** @param {State} state @param {Doc} doc */
export function workOf(state, doc) {
  return state.works.get(doc.key) ?? emptyWork();
}

/** The place to which a position belongs. @param {State} state @param {number|null} p
 * @param {Doc} [doc] */
export function placeAt(state, p, doc = state.open) {
  return p === null ? undefined : state.places.get(doc.key)?.get(p);
}

/** The places of a document, by position. @param {Doc} doc */
export function placesByPosition(doc) {
  return new Map(doc.places.flatMap((place) => place.at.map((p) => [p, place])));
}

/** What is decided of a place; null: it waits. @param {State} state @param {Doc} doc
 * @param {Place} place @returns {Choice|null} */
export function decisionOf(state, doc, place) {
  const own = workOf(state, doc).decisions[place.at[0]];
  return own === "open" ? null : own ?? place.ruling;
}

/** Who decided. @param {State} state @param {Doc} doc @param {Place} place
 * @returns {"rule"|"adjudicator"|""} */
export function decidedBy(state, doc, place) {
  const choice = decisionOf(state, doc, place);
  return choice === null ? "" : choice === place.ruling ? "rule" : "adjudicator";
}

/** @param {State} state @param {Doc} doc */
export function openPlaces(state, doc) {
  return doc.places.filter((place) => decisionOf(state, doc, place) === null);
}

/** The boundaries of gold as far as they are decided. @param {State} state @param {Doc} doc */
export function goldOf(state, doc) {
  const chosen = doc.places.map((place) => decisionOf(state, doc, place));
  const positions = [...chosen.filter((one) => typeof one === "number"), ...workOf(state, doc).added];
  return positions.sort((a, b) => a - b);
}

// ---- changes ----

/** Change the work on a document, so that it can be undone, and keep it.
 * @param {State} state @param {Doc} doc @param {Work} after */
export function changeWork(state, doc, after) {
  const change = { document: doc.key, before: workOf(state, doc), after, at: state.at };
  if (JSON.stringify(change.before) === JSON.stringify(after)) return;
  recordChange(state.history, change);
  putWork(state, doc, after);
}

/** Put work in place and keep it, without a step to undo. @param {State} state @param {Doc} doc
 * @param {Work} work */
export function putWork(state, doc, work) {
  state.works.set(doc.key, work);
  keepWork(state.keeping, doc.key, work);
}

/** Decide a place, or leave it open again. @param {State} state @param {Place} place
 * @param {Choice|"open"} choice */
export function decide(state, place, choice) {
  const work = workOf(state, state.open);
  /** @type {Work["decisions"]} */
  const decisions = { ...work.decisions, [place.at[0]]: choice };
  if (choice === (place.ruling ?? "open")) delete decisions[place.at[0]]; // as it was before
  changeWork(state, state.open, { ...work, decisions });
}

/** Add a boundary that nobody marked, or take it away. @param {State} state @param {number} p */
export function toggleAdded(state, p) {
  const work = workOf(state, state.open);
  const added = work.added.includes(p) ? work.added.filter((one) => one !== p)
    : [...work.added, p].sort((a, b) => a - b);
  changeWork(state, state.open, { ...work, added });
}

/** The comment on a position, or on the place to which it belongs. @param {State} state
 * @param {number} p */
export function commentAt(state, p) {
  return workOf(state, state.open).comments[placeAt(state, p)?.at[0] ?? p] ?? "";
}

/** @param {State} state @param {number} p @param {string} text @returns {Work} */
export function commented(state, p, text) {
  const work = workOf(state, state.open);
  const key = placeAt(state, p)?.at[0] ?? p;
  /** @type {Work["comments"]} */
  const comments = { ...work.comments, [key]: withoutHalves(text) };
  if (!text.trim()) delete comments[key];
  return { ...work, comments };
}

/** Undo or redo the last change. @param {State} state @param {boolean} back
 * @returns {number[]|null} the positions that look otherwise now, in `state.open`, which is the
 * document that was changed; null: there was nothing to undo */
export function stepBackOrOn(state, back) {
  const change = back ? undoneChange(state.history) : redoneChange(state.history);
  const doc = change ? state.documents.get(change.document) : undefined;
  if (!change || !doc) return null;
  state.open = doc;
  state.at = change.at;
  putWork(state, doc, back ? change.before : change.after);
  return changedPositions(state, change.before, change.after);
}

/** Where two works on the open document differ. @param {State} state @param {Work} one
 * @param {Work} other */
function changedPositions(state, one, other) {
  /** @param {Record<string, any>} a @param {Record<string, any>} b */
  const keys = (a, b) => Object.keys({ ...a, ...b }).filter((key) => a[key] !== b[key]);
  const first = [...keys(one.decisions, other.decisions), ...keys(one.comments, other.comments)].map(Number);
  const added = [...one.added, ...other.added].filter((p) => !one.added.includes(p) || !other.added.includes(p));
  return [...first, ...added].flatMap((p) => placeAt(state, p)?.at ?? [p]);
}

// ---- work that comes from elsewhere: the storage, or a file ----

/** Work with nothing in it that does not fit the document: other programs may write where we do,
 * and codings may have changed. @param {Doc} doc @param {any} given @returns {Work} */
export function fittingWork(doc, given) {
  const places = placesByPosition(doc);
  /** @param {string} p */
  const commentable = (p) => Number(p) > 0 && Number(p) < doc.units;
  const decisions = Object.entries(given?.decisions ?? {}).filter(([p, choice]) => {
    const place = places.get(Number(p));
    return place?.at[0] === Number(p) &&
      (choice === "open" || choice === "drop" || place.at.includes(/** @type {any} */ (choice)));
  });
  const comments = Object.entries(given?.comments ?? {}).filter(([p, text]) =>
    commentable(p) && typeof text === "string");
  const added = Array.isArray(given?.added) ? given.added.filter((/** @type {any} */ p) =>
    Number.isInteger(p) && p > 0 && p < doc.units && !places.has(p)) : [];
  return { decisions: Object.fromEntries(decisions), comments: Object.fromEntries(comments),
    added: [...new Set(added)].sort((a, b) => a - b) };
}
