// The open document of the report: its strip, its text, the places to which one goes; print.

// ---- The row of a strip for a coding whose boundaries may be ranked ----

/** The boundaries of a row: lines with their signs; ranked boundaries as nested bars.
 * @param {{units: number, codings: Coding[]}} doc @param {Row} row
 * @param {[string, number[]][]} kinds */
function laneOf(doc, row, kinds) {
  const ranks = ranked(doc) ? row.coding.ranks ?? [] : [];
  const levels = Math.min(6, Math.max(0, ...ranks));
  const high = levels ? 8 + 6 * levels : 20;
  /** Where the mark of a boundary begins: the less prominent, the lower. @param {number} p */
  const top = (p) => (levels ? ((Math.min(ranks[row.positions.indexOf(p)] ?? 1, levels) - 1) * high) / levels : 0);
  const bars = Array.from({ length: levels }, (_, level) => {
    const edges = [0, ...row.positions.filter((_, i) => ranks[i] <= level + 1), doc.units];
    const y = ((level + 0.5) * high) / levels;
    return svg("path", { d: edges.slice(1).map((end, i) => `M${edges[i]} ${y}H${end}`).join(""), class: "level" });
  });
  return lane(`${visible(row.coding.coder)}: ${boundaries(row.positions.length)}`, doc.units, high, kinds, top, bars);
}

// ---- The strip: everyone's boundaries over the units, with their counts; and its legend ----

/** @typedef {{units: number, codings: Coding[]}} Coded */

/** A table that stays in sight: a row for the reference, if there is one, and for each one shown.
 * @param {Coded} doc @param {Row|null} reference @param {Shown[]} shown
 * @param {(p: number) => void} goTo where a click leads */
function strip(doc, reference, shown, goTo) {
  const kinds = reference ? kindsOf(shown) : [];
  /** @param {Row} row @param {string} look @param {[string, number[]][]} marks @param {string[]} counts */
  const line = (row, look, marks, counts) =>
    stripLine(row.coding.coder, look, laneOf(doc, row, marks), row.positions.length, counts);
  const lines = shown.map(({ row, judged }) => line(row, row.coding.kind, marksByStatus({ row, judged }),
    kinds.map((one) => `${judged?.counts[one] ?? 0}`)));
  if (reference) lines.unshift(line(reference, "is-reference", [["reference", reference.positions]], kinds.map(() => "")));
  const rows = [...(reference ? [reference] : []), ...shown.map((one) => one.row)];
  const most = Math.max(0, ...rows.map((row) => row.positions.length));
  const made = stripBox(doc.units, kinds, lines, most, reference ? " counts judged" : " counts");
  leadsTo(made, doc.units, rows.flatMap((row) => row.positions), goTo);
  return made;
}

/** What a row has where, by what it is. @param {Shown} one @returns {[string, number[]][]} */
function marksByStatus({ row, judged }) {
  if (!judged) return [["marks", row.positions]];
  const found = [...judged.at].map(([p, verdicts]) => ({ p, status: worst(verdicts) }))
    .filter(({ p, status }) => status !== "near" || row.has.has(p)); // drawn where the row has it
  return JUDGED.map((kind) => [kind, found.filter((one) => one.status === kind).map((one) => one.p)]);
}

/** Which kinds of boundaries there are to tell apart. @param {Shown[]} shown */
function kindsOf(shown) {
  const typed = shown.some((one) => one.judged?.counts.differs);
  return JUDGED.filter((one) => one !== "differs" || typed);
}

/** What signs and columns mean; each sign is drawn as in the strip. @param {boolean} judged
 * @param {Shown[]} shown @param {number} near n_t: one more than the units that a near miss is off */
function legend(judged, shown, near) {
  const kinds = judged ? ["reference", ...kindsOf(shown)] : ["marks", "without"];
  return el("ul", { class: `legend${judged ? " judged" : ""}`, "aria-label": "Legend" },
    ...kinds.map((one) => el("li", {}, one === "without" ? sign(one) : swatch(one), ` ${STATUS[one][1]}`,
      one === "near" ? ` (${near > 2 ? "up to " : ""}${counted(near - 1, "unit")} off)` : "")),
    el("li", { class: "all" }, el("b", {}, "all"), " boundaries of the row"));
}

// ---- What everyone has between two units: a rule for each, in words and signs ----

/**
 * @param {number} p @param {{codings: Coding[]}} doc @param {Row|null} reference
 * @param {Shown[]} shown @param {number|null} seconds how long a unit is, if it has a duration
 * @param {boolean} printed whether it is for paper, where it is no place to go to
 */
function boundaryView(p, doc, reference, shown, seconds, printed) {
  const level = ranked(doc);
  const rules = shown.map((one) => ruleOf(one, p, level));
  if (reference) {
    const here = reference.has.has(p);
    rules.unshift(rule(reference, here ? "reference" : "nothing",
      here ? labelsAt(reference, p, level) || "boundary" : "", p));
  }
  const votes = shown.filter((one) => one.row.has.has(p)).length;
  const time = seconds ? timecode(p * seconds) : "";
  const heading = `after unit ${p.toLocaleString("en")}${time && ` ${time}`}` +
    (reference ? "" : `: ${votes} of ${shown.length}`);
  const beside = reference ? time : `${votes} of ${shown.length}`;
  const fine = agreed(p, reference, shown) ? "agreed" : "disputed";
  return el("div", { class: `boundary ${fine}`, "data-at": p, id: printed ? null : `at-${p}`,
    tabindex: printed ? null : "-1", role: "group", "aria-label": `Boundary ${heading}` },
  el("span", { class: "position", "aria-hidden": "true" }, beside),
  el("div", { class: reference ? "rules" : "rules short" }, ...rules));
}

/** @param {Shown} one @param {number} p @param {boolean} level whether ranks matter */
function ruleOf({ row, judged }, p, level) {
  if (!judged) {
    const marks = row.has.has(p);
    const types = typesAt(row, p).filter((one) => one !== "").map(visible).join(", ");
    const said = marks ? [types, labelsAt(row, p, level)].filter(Boolean).join(", ") : "";
    const status = marks ? "marks" : "without";
    return rule(row, status, said || STATUS[status][1], p, said !== "");
  }
  const verdicts = judged.at.get(p);
  if (!verdicts) return rule(row, "nothing", "", p);
  const words = verdicts.map((one) => one.words).join("; ");
  return rule(row, worst(verdicts), [words, labelsAt(row, p, level)].filter(Boolean).join(", "), p);
}

/** @param {Row} row @param {string} status @param {string} words @param {number} p
 * @param {boolean} [said] whether the words say more than the sign */
function rule(row, status, words, p, said = false) {
  if (status === "nothing") return el("span", { class: "rule nothing", "aria-hidden": "true" });
  const own = row.has.has(p) ? " own" : "";
  return el("span", { class: `rule ${status}${own}` }, sign(status), " ",
    el("b", {}, named(row.coding.coder, 24)), " ", el("span", { class: said ? "what said" : "what" }, words));
}

/** The rank of a boundary, if ranks matter, and what the coder calls the segment that begins here.
 * @param {Row} row @param {number} p @param {boolean} level */
function labelsAt({ coding, positions, has }, p, level) {
  if (!has.has(p)) return "";
  const index = positions.indexOf(p);
  const labels = coding.labels?.[index + 1];
  return [coding.ranks && level ? `rank ${coding.ranks[index]}` : "",
    labels?.length ? `“${labels.map(visible).join(", ")}”` : ""].filter(Boolean).join(", ");
}

// ---- One document of the report: its head with the strip, what was measured, and its text ----

/** @param {State} state @param {Doc} doc @param {boolean} printed whether it is for paper */
function documentView(state, doc, printed) {
  const { data, hidden } = state;
  const rows = doc.codings.map(rowOf);
  const { candidates, chosen } = referenceOf(state, doc, rows);
  /** @type {Shown[]} */
  const shown = rows
    .filter((row) => row !== chosen && row.coding.kind !== "consensus" && !hidden.has(row.coding.coder))
    .map((row) => ({ row, judged: chosen && judge(chosen, row, editsOf(doc, chosen, row)) }));
  const marked = new Set([...(chosen?.positions ?? []), ...shown.flatMap((one) => one.row.positions)]);
  const places = [...marked].sort((a, b) => a - b);
  const stops = stopsOf(doc, places, chosen, shown);
  const parts = [
    el("div", { class: "head" },
      el("div", { class: "document-bar" }, el("h3", {}, named(doc.name, 120)), printed ? null : walkingBar(state, stops, chosen, shown)),
      strip(doc, chosen, shown, (p) => goTo(state, p))),
    legend(chosen !== null, shown, data.near),
    factsLine(state, doc, chosen),
    ...(chosen ? valuesTable(state, doc, shown) : []),
    textView(doc, places, (p) => boundaryView(p, doc, chosen, shown, data.seconds, printed)),
  ];
  return { parts, candidates, reference: chosen, stops };
}

/** @param {Doc} doc @param {Row} reference @param {Row} row @returns {Edits} */
function editsOf(doc, reference, row) {
  if (reference.index < 0) return adjacentEdits(reference, row); // the slider's: Python has not seen it
  const [, , near, differs] = doc.edits?.find(([i, j]) => i === reference.index && j === row.index) ?? [0, 0, [], []];
  return { near, differs };
}

/** The reference: the one chosen if the document has it, else its own. @param {State} state
 * @param {Doc} doc @param {Row[]} rows */
function referenceOf(state, doc, rows) {
  const candidates = rows.filter((row) => row.coding.kind !== "system");
  if (state.data.near === 2 && byId("consensus") && peopleOf(doc).length > 1) {
    candidates.push(rowOf({ coder: SLIDER, kind: "consensus", masses: massesOf(agreedOn(state, doc), doc.units) }, -1));
  }
  const called = (/** @type {string|null|undefined} */ name) => candidates.find((row) => row.coding.coder === name) ?? null;
  const nobody = state.reference === EVERYONE && !called(EVERYONE);
  return { candidates, chosen: nobody ? null : called(state.reference) ?? called(doc.reference) };
}

/** What to call a reference: a consensus says how it is made. @param {State} state
 * @param {Row} row */
function referenceWords(state, row) {
  const name = row.coding.coder;
  if (row.index < 0) return sliderWords(state);
  if (row.coding.kind !== "consensus") return name;
  const [, share, within] = name.split(":");
  return `${name} (${shareWords(share ?? state.rule.atLeast)}, ${distanceWords(Number(within ?? 0))})`;
}

/** @param {State} state */
function sliderWords({ rule }) {
  return `consensus by the sliders: ${shareWords(rule.atLeast)}, ${distanceWords(rule.within)}`;
}

/** @param {State} state @param {Doc} doc @param {Row|null} reference */
function factsLine(state, doc, reference) {
  const against = reference ? `compared with ${visible(referenceWords(state, reference))}, ` +
    `${boundaries(reference.positions.length)}` : "everyone side by side";
  const group = doc.group ? [`group ${visible(doc.group)}`] : [];
  return el("p", { class: "small facts-line" }, [counted(doc.units, "unit"), ...group, against].join(" · "));
}

/** What each metric says of the document; nothing where no row is a system. @param {State} state
 * @param {Doc} doc @param {Shown[]} shown */
function valuesTable({ data }, doc, shown) {
  const systems = shown.filter((one) => data.systems.includes(one.row.coding.coder));
  if (!systems.length) return [];
  const head = el("tr", {}, el("th", { scope: "col" }, "system"),
    ...data.metrics.map((one) => el("th", { scope: "col", class: "num", title: one.words || null },
      named(one.name, 18), one.higher ? "\u00a0↑" : "\u00a0↓")));
  const lines = systems.map(({ row }) => {
    const i = data.systems.indexOf(row.coding.coder);
    return el("tr", {}, el("th", { scope: "row" }, named(row.coding.coder, 36)),
      ...data.metrics.map((_, m) => el("td", { class: "num" }, number(doc.values?.[m]?.[i]))));
  });
  return [el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Values" },
    el("table", { class: "values" }, el("thead", {}, head), el("tbody", {}, ...lines)))];
}

// ---- From one place of the open document to the next ----

/** Buttons, and which places they stop at. @param {State} state @param {Stops} found
 * @param {Row|null} reference @param {Shown[]} shown */
function walkingBar(state, found, reference, shown) {
  const words = stopWords(reference, shown);
  const options = STOPS.filter((one) => found[one]).map((one) =>
    /** @type {[string, string]} */ ([one, words[one](found[one].length)]));
  const box = menu("stops", options, stopKind(state, found), (value) => {
    state.stop = value;
    tellPlace(state);
  });
  box.setAttribute("aria-label", "Stop at");
  return el("div", { class: "walk" }, box,
    button(["‹", el("span", {}, " previous")], () => walk(state, -1), { title: "previous place (p)" }),
    el("span", { id: "walked", role: "status" }),
    button([el("span", {}, "next "), "›"], () => walk(state, 1), { title: "next place (n)" }));
}

/** What to call so many places of a kind. @param {Row|null} reference @param {Shown[]} shown
 * @returns {Record<string, (n: number) => string>} */
function stopWords(reference, shown) {
  const kinds = new Set(shown.map((one) => one.row.coding.kind));
  const rows = kinds.size > 1 ? "rows" : kinds.has("system") ? "systems" : "people";
  return {
    disagreements: (n) => counted(n, reference ? "disagreement" : "contested place"),
    differ: (n) => `${counted(n, "place")} where ${rows} differ`,
    all: (n) => `all ${boundaries(n)}`,
  };
}

/** What to stop at, where the document has such places to speak of. @param {State} state
 * @param {Stops} found */
const stopKind = (state, found) => (found[state.stop] ? state.stop : STOPS[0]);

/** @param {State} state */
const stopsNow = (state) => state.stops[stopKind(state, state.stops)] ?? [];

/** @param {State} state @param {number} step */
function walk(state, step) {
  const now = state.at ?? (step > 0 ? 0 : Infinity);
  const stops = stopsNow(state);
  const next = step > 0 ? stops.find((p) => p > now) : stops.findLast((p) => p < now);
  if (next !== undefined) goTo(state, next);
}

/** @param {State} state @param {number} p @param {boolean} [focus] */
function goTo(state, p, focus = true) {
  state.at = p;
  writeAddress(state);
  state.article.querySelector(".here")?.classList.remove("here");
  const place = byId(`at-${p}`);
  place?.classList.add("here");
  if (focus) place?.focus({ preventScroll: true });
  place?.scrollIntoView({ block: "center" });
  tellPlace(state);
}

/** Say where one is. @param {State} state */
function tellPlace(state) {
  const said = byId("walked");
  if (!said) return;
  const places = stopsNow(state);
  const index = state.at === null ? -1 : places.indexOf(state.at);
  said.textContent = index >= 0 ? `${index + 1} of ${places.length}`
    : places.length ? counted(places.length, "place") : "no place";
  showNow(state.article, state.at, openOne(state)?.units ?? 1);
}

// ---- The open document: drawn, marked in the list, and brought into sight ----

/** @param {State} state @param {string} name @param {boolean} [scroll] */
function openDocument(state, name, scroll = true) {
  state.document = name;
  state.at = null;
  writeAddress(state, true);
  markOpen(state);
  drawDocument(state);
  if (scroll) toHead(state);
}

/** Mark the open document in the list. @param {State} state */
function markOpen({ list, document: name }) {
  list.body.querySelector("[aria-current]")?.removeAttribute("aria-current");
  list.body.children[list.held.findIndex((doc) => doc.name === name)]?.setAttribute("aria-current", "true");
}

/** Show the head of the open document, unless it is well in sight. @param {State} state */
function toHead({ article }) {
  const top = article.getBoundingClientRect().top;
  const covered = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  if (top < covered - 1 || top > 0.5 * window.innerHeight) article.scrollIntoView({ block: "start" });
}

/** @param {State} state */
function drawDocument(state) {
  const doc = openOne(state);
  if (!doc) {
    state.article.replaceChildren(el("p", { class: "empty" }, "Choose a document in the list."));
    return;
  }
  const { parts, candidates, reference, stops } = documentView(state, doc, false);
  state.article.replaceChildren(...parts);
  state.stops = stops;
  const box = /** @type {HTMLSelectElement} */ (byId("reference"));
  /** @type {[string, string][]} */
  const options = candidates.map((row) => [row.coding.coder, referenceWords(state, row)]);
  fillMenu(box, [[EVERYONE, "no one: everyone side by side"], ...options], reference?.coding.coder ?? EVERYONE);
  markAbsent(doc);
  measureHead(state);
  if (state.at !== null) goTo(state, state.at, false);
  else tellPlace(state);
  tellConsensus(state);
}

/** Mark names that have no row in the open document. @param {Doc} doc */
function markAbsent(doc) {
  const here = new Set(doc.codings.map((one) => one.coder));
  for (const label of document.querySelectorAll("[data-row]")) {
    label.classList.toggle("absent", !here.has(label.getAttribute("data-row") ?? ""));
  }
}

/** Places to jump to keep clear of the head, which stays in sight. @param {State} state */
function measureHead({ article }) {
  const head = article.querySelector(".head");
  const covers = head && getComputedStyle(head).position === "sticky";
  document.documentElement.style.setProperty("--covered", `${covers ? head.clientHeight : 0}px`);
}

/** The rule of the sliders has changed: so have the strip, the words and, if it is the reference, the
 * text. @param {State} state */
function ruleChanged(state) {
  if (state.reference === SLIDER) {
    drawDocument(state);
    return;
  }
  tellConsensus(state);
  for (const option of document.querySelectorAll("#reference option")) {
    if (/** @type {HTMLOptionElement} */ (option).value === SLIDER) option.textContent = sliderWords(state);
  }
}

// ---- Print: the documents that were chosen, or the open one, with all their text ----

/** @param {State} state */
function printChosen(state) {
  const box = need("print");
  /** What was shut before. @type {Element[]} */
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const one of opened) one.setAttribute("open", "");
    const chosen = state.data.documents.filter((doc) =>
      (state.toPrint.size ? state.toPrint.has(doc.name) : doc === openOne(state)));
    box.replaceChildren(...chosen.map((doc) => el("article", {}, ...documentView(state, doc, true).parts)));
    box.hidden = false;
  });
  window.addEventListener("afterprint", () => {
    for (const one of opened) one.removeAttribute("open");
    box.replaceChildren();
    box.hidden = true;
  });
}
