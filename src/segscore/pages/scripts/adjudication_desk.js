// The adjudication page as it is drawn: strip, text, panel and list.

// ---- The strip of a document: everyone's marks over its units, and the gold that comes of them ----

const LANE_HIGH = 20; // pixels

/** Everyone's marks, a row for each, and gold below. A click leads to the nearest place.
 * @param {State} state */
function adjudicationStrip(state) {
  const doc = state.open;
  const rows = doc.codings.map(({ masses }, i) => laneRow(doc, doc.coders[i], "", [["marks", positionsOf(masses)]]));
  const most = Math.max(0, ...doc.codings.map((one) => one.masses.length - 1));
  const made = stripBox(doc.units, [], [...rows, goldRow(state)], most);
  leadsTo(made, doc.units, marked(state, doc), (p) => goTo(state, p, "center"));
  return made;
}

/** @param {Doc} doc @param {string} who @param {string} waits @param {[string, number[]][]} kinds */
function laneRow(doc, who, waits, kinds) {
  const n = kinds[0][1].length;
  return stripLine(who, "", lane(`${visible(who)}${waits}: ${boundaries(n)}`, doc.units, LANE_HIGH, kinds, () => 0), n);
}

/** What is gold so far, and what waits. @param {State} state */
function goldRow(state) {
  const doc = state.open;
  const waits = openPlaces(state, doc).map((one) => one.at[one.most]);
  const row = laneRow(doc, "gold", waits.length ? ` (${counted(waits.length, "place")} open)` : "",
    [["reference", goldOf(state, doc)], ["waits", waits]]);
  row.id = "gold-row";
  return row;
}

// ---- The text of a document, unit by unit, with everyone's marks between them ----

/** The whole text. Without one, units between places are told by their numbers. @param {State} state */
function adjudicationText(state) {
  const doc = state.open;
  const made = textView(doc, gapsOf(state), (p) => between(state, p));
  made.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const gap = target.closest("[data-at]");
    if (gap && !target.closest("button")) goTo(state, Number(gap.getAttribute("data-at")), "nearest");
  });
  return made;
}

/** Where one can go: each gap between units, or what is marked, where there is no text. @param {State} state */
function gapsOf(state) {
  const doc = state.open;
  return doc.text ? doc.text.slice(1).map((_, i) => i + 1) : marked(state, doc);
}

/** Our words, in their own direction. @param {...(Node|string)} words */
const english = (...words) => el("bdi", { dir: "ltr" }, ...words);

/** Positions at which something stands. @param {State} state @param {Doc} doc */
function marked(state, doc) {
  return [...doc.places.flatMap((one) => one.at), ...workOf(state, doc).added].sort((a, b) => a - b);
}

/** What stands between two units. @param {State} state @param {number} p */
function between(state, p) {
  const place = placeAt(state, p);
  if (place) return alternative(state, place, p);
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
 * @param {Place} place @param {number} p */
function alternative(state, place, p) {
  const doc = state.open;
  const index = place.at.indexOf(p);
  const choice = decisionOf(state, doc, place);
  const look = choice === null ? "waits" : choice === p ? "chosen" : "not-chosen";
  const who = new Set(place.who[index]);
  const levels = levelsAt(doc, p);
  const rules = doc.coders.map((name, i) => el("span", { class: `rule ${who.has(i) ? "marks own" : "without"}` },
    sign(who.has(i) ? "marks" : "without"), " ", el("b", {}, named(name, 24)),
    unseen(who.has(i) ? " marks it" : " does not"),
    levels[i] ? el("span", { class: "level-given" }, ` level ${levels[i]}`) : null));
  const votes = `${who.size} of ${doc.coders.length}`;
  const words = decisionWords(state, place, p);
  return el("div", { class: `boundary alternative ${look}`, "data-at": p, id: `at-${p}`, tabindex: "-1",
    role: "group", "aria-label": `After unit ${p}: ${votes}, ${words}` },
  el("span", { class: "position" }, button(`${index + 1}`, () => decideAt(state, p, p), { class: "choose",
    "aria-pressed": `${choice === p}`, title: `after unit ${p}: choose it (${index + 1})`,
    "aria-label": `${index + 1}: choose after unit ${p}` }), el("span", { "aria-hidden": "true" }, english(votes))),
  el("div", {}, el("div", { class: "rules short" }, ...rules), ...remarks(doc, p),
    el("p", { class: "decided" }, english(words)), index ? null : commentOf(state, p)));
}

/** @param {State} state @param {number} p */
function addedBoundary(state, p) {
  const words = `added, nobody marks it${levelWords(state, p)}`;
  return el("div", { class: "boundary added chosen", "data-at": p, id: `at-${p}`, tabindex: "-1", role: "group",
    "aria-label": `After unit ${p}: ${words}` },
  el("span", { class: "position", "aria-hidden": "true" }, english(`0 of ${state.open.coders.length}`)),
  el("div", {}, el("p", { class: "decided" }, english(`■ gold: ${words}`)), ...remarks(state.open, p), commentOf(state, p)));
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
  return text ? el("p", { class: "comment", dir: "auto" }, text) : null;
}

/** What is decided of a place, as it concerns one of its positions. @param {State} state
 * @param {Place} place @param {number} p */
function decisionWords(state, place, p) {
  const choice = decisionOf(state, state.open, place);
  if (choice === null) return place.at.length > 1 ? `open: ${counted(place.at.length, "alternative")}` : "open";
  const rule = decidedBy(state, state.open, place) === "rule" ? ", by the rule" : "";
  if (choice === "drop") return `✕ dropped${rule}`;
  return choice === p ? `■ gold${rule}${levelWords(state, p)}` : `not here: after unit ${choice}${rule}`;
}

// ---- The panel in which a place is decided, and the list of documents ----

const USUAL_LEVELS = 6; // for as many there are keys

/** The panel about where one is. @param {State} state */
function panelOf(state) {
  const { at, open: doc } = state;
  const place = placeAt(state, at);
  if (at === null) return nothingChosen(state);
  const where = place ? `After ${place.at.length > 1 ? "units" : "unit"} ${placeName(place)}` : `After unit ${at}`;
  return [el("p", { class: "where", role: "status" }, el("b", {}, where), ` · ${howItStands(state, place, at)}`),
    el("div", { class: "choices", role: "group", "aria-label": "Decide" },
      ...(place ? placeButtons(state, place) : [addButton(state, at)]), levelMenu(state)),
    ...(place || workOf(state, doc).added.includes(at) ? [commentField(state, at)] : [])];
}

/** @param {State} state */
function nothingChosen(state) {
  const here = openPlaces(state, state.open).length;
  if (!progressOf(state).open) return [el("p", { class: "where" }, "Every place is decided. Export gold and the decisions.")];
  return [el("p", { class: "where" },
    `${here ? counted(here, "place") : "No place"} of this document ${here > 1 ? "wait" : "waits"} for you.`),
  el("div", { class: "choices" }, button("Go to the next open place (n)", () => walk(state, 1), { class: "primary" }))];
}

/** @param {State} state @param {Place|undefined} place @param {number} at */
function howItStands(state, place, at) {
  const doc = state.open;
  if (!place) return workOf(state, doc).added.includes(at) ? "added: nobody marks it" : "nobody marks it";
  const votes = place.who.reduce((sum, who) => sum + who.length, 0);
  const choice = decisionOf(state, doc, place);
  const said = choice === null ? "open" : choice === "drop" ? "dropped" : `gold after unit ${choice}`;
  const rule = decidedBy(state, doc, place) === "rule" ? " by the rule" : "";
  return `${votes} of ${counted(doc.coders.length, "coder")} · ${said}${rule}`;
}

/** @param {State} state @param {Place} place */
function placeButtons(state, place) {
  const choice = decisionOf(state, state.open, place);
  /** @param {string} key @param {(Node|string)[]} inside @param {number} p @param {Choice|"open"} wanted */
  const choose = (key, inside, p, wanted) => button([el("kbd", {}, key), " ", ...inside],
    once(() => decideAt(state, p, wanted)), // once: the panel has grown, and another button is there
    { "aria-pressed": wanted === "open" ? null : `${choice === wanted}` });
  const found = place.at.map((p, i) => choose(i < 9 ? `${i + 1}` : "·", [`after unit ${p}: `,
    el("span", { class: "names" }, ...place.who[i].flatMap((n, j) => [j ? ", " : "", named(state.open.coders[n], 24)]))], p, p));
  const here = state.at ?? place.at[0];
  found.push(choose("x", ["drop"], here, "drop"));
  if (choice !== null) found.push(choose("0", ["leave it open"], here, "open"));
  return found;
}

/** @param {State} state @param {number} at */
function addButton(state, at) {
  const there = workOf(state, state.open).added.includes(at);
  return button([el("kbd", {}, "a"), there ? " take the added boundary away" : " add a boundary here"],
    once(() => addHere(state)), { "aria-pressed": `${there}` });
}

/** The boundary of gold where one is, if there is one: that of the place, or an added one.
 * @param {State} state @returns {number|null} */
function goldHere(state) {
  const place = placeAt(state, state.at);
  const p = place ? decisionOf(state, state.open, place) : state.at;
  return typeof p === "number" && isGold(state, state.open, p) ? p : null;
}

/** The level of the boundary of gold where one is. @param {State} state */
function levelMenu(state) {
  const [doc, p] = [state.open, goldHere(state)];
  const now = p === null ? undefined : goldLevel(state, doc, p);
  if (p === null || now === undefined) return null;
  const most = Math.max(USUAL_LEVELS, now, ...doc.codings.flatMap((one) => one.ranks ?? []));
  /** @type {[string, string][]} */
  const options = Array.from({ length: most }, (_, i) => [`${i + 1}`, `${i + 1}${i + 1 === ruledLevel(doc, p) ? " (rule)" : ""}`]);
  const box = menu("level", options, `${now}`, (value) => levelHere(state, Number(value)));
  box.title = "Shift 1 … 6";
  return el("label", { class: "level-of" }, "level ", box);
}

/** @param {State} state @param {number} at */
function commentField(state, at) {
  const box = el("textarea", { id: "comment", rows: "1", dir: "auto", maxlength: LONGEST_COMMENT,
    "aria-label": "Comment on this place", placeholder: "Comment (c)",
    input: () => comment(state, box.value, false), blur: () => comment(state, box.value, true),
    keydown: (event) => { if (event.key === "Escape") box.blur(); } });
  box.value = commentAt(state, at);
  return box;
}

/** What a person did, in words. @param {Work} work */
function workWords({ decisions, added, levels, comments }) {
  const number = (/** @type {object} */ one) => Object.keys(one).length;
  return [number(decisions) && counted(number(decisions), "decision"), added.length && `${added.length} added`,
    number(levels) && counted(number(levels), "level"), number(comments) && counted(number(comments), "comment")]
    .filter(Boolean).join(", ") || "nothing";
}

/** The entry of a document in the list, with what waits in it. @param {State} state @param {Doc} doc */
function listEntry(state, doc) {
  const waits = openPlaces(state, doc).length;
  return button([el("span", { class: "name" }, named(doc.name, 40)),
    el("span", { class: "state" }, waits ? `${waits} of ${doc.places.length} open` : "✓ decided")],
  () => openDocument(state, doc, null),
  { "aria-current": doc === state.open ? "true" : null, class: waits ? "" : "done" });
}

/** How far one is, over all documents. @param {State} state */
function progressOf(state) {
  const { documents } = state.data;
  const all = documents.reduce((sum, doc) => sum + doc.places.length, 0);
  const waits = documents.map((doc) => openPlaces(state, doc).length);
  const open = waits.reduce((sum, n) => sum + n, 0);
  return { all, open, words: `${(all - open).toLocaleString("en")} of ${counted(all, "place")} decided, ` +
    `${waits.filter((n) => !n).length} of ${counted(documents.length, "document")} complete` };
}
