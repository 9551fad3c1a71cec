// Boundaries: as positions, as signs, as lines over the units, and against a reference.

// ---- Segmentations as masses (the sizes of segments) and as positions ("after unit p") ----

/** Positions from masses. @param {number[]} masses */
function positionsOf(masses) {
  const found = [];
  let end = 0;
  for (let i = 0; i < masses.length - 1; i += 1) found.push((end += masses[i]));
  return found;
}

/** @param {number[]} positions @param {number} units */
function massesOf(positions, units) {
  const ends = [...positions, units];
  return ends.map((end, i) => end - (i ? ends[i - 1] : 0));
}

// ---- The kinds of boundaries, and how each is shown: by a sign and a word, never by colour alone ----

/** What a boundary can be: sign and word. The style sheet has a colour and a line for each. */
const STATUS = /** @type {Record<string, [string, string]>} */ ({
  match: ["●", "match"],
  near: ["◐", "near miss"],
  missed: ["○", "missed"],
  extra: ["✚", "extra"],
  differs: ["≠", "type differs"],
  marks: ["●", "marks it"],
  without: ["·", "does not"],
  reference: ["■", "reference"],
  waits: ["?", "not decided"],
});
const JUDGED = ["match", "near", "missed", "extra", "differs"];

/** @param {string} status */
function sign(status) {
  return el("span", { class: `sign ${status}`, "aria-hidden": "true" }, STATUS[status][0]);
}

// ---- One row of a strip: boundaries over the units of a document, with lines and signs ----

/** Marks over units: a line and a sign for each. Lines are stretched with the picture; signs keep
 * their shape, so they stand at shares of its width. @param {string} label @param {number} units
 * @param {number} high @param {[string, number[]][]} kinds positions by status
 * @param {(p: number) => number} top @param {SVGElement[]} [behind] */
function lane(label, units, high, kinds, top, behind = []) {
  const all = Math.max(units, 1);
  const lines = kinds.map(([status, positions]) => svg("path", { class: `mark ${status}`,
    d: positions.map((p) => (status === "missed" // a line with a hole, where nothing stands
      ? `M${p} ${top(p)}V${0.22 * high}M${p} ${0.78 * high}V${high}`
      : `M${p} ${top(p)}V${high}`)).join("") }));
  const signs = kinds.filter(([, positions]) => positions.length).map(([status, positions]) => {
    const made = svg("text", { class: `sign ${status}`,
      x: positions.map((p) => `${Number(((100 * p) / all).toFixed(3))}%`).join(" "),
      y: positions.map((p) => Math.min((top(p) + high) / 2, high - 7)).join(" ") }); // whole
    made.textContent = STATUS[status][0].repeat(positions.length);
    return made;
  });
  return svg("svg", { class: "lane", height: high, role: "img", "aria-label": label },
    svg("svg", { class: "stretched", viewBox: `0 0 ${all} ${high}`, preserveAspectRatio: "none",
      width: "100%", height: high }, ...behind, ...lines), ...signs);
}

/** One mark as the strip draws it. @param {string} status */
function swatch(status) {
  const made = lane(STATUS[status][1], 2, 20, [[status, [1]]], () => 0);
  made.setAttribute("class", "lane swatch");
  made.setAttribute("aria-hidden", "true");
  return made;
}

/** The first and the last unit of a strip. @param {number} units */
function ends(units) {
  return el("span", { class: "ends", "aria-hidden": "true" }, el("span", {}, "1"),
    el("span", {}, units.toLocaleString("en")));
}

/** A click on a lane leads to the nearest of some places. @param {HTMLElement} made
 * @param {number} units @param {number[]} places @param {(p: number) => void} goTo */
function leadsTo(made, units, places, goTo) {
  made.addEventListener("click", (event) => {
    const clicked = /** @type {Element} */ (event.target).closest(".lane");
    if (!clicked) return;
    const frame = clicked.getBoundingClientRect();
    const wanted = ((event.clientX - frame.left) / frame.width) * units;
    const nearest = [...places].sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
    if (nearest !== undefined) goTo(nearest);
  });
}

/** Show in each lane where one is; nowhere if null. @param {Element} inside @param {number|null} at
 * @param {number} units */
function showNow(inside, at, units) {
  for (const one of inside.querySelectorAll(".strip .stretched")) {
    one.querySelector(".now")?.remove();
    if (at !== null) one.append(svg("path", { class: "now", d: `M${Math.min(at, units)} 0V1000` }));
  }
}

// ---- The table of a strip, without its rows ----

const MOST_SIGNS = { wide: 36, narrow: 16 }; // in a row of a strip; with more it has lines alone

/** The table of a strip. @param {number} units @param {string[]} kinds what is counted beside all
 * @param {HTMLElement[]} lines @param {number} most boundaries in a line: with many, signs would
 * cover each other @param {string} [look] */
function stripBox(units, kinds, lines, most, look = "") {
  const crowd = most > MOST_SIGNS.wide ? " crowded" : most > MOST_SIGNS.narrow ? " dense" : "";
  const head = el("tr", {},
    el("th", { scope: "col", class: "who" }, unseen("row"), el("span", { "aria-hidden": "true" }, "unit")),
    el("th", { scope: "col" }, unseen("boundaries over the units"), ends(units)),
    el("th", { scope: "col", class: "num all" }, el("span", { title: "all boundaries of the row" }, "all")),
    ...kinds.map((one) => el("th", { scope: "col", class: "num", title: STATUS[one][1] }, sign(one), unseen(STATUS[one][1]))));
  return el("div", { class: "strip-box", tabindex: "0", role: "region", "aria-label": "Everyone’s boundaries" },
    el("table", { class: `strip${look}${crowd}` }, el("thead", {}, head), el("tbody", {}, ...lines)));
}

/** A row of a strip. @param {string} who @param {string} look @param {Element} drawn @param {number} n
 * @param {string[]} [counts] */
function stripLine(who, look, drawn, n, counts = []) {
  return el("tr", { class: look },
    el("th", { scope: "row", class: "who", title: visible(who) }, named(who, 22)),
    el("td", {}, drawn), el("td", { class: "num all" }, n.toLocaleString("en")),
    ...counts.map((one) => el("td", { class: "num" }, one)));
}

// ---- What a boundary is against a reference ----

/**
 * @typedef {{coder: string, kind: string, masses: number[], types?: (string|number)[][],
 *   ranks?: number[], labels?: string[][]}} Coding
 * @typedef {{near: [number, number, (string|number)?][], differs: [number, string|number, string|number][]}} Edits
 *   (near misses: where the reference has it, where the row has it, the type; types that differ: where,
 *   the reference's, the row's)
 * @typedef {{status: string, words: string}} Verdict
 * @typedef {{coding: Coding, index: number, positions: number[], has: Set<number>}} Row
 * @typedef {{at: Map<number, Verdict[]>, counts: Record<string, number>}} Judged
 * @typedef {{row: Row, judged: Judged|null}} Shown
 */

/** @param {Coding} coding @param {number} index @returns {Row} */
function rowOf(coding, index) {
  const positions = positionsOf(coding.masses);
  return { coding, index, positions, has: new Set(positions) };
}

/** The types of a boundary; one without types has the one type "". @param {Row} row @param {number} p */
function typesAt({ coding, positions }, p) {
  const types = coding.types?.[positions.indexOf(p)];
  return types?.length ? types : [""];
}

/** Whether ranks matter: many segmenters give some, but people do only where they mean levels.
 * @param {{codings: Coding[]}} doc */
function ranked(doc) {
  return doc.codings.some((one) => one.kind === "person" && one.ranks);
}

/** Boundaries by position and type. @param {Row} row @param {boolean} typed */
function keysOf(row, typed) {
  return new Set(row.positions.flatMap((p) => (typed ? typesAt(row, p) : [""]).map((type) => `${p} ${type}`)));
}

/**
 * A row against the reference: what stands at each position, in words. Which boundaries belong together
 * is decided by segscore (`judged`); of the others, both have it, or one.
 * @param {Row} reference @param {Row} row @param {Edits} edits @returns {Judged}
 */
function judge(reference, row, { near, differs }) {
  /** @type {Judged} */
  const judged = { at: new Map(), counts: Object.fromEntries(JUDGED.map((one) => [one, 0])) };
  const typed = Boolean(reference.coding.types && row.coding.types); // or only positions count
  const [open, own] = [keysOf(reference, typed), keysOf(row, typed)];
  /** @param {number} p @param {string} status @param {string} words */
  const say = (p, status, words) => judged.at.set(p, [...(judged.at.get(p) ?? []), { status, words }]);
  /** @param {string|number} type */
  const ofType = (type) => (type === "" ? "" : ` (${visible(type)})`);
  for (const [p, q, type = ""] of near) {
    const far = Math.abs(q - p).toLocaleString("en");
    say(p, "near", `near: cut ${far} ${q > p ? "later ↓" : "earlier ↑"}${ofType(type)}`);
    say(q, "near", `near: ${far} too ${q > p ? "late" : "early"}${ofType(type)}`);
    open.delete(`${p} ${type}`);
    own.delete(`${q} ${type}`);
    judged.counts.near += 1;
  }
  for (const [p, wanted, found] of differs) {
    say(p, "differs", `${visible(found)}, not ${visible(wanted)}`);
    open.delete(`${p} ${wanted}`);
    own.delete(`${p} ${found}`);
    judged.counts.differs += 1;
  }
  for (const key of new Set([...own, ...open])) {
    const status = !open.has(key) ? "extra" : own.has(key) ? "match" : "missed";
    const end = key.indexOf(" ");
    say(Number(key.slice(0, end)), status, STATUS[status][1] + ofType(key.slice(end + 1)));
    judged.counts[status] += 1;
  }
  return judged;
}

/**
 * The edits between codings that are made in the page: near misses one unit off, as segscore pairs them
 * for n_t = 2: as many as possible, which from left to right is the leftmost choice, too.
 * @param {Row} reference @param {Row} row @returns {Edits}
 */
function adjacentEdits(reference, row) {
  const all = [...new Set([...reference.positions, ...row.positions])].sort((a, b) => a - b)
    .filter((p) => reference.has.has(p) !== row.has.has(p));
  /** @type {Edits} */
  const edits = { near: [], differs: [] };
  for (let i = 0; i + 1 < all.length; i += 1) {
    const [p, q] = [all[i], all[i + 1]];
    if (q - p === 1 && row.has.has(p) !== row.has.has(q)) {
      edits.near.push(row.has.has(p) ? [q, p] : [p, q]);
      i += 1;
    }
  }
  return edits;
}

/** The verdict that matters most at a place. @param {Verdict[]} verdicts */
function worst(verdicts) {
  const order = ["differs", "near", "missed", "extra", "match"];
  return order.find((one) => verdicts.some((verdict) => verdict.status === one)) ?? "match";
}
