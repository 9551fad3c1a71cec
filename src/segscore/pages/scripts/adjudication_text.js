// The text of a document, unit by unit, with everyone's marks between them.
import { counted, el, named, unseen } from "./elements.js";
import { sign } from "./signs.js";
import { isRightToLeft, speechLine } from "./speech.js";
import { runElement, unitWords } from "./unit_words.js";
import { commentAt, decidedBy, decisionOf, goldLevel, levelsAt, placeAt, ruledLevel, workOf } from "./adjudication_state.js";

/** @import { Doc, Place, State } from "./adjudication_state.js" */

const UNITS_TOGETHER = 100; // a browser lays out only the parts that are in view

/** The whole text. Without one, units between places are told by their numbers.
 * @param {State} state @param {{choose: (p: number) => void, goTo: (p: number) => void}} acts */
export function adjudicationText(state, acts) {
  const doc = state.open;
  const element = el("div", { class: `text${doc.text ? "" : " runs"}`,
    dir: doc.text && isRightToLeft(doc.text) ? "rtl" : "ltr" });
  if (doc.text) {
    for (let from = 1; from <= doc.units; from += UNITS_TOGETHER) {
      const part = el("div", { class: "part" });
      for (let unit = from; unit < from + UNITS_TOGETHER && unit <= doc.units; unit += 1) {
        part.append(unitRow(doc, doc.text[unit - 1], unit));
        if (unit < doc.units) part.append(between(state, unit, acts));
      }
      element.append(part);
    }
  } else {
    let from = 1;
    for (const p of [...marked(state, doc), doc.units]) {
      element.append(runElement(from, p));
      if (p < doc.units) element.append(between(state, p, acts));
      from = p + 1;
    }
  }
  element.addEventListener("click", (event) => {
    const gap = /** @type {Element} */ (event.target).closest("[data-at]");
    const on = /** @type {Element} */ (event.target).closest("button");
    if (gap && !on) acts.goTo(Number(gap.getAttribute("data-at")));
  });
  return element;
}

/** A unit, with who says it and when. @param {Doc} doc @param {string} text @param {number} unit */
function unitRow(doc, text, unit) {
  return el("div", { class: "unit" }, el("span", { class: "unit-number" }, `${unit}`),
    el("div", { class: "spoken" }, ...speechLine(doc.speakers?.[unit - 1], doc.starts?.[unit - 1]), ...unitWords(text)));
}

/** Our words, in their own direction. @param {...(Node|string)} words */
const english = (...words) => el("bdi", { dir: "ltr" }, ...words);

/** Positions at which something stands. @param {State} state @param {Doc} doc */
export function marked(state, doc) {
  return [...doc.places.flatMap((one) => one.at), ...workOf(state, doc).added].sort((a, b) => a - b);
}

/** What stands between two units. @param {State} state @param {number} p
 * @param {{choose: (p: number) => void}} acts */
export function between(state, p, acts) {
  const place = placeAt(state, p);
  if (place) return alternative(state, place, p, acts);
  if (workOf(state, state.open).added.includes(p)) return addedBoundary(state, p);
  return el("div", { class: "gap", "data-at": p, id: `at-${p}`, tabindex: "-1", role: "group",
    "aria-label": `After unit ${p}: nobody marks it` }, ...remarks(state.open, p));
}

/** What people told while they coded. @param {Doc} doc @param {number} p */
function remarks(doc, p) {
  return (doc.said ?? []).filter(([at]) => at === p).map(([, who, text]) =>
    el("p", { class: "said" }, english(el("b", {}, named(doc.coders[who], 24)),
      ...(text === null ? [" is unsure here"] : [": ", el("span", { dir: "auto" }, text)]))));
}

/** One of the positions of a place: who marks it, and what is decided. @param {State} state
 * @param {Place} place @param {number} p @param {{choose: (p: number) => void}} acts */
function alternative(state, place, p, acts) {
  const doc = state.open;
  const index = place.at.indexOf(p);
  const choice = decisionOf(state, doc, place);
  const look = choice === null ? "waits" : choice === p ? "chosen" : "not-chosen";
  const who = new Set(place.who[index]);
  const levels = levelsAt(doc, p);
  const rules = doc.coders.map((name, i) => el("span", { class: `rule ${who.has(i) ? "marks own" : "without"}` },
    sign(who.has(i) ? "marks" : "without"), " ", el("b", {}, named(name, 24)),
    unseen(who.has(i) ? " marks it" : " does not"),
    ...(levels[i] ? [el("span", { class: "level-given" }, ` level ${levels[i]}`)] : [])));
  const votes = `${who.size} of ${doc.coders.length}`;
  const pressed = choice === p;
  const button = el("button", { type: "button", class: "choose", "aria-pressed": `${pressed}`,
    title: `after unit ${p}: choose it (${index + 1})`, "aria-label": `${index + 1}: choose after unit ${p}` },
  `${index + 1}`);
  button.addEventListener("click", () => acts.choose(p));
  return el("div", { class: `boundary alternative ${look}`, "data-at": p, id: `at-${p}`, tabindex: "-1",
    role: "group", "aria-label": `After unit ${p}: ${votes}, ${decisionWords(state, place, p)}` },
  el("span", { class: "position" }, button, el("span", { "aria-hidden": "true" }, english(votes))),
  el("div", {}, el("div", { class: "rules short" }, ...rules),
    ...remarks(doc, p), el("p", { class: "decided" }, english(decisionWords(state, place, p))),
    ...(index === 0 ? commentOf(state, p) : [])));
}

/** @param {State} state @param {number} p */
function addedBoundary(state, p) {
  const words = `added, nobody marks it${levelWords(state, p)}`;
  return el("div", { class: "boundary added chosen", "data-at": p, id: `at-${p}`, tabindex: "-1", role: "group",
    "aria-label": `After unit ${p}: ${words}` },
  el("span", { class: "position", "aria-hidden": "true" }, english(`0 of ${state.open.coders.length}`)),
  el("div", {}, el("p", { class: "decided" }, english(`■ gold: ${words}`)), ...remarks(state.open, p), ...commentOf(state, p)));
}

/** The level of a boundary of gold, and where it comes from: the coders, or the person.
 * @param {State} state @param {number} p */
function levelWords(state, p) {
  const doc = state.open;
  const level = goldLevel(state, doc, p);
  if (level === undefined) return "";
  const given = levelsAt(doc, p).filter((one) => one !== undefined);
  const ruled = ruledLevel(doc, p);
  const by = level !== ruled ? `, not ${ruled}: set by you` : "";
  return `, level ${level}${by}${new Set(given).size > 1 ? ` (coders: ${given.join(", ")})` : ""}`;
}

/** @param {State} state @param {number} p */
function commentOf(state, p) {
  const text = commentAt(state, p);
  return text ? [el("p", { class: "comment", dir: "auto" }, text)] : [];
}

/** What is decided of a place, as it concerns one of its positions. @param {State} state
 * @param {Place} place @param {number} p */
export function decisionWords(state, place, p) {
  const choice = decisionOf(state, state.open, place);
  if (choice === null) return place.at.length > 1 ? `open: ${counted(place.at.length, "alternative")}` : "open";
  const rule = decidedBy(state, state.open, place) === "rule" ? ", by the rule" : "";
  if (choice === "drop") return `✕ dropped${rule}`;
  return choice === p ? `■ gold${rule}${levelWords(state, p)}` : `not here: after unit ${choice}${rule}`;
}
