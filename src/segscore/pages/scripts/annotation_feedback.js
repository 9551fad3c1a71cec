// @ts-check
// Practice: after a document is done, each boundary against the gold, in the signs of the report.
import { el } from "./elements.js";
import { boundariesIn } from "./annotation_state.js";
import { judge, rowOf } from "./judging.js";
import { massesOf } from "./positions.js";
import { JUDGED, STATUS } from "./signs.js";

/** @import { TextDocument, Work } from "./annotation_state.js" */
/** @import { Judged } from "./judging.js" */

/** What the gold says of the work on a document, or null. @param {TextDocument} doc
 * @param {Work} work @returns {Judged|null} */
export function practiceFeedback(doc, work) {
  if (!doc.gold || !work.finished) return null;
  const units = doc.units.length;
  const gold = rowOf({ coder: "gold", kind: "consensus", masses: massesOf(doc.gold, units) }, -1);
  const own = rowOf({ coder: "you", kind: "person", masses: massesOf(boundariesIn(work), units) }, 0);
  const judged = judge({}, gold, own);
  for (const [p, verdicts] of judged.at) {
    for (const one of verdicts) if (one.other !== undefined) one.words = nearWords(p, one.other, gold.has.has(p));
  }
  return judged;
}

/** @param {number} p @param {number} other where the other side has it @param {boolean} reference
 * whether the reference is here */
function nearWords(p, other, reference) {
  const where = `${Math.abs(other - p).toLocaleString("en")} ${other > p ? "later ↓" : "earlier ↑"}`;
  return reference ? `the reference is here; yours is ${where}` : `near: the reference is ${where}`;
}

/** What is said above the text of a document for practice. @param {TextDocument} doc
 * @param {Judged|null} judged @returns {Node[]} */
export function practiceWords(doc, judged) {
  if (!doc.gold) return [];
  if (!judged) {
    return [el("p", { class: "practice" }, el("b", {}, "Practice. "),
      "Mark the boundaries and press “Done”: then you see where others put them. It does not count.")];
  }
  const counts = JUDGED.filter((one) => one !== "differs").map((one) =>
    el("li", { class: one }, el("span", { class: "sign", "aria-hidden": "true" }, STATUS[one][0]),
      ` ${judged.counts[one]} ${STATUS[one][1]}`));
  return [el("div", { class: "practice" }, el("p", {}, el("b", {}, "Practice, done. "),
    "This is how your boundaries compare with the reference, in the text and in the strip above, whose upper half is " +
    "the reference. You may change them; your export keeps what you had before."), el("ul", { class: "legend" }, ...counts))];
}
