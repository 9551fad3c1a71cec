// What everyone has between two units: a rule for each, in words and signs.

import { el, named, timecode, visible } from "./elements.js";
import { ranked, typesAt, worst } from "./judging.js";
import { STATUS, sign } from "./signs.js";
import { agreed } from "./stops.js";

/** @import { Coding, Row, Shown } from "./judging.js" */

/**
 * @param {number} p @param {{codings: Coding[]}} doc @param {Row|null} reference
 * @param {Shown[]} shown @param {number|null} seconds how long a unit is, if it has a duration
 * @param {boolean} whole whether it is for print, where it is no place to go to
 */
export function boundaryView(p, doc, reference, shown, seconds, whole) {
  const level = ranked(doc);
  const rules = shown.map((one) => ruleOf(one, p, level));
  if (reference) {
    const here = reference.has.has(p);
    rules.unshift(rule(reference, here ? "reference" : "nothing",
      here ? labelsAt(reference, p, level) || "boundary" : "", p));
  }
  const votes = shown.filter((one) => one.row.has.has(p)).length;
  const time = seconds ? timecode(p * seconds) : "";
  const heading = `after unit ${p.toLocaleString("en")}${time && ` ${time}`}` +
    (reference ? "" : `: ${votes} of ${shown.length}`);
  const beside = reference ? time : `${votes} of ${shown.length}`;
  const fine = agreed(p, reference, shown) ? "agreed" : "disputed";
  return el("div", { class: `boundary ${fine}`, "data-at": p, id: whole ? null : `at-${p}`,
    tabindex: whole ? null : "-1", role: "group", "aria-label": `Boundary ${heading}` },
  el("span", { class: "position", "aria-hidden": "true" }, beside),
  el("div", { class: reference ? "rules" : "rules short" }, ...rules));
}

/** @param {Shown} one @param {number} p @param {boolean} level whether ranks matter */
function ruleOf({ row, judged }, p, level) {
  if (!judged) {
    const marks = row.has.has(p);
    const types = typesAt(row, p).filter((one) => one !== "").map(visible).join(", ");
    const said = marks ? [types, labelsAt(row, p, level)].filter(Boolean).join(", ") : "";
    const status = marks ? "marks" : "without";
    return rule(row, status, said || STATUS[status][1], p, said !== "");
  }
  const verdicts = judged.at.get(p);
  if (!verdicts) return rule(row, "nothing", "", p);
  const words = verdicts.map((one) => one.words).join("; ");
  return rule(row, worst(verdicts), [words, labelsAt(row, p, level)].filter(Boolean).join(", "), p);
}

/** @param {Row} row @param {string} status @param {string} words @param {number} p
 * @param {boolean} [said] whether the words say more than the sign */
function rule(row, status, words, p, said = false) {
  if (status === "nothing") return el("span", { class: "rule nothing", "aria-hidden": "true" });
  const own = row.has.has(p) ? " own" : "";
  return el("span", { class: `rule ${status}${own}` }, sign(status), " ",
    el("b", {}, named(row.coding.coder, 24)), " ", el("span", { class: said ? "what said" : "what" }, words));
}

/** The rank of a boundary, if ranks matter, and what the coder calls the segment that begins here.
 * @param {Row} row @param {number} p @param {boolean} level */
function labelsAt(row, p, level) {
  const index = row.place.get(p);
  if (index === undefined) return "";
  const rank = row.coding.ranks && level ? `rank ${row.coding.ranks[index]}` : "";
  const labels = row.coding.labels?.[index + 1];
  const label = labels?.length ? `“${labels.map(visible).join(", ")}”` : "";
  return [rank, label].filter(Boolean).join(", ");
}
