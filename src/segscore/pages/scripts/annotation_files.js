// @ts-check
// Work out to a file, and back: our JSON Lines, and a table for spreadsheets.
import { boundariesIn, firstWork, hasLabels, NO_PLACE, placeAt, putPlace } from "./annotation_state.js";
import { visible } from "./elements.js";

/** @import { AnnotationData, TextDocument, Work } from "./annotation_state.js" */

/** The work on a document as a row of our JSON Lines. @param {AnnotationData} data
 * @param {TextDocument} doc @param {Work} work @param {string} coder @param {string} time */
function exportedRow(data, doc, work, coder, time) {
  const found = boundariesIn(work);
  const labels = [0, ...found].map((p) => placeAt(work, p).label || null);
  const at = Object.keys(work.places).map(Number).sort((a, b) => a - b);
  return {
    document: doc.name, coder, kind: "person", boundaries: found, n_units: doc.units.length,
    ...(data.levels > 1 ? { ranks: found.map((p) => placeAt(work, p).level) } : {}),
    ...(hasLabels(data) && labels.some((one) => one) ? { segment_labels: labels } : {}),
    units: doc.units,
    ...(doc.group ? { group: doc.group } : {}),
    annotation: {
      finished: work.finished, seconds: Math.round(work.seconds),
      unsure: at.filter((p) => p > 0 && work.places[p].unsure),
      comments: at.filter((p) => p > 0 && work.places[p].comment)
        .map((p) => ({ after: p, text: work.places[p].comment })),
      prefilled: doc.prefill?.by ?? null, practice: Boolean(doc.gold), page: data.page,
      exported: time, units: doc.hash,
    },
  };
}

/** Everything that was begun, as rows of JSON Lines. @param {AnnotationData} data
 * @param {[TextDocument, Work][]} begun @param {string} coder */
export function exportedRows(data, begun, coder) {
  const time = new Date().toISOString();
  const rows = begun.map(([doc, work]) => exportedRow(data, doc, work, coder, time));
  return rows.map((row, i) => (i === 0 && data.provenance ? { provenance: data.provenance, ...row } : row));
}

/** What is done, for spreadsheets: a row per unit; the number of its segment tells where boundaries
 * are. It cannot say that a coding does not count, so that only those that do are in it.
 * @param {AnnotationData} data @param {[TextDocument, Work][]} begun @param {string} coder
 * @returns {(string|number|null)[][]} */
export function exportedTable(data, begun, coder) {
  /** @type {(string|number|null)[][]} */
  const rows = [["document", "coder", "unit", "segment", "text", "level", "label", "unsure", "comment"]];
  for (const [doc, work] of begun.filter(([one, held]) => held.finished && !one.gold)) {
    let segment = 0;
    doc.units.forEach((text, i) => {
      const place = placeAt(work, i);
      const starts = i === 0 || place.level > 0;
      segment += Number(starts);
      rows.push([doc.name, coder, i + 1, segment, text, data.levels > 1 ? place.level || null : null,
        starts ? place.label || null : null, place.unsure ? "unsure" : null, place.comment || null]);
    });
  }
  return rows;
}

/**
 * The work in an export of this page by this coder; whatever else it is, is refused in words.
 * @param {AnnotationData} data @param {string} coder @param {Record<string, any>[]} rows
 * @returns {Map<number, Work>} by the number of the document
 */
export function importedWork(data, coder, rows) {
  const numbers = new Map(data.documents.map((doc, i) => [doc.name, i]));
  const found = new Map();
  for (const row of rows) {
    const told = row.annotation;
    if (!told || typeof told !== "object" || typeof told.page !== "string") {
      throw new Error("This file is not an export of an annotation page: expected a file that “Export” wrote here.");
    }
    const called = `“${visible(row.document).slice(0, 80)}”`;
    if (told.page !== data.page) {
      throw new Error("This is the export of another page, with other documents or other rules: " +
        `it has the id ${visible(told.page).slice(0, 40)}, and this page has ${data.page}.`);
    }
    if (row.coder !== coder) {
      throw new Error(`This export is by “${visible(row.coder).slice(0, 80)}”, and you are “${visible(coder)}”. ` +
        "If that is you, change your name at the top of the page first.");
    }
    const number_ = numbers.get(row.document);
    if (number_ === undefined) throw new Error(`The document ${called} is not on this page.`);
    const doc = data.documents[number_];
    if (told.units !== doc.hash) {
      throw new Error(`The text of ${called} has changed since the export: its boundaries would be ` +
        "in the wrong places.");
    }
    if (found.has(number_)) throw new Error(`The document ${called} is there twice: expected it once.`);
    found.set(number_, workOfRow(data, doc, row, called));
  }
  return found;
}

/** @param {AnnotationData} data @param {TextDocument} doc @param {Record<string, any>} row
 * @param {string} called @returns {Work} */
function workOfRow(data, doc, row, called) {
  const wrong = (/** @type {string} */ what) =>
    new Error(`${called}: ${what}. The file was changed after the export; take the file as it was.`);
  const last = doc.units.length - 1;
  /** @param {unknown} given @param {number} least @param {number} most @param {string} what @returns {number[]} */
  const numbersIn = (given, least, most, what) => {
    const right = Array.isArray(given) && given.every((one) => Number.isInteger(one) && one >= least && one <= most);
    if (!right) throw wrong(`${what} are not whole numbers from ${least} to ${most}`);
    return /** @type {number[]} */ (given);
  };
  /** @type {Work} */
  const work = { places: {}, finished: row.annotation.finished === true,
    seconds: Number.isFinite(row.annotation.seconds) ? Math.max(0, row.annotation.seconds) : 0 };
  const found = [...numbersIn(row.boundaries, 1, last, "boundaries")].sort((a, b) => a - b);
  const levels = row.ranks === undefined ? found.map(() => 1)
    : numbersIn(row.ranks, 1, data.levels, "levels");
  if (levels.length !== found.length) throw wrong("there are not as many levels as boundaries");
  found.forEach((p, i) => putPlace(work, p, { ...NO_PLACE, level: levels[i] }));
  (Array.isArray(row.segment_labels) ? row.segment_labels : []).forEach((label, i) => {
    const p = i ? found[i - 1] : 0;
    if (typeof label === "string" && p !== undefined) putPlace(work, p, { ...placeAt(work, p), label });
  });
  for (const p of numbersIn(row.annotation.unsure ?? [], 1, last, "unsure positions")) {
    putPlace(work, p, { ...placeAt(work, p), unsure: true });
  }
  for (const one of Array.isArray(row.annotation.comments) ? row.annotation.comments : []) {
    const [p] = numbersIn([one?.after], 1, last, "positions of comments");
    putPlace(work, p, { ...placeAt(work, p), comment: String(one.text) });
  }
  return work;
}

/** Whether two coders' eyes would see the same. @param {Work} a @param {Work} b */
export function sameMarks(a, b) {
  return a.finished === b.finished && JSON.stringify(sortedPlaces(a)) === JSON.stringify(sortedPlaces(b));
}

/** @param {Work} work */
function sortedPlaces(work) {
  return Object.keys(work.places).map(Number).sort((a, b) => a - b).map((p) => {
    const { level, label, unsure, comment } = work.places[p];
    return [p, level, label, unsure, comment];
  });
}

/** Whether nothing was changed. @param {TextDocument} doc @param {Work} work */
export const isUntouched = (doc, work) => sameMarks(work, firstWork(doc));
