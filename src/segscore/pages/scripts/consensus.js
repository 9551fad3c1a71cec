// The live consensus of the report.

// ---- A rule of consensus in words ----

/** The share in words. @param {number|string} share */
function shareWords(share) {
  return { union: "anyone", majority: "more than half" }[`${share}`] ??
    `at least ${Number((100 * Number(share)).toFixed(1))} %`;
}

/** @param {number} within */
const distanceWords = (within) => (within ? `within ${counted(within, "unit")}` : "at the same place");

// ---- The votes of the open document, and what the sliders make of them ----

const VOTES_HIGH = 40;

/** @param {State} state @param {Doc} doc */
function drawConsensusStrip(state, doc) {
  const people = peopleOf(doc);
  if (!people.length) {
    need("consensus-strip").replaceChildren();
    return;
  }
  const { atLeast, within } = state.rule;
  const votes = countVotes(people, atLeast, within);
  const needed = votesNeeded(atLeast, people.length);
  const kept = consensus(people, atLeast, within);
  const row = rowOf({ coder: "consensus", kind: "consensus", masses: massesOf(kept, doc.units) }, -1);
  /** @param {string} who @param {Element} drawn */
  const line = (who, drawn) => el("div", { class: "strip-row" }, el("span", { class: "who" }, who), drawn);
  const inside = el("div", {}, line("votes", votesLane(doc.units, votes, needed, people.length)),
    line("consensus", laneOf(doc, row, [["reference", kept]])), line("unit", ends(doc.units)));
  leadsTo(inside, doc.units, [...votes.kept.keys(), ...votes.left.keys()], (p) => goTo(state, p));
  need("consensus-strip").replaceChildren(
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

// ---- The live consensus: sliders, what they make of the open document, and of all as a file ----

const PRESETS = /** @type {[string, number|string][]} */ ([
  ["anyone", "union"], ["half", 0.5], ["more than half", "majority"], ["everyone", 1],
]);

/** The form. @param {State} state */
function drawConsensus(state) {
  const form = byId("consensus");
  if (!form) return;
  /** @param {Partial<State["rule"]>} part */
  const set = (part) => {
    Object.assign(state.rule, part);
    ruleChanged(state);
    writeSoon(state);
  };
  /** A slider below its words, which say its value. @param {string} id @param {number} least
   * @param {number} most @param {(value: number) => void} act */
  const slider = (id, least, most, act) => el("label", { class: "field" }, el("span", { id: `${id}-words` }),
    el("input", { type: "range", min: least, max: most, step: "1", id, input: (event) => act(Number(event.target.value)) }));
  form.replaceChildren(
    el("div", { class: "field" }, el("span", { id: "share-label" }, "Boundaries marked by at least"),
      el("span", { class: "presets", role: "group", "aria-labelledby": "share-label" },
        ...PRESETS.map(([label, atLeast]) => button(label, () => set({ atLeast }), { "data-rule": `${atLeast}` })))),
    slider("at-least", 1, 100, (value) => set({ atLeast: value / 100 })),
    slider("within", 0, FARTHEST, (value) => set({ within: value })),
    el("p", { class: "small" }, "Each boundary of a coder counts once, for the best supported place " +
      "within the distance. Two places of the consensus may therefore still be near each other: they " +
      "rest on different boundaries."),
    el("output", { id: "consensus-words", for: "at-least within", role: "status" }),
    el("div", { id: "consensus-strip", class: "strip" }),
    button("Download as JSON Lines", () => offerConsensus(state), { id: "download", class: "primary" }));
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  tellConsensus(state);
}

/** The documents that people coded. @param {State} state */
const codedBy = (state) => state.data.documents.filter((doc) => peopleOf(doc).length);

/** The open document at once; all of them when there is time. @param {State} state */
function tellConsensus(state) {
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
function showRule({ rule: { atLeast, within } }) {
  const share = { union: 1, majority: 51 }[`${atLeast}`] ?? Math.round(100 * Number(atLeast));
  /** @type {[string, number, string, string][]} */
  const sliders = [["at-least", share, shareWords(atLeast), `Share of coders: ${shareWords(atLeast)}`],
    ["within", within, distanceWords(within), `Allow a distance of ${counted(within, "unit")}`]];
  for (const [id, value, spoken, words] of sliders) {
    const made = /** @type {HTMLInputElement} */ (byId(id));
    made.value = `${value}`;
    made.setAttribute("aria-valuetext", spoken);
    need(`${id}-words`).textContent = words;
  }
  for (const one of document.querySelectorAll("[data-rule]")) {
    one.setAttribute("aria-pressed", `${one.getAttribute("data-rule") === `${atLeast}`}`);
  }
}

/** All documents as our JSON Lines: segscore reads it as it reads `segscore convert --consensus -o`.
 * @param {State} state */
function offerConsensus(state) {
  const rows = codedBy(state).map((doc) => ({
    document: doc.name, coder: "consensus", kind: "consensus",
    masses: massesOf(agreedOn(state, doc), doc.units),
    ...(doc.text ? { units: doc.text } : {}), ...(doc.group ? { group: doc.group } : {}),
  }));
  const { atLeast, within } = state.rule; // a name that says how it was made
  offerFile(`consensus-${atLeast}-within-${within}.jsonl`, jsonLines(rows), "application/jsonl");
}
