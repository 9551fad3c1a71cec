// What the report knows and shows, and what follows from it; nothing is drawn here.

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

/** Where to stop: where some row disagrees with the reference (or people with each other, if there
 * is none), where rows differ from each other, or everywhere. A near miss counts once, at the
 * boundary of the reference. @param {Doc} doc @param {number[]} places @param {Row|null} reference
 * @param {Shown[]} shown @returns {Stops} */
function stopsOf(doc, places, reference, shown) {
  const once = places.filter((p) => !(reference && echo(p, shown)));
  const contested = !reference && shown.some(({ row }) => row.coding.kind === "person") ? doc.contested : undefined;
  /** @type {Stops} */
  const found = { disagreements: once.filter((p) => (contested ? contested.includes(p) : !agreed(p, reference, shown))) };
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

// ---- A list of documents: a table in a box, drawn in parts ----

/**
 * @template T
 * @typedef {{box: HTMLElement, body: HTMLElement, held: T[], rowOf: (one: T) => HTMLElement}} DocumentList
 *   (box: what scrolls; body: the rows that are drawn; held: what is listed, in its order)
 */
/** @typedef {{key: string, sign: number}} Order   (sign: 1 ascending, -1 descending) */

const ROWS_AT_ONCE = 200;

/** An empty list, which grows as one scrolls. @template T @param {HTMLElement} box
 * @returns {DocumentList<T>} */
function newList(box) {
  /** @type {DocumentList<T>} */
  const list = { box, body: el("tbody"), held: [], rowOf: () => el("tr") };
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

/** A heading that sorts: by the same key again, the other way round. @param {Order} order
 * @param {{key: string, label: Node|string, help: string, first: number}} column
 * @param {() => void} sorted what to do then */
function sortHeading(order, { key, label, help, first }, sorted) {
  const now = order.key === key ? (order.sign > 0 ? "ascending" : "descending") : "none";
  return el("th", { scope: "col", "aria-sort": now, class: key === "name" ? "" : "num" }, button(label, () => {
    order.sign = order.key === key ? -order.sign : first;
    order.key = key;
    sorted();
  }, { title: `sort by ${visible(help)}` }));
}

// ---- What the report knows and shows ----

// What the data holds (pages/report_page.py writes it):
/**
 * @typedef {{name: string, units: number, codings: Coding[], text?: string[], group?: string,
 *   reference?: string, edits?: [number, number, Edits["near"], Edits["differs"]][],
 *   values?: (number|null)[][], contested?: number[],
 *   agreement?: number|null}} Doc
 *   (edits: of a reference and another row, by number; contested: places on which people differ)
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
 * @property {DocumentList<Doc>} list
 * @property {HTMLElement} article where the open document stands
 * @property {HTMLElement} controls what to show
 * @property {Stops} stops of the open document
 * @property {{address: number, consensus: number}} timers of what is done when there is time
 */

const EVERYONE = "everyone"; // in place of a reference: all side by side
const SLIDER = "consensus by the slider"; // a reference, too
const USUAL = { atLeast: /** @type {number|string} */ (0.5), within: 0 }; // of the sliders
const FARTHEST = 10; // units that the slider allows

/** @param {Data} data @returns {State} */
function newState(data) {
  return {
    data, documents: new Map(data.documents.map((doc) => [doc.name, doc])),
    document: null, reference: null, hidden: usuallyHidden(data), metric: 0, at: null, stop: STOPS[0],
    order: { key: "", sign: 1 }, filter: "", rule: { ...USUAL }, toPrint: new Set(), list: newList(need("list")),
    article: need("document"), controls: need("controls"), stops: {}, timers: { address: 0, consensus: 0 },
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

/** Positions of each person. @param {Doc} doc */
function peopleOf(doc) {
  return doc.codings.filter((one) => one.kind === "person").map((one) => positionsOf(one.masses));
}

/** What the sliders make of a document. @param {State} state @param {Doc} doc */
function agreedOn({ rule }, doc) {
  return consensus(peopleOf(doc), rule.atLeast, rule.within);
}

// ---- The address of the report: a link points at one disagreement ----

/** An address of this page. @param {Record<string, string|number|null>} values null: left out */
function addressOf(values) {
  const known = Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, `${value}`]]));
  return `#${new URLSearchParams(known).toString().replaceAll("+", "%20")}`;
}

/** Write what is not as it usually is. @param {State} state
 * @param {boolean} [anew] whether "back" should lead to where we were */
function writeAddress({ data, document, reference, hidden, metric, at, rule }, anew = false) {
  const usual = usuallyHidden(data);
  const same = hidden.size === usual.size && [...usual].every((one) => hidden.has(one));
  const rows = data.rows.filter((one) => one.kind !== "consensus" && !hidden.has(one.name)).map((one) => one.name);
  const address = addressOf({ document, reference, rows: same ? null : JSON.stringify(rows),
    metric: metric ? data.metrics[metric].name : null, at,
    share: rule.atLeast === USUAL.atLeast ? null : rule.atLeast, within: rule.within || null });
  if (anew) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
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
  state.hidden = hiddenBy(state.data, found.get("rows"));
  const metric = state.data.metrics.findIndex((one) => one.name === found.get("metric"));
  if (metric >= 0) state.metric = metric;
  const [at, within] = [Number(found.get("at")), Number(found.get("within"))];
  state.at = Number.isInteger(at) && at > 0 ? at : null;
  const share = found.get("share");
  if (share === "union" || share === "majority") state.rule.atLeast = share;
  else if (Number(share) > 0 && Number(share) <= 1) state.rule.atLeast = Number(share);
  if (Number.isInteger(within) && within > 0) state.rule.within = Math.min(within, FARTHEST);
  return state.document !== null;
}

/** @param {Data} data @param {string|null} rows names as JSON */
function hiddenBy(data, rows) {
  try {
    const shown = new Set([...JSON.parse(rows ?? "")].map(String));
    return new Set(data.rows.map((one) => one.name).filter((one) => !shown.has(one)));
  } catch { // no list of names: as usual
    return usuallyHidden(data);
  }
}
