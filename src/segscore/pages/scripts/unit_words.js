// The text of a unit, or the numbers of units whose text is not known.

import { el, wholeSigns } from "./elements.js";

const LONGEST_UNIT = 4000; // characters that are shown at once

/** The text of a unit, in the direction of its first letter; a very long one is cut until one asks
 * for all. @param {string} text @returns {(Node|string)[]} */
export function unitWords(text) {
  const words = el("span", { class: "words", dir: "auto" }, wholeSigns(text, 0, LONGEST_UNIT));
  if (text.length <= LONGEST_UNIT) return [words];
  const button = el("button", { type: "button" },
    `show all ${text.length.toLocaleString("en")} characters`);
  button.addEventListener("click", () => {
    words.textContent = text;
    button.remove();
  });
  return [words, "… ", button];
}

/** Units without a text. @param {number} from @param {number} to */
export function runElement(from, to) {
  const words = from === to ? `unit ${from.toLocaleString("en")}`
    : `units ${from.toLocaleString("en")} – ${to.toLocaleString("en")}`;
  return el("p", { class: "run" }, words);
}
