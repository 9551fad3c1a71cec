// What a boundary is against a reference.

import { visible } from "./elements.js";
import { positionsOf } from "./positions.js";
import { JUDGED, STATUS } from "./signs.js";

/**
 * @typedef {{coder: string, kind: string, masses: number[], types?: (string|number)[][],
 *   ranks?: number[], labels?: string[][]}} Coding
 * @typedef {[number, number, (string|number)[][], (string|number)[][]]} Edits
 * @typedef {{status: string, words: string, other?: number}} Verdict
 *   (other: of a near miss, where the other side has the boundary)
 * @typedef {{coding: Coding, index: number, positions: number[], has: Set<number>,
 *   place: Map<number, number>}} Row
 * @typedef {{at: Map<number, Verdict[]>, counts: Record<string, number>}} Judged
 * @typedef {{row: Row, judged: Judged|null}} Shown
 */

/** @param {Coding} coding @param {number} index @returns {Row} */
export function rowOf(coding, index) {
  const positions = positionsOf(coding.masses);
  return { coding, index, positions, has: new Set(positions),
    place: new Map(positions.map((p, i) => [p, i])) };
}

/** The types of a boundary; one without types has the one type "". @param {Row} row @param {number} p */
export function typesAt(row, p) {
  const types = row.coding.types?.[row.place.get(p) ?? -1];
  return types?.length ? types : [""];
}

/** Whether ranks matter: many segmenters give some, but people do only where they mean levels.
 * @param {{codings: Coding[]}} doc */
export function ranked(doc) {
  return doc.codings.some((one) => one.kind === "person" && one.ranks);
}

/** The rank of a boundary, 1 where it has none. @param {Row} row @param {number} p */
export function rankAt(row, p) {
  return row.coding.ranks?.[row.place.get(p) ?? -1] ?? 1;
}

/** Boundaries by position and type. @param {Row} row @param {boolean} typed */
export function keysOf(row, typed) {
  return new Set(row.positions.flatMap((p) =>
    (typed ? typesAt(row, p) : [""]).map((type) => `${p} ${type}`)));
}

/** @param {string|number|undefined} type */
export const ofType = (type) => (type === "" || type === undefined ? "" : ` (${visible(type)})`);

/**
 * A row against the reference: what stands at each position, in words.
 * Near misses and types that differ come from Python; the rest follows from the positions.
 * @param {{edits?: Edits[]}} doc @param {Row} reference @param {Row} row @returns {Judged}
 */
export function judge(doc, reference, row) {
  /** @type {Judged} */
  const judged = { at: new Map(), counts: Object.fromEntries(JUDGED.map((one) => [one, 0])) };
  const typed = Boolean(reference.coding.types && row.coding.types); // or only positions count
  const open = keysOf(reference, typed);
  const own = keysOf(row, typed);
  const { near, differs } = editsOf(doc, reference, row);
  for (const [p, q, type] of near) {
    const far = Math.abs(q - p).toLocaleString("en");
    addVerdict(judged, p, "near", `near: cut ${far} ${q > p ? "later ↓" : "earlier ↑"}${ofType(type)}`, q);
    addVerdict(judged, q, "near", `near: ${far} too ${q > p ? "late" : "early"}${ofType(type)}`, p);
    open.delete(`${p} ${type}`);
    own.delete(`${q} ${type}`);
    judged.counts.near += 1;
  }
  for (const [p, wanted, found] of differs) {
    addVerdict(judged, p, "differs", `${visible(found)}, not ${visible(wanted)}`);
    open.delete(`${p} ${wanted}`);
    own.delete(`${p} ${found}`);
    judged.counts.differs += 1;
  }
  /** @param {string} key @param {string} status */
  const count = (key, status) => {
    const [p, type] = [Number(key.split(" ", 1)[0]), key.slice(key.indexOf(" ") + 1)];
    addVerdict(judged, p, status, STATUS[status][1] + ofType(type));
    judged.counts[status] += 1;
  };
  for (const key of own) count(key, open.delete(key) ? "match" : "extra");
  for (const key of open) count(key, "missed");
  return judged;
}

/** @param {Judged} judged @param {number} p @param {string} status @param {string} words
 * @param {number} [other] */
function addVerdict({ at }, p, status, words, other) {
  at.set(p, [...(at.get(p) ?? []), { status, words, ...(other === undefined ? {} : { other }) }]);
}

/** Near misses (where the reference has it, where the row has it, the type) and types that differ
 * (where, the reference's, the row's). @param {{edits?: Edits[]}} doc @param {Row} reference
 * @param {Row} row
 * @returns {{near: [number, number, string|number][],
 *   differs: [number, string|number, string|number][]}} */
function editsOf(doc, reference, row) {
  if (reference.index < 0) { // the slider's: Python has not seen it
    return { near: adjacentPairs(reference.has, row.has).map(([p, q]) => [p, q, ""]), differs: [] };
  }
  const flipped = reference.index > row.index;
  const [i, j] = flipped ? [row.index, reference.index] : [reference.index, row.index];
  const edits = doc.edits?.find((one) => one[0] === i && one[1] === j);
  return {
    near: (edits?.[2] ?? []).map(([a, b, type = ""]) =>
      (flipped ? [Number(b), Number(a), type] : [Number(a), Number(b), type])),
    differs: (edits?.[3] ?? []).map(([p, a, b]) => (flipped ? [Number(p), b, a] : [Number(p), a, b])),
  };
}

/**
 * Near misses one unit off, as segscore.boundary_edits pairs them for n_t = 2: as many as possible,
 * which from left to right is the leftmost choice, too.
 * @param {Set<number>} reference @param {Set<number>} row @returns {number[][]}
 */
export function adjacentPairs(reference, row) {
  const alone = [...reference].filter((p) => !row.has(p)).map((p) => ({ p, own: false }));
  const others = [...row].filter((p) => !reference.has(p)).map((p) => ({ p, own: true }));
  const all = [...alone, ...others].sort((a, b) => a.p - b.p);
  const found = [];
  for (let i = 0; i + 1 < all.length; i += 1) {
    const [one, next] = [all[i], all[i + 1]];
    if (next.p - one.p === 1 && one.own !== next.own) {
      found.push(one.own ? [next.p, one.p] : [one.p, next.p]);
      i += 1;
    }
  }
  return found;
}

/** The verdict that matters most at a place. @param {Verdict[]} verdicts */
export function worst(verdicts) {
  const order = ["differs", "near", "missed", "extra", "match"];
  return order.find((one) => verdicts.some((verdict) => verdict.status === one)) ?? "match";
}
