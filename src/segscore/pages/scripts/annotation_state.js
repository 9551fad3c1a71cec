// @ts-check
// What an annotation page knows: its data, and the work of a coder on each document.
//
// Work is a plain object that JSON can hold. At each position it has a place: the level of the
// boundary there (0: no boundary), the label of the segment that starts there (0 is the start of
// the document), whether the coder is unsure, and a comment. Of a document for practice it also has
// the places as they were when feedback was first shown: these are what the coder did alone, and
// what is exported. A change replaces one place, says that a document is done, or replaces the work
// on some documents (an import, say); it holds both sides, so that it can be undone.

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
 * @typedef {{document: number, before: Work, after: Work}} Replacement
 * @typedef {{document: number, at: number, before: Place, after: Place}|
 *   {document: number, at: null, before: boolean, after: boolean}|
 *   {document: number, at: "all", all: Replacement[], words: string}} WorkChange
 *   (at: the position; null: whether the document is done; "all": the work on some documents,
 *   words: what that was)
 * @typedef {{places: Record<string, Place|number>, finished: boolean, seconds: number,
 *   alone?: Record<string, Place|number>, practice?: true, prefilled?: string}} PackedWork
 */

/** @type {Place} */
export const NO_PLACE = Object.freeze({ level: 0, label: "", unsure: false, comment: "" });

/** How a document looks before anybody has worked on it. @param {TextDocument} doc @returns {Work} */
export function firstWork(doc) {
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
export function placeAt(work, p) {
  return Object.hasOwn(work.places, p) ? work.places[p] : NO_PLACE;
}

/** @param {Work} work @param {number} p @param {Place} place */
export function putPlace(work, p, place) {
  if (samePlace(place, NO_PLACE)) delete work.places[p];
  else work.places[p] = place;
}

/** Work as the storage has it, a copy: a place that is nothing but a boundary is its level, for the
 * storage is small. It says of which kind the document is, so that another page can take it over.
 * @param {Work} work @param {TextDocument} doc @returns {PackedWork} */
export function packedWork(work, doc) {
  const { alone, ...rest } = work;
  return { ...rest, places: packedPlaces(work.places), ...(alone ? { alone: packedPlaces(alone) } : {}),
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
export function unpackedWork(doc, packed) {
  if (!packed?.places || typeof packed.places !== "object") return null;
  const alone = packed.alone && typeof packed.alone === "object" ? { alone: unpackedPlaces(doc, packed.alone) } : {};
  return { places: unpackedPlaces(doc, packed.places), finished: packed.finished === true,
    seconds: Number.isFinite(packed.seconds) ? Math.max(0, packed.seconds) : 0, ...alone };
}

/** Whether all of packed work can be read. @param {TextDocument} doc @param {any} packed */
export function isWhole(doc, packed) {
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
export function samePlace(a, b) {
  return a.level === b.level && a.label === b.label && a.unsure === b.unsure && a.comment === b.comment;
}

/** @param {Work[]} works by the number of the document @param {WorkChange} change
 * @param {boolean} back whether to undo it */
export function applyChange(works, change, back) {
  const work = works[change.document];
  if (change.at === null) work.finished = back ? change.before : change.after;
  else if (change.at !== "all") putPlace(work, change.at, back ? change.before : change.after);
  else {
    for (const { document, before, after } of change.all) {
      const now = structuredClone(back ? before : after);
      now.seconds = Math.max(now.seconds, works[document].seconds); // time is never undone
      works[document] = now;
    }
  }
}

/** Done, for practice the first time: what stands there is the coder's own. @param {TextDocument} doc
 * @param {Work} work */
export function keepAlone(doc, work) {
  if (doc.gold && work.finished && !work.alone) work.alone = structuredClone(work.places);
}

/** The work as it is exported: of practice that which was done without feedback. @param {Work} work
 * @returns {Work} */
export const ownWork = (work) => (work.alone ? { ...work, places: work.alone, finished: true } : work);

/** Where boundaries stand, in order. @param {Work} work */
export function boundariesIn(work) {
  return Object.keys(work.places).map(Number).filter((p) => p > 0 && work.places[p].level > 0)
    .sort((a, b) => a - b);
}

/** Where segments start that have no label. @param {Work} work */
export const unlabelled = (work) => [0, ...boundariesIn(work)].filter((p) => !placeAt(work, p).label);

/** Whether segments have names here. @param {AnnotationData} data */
export const hasLabels = (data) => data.labels.length > 0 || data.titles;

/** The segment that starts at or before a position. @param {Work} work @param {number} p */
export function segmentStart(work, p) {
  return boundariesIn(work).findLast((one) => one <= p) ?? 0;
}

/** The order of documents: as they stand, or by the coder's name; those for practice come first.
 * @param {AnnotationData} data @param {string} coder @returns {number[]} */
export function documentOrder(data, coder) {
  const all = data.documents.map((_, i) => i);
  if (!data.shuffle) return all;
  const practice = all.filter((i) => data.documents[i].gold);
  const rest = all.filter((i) => !data.documents[i].gold);
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
