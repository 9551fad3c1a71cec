// Fields of forms: a label above its control, and menus.

import { el, visible } from "./elements.js";

/** @param {string} label @param {HTMLElement} control */
export function field(label, control) {
  return el("label", { class: "field" }, el("span", {}, label), control);
}

/** @param {[string, string][]} options values and labels @param {string} chosen
 * @param {(value: string) => void} act */
export function menu(options, chosen, act) {
  const made = /** @type {HTMLSelectElement} */ (el("select"));
  fillMenu(made, options, chosen);
  made.addEventListener("change", () => act(made.value));
  return made;
}

/** @param {HTMLSelectElement} box @param {[string, string][]} options @param {string} chosen */
export function fillMenu(box, options, chosen) {
  box.replaceChildren(...options.map(([value, label]) => {
    const text = visible(label);
    const option = el("option", {}, text.length > 60 ? `${text.slice(0, 59)}…` : text);
    /** @type {HTMLOptionElement} */ (option).value = value;
    return option;
  }));
  box.value = chosen;
}

/** A slider below its words, which say its value. @param {string} id @param {number} least
 * @param {number} most @param {(value: number) => void} act */
export function slider(id, least, most, act) {
  const made = /** @type {HTMLInputElement} */ (el("input", { type: "range", min: least, max: most,
    step: "1", id }));
  made.addEventListener("input", () => act(Number(made.value)));
  return el("label", { class: "field" }, el("span", { id: `${id}-words` }), made);
}

export const LONGEST_COMMENT = 100_000; // characters, as corpus/annotation.py reads them

/** What was typed without halves of signs, which a field that is full cuts off, and which no file
 * can hold. @param {string} typed */
export const withoutHalves = (typed) => typed.replace(/\p{Cs}/gu, "");
