// The live consensus: sliders, what they make of the open document, and of all as a file.

import { writeSoon } from "./address.js";
import { consensusFileName, distanceWords, shareWords } from "./consensus_words.js";
import { drawConsensusStrip } from "./consensus_strip.js";
import { jsonLines, offerFile } from "./download.js";
import { boundaries, byId, counted, el } from "./elements.js";
import { field, menu, slider } from "./form_controls.js";
import { massesOf } from "./positions.js";
import { FARTHEST, agreedOn, openOne, peopleOf } from "./report_state.js";
import { votesNeeded } from "./votes.js";

/** @import { State } from "./report_state.js" */

const MOST_CHOICES = 500; // documents in a menu
const PRESETS = /** @type {[string, number|string][]} */ ([
  ["anyone", "union"], ["half", 0.5], ["more than half", "majority"], ["everyone", 1],
]);

/** The form. @param {State} state @param {() => void} changed when the rule is another one
 * @param {(name: string) => void} open */
export function drawConsensus(state, changed, open) {
  const form = byId("consensus");
  if (!form) return;
  /** @param {Partial<State["rule"]>} part */
  const set = (part) => {
    Object.assign(state.rule, part);
    changed();
    writeSoon(state);
  };
  const buttons = PRESETS.map(([label, atLeast]) => {
    const button = el("button", { type: "button", "data-rule": `${atLeast}` }, label);
    button.addEventListener("click", () => set({ atLeast }));
    return button;
  });
  const save = el("button", { type: "button", id: "download", class: "primary" }, "Download as JSON Lines");
  save.addEventListener("click", () => offerConsensus(state));
  form.replaceChildren(
    el("div", { class: "field" }, el("span", { id: "share-label" }, "Boundaries marked by at least"),
      el("span", { class: "presets", role: "group", "aria-labelledby": "share-label" }, ...buttons)),
    slider("at-least", 1, 100, (value) => set({ atLeast: value / 100 })),
    slider("within", 0, FARTHEST, (value) => set({ within: value })),
    el("p", { class: "small" }, "Each boundary of a coder counts once, for the best supported place " +
      "within the distance. Two places of the consensus may therefore still be near each other: they " +
      "rest on different boundaries."),
    el("output", { id: "consensus-words", for: "at-least within", role: "status" }),
    ...documentChoice(state, open), el("div", { id: "consensus-strip", class: "strip" }), save);
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  tellConsensus(state);
}

/** Which document the strip shows: the open one. @param {State} state
 * @param {(name: string) => void} open */
function documentChoice(state, open) {
  const coded = codedBy(state);
  if (coded.length < 2 || coded.length > MOST_CHOICES) return [];
  const box = menu(coded.map((doc) => [doc.name, doc.name]), "", open);
  box.id = "consensus-document";
  return [field("Document", box)];
}

/** The documents that people coded. @param {State} state */
const codedBy = (state) => state.data.documents.filter((doc) => peopleOf(doc).length);

/** The open document at once; all of them when there is time. @param {State} state */
export function tellConsensus(state) {
  const words = byId("consensus-words");
  if (!words) return;
  showRule(state);
  const doc = openOne(state) ?? state.data.documents[0];
  if (doc) drawConsensusStrip(state, doc);
  window.clearTimeout(state.timers.consensus);
  state.timers.consensus = window.setTimeout(() => {
    words.textContent = consensusWords(state);
  }, state.data.documents.length > 500 ? 250 : 0);
}

/** What the rule makes of all documents. @param {State} state */
function consensusWords(state) {
  const { atLeast, within } = state.rule;
  const coded = codedBy(state);
  const all = coded.reduce((sum, one) => sum + agreedOn(state, one).length, 0);
  const sizes = new Set(coded.map((one) => peopleOf(one).length));
  const votes = sizes.size === 1 ? [...sizes].map((n) =>
    `, that is ${votesNeeded(atLeast, n)} of ${n}`)[0] : "";
  return `Marked by ${shareWords(atLeast)}${votes}, ${distanceWords(within)}` +
    `: ${boundaries(all)} in ${counted(coded.length, "document")}.`;
}

/** Sliders, their words and the buttons as the rule is. @param {State} state */
function showRule({ document: name, rule }) {
  const { atLeast, within } = rule;
  const share = { union: 1, majority: 51 }[`${atLeast}`] ?? Math.round(100 * Number(atLeast));
  showSlider("at-least", share, shareWords(atLeast), `Share of coders: ${shareWords(atLeast)}`);
  showSlider("within", within, distanceWords(within), `Allow a distance of ${counted(within, "unit")}`);
  for (const button of document.querySelectorAll("[data-rule]")) {
    button.setAttribute("aria-pressed", `${button.getAttribute("data-rule") === `${atLeast}`}`);
  }
  const box = /** @type {HTMLSelectElement|null} */ (byId("consensus-document"));
  if (box) box.value = name ?? "";
}

/** @param {string} id @param {number} value @param {string} spoken @param {string} words */
function showSlider(id, value, spoken, words) {
  const made = /** @type {HTMLInputElement} */ (byId(id));
  made.value = `${value}`;
  made.setAttribute("aria-valuetext", spoken);
  /** @type {HTMLElement} */ (byId(`${id}-words`)).textContent = words;
}

/** All documents as our JSON Lines: segscore reads it as it reads `segscore convert --consensus -o`.
 * @param {State} state */
function offerConsensus(state) {
  const rows = codedBy(state).map((doc) => ({
    document: doc.name, coder: "consensus", kind: "consensus",
    masses: massesOf(agreedOn(state, doc), doc.units),
    ...(doc.text ? { units: doc.text } : {}), ...(doc.group ? { group: doc.group } : {}),
  }));
  offerFile(consensusFileName(state.rule), jsonLines(rows), "application/jsonl");
}
