// The adjudication page as it is drawn: strip, text, panel and list.

// ---- The strip of a document: everyone's marks over its units, and the gold that comes of them ----

const LANE_HIGH = 20; // pixels

/** Everyone's marks, a row for each, and gold below. A click leads to the nearest place.
 * @param {State} state @param {(p: number) => void} goTo */
function adjudicationStrip(state, goTo) {
  const doc = state.open;
  const rows = doc.codings.map((one, i) => stripRow(named(doc.coders[i], 22), visible(doc.coders[i]),
    doc, [["marks", positionsOf(one.masses)]]));
  const most = Math.max(0, ...doc.codings.map((one) => one.masses.length - 1));
  const made = stripBox(doc.units, [], [...rows, goldRow(state)], most);
  leadsTo(made, doc.units, [...doc.places.flatMap((one) => one.at), ...workOf(state, doc).added], goTo);
  return made;
}

/** @param {Node|string} name @param {string} label @param {Doc} doc @param {[string, number[]][]} kinds */
function stripRow(name, label, doc, kinds) {
  const n = kinds.reduce((sum, [kind, positions]) => sum + (kind === "waits" ? 0 : positions.length), 0);
  return el("tr", {}, el("th", { scope: "row", class: "who", title: label }, name),
    el("td", {}, lane(`${label}: ${boundaries(n)}`, doc.units, LANE_HIGH, kinds, () => 0)),
    el("td", { class: "num" }, n.toLocaleString("en")));
}

/** What is gold so far, and what waits. @param {State} state */
function goldRow(state) {
  const doc = state.open;
  const waits = doc.places.filter((one) => decisionOf(state, doc, one) === null).map((one) => one.at[one.most]);
  const words = waits.length ? `gold (${counted(waits.length, "place")} open)` : "gold";
  const row = stripRow(el("b", {}, "gold"), words, doc, [["waits", waits], ["reference", goldOf(state, doc)]]);
  row.id = "gold-row";
  return row;
}

// ---- The text of a document, unit by unit, with everyone's marks between them ----

const UNITS_TOGETHER = 100; // a browser lays out only the parts that are in view

/** The whole text. Without one, units between places are told by their numbers.
 * @param {State} state @param {{choose: (p: number) => void, goTo: (p: number) => void}} acts */
function adjudicationText(state, acts) {
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
function marked(state, doc) {
  return [...doc.places.flatMap((one) => one.at), ...workOf(state, doc).added].sort((a, b) => a - b);
}

/** What stands between two units. @param {State} state @param {number} p
 * @param {{choose: (p: number) => void}} acts */
function between(state, p, acts) {
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
function decisionWords(state, place, p) {
  const choice = decisionOf(state, state.open, place);
  if (choice === null) return place.at.length > 1 ? `open: ${counted(place.at.length, "alternative")}` : "open";
  const rule = decidedBy(state, state.open, place) === "rule" ? ", by the rule" : "";
  if (choice === "drop") return `✕ dropped${rule}`;
  return choice === p ? `■ gold${rule}${levelWords(state, p)}` : `not here: after unit ${choice}${rule}`;
}

// ---- The panel in which a place is decided, and the list of documents ----

const USUAL_LEVELS = 6; // for as many there are keys

/**
 * @typedef {{choose: (p: number) => void, drop: () => void, reopen: () => void, add: () => void,
 *   comment: (text: string, done: boolean) => void, walk: (step: number) => void,
 *   level: (level: number) => void,
 *   open: (doc: Doc) => void}} Acts
 */

/** The panel about where one is. @param {State} state @param {Acts} acts */
function panelOf(state, acts) {
  const { at, open: doc } = state;
  const place = placeAt(state, at);
  if (at === null) return nothingChosen(state, acts);
  const where = place ? `After ${place.at.length > 1 ? "units" : "unit"} ${placeName(place)}` : `After unit ${at}`;
  return [el("p", { class: "where", role: "status" }, el("b", {}, where), ` · ${howItStands(state, place, at)}`),
    el("div", { class: "choices", role: "group", "aria-label": "Decide" },
      ...(place ? placeButtons(state, place, acts) : [addButton(state, at, acts)]), ...levelMenu(state, acts)),
    ...(place || workOf(state, doc).added.includes(at) ? [commentField(state, at, acts)] : [])];
}

/** @param {State} state @param {Acts} acts */
function nothingChosen(state, acts) {
  const here = openPlaces(state, state.open).length;
  const all = state.data.documents.reduce((sum, doc) => sum + openPlaces(state, doc).length, 0);
  if (!all) return [el("p", { class: "where" }, "Every place is decided. Export gold and the decisions.")];
  const go = el("button", { type: "button", class: "primary" }, "Go to the next open place (n)");
  go.addEventListener("click", () => acts.walk(1));
  const words = `${here ? counted(here, "place") : "No place"} of this document ${here > 1 ? "wait" : "waits"} for you.`;
  return [el("p", { class: "where" }, words), el("div", { class: "choices" }, go)];
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

/** @param {State} state @param {Place} place @param {Acts} acts */
function placeButtons(state, place, acts) {
  const choice = decisionOf(state, state.open, place);
  /** @param {string} key @param {(Node|string)[]} inside @param {boolean|null} pressed @param {() => void} act */
  const button = (key, inside, pressed, act) => {
    const made = el("button", { type: "button", "aria-pressed": pressed === null ? null : `${pressed}` },
      el("kbd", {}, key), " ", ...inside);
    made.addEventListener("click", once(act)); // the panel has grown, and another button is there
    return made;
  };
  const found = place.at.map((p, i) => button(i < 9 ? `${i + 1}` : "·",
    [`after unit ${p}: `, el("span", { class: "names" }, ...place.who[i].flatMap((n, j) =>
      [...(j ? [", "] : []), named(state.open.coders[n], 24)]))], choice === p, () => acts.choose(p)));
  found.push(button("x", ["drop"], choice === "drop", acts.drop));
  if (choice !== null) found.push(button("0", ["leave it open"], null, acts.reopen));
  return found;
}

/** @param {State} state @param {number} at @param {Acts} acts */
function addButton(state, at, acts) {
  const there = workOf(state, state.open).added.includes(at);
  const made = el("button", { type: "button", "aria-pressed": `${there}` }, el("kbd", {}, "a"),
    there ? " take the added boundary away" : " add a boundary here");
  made.addEventListener("click", once(acts.add));
  return made;
}

/** The boundary of gold where one is, if there is one: that of the place, or an added one.
 * @param {State} state @returns {number|null} */
function goldHere(state) {
  const place = placeAt(state, state.at);
  const p = place ? decisionOf(state, state.open, place) : state.at;
  return typeof p === "number" && isGold(state, state.open, p) ? p : null;
}

/** The level of the boundary of gold where one is. @param {State} state @param {Acts} acts */
function levelMenu(state, acts) {
  const [doc, p] = [state.open, goldHere(state)];
  const now = p === null ? undefined : goldLevel(state, doc, p);
  if (p === null || now === undefined) return [];
  const most = Math.max(USUAL_LEVELS, now, ...doc.codings.flatMap((one) => one.ranks ?? []));
  const ruled = ruledLevel(doc, p);
  /** @type {[string, string][]} */
  const options = Array.from({ length: most }, (_, i) => [`${i + 1}`, `${i + 1}${i + 1 === ruled ? " (rule)" : ""}`]);
  const box = menu(options, `${now}`, (value) => acts.level(Number(value)));
  box.id = "level";
  box.title = "Shift 1 … 6";
  return [el("label", { class: "level-of" }, "level ", box)];
}

/** @param {State} state @param {number} at @param {Acts} acts */
function commentField(state, at, acts) {
  const box = /** @type {HTMLTextAreaElement} */ (el("textarea", { id: "comment", rows: "1", dir: "auto", maxlength: LONGEST_COMMENT,
    "aria-label": "Comment on this place", placeholder: "Comment (c)" }));
  box.value = commentAt(state, at);
  box.addEventListener("input", () => acts.comment(box.value, false));
  box.addEventListener("blur", () => acts.comment(box.value, true));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") box.blur();
  });
  return box;
}

/** What a person did, in words. @param {Work} work */
function workWords(work) {
  const [decisions, levels, comments] = [work.decisions, work.levels, work.comments].map((one) => Object.keys(one).length);
  return [decisions ? counted(decisions, "decision") : "", work.added.length ? `${work.added.length} added` : "",
    levels ? counted(levels, "level") : "", comments ? counted(comments, "comment") : ""].filter(Boolean).join(", ") || "nothing";
}

/** The list of documents, with what waits in each. @param {State} state @param {Acts} acts */
function documentList(state, acts) {
  return el("ol", { class: "document-list" }, ...state.data.documents.map((doc) =>
    el("li", { "data-key": doc.key }, listButton(state, doc, acts))));
}

/** @param {State} state @param {Doc} doc @param {Acts} acts */
function listButton(state, doc, acts) {
  const waits = openPlaces(state, doc).length;
  const made = el("button", { type: "button", "aria-current": doc === state.open ? "true" : null,
    class: waits ? "" : "done" }, el("span", { class: "name" }, named(doc.name, 40)),
  el("span", { class: "state" }, waits ? `${waits} of ${doc.places.length} open` : "✓ decided"));
  made.addEventListener("click", () => acts.open(doc));
  return made;
}

/** How far one is, over all documents. @param {State} state */
function progressWords(state) {
  const all = state.data.documents.reduce((sum, doc) => sum + doc.places.length, 0);
  const waits = state.data.documents.map((doc) => openPlaces(state, doc).length);
  const open = waits.reduce((sum, n) => sum + n, 0);
  const done = waits.filter((n) => !n).length;
  return { all, open, words: `${(all - open).toLocaleString("en")} of ${counted(all, "place")} decided, ` +
    `${done} of ${counted(state.data.documents.length, "document")} complete` };
}
