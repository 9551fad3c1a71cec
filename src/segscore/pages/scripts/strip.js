// The strip: everyone's boundaries over the units, with their counts; and its legend.

import { counted, el, named, unseen, visible } from "./elements.js";
import { worst } from "./judging.js";
import { ends, laneOf, leadsTo, swatch } from "./lanes.js";
import { JUDGED, STATUS, sign } from "./signs.js";

/** @import { Coding, Row, Shown } from "./judging.js" */
/** @typedef {{units: number, codings: Coding[]}} Coded */

const MOST_SIGNS = { wide: 36, narrow: 16 }; // in a row of a strip; with more it has lines alone

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

/** The table of a strip. @param {number} units @param {string[]} kinds what is counted beside all
 * @param {HTMLElement[]} lines @param {number} most boundaries in a line: with many, signs would
 * cover each other @param {string} [look] */
export function stripBox(units, kinds, lines, most, look = "") {
  const crowd = most > MOST_SIGNS.wide ? " crowded" : most > MOST_SIGNS.narrow ? " dense" : "";
  return el("div", { class: "strip-box", tabindex: "0", role: "region", "aria-label": "Everyone’s boundaries" },
    el("table", { class: `strip${look}${crowd}` }, el("thead", {}, stripHead(units, kinds)),
      el("tbody", {}, ...lines)));
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

/** @param {number} units @param {string[]} kinds */
function stripHead(units, kinds) {
  return el("tr", {},
    el("th", { scope: "col", class: "who" }, unseen("row"), el("span", { "aria-hidden": "true" }, "unit")),
    el("th", { scope: "col" }, unseen("boundaries over the units"), ends(units)),
    el("th", { scope: "col", class: "num all" }, el("span", { title: "all boundaries of the row" }, "all")),
    ...kinds.map((one) => el("th", { scope: "col", class: "num", title: STATUS[one][1] }, sign(one),
      unseen(STATUS[one][1]))));
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
