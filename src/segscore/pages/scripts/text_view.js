// A text, unit by unit, and what stands between units: drawn in parts, as they come into view.

import { el } from "./elements.js";
import { runElement, unitWords } from "./unit_words.js";

/**
 * @typedef {{units: number, text?: string[]}} Text   (without texts, units are numbers)
 * @typedef {{from: number, to: number, place: number|null}} Block
 *   (units, and the place after them, if something is to be drawn there)
 * @typedef {{element: HTMLElement, from: number, to: number, drawn: boolean}} Part
 *   (from, to: which blocks)
 */

const BLOCKS_AT_ONCE = 150; // units and boundaries of a text

/**
 * The element, and a function that draws a place (which has the attribute data-at) and gives it.
 * @param {Text} doc @param {number[]} places ascending @param {(p: number) => HTMLElement} drawPlace
 * @param {boolean} whole whether all is drawn at once, for print
 */
export function textView(doc, places, drawPlace, whole) {
  const blocks = blocksOf(doc, places);
  const element = el("div", { class: `text${doc.text ? "" : " runs"}` });
  const parts = partsOf(blocks.length, whole ? blocks.length || 1 : BLOCKS_AT_ONCE);
  element.append(...parts.map((part) => part.element));
  /** @param {Part} part */
  const draw = (part) => {
    if (part.drawn) return;
    part.drawn = true;
    part.element.classList.remove("waiting");
    for (const block of blocks.slice(part.from, part.to)) {
      part.element.append(unitsOf(doc, block.from, block.to));
      if (block.place !== null) part.element.append(drawPlace(block.place));
    }
  };
  parts.slice(1).forEach((part) => part.element.classList.add("waiting"));
  if (parts.length) draw(parts[0]);
  if (parts.length > 1) drawWhenSeen(parts, draw);
  /** @param {number} p */
  const placeOf = (p) => {
    const index = blocks.findIndex((block) => block.place === p);
    const part = parts.find((one) => one.from <= index && index < one.to);
    if (!part) return null;
    draw(part);
    return /** @type {HTMLElement|null} */ (part.element.querySelector(`[data-at="${p}"]`));
  };
  return { element, placeOf };
}

/** A block for each unit; where there is no text, for each run of units between places.
 * @param {Text} doc @param {number[]} places @returns {Block[]} */
function blocksOf(doc, places) {
  const marked = new Set(places);
  const ends = doc.text ? Array.from({ length: doc.units }, (_, i) => i + 1) : [...places, doc.units];
  const found = [];
  let from = 1;
  for (const p of ends) {
    if (p >= from) found.push({ from, to: p, place: marked.has(p) ? p : null });
    from = p + 1;
  }
  return found;
}

/** @param {number} blocks how many @param {number} size @returns {Part[]} */
function partsOf(blocks, size) {
  const parts = [];
  for (let from = 0; from < blocks; from += size) {
    parts.push({ element: el("div", { class: "part" }), from, to: Math.min(blocks, from + size),
      drawn: false });
  }
  return parts;
}

/** Draw each part a little before it comes into view. @param {Part[]} parts
 * @param {(part: Part) => void} draw */
function drawWhenSeen(parts, draw) {
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const part = entry.isIntersecting && parts.find((one) => one.element === entry.target);
      if (part) draw(part);
    }
  }, { rootMargin: "600px" });
  parts.forEach((part) => seen.observe(part.element));
}

/** @param {Text} doc @param {number} from @param {number} to */
function unitsOf(doc, from, to) {
  return doc.text ? unitElement(from, doc.text[from - 1] ?? "") : runElement(from, to);
}

/** One unit: its number and its text. @param {number} n from 1 @param {string} text */
function unitElement(n, text) {
  return el("p", { class: "unit" }, el("span", { class: "unit-number" }, `${n}`), ...unitWords(text));
}
