// The live consensus of the report.

// ---- A rule of consensus in words ----

/** The share in words. @param {number|string} share */
function shareWords(share) {
  return { union: "anyone", majority: "more than half" }[`${share}`] ??
    `at least ${Number((100 * Number(share)).toFixed(1))} %`;
}

/** @param {number} within */
const distanceWords = (within) => (within ? `within ${counted(within, "unit")}` : "at the same place");

/** consensus-50-percent.jsonl: a name that says how it was made.
 * @param {{atLeast: number|string, within: number}} rule */
function consensusFileName({ atLeast, within }) {
  const share = { union: "anyone", majority: "more-than-half" }[`${atLeast}`] ??
    `${Math.round(100 * Number(atLeast))}-percent`;
  return `consensus-${share}${within ? `-within-${within}` : ""}.jsonl`;
}

// ---- The votes of the open document, and what the sliders make of them ----

const VOTES_HIGH = 40;

/** @param {State} state @param {Doc} doc */
function drawConsensusStrip(state, doc) {
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

// ---- The live consensus: sliders, what they make of the open document, and of all as a file ----

const MOST_CHOICES = 500; // documents in a menu
const PRESETS = /** @type {[string, number|string][]} */ ([
  ["anyone", "union"], ["half", 0.5], ["more than half", "majority"], ["everyone", 1],
]);

/** The form. @param {State} state @param {() => void} changed when the rule is another one
 * @param {(name: string) => void} open */
function drawConsensus(state, changed, open) {
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
