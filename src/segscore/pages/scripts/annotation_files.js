// @ts-check
// Work out to a file, and back: our JSON Lines, and a table for spreadsheets.
import { boundariesIn, firstWork, hasLabels, keepAlone, NO_PLACE, ownWork, placeAt, putPlace } from "./annotation_state.js";
import { boundaries, visible } from "./elements.js";

/** @import { AnnotationData, TextDocument, Work } from "./annotation_state.js" */
/** @typedef {{work: Work, exported: string|null}} ImportedWork   (exported: an ISO time) */
/** @typedef {{found: Map<number, ImportedWork>, refused: string[], elsewhere: boolean}} ImportedFile
 *   (found: by the number of the document; refused: why others cannot be taken; elsewhere: whether another
 *   page wrote it) */

/** The work on a document as a row of our JSON Lines. @param {AnnotationData} data
 * @param {TextDocument} doc @param {Work} whole @param {string} coder @param {string} time */
function exportedRow(data, doc, whole, coder, time) {
  const work = ownWork(whole);
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
 * The work in an export by this coder, document by document: each goes to the document with the same
 * text, also if the page was made again. What is no export, or is by somebody else, is refused.
 * @param {AnnotationData} data @param {string} coder @param {Record<string, any>[]} rows
 * @returns {ImportedFile}
 */
export function importedWork(data, coder, rows) {
  /** @type {ImportedFile} */
  const file = { found: new Map(), refused: [], elsewhere: rows.some((row) => row.annotation?.page !== data.page) };
  /** @type {string[]} */
  const twice = [];
  for (const row of rows) {
    const told = row.annotation;
    if (!told || typeof told !== "object" || typeof told.page !== "string") {
      throw new Error("This file is not an export of an annotation page: expected a file that “Export” wrote here.");
    }
    if (row.coder !== coder) {
      throw new Error(`This export is by “${visible(row.coder).slice(0, 80)}”, and you are “${visible(coder)}”. ` +
        "If that is you, change your name at the top of the page first.");
    }
    const called = `“${visible(row.document).slice(0, 80)}”`;
    try {
      const number_ = documentOf(data, row);
      if (file.found.has(number_)) twice.push(called);
      const exported = Number.isNaN(Date.parse(told.exported)) ? null : told.exported;
      file.found.set(number_, { work: workOfRow(data, data.documents[number_], row), exported });
    } catch (error) {
      file.refused.push(`${called}: ${error instanceof Error ? error.message : error}.`);
    }
  }
  if (twice.length) throw new Error(`The document ${twice[0]} is there twice: expected it once.`);
  return file;
}

/** The document with the text of a row: of this name, or, if it was renamed, the only one with the
 * text. @param {AnnotationData} data @param {Record<string, any>} row @returns {number} */
function documentOf(data, row) {
  const named = data.documents.findIndex((doc) => doc.name === row.document);
  if (named >= 0) {
    if (data.documents[named].hash === row.annotation.units) return named;
    throw new Error("its text has changed since the export, and its boundaries would be in the wrong places");
  }
  const same = data.documents.flatMap((doc, i) => (doc.hash === row.annotation.units ? [i] : []));
  if (same.length !== 1) throw new Error("it is not on this page");
  return same[0];
}

/** Why work from another page would not mean the same here, or null.
 * @param {AnnotationData} data @param {TextDocument} doc @param {Work} work
 * @param {{practice: boolean, prefilled: string|null}} there @returns {string|null} */
export function misfit(data, doc, work, there) {
  if (there.practice !== Boolean(doc.gold)) {
    return there.practice ? "it was for practice there, and counts here" : "it counted there, and is for practice here";
  }
  if (there.prefilled !== (doc.prefill?.by ?? null)) {
    const by = (/** @type {string|null} */ name) => (name === null ? "with no boundaries" : `with those of “${visible(name)}”`);
    return `it began ${by(there.prefilled)} there, and ${by(doc.prefill?.by ?? null)} here`;
  }
  const places = Object.values(ownWork(work).places);
  const most = Math.max(0, ...places.map((one) => one.level));
  if (most > data.levels) return `it has a boundary of level ${most}, and this page has ${data.levels === 1 ? "one level" : `${data.levels} levels`}`;
  const labels = [...new Set(places.map((one) => one.label))].filter((one) => one && !data.titles && !data.labels.includes(one));
  return labels.length ? `it has labels that this page does not have: ${labels.slice(0, 5).map((one) => `“${visible(one)}”`).join(", ")}` : null;
}

/** @param {AnnotationData} data @param {TextDocument} doc @param {Record<string, any>} row
 * @returns {Work} */
function workOfRow(data, doc, row) {
  const wrong = (/** @type {string} */ what) => new Error(`${what}; the file was changed after the export`);
  const last = doc.units.length - 1;
  /** @param {unknown} given @param {number} least @param {number} most @param {string} what @returns {number[]} */
  const numbersIn = (given, least, most, what) => {
    const right = Array.isArray(given) && given.every((one) => Number.isInteger(one) && one >= least && one <= most);
    if (!right) throw wrong(`${what} are not whole numbers from ${least} to ${most}`);
    return /** @type {number[]} */ (given);
  };
  const told = row.annotation;
  /** @type {Work} */
  const work = { places: {}, finished: told.finished === true,
    seconds: Number.isFinite(told.seconds) ? Math.max(0, told.seconds) : 0 };
  const found = [...numbersIn(row.boundaries, 1, last, "boundaries")].sort((a, b) => a - b);
  const levels = row.ranks === undefined ? found.map(() => 1) : numbersIn(row.ranks, 1, 6, "levels");
  if (levels.length !== found.length) throw wrong("there are not as many levels as boundaries");
  found.forEach((p, i) => putPlace(work, p, { ...NO_PLACE, level: levels[i] }));
  (Array.isArray(row.segment_labels) ? row.segment_labels : []).forEach((label, i) => {
    const p = i ? found[i - 1] : 0;
    if (typeof label === "string" && p !== undefined) putPlace(work, p, { ...placeAt(work, p), label });
  });
  for (const p of numbersIn(told.unsure ?? [], 1, last, "unsure positions")) {
    putPlace(work, p, { ...placeAt(work, p), unsure: true });
  }
  for (const one of Array.isArray(told.comments) ? told.comments : []) {
    const [p] = numbersIn([one?.after], 1, last, "positions of comments");
    putPlace(work, p, { ...placeAt(work, p), comment: String(one.text) });
  }
  const why = misfit(data, doc, work, { practice: told.practice === true, prefilled: told.prefilled ?? null });
  if (why) throw new Error(why);
  keepAlone(doc, work);
  return work;
}

/** What there is of a document, in a few words. @param {Work} work */
export function amountOf(work) {
  const own = ownWork(work);
  return `${boundaries(boundariesIn(own).length)}${own.finished ? ", done" : ""}`;
}

/** Whether two coders' eyes would see the same in an export. @param {Work} one @param {Work} other */
export function sameMarks(one, other) {
  const [a, b] = [ownWork(one), ownWork(other)];
  return a.finished === b.finished && JSON.stringify(sortedPlaces(a)) === JSON.stringify(sortedPlaces(b));
}

/** @param {Work} work */
function sortedPlaces(work) {
  return Object.keys(work.places).map(Number).sort((a, b) => a - b).map((p) => {
    const { level, label, unsure, comment } = work.places[p];
    return [p, level, p && !level ? "" : label, unsure, comment]; // nothing starts there: no label
  }).filter(([, ...held]) => held.some(Boolean));
}

/** Whether nothing was changed. @param {TextDocument} doc @param {Work} work */
export const isUntouched = (doc, work) => sameMarks(work, firstWork(doc));
