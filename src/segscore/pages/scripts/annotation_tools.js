// @ts-check
// What can be done at the place where one is, by buttons and by keys: the same functions.
import { counted, el } from "./elements.js";
import { hasLabels, placeAt, putPlace, segmentStart } from "./annotation_state.js";
import { labelWord } from "./annotation_view.js";
import { askLabel, askText } from "./annotation_dialogs.js";
import { once } from "./key_help.js";
import { changePlace, levelBefore, need, openText, openWork, redo, saveWork, say, undo } from "./annotation_desk.js";

/** @import { Desk } from "./annotation_desk.js" */
/** @import { Place } from "./annotation_state.js" */
/** @typedef {{where: HTMLElement, set: HTMLElement, levels: HTMLElement[], label: HTMLElement|null,
 *   unsure: HTMLElement, comment: HTMLElement, undo: HTMLElement, redo: HTMLElement}} Tools */

const QUOTED = 80; // characters of a unit that a dialog quotes

/** @param {Desk} desk @returns {Place} */
const placeHere = (desk) => placeAt(openWork(desk), desk.at);

/** @param {number} p */
const whereWords = (p) => (p ? `after unit ${p.toLocaleString("en")}` : "at the start of the document");

/** Set or remove the boundary. What else is known of the place stays, and comes back with it.
 * @param {Desk} desk */
export function toggleHere(desk) {
  if (desk.at === 0) {
    nameHere(desk);
    return;
  }
  const place = placeHere(desk);
  const level = place.level ? 0 : levelBefore(desk);
  changePlace(desk, { ...place, level }, `Boundary ${place.level ? "removed" : "set"} ${whereWords(desk.at)}.`);
}

/** Set the boundary with a level. @param {Desk} desk @param {number} level */
export function levelHere(desk, level) {
  if (desk.data.levels < 2) say("This page has one level.");
  else if (level > desk.data.levels) say(`This page has ${desk.data.levels} levels.`);
  else if (desk.at > 0) changePlace(desk, { ...placeHere(desk), level }, `Boundary of level ${level} ${whereWords(desk.at)}.`);
}

/** @param {Desk} desk */
export function unsureHere(desk) {
  if (desk.at === 0) return;
  const place = placeHere(desk);
  changePlace(desk, { ...place, unsure: !place.unsure },
    `${place.unsure ? "No longer unsure" : "Unsure"} ${whereWords(desk.at)}.`);
}

/** @param {Desk} desk */
export function commentHere(desk) {
  if (desk.at === 0) return;
  typeAt(desk, desk.at, "comment", `Comment ${whereWords(desk.at)}`, (text) => (text ? "Comment saved." : "No comment."));
}

/** Ask for a text at a position: it is saved as it is typed, and is one step to undo.
 * @param {Desk} desk @param {number} p @param {"title"|"comment"} word @param {string|Node} heading
 * @param {(text: string) => string} told */
function typeAt(desk, p, word, heading, told) {
  const part = word === "title" ? "label" : "comment";
  const now = () => placeAt(openWork(desk), p);
  const before = now()[part];
  const put = (/** @type {string} */ text) => {
    putPlace(openWork(desk), p, { ...now(), [part]: text });
    saveWork(desk, desk.open);
  };
  askText(word, heading, before, put, (text) => {
    if (now()[part] !== before) put(before);
    changePlace(desk, { ...now(), [part]: text }, told(text), p);
  });
}

/** Name the segment that starts here; where none starts, the one that one is in. One stays where
 * one is. @param {Desk} desk */
export function nameHere(desk) {
  if (!hasLabels(desk.data)) {
    say("This page asks for no labels.");
    return;
  }
  const start = segmentStart(openWork(desk), desk.at);
  const now = () => placeAt(openWork(desk), start);
  const word = labelWord(desk.data);
  const heading = el("span", {}, `${word === "title" ? "Title" : "Label"} of the segment that starts with unit ` +
    `${(start + 1).toLocaleString("en")}: `, el("q", { dir: "auto" }, firstWords(openText(desk).units[start])));
  const told = (/** @type {string} */ label) => (label ? `The segment is called ${label}.` : `No ${word}.`);
  if (word === "title") typeAt(desk, start, word, heading, told);
  else askLabel(heading, desk.data.labels, now().label, (label) => changePlace(desk, { ...now(), label }, told(label), start));
}

/** How a unit begins. @param {string} text */
function firstWords(text) {
  const line = [...text.slice(0, 400).replace(/\s+/gu, " ").trim()];
  const cut = line.slice(0, QUOTED).join("");
  return line.length > QUOTED ? `${cut.replace(/\s\S{0,20}$/u, "")} …` : cut;
}

/** @param {string} words @param {string} key @param {(event: MouseEvent) => void} act */
function toolButton(words, key, act) {
  const button = el("button", { type: "button" }, words,
    ...(key ? [el("kbd", { "aria-hidden": "true" }, key)] : []));
  button.addEventListener("click", act);
  return button;
}

/** The bar below the text, which is always in sight. @param {() => Desk} current
 * @param {Desk["data"]} data @param {HTMLElement} saved "saved 12:03" @returns {Tools} */
export function newTools(current, data, saved) {
  const levels = data.levels < 2 ? [] : Array.from({ length: data.levels }, (_, i) => {
    const button = el("button", { type: "button", "aria-label": `Level ${i + 1}` }, `${i + 1}`);
    button.addEventListener("click", () => levelHere(current(), i + 1));
    return button;
  });
  const word = labelWord(data);
  /** @type {Tools} */
  const tools = {
    where: el("span", { class: "where" }),
    set: toolButton("Boundary", "Space", once(() => toggleHere(current()))),
    levels,
    label: hasLabels(data) ? toolButton(word === "title" ? "Title" : "Label", "l", () => nameHere(current())) : null,
    unsure: toolButton("Unsure", "u", once(() => unsureHere(current()))),
    comment: toolButton("Comment", "c", () => commentHere(current())),
    undo: toolButton("Undo", "", () => undo(current())),
    redo: toolButton("Redo", "", () => redo(current())),
  };
  need("tools").replaceChildren(tools.where, tools.set,
    ...(levels.length ? [el("span", { class: "levels", role: "group", "aria-label": "Level" },
      el("span", { class: "small", "aria-hidden": "true" }, "level"), ...levels)] : []),
    ...(tools.label ? [tools.label] : []), tools.unsure, tools.comment,
    el("span", { class: "steps" }, tools.undo, tools.redo), saved);
  return tools;
}

/** @param {Tools} tools @param {Desk} desk */
export function drawTools(tools, desk) {
  const place = placeHere(desk);
  const units = openText(desk).units.length;
  const nothing = units < 2 && !hasLabels(desk.data);
  tools.where.textContent = nothing ? counted(units, "unit")
    : desk.at ? `Between ${desk.at.toLocaleString("en")} and ${(desk.at + 1).toLocaleString("en")}`
      : "Start of the document";
  const press = (/** @type {HTMLElement} */ button, /** @type {boolean} */ on) =>
    button.setAttribute("aria-pressed", `${on}`);
  const off = (/** @type {HTMLElement} */ button, /** @type {boolean} */ is) =>
    button.setAttribute("aria-disabled", `${is}`);
  press(tools.set, place.level > 0 && desk.at > 0);
  for (const one of [tools.set, tools.unsure, tools.comment, ...tools.levels]) off(one, desk.at === 0 || nothing);
  tools.levels.forEach((one, i) => press(one, place.level === i + 1));
  press(tools.unsure, place.unsure);
  press(tools.comment, Boolean(place.comment));
  off(tools.undo, !desk.history.done.length);
  off(tools.redo, !desk.history.undone.length);
}
