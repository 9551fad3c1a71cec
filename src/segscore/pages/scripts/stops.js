// The places of a document that `n` and `p` stop at.

import { contestedPlaces } from "./places.js";

/** @import { Row, Shown } from "./judging.js" */
/** @typedef {Record<string, number[]>} Stops   (places to stop at, by kind: of STOPS) */

export const STOPS = ["disagreements", "differ", "all"]; // the first is usual

/** Where to stop: where some row disagrees with the reference (or rows with each other, if there
 * is none), where rows differ from each other, or everywhere. A near miss counts once, at the
 * boundary of the reference. @param {number[]} places @param {Row|null} reference
 * @param {Shown[]} shown @returns {Stops} */
export function stopsOf(places, reference, shown) {
  const once = places.filter((p) => !(reference && echo(p, shown)));
  /** @type {Stops} */
  const found = { disagreements: reference ? once.filter((p) => !agreed(p, reference, shown))
    : contestedPlaces(shown.map((one) => one.row.positions)) };
  if (reference && shown.length > 1) found.differ = once.filter((p) => differ(p, shown));
  found.all = places;
  return found;
}

/** Whether rows say different things about a place. @param {number} p @param {Shown[]} shown */
function differ(p, shown) {
  const said = shown.map(({ judged }) =>
    (judged?.at.get(p) ?? []).map((verdict) => verdict.words).sort().join("; "));
  return new Set(said).size > 1;
}

/** Whether all rows have what the reference has, or without one, all have a boundary here.
 * @param {number} p @param {Row|null} reference @param {Shown[]} shown */
export function agreed(p, reference, shown) {
  if (!reference) return shown.every((one) => one.row.has.has(p));
  return shown.every((one) => (one.judged?.at.get(p) ?? []).every((v) => v.status === "match"));
}

/** Whether nothing stands here but the other end of near misses, which count at the reference's
 * boundary. @param {number} p @param {Shown[]} shown */
function echo(p, shown) {
  return shown.every(({ row, judged }) => (judged?.at.get(p) ?? []).every((verdict) =>
    verdict.status === "match" || (verdict.status === "near" && row.has.has(p))));
}
