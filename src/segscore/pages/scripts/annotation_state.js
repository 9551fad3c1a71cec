// The work of a coder, and how it goes into files and comes back.

// ---- Seconds of activity: from one sign of life to the next, unless a pause is longer than a minute ----

const LONGEST_PAUSE = 60; // seconds

/** Count from now on. @param {(seconds: number) => void} add */
function countActivity(add) {
  let last = NaN;
  const live = () => {
    const now = performance.now() / 1000;
    if (now - last <= LONGEST_PAUSE) add(now - last);
    last = now;
  };
  for (const kind of ["keydown", "pointerdown", "pointermove", "wheel", "touchmove"]) {
    document.addEventListener(kind, live, { passive: true, capture: true });
  }
}

// ---- What an annotation page knows: its data, and the work of a coder on each document ----
//
// Work is a plain object that JSON can hold. At each position it has a place: the level of the
// boundary there (0: no boundary), the label of the segment that starts there (0 is the start of
// the document), whether the coder is unsure, and a comment. Of a document for practice it also has
// the places as they were when feedback was first shown: these are what the coder did alone, and
// what is exported. Work that a change has seen stays as it is: the next work is another object.

/**
 * @typedef {{by: string, boundaries: number[], levels: number[]|null,
 *   labels: (string|null)[]|null}} Prefill
 * @typedef {{name: string, units: string[], hash: string, speakers?: (string|null)[],
 *   starts?: (number|null)[], group?: string, prefill?: Prefill, gold?: number[]}} TextDocument
 * @typedef {{page: string, title: string|null, round: string|null, coder: string|null, shuffle: boolean,
 *   levels: number, labels: string[], titles: boolean, provenance: object|null,
 *   documents: TextDocument[]}} AnnotationData
 * @typedef {{level: number, label: string, unsure: boolean, comment: string}} Place
 * @typedef {Record<string, Place>} Places   (by position)
 * @typedef {{places: Places, finished: boolean, seconds: number, alone?: Places}} Work
 *   (alone: of practice, the places when feedback was first shown)
 * @typedef {{places: Record<string, Place|number>, finished: boolean, seconds: number,
 *   alone?: Record<string, Place|number>, practice?: true, prefilled?: string}} PackedWork
 */

/** @type {Place} */
const NO_PLACE = Object.freeze({ level: 0, label: "", unsure: false, comment: "" });

/** How a document looks before anybody has worked on it. @param {TextDocument} doc @returns {Work} */
function firstWork(doc) {
  /** @type {Work} */
  const work = { places: {}, finished: false, seconds: 0 };
  const given = doc.prefill;
  if (!given) return work;
  given.boundaries.forEach((p, i) => putPlace(work, p, { ...NO_PLACE, level: given.levels?.[i] ?? 1 }));
  [0, ...given.boundaries].forEach((p, i) => {
    const label = given.labels?.[i];
    if (label) putPlace(work, p, { ...placeAt(work, p), label });
  });
  return work;
}

/** @param {Work} work @param {number} p @returns {Place} */
function placeAt(work, p) {
  return Object.hasOwn(work.places, p) ? work.places[p] : NO_PLACE;
}

/** @param {Work} work @param {number} p @param {Place} place */
function putPlace(work, p, place) {
  if (samePlace(place, NO_PLACE)) delete work.places[p];
  else work.places[p] = place;
}

/** Another place in work, a copy. @param {Work} work @param {number} p @param {Place} place @returns {Work} */
function withPlace(work, p, place) {
  const made = { ...work, places: { ...work.places } };
  putPlace(made, p, place);
  return made;
}

/** Work as the storage has it, a copy: a place that is nothing but a boundary is its level, for the
 * storage is small. It says of which kind the document is, so that another page can take it over.
 * @param {Work} work @param {TextDocument} doc @returns {PackedWork} */
function packedWork({ alone, ...rest }, doc) {
  return { ...rest, places: packedPlaces(rest.places), ...(alone ? { alone: packedPlaces(alone) } : {}),
    ...(doc.gold ? { practice: true } : {}), ...(doc.prefill ? { prefilled: doc.prefill.by } : {}) };
}

/** @param {Places} places @returns {Record<string, Place|number>} */
function packedPlaces(places) {
  return Object.fromEntries(Object.entries(places).map(([p, place]) =>
    [p, samePlace(place, { ...NO_PLACE, level: place.level }) ? place.level : place]));
}

/** Work as it was packed, or null if it is none; what does not fit the document is left out: other
 * programs, and other versions of this one, may write where we do.
 * @param {TextDocument} doc @param {any} packed @returns {Work|null} */
function unpackedWork(doc, packed) {
  if (packed?.places?.constructor !== Object) return null;
  const alone = packed.alone?.constructor === Object ? { alone: unpackedPlaces(doc, packed.alone) } : {};
  return { places: unpackedPlaces(doc, packed.places), finished: packed.finished === true,
    seconds: secondsFrom(packed.seconds), ...alone };
}

/** @param {any} seconds */
const secondsFrom = (seconds) => (Number.isFinite(seconds) ? Math.max(0, seconds) : 0);

/** Whether all of packed work can be read. @param {TextDocument} doc @param {any} packed */
function isWhole(doc, packed) {
  const work = unpackedWork(doc, packed);
  const size = (/** @type {object} */ places) => Object.keys(places).length;
  return work !== null && size(work.places) === size(packed.places) &&
    size(work.alone ?? {}) === size(packed.alone ?? {});
}

/** The places that fit a document. @param {TextDocument} doc @param {object} packed @returns {Places} */
function unpackedPlaces(doc, packed) {
  return Object.fromEntries(Object.entries(packed).flatMap(([p, held]) => {
    const place = { ...NO_PLACE, ...(typeof held === "number" ? { level: held } : held) };
    const fits = /^\d+$/.test(p) && Number(p) < doc.units.length && (typeof held === "number" || held?.constructor === Object);
    return fits && isPlace(place) ? [[p, place]] : [];
  }));
}

/** @param {any} given */
const isPlace = (given) => Number.isInteger(given?.level) && given.level >= 0 && given.level <= 6 &&
  typeof given.label === "string" && typeof given.unsure === "boolean" && typeof given.comment === "string";

/** @param {Place} a @param {Place} b */
function samePlace(a, b) {
  return a.level === b.level && a.label === b.label && a.unsure === b.unsure && a.comment === b.comment;
}

/** Where two works on a document differ. @param {Work} one @param {Work} other */
function changedPlaces(one, other) {
  return Object.keys({ ...one.places, ...other.places }).map(Number)
    .filter((p) => !samePlace(placeAt(one, p), placeAt(other, p)));
}

/** The work as it is exported: of practice that which was done without feedback. @param {Work} work
 * @returns {Work} */
const ownWork = (work) => (work.alone ? { ...work, places: work.alone, finished: true } : work);

/** Where boundaries stand, in order. @param {Work} work */
function boundariesIn(work) {
  return Object.keys(work.places).map(Number).filter((p) => p > 0 && work.places[p].level > 0)
    .sort((a, b) => a - b);
}

/** Where segments start that have no label. @param {Work} work */
const unlabelled = (work) => [0, ...boundariesIn(work)].filter((p) => !placeAt(work, p).label);

/** Whether segments have names here. @param {AnnotationData} data */
const hasLabels = (data) => data.labels.length > 0 || data.titles;

/** The segment that starts at or before a position. @param {Work} work @param {number} p */
function segmentStart(work, p) {
  return boundariesIn(work).findLast((one) => one <= p) ?? 0;
}

/** The order of documents: as they stand, or by the coder's name; those for practice come first.
 * @param {AnnotationData} data @param {string} coder @returns {number[]} */
function documentOrder(data, coder) {
  const all = data.documents.map((_, i) => i);
  if (!data.shuffle) return all;
  const [practice, rest] = [true, false].map((one) => all.filter((i) => Boolean(data.documents[i].gold) === one));
  const next = randomNumbers(`${data.page} ${coder}`);
  for (let i = rest.length - 1; i > 0; i -= 1) {
    const j = Math.floor(next() * (i + 1));
    [rest[i], rest[j]] = [rest[j], rest[i]];
  }
  return [...practice, ...rest];
}

/** Numbers from 0 to 1, always the same ones for a text: FNV-1a feeds mulberry32.
 * @param {string} seed @returns {() => number} */
function randomNumbers(seed) {
  let a = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(seed)) a = Math.imul(a ^ byte, 0x01000193) >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// ---- Work out to a file, and back: our JSON Lines, and a table for spreadsheets ----

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
function exportedRows(data, begun, coder) {
  const time = new Date().toISOString();
  const rows = begun.map(([doc, work]) => exportedRow(data, doc, work, coder, time));
  return rows.map((row, i) => (i === 0 && data.provenance ? { provenance: data.provenance, ...row } : row));
}

/** What is done, for spreadsheets: a row per unit; the number of its segment tells where boundaries
 * are. It cannot say that a coding does not count, so that only those that do are in it.
 * @param {AnnotationData} data @param {[TextDocument, Work][]} begun @param {string} coder
 * @returns {(string|number|null)[][]} */
function exportedTable(data, begun, coder) {
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
function importedWork(data, coder, rows) {
  /** @type {ImportedFile} */
  const file = { found: new Map(), refused: [], elsewhere: rows.some((row) => row.annotation?.page !== data.page) };
  let twice;
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
      twice ??= file.found.has(number_) ? called : undefined;
      const exported = Number.isNaN(Date.parse(told.exported)) ? null : told.exported;
      file.found.set(number_, { work: workOfRow(data, data.documents[number_], row), exported });
    } catch (error) {
      file.refused.push(`${called}: ${error instanceof Error ? error.message : error}.`);
    }
  }
  if (twice) throw new Error(`The document ${twice} is there twice: expected it once.`);
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
function misfit(data, doc, work, there) {
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
  const work = { places: {}, finished: told.finished === true, seconds: secondsFrom(told.seconds) };
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
  return doc.gold && work.finished ? { ...work, alone: work.places } : work;
}

/** What there is of a document, in a few words. @param {Work} work */
function amountOf(work) {
  const own = ownWork(work);
  return `${boundaries(boundariesIn(own).length)}${own.finished ? ", done" : ""}`;
}

/** Whether the same would be seen of both in an export. @param {Work} one @param {Work} other */
function sameMarks(one, other) {
  const [a, b] = [one, other].map((work) => {
    const { finished, places } = ownWork(work);
    const held = Object.entries(places).map(([p, { level, label, unsure, comment }]) =>
      [p, level, Number(p) && !level ? "" : label, unsure, comment]); // nothing starts there: no label
    return JSON.stringify([finished, held.filter(([, ...said]) => said.some(Boolean))]);
  });
  return a === b;
}

/** Whether nothing was changed. @param {TextDocument} doc @param {Work} work */
const isUntouched = (doc, work) => sameMarks(work, firstWork(doc));
