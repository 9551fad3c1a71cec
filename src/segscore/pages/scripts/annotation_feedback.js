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
  return judge({}, gold, own);
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
    "This is how your boundaries compare with the reference; each is marked in the text. You may " +
    "change them, or go on to the next document."), el("ul", { class: "legend" }, ...counts))];
}
