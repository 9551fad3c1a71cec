// The votes of the open document, and what the sliders make of them.

import { boundaries, byId, el, named, svg } from "./elements.js";
import { rowOf } from "./judging.js";
import { ends, leadsTo } from "./lanes.js";
import { laneOf } from "./ranked_lanes.js";
import { massesOf } from "./positions.js";
import { peopleOf } from "./report_state.js";
import { countVotes, votesNeeded } from "./votes.js";
import { goTo } from "./walking.js";

/** @import { Doc, State } from "./report_state.js" */
/** @import { Votes } from "./votes.js" */

const VOTES_HIGH = 40;

/** @param {State} state @param {Doc} doc */
export function drawConsensusStrip(state, doc) {
  const box = /** @type {HTMLElement} */ (byId("consensus-strip"));
  const people = peopleOf(doc);
  if (!people.length) {
    box.replaceChildren();
    return;
  }
  const { atLeast, within } = state.rule;
  const votes = countVotes(people, atLeast, within);
  const needed = votesNeeded(atLeast, people.length);
  const kept = [...votes.kept.keys()].sort((a, b) => a - b);
  const row = rowOf({ coder: "consensus", kind: "consensus", masses: massesOf(kept, doc.units) }, -1);
  const inside = el("div", {},
    el("div", { class: "strip-row" }, el("span", { class: "who" }, "votes"),
      votesLane(doc.units, votes, needed, people.length)),
    el("div", { class: "strip-row" }, el("span", { class: "who" }, "consensus"),
      laneOf(doc, row, [["reference", kept]])),
    el("div", { class: "strip-row axis" }, el("span", { class: "who", "aria-hidden": "true" }, "unit"),
      ends(doc.units)));
  leadsTo(inside, doc.units, [...votes.kept.keys(), ...votes.left.keys()], (p) => goTo(state, p));
  box.replaceChildren(
    el("p", { class: "small" }, "In ", named(doc.name, 60), `: ${boundaries(kept.length)}. Dashed line: ` +
      `votes needed, ${needed} of ${people.length}. A click leads to the place.`), inside);
}

/** Bars as high as the share of votes, and a line at the votes needed. @param {number} units
 * @param {Votes} votes @param {number} needed @param {number} people */
function votesLane(units, { kept, left }, needed, people) {
  /** @param {number} n */
  const high = (n) => VOTES_HIGH * (1 - n / people);
  /** @param {Map<number, number>} votes @param {string} look */
  const bars = (votes, look) => svg("path", { class: `mark ${look}`,
    d: [...votes].map(([p, n]) => `M${p} ${VOTES_HIGH}V${high(n)}`).join("") });
  return svg("svg", { class: "lane votes-lane", viewBox: `0 0 ${units} ${VOTES_HIGH}`, height: VOTES_HIGH,
    role: "img", preserveAspectRatio: "none", "aria-label": "the votes that each place got" },
  bars(left, "without"), bars(kept, "reference"),
  svg("path", { class: "needed", d: `M0 ${high(needed)}H${units}` }));
}
