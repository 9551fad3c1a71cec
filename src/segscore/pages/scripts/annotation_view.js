// @ts-check
// The text of a document: units, and between two of them a button that sets or removes a boundary.
// A gap is as high with a boundary as without one, so that nothing jumps. Units stand in blocks,
// which the browser lays out when they come into sight (content-visibility).
import { el, visible } from "./elements.js";
import { hasLabels, placeAt } from "./annotation_state.js";
import { worst } from "./judging.js";
import { isRightToLeft, speechLine } from "./speech.js";
import { unitWords } from "./unit_words.js";
import { STATUS } from "./signs.js";

/** @import { AnnotationData, Place, TextDocument, Work } from "./annotation_state.js" */
/** @import { Verdict } from "./judging.js" */
/** @typedef {{gaps: HTMLElement[], verdicts: Map<number, Verdict[]>}} TextView
 *   (gaps: the button at each position; verdicts: what practice says of positions) */

const UNITS_IN_BLOCK = 40;
const SHORT_CHIP = 12; // characters that are never cut off
const WITH_COMMAS = new Intl.NumberFormat("en"); // toLocaleString makes one for each number

/** Draw a document. @param {HTMLElement} box @param {AnnotationData} data @param {TextDocument} doc
 * @param {Work} work @param {Map<number, Verdict[]>} verdicts @returns {TextView} */
export function drawText(box, data, doc, work, verdicts) {
  /** @type {TextView} */
  const view = { gaps: [], verdicts };
  const blocks = [];
  for (let from = 0; from < doc.units.length; from += UNITS_IN_BLOCK) {
    const block = el("div", { class: "block" });
    const rows = [];
    for (let i = from; i < Math.min(from + UNITS_IN_BLOCK, doc.units.length); i += 1) {
      if (i > 0 || hasLabels(data)) {
        view.gaps[i] = el("button", { type: "button", class: "gap", "data-p": i, tabindex: "-1" });
        drawGap(view, data, work, i);
        rows.push(view.gaps[i]);
      }
      rows.push(unitRow(doc, i));
    }
    block.append(...rows);
    blocks.push(block);
  }
  box.setAttribute("dir", isRightToLeft(doc.units) ? "rtl" : "ltr");
  box.replaceChildren(...blocks);
  return view;
}

/** @param {TextDocument} doc @param {number} i */
function unitRow(doc, i) {
  return el("div", { class: "unit" },
    el("span", { class: "unit-number", "aria-hidden": "true" }, WITH_COMMAS.format(i + 1)),
    el("div", { class: "said" }, ...speechLine(doc.speakers?.[i], doc.starts?.[i]), ...unitWords(doc.units[i])));
}

/** Draw one gap as it is now. @param {TextView} view @param {AnnotationData} data @param {Work} work
 * @param {number} p */
export function drawGap(view, data, work, p) {
  const gap = view.gaps[p];
  if (!gap) return;
  const place = placeAt(work, p);
  const set = p > 0 && place.level > 0;
  const judged = mostTelling(view.verdicts.get(p));
  const here = gap.classList.contains("here");
  gap.className = `gap${here ? " here" : ""}${set ? " set" : ""}${p === 0 ? " start" : ""}` +
    `${place.unsure ? " unsure" : ""}${set ? ` level-${place.level}` : ""}${judged ? ` judged ${judged.status}` : ""}`;
  if (p > 0) gap.setAttribute("aria-pressed", `${set}`);
  const words = gapWords(data, place, p, judged);
  gap.setAttribute("aria-label", [p ? `Boundary after unit ${WITH_COMMAS.format(p)}` : "Start of the document",
    ...(place.comment ? ["with a comment"] : []), ...words.map((one) => one.words)].join(", ")); // it ends with what is seen
  gap.replaceChildren(...words.flatMap((one) => [el("span",
    { class: `chip ${one.look}`, dir: "auto", title: one.words.length > SHORT_CHIP ? one.words : null }, one.shown ?? one.words), " "]),
    ...(words.length ? [el("span", { class: "line" })] : []));
}

/** One verdict of several at a place: the worst, with the words of all. @param {Verdict[]|undefined} all
 * @returns {Verdict|undefined} */
function mostTelling(all) {
  return all && { status: worst(all), words: all.map((one) => one.words).join("; ") };
}

/** What is said at a place. @param {AnnotationData} data @param {Place} place @param {number} p
 * @param {Verdict|undefined} judged @returns {{look: string, words: string, shown?: string}[]} */
function gapWords(data, place, p, judged) {
  const found = [];
  const starts = p === 0 || place.level > 0;
  if (judged) found.push({ look: `verdict ${judged.status}`, words: judged.words, shown: `${STATUS[judged.status][0]} ${judged.words}` });
  if (p > 0 && place.level && data.levels > 1) found.push({ look: "rank", words: `level ${place.level}` });
  if (starts && hasLabels(data)) {
    const none = `no ${labelWord(data)} yet`;
    if (place.label) found.push({ look: "label", words: visible(place.label) });
    else found.push({ look: "none", words: p ? none : `first segment: ${none}` });
  }
  if (place.unsure) found.push({ look: "doubt", words: "unsure", shown: "? unsure" });
  if (place.comment) {
    const text = visible(place.comment).replaceAll("\\u000a", " ");
    found.push({ look: "note", words: text, shown: `✎ ${text}` });
  }
  return found;
}

/** What segments are called by. @param {AnnotationData} data */
export const labelWord = (data) => (data.titles ? "title" : "label");
