// What the report shows: the filter, the metric, the reference, and the rows that are ticked.

import { writeAddress, writeSoon } from "./address.js";
import { el, named } from "./elements.js";
import { field, menu } from "./form_controls.js";
import { drawDocument } from "./open_document.js";
import { drawList } from "./report_list.js";
import { unticked } from "./report_state.js";

/** @import { State } from "./report_state.js" */

const MOST_TICKS = 40;

/** @param {State} state */
export function drawControls(state) {
  const reference = menu([], "", (value) => {
    state.reference = value;
    state.at = null;
    drawDocument(state);
    writeAddress(state);
  });
  reference.id = "reference";
  const print = el("button", { type: "button", title: "the documents ticked in the list, or the open document" },
    "Print");
  print.addEventListener("click", () => window.print());
  state.controls.replaceChildren(field("Find", filterBox(state)), ...metricChoice(state),
    field("Compare with", reference), print, rowChoice(state, "system", "Systems"),
    rowChoice(state, "person", "People"));
}

/** @param {State} state */
function filterBox(state) {
  const box = /** @type {HTMLInputElement} */ (el("input", { type: "search", id: "filter",
    placeholder: "name or group", autocomplete: "off", spellcheck: "false" }));
  box.value = state.filter;
  box.addEventListener("input", () => {
    state.filter = box.value;
    drawList(state);
    writeSoon(state);
  });
  return box;
}

/** @param {State} state */
function metricChoice(state) {
  const { metrics } = state.data;
  if (metrics.length < 2) return [];
  const box = menu(metrics.map((one, i) => [`${i}`, one.name]), `${state.metric}`, (value) => {
    state.metric = Number(value);
    writeAddress(state);
    drawList(state);
  });
  box.id = "metric";
  return [field("Metric", box)];
}

/** Which rows are shown: a box for each name, and one for all if they are many.
 * @param {State} state @param {string} kind @param {string} label */
function rowChoice(state, kind, label) {
  const names = state.data.rows.filter((one) => one.kind === kind).map((one) => one.name);
  if (!names.length) return el("span", { hidden: true });
  const ticks = names.slice(0, MOST_TICKS).map((name) => rowTick(state, [name], () => {}));
  const all = names.length > 3 ? [rowTick(state, names, (checked) => {
    for (const one of ticks) one.checked = checked;
  })] : [];
  return el("fieldset", { class: "rows", hidden: names.length < 2 && kind === "person" },
    el("legend", { title: "others are gone from the document, the list, the tables and the pictures; " +
      "no value changes" }, `${label} shown:`),
    ...all.map((tick) => el("label", { class: "tick" }, tick, el("em", {}, "all"))),
    ...ticks.map((tick, i) => el("label", { class: "tick", "data-row": names[i] }, tick,
      named(names[i], 24))));
}

/** @param {State} state @param {string[]} about names @param {(checked: boolean) => void} changed */
function rowTick(state, about, changed) {
  const tick = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox" }));
  tick.checked = about.every((one) => !state.hidden.has(one));
  tick.addEventListener("change", () => {
    for (const one of about) state.hidden[tick.checked ? "delete" : "add"](one);
    changed(tick.checked);
    ticksChanged(state);
    writeAddress(state);
  });
  return tick;
}

/** @param {State} state */
function ticksChanged(state) {
  state.contested.clear();
  drawList(state);
  drawDocument(state);
  hideUnticked(state);
}

/** Tables and pictures that Python wrote: a row of theirs says which names it is about.
 * @param {State} state */
export function hideUnticked(state) {
  const without = unticked(state);
  const gone = new Set(state.data.rows.flatMap((one, i) => (without.has(one.name) ? [`${i}`] : [])));
  for (const one of document.querySelectorAll("[data-rows]")) {
    const about = (one.getAttribute("data-rows") ?? "").split(" ");
    one.classList.toggle("unticked", about.some((i) => gone.has(i)));
  }
  for (const note of document.querySelectorAll(".hidden-note")) {
    const everything = el("button", { type: "button" }, "Show all");
    everything.addEventListener("click", () => {
      for (const one of without) state.hidden.delete(one);
      drawControls(state);
      ticksChanged(state);
      writeAddress(state);
    });
    const names = [...without].slice(0, 10).flatMap((one, i) => [i ? ", " : "", named(one, 24)]);
    note.replaceChildren("Not shown, because not ticked under Documents: ", ...names,
      without.size > 10 ? " … " : " ", everything);
    /** @type {HTMLElement} */ (note).hidden = without.size === 0;
  }
}
