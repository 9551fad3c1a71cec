// What the report knows and shows, and what follows from it; nothing is drawn here.

// ---- Places on which people differ: the same rule as segscore.contested, for positions one apart ----

/** The position that most people mark (the first of equals) of each place on which they differ. All
 * gaps of a run are alike, so it is cut from the left until nobody has two marks in what is left.
 * @param {number[][]} codings ascending positions */
function contestedPlaces(codings) {
  /** @type {Map<number, number[]>} */
  const who = new Map();
  codings.forEach((one, i) => { for (const p of one) who.set(p, [...who.get(p) ?? [], i]); });
  /** @type {number[][]} */
  const places = [];
  let seen = new Set(); // who marks the last place of the run
  let cut = false; // whether the run had to be cut: what stands further left stands alone
  for (const p of [...who.keys()].sort((a, b) => b - a)) {
    const marks = who.get(p) ?? [];
    const last = places.at(-1);
    if (last?.[0] !== p + 1) { cut = false; seen = new Set(); }
    else cut ||= marks.some((one) => seen.has(one));
    if (last?.[0] === p + 1 && !cut) last.unshift(p);
    else places.push([p]);
    for (const one of marks) seen.add(one);
  }
  /** @param {number} p */
  const votes = (p) => who.get(p)?.length ?? 0;
  return places.filter((one) => one.length > 1 || votes(one[0]) < codings.length).reverse()
    .map((one) => one.reduce((best, p) => (votes(p) > votes(best) ? p : best)));
}

// ---- Consensus: the same rules as segscore.consensus ----

/** @typedef {{kept: Map<number, number>, left: Map<number, number>}} Votes */

/** How many coders are needed. @param {number|string} atLeast @param {number} coders */
function votesNeeded(atLeast, coders) {
  if (atLeast === "majority") return Math.floor(coders / 2) + 1;
  if (atLeast === "union") return 1;
  return Math.max(1, Math.ceil(Number(atLeast) * coders - 1e-9));
}

/** The nearest boundary in reach; the lower of two. @param {Set<number>} places @param {number} p
 * @param {number} within */
function reach(places, p, within) {
  for (let d = 0; d <= within; d += 1) {
    if (places.has(p - d)) return p - d;
    if (places.has(p + d)) return p + d;
  }
  return null;
}

/**
 * The positions that enough coders mark (kept), and the others (left), with their votes. With
 * `within`, marks influence each other only in a run of positions at most `within` apart. Each run
 * is counted from the left and from the right; where ties lead to other positions, a hash of where
 * the run starts draws one of the two.
 * @param {number[][]} codings ascending positions @param {number|string} atLeast
 * @param {number} within @returns {Votes}
 */
function countVotes(codings, atLeast, within) {
  const needed = votesNeeded(atLeast, codings.length);
  const marked = [...new Set(codings.flat())].sort((a, b) => a - b);
  /** @type {Votes} */
  const all = { kept: new Map(), left: new Map() };
  for (let first = 0, i = 1; i <= marked.length; i += 1) {
    if (i < marked.length && marked[i] - marked[i - 1] <= within) continue;
    const inside = codings.map((one) => one.filter((p) => p >= marked[first] && p <= marked[i - 1]));
    const one = countRun(inside, needed, within, 1);
    const other = countRun(inside, needed, within, -1);
    const equal = one.kept.size === other.kept.size && [...one.kept.keys()].every((p) => other.kept.has(p));
    const drawn = !equal && Math.imul(marked[first], 0x9E3779B1) < 0 ? other : one;
    for (const [p, n] of drawn.kept) all.kept.set(p, n);
    for (const [p, n] of drawn.left) all.left.set(p, n);
    first = i;
  }
  return all;
}

/**
 * The votes of a run: the best supported position comes first (then the one that more coders mark
 * exactly, then the first in the direction `sign`), takes each coder's nearest boundary, and these
 * are gone: each boundary votes once, so that what is left has too few votes, whatever stands near.
 * @param {number[][]} codings @param {number} needed @param {number} within @param {number} sign
 * @returns {Votes}
 */
function countRun(codings, needed, within, sign) {
  const sets = codings.map((one) => new Set(one.map((p) => sign * p)));
  /** @type {Map<number, number>} */
  const exact = new Map();
  for (const one of sets) for (const p of one) exact.set(p, (exact.get(p) ?? 0) + 1);
  const near = new Map([...exact.keys()].map((p) =>
    [p, sets.filter((places) => reach(places, p, within) !== null).length]));
  /** @type {Map<number, number>} */
  const kept = new Map();
  for (;;) {
    const best = bestSupported(near, exact);
    const votes = best === null ? 0 : near.get(best) ?? 0;
    if (best === null || votes < needed) {
      return { kept, left: new Map([...near].map(([p, n]) => [sign * p, n])) };
    }
    kept.set(sign * best, votes);
    for (const places of sets) takeVote(places, best, within, near, exact);
  }
}

/** The position with most votes, then most exact ones, then the leftmost.
 * @param {Map<number, number>} near votes in reach @param {Map<number, number>} exact */
function bestSupported(near, exact) {
  let best = null;
  for (const [p, n] of near) {
    if (best === null) { best = p; continue; }
    const gap = n - (near.get(best) ?? 0) || (exact.get(p) ?? 0) - (exact.get(best) ?? 0);
    if (gap > 0 || (gap === 0 && p < best)) best = p;
  }
  return best;
}

/** A coder's nearest boundary votes for a position, and for no other from then on.
 * @param {Set<number>} places of the coder @param {number} p @param {number} within
 * @param {Map<number, number>} near @param {Map<number, number>} exact */
function takeVote(places, p, within, near, exact) {
  const taken = reach(places, p, within);
  if (taken === null) return;
  const before = [];
  for (let q = taken - within; q <= taken + within; q += 1) {
    if (near.has(q)) before.push(q); // all of them were in reach of `taken`
  }
  places.delete(taken);
  exact.set(taken, (exact.get(taken) ?? 0) - 1);
  if (!exact.get(taken)) near.delete(taken); // nobody marks it any longer
  for (const q of before) {
    if (near.has(q) && reach(places, q, within) === null) near.set(q, (near.get(q) ?? 0) - 1);
  }
}

/** The positions that enough coders mark. @param {number[][]} codings
 * @param {number|string} atLeast @param {number} within */
function consensus(codings, atLeast, within) {
  return [...countVotes(codings, atLeast, within).kept.keys()].sort((a, b) => a - b);
}

// ---- The places of a document that `n` and `p` stop at ----

/** @typedef {Record<string, number[]>} Stops   (places to stop at, by kind: of STOPS) */

const STOPS = ["disagreements", "differ", "all"]; // the first is usual

/** Where to stop: where some row disagrees with the reference (or rows with each other, if there
 * is none), where rows differ from each other, or everywhere. A near miss counts once, at the
 * boundary of the reference. @param {number[]} places @param {Row|null} reference
 * @param {Shown[]} shown @returns {Stops} */
function stopsOf(places, reference, shown) {
  const once = places.filter((p) => !(reference && echo(p, shown)));
  /** @type {Stops} */
  const found = { disagreements: reference ? once.filter((p) => !agreed(p, reference, shown))
    : contestedPlaces(shown.map((one) => one.row.positions)) };
  if (reference && shown.length > 1) found.differ = once.filter((p) => differ(p, shown));
  found.all = places;
  return found;
}

/** Whether rows say different things about a place. @param {number} p @param {Shown[]} shown */
function differ(p, shown) {
  const said = shown.map(({ judged }) =>
    (judged?.at.get(p) ?? []).map((verdict) => verdict.words).sort().join("; "));
  return new Set(said).size > 1;
}

/** Whether all rows have what the reference has, or without one, all have a boundary here.
 * @param {number} p @param {Row|null} reference @param {Shown[]} shown */
function agreed(p, reference, shown) {
  if (!reference) return shown.every((one) => one.row.has.has(p));
  return shown.every((one) => (one.judged?.at.get(p) ?? []).every((v) => v.status === "match"));
}

/** Whether nothing stands here but the other end of near misses, which count at the reference's
 * boundary. @param {number} p @param {Shown[]} shown */
function echo(p, shown) {
  return shown.every(({ row, judged }) => (judged?.at.get(p) ?? []).every((verdict) =>
    verdict.status === "match" || (verdict.status === "near" && row.has.has(p))));
}

// ---- A list of documents: a table in a box, as high as there is room for whole rows, drawn in parts ----

/**
 * @template T
 * @typedef {object} DocumentList
 * @property {HTMLElement} box what scrolls
 * @property {HTMLElement} body the rows that are drawn
 * @property {HTMLElement} above what stands above the box and may take more or less room
 * @property {number} aboveHigh its height when the box was fitted
 * @property {T[]} held what is listed, in its order
 * @property {(one: T) => HTMLElement} rowOf
 */
/** @typedef {{key: string, sign: number}} Order   (sign: 1 ascending, -1 descending) */

const ROWS_AT_ONCE = 200;

/** An empty list, which grows as one scrolls. @template T @param {HTMLElement} box
 * @param {HTMLElement} above @returns {DocumentList<T>} */
function newList(box, above) {
  /** @type {DocumentList<T>} */
  const list = { box, body: el("tbody"), above, aboveHigh: 0, held: [], rowOf: () => el("tr") };
  window.addEventListener("resize", () => fitList(list));
  box.addEventListener("scroll", () => {
    if (box.scrollTop + box.clientHeight > box.scrollHeight - 600) drawMore(list);
  });
  return list;
}

/** Show other documents. @template T @param {DocumentList<T>} list @param {T[]} held
 * @param {string} caption @param {HTMLElement[]} headings @param {(one: T) => HTMLElement} rowOf */
function fillList(list, held, caption, headings, rowOf) {
  Object.assign(list, { held, rowOf });
  list.body.replaceChildren();
  list.box.replaceChildren(el("table", { class: "documents" }, el("caption", {}, caption),
    el("thead", {}, el("tr", {}, ...headings)), list.body));
  list.box.scrollTop = 0;
  drawMore(list);
}

/** @template T @param {DocumentList<T>} list */
function drawMore(list) {
  const drawn = list.body.children.length;
  list.body.append(...list.held.slice(drawn, drawn + ROWS_AT_ONCE).map(list.rowOf));
}

/** The link of a document, drawn if it was not yet. @template T @param {DocumentList<T>} list
 * @param {number} index */
function linkAt(list, index) {
  while (list.body.children.length <= index && index < list.held.length) drawMore(list);
  return list.body.children[index]?.querySelector("a") ?? null;
}

/** Mark the open document. @template T @param {DocumentList<T>} list @param {number} index */
function markCurrent(list, index) {
  list.body.querySelector("[aria-current]")?.removeAttribute("aria-current");
  list.body.children[index]?.setAttribute("aria-current", "true");
}

/** As high as there is room for whole rows, which the style sheet cannot know.
 * @template T @param {DocumentList<T>} list */
function fitList(list) {
  const { box } = list;
  const measures = document.documentElement.style;
  list.aboveHigh = list.above.offsetHeight;
  measures.removeProperty("--list-high");
  const frame = box.offsetHeight - box.clientHeight; // borders, and a scroll bar
  if (box.scrollHeight <= box.clientHeight) return;
  const top = box.getBoundingClientRect().top + box.clientTop - box.scrollTop;
  let high = 0;
  for (const row of list.body.children) {
    const end = row.getBoundingClientRect().bottom - top;
    if (end > box.clientHeight) break;
    high = end;
  }
  if (high) measures.setProperty("--list-high", `${Math.ceil(high) + frame}px`);
}

/** Fit the list again if what stands above it has another height.
 * @template T @param {DocumentList<T>} list */
function refitList(list) {
  if (list.above.offsetHeight !== list.aboveHigh) fitList(list);
}

/** A heading that sorts: by the same key again, the other way round. @param {Order} order
 * @param {{key: string, label: Node, help: string, first: number}} column
 * @param {() => void} sorted what to do then */
function sortHeading(order, { key, label, help, first }, sorted) {
  const now = order.key === key ? (order.sign > 0 ? "ascending" : "descending") : "none";
  const button = el("button", { type: "button", title: `sort by ${visible(help)}` }, label);
  button.addEventListener("click", () => {
    order.sign = order.key === key ? -order.sign : first;
    order.key = key;
    sorted();
  });
  return el("th", { scope: "col", "aria-sort": now, class: key === "name" ? "" : "num" }, button);
}

// ---- What the report knows and shows ----

// What the data holds (pages/report_page.py writes it):
/**
 * @typedef {{name: string, units: number, codings: Coding[], text?: string[], group?: string,
 *   reference?: string, edits?: Edits[], values?: (number|null)[][],
 *   windows?: ([number, number, (number|null)[]]|null)[], agreement?: number|null}} Doc
 *   (windows: by metric, positions in one, how many, how many are penalised for each system)
 * @typedef {{near: number, systems: string[],
 *   metrics: {name: string, higher: boolean, words: string}[],
 *   rows: {name: string, kind: string}[], seconds: number|null, observed: string|null,
 *   documents: Doc[]}} Data   (observed: the metric of agreement)
 */

/**
 * All that changes while one reads, in one object that each function is given.
 * @typedef {object} State
 * @property {Data} data what was written into the page
 * @property {Map<string, Doc>} documents by name
 * @property {string|null} document the open one
 * @property {string|null} reference the one that was asked for; a document may not have it
 * @property {Set<string>} hidden the rows that are not shown
 * @property {number} metric which one the list shows
 * @property {number|null} at the place of the open document where one is
 * @property {string} stop what `n` and `p` stop at: of STOPS
 * @property {Order} order of the list
 * @property {string} filter of the list
 * @property {{atLeast: number|string, within: number}} rule what makes the live consensus
 * @property {Set<string>} toPrint names of documents
 * @property {Map<string, number>} contested places by document, as long as the rows stay
 * @property {DocumentList<Doc>} list
 * @property {HTMLElement} article where the open document stands
 * @property {HTMLElement} controls what to show
 * @property {Stops} stops of the open document
 * @property {(position: number) => HTMLElement|null} placeOf where its places stand
 * @property {{address: number, consensus: number}} timers of what is done when there is time
 */

const EVERYONE = "everyone"; // in place of a reference: all side by side
const SLIDER = "consensus by the slider"; // a reference, too
const USUAL = { atLeast: /** @type {number|string} */ (0.5), within: 0 }; // of the sliders
const FARTHEST = 10; // units that the slider allows

/** @param {Data} data @returns {State} */
function newState(data) {
  const [article, box, controls] = ["document", "list", "controls"].map((id) =>
    /** @type {HTMLElement} */ (byId(id)));
  return {
    data, documents: new Map(data.documents.map((doc) => [doc.name, doc])),
    document: null, reference: null, hidden: usuallyHidden(data), metric: 0, at: null, stop: STOPS[0],
    order: { key: "", sign: 1 }, filter: "", rule: { ...USUAL }, toPrint: new Set(),
    contested: new Map(), list: newList(box, controls), article, controls, stops: {},
    placeOf: () => null, timers: { address: 0, consensus: 0 },
  };
}

/** Rows that are not shown at first: people, where a page compares systems with several.
 * @param {Data} data */
function usuallyHidden(data) {
  const people = data.rows.filter((one) => data.systems.length > 0 && one.kind === "person");
  return new Set(people.length > 1 ? people.map((one) => one.name) : []);
}

/** The rows that were unticked: they are gone from lists, tables and pictures, too. Where no
 * person is ticked beside systems, what is said of people is about all of them.
 * @param {State} state */
function unticked({ data, hidden }) {
  const people = data.rows.filter((one) => one.kind === "person");
  const all = data.systems.length > 0 && people.every((one) => hidden.has(one.name));
  return new Set(data.rows.filter((one) => hidden.has(one.name) &&
    !(all && one.kind === "person")).map((one) => one.name));
}

/** The open document, if any. @param {State} state */
function openOne(state) {
  return state.documents.get(state.document ?? "");
}

/** Positions of each person. @param {Doc} doc @param {Set<string>} [without] names */
function peopleOf(doc, without = new Set()) {
  return doc.codings.filter((one) => one.kind === "person" && !without.has(one.coder))
    .map((one) => positionsOf(one.masses));
}

/** What the sliders make of a document. @param {State} state @param {Doc} doc */
function agreedOn({ rule }, doc) {
  return consensus(peopleOf(doc), rule.atLeast, rule.within);
}

// ---- The address of the report: a link points at one disagreement ----

/** An address of this page. @param {Record<string, string>} values */
function addressOf(values) {
  return `#${new URLSearchParams(values).toString().replaceAll("+", "%20")}`;
}

/** What is not as it usually is. @param {State} state */
function address(state) {
  const { data, hidden, order, rule } = state;
  /** @type {Record<string, string>} */
  const found = {};
  if (state.document !== null) found.document = state.document;
  if (state.reference !== null) found.reference = state.reference;
  const usual = usuallyHidden(data);
  if (hidden.size !== usual.size || [...usual].some((one) => !hidden.has(one))) {
    const shown = data.rows.filter((one) => one.kind !== "consensus" && !hidden.has(one.name));
    found.rows = JSON.stringify(shown.map((one) => one.name));
  }
  if (state.metric) found.metric = data.metrics[state.metric].name;
  if (order.key) found.sort = `${order.sign < 0 ? "-" : ""}${order.key}`;
  if (state.filter) found.find = state.filter;
  if (state.stop !== STOPS[0]) found.stop = state.stop;
  if (state.at !== null) found.at = `${state.at}`;
  if (rule.atLeast !== USUAL.atLeast) found.share = `${rule.atLeast}`;
  if (rule.within !== USUAL.within) found.within = `${rule.within}`;
  return addressOf(found);
}

/** @param {State} state @param {boolean} [anew] whether "back" should lead to where we were */
function writeAddress(state, anew = false) {
  if (anew) history.pushState(null, "", address(state));
  else history.replaceState(null, "", address(state));
}

/** Browsers refuse many changes of the address at once. @param {State} state */
function writeSoon(state) {
  window.clearTimeout(state.timers.address);
  state.timers.address = window.setTimeout(() => writeAddress(state), 150);
}

/** Take over what the address says; true if it is about a document. @param {State} state */
function readAddress(state) {
  if (!location.hash.includes("=")) return false;
  const found = new URLSearchParams(location.hash.slice(1));
  const wanted = found.get("document");
  if (wanted !== null && state.documents.has(wanted)) state.document = wanted;
  if (found.has("reference")) state.reference = found.get("reference");
  state.hidden = hiddenBy(state, found.get("rows"));
  readOrder(state, found);
  state.stop = STOPS.find((one) => one === found.get("stop")) ?? STOPS[0];
  const at = Number(found.get("at"));
  state.at = found.has("at") && Number.isInteger(at) && at > 0 ? at : null;
  readRule(state, found);
  return state.document !== null;
}

/** @param {State} state @param {string|null} rows names as JSON */
function hiddenBy({ data }, rows) {
  if (rows !== null) {
    try {
      const shown = new Set([...JSON.parse(rows)].map(String));
      return new Set(data.rows.map((one) => one.name).filter((one) => !shown.has(one)));
    } catch { /* no list of names: as usual */ }
  }
  return usuallyHidden(data);
}

/** What the list shows, and how it is sorted. @param {State} state @param {URLSearchParams} found */
function readOrder(state, found) {
  const metric = state.data.metrics.findIndex((one) => one.name === found.get("metric"));
  if (metric >= 0) state.metric = metric;
  const [, down, key] = /^(-?)(.*)$/s.exec(found.get("sort") ?? "") ?? [];
  if (key === "name" || columnsOf(state).some((one) => one.key === key)) {
    Object.assign(state.order, { key, sign: down ? -1 : 1 });
  }
  state.filter = found.get("find") ?? state.filter;
}

/** @param {State} state @param {URLSearchParams} found */
function readRule({ rule }, found) {
  const share = found.get("share");
  if (share === "union" || share === "majority") rule.atLeast = share;
  else if (Number(share) > 0 && Number(share) <= 1) rule.atLeast = Number(share);
  const within = Number(found.get("within"));
  if (Number.isInteger(within) && within > 0) rule.within = Math.min(within, FARTHEST);
}
