// The strip: everyone's boundaries over the units, with their counts; and its legend.

import { counted, el, named, visible } from "./elements.js";
import { worst } from "./judging.js";
import { leadsTo, swatch } from "./lanes.js";
import { laneOf } from "./ranked_lanes.js";
import { JUDGED, STATUS, sign } from "./signs.js";
import { stripBox } from "./strip_box.js";

/** @import { Coding, Row, Shown } from "./judging.js" */
/** @typedef {{units: number, codings: Coding[]}} Coded */

/** A table that stays in sight: a row for the reference, if there is one, and for each one shown.
 * @param {Coded} doc @param {Row|null} reference @param {Shown[]} shown
 * @param {(p: number) => void} goTo where a click leads */
export function strip(doc, reference, shown, goTo) {
  const kinds = reference ? kindsOf(shown) : [];
  const lines = shown.map(({ row, judged }) => stripLine(doc, row, marksByStatus({ row, judged }),
    kinds.map((one) => `${judged?.counts[one] ?? 0}`)));
  if (reference) {
    lines.unshift(stripLine(doc, reference, [["reference", reference.positions]], kinds.map(() => "")));
  }
  const rows = [...(reference ? [reference] : []), ...shown.map((one) => one.row)];
  const most = Math.max(0, ...rows.map((row) => row.positions.length));
  const made = stripBox(doc.units, kinds, lines, most, reference ? " counts judged" : " counts");
  leadsTo(made, doc.units, rows.flatMap((row) => row.positions), goTo);
  return made;
}

/** What a row has where, by what it is. @param {Shown} one @returns {[string, number[]][]} */
function marksByStatus({ row, judged }) {
  if (!judged) return [["marks", row.positions]];
  /** @type {Map<string, number[]>} */
  const found = new Map();
  for (const [p, verdicts] of judged.at) {
    const status = worst(verdicts);
    if (status === "near" && !row.has.has(p)) continue; // drawn where the row has it
    const same = found.get(status);
    if (same) same.push(p);
    else found.set(status, [p]);
  }
  return [...found];
}

/** @param {Coded} doc @param {Row} row @param {[string, number[]][]} kinds @param {string[]} counts */
function stripLine(doc, row, kinds, counts) {
  const about = kinds[0]?.[0] === "reference" ? "is-reference" : row.coding.kind;
  return el("tr", { class: about },
    el("th", { scope: "row", class: "who", title: visible(row.coding.coder) }, named(row.coding.coder, 22)),
    el("td", { class: "lane-cell" }, laneOf(doc, row, kinds)),
    el("td", { class: "num all" }, row.positions.length.toLocaleString("en")),
    ...counts.map((one) => el("td", { class: "num" }, one)));
}

/** Which kinds of boundaries there are to tell apart. @param {Shown[]} shown */
function kindsOf(shown) {
  const typed = shown.some((one) => one.judged?.counts.differs);
  return JUDGED.filter((one) => one !== "differs" || typed);
}

/** What signs and columns mean; each sign is drawn as in the strip. @param {boolean} judged
 * @param {Shown[]} shown @param {number} near n_t: one more than the units that a near miss is off */
export function legend(judged, shown, near) {
  const kinds = judged ? ["reference", ...kindsOf(shown)] : ["marks", "without"];
  return el("ul", { class: `legend${judged ? " judged" : ""}`, "aria-label": "Legend" },
    ...kinds.map((one) => el("li", {}, one === "without" ? sign(one) : swatch(one), ` ${STATUS[one][1]}`,
      one === "near" ? ` (${near > 2 ? "up to " : ""}${counted(near - 1, "unit")} off)` : "")),
    el("li", { class: "all" }, el("b", {}, "all"), " boundaries of the row"));
}
