// @ts-check
// What an annotation page knows: its data, and the work of a coder on each document.
//
// Work is a plain object that JSON can hold. At each position it has a place: the level of the
// boundary there (0: no boundary), the label of the segment that starts there (0 is the start of
// the document), whether the coder is unsure, and a comment. A change replaces one place, or says
// that a document is done; it holds both sides, so that it can be undone.

/**
 * @typedef {{by: string, boundaries: number[], levels: number[]|null,
 *   labels: (string|null)[]|null}} Prefill
 * @typedef {{name: string, units: string[], hash: string, speakers?: (string|null)[],
 *   starts?: (number|null)[], group?: string, prefill?: Prefill, gold?: number[]}} TextDocument
 * @typedef {{page: string, title: string|null, coder: string|null, shuffle: boolean,
 *   levels: number, labels: string[], titles: boolean, provenance: object|null,
 *   documents: TextDocument[]}} AnnotationData
 * @typedef {{level: number, label: string, unsure: boolean, comment: string}} Place
 * @typedef {{places: Record<string, Place>, finished: boolean, seconds: number}} Work
 * @typedef {{document: number, at: number, before: Place, after: Place}|
 *   {document: number, at: null, before: boolean, after: boolean}} WorkChange
 *   (at: the position; null: whether the document is done)
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
 * storage is small. @param {Work} work */
export function packedWork(work) {
  const packed = Object.entries(work.places).map(([p, place]) =>
    [p, samePlace(place, { ...NO_PLACE, level: place.level }) ? place.level : place]);
  return { ...work, places: Object.fromEntries(packed) };
}

/** Work as it was packed, or null if it is none; what does not fit the document is left out: other
 * programs, and other versions of this one, may write where we do.
 * @param {TextDocument} doc @param {any} packed @returns {Work|null} */
export function unpackedWork(doc, packed) {
  if (!packed?.places || typeof packed.places !== "object") return null;
  const places = Object.entries(packed.places).flatMap(([p, place]) => {
    const fits = /^\d+$/.test(p) && Number(p) < doc.units.length && (typeof place === "number" || place?.constructor === Object);
    return fits ? [[p, { ...NO_PLACE, ...(typeof place === "number" ? { level: place } : place) }]] : [];
  });
  return { places: Object.fromEntries(places), finished: packed.finished === true,
    seconds: Number.isFinite(packed.seconds) ? packed.seconds : 0 };
}

/** @param {Place} a @param {Place} b */
export function samePlace(a, b) {
  return a.level === b.level && a.label === b.label && a.unsure === b.unsure && a.comment === b.comment;
}

/** The boundary set, or removed. What else is known of the place stays. @param {Place} place
 * @returns {Place} */
export const toggled = (place) => ({ ...place, level: place.level ? 0 : 1 });

/** @param {Work} work @param {WorkChange} change @param {boolean} back whether to undo it */
export function applyChange(work, change, back) {
  if (change.at === null) work.finished = back ? change.before : change.after;
  else putPlace(work, change.at, back ? change.before : change.after);
}

/** Where boundaries stand, in order. @param {Work} work */
export function boundariesIn(work) {
  return Object.keys(work.places).map(Number).filter((p) => p > 0 && work.places[p].level > 0)
    .sort((a, b) => a - b);
}

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
